"""Explicit-state exploration and the analyses of the graphs it builds."""
