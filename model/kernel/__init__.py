"""Mechanisms that several books share, in the rule language. A book has those that it imports, and what they import:
`from ...kernel.decks import *`. They cite no clauses: the marks stand at the book's calls, and findings show them.
"""
