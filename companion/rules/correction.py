"""An earlier answer was wrong: what follows if the race is played again from there, or if the cars stay put."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Final, NamedTuple, Protocol

import msgspec

from companion.rules.conversation.asking import Asked, Json, JsonValue, Key, Option, Ruling
from companion.rules.conversation.conversation import Conversation, Event, Rulebook
from companion.rules.conversation.errors import BadAnswer, CompanionError
from companion.rules.conversation.kinds import Cause, Pool
from companion.rules.dice.state import Car, Race


class Tried(Rulebook, Protocol):
    """A rulebook on which a correction is tried."""

    def draw_on(self, car: int | None, answer: JsonValue) -> None: ...


Spare = Callable[[], Tried]
"""Gives another rulebook of the same race, to try things on."""


class Again(NamedTuple):
    """An answer that stands: its place, what was ruled on it now, and the round before it and whether the race was
    over."""

    place: int
    rulings: list[Ruling]
    before: tuple[int, bool]


def replay(talk: Conversation, events: Sequence[Event], n: int, event: Event, skip: frozenset[int]) -> Iterator[Again]:
    """Gives `event` in the place of answer `n`, and the later answers again while the same questions are asked.

    `talk` stands before `n`, and after this where the race asks on; the answers at `skip` are left out. Raises
    BadAnswer if `event` itself is refused.
    """
    before = talk.rulebook.round, talk.question is None
    yield Again(n, talk.apply(event), before)
    for place in range(n + 1, len(events)):
        later = events[place]
        if place in skip:
            continue
        if later.change is None and later.key != talk.key:
            return
        before = talk.rulebook.round, talk.question is None
        try:
            rulings = talk.apply(later)
        except CompanionError:
            return
        yield Again(place, rulings, before)


Anew = tuple[Key | None, Json]
"""An answer to a question asked anew, and to which one; not yet known, it goes to the next one."""


class Instead(msgspec.Struct, frozen=True):
    """What an answer should have been, and the answers to what its step then asks anew."""

    event: Event
    then: Sequence[Json] = ()


class Step(msgspec.Struct):
    """A step played over again: the state at its end, where it ended among the answers, what was ruled, the answers
    that no longer follow, the first question that none of them fitted, the question open at its end, and what was
    answered to which question asked anew. `unmoved` is the car whose move would have been made and was not."""

    state: bytes
    end: int
    rulings: list[Ruling]
    fell: list[int]
    asks: Asked | None = None
    open: Asked | None = None
    unmoved: int | None = None
    said: list[Anew] = []


MOVES: Final = ("roll", "landing", "saw")
"""The questions of a move: where nobody has driven, the board has no answer to them."""


def play_step(
    talk: Conversation,
    start: int,
    spare: Spare,
    end: int,
    instead: Mapping[int, Instead],
    strict: int = -1,
    skip: Container[int] = (),
    said: Sequence[Anew] = (),
) -> Step:
    """Plays the step that begins at answer `start` over again, up to answer `end`, with some answers replaced and the
    values at `skip` left out.

    A question that its old answer does not fit any more is answered from what was `said` to it before, or else from
    `then`, where the answer with which this came is taken; failing that as the board has it: by its only option, by the
    option that ends on the same space, or by the old answer as it was. What the referee has set within the step stands,
    whether or not the answers around it follow. Raises BadAnswer if answer `strict`, or one of its `then`, is refused.
    """
    events = talk.events
    trial = talk.fork(spare(), start)
    step = Step(b"", start, [], [])
    then = list(said)
    place = start
    while trial.last_mark[0] <= start:
        found = _answering(trial, events, place, end)
        before = place + 1 if found is None else found
        word = next((other for other in range(place, min(before, end)) if events[other].change is not None), None)
        if word is not None:
            step.fell.extend(range(place, word))
            if word not in skip:
                _given(trial, events[word], step, word)
            place = word + 1
            continue
        if found is not None:
            better = instead.get(found)
            event = better.event if better is not None else events[found]
            try:
                step.rulings += trial.answer(event.answer, forced=event.forced)
                then += [(None, answer) for answer in better.then] if better is not None else []
                step.fell.extend(range(place, found))
                place = found + 1
                continue
            except CompanionError:
                if found == strict:
                    raise
        anew = next((one for one in then if one[0] in (None, trial.key)), None)
        if place >= end and anew is None:
            break
        if found is None and anew is None and _never_moved(trial, events, place, end):
            break
        old = events[found] if found is not None else None
        step.asks = step.asks or (_asked(trial, old) if anew is None else None)
        if anew is not None:
            then.remove(anew)
            step.said += [(trial.key, anew[1])] if anew[0] is None else []
            step.rulings += _answered(trial, anew[1], old)
        elif old is None or not _as_it_stands(trial, old, step):
            break
        if found is not None:
            step.fell.extend(range(place, found + 1))
            place = found + 1
    rest = range(place, end) if instead else range(0)
    words = [other for other in rest if events[other].change is not None and other not in skip]
    step.fell.extend(other for other in rest if other not in words)
    step.end, step.open = place, trial.asked if trial.last_mark[0] <= start else None
    if step.open is not None and _never_moved(trial, events, start, end):
        step.unmoved = step.open.car
    step.state = trial.state_after_step(start)
    for word in words:
        step.state = _set(spare(), step, events[word].change or {}, word)
    return step


def _set(trial: Tried, step: Step, change: Mapping[str, Json], place: int) -> bytes:
    """The state at the end of a step with what the referee has set in it, which no answer of it came to any more."""
    trial.load(step.state)
    try:
        if trial.override(change):
            trial.abandon()
    except CompanionError:
        step.fell.append(place)
    return trial.save()


def _answering(trial: Conversation, events: Sequence[Event], place: int, end: int) -> int | None:
    """The next answer to the open question; where a choice or a gear's die has the same car but another matter, that
    one."""
    question = trial.question
    if question is None:
        return None
    key = trial.key
    for other in range(place, end):
        if events[other].key == key:
            return other
    if (question.faces is None or question.ask in MOVES) and key is not None:
        for other in range(place, end):
            there = events[other].key
            if there is not None and there[:3] == key[:3]:
                return other
    return None


def _never_moved(trial: Conversation, events: Sequence[Event], place: int, end: int) -> bool:
    """Whether the open question is one of a move that its car has not made in this step."""
    question = trial.question
    if question is None or question.ask not in MOVES:
        return False
    keys = (event.key for event in events[place:end])
    return not any(key is not None and key[0] in MOVES and key[1] == question.car for key in keys)


def _given(trial: Conversation, event: Event, step: Step, place: int) -> None:
    try:
        step.rulings += trial.apply(event)
    except CompanionError:
        step.fell.append(place)


def _asked(trial: Conversation, old: Event | None) -> Asked | None:
    """The open question; the old answer is offered first, as the board has it, where it is none of its own."""
    asked = trial.asked
    if asked is None or old is None or asked.options is None:
        return asked
    if any(option.answer == old.answer for option in asked.options):
        return asked
    return msgspec.structs.replace(asked, options=[Option(old.answer, {}, {"stands": True}), *asked.options])


def _answered(trial: Conversation, answer: JsonValue, old: Event | None) -> list[Ruling]:
    """One of the answers to what is asked anew; the old one holds although it does not fit."""
    try:
        return trial.answer(answer)
    except CompanionError:
        if old is None or old.answer != answer:
            raise
        return trial.hold(old)


def _as_it_stands(trial: Conversation, old: Event, step: Step) -> bool:
    """Answers as the table has moved: the only option there is, the best that ends on the same space, or the old
    answer as it was."""
    asked = trial.asked
    options = asked.options if asked is not None and asked.options else []
    space = old.answer.get("space") if isinstance(old.answer, dict) else None
    there = options if len(options) == 1 else [one for one in options if space and _space(one.answer) == space]
    try:
        step.rulings += trial.answer(there[0].answer) if there else trial.hold(old)
    except CompanionError:
        return False
    return True


def _space(answer: JsonValue) -> Json:
    return answer.get("space") if isinstance(answer, dict) else None


class Stood(msgspec.Struct, frozen=True):
    """A correction with the cars left where they are: what to set, what stays though it would have been otherwise, what
    would have been ruled, which answers no longer follow, and what would have been asked beside. `lacks` says that
    without an answer to it nobody knows what follows."""

    change: dict[str, Json] | None
    left: list[Json]
    rulings: list[Ruling]
    fell: list[int]
    asks: Asked | None
    lacks: bool = False


def leave_board(
    talk: Conversation,
    spare: Spare,
    read: Callable[[bytes], Race[Car]],
    n: int,
    instead: Instead,
    boarded: Mapping[int, Instead],
    values: Mapping[int, int] | None = None,
) -> Stood:
    """What correcting answer `n` comes to if the cars stay where they are.

    `boarded` are the answers that were corrected in this way before, the latest last, and `values` where among the
    events what this set is, each with its answer: in a step that is played over again the answer itself says it. What
    went with one of them answers the questions to which it was said, and no others. `read` makes a race of its bytes.
    Raises BadAnswer, also where the open question itself hangs on that answer: then no car has moved on it yet.
    """
    if n >= talk.n:
        raise BadAnswer(f"There is no answer {n} yet.")
    start = talk.fork(spare(), n).last_mark[0]
    already = {place: other for place, other in boarded.items() if place >= start}
    said_anew = {place for place, answer in (values or {}).items() if answer in already}
    end = play_step(talk, start, spare, talk.n, {}).end
    settled: dict[int, Instead] = {}
    said: list[Anew] = []
    others: list[Anew] = []
    for place, other in already.items():
        step = play_step(talk, start, spare, end, {**settled, place: other}, skip=said_anew, said=said)
        settled[place] = Instead(other.event)
        said += step.said
        others += step.said if place != n else []
    was = play_step(talk, start, spare, end, settled, skip=said_anew, said=said)
    would = play_step(talk, start, spare, end, {**settled, n: instead}, n, said_anew, others)
    if was.open is not None and (would.open is None or _matter(was.open) != _matter(would.open)):
        raise BadAnswer("Nothing has moved on that answer yet; correct it by replay.")
    fell = [place for place in sorted(would.fell) if place not in was.fell]
    if would.unmoved is not None and any(_of_others(talk.events[place], would.unmoved) for place in fell):
        raise BadAnswer("On that answer a car would have moved that did not; correct it by replay.")
    lacks = was.open is None and would.open is not None and would.unmoved is None
    draws = [boarded[place].event if place in boarded else talk.events[place] for place in range(end, talk.n)]
    was_then, would_then = (read(_drawn_on(spare(), step.state, draws)) for step in (was, would))
    now = read(talk.rulebook.save())
    since = [*(read(saved) for at, saved in talk.marks if at > n), now]
    found = difference(was_then, would_then, since, lambda car: _last_in_race(talk, spare, read, car))
    change, left = _possible(talk, spare, *found)
    if would.unmoved is not None and was.open is None:
        left = [*left, {"car": would.unmoved, "moved": False}]
    asks = would.asks or (would.open if lacks else None)
    return Stood(change, left, would.rulings, fell, asks, lacks)


def _drawn_on(trial: Tried, state: bytes, later: Sequence[Event]) -> bytes:
    """The state at the end of a step with the weather that was drawn since then, as it comes after that step."""
    trial.load(state)
    for event in later:
        if event.key is not None and event.key[3] == "weather":
            trial.draw_on(event.key[1], event.answer)
    return trial.save()


def _last_in_race(talk: Conversation, spare: Spare, read: Callable[[bytes], Race[Car]], place: int) -> Race[Car]:
    """The race just before a car, by its place among the cars, went out. What its own coasting would have come to then,
    nobody knows, and it has no gear to coast in."""
    races = ((at, read(saved)) for at, saved in reversed(talk.marks))
    at, race = next((at, race) for at, race in races if race.cars[place].alive)
    trial = talk.fork(spare(), at)
    for event in talk.events[at:]:
        after = read(trial.rulebook.save())
        if not after.cars[place].alive:
            break
        race = after
        trial.apply(event)
    car = race.cars[place]
    if car.coast > 0 and race.move is not None and race.move.car == car.number:
        car.coast = 0
    return race


def _matter(asked: Asked) -> tuple[str, int | None, str]:
    return asked.ask, asked.car, asked.what


def _of_others(event: Event, car: int) -> bool:
    return event.key is not None and event.key[1] != car


def _possible(
    talk: Conversation, spare: Spare, change: dict[str, Json] | None, left: list[Json]
) -> tuple[dict[str, Json] | None, list[Json]]:
    """What can be set of a change: a car that is back in the race stands where it would have, else where it was when it
    left; where others stand on both, or what it lacks puts it out again, its return is listed instead."""
    if change is None or not any(_BACK & set(car) == _BACK or "status" in car for car in change.get("cars", [])):
        return change, left
    cars: list[Json] = []
    for car in change["cars"]:
        place = ("at", "lap", "stops", "tyre_laps", *(() if "turned" in car else ("gear",)))
        there = {name: value for name, value in car.items() if name not in place}
        out = {name: value for name, value in there.items() if name not in _STATUS}
        for values in (car, there) if "status" in car else ():
            if _settable(talk, spare, {**change, "cars": [*cars, values]}):
                cars.append(values)
                break
        else:
            cars += [out] if len(out) > 1 else []
            left = [*left, {"car": car["car"], "status": car["status"]}] if "status" in car else left
    rest = {name: value for name, value in change.items() if name != "cars"}
    return ({"cars": cars, **rest} if cars else rest) or None, left


_BACK: Final = {"status", "at"}
_STATUS: Final = ("status", "cause", "coast", "turned", "gear")


def _settable(talk: Conversation, spare: Spare, change: dict[str, Json]) -> bool:
    try:
        rulings = talk.fork(spare(), talk.n).override(change)
    except CompanionError:
        return False
    back = [car["car"] for car in change["cars"] if car.get("status", "out") not in ("out", "wreck")]
    return not any(ruling.kind == "out" and ruling.car in back for ruling in rulings)


def difference(
    was: Race[Car], would: Race[Car], since: Sequence[Race[Car]], before: Callable[[int], Race[Car]]
) -> tuple[dict[str, Json] | None, list[Json]]:
    """What changes now if a step that ended in `was` should have ended in `would` and the cars stay where they are.
    `since` are the races as every step since then began, and as it is now; `before` gives the race as it stood before a
    car, by its place among the cars, went out.

    Returns the values to set (None if nothing changes) and what would have been otherwise and stays: places and the
    lines in which cars stand, gears, laps, stops, and a status where it cannot follow.
    """
    cars: list[Json] = []
    left: list[Json] = []
    now = since[-1]
    for place, (old, new, car) in enumerate(zip(was.cars, would.cars, now.cars, strict=True)):
        stood = [race.cars[place] for race in since]
        renewed = {pool for begin, end in pairwise(stood) for pool in end.renewed(begin)}
        values = _counts(old, new, car, now, now.round == was.round, renewed)
        pool, last, over = _PARTS.get(car.cause), None, now.round > was.round
        if pool is not None and old.alive and values.get("wear", {}).get(pool, 0) > car.wear.get(pool, 0):
            race = before(place)
            last, over = race.cars[place], now.round > race.round
            last.mended(pool)
        stands = car.stands(old, new, last, over)
        if any(value != getattr(car, name) for name, value in (stands or {}).items()):
            values |= stands or {}
        if new.lap != old.lap and "lap" not in values:
            values.pop("tyre_laps", None)  # a set ages with the line, and that stays behind the car or before it
        values |= car.besides(old, new)
        if values := car.within(values):
            cars.append({"car": car.number, **values})
        stays = {
            name: msgspec.to_builtins(getattr(new, name))
            for name in car.stays
            if getattr(new, name) != getattr(old, name) and name not in values
            and (name != "status" or stands is None)
        }  # fmt: skip
        if stays:
            left.append({"car": car.number, **stays})
    if would.queue != was.queue:
        left.append({"queue": list(would.queue)})
    for name in now.stays:
        if getattr(would, name) != getattr(was, name):
            left.append({name: msgspec.to_builtins(getattr(would, name))})
    change: dict[str, Json] = {"cars": cars} if cars else {}
    _weather(was, would, now, change, left)
    for name in now.markers:
        is_on, was_on = getattr(would, name), getattr(was, name)
        if is_on and not was_on and not getattr(now, name):
            change[name] = True
        elif was_on and not is_on:
            left.append({name: False})
    lies, was_there, is_there = (Counter(race.lying) for race in (now, was, would))
    kept = lies - (was_there - is_there) + (is_there - was_there)
    dangers = sorted(space for space, count in kept.items() for _ in range(min(count, now.piled)))
    if dangers != sorted(now.lying):
        change["dangers"] = dangers
    return change or None, left


_PARTS: Final[Mapping[Cause, Pool]] = {
    "body": "body", "engine": "engine", "handling": "handling", "destroyed": "points",
}  # fmt: skip
"""The pool for want of which a car is out, where it is not called as its cause is."""


def _weather(was: Race[Car], would: Race[Car], now: Race[Car], change: dict[str, Json], left: list[Json]) -> None:
    """The sky and the surface, unless the referee has set them since; whether the weather stays, and the dice that are
    due for it. What was not known then has come since. One that was not due and has been rolled is listed."""
    for name in now.weathers:
        fresh, old, current = (getattr(race, name) for race in (would, was, now))
        if fresh not in (current, "") and old in (current, ""):
            change[name] = fresh
    missed, more = Counter(was.due) - Counter(would.due), Counter(would.due) - Counter(was.due)
    due = Counter(now.due) - missed + (Counter() if now.fixed else more)
    if due != Counter(now.due) or (now.out_is_due and any("cause" in car for car in change.get("cars", []))):
        change["due"] = list(due.elements())
    if rolled := list((missed - Counter(now.due)).elements()):
        left.append({"weather": rolled})


def _counts(old: Car, new: Car, car: Car, now: Race[Car], this_round: bool, renewed: Container[str]) -> dict[str, Json]:
    """What is counted, held, chosen, used and listed of a car, carried over; of what has been renewed since, only what
    a stop fills it up to."""
    values: dict[str, Json] = {}
    for name in car.counted:
        counts, changed = getattr(car, name), {}
        for key in now.pools if name == "wear" else counts:
            source = "full" if key in renewed or f"{name}:{key}" in renewed else name
            was_there, is_there = getattr(old, source), getattr(new, source)
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
    for name in car.chosen if "tyres" not in renewed else ():
        is_there, was_there = getattr(new, name), getattr(old, name)
        if is_there and is_there != was_there and getattr(car, name) == was_there and name not in now.fixed_values:
            values[name] = is_there
    this_lap = old.lap == new.lap == car.lap
    for name in (*(car.once_a_lap if this_lap else ()), *(car.once_a_round if this_round else ())):
        if getattr(new, name) != getattr(old, name) == getattr(car, name):
            values[name] = getattr(new, name)
    for name in (*car.listed, *(car.brief if this_round else ())):
        if name in now.fixed_values:
            continue
        have, was_there, is_there = (Counter(getattr(one, name)) for one in (car, old, new))
        if is_there != was_there and (kept := have - (was_there - is_there) + (is_there - was_there)) != have:
            values[name] = list(kept.elements())
    if new.tyre_laps != old.tyre_laps and "tyres" not in renewed:
        values["tyre_laps"] = max(0, car.tyre_laps + new.tyre_laps - old.tyre_laps)
    return values
