"""Findings: what a check has to say, and how it is shown."""
