"""One scenario: made ready, checked, played, expected, minimised, measured."""
