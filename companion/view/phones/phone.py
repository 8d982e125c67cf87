"""The pages of a phone at the table and of a wall screen, for a driver or anybody."""

from __future__ import annotations

import collections
from collections.abc import Mapping, Sequence
from typing import Final, Literal

import msgspec

from companion.desk.ahead import Ahead
from companion.desk.session import Event, Seat, Session
from companion.rules.circuit.track import Track
from companion.rules.conversation.asking import Json, Ruling
from companion.rules.conversation.errors import CompanionError
from companion.rules.public import UNSHOWN, PublicSectionCar, PublicSections, draws_weather, hides
from companion.view import price
from companion.view.consequences import costs_something
from companion.view.phones.classified import Classified, classified
from companion.view.race import card, hand
from companion.view.race.board import cars, corners, stop_ahead
from companion.view.race.contest import contest
from companion.view.race.counters import charted, counters
from companion.view.race.dashboard import columns
from companion.view.race.extras import extras
from companion.view.race.order import order
from companion.view.race.queue import bands
from companion.view.race.race import race, top
from companion.view.race.sections import of_sections, tiles
from companion.view.race.titles import title
from companion.view.race.weather import chart_of
from companion.view.seats.programs import Programs, SeatsShown, seats
from companion.view.shown import (
    AnswerKey,
    Card,
    Column,
    Counter,
    Extra,
    Plate,
    Price,
    Prompt,
    Row,
    Term,
    TopBar,
    ViewModel,
)
from companion.view.shown_board import BoardScene
from companion.view.shown_race import Contest, Push
from companion.view.sight import NOTHING, Prices, Sight
from companion.view.worded import BoardWords
from companion.wording.filling import MissingWords

State = Literal["asked", "table", "driven", "waiting", "out", "over"]
"""State of a driver's phone: asked; showing his question, which the table answers; seat taken by the program; waiting;
out; race over."""

MAX_RULINGS: Final = 12
"""Number of the last rulings that are told."""
MAX_PLATES: Final = 8
"""Maximum number of plates in the queue until a driver's turn, including his own at the end."""


class RulingLine(ViewModel, frozen=True, kw_only=True):
    """A ruling in one line: car, cost, sentence and article.

    `cited` is the article for display, `sum` the cost written out.
    """

    seq: int
    plate: Plate | None = None
    prices: tuple[Price, ...] = ()
    text: str
    cited: str = ""
    article: str = ""
    sum: tuple[Term, ...] = ()


class Skies(ViewModel, frozen=True, kw_only=True):
    """The triggers of a weather change, and the faces for each sky."""

    icon: str
    when: str
    chart: tuple[tuple[str, str], ...]


class PositionChange(ViewModel, frozen=True, kw_only=True):
    """The effect of a ruling's move on the order: its car's places before and after."""

    before: str
    after: str
    told: str


class OwnCar(ViewModel, frozen=True, kw_only=True):
    """A driver's own car.

    `place` is its place in the order, `between` the cars around it. `until` is the number of turns before this car's,
    `coming` their plates; from index `round_at` they belong to the next round, and `opens` says that this car opens it.
    """

    plate: Plate
    name: str
    place: str = ""
    between: str = ""
    columns: tuple[Column, ...] = ()
    counters: tuple[Counter, ...] = ()
    extras: tuple[Extra, ...] = ()
    hand: tuple[AnswerKey, ...] = ()
    begun: bool = True
    until: int = 0
    coming: tuple[Plate, ...] = ()
    round_at: int = 0
    opens: bool = False
    undo: str = ""


