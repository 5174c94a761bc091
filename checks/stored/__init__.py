"""What is kept in files: cases and their replay, findings of the last run, decisions."""
