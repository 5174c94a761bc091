"""The rule books as rules, one folder each: modules of the rule language, read by the front end and never run."""
