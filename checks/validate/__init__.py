"""What is wrong anywhere in a book, without a scenario: mistakes of every file, and what nobody uses."""
