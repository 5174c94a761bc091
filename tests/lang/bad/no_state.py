"""A book without a state."""
from rulewright.model.lang import *


@procedure
async def main() -> None:
    return
