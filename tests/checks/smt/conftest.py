"""What a module asked z3 is given back when it is done: its terms refer to each other in circles, which Python collects too rarely here."""
from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest


@pytest.fixture(autouse=True, scope="module")
def given_back() -> Iterator[None]:
    yield
    gc.collect()
