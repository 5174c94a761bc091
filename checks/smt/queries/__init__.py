"""What is asked of all states of a book at once: where clauses contradict each other, and where they say nothing.

`stops` collects the ways in which a rule can stop, `asking` asks z3 for the smallest state in which it does, `position`
makes a position of the answer, with its cards only, and the module that asks (`all_worlds`, `all_pairs`, `all_clauses`) replays that and tells it as a finding.
"""
