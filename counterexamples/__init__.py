"""Found cases, one file each: every one replays, and `rulewright verify` says whether all of them still do."""
