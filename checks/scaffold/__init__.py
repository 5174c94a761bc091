"""The beginning of a book of one's own: what a draft names, and the folder that is made of it."""
