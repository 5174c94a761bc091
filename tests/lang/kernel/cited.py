"""A mark in the kernel is a mistake (for the tests of the language)."""
from rulewright.model.lang import *


@define
def twice(n: Annotated[int, Range(0, 4)]) -> int:
    return n + n  #: 1.1
