"""Does the order of two abilities that wait together matter? What waits is found (`waiting`), a pool's pairs are settled by what they touch (`footprints`)
or asked about (`pairs`): by z3 as terms of both orders (`resolving`, `terms`) and of who decides (`deciders`), or in positions drawn by lot (`drawn`). What is
found is carried out (`replaying`) and told (`telling`); `all_pairs` asks all of it.
"""
