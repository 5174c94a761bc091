"""Plays by lot through games too large to be looked at as a whole."""
