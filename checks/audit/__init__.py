"""What the encoding of a book decides that no clause says: places in the rules, and whether play would differ if they were written otherwise."""
