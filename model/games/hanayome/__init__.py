"""The comprehensive rules of "hanayome", chapter by chapter."""
