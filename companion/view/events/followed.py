"""Findings of a trial followed on the board, for the commissioner."""

from __future__ import annotations

from msgspec.structs import replace

from companion.desk.trial_desk import TrialDesk
from companion.rules.conversation.asking import Json
from companion.rules.conversation.errors import CompanionError
from companion.tournament import following
from companion.tournament.times import MISPLACED
from companion.tournament.trial import Finding, Trial
from companion.view.shown import Tone, ViewModel
from companion.wording import Words


class FindingShown(ViewModel, frozen=True, kw_only=True):
    """A finding: its throw, what is wrong, and its cost if accepted."""

    title: str
    note: str
    price: str
    chosen: bool = False


class FollowedShown(ViewModel, frozen=True, kw_only=True):
    """The car on the board: space, gear (0 before the first throw), over the line or not.

    After the lap, also the findings, in one line and one by one.
    """

    at: str
    gear: int
    home: bool
    said: str = ""
    tone: Tone = "ok"
    found: tuple[FindingShown, ...] = ()


def followed(desk: TrialDesk, words: Words) -> FollowedShown | None:
    """Return the car of the running trial.

    None without a trial, or if the circuit's spaces are unknown.
    """
    trial = desk.record.trial
    if trial is None:
        return None
    try:
        at, gear, home = following.stands(desk.followed_on, trial)
        found = desk.findings
    except CompanionError:  # the circuit is a corner sheet, or is gone
        return None
    shown = FollowedShown(at=at, gear=gear, home=home)
    if not trial.over or not trial.followed or trial.settled:
        return shown
    if trial.unfinished and not found:
        return replace(shown, said=words.screen("trial.found.line"), tone="bad")
    where = "followed" if home or trial.missed else "followed_part"
    return replace(
        shown,
        said=words.screen(f"trial.{where}", count=len(found), throws=trial.seen_to),
        tone="warn" if found or where == "followed_part" else "ok",
        found=tuple(_finding(trial, one, words) for one in found),
    )


def _finding(trial: Trial, finding: Finding, words: Words) -> FindingShown:
    facts: dict[str, Json] = {"throw": finding.throw, "more": finding.more, "article": finding.article}
    if finding.throw or finding.what == "line":
        throw = trial.seen[finding.throw or trial.seen_to]
        where: dict[str, Json] = {"gear": throw.gear, "die": throw.face, "at": throw.at, "moved": finding.moved}
        note = words.screen("trial.found_on", **where)
    else:
        note = words.screen("trial.found_sum", throws=trial.throws, over=trial.overshot)
    price = {
        "misplaced": f"+{MISPLACED}", "over": f"{finding.more * trial.factor:+}", "throws": f"{finding.more:+}",
        "stops": words.screen("trial.last"), "line": words.screen("trial.no_time"),
    }.get(finding.what, "+0")  # fmt: skip
    return FindingShown(
        title=words.screen(f"trial.found.{finding.what}", **facts), note=f"{note} · {finding.article}", price=price
    )
