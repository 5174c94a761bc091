"""The rule IR: typed expressions over a flat state, and labelled control graphs."""
