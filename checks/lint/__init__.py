"""The draft linter: what can be said about any draft of rules, with no model of the game."""
