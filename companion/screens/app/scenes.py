"""Moments of races for the pictures: each is a race that a driver has brought to a question, and a touch or two."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from companion.rules.conversation.asking import Asked
from companion.rules.conversation.kinds import Ask
from companion.view.shown import Price
from companion.wording import Words

if TYPE_CHECKING:
    from companion.screens.app.app import CompanionApp


class Moment(NamedTuple):
    """A race as it is set up, the question it has come to (the `nth` time), and what is touched then."""

    wanted: Callable[[Asked], bool]
    nth: int = 1
    rulebook: str = "competition"
    at: str = "monaco"
    then: Callable[[CompanionApp], object] | None = None


def _asks(ask: Ask, what: str = "") -> Callable[[Asked], bool]:
    return lambda asked: asked.ask == ask and (not what or asked.what == what)


def _costs(asked: Asked) -> bool:
    """The cheapest landing costs something, so that its card is shown."""
    return asked.ask == "landing" and bool(asked.options) and bool((asked.options or [])[0].wear)


def _shoots(asked: Asked) -> bool:
    """There is somebody to fire at."""
    return asked.ask == "attack" and any("hits_to" in option.facts for option in asked.options or [])


def _hold(app: CompanionApp) -> None:
    """The middle answer is held."""
    screen: Any = app.screen
    keys = [key for key in screen.now.prompt.keys if not key.why]
    screen.meant.why(keys[len(keys) // 2])


def _calls(app: CompanionApp) -> None:
    """The table has called race control, and somebody comes."""
    seat: Any = app.playing.seat
    coming = Words(seat._lang).screen("top.coming", who="Jo Keller")
    seat.mark((Price(text=coming, icon="whistle", tone="ok"),), "coming")


MOMENTS: Final[Mapping[str, Moment]] = {
    "race-gear": Moment(_asks("gear"), 30),
    "race-roll": Moment(_asks("roll", "gear_4"), 6),
    "race-landing": Moment(_costs, 2),
    "race-tests": Moment(_asks("test", "collision"), 2),
    "race-pits": Moment(_asks("repair")),
    "race-override": Moment(_asks("roll", "gear_4"), 6, then=_hold),
    "race-called": Moment(_asks("roll", "gear_4"), 6, then=_calls),
    "race-history": Moment(_asks("gear"), 30, then=lambda app: app.go("history")),
    "race-corner-sheet": Moment(_asks("saw"), 12, at="spa"),
    "race-classification": Moment(lambda asked: False),
    "race-pit-grid": Moment(_asks("test", "quick_stop"), 2, "cup"),
    "race-kers": Moment(_asks("kers"), 1, "cup"),
    "race-attack": Moment(_shoots, 6, "death", "porto-sereno"),
    "race-sight": Moment(_asks("sight"), 4, "death", "porto-sereno"),
    "race-sections": Moment(_asks("play"), 11, "ninety", "quarry-hill"),
    "race-contest": Moment(_asks("contest"), 3, "ninety", "quarry-hill"),
    "race-contest-cards": Moment(_asks("show"), 2, "ninety", "quarry-hill"),
    "race-shot": Moment(_asks("test", "attack"), 3, "death", "porto-sereno"),
}
"""Every moment, by the name of its picture."""
