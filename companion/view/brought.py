"""What an answer brought: the one reading of the rulings on it. History rows, cards, toasts, keys, the log, the sheet
and the terminal take from here which of several rulings is told, how grave it is, in what sentence, and what the pools
held before and after."""

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
"""Pools that are there to be spent: that they are is no loss."""

TAKEN: Final = frozenset({"damage"})
"""Pools that are room for something: people count what fills it."""

GRAVE: Final = ("out", "spin")
"""Rulings that are more than a cost, the gravest first."""

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
"""Rulings that tell more than the answer itself, the first of them where there are several, with tone and pictogram."""

AS_ANSWERED: Final[frozenset[Kind]] = frozenset({
    "attack_phase", "bonus", "build", "card", "chart", "close_up", "contest", "danger", "draws", "fights", "flag",
    "gear", "grid", "grid_rolled", "house", "lap", "lays", "override", "overtakes", "pit_grid", "plays", "qualifies",
    "red_flag", "refill", "reminder", "removed", "restart", "result", "round", "slide", "slipstream", "soft", "stand",
    "start", "strategy", "substitute", "swept", "team", "turned", "tyres", "used", "waits", "wet_conditions", "wings",
    "zones",
})  # fmt: skip
"""Rulings that repeat what was answered, or go with what is told beside them: nothing is told of them alone."""

COSTS: Final[frozenset[Kind]] = frozenset({
    "blocked", "brake", "damage", "gear_down", "hit", "overshoot", "paid", "pit_limit", "slipstream",
})  # fmt: skip
"""Rulings that are told by what they take."""


def costs_something(ruling: Ruling) -> bool:
    """Whether a ruling takes something from its car."""
    lost = any(count < 0 for pool, count in ruling.wear.items() if pool not in SPENT)
    return ruling.kind in (*GRAVE, "overshoot", "blocked") or lost


def chief(rulings: Sequence[Ruling], car: int | None = None) -> Ruling | None:
    """The ruling that is told where there is room for one: the gravest, what took most, else the first of TOLD; of the
    car that answered, if one is as good as the other. None if nothing was ruled."""
    kinds = list(TOLD)

    def rank(ruling: Ruling) -> tuple[int, int, bool]:
        if ruling.kind in GRAVE:
            return 0, GRAVE.index(ruling.kind), ruling.car != car
        if costs_something(ruling):
            return 1, sum(ruling.wear.values()), ruling.car != car
        return 2, kinds.index(ruling.kind) if ruling.kind in kinds else len(kinds), ruling.car != car

    return min(rulings, key=rank, default=None)


def tone_of(ruling: Ruling) -> Tone:
    """How grave a ruling is, or what it gives."""
    if ruling.kind in (*GRAVE, "removed"):
        return "bad"
    if any(points < 0 for points in ruling.wear.values()):
        return "warn"
    if any(points > 0 for points in ruling.wear.values()):
        return "ok"
    return "info" if TOLD.get(ruling.kind, ("",))[0] == "info" else "plain"


def summed(rulings: Sequence[Ruling]) -> Pools:
    """What rulings take and give, pool by pool."""
    points: Pools = {}
    for ruling in rulings:
        for pool, count in ruling.wear.items():
            points[pool] = points.get(pool, 0) + count
    return {pool: count for pool, count in points.items() if count}


def held(rulings: Sequence[Ruling], car: int | None) -> dict[Pool, tuple[int, int]]:
    """What the pools of a car held before rulings and hold after them, those that are not as they were; nothing in a
    log that is older than the record of it."""
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
    """A ruling as the log says it; what nobody has worded yet by its kind and what it costs."""
    try:
        return words.ruling(ruling, names)
    except MissingWords:
        points = ", ".join(f"{count:+d} {pool.replace('_', ' ')}" for pool, count in in_order(ruling.wear).items())
        said = (words.number(ruling.car, names), ruling.kind.replace("_", " "), points.replace("-", "−"))
        return " ".join(filter(None, said))


def apart(ruling: Ruling, words: Words, names: Names) -> tuple[str, str]:
    """A ruling's sentence without the points that it ends with, and those points, which stand beside."""
    said, price = sentence(ruling, words, names), words.cost(ruling.wear) if ruling.wear else ""
    end = f"{words.say('colon')}{price}."
    return (f"{said.removesuffix(end)}.", price) if price and said.endswith(end) else (said, "")


def shortened(said: str, who: str) -> str:
    """A ruling's sentence without the car it begins with: "Overshoots corner 2 by 2 spaces"."""
    if said.startswith((f"{who} ", f"{who}, ")):
        said = capital(said.removeprefix(who).lstrip(" ,"))
    return said.removesuffix(".")


def becomes(rulings: Sequence[Ruling], car: int | None, words: Words) -> str:
    """What the pools of a car were and are: "body 3 → 2"."""
    pools = held(rulings, car).items()
    return ", ".join(f"{words.word('pool', pool)} {before} → {after}" for pool, (before, after) in pools)


def told(rulings: Sequence[Ruling], car: int | None, words: Words, names: Names) -> tuple[str, str]:
    """What an answer of a car brought, in one line beside that answer, and the article: its sentence, of a move only
    what its spaces come to, and what the pools were and are."""
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
