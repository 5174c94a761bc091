"""The rules, one module for each family. Each module has a tuple `RULES`."""
