"""What is kept in files: cases and their replay, findings of the last run, decisions.

`explain` makes a page from the record as it was stored, `replay` tells the steps as they happen now, and `verify` compares both with a new check.
"""