class PhoneShown(ViewModel, frozen=True, kw_only=True):
    """The page of a phone or a wall screen.

    `own`, `others` (cars of the same driver) and `prompt` are for a driver only. `asked` tells everybody the question,
    `last` the last answer. `bands` are keys for bands of the black die, `costs` the driver's pools with the cost of the
    selected answer. `disputed` says that the driver wants the table to decide. `wears` are the pools of each car in the
    order, `moved` the effect of the last ruling with a cost on the order, `free` the last ruling if it cost nothing.
    `push` is what the table does for a program's car, `program` the program's driver in this seat, `seats` who may take
    over. After the race, `ended` is the classification and `official` when two people confirmed it: "" if not yet or
    while a ruling is disputed, None where nobody confirms.
    """

    seq: int
    n: int
    state: State
    name: str
    track: str
    top: TopBar
    order: tuple[Row, ...]
    board: BoardScene
    asked: str = ""
    last: str = ""
    playing: Plate | None = None
    rulings: tuple[RulingLine, ...] = ()
    card: Card | None = None
    own: OwnCar | None = None
    others: tuple[OwnCar, ...] = ()
    prompt: Prompt | None = None
    bands: tuple[AnswerKey, ...] = ()
    contest: Contest | None = None
    costs: tuple[Column, ...] = ()
    wears: tuple[tuple[Column, ...], ...] = ()
    skies: Skies | None = None
    moved: PositionChange | None = None
    free: str = ""
    push: Push | None = None
    program: str = ""
    seats: SeatsShown | None = None
    stop: str = ""
    disputed: bool = False
    over: bool = False
    ended: Classified | None = None
    official: str | None = None
    export: bool = False


def watched(session: Session, lang: str) -> PhoneShown:
    """Return what any spectator may see of a race."""
    return _page(session, _sight(session, lang), "spectator")


def on_wall(session: Session, lang: str, odds: Mapping[int, float]) -> PhoneShown:
    """Return the spectators' page with every car's pools, and the odds if wanted."""
    sight = _sight(session, lang)
    shown = _page(session, sight, "spectator")
    shown = msgspec.structs.replace(shown, wears=_wears(sight, shown.order))
    if not odds:
        return shown
    from companion.view.seats.odds import with_odds  # with the strong drivers

    return msgspec.structs.replace(shown, order=with_odds(shown.order, odds, sight.words))


def driver_page(
    session: Session,
    lang: str,
    seat: Seat,
    ahead: Ahead,
    selected: Json = NOTHING,
    *,
    prices: Prices = "always",
    programs: Programs | None = None,
) -> PhoneShown:
    """Return a driver's page, seen from a car's seat.

    `prices` is the table's setting; `programs` adds what to do for the program's cars. The referee's seat gets every
    question. Of two cars with the same driver, the page follows the one that is asked or comes next.
    """
    sight = _sight(session, lang, ahead, selected, prices)
    now, held = _turn_of(session, sight, seat), session.cars_of(seat)
    others = tuple(_own(session, sight, car) for car in held if car != now)
    shown = msgspec.structs.replace(_page(session, sight, now), others=others)
    shown = msgspec.structs.replace(shown, seats=seats(sight)) if seat == "referee" else shown
    return msgspec.structs.replace(shown, push=programs.push(sight)) if programs is not None else shown


def _turn_of(session: Session, sight: Sight, seat: Seat) -> Seat:
    """Return the car to follow for a driver of several cars.

    That is the one asked, or the next to play; otherwise the seat itself.
    """
    held, asked = session.cars_of(seat), session.answering_seat(seat)
    if len(held) < 2 or sight.asked is None or asked == sight.asked.car:
        return asked
    return next((car for car in _coming(sight)[0] if car in held and car not in sight.desk.history.programs), seat)


def _sight(
    session: Session, lang: str, ahead: Ahead | None = None, selected: Json = NOTHING, prices: Prices = "always"
) -> Sight:
    desk = session.desk
    words = BoardWords(lang, desk.rulebook.name, desk.rulebook.track)
    told = next((event for event in reversed(session.events()) if event.rulings), None)
    rulings: Sequence[Ruling] = told.rulings if told is not None else ()
    return Sight(
        desk, words, ahead=ahead, prices=prices, selected=selected, told=rulings, entry=told.seq if told else 0
    )


