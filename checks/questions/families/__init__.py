"""The families of questions, by what hangs on the answer."""
