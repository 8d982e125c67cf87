"""A contest in progress: who is asked, who takes part, the totals and the result."""

from __future__ import annotations

from collections.abc import Mapping

from companion.rules.conversation.asking import Json, Ruling
from companion.rules.ninety.circuit import SectionTrack
from companion.view import price
from companion.view.shown import CardLine, Price
from companion.view.shown_race import Contest, Contestant
from companion.view.sight import Sight


def contest(sight: Sight) -> Contest | None:
    """Return the contest under way, or the one that the last answer ended; otherwise None."""
    ended = next((ruling for ruling in reversed(sight.told) if ruling.kind == "contested"), None)
    asked = sight.asked
    going = asked is not None and (asked.ask in ("contest", "show") or asked.what.startswith("contest"))
    if ended is None and not going:
        return None
    items, first = sight.desk.history.items, _first(sight, going=going)
    rulings = [ruling for item in items[max(0, first - 1) :] for ruling in item.rulings]
    starts = [at for at, ruling in enumerate(rulings) if ruling.kind == "contest"]
    if not starts:
        return None
    begun, own = rulings[starts[-1]], items[first:]
    totals = {one.car: one for one in rulings[starts[-1] :] if one.kind == "fights"}
    said = {item.event.key[1]: item.event.answer for item in own if item.event.key and item.event.key[0] == "contest"}
    best = max((one.facts["total"] for one in totals.values()), default=0)
    cars = begun.facts["cars"] if going or ended is None else ended.facts["order"]
    track, number = sight.track, int(begun.facts["at"].partition(":")[2])
    assert isinstance(track, SectionTrack)
    lines = [] if going or ended is None else _lines(sight, ended)
    return Contest(
        title=sight.say("contest.title"),
        article=begun.article,
        place=f"{number} {track.sections[number - 1].name}",
        rows=tuple(_row(sight, number, totals.get(number), said, best, over=bool(lines)) for number in cars),
        lines=tuple(lines),
    )


def _first(sight: Sight, *, going: bool) -> int:
    """Return the index of the contest's first answer.

    A contest begins with the answer before it; a finished one began at the previous checkpoint.
    """
    marks = sight.desk.conversation.checkpoints
    if going:
        return marks[-1][0]
    return max((at for at, _ in marks if at < len(sight.desk.history.items)), default=0)


def _row(
    sight: Sight, number: int, fights: Ruling | None, said: Mapping[int | None, Json], best: int, *, over: bool
) -> Contestant:
    asked = sight.asked
    now = asked is not None and asked.car == number
    word, joins = "", bool(said.get(number))
    terms: tuple[Price, ...] = ()
    if fights is not None:
        facts = fights.facts
        terms = tuple(
            Price(icon=icon, text=price.signed(facts[name]) if icon != "cards" else str(facts[name]), tone="plain")
            for name, icon in (("cards", "cards"), ("bonus", "flag"), ("banging", "crash"))
            if facts[name] or icon == "cards"
        )
    elif number in said or over:
        word = sight.say("contest.takes" if joins else "contest.keeps_out")
    car = sight.cars[number]
    return Contestant(
        plate=sight.plate(number),
        name=car.driver or sight.codes[number],
        terms=terms,
        total=str(fights.facts["total"]) if fights is not None else "",
        word=word,
        joins=joins,
        first=fights is not None and fights.facts["total"] == best,
        asked=now,
    )


def _lines(sight: Sight, ended: Ruling) -> list[CardLine]:
    """Return the result: who is ahead now, and who took damage."""
    after = sight.told[list(sight.told).index(ended) :]
    first = ended.facts["order"][0]
    lines = [CardLine(text=sight.say("contest.ahead", car=first, at=ended.facts["at"]), icon="check", tone="ok")]
    hurt = [one.car for one in after if one.kind == "damage" and one.article == ended.article]
    if hurt:
        lines.append(CardLine(text=sight.say("contest.hurt", cars=hurt), icon="damage", tone="warn"))
    return lines
