"""What the rules core reads of a race that is being made, and what it says to it."""

from __future__ import annotations

from collections.abc import Mapping

from companion.rules.conversation.asking import Json
from companion.rules.conversation.errors import CompanionError
from companion.rules.public import PublicSectionCar, public
from companion.rules.rulebooks import begin
from companion.sheets.entrants import COLOURS, Entrant
from companion.view.draft import Draft
from companion.view.standing_cars import CardStanding, Standing
from companion.view.worded import BoardWords
from companion.wording import Words


def setup_of(draft: Draft, lang: str = "en") -> dict[str, Json]:
    """What the rules core reads."""
    said: dict[str, Json] = {"rulebook": draft.rulebook, "track": draft.track, "lang": lang}
    if draft.track:
        said["laps"] = draft.laps or draft.usual_laps
    if draft.deck:
        said["deck"] = draft.deck
    if draft.options:
        said["options"] = dict(draft.options)
    bots = bots_of(draft) if draft.standing is not None else {}
    drivers = _driving(draft, bots)
    said["cars"] = [_car(draft, entrant) for entrant in drivers]
    said["plates"] = [entrant.colour for entrant in drivers]
    if draft.standing is not None:
        said |= draft.race
        said["to_play"] = [one.number for one in drivers if draft.placed(one.number)]
        if draft.cards:
            _line_up(draft, said["cars"], bots)
            said["round"] = draft.turn
    elif draft.season and draft.line_up != "die":
        numbers = [one.number for one in draft.entrants]
        last = [number for number in numbers if number not in draft.absent]
        said |= {"last": last} if draft.line_up == "last" else {"grid": numbers}
    return said


def _line_up(draft: Draft, cars: list[dict[str, Json]], bots: Mapping[int, PublicSectionCar]) -> None:
    """Which cars are bots, and each one's place: by that its fuel goes, where nothing else is said."""
    first = sorted((car["car"] for car in cars), key=lambda number: _behind(draft.standing_of(number)))
    for car in cars:
        car["place"] = first.index(car["car"]) + 1
        if car["car"] in bots:
            car["bot"] = bots[car["car"]].bot


def _behind(where: Standing | CardStanding) -> tuple[int, ...]:
    assert isinstance(where, CardStanding)
    return (-where.lap, -where.section, where.since)


def _car(draft: Draft, entrant: Entrant) -> dict[str, Json]:
    said: dict[str, Json] = {"car": entrant.number}
    if entrant.name:
        said["driver"] = entrant.name
    if entrant.team:
        said["team"] = entrant.team
    if draft.season and entrant.number in draft.home:
        said["home"] = True
    if draft.known(entrant.number):
        said |= draft.standing_of(entrant.number).values()
    return said


def bots_of(draft: Draft) -> dict[int, PublicSectionCar]:
    """The bots that drive too, as the rules number and name them."""
    if not (draft.cards and draft.track and draft.entrants) or (board := draft.board) is None:
        return {}
    try:
        race = public(begin(setup_of(draft.but(standing=None)), board))
    except CompanionError:
        return {}
    return {car.number: car for car in race.cars if isinstance(car, PublicSectionCar) and car.bot}


def field_of(draft: Draft) -> tuple[Entrant, ...]:
    """All who are to be placed: the entrants, and the bots with plates that are left."""
    return _driving(draft, bots_of(draft))


def _driving(draft: Draft, bots: Mapping[int, PublicSectionCar]) -> tuple[Entrant, ...]:
    colours = {one.colour for one in draft.entrants}
    free = [colour for colour in range(COLOURS) if colour not in colours] * 2
    more = [Entrant(number=car.number, name=car.driver, colour=free[at]) for at, car in enumerate(bots.values())]
    return (*draft.entrants, *more)


def from_position(draft: Draft) -> Draft:
    """A race that goes on: every car stands nowhere yet."""
    return draft.but(standing={one.number: draft.nowhere for one in field_of(draft)}, turn=1, race={})


def refusal(draft: Draft, words: Words) -> str:
    """Why no race can begin from this, in one sentence of the rules core; empty if one can."""
    if not draft.track:
        return words.screen("new_race.no_circuit")
    if not draft.entrants:
        return words.screen("new_race.no_drivers")
    try:
        board = draft.board
        assert board is not None
    except CompanionError as wrong:
        return words.error(wrong)
    try:
        begin(setup_of(draft, words.lang), board)
    except CompanionError as wrong:
        return BoardWords(words.lang, draft.rulebook, board).error(wrong)
    if draft.standing is not None and (missing := [one for one in field_of(draft) if not draft.known(one.number)]):
        first = missing[0]
        return words.screen("new_race.not_placed", {first.number: first.name}, car=first.number, more=len(missing) - 1)
    return ""