def _page(session: Session, sight: Sight, seat: Seat) -> PhoneShown:
    desk, asked = session.desk, sight.asked
    program = desk.history.programs.get(seat, "") if isinstance(seat, int) else ""
    mine = asked is not None and (seat in ("referee", asked.car)) and not program
    whole = race(sight) if mine else None
    car = sight.cars.get(seat) if isinstance(seat, int) else None
    prompt, shown = whole.prompt if whole is not None else None, whole.card if whole is not None else None
    if prompt is not None and prompt.layout == "pick" and prompt.chosen >= 0 and shown is None:
        shown = hand.laid(sight, prompt.keys[prompt.chosen], _free(session, prompt, seat))
    ended = classified(sight) if desk.over else None
    rows = ended.rows if ended is not None else order(sight)
    paid = _last_paid(session)
    return PhoneShown(
        seq=desk.seq,
        n=desk.n,
        state=_state(session, sight, seat, mine=mine, program=program),
        name=desk.history.name,
        track=sight.track.name,
        top=top(sight, disputes=seat != "spectator"),
        order=_from(sight, rows, seat) if car is not None else rows,
        board=whole.board if whole is not None else whole_board(sight),
        asked=_question_text(sight),
        last=_last(session, sight, seat),
        playing=sight.plate(sight.playing) if sight.playing is not None and asked is not None else None,
        rulings=_rulings(session, sight, seat),
        card=shown if whole is not None else _last_card(sight, paid),
        own=_own(session, sight, seat) if car is not None else None,
        prompt=prompt,
        bands=_bands(sight, prompt) if prompt is not None else (),
        contest=_contest(sight, seat),
        skies=_skies(sight),
        moved=_position_change(session, sight, paid) if paid is not None else None,
        free=_free_ruling(session, sight, seat),
        stop=stop_ahead(sight) if mine and sight.track.known == "space" else "",
        disputed=session.disputed == desk.n,
        costs=whole.dashboard.columns if whole is not None and whole.dashboard is not None else (),
        program=program,
        over=desk.over,
        ended=ended,
        official="" if desk.over and desk.open_disputes() else None,
        export=desk.log is not None and (desk.over or not hides(desk.rulebook)),
    )


def _bands(sight: Sight, prompt: Prompt) -> tuple[AnswerKey, ...]:
    """Return a key for each band of the black die; none if no band has a price."""
    found = bands(sight.asked, prompt.keys) if prompt.layout == "black" else ()
    return found if any(key.prices for key in found) else ()


def _state(session: Session, sight: Sight, seat: Seat, *, mine: bool, program: str) -> State:
    if sight.asked is None:
        return "over"
    if mine:
        return "asked" if session.may_answer(seat) else "table"
    car = sight.cars.get(seat) if isinstance(seat, int) else None
    if car is not None and not car.alive and car.status != "finished":
        return "out"
    return "driven" if program else "waiting"


def _question_text(sight: Sight) -> str:
    """Return who is asked what."""
    if sight.asked is None:
        return sight.say("race.over")
    car = sight.car
    said = title(sight, sight.asked)
    return f"{car.driver or sight.codes[car.number]} · {said}" if car is not None else said


def _last(session: Session, sight: Sight, seat: Seat) -> str:
    """Return the last answer, unless it is hidden from this seat."""
    done = session.desk.undo_label()
    if done is None or (hides(sight.book) and done.ask in UNSHOWN and seat not in ("referee", done.car)):
        return ""
    if not done.ask:
        return sight.say(f"race.undo_{done.kind}")
    return sight.words.undo_label(done.ask, done.car, done.answer, sight.names)


def whole_board(sight: Sight) -> BoardScene:
    """Return the whole board with nothing on it but the cars."""
    if of_sections(sight):
        return BoardScene(close="overview", cars=cars(sight), sections=tiles(sight))
    return BoardScene(close="overview", cars=cars(sight), corners=corners(sight))


def _free(session: Session, prompt: Prompt, seat: Seat) -> int:
    """Return how many cards of a driver's hand are not frozen."""
    own = next((car for car in session.public_for(seat).cars if car.number == seat), None)
    if not isinstance(own, PublicSectionCar):
        return len(prompt.parts)
    return (collections.Counter(own.hand) - collections.Counter(own.frozen)).total()


