"""Ctrl-C, in the process that it is pressed for."""
from __future__ import annotations

import signal
import sys
from contextlib import suppress

import pytest

from rulewright.checks.limits import interrupt


class HalfMade:
    def __del__(self) -> None:
        raise AttributeError("half made")


@pytest.mark.parametrize("stopped", [True, False])
def test_after_ctrl_c_nothing_is_said_of_what_was_just_being_made(stopped: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[object] = []
    monkeypatch.setattr(sys, "unraisablehook", told.append)
    monkeypatch.setattr(interrupt, "interrupt_solver", lambda: None)  # what the next test asks z3 would be what is not answered
    with suppress(KeyboardInterrupt), interrupt.answered():
        left = HalfMade()
        if stopped:
            signal.raise_signal(signal.SIGINT)
    del left
    assert len(told) == (0 if stopped else 1)
