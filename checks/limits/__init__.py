"""How work ends: limits of time and memory, ctrl-C."""
