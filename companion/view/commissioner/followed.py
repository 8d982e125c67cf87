"""What following the board of a trial has found, as it is shown to the commissioner afterwards."""

from __future__ import annotations

from msgspec.structs import replace

from companion.desk.trial_desk import TrialDesk
from companion.rules.conversation.asking import Json
from companion.rules.conversation.errors import CompanionError
from companion.tournament import following
from companion.tournament.times import MISPLACED
from companion.tournament.trial import Finding, Trial
from companion.view.shown import Shown, Tone
from companion.wording import Words


class FindingShown(Shown, frozen=True, kw_only=True):
    """A finding: in which throw and what, how the throw was, and what it costs if it is accepted."""

    title: str
    note: str
    price: str
    chosen: bool = False


class FollowedShown(Shown, frozen=True, kw_only=True):
    """The car on the board as it is followed: its space and gear (0 before the first throw), whether it is over the
    line; and, once the lap is over, what was found, in one line and one by one."""

    at: str
    gear: int
    home: bool
    said: str = ""
    tone: Tone = "ok"
    found: tuple[FindingShown, ...] = ()


def followed(desk: TrialDesk, words: Words) -> FollowedShown | None:
    """The car of the trial under way on the board; None without one, or where its spaces are not known."""
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
        said=words.screen(f"trial.{where}", count=len(found), throws=len(trial.followed)),
        tone="warn" if found or where == "followed_part" else "ok",
        found=tuple(_finding(trial, one, words) for one in found),
    )


def _finding(trial: Trial, finding: Finding, words: Words) -> FindingShown:
    facts: dict[str, Json] = {"throw": finding.throw, "more": finding.more, "article": finding.article}
    if finding.throw or finding.what == "line":
        throw = trial.followed[finding.throw - 1]
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
