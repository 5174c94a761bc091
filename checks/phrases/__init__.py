"""`rulewright phrases`: the phrases that a book's card texts are written in, and how a text is read by them."""
