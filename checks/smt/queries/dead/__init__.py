"""Clauses that nothing comes to: looked for in worlds of cards (`service`), with what the claim rests on (`basis`, `never`), and told (`telling`)."""
