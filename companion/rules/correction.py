"""An earlier answer was wrong: what follows if the race is played again from there, or if the cars stay put."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Final, NamedTuple, Protocol

import msgspec

from companion.rules.conversation.asking import Asked, Json, JsonValue, Key, Option, Ruling
from companion.rules.conversation.conversation import Conversation, Game, Input
from companion.rules.conversation.errors import BadAnswer, CompanionError
from companion.rules.conversation.kinds import Cause, Pool
from companion.rules.dice.setup import UNDER
from companion.rules.dice.state import Car, RaceState


class CorrectableGame(Game, Protocol):
    """A rulebook on which a correction is tried."""

    def draw_on(self, car: int | None, answer: JsonValue) -> None: ...


Clone = Callable[[], CorrectableGame]
"""Function that returns a scratch copy of the race."""


class StandingAnswer(NamedTuple):
    """An answer that stands.

    It has its place, the rulings made on it now, and the round before it and whether the race was over.
    """

    place: int
    rulings: list[Ruling]
    before: tuple[int, bool]


def replay(
    talk: Conversation, events: Sequence[Input], n: int, event: Input, skip: frozenset[int]
) -> Iterator[StandingAnswer]:
    """Give `event` in the place of answer `n`, and the later answers again while the same questions are asked.

    `talk` stands before `n`, and after this where the race asks on; the answers at `skip` are left out. Raises
    BadAnswer if `event` itself is refused.
    """
    before = talk.rulebook.round, talk.question is None
    yield StandingAnswer(n, talk.apply(event), before)
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
        yield StandingAnswer(place, rulings, before)


NewAnswer = tuple[Key | None, Json]
"""An answer to a question asked for the first time, and to which one; not yet known, it goes to the next."""


class CorrectedAnswer(msgspec.Struct, frozen=True):
    """The corrected answer, and the answers to the questions that its step then asks for the first time."""

    event: Input
    then: Sequence[Json] = ()


class ReplayedStep(msgspec.Struct):
    """A step played over again.

    It has the state at its end, where it ended among the answers, the rulings, the answers that no longer follow, the
    first question that none of them fitted, the question open at its end, and the answers given to each new question.
    `unmoved` is the car whose move would have been made and was not.
    """

    state: bytes
    end: int
    rulings: list[Ruling]
    fell: list[int]
    asks: Asked | None = None
    open: Asked | None = None
    unmoved: int | None = None
    said: list[NewAnswer] = []


MOVES: Final = ("roll", "landing", "saw")
"""The questions of a move: where nobody has driven, the board has no answer to them."""


def play_step(
    talk: Conversation,
    start: int,
    clone: Clone,
    end: int,
    instead: Mapping[int, CorrectedAnswer],
    strict: int = -1,
    skip: Container[int] = (),
    said: Sequence[NewAnswer] = (),
) -> ReplayedStep:
    """Play the step that begins at answer `start` over again, up to answer `end`.

    Some answers are replaced, and the values at `skip` left out.

    A question that its old answer does not fit any more is answered from what was `said` to it before, or else from
    `then`, where the answer with which this came is taken; failing that as the board has it: by its only option, by the
    option that ends on the same space, or by the old answer as it was. What the referee has set within the step stands,
    whether or not the answers around it follow. Raises BadAnswer if answer `strict`, or one of its `then`, is refused.
    """
    events = talk.events
    trial = talk.fork(clone(), start)
    step = ReplayedStep(b"", start, [], [])
    then = list(said)
    place = start
    while trial.last_checkpoint[0] <= start:
        found = _answering(trial, events, place, end)
        before = place + 1 if found is None else found
        word = next((other for other in range(place, min(before, end)) if events[other].change is not None), None)
        if word is not None:
            step.fell.extend(range(place, word))
            if word not in skip:
                _reapply(trial, events[word], step, word)
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
        new = next((one for one in then if one[0] in (None, trial.key)), None)
        if place >= end and new is None:
            break
        if found is None and new is None and _never_moved(trial, events, place, end):
            break
        old = events[found] if found is not None else None
        step.asks = step.asks or (_question_after(trial, old) if new is None else None)
        if new is not None:
            then.remove(new)
            step.said += [(trial.key, new[1])] if new[0] is None else []
            step.rulings += _answered(trial, new[1], old)
        elif old is None or not _as_it_stands(trial, old, step):
            break
        if found is not None:
            step.fell.extend(range(place, found + 1))
            place = found + 1
    rest = range(place, end) if instead else range(0)
    words = [other for other in rest if events[other].change is not None and other not in skip]
    step.fell.extend(other for other in rest if other not in words)
    step.end, step.open = place, trial.asked if trial.last_checkpoint[0] <= start else None
    if step.open is not None and _never_moved(trial, events, start, end):
        step.unmoved = step.open.car
    step.state = trial.state_after_step(start)
    for word in words:
        step.state = _set(clone(), step, events[word].change or {}, word)
    return step


def _set(trial: CorrectableGame, step: ReplayedStep, change: Mapping[str, Json], place: int) -> bytes:
    """Return the state at the end of a step with a change that none of its answers reaches any more."""
    trial.load(step.state)
    try:
        if trial.override(change):
            trial.abandon()
    except CompanionError:
        step.fell.append(place)
    return trial.save()


def _answering(trial: Conversation, events: Sequence[Input], place: int, end: int) -> int | None:
    """Return the place of the next answer to the open question.

    Where a choice or a gear's die has the same car but another matter, that one.
    """
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


def _never_moved(trial: Conversation, events: Sequence[Input], place: int, end: int) -> bool:
    """Return True if the open question is one of a move that its car has not made in this step."""
    question = trial.question
    if question is None or question.ask not in MOVES:
        return False
    keys = (event.key for event in events[place:end])
    return not any(key is not None and key[0] in MOVES and key[1] == question.car for key in keys)


def _reapply(trial: Conversation, event: Input, step: ReplayedStep, place: int) -> None:
    try:
        step.rulings += trial.apply(event)
    except CompanionError:
        step.fell.append(place)


def _question_after(trial: Conversation, old: Input | None) -> Asked | None:
    """Return the open question, with the old answer first among its options if it was not one of them."""
    asked = trial.asked
    if asked is None or old is None or asked.options is None:
        return asked
    if any(option.answer == old.answer for option in asked.options):
        return asked
    return msgspec.structs.replace(asked, options=[Option(old.answer, {}, {"stands": True}), *asked.options])


def _answered(trial: Conversation, answer: JsonValue, old: Input | None) -> list[Ruling]:
    """Give one of the answers to a new question; the old answer is kept although it does not fit."""
    try:
        return trial.answer(answer)
    except CompanionError:
        if old is None or old.answer != answer:
            raise
        return trial.reapply(old)


def _as_it_stands(trial: Conversation, old: Input, step: ReplayedStep) -> bool:
    """Answer as the table has moved.

    That is the only option there is, the best that ends on the same space, or the old answer as it was.
    """
    asked = trial.asked
    options = asked.options if asked is not None and asked.options else []
    space = old.answer.get("space") if isinstance(old.answer, dict) else None
    there = options if len(options) == 1 else [one for one in options if space and _space(one.answer) == space]
    try:
        step.rulings += trial.answer(there[0].answer) if there else trial.reapply(old)
    except CompanionError:
        return False
    return True


def _space(answer: JsonValue) -> Json:
    return answer.get("space") if isinstance(answer, dict) else None


class BoardCorrection(msgspec.Struct, frozen=True):
    """A correction with the cars left where they are.

    It has the values to set, those that stay though they would have been otherwise, the rulings that would have been
    made, the answers that no longer follow, and the question that would have been asked beside. `lacks` says that
    without an answer to it nobody knows what follows.
    """

    change: dict[str, Json] | None
    left: list[Json]
    rulings: list[Ruling]
    fell: list[int]
    asks: Asked | None
    lacks: bool = False


def leave_board(
    talk: Conversation,
    clone: Clone,
    read: Callable[[bytes], RaceState[Car]],
    n: int,
    instead: CorrectedAnswer,
    boarded: Mapping[int, CorrectedAnswer],
    values: Mapping[int, int] | None = None,
) -> BoardCorrection:
    """Return what correcting answer `n` comes to if the cars stay where they are.

    `boarded` are the answers that were corrected in this way before, the latest last, and `values` where among the
    events what this set is, each with its answer: in a step that is played over again the answer itself says it. What
    went with one of them answers the questions to which it was said, and no others. `read` makes a race of its bytes.
    Raises BadAnswer, also where the open question itself hangs on that answer: then no car has moved on it yet.
    """
    if n >= talk.n:
        raise BadAnswer("no_answer_yet", n=n)
    start = talk.fork(clone(), n).last_checkpoint[0]
    already = {place: other for place, other in boarded.items() if place >= start}
    said_anew = {place for place, answer in (values or {}).items() if answer in already}
    end = play_step(talk, start, clone, talk.n, {}).end
    settled: dict[int, CorrectedAnswer] = {}
    said: list[NewAnswer] = []
    others: list[NewAnswer] = []
    for place, other in already.items():
        step = play_step(talk, start, clone, end, {**settled, place: other}, skip=said_anew, said=said)
        settled[place] = CorrectedAnswer(other.event)
        said += step.said
        others += step.said if place != n else []
    was = play_step(talk, start, clone, end, settled, skip=said_anew, said=said)
    would = play_step(talk, start, clone, end, {**settled, n: instead}, n, said_anew, others)
    if was.open is not None and (would.open is None or _matter(was.open) != _matter(would.open)):
        raise BadAnswer("answer_moved_nothing")
    fell = [place for place in sorted(would.fell) if place not in was.fell]
    if would.unmoved is not None and any(_of_others(talk.events[place], would.unmoved) for place in fell):
        raise BadAnswer("answer_moves_car")
    lacks = was.open is None and would.open is not None and would.unmoved is None
    draws = [boarded[place].event if place in boarded else talk.events[place] for place in range(end, talk.n)]
    was_then, would_then = (read(_drawn_on(clone(), step.state, draws)) for step in (was, would))
    now = read(talk.rulebook.save())
    since = [*(read(saved) for at, saved in talk.checkpoints if at > n), now]
    found = difference(was_then, would_then, since, lambda car: _last_in_race(talk, clone, read, car))
    change, left = _possible(talk, clone, *found)
    if would.unmoved is not None and was.open is None:
        left = [*left, {"car": would.unmoved, "moved": False}]
    asks = would.asks or (would.open if lacks else None)
    return BoardCorrection(change, left, would.rulings, fell, asks, lacks)


def _drawn_on(trial: CorrectableGame, state: bytes, later: Sequence[Input]) -> bytes:
    """Return the state at the end of a step with the weather that was drawn since then, as it comes after that step."""
    trial.load(state)
    for event in later:
        if event.key is not None and event.key[3] == "weather":
            trial.draw_on(event.key[1], event.answer)
    return trial.save()


def _last_in_race(
    talk: Conversation, clone: Clone, read: Callable[[bytes], RaceState[Car]], place: int
) -> RaceState[Car]:
    """Return the race just before a car, by its place among the cars, went out.

    Nobody knows how far its own coasting would have gone then, and it has no gear to coast in.
    """
    races = ((at, read(saved)) for at, saved in reversed(talk.checkpoints))
    at, race = next((at, race) for at, race in races if race.cars[place].alive)
    trial = talk.fork(clone(), at)
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


def _of_others(event: Input, car: int) -> bool:
    return event.key is not None and event.key[1] != car


def _possible(
    talk: Conversation, clone: Clone, change: dict[str, Json] | None, left: list[Json]
) -> tuple[dict[str, Json] | None, list[Json]]:
    """Return the part of a change that can be set, and what stays.

    A car that is back in the race stands where it would have, else where it was when it left; where others stand on
    both, or what it lacks puts it out again, its return is listed instead.
    """
    if change is None or not any(_BACK & set(car) == _BACK or "status" in car for car in change.get("cars", [])):
        return change, left
    cars: list[Json] = []
    for car in change["cars"]:
        place = ("at", "lap", "stops", "tyre_laps", *(() if "turned" in car else ("gear",)))
        there = {name: value for name, value in car.items() if name not in place}
        out = {name: value for name, value in there.items() if name not in _STATUS}
        for values in (car, there) if "status" in car else ():
            if _settable(talk, clone, {**change, "cars": [*cars, values]}):
                cars.append(values)
                break
        else:
            cars += [out] if len(out) > 1 else []
            left = [*left, {"car": car["car"], "status": car["status"]}] if "status" in car else left
    rest = {name: value for name, value in change.items() if name != "cars"}
    return ({"cars": cars, **rest} if cars else rest) or None, left


_BACK: Final = {"status", "at"}
_STATUS: Final = ("status", "cause", "coast", "turned", "gear")


def _settable(talk: Conversation, clone: Clone, change: dict[str, Json]) -> bool:
    try:
        rulings = talk.fork(clone(), talk.n).override(change)
    except CompanionError:
        return False
    back = [car["car"] for car in change["cars"] if car.get("status", "out") not in ("out", "wreck")]
    return not any(ruling.kind == "out" and ruling.car in back for ruling in rulings)


def difference(
    was: RaceState[Car], would: RaceState[Car], since: Sequence[RaceState[Car]], before: Callable[[int], RaceState[Car]]
) -> tuple[dict[str, Json] | None, list[Json]]:
    """Return what changes now if a step that ended in `was` should have ended in `would` and the cars stay.

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
"""Pool whose loss puts a car out, by the cause for which it is out."""


