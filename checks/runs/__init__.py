"""What a user can ask for, and the processes it is done in."""
