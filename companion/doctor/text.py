"""The findings in words."""

from __future__ import annotations

from typing import Final

from companion.doctor.findings import CheckResult, Found
from companion.rules.conversation.asking import Json
from companion.wording import Words

BYTES: Final = ("free", "whole", "stored")
"""Facts that are numbers of bytes."""
ANYWHERE: Final = ("failed", "late")
"""Cases that any check may come to."""


def size(count: float, words: Words) -> str:
    """Write a number of bytes for people: "3.4 MB"."""
    units, place = words.screen("status.units").split(), 0
    while count >= 1000 and place < len(units) - 1:
        count /= 1000
        place += 1
    return f"{words.decimal(count, int(place > 0 and count < 10))} {units[place]}"


def name(finding: CheckResult, words: Words) -> str:
    """Return what was checked: "Screen"."""
    return words.screen(f"doctor.name.{finding.check}")


def sentence(finding: CheckResult, words: Words) -> str:
    """Return what was found."""
    return words.screen(_where(finding, "is"), **_facts(finding, words))


def advice(finding: CheckResult, words: Words) -> str:
    """Return what to do about it, "" for what is well or not there."""
    is_needed = finding.state in ("bad", "warn")
    return words.screen(_where(finding, "do"), **_facts(finding, words)) if is_needed else ""


def summary(found: Found, words: Words) -> str:
    """Return the whole in one sentence."""
    bad, warn = (sum(one.state == state for one in found) for state in ("bad", "warn"))
    return words.screen("doctor.summary", bad=bad, warn=warn)


def _where(finding: CheckResult, what: str) -> str:
    check = "any" if finding.case in ANYWHERE else finding.check
    return f"doctor.{what}.{check}.{finding.case}"


def _facts(finding: CheckResult, words: Words) -> dict[str, Json]:
    facts = {key: size(value, words) if key in BYTES else value for key, value in finding.facts.items()}
    if finding.error is not None:
        facts["why"] = words.error(finding.error).rstrip(".")
    return facts
