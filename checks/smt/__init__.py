"""Questions about every state at once, answered by z3: expressions, steps and procedures of the rules as terms.

`worlds.free_world` compiles a book for some cards without a scenario; `symbolic.Symbolic` makes states of which nothing
is known, says what holds of all of them, and evaluates rules in them.
"""
