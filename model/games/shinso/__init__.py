"""The rules of "Shinso" (a working name: the book has no title), chapter by chapter."""
