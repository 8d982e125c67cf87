"""What the board shows: cars, what the die can reach, the landings to choose from, the stops of the corners."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal

import msgspec

from companion.rules.conversation.asking import Option
from companion.rules.public import PublicCar, PublicDice, PublicDiceCar
from companion.view import price
from companion.view.race.attack import marks as aimed_at
from companion.view.race.attack import shot
from companion.view.race.sections import of_sections, tiles
from companion.view.shown import Page, Price, Prompt
from companion.view.shown_board import BoardScene, CarMark, CornerNote, SpaceMark
from companion.view.sight import Sight
from companion.wording import capital

STATES: Final[Mapping[str, Literal["free", "cost", "bad"]]] = {"ok": "free", "warn": "cost", "bad": "bad"}
RANK: Final = ("free", "cost", "bad")
FURTHEST: Final = 20
"""How many spaces straight on have their distance."""
PAST: Final = 3
"""How many of them past a corner, if no gear goes further."""
SPUN: Final = ("spun", "stalled")


def board(sight: Sight, prompt: Prompt) -> BoardScene:
    """The board for the open question; a corner sheet has cars by their stretch and nothing to point at."""
    if of_sections(sight):
        return BoardScene(close="overview", around=_around(sight), cars=cars(sight), sections=tiles(sight))
    around = _around(sight)
    if sight.track.known == "corner":
        past = sight.fields.get("past")
        corner = past["corner"] if past else 0
        return BoardScene(close="overview", around=around, cars=filed(sight), corners=corners(sight), corner=corner)
    marks, path = dangers(sight), driven(sight)
    focus: tuple[str, ...] = ()
    close: Literal["roll", "landing", "overview"] = "roll" if around else "overview"
    if prompt.layout == "landing":
        close = "landing"
        marks, path = (*marks, *choices(sight, prompt)), _way_to_chosen(sight, prompt)
        focus = in_focus(prompt.pages[page_of(prompt)]) if prompt.pages else ()
    elif prompt.ask == "gear":
        straight_on = ahead(sight)
        marks = (*marks, *straight_on)
        if not {mark.space for mark in straight_on}.isdisjoint(path):
            path = ()  # it would cross out the distances
    elif prompt.ask == "roll":
        marks = (*marks, *reach(sight))
    else:
        marks = (*marks, *aimed_at(sight, prompt))
    return BoardScene(
        close=close, around=around, cars=cars(sight), spaces=marks, corners=corners(sight), path=path,
        focus=focus, shot=shot(sight, prompt), zones=zones(sight),
    )  # fmt: skip


def zones(sight: Sight) -> tuple[int, ...]:
    """The sections that lie in the DRS zones of the race; only the cup has any."""
    return tuple(sight.race.zones) if isinstance(sight.race, PublicDice) else ()


def _around(sight: Sight) -> str:
    """The car whose turn it is: others who test meanwhile do not move the picture."""
    car = sight.cars.get(sight.playing or 0)
    return (car.at or "") if car is not None and car.standing else ""


def cars(sight: Sight) -> tuple[CarMark, ...]:
    """Every car on the board."""
    return tuple(
        CarMark(plate=sight.plate(car.number), space=car.at, state=_state(sight, car))
        for car in sight.race.cars
        if car.at is not None and car.standing
    )


def filed(sight: Sight) -> tuple[CarMark, ...]:
    """Every car on the board in the running order: where only the corner is known, that is what orders those at it."""
    rank = {sight.plate(number): place for place, number in enumerate(sight.order)}
    return tuple(sorted(cars(sight), key=lambda mark: rank.get(mark.plate, len(rank))))


def _state(sight: Sight, car: PublicCar) -> Literal["plain", "playing", "spun", "out"]:
    if not car.alive:
        return "out"
    if car.status in SPUN:
        return "spun"
    return "playing" if car.number == sight.playing else "plain"


def dangers(sight: Sight) -> tuple[SpaceMark, ...]:
    """The danger spaces."""
    return tuple(SpaceMark(space=space, state="danger") for space in sight.race.marked)


def ahead(sight: Sight) -> tuple[SpaceMark, ...]:
    """The distances straight on, for whoever chooses a gear: a little past the next corner, and as far as the highest
    gear that costs nothing can take the car."""
    track = sight.road
    at = track.ids.get(_around(sight), -1)
    taken = {car.at for car in sight.race.cars if car.standing}
    marks: list[SpaceMark] = []
    corner, past, furthest = False, 0, _free_reach(sight)
    for distance in range(1, FURTHEST + 1):
        at = track.ahead[at] if at >= 0 else -1
        if at < 0 or (past >= PAST and distance > furthest):
            break
        corner, past = corner or track.corner[at] >= 0, past + (corner and track.corner[at] < 0)
        if track.spaces[at].name not in taken:
            marks.append(SpaceMark(space=track.spaces[at].name, state="ahead", text=str(distance)))
    return tuple(marks)


def stop_ahead(sight: Sight) -> str:
    """How far straight on the next stop lies for whoever chooses a gear, where prices may be seen: in the corner in
    which his car stands, if that asks for one more, else in the next one."""
    asked, car = sight.asked, sight.car
    if asked is None or asked.ask != "gear" or sight.prices != "always" or not isinstance(car, PublicDiceCar):
        return ""
    track = sight.road
    owes = car.corner >= 0 and car.stops < track.corners[car.corner].stops
    at, corner = track.ids.get(car.at or "", -1), car.corner if owes else -1
    first = last = 0
    for distance in range(1, FURTHEST + 1):
        at = track.ahead[at] if at >= 0 else -1
        if at < 0 or (last and track.corner[at] != corner):
            break
        if corner < 0 and track.corner[at] != car.corner:
            corner = track.corner[at]
        if corner >= 0 and track.corner[at] == corner:
            first, last = first or distance, distance
    else:
        return ""  # who knows where it ends
    if not last:
        return ""
    stop, of = 1 + (car.stops if owes else 0), track.corners[corner].stops
    how = "within" if first == 1 else "exactly" if first == last else "between"
    return sight.say(f"board.{how}", first=first, last=last, stop=stop, of=of)


def _free_reach(sight: Sight) -> int:
    """How far the dice of the gears that cost nothing go; 0 where nobody looks ahead."""
    asked = sight.asked
    if sight.ahead is None or asked is None:
        return 0
    free = [option.answer for option in asked.options or [] if not option.wear]
    rolls = [seen.asked for seen in sight.ahead.foresee(free) if seen.asked is not None and seen.asked.faces]
    return max((max(roll.faces or [0]) for roll in rolls if roll.car == asked.car), default=0)


def reach(sight: Sight) -> tuple[SpaceMark, ...]:
    """Every space that the die can reach without braking, with its distance and the best it brings."""
    asked = sight.asked
    if sight.ahead is None or sight.prices != "always" or asked is None or not asked.faces:
        return ()
    best: dict[str, SpaceMark] = {}
    for seen in sight.ahead.foresee(asked.faces):
        then = seen.asked
        for option in (then.options or []) if then is not None and then.car == asked.car else []:
            answer = option.answer
            if not isinstance(answer, dict) or "space" not in answer or answer.get("brakes"):
                continue
            mark = _reached(sight, option)
            known = best.get(mark.space)
            if known is None or RANK.index(mark.state) < RANK.index(known.state):
                best[mark.space] = mark
    return tuple(best.values())


def _reached(sight: Sight, option: Option) -> SpaceMark:
    return SpaceMark(
        space=str(option.answer["space"]),
        state=STATES[price.tone_of(option)],
        text=str(option.facts.get("moved", "")),
        prices=price.of_option(sight, option, stops=True),
    )


def choices(sight: Sight, prompt: Prompt) -> tuple[SpaceMark, ...]:
    """The landings by their letters, each with its price; where several ways end on one space the cheapest, or the one
    that is chosen."""
    marks: dict[str, SpaceMark] = {}
    for at, key in enumerate(prompt.keys):
        if key.space and (key.space not in marks or at == prompt.chosen):
            state: Literal["choice", "chosen"] = "chosen" if at == prompt.chosen else "choice"
            prices = tuple(_without_word(one) for one in key.prices)
            marks[key.space] = SpaceMark(space=key.space, state=state, text=key.label, prices=prices)
    return tuple(marks.values())


def _without_word(one: Price) -> Price:
    """Return a price as a space of the board has room for it: a figure, or the sign alone where there is a word."""
    return msgspec.structs.replace(one, text="") if one.icon and one.text.isalpha() else one


def page_of(prompt: Prompt) -> int:
    """The page on which the selected answer stands."""
    key = prompt.keys[max(0, prompt.chosen)]
    return next((at for at, page in enumerate(prompt.pages) if any(key in row.keys for row in page.rows)), 0)


def in_focus(page: Page) -> tuple[str, ...]:
    """The spaces of a page of answers."""
    return tuple(dict.fromkeys(key.space for row in page.rows for key in row.keys if key.space))


def corners(sight: Sight) -> tuple[CornerNote, ...]:
    """Every corner with the stops it asks for, and how many of them the car to play has made where it stands: more than
    are asked for are no more of them."""
    here, made = -1, 0
    car = sight.cars.get(sight.playing or 0)
    if isinstance(car, PublicDiceCar) and car.standing and car.corner >= 0:
        here, made = car.corner, min(car.stops, sight.road.corners[car.corner].stops)
    return tuple(
        CornerNote(
            corner=index,
            stops=corner.stops,
            name=capital(sight.words.corner(corner.name)),
            made=sight.say("board.made", made=made, of=corner.stops) if index == here else "",
            done=made if index == here else -1,
        )
        for index, corner in enumerate(sight.road.corners)
    )


# -- ways


def _way_to_chosen(sight: Sight, prompt: Prompt) -> tuple[str, ...]:
    """The way to the landing that is chosen."""
    if prompt.chosen < 0:
        return ()
    answer = prompt.keys[prompt.chosen].answer
    option = sight.option(answer)
    if option is None or not isinstance(option.answer, dict):
        return ()
    return way(sight, _around(sight), str(option.answer["space"]), option.facts.get("moved", 0))


def driven(sight: Sight) -> tuple[str, ...]:
    """The way of the move that was last made, if it was just made."""
    moves = [ruling for ruling in sight.told if ruling.kind == "move" and ruling.facts.get("begin")]
    if not moves:
        return ()
    facts = moves[-1].facts
    return way(sight, facts["begin"], str(facts["at"]), facts.get("moved", 0))


def way(sight: Sight, start: str, end: str, moved: int) -> tuple[str, ...]:
    """Spaces from one to another by so many printed moves, changing lanes as seldom as can be; empty if there are
    none. A drawing, not a ruling: the rules know only where a way ends."""
    track = sight.road
    if start not in track.ids or end not in track.ids or not moved:
        return ()
    first, last = track.ids[start], track.ids[end]
    taken = {track.ids[car.at] for car in sight.race.cars if car.at and car.at in track.ids and car.standing}
    taken -= {first, last}
    entries = dict(track.pit.entries) if track.pit is not None else {}
    rows: list[dict[int, tuple[int, int]]] = [{first: (0, -1)}]
    for _ in range(moved):
        reached: dict[int, tuple[int, int]] = {}
        for space, (changes, _) in rows[-1].items():
            onward = (*track.moves[space], entries[space]) if space in entries else track.moves[space]
            for to in onward:
                if to in taken:
                    continue
                cost = changes + (to != track.ahead[space])
                if to not in reached or cost < reached[to][0]:
                    reached[to] = (cost, space)
        rows.append(reached)
    if last not in rows[-1]:
        return ()
    spaces, at = [last], last
    for row in reversed(rows[1:]):
        at = row[at][1]
        spaces.append(at)
    return tuple(track.spaces[space].name for space in reversed(spaces))
