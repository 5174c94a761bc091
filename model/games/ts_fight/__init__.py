"""The rules of "TS☆ファイト", chapter by chapter."""