def _from(sight: Sight, rows: tuple[Row, ...], seat: Seat) -> tuple[Row, ...]:
    """Return the order with gaps relative to a driver's own car."""
    own = next(car for car in sight.cars.values() if car.number == seat)
    if own.behind is None or sight.desk.over:
        return rows
    shown = []
    for row in rows:
        behind = sight.cars[row.plate.number].behind
        if row.gap and behind is not None:
            far = behind - own.behind
            key = "you" if row.plate.number == seat else "further" if far < 0 else "back" if far else ""
            row = msgspec.structs.replace(row, gap=sight.say(f"phone.{key}", spaces=abs(far)) if key else "")
        shown.append(row)
    return tuple(shown)


def _wears(sight: Sight, rows: tuple[Row, ...]) -> tuple[tuple[Column, ...], ...]:
    """Return the pools of each car in the order, () for a car with a chart."""
    cars = [sight.cars[row.plate.number] for row in rows]
    return tuple(columns(sight, car, {}) if car.alive and not charted(car) else () for car in cars)


def _contest(sight: Sight, seat: Seat) -> Contest | None:
    """Return the contest under way, without what is hidden from this seat.

    Others see who is asked and how many cards each has laid down; totals follow once all are down.
    """
    shown = contest(sight)
    if shown is None or shown.lines or seat == "referee":
        return shown
    first = sight.desk.conversation.checkpoints[-1][0]
    events = [item.event for item in sight.desk.history.items[first:]]
    laid = {one.key[1]: one.answer for one in events if one.key is not None and one.key[0] == "show"}
    rows = []
    for row in shown.rows:
        cards = laid.get(row.plate.number)
        word = sight.say("phone.down", count=len(cards)) if isinstance(cards, list) else ""
        word = sight.say("phone.chooses") if row.asked else word
        own = row.plate.number == seat
        rows.append(
            msgspec.structs.replace(row, word=word, terms=row.terms if own else (), total=row.total if own else "",
                                    joins=False, first=False)
        )  # fmt: skip
    return msgspec.structs.replace(shown, rows=tuple(rows))


def _rulings(session: Session, sight: Sight, seat: Seat) -> tuple[RulingLine, ...]:
    """Return the last rulings, latest first; for a driver, those on the driver's cars."""
    found: list[RulingLine] = []
    held = session.cars_of(seat)
    for event in reversed(session.standing_events()):
        for ruling in reversed(session.event_for(event, seat).rulings):
            if ruling.car is None or (isinstance(seat, int) and ruling.car not in held):
                continue
            found.append(_line(sight, event, ruling))
            if len(found) == MAX_RULINGS:
                return tuple(found)
    return tuple(found)


def _line(sight: Sight, event: Event, ruling: Ruling) -> RulingLine:
    return RulingLine(
        seq=event.seq,
        plate=sight.plate(ruling.car) if ruling.car in sight.cars else None,
        prices=price.wear(ruling.wear)[: price.MOST],
        text=sight.ruled(ruling),
        article=ruling.article,
        cited=sight.cited(ruling.article),
        sum=card.sum_terms(sight.before(event.seq), ruling, [ruling]) if ruling.wear else (),
    )


def _last_paid(session: Session) -> Event | None:
    """Return the last event in force with a cost, as spectators may know it."""
    seen = (session.event_for(event, "spectator") for event in reversed(session.standing_events()))
    return next((event for event in seen if any(map(costs_something, event.rulings))), None)


def _last_card(sight: Sight, paid: Event | None) -> Card | None:
    """Return the card of an event with a cost."""
    if paid is None:
        return None
    try:
        return card.after(Sight(sight.desk, sight.words, told=paid.rulings, entry=paid.seq).before(paid.seq))
    except (MissingWords, CompanionError, KeyError, IndexError):
        return None


def _position_change(session: Session, sight: Sight, paid: Event) -> PositionChange | None:
    """Return how an event moved its own car in the order."""
    orders, car = session.orders(paid.seq), paid.car
    if orders is None or car is None or any(car not in order for order in orders):
        return None
    before, after = orders
    was, now = before.index(car), after.index(car)
    if was == now:
        return None
    passed = [number for number in before if (before.index(number) < was) != (after.index(number) < now)]
    key = "passes" if now < was else "passed"
    return PositionChange(
        before=sight.say("row.position", place=was + 1),
        after=sight.say("row.position", place=now + 1),
        told=sight.say(f"phone.{key}", cars=", ".join(map(str, passed))),
    )


