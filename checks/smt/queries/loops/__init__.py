"""Loops that begin in any position of a small world (`pools`): rounds of a `while` (`rounds`) that lead back (`lassos`), or back but for larger counters
(`growing`). What is found is played from there and told (`telling`); `all_worlds` asks all of it.
"""
