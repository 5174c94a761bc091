"""What is asked of all states of a book at once: where clauses contradict each other, and where they say nothing.

`stops` collects the ways in which a rule can stop, `asking` asks z3 for the smallest state in which it does, `position`
makes a position of the answer, with its cards only, and `service` replays that and tells it as a finding.
"""
