"""The consequences of an answer, read from its rulings.

History rows, cards, toasts, keys, the log, the sheet and the terminal all decide here which of several rulings to show,
its tone and sentence, and the pools before and after.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from companion.rules.conversation.asking import Ruling
from companion.rules.conversation.kinds import Kind, Pool, Pools, in_order
from companion.view.citing import listed
from companion.view.shown import Tone
from companion.wording import Words, capital
from companion.wording.filling import MissingWords, Names

SPENT: Final = frozenset({"cards"})
"""Pools that are there to be spent: a point spent from them is no loss."""

TAKEN: Final = frozenset({"damage"})
"""Pools that are room for something: people count what fills it."""

GRAVE: Final = ("out", "spin")
"""Rulings that are more than a cost, gravest first."""

TOLD: Final[Mapping[Kind, tuple[Tone, str]]] = {
    "out": ("bad", "cross"),
    "spin": ("bad", "triangle"),
    "finish": ("ok", "finish"),
    "weather": ("info", ""),
    "surface": ("info", ""),
    "practice": ("info", ""),
    "stall": ("warn", "triangle"),
    "great_start": ("ok", "star"),
    "plays_again": ("ok", "play"),
    "lost_turn": ("warn", "triangle"),
    "shot": ("ok", "target"),
    "refused": ("warn", "cross"),
    "overcome": ("ok", "check"),
    "shielded": ("ok", "shield"),
    "blobbed": ("warn", "target"),
    "gears_lost": ("warn", "triangle"),
    "maximum": ("warn", "points"),
    "stripped": ("warn", "target"),
    "pulled": ("warn", "car"),
    "mine": ("warn", "mine"),
    "wreckage": ("plain", "crash"),
    "quick_stop": ("info", "pit"),
    "box": ("info", "pit"),
    "refit": ("ok", "check"),
    "flat_out": ("warn", "engine"),
    "repair": ("ok", "check"),
    "heal": ("ok", "check"),
    "gear_cut": ("info", "pit"),
    "stops": ("info", "pit"),
    "collision": ("ok", "body"),
    "wall": ("ok", "body"),
    "handling": ("ok", "handling"),
    "engine": ("ok", "engine"),
    "kers": ("ok", "check"),
    "allowance": ("ok", "star"),
    "reload": ("ok", "check"),
    "passes": ("plain", "pause"),
    "stop": ("ok", "check"),
    "check": ("ok", "check"),
    "off": ("warn", "triangle"),
    "fuel": ("warn", "pit"),
    "late": ("ok", "check"),
    "extreme": ("ok", "check"),
    "contested": ("info", "flag"),
    "held_up": ("warn", "car"),
    "pitted": ("info", "pit"),
    "skip": ("plain", "pause"),
    "no_card": ("warn", "cards"),
    "back": ("ok", "check"),
    "line": ("ok", "check"),
    "weather_due": ("info", "changeable"),
    "move": ("ok", "check"),
}  # fmt: skip
"""Rulings that say more than the answer itself, in order of precedence, with tone and pictogram."""

AS_ANSWERED: Final[frozenset[Kind]] = frozenset({
    "attack_phase", "bonus", "build", "card", "chart", "close_up", "contest", "danger", "draws", "fights", "flag",
    "gear", "grid", "grid_rolled", "house", "lap", "lays", "override", "overtakes", "pit_grid", "plays", "qualifies",
    "red_flag", "refill", "reminder", "removed", "restart", "result", "round", "slide", "slipstream", "soft", "stand",
    "start", "strategy", "substitute", "swept", "team", "turned", "tyres", "used", "waits", "wet_conditions", "wings",
    "zones",
})  # fmt: skip
"""Rulings that repeat the answer, or go with another that is told: alone they are not mentioned."""

BARE: Final[frozenset[Kind]] = frozenset({"box", "build", "grid", "reminder", "round"})
"""Rulings that lists of rulings leave out, because what stands around them says it."""

COSTS: Final[frozenset[Kind]] = frozenset({
    "blocked", "brake", "damage", "gear_down", "hit", "overshoot", "paid", "pit_limit", "slipstream",
})  # fmt: skip
"""Rulings that are told by what they take."""


def costs_something(ruling: Ruling) -> bool:
    """Return True if a ruling costs its car something."""
    lost = any(count < 0 for pool, count in ruling.wear.items() if pool not in SPENT)
    return ruling.kind in (*GRAVE, "overshoot", "blocked") or lost


def chief(rulings: Sequence[Ruling], car: int | None = None) -> Ruling | None:
    """Return the one ruling to show in a place for one.

    That is the gravest, then the one that cost most, then the first in TOLD; of equals, the one of the car that
    answered. None if nothing was ruled.
    """
    kinds = list(TOLD)

    def rank(ruling: Ruling) -> tuple[int, int, bool]:
        if ruling.kind in GRAVE:
            return 0, GRAVE.index(ruling.kind), ruling.car != car
        if costs_something(ruling):
            return 1, sum(ruling.wear.values()), ruling.car != car
        return 2, kinds.index(ruling.kind) if ruling.kind in kinds else len(kinds), ruling.car != car

    return min(rulings, key=rank, default=None)


def tone_of(ruling: Ruling) -> Tone:
    """Return the tone of a ruling: how grave it is, or that it gives something."""
    if ruling.kind in (*GRAVE, "removed"):
        return "bad"
    if any(points < 0 for points in ruling.wear.values()):
        return "warn"
    if any(points > 0 for points in ruling.wear.values()):
        return "ok"
    return "info" if TOLD.get(ruling.kind, ("",))[0] == "info" else "plain"


def summed(rulings: Sequence[Ruling]) -> Pools:
    """Return the net change of each pool over some rulings, without zeros."""
    points: Pools = {}
    for ruling in rulings:
        for pool, count in ruling.wear.items():
            points[pool] = points.get(pool, 0) + count
    return {pool: count for pool, count in points.items() if count}


def pool_changes(rulings: Sequence[Ruling], car: int | None) -> dict[Pool, tuple[int, int]]:
    """Return the pools of a car that changed, as (before, after).

    Empty for a log that predates the record of pools.
    """
    before: dict[Pool, int] = {}
    after: dict[Pool, int] = {}
    for ruling in rulings:
        if ruling.car == car and ruling.left:
            was = ruling.before
            for pool in in_order(ruling.wear):
                before.setdefault(pool, was[pool])
                after[pool] = ruling.left[pool]
    return {pool: (count, after[pool]) for pool, count in before.items() if count != after[pool]}


# -- in words


def sentence(ruling: Ruling, words: Words, names: Names) -> str:
    """Return the log's sentence for a ruling.

    A kind without a sentence is shown by its name and its cost.
    """
    try:
        return words.ruling(ruling, names)
    except MissingWords:
        points = ", ".join(f"{count:+d} {pool.replace('_', ' ')}" for pool, count in in_order(ruling.wear).items())
        said = (words.number(ruling.car, names), ruling.kind.replace("_", " "), points.replace("-", "−"))
        return " ".join(filter(None, said))


def apart(ruling: Ruling, words: Words, names: Names) -> tuple[str, str]:
    """Split a ruling's sentence from the cost at its end.

    Return (sentence, cost); the cost is "" if the sentence does not end with it.
    """
    said, price = sentence(ruling, words, names), words.cost(ruling.wear) if ruling.wear else ""
    for before in (words.say("colon"), ", "):
        if price and said.endswith(end := f"{before}{price}."):
            return f"{said.removesuffix(end)}.", price
    return said, ""


def shortened(said: str, who: str) -> str:
    """Return a ruling's sentence without its car: "Overshoots corner 2 by 2 spaces"."""
    if said.startswith((f"{who} ", f"{who}, ")):
        said = capital(said.removeprefix(who).lstrip(" ,"))
    return said.removesuffix(".")


def becomes(rulings: Sequence[Ruling], car: int | None, words: Words) -> str:
    """Return a car's pool changes in words: "body 3 → 2"."""
    pools = pool_changes(rulings, car).items()
    return ", ".join(f"{words.word('pool', pool)} {before} → {after}" for pool, (before, after) in pools)


def summary_line(rulings: Sequence[Ruling], car: int | None, words: Words, names: Names) -> tuple[str, str]:
    """Return one line for the consequences of a car's answer, and the article.

    For a move the line holds only how its spaces add up; pool changes follow. Both are "" if nothing was ruled.
    """
    ruling = chief(rulings, car)
    if ruling is None:
        return "", ""
    said = apart(ruling, words, names)[0]
    if ruling.kind == "move" and "rolled" in ruling.facts:
        terms = {
            name: ruling.facts.get(name, 0)
            for name in ("wings", "bonus", "kers", "slid", "soft", "top", "boost", "braked", "blocked")
        }
        said = words.screen("history.moved", moved=ruling.facts["moved"], **terms)
    elif ruling.car == car:
        said = shortened(said, words.number(car, names))
    changes = becomes(rulings, ruling.car, words)
    return " · ".join(filter(None, (said.removesuffix("."), changes))), listed(ruling.article, words)
