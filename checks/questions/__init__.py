"""What the clauses of a draft leave open, asked from its text alone (docs/open-questions.md)."""
