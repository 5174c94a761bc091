"""The rule books as data, and what reads it: positioned diagnostics, YAML documents, schemas, readers."""
