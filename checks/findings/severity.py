"""How grave a finding is: what depends on it, and how little it takes to make it happen."""
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from .record import Certainty, Finding, FindingClass, Origin, Severity, Stake, WhoCanStop

SEVERITIES: Mapping[tuple[Origin, Stake], Severity] = {
    (Origin.ORDINARY, Stake.WINNER): Severity.S,
    (Origin.CARDS, Stake.WINNER): Severity.S,
    (Origin.INVENTED, Stake.WINNER): Severity.A,
    (Origin.ORDINARY, Stake.RESULT): Severity.A,
    (Origin.CARDS, Stake.RESULT): Severity.B,
    (Origin.INVENTED, Stake.RESULT): Severity.B,
    **{(origin, stake): Severity.C for origin in Origin for stake in (Stake.ORDER, Stake.WORDING)},
}


def graded(finding: Finding, origin: Origin) -> Finding:
    """The finding with its origin, its stake (where the check that found it has not said it) and its severity."""
    if finding.cls is FindingClass.DEFECT:
        return finding
    stake = finding.stake or stake_of(finding)
    return replace(finding, origin=origin, stake=stake, severity=SEVERITIES[origin, stake])


def stake_of(finding: Finding) -> Stake:
    """What depends on a finding, by its class: a loop that no player can end alone decides the game, and so does what
    is not decided about one; of what a reader of the clauses sees nothing in play is known."""
    if finding.certainty is Certainty.TEXTUAL:
        return Stake.WORDING
    endless = bool(finding.play.cycle) and finding.keepers is not WhoCanStop.EITHER
    return Stake.WINNER if endless else Stake.RESULT
