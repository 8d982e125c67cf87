"""An earlier answer was wrong: what follows if the race is played again from there, or if the cars stay put."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

import msgspec

from companion.rules.asking import Asked, Json, Ruling
from companion.rules.conversation import Conversation, Event, Rulebook
from companion.rules.errors import BadAnswer, CompanionError
from companion.rules.race import Car, Race

Spare = Callable[[], Rulebook]
"""Gives another rulebook of the same race, to try things on."""


class Again(NamedTuple):
    """An answer that stands: its place, what was ruled on it now, and the round before it."""

    place: int
    rulings: list[Ruling]
    before: int


def replay(talk: Conversation, events: Sequence[Event], n: int, event: Event, skip: frozenset[int]) -> Iterator[Again]:
    """Gives `event` in the place of answer `n`, and the later answers again while the same questions are asked.

    `talk` stands before `n`, and after this where the race asks on; the answers at `skip` are left out. Raises
    BadAnswer if `event` itself is refused.
    """
    before = talk.rulebook.round
    yield Again(n, talk.apply(event), before)
    for place in range(n + 1, len(events)):
        later = events[place]
        if place in skip:
            continue
        if later.change is None and later.key != talk.key:
            return
        before = talk.rulebook.round
        try:
            rulings = talk.apply(later)
        except CompanionError:
            return
        yield Again(place, rulings, before)


class Instead(msgspec.Struct, frozen=True):
    """What an answer should have been, and the answers to what its step then asks anew."""

    event: Event
    then: Sequence[Json] = ()


class Step(msgspec.Struct):
    """A step played over again: the state at its end, where it ended among the answers, what was ruled, the answers
    that no longer follow, the first question that none of them fitted, and the question open at its end."""

    state: bytes
    end: int
    rulings: list[Ruling]
    fell: list[int]
    asks: Asked | None = None
    open: Asked | None = None


def play_step(
    talk: Conversation, start: int, spare: Spare, end: int, instead: Mapping[int, Instead], strict: int = -1
) -> Step:
    """Plays the step that begins at answer `start` over again, up to answer `end`, with some answers replaced.

    A question that its old answer does not fit any more is answered from `then`; failing that by its only option,
    failing that by the old answer by force, because the table has already moved. Raises BadAnswer if answer `strict`,
    or one of its `then`, is refused.
    """
    events = talk.events
    trial = talk.fork(spare(), start)
    step = Step(b"", start, [], [])
    then: list[Json] = []
    place = start
    while trial.last_mark[0] <= start:
        if place < end and events[place].change is not None:
            _given(trial, events[place], step, place)
            place += 1
            continue
        found = _answering(trial, events, place, end)
        if found is not None:
            better = instead.get(found)
            if better is not None and better.event.key == trial.key:
                then.extend(better.then)
            event = better.event if better is not None else events[found]
            try:
                step.rulings += trial.answer(event.answer, forced=event.forced)
                step.fell.extend(range(place, found))
                place = found + 1
                continue
            except CompanionError:
                if found == strict:
                    raise
        if place >= end and not then:
            break
        step.asks = step.asks or (None if then else trial.asked)
        if then:
            step.rulings += trial.answer(then.pop(0))
        elif found is None or not _anyhow(trial, events[found], step):
            break
        if found is not None:
            step.fell.extend(range(place, found + 1))
            place = found + 1
    step.fell.extend(range(place, end) if place < end and instead else ())
    step.end, step.open = place, trial.asked if trial.last_mark[0] <= start else None
    step.state = trial.state_after_step(start)
    return step


def _answering(trial: Conversation, events: Sequence[Event], place: int, end: int) -> int | None:
    """The next answer to the open question; where a choice has the same car but another matter, that one."""
    question = trial.question
    if question is None:
        return None
    key = trial.key
    for other in range(place, end):
        if events[other].key == key:
            return other
    if question.faces is None and key is not None:
        for other in range(place, end):
            there = events[other].key
            if there is not None and there[:3] == key[:3]:
                return other
    return None


def _given(trial: Conversation, event: Event, step: Step, place: int) -> None:
    try:
        step.rulings += trial.apply(event)
    except CompanionError:
        step.fell.append(place)


def _anyhow(trial: Conversation, old: Event, step: Step) -> bool:
    """Answers as the table has moved: the only option there is, or the old answer by force."""
    asked = trial.asked
    options = asked.options if asked is not None else None
    try:
        if options is not None and len(options) == 1:
            step.rulings += trial.answer(options[0].answer)
        else:
            step.rulings += trial.answer(old.answer, forced=True)
    except CompanionError:
        return False
    return True


class Stood(msgspec.Struct, frozen=True):
    """A correction with the cars left where they are: what to set, what stays though it would have been otherwise, what
    would have been ruled, which answers no longer follow, and what would have been asked beside."""

    change: dict[str, Json] | None
    left: list[Json]
    rulings: list[Ruling]
    fell: list[int]
    asks: Asked | None


def leave_board(
    talk: Conversation,
    spare: Spare,
    read: Callable[[bytes], Race[Car]],
    n: int,
    instead: Instead,
    boarded: Mapping[int, Instead],
) -> Stood:
    """What correcting answer `n` comes to if the cars stay where they are.

    `boarded` are the answers that were corrected in this way before. `read` makes a race of its bytes. Raises
    BadAnswer, also where the open question itself hangs on that answer: then no car has moved on it yet.
    """
    if n >= talk.n:
        raise BadAnswer(f"There is no answer {n} yet.")
    start = talk.fork(spare(), n).last_mark[0]
    already = {place: other for place, other in boarded.items() if place >= start}
    end = play_step(talk, start, spare, talk.n, {}).end
    was = play_step(talk, start, spare, end, already)
    would = play_step(talk, start, spare, end, {**already, n: instead}, n)
    if was.open is not None and would.open is not None and _matter(was.open) != _matter(would.open):
        raise BadAnswer("Nothing has moved on that answer yet; correct it by replay.")
    change, left = difference(read(was.state), read(would.state), read(talk.rulebook.save()))
    fell = [place for place in would.fell if place not in was.fell]
    asks = would.asks or (would.open if was.open is None else None)
    return Stood(change, left, would.rulings, fell, asks)


def _matter(asked: Asked) -> tuple[str, int | None, str]:
    return asked.ask, asked.car, asked.what


def difference(was: Race[Car], would: Race[Car], now: Race[Car]) -> tuple[dict[str, Json] | None, list[Json]]:
    """What changes now if a step that ended in `was` should have ended in `would` and the cars stay where they are.

    Returns the values to set (None if nothing changes) and what would have been otherwise and stays: places and the
    lines in which cars stand, gears, laps, stops and status.
    """
    cars: list[Json] = []
    left: list[Json] = []
    for old, new, car in zip(was.cars, would.cars, now.cars, strict=True):
        values: dict[str, Json] = {}
        for name in car.counted:
            counts, was_there, is_there = (getattr(one, name) for one in (car, old, new))
            changed = {}
            for key in now.pools if name == "wear" else counts:
                more, have = is_there.get(key, 0) - was_there.get(key, 0), counts.get(key, 0)
                if more and key not in now.fixed_values and max(0, have + more) != have:
                    changed[key] = max(0, have + more)
            if changed:
                values[name] = changed
        for name in car.held:
            have, was_there, is_there = (getattr(one, name) for one in (car, old, new))
            if is_there != was_there:
                values[name] = min(max(0, have + is_there - was_there), max(have, is_there, was_there))
        if new.stand != old.stand:
            values["stand"] = max(0, car.stand + new.stand - old.stand)
        for name in car.chosen:
            is_there, was_there = getattr(new, name), getattr(old, name)
            if is_there and is_there != was_there and getattr(car, name) == was_there and name not in now.fixed_values:
                values[name] = is_there
        for name in (*car.listed, *(car.brief if now.round == was.round else ())):
            if name in now.fixed_values:
                continue
            have, was_there, is_there = (Counter(getattr(one, name)) for one in (car, old, new))
            if is_there != was_there and (kept := have - (was_there - is_there) + (is_there - was_there)) != have:
                values[name] = list(kept.elements())
        if new.tyre_laps != old.tyre_laps:
            values["tyre_laps"] = max(0, car.tyre_laps + new.tyre_laps - old.tyre_laps)
        if values := car.within(values):
            cars.append({"car": car.number, **values})
        stays = {name: getattr(new, name) for name in car.stays if getattr(new, name) != getattr(old, name)}
        if stays:
            left.append({"car": car.number, **stays})
    if would.queue != was.queue:
        left.append({"queue": list(would.queue)})
    change: dict[str, Json] = {"cars": cars} if cars else {}
    for name in ("sky", "surface"):
        fresh = getattr(would, name)
        if fresh and fresh != getattr(was, name) and getattr(now, name) == getattr(was, name):
            change[name] = fresh
    for name in now.markers:
        if getattr(would, name) and not getattr(was, name) and not getattr(now, name):
            change[name] = True
    dangers = (set(now.dangers) | set(would.dangers) - set(was.dangers)) - (set(was.dangers) - set(would.dangers))
    if dangers != set(now.dangers):
        change["dangers"] = sorted(dangers)
    return change or None, left
