"""One car's page of the race sheet: every wear point, and why points were crossed off."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal

from companion.rules.conversation.asking import Ruling
from companion.rules.conversation.kinds import POOLS, Pool
from companion.sheets.besides import of_car
from companion.sheets.sheet import CarSheet, Crossing, RaceSheet
from companion.view.citing import listed
from companion.view.sheet_names import names_of, plate_of, round_of, running
from companion.view.shown import Plate, Price, Shown, Tone
from companion.wording import Words, capital
from companion.wording.filling import MissingWords, Names


class Box(Shown, frozen=True, kw_only=True):
    """One wear point on the sheet: left, the last one left, crossed off in a round, or given back at the pits."""

    state: Literal["left", "last", "spent", "repaired"]
    word: str = ""


class PoolLine(Shown, frozen=True, kw_only=True):
    """One pool of a car: its boxes and the count."""

    pool: Pool
    name: str
    boxes: tuple[Box, ...]
    left: int
    built: int


class WhyLine(Shown, frozen=True, kw_only=True):
    """Why points were crossed off or given back: the round, the pool and points, the reason, the article."""

    round: str
    pool: Pool | Literal[""]
    points: str
    text: str
    article: str
    cited: str = ""
    tone: Tone = "warn"
    seq: int = 0


class CarPage(Shown, frozen=True, kw_only=True):
    """One car's sheet."""

    plate: Plate
    name: str
    facts: str
    pools: tuple[PoolLine, ...]
    why: tuple[WhyLine, ...]
    chips: tuple[Price, ...] = ()


def car_page(sheet: RaceSheet, number: int, plates: Mapping[int, int], words: Words, laps: int = 0) -> CarPage:
    """The sheet of one car, in a race of so many laps if that is not 0; raises KeyError if it is not in the race."""
    car = sheet.car(number)
    if car is None:
        raise KeyError(number)
    names = names_of(sheet)
    last = next(iter(running(car)[::-1]), None)
    facts = []
    if last is not None and last.place is not None:
        facts.append(words.screen("sheet.position", place=last.place))
    if last is not None:
        facts.append(words.screen("sheet.lap", lap=min(max(last.lap, 0), laps or last.lap), laps=laps))
        facts.append(words.screen("sheet.round", round=last.round))
    if car.tyres:
        facts.append(words.say("tyres_are", tyres=car.tyres))
    facts += of_car(words, car.more, {}, car.car)
    chips = []
    if car.status not in ("", "racing", "grid"):
        tone: Tone = "bad" if car.status in ("out", "wreck", "spun") else "info"
        chips.append(Price(text=words.word("status", car.status), tone="ok" if car.status == "finished" else tone))
    why = [_why(car, crossing, names, words) for crossing in reversed(car.crossings)]
    if car.retired is not None:
        gone = car.retired
        why.insert(0, WhyLine(
            round=round_of(gone.round, words), pool="", points="", text=capital(words.word("cause", gone.cause)),
            article=gone.article, cited=listed(gone.article, words), tone="bad", seq=gone.seq,
        ))  # fmt: skip
    return CarPage(
        plate=plate_of(number, plates),
        name=car.driver,
        facts=" · ".join(facts),
        pools=tuple(_pool(car, pool, words) for pool in sorted(car.built, key=_rank)),
        why=tuple(why),
        chips=tuple(chips),
    )


def _pool(car: CarSheet, pool: Pool, words: Words) -> PoolLine:
    built, left = car.built.get(pool, 0), car.wear.get(pool, 0)
    return PoolLine(
        pool=pool,
        name=words.word("pool", pool).capitalize(),
        boxes=tuple(_boxes(car, pool, words)),
        left=left,
        built=built,
    )


def _boxes(car: CarSheet, pool: Pool, words: Words) -> Iterator[Box]:
    """The boxes of a pool as the sheet has them: those left first, then those crossed off, each with its round.

    A point given back at the pits is left again; it stands out from those that were never lost.
    """
    built, left = car.built.get(pool, 0), car.wear.get(pool, 0)
    spent: list[int] = []
    repaired = 0
    for crossing in car.crossings:
        if crossing.pool != pool:
            continue
        if crossing.points < 0:
            spent += [crossing.round] * -crossing.points
            repaired = min(repaired, crossing.left)
        else:
            del spent[max(0, len(spent) - crossing.points) :]
            repaired += crossing.points
    for place in range(left):
        if left == 1 and built > 1:
            yield Box(state="last")
        else:
            yield Box(state="repaired" if place >= left - repaired else "left")
    gone = max(0, built - left)
    for round_ in sorted(spent)[-gone:] if gone else []:
        yield Box(state="spent", word=round_of(round_, words))
    for _ in range(gone - len(spent)):
        yield Box(state="spent")


def _rank(pool: Pool) -> tuple[int, str]:
    """The pools in the order of the sheet, then any other of the rulebook's."""
    return (POOLS.index(pool) if pool in POOLS else len(POOLS), pool)


def _why(car: CarSheet, crossing: Crossing, names: Names, words: Words) -> WhyLine:
    lost = crossing.points < 0
    return WhyLine(
        round=round_of(crossing.round, words),
        pool=crossing.pool,
        points=f"{'−' if lost else '+'}{abs(crossing.points)}",
        text=_reason(car, crossing, names, words),
        article=crossing.article,
        cited=listed(crossing.article, words),
        tone="warn" if lost else "ok",
        seq=crossing.seq,
    )


def _reason(car: CarSheet, crossing: Crossing, names: Names, words: Words) -> str:
    """The sentence of the ruling, without the car's name, which stands above, and the points, which stand beside."""
    if crossing.kind == "override" or crossing.kind == "correction":
        kind = words.screen(f"sheet.{crossing.kind}")
        why = str(crossing.facts.get("why", ""))
        return f"{kind}{words.say('colon')}{why}" if why else kind
    wear = {crossing.pool: crossing.points}
    try:
        said = words.ruling(Ruling(crossing.kind, crossing.article, car.car, wear, crossing.facts), names)
    except MissingWords:
        return words.cost(wear)
    points = f"{words.say('colon')}{words.cost(wear)}"
    return shortened(said, words.number(car.car, names)).removesuffix(points)


def shortened(said: str, who: str) -> str:
    """A ruling's sentence without the car it begins with: "Overshoots corner 2 by 2 spaces"."""
    if said.startswith((f"{who} ", f"{who}, ")):
        said = capital(said.removeprefix(who).lstrip(" ,"))
    return said.removesuffix(".")
