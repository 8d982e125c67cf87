"""The board: cars, reachable spaces, landings and corner stops."""

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
MAX_DISTANCE: Final = 20
"""Number of spaces straight ahead that are marked with their distance."""
SPACES_PAST_CORNER: Final = 3
"""Number of them beyond a corner, unless a gear reaches further."""
SPUN: Final = ("spun", "stalled")


def board(sight: Sight, prompt: Prompt) -> BoardScene:
    """Return the board for the open question.

    A corner sheet has cars by stretch and no marks.
    """
    if of_sections(sight):
        return BoardScene(close="overview", around=_around(sight), cars=cars(sight), sections=tiles(sight))
    around = _around(sight)
    if sight.track.known == "corner":
        past = sight.fields.get("past")
        corner = past["corner"] if past else 0
        return BoardScene(close="overview", around=around, cars=filed(sight), corners=corners(sight), corner=corner)
    marks, path = dangers(sight), driven_path(sight)
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
    """Return the DRS sections of the race; only the cup has any."""
    return tuple(sight.race.zones) if isinstance(sight.race, PublicDice) else ()


def _around(sight: Sight) -> str:
    """Return the space of the car whose turn it is.

    Tests of other cars meanwhile do not move the view.
    """
    car = sight.cars.get(sight.playing or 0)
    return (car.at or "") if car is not None and car.standing else ""


def cars(sight: Sight) -> tuple[CarMark, ...]:
    """Return every car on the board."""
    return tuple(
        CarMark(plate=sight.plate(car.number), space=car.at, state=_state(sight, car))
        for car in sight.race.cars
        if car.at is not None and car.standing
    )


def filed(sight: Sight) -> tuple[CarMark, ...]:
    """Return every car on the board in running order, which sorts those at one corner."""
    rank = {sight.plate(number): place for place, number in enumerate(sight.order)}
    return tuple(sorted(cars(sight), key=lambda mark: rank.get(mark.plate, len(rank))))


def _state(sight: Sight, car: PublicCar) -> Literal["plain", "playing", "spun", "out"]:
    if not car.alive:
        return "out"
    if car.status in SPUN:
        return "spun"
    return "playing" if car.number == sight.playing else "plain"


def dangers(sight: Sight) -> tuple[SpaceMark, ...]:
    """Return the marks of the danger spaces."""
    return tuple(SpaceMark(space=space, state="danger") for space in sight.race.marked)


def ahead(sight: Sight) -> tuple[SpaceMark, ...]:
    """Return the distances straight ahead, for the choice of a gear.

    They reach a little past the next corner, and as far as the highest free gear can go.
    """
    track = sight.road
    at = track.ids.get(_around(sight), -1)
    taken = {car.at for car in sight.race.cars if car.standing}
    marks: list[SpaceMark] = []
    corner, past, furthest = False, 0, _free_reach(sight)
    for distance in range(1, MAX_DISTANCE + 1):
        at = track.ahead[at] if at >= 0 else -1
        if at < 0 or (past >= SPACES_PAST_CORNER and distance > furthest):
            break
        corner, past = corner or track.corner[at] >= 0, past + (corner and track.corner[at] < 0)
        if track.spaces[at].name not in taken:
            marks.append(SpaceMark(space=track.spaces[at].name, state="ahead", text=str(distance)))
    return tuple(marks)


def stop_ahead(sight: Sight) -> str:
    """Return the distance to the next stop, for the choice of a gear.

    That is in the car's corner if it owes a stop there, otherwise in the next. "" if prices may not be shown.
    """
    asked, car = sight.asked, sight.car
    if asked is None or asked.ask != "gear" or sight.prices != "always" or not isinstance(car, PublicDiceCar):
        return ""
    track = sight.road
    owes = car.corner >= 0 and car.stops < track.corners[car.corner].stops
    at, corner = track.ids.get(car.at or "", -1), car.corner if owes else -1
    first = last = 0
    for distance in range(1, MAX_DISTANCE + 1):
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
    """Return the longest roll of the gears that cost nothing; 0 without lookahead."""
    asked = sight.asked
    if sight.ahead is None or asked is None:
        return 0
    free = [option.answer for option in asked.options or [] if not option.wear]
    rolls = [seen.asked for seen in sight.ahead.foresee(free) if seen.asked is not None and seen.asked.faces]
    return max((max(roll.faces or [0]) for roll in rolls if roll.car == asked.car), default=0)


def reach(sight: Sight) -> tuple[SpaceMark, ...]:
    """Return every space the die can reach without braking, at its lowest price."""
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
    """Return the lettered landings with their prices.

    Of several ways to one space, the selected one, otherwise the cheapest.
    """
    marks: dict[str, SpaceMark] = {}
    for at, key in enumerate(prompt.keys):
        if key.space and (key.space not in marks or at == prompt.chosen):
            state: Literal["choice", "chosen"] = "chosen" if at == prompt.chosen else "choice"
            prices = tuple(_without_word(one) for one in key.prices)
            marks[key.space] = SpaceMark(space=key.space, state=state, text=key.label, prices=prices)
    return tuple(marks.values())


def _without_word(one: Price) -> Price:
    """Shorten a price for a space: a figure, or the pictogram alone instead of a word."""
    return msgspec.structs.replace(one, text="") if one.icon and one.text.isalpha() else one


def page_of(prompt: Prompt) -> int:
    """Return the page of the selected answer."""
    key = prompt.keys[max(0, prompt.chosen)]
    return next((at for at, page in enumerate(prompt.pages) if any(key in row.keys for row in page.rows)), 0)


def in_focus(page: Page) -> tuple[str, ...]:
    """Return the spaces of a page of answers."""
    return tuple(dict.fromkeys(key.space for row in page.rows for key in row.keys if key.space))


def corners(sight: Sight) -> tuple[CornerNote, ...]:
    """Return every corner with its stops, and those made by the car to play.

    Extra stops are not counted.
    """
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
    """Return the path to the selected landing."""
    if prompt.chosen < 0:
        return ()
    answer = prompt.keys[prompt.chosen].answer
    option = sight.option(answer)
    if option is None or not isinstance(option.answer, dict):
        return ()
    return way(sight, _around(sight), str(option.answer["space"]), option.facts.get("moved", 0))


def driven_path(sight: Sight) -> tuple[str, ...]:
    """Return the path of the move just made, or ()."""
    moves = [ruling for ruling in sight.told if ruling.kind == "move" and ruling.facts.get("begin")]
    if not moves:
        return ()
    facts = moves[-1].facts
    return way(sight, facts["begin"], str(facts["at"]), facts.get("moved", 0))


def way(sight: Sight, start: str, end: str, moved: int) -> tuple[str, ...]:
    """Return a path of `moved` printed moves with the fewest lane changes.

    Empty if the car cannot get there. It is only a drawing: the rules know where a move ends, not its path.
    """
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
