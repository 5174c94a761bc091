"""Formats that are not text."""
