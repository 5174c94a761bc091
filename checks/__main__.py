"""`python -m rulewright.checks` is the command `rulewright`."""
import sys

from .cli import main

sys.exit(main())
