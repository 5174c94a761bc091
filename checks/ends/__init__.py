"""What cannot loop: a proof that each part of play ends, or what keeps it from being one (docs/questions.md).

A loop of a procedure ends if some numbers, compared one after the other, go down on every way round it (`ranking.py`). The ways
are terms of z3 (`ways.py`) over states of which nothing is known, of any number of cards (`terms.py`, `states.py`).
"""
