"""Models for other tools: the same relation, to be checked by a program that is not ours."""
