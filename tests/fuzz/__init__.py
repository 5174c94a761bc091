"""Inputs and accidents by lot. `make fuzz`."""
