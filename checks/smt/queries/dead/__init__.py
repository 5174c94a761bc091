"""Clauses that nothing comes to: looked for in worlds of cards (`all_clauses`), with what the claim rests on (`basis`, `never`), and told (`telling`)."""
