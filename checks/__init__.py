"""What is asked of a model: the checks, their findings, and the command line."""