def _weather(
    was: RaceState[Car], would: RaceState[Car], now: RaceState[Car], change: dict[str, Json], left: list[Json]
) -> None:
    """Set the sky and the surface, unless the referee has set them since, and the dice due for the weather.

    A sky that was not known then has come since. A die that was not due and has been rolled is listed.
    """
    for name in now.weathers:
        fresh, old, current = (getattr(race, name) for race in (would, was, now))
        if fresh not in (current, "") and old in (current, ""):
            change[name] = fresh
    surface = UNDER.get(change.get("sky", now.sky))
    if surface and change.get("surface", surface) != surface:  # the referee has set the sky since
        left.append({"surface": change.pop("surface")})
    missed, more = Counter(was.due) - Counter(would.due), Counter(would.due) - Counter(was.due)
    due = Counter(now.due) - missed + (Counter() if now.fixed else more)
    if due != Counter(now.due) or (now.out_is_due and any("cause" in car for car in change.get("cars", []))):
        change["due"] = list(due.elements())
    if rolled := list((missed - Counter(now.due)).elements()):
        left.append({"weather": rolled})


def _counts(
    old: Car, new: Car, car: Car, now: RaceState[Car], this_round: bool, renewed: Container[str]
) -> dict[str, Json]:
    """Return the carried-over counts, cards, choices, uses and lists of a car.

    Of what has been renewed since, only what a stop fills it up to.
    """
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
