"""The clause register: which clause of a rule book is modelled where, and what a new draft changes about it."""
