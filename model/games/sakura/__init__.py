"""新幕 桜降る代に決闘を: the core rules of the duel."""
