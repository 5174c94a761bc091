"""The typed state model, the rule language, the rules, and the reference engine."""