def _free_ruling(session: Session, sight: Sight, seat: Seat) -> str:
    """Return the last ruling if it cost nothing, otherwise "".

    For a driver, only what was answered by the program. A reminder for the car comes first, no matter who answered and
    whatever it cost.
    """
    event = next(reversed(session.standing_events()), None)
    rulings = session.event_for(event, seat).rulings if event is not None else ()
    reminded = [one for one in rulings if one.kind == "reminder" and one.car is not None]
    if mine := [one for one in reminded if one.car == seat or not isinstance(seat, int)]:
        return sight.ruled(mine[-1])
    if event is None or any(map(costs_something, rulings)) or (isinstance(seat, int) and event.by != "program"):
        return ""
    own = [one for one in rulings if one.kind != "reminder" and (one.car == seat or not isinstance(seat, int))]
    return sight.ruled(own[-1]) if own else ""


def _skies(sight: Sight) -> Skies | None:
    """Return what can change the weather; None if it cannot."""
    faces, track = draws_weather(sight.book), sight.track
    if not faces or not isinstance(track, Track):
        return None
    rolls = [sight.say("phone.flat_out", face=face, gear=gear) for gear, face in faces.items()]
    return Skies(
        icon=sight.race.sky,
        when=sight.say("phone.skies", rulebook=sight.race.rulebook, rolls=rolls),
        chart=tuple((name, faces) for _, name, faces in chart_of(track.weather, sight.words)),
    )


def _own(session: Session, sight: Sight, seat: Seat) -> OwnCar:
    assert isinstance(seat, int)
    car, place = sight.cars[seat], sight.order.index(seat)
    running = sight.race.phase != "setup"
    coming, round_at = _coming(sight)
    until = coming.index(seat) if seat in coming else 0
    queue = [*coming[: min(until, MAX_PLATES - 1)], seat] if seat in coming else []
    face = session.public_for(seat)
    own = next(one for one in face.cars if one.number == seat)
    shown = own.hand if isinstance(own, PublicSectionCar) and isinstance(face, PublicSections) else ()
    return OwnCar(
        plate=sight.plate(seat),
        name=car.driver or sight.codes[seat],
        place=sight.say("row.position", place=place + 1) if running or car.at else "",
        between=_between(sight, place) if running else "",
        columns=columns(sight, car, {}) if not charted(car) else (),
        counters=counters(sight, car) if charted(car) else (),
        extras=extras(sight, car) if not charted(car) else (),
        hand=tuple(hand.face(sight, code, many=len(shown) > hand.WORDED) for code in shown),
        begun=running,
        until=until,
        coming=tuple(map(sight.plate, queue)),
        round_at=min(round_at, MAX_PLATES - 1),
        opens=coming[round_at : round_at + 1] == [seat],
        undo=_last(session, sight, seat) if session.may_undo(seat) else "",
    )


def _between(sight: Sight, place: int) -> str:
    """Return the cars ahead of and behind a car, with the gaps in spaces."""
    own = sight.cars[sight.order[place]]
    parts = []
    for at, key in ((place - 1, "behind"), (place + 1, "ahead")):
        other = sight.cars.get(sight.order[at]) if 0 <= at < len(sight.order) else None
        if other is not None and own.behind is not None and other.behind is not None:
            parts.append(sight.say(f"phone.{key}", spaces=abs(own.behind - other.behind), car=str(other.number)))
    return " · ".join(parts)


def _coming(sight: Sight) -> tuple[list[int], int]:
    """Return the turns to come, and how many of them belong to this round."""
    now = [sight.playing] if sight.playing is not None else []
    rest = [number for number in sight.race.to_play if number not in now]
    next_round = [number for number in sight.order if sight.cars[number].alive and number not in (*now, *rest)]
    return [*now, *rest, *next_round], len(now) + len(rest)
