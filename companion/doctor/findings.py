"""The findings of the checks: plain typed data, worded by `text`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal, TypeAlias, get_args

import msgspec

from companion.rules.conversation.asking import Json
from companion.rules.conversation.errors import CompanionError

State = Literal["bad", "warn", "ok", "absent"]
"""Severity of a finding: to be fixed, worth knowing, fine, or missing or unknown (which need not be wrong)."""
STATES: Final[tuple[State, ...]] = get_args(State)
"""Every state, the worst first."""

CheckName = Literal[
    "screen", "panel", "touch", "sound", "groups", "pins", "roller", "disk", "room", "database", "radio", "clock",
    "power", "memory", "program", "system",
]  # fmt: skip
CHECKS: Final[tuple[CheckName, ...]] = get_args(CheckName)
"""Every check, in the order in which they are shown."""


class CheckResult(msgspec.Struct, frozen=True):
    """One thing as a check found it.

    `case` names the sentence, filled with `facts`; an `error` that the program has words for is its fact `why`. Bytes
    are whole numbers.
    """

    check: CheckName
    state: State
    case: str
    facts: Mapping[str, Json] = {}
    error: CompanionError | None = None


class Wired(msgspec.Struct, frozen=True):
    """The parts that `wiring.toml` names.

    Any buttons or lamps, on which chip (-1: the Pi's own), and the die-roller's port; `error` if what it says of
    buttons and lamps cannot be, `port_error` if what it says of the port cannot.
    """

    pins: bool = False
    chip: int = -1
    port: str = ""
    error: CompanionError | None = None
    port_error: CompanionError | None = None


Found: TypeAlias = tuple[CheckResult, ...]


def worst_first(found: Found) -> Found:
    """Return the findings by their state, otherwise in their order."""
    return tuple(sorted(found, key=lambda one: STATES.index(one.state)))


def is_well(found: Found) -> bool:
    """Return True if nothing is bad."""
    return all(one.state != "bad" for one in found)
