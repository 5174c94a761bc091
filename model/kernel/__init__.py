"""Mechanisms that several books share, in the rule language.

endings.py   WINS and LOSES pronounced on the players, and what follows for the game
turns.py     whose turn it is, and which of the first turns; the change of turn
windows.py   the players act in turn until so many pass in a row
decks.py     cards from the top of a pile, under it, shuffled into it; a hand above its limit
waiting.py   what waits is dealt with one by one, one player's before the other's

A book has the modules that it imports (`from ...kernel.decks import *`), and what those import. The kernel cites no
clauses: what it does is done for the clauses of the statement that calls it. A part of the state (`class Turns(State)`) is
taken over with `class Game(Turns)`. What differs from book to book is given as an argument or as a rule; where a rule is
expected to move cards, it is the book's own, because new objects and events are the book's.
"""
