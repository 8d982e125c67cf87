"""A phone beside the table, and a race on a wall: what each shows at one moment, for a driver's seat or for anybody."""

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
from companion.view.brought import costs_something
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
from companion.view.shown import Card, Column, Counter, Extra, Key, Plate, Price, Prompt, Row, Shown, Term, TopBar
from companion.view.shown_board import BoardScene
from companion.view.shown_race import Contest, Push
from companion.view.sight import NOTHING, Prices, Sight
from companion.view.worded import BoardWords
from companion.wording.filling import MissingWords

State = Literal["asked", "table", "driven", "waiting", "out", "over"]
"""What a driver's phone is: asked; shown his question, which the table answers; told that the program has his seat;
waiting; out; at the race's end."""

RULINGS: Final = 12
"""How many of the last rulings are told."""
COMING: Final = 8
"""How many plates there is room for in the queue until a driver's turn; his own is the last."""


class RulingLine(Shown, frozen=True, kw_only=True):
    """A ruling in a line: whose, what it took, the sentence, the article as people read it; its `sum` written out."""

    seq: int
    plate: Plate | None = None
    prices: tuple[Price, ...] = ()
    text: str
    cited: str = ""
    article: str = ""
    sum: tuple[Term, ...] = ()


class Skies(Shown, frozen=True, kw_only=True):
    """What brings another sky, and which faces then bring each of them."""

    icon: str
    when: str
    chart: tuple[tuple[str, str], ...]


class Moved(Shown, frozen=True, kw_only=True):
    """What a ruling's move did to the order: the places of its car before and after it, and whom that concerns."""

    before: str
    after: str
    told: str


class OwnCar(Shown, frozen=True, kw_only=True):
    """A driver's own car: `place` in the order, who is before and behind it, what it has left; its hand of cards. The
    turns that are `coming` before his are `until`; from `round_at` on they are the next round's, and `opens` says that
    his is its first."""

    plate: Plate
    name: str
    place: str = ""
    between: str = ""
    columns: tuple[Column, ...] = ()
    counters: tuple[Counter, ...] = ()
    extras: tuple[Extra, ...] = ()
    hand: tuple[Key, ...] = ()
    begun: bool = True
    until: int = 0
    coming: tuple[Plate, ...] = ()
    round_at: int = 0
    opens: bool = False
    undo: str = ""


class PhoneShown(Shown, frozen=True, kw_only=True):
    """All that a phone or a wall shows. `own` is there for a driver alone, and the `prompt` while he is asked; `asked`
    says for everybody who is asked what, `last` what the last answer was; `bands` are keys for the faces of a die that
    bring the same; `costs` is what he has left with what the selected answer costs; `disputed` that he would rather
    have the table decide. `wears` is what each car of the order has left; `skies` what brings another sky, `moved`
    what the last ruling that took something did to the order, `free` what was ruled last if it took nothing; `others`
    are the other cars of the same driver; `push` is what the table does for a car that the program drives, `program`
    which of its drivers has this seat, `seats` is who may drive from here on. Of a race that is over `ended` is the
    classification, and `official` when two people had confirmed it: "" not yet, None where nobody does."""

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
    bands: tuple[Key, ...] = ()
    contest: Contest | None = None
    costs: tuple[Column, ...] = ()
    wears: tuple[tuple[Column, ...], ...] = ()
    skies: Skies | None = None
    moved: Moved | None = None
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
    """What anybody may see of a race."""
    return _shown(session, _sight(session, lang), "spectator")


def on_wall(session: Session, lang: str, odds: Mapping[int, float]) -> PhoneShown:
    """The same with what each car has left, and with the odds where the table wants them."""
    sight = _sight(session, lang)
    shown = _shown(session, sight, "spectator")
    shown = msgspec.structs.replace(shown, wears=_wears(sight, shown.order))
    if not odds:
        return shown
    from companion.view.seats.odds import with_odds  # with the strong drivers

    return msgspec.structs.replace(shown, order=with_odds(shown.order, odds, sight.words))


def driven(
    session: Session,
    lang: str,
    seat: Seat,
    ahead: Ahead,
    selected: Json = NOTHING,
    *,
    prices: Prices = "always",
    programs: Programs | None = None,
) -> PhoneShown:
    """What a driver sees, from his car's seat, with the prices that the table shows, and what is to be done for the
    program's cars; the referee's has every question. Of two cars he drives it is about the one that is asked, or comes
    next."""
    sight = _sight(session, lang, ahead, selected, prices)
    now, held = _turn_of(session, sight, seat), session.cars_of(seat)
    others = tuple(_own(session, sight, car) for car in held if car != now)
    shown = msgspec.structs.replace(_shown(session, sight, now), others=others)
    shown = msgspec.structs.replace(shown, seats=seats(sight)) if seat == "referee" else shown
    return msgspec.structs.replace(shown, push=programs.push(sight)) if programs is not None else shown


def _turn_of(session: Session, sight: Sight, seat: Seat) -> Seat:
    """The seat of the car of a seat's driver that is asked, or is the first of his to be; else the seat itself."""
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


def _shown(session: Session, sight: Sight, seat: Seat) -> PhoneShown:
    desk, asked = session.desk, sight.asked
    program = desk.history.programs.get(seat, "") if isinstance(seat, int) else ""
    mine = asked is not None and (seat in ("referee", asked.car)) and not program
    whole = race(sight) if mine else None
    begun = desk.history.beginning
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
        name=begun.name if begun is not None else "",
        track=sight.track.name,
        top=top(sight, disputes=seat != "spectator"),
        order=_from(sight, rows, seat) if car is not None else rows,
        board=whole.board if whole is not None else whole_board(sight),
        asked=_asked(sight),
        last=_last(session, sight, seat),
        playing=sight.plate(sight.playing) if sight.playing is not None and asked is not None else None,
        rulings=_rulings(session, sight, seat),
        card=shown if whole is not None else _last_card(sight, paid),
        own=_own(session, sight, seat) if car is not None else None,
        prompt=prompt,
        bands=_bands(sight, prompt) if prompt is not None else (),
        contest=_contest(sight, seat),
        skies=_skies(sight),
        moved=_moved(session, sight, paid) if paid is not None else None,
        free=_free_ruling(session, sight, seat),
        stop=stop_ahead(sight) if mine and sight.track.known == "space" else "",
        disputed=session.disputed == desk.n,
        costs=whole.dashboard.columns if whole is not None and whole.dashboard is not None else (),
        program=program,
        over=desk.over,
        ended=ended,
        export=desk.log is not None and (desk.over or not hides(desk.rulebook)),
    )


def _bands(sight: Sight, prompt: Prompt) -> tuple[Key, ...]:
    """Return a key for each band of the black die; none where no price would say what the bands bring."""
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


def _asked(sight: Sight) -> str:
    """Who is asked what."""
    if sight.asked is None:
        return sight.say("race.over")
    car = sight.car
    said = title(sight, sight.asked)
    return f"{car.driver or sight.codes[car.number]} · {said}" if car is not None else said


def _last(session: Session, sight: Sight, seat: Seat) -> str:
    """What the last answer was, where it lies open."""
    done = session.desk.undo_label()
    if done is None or (hides(sight.book) and done.ask in UNSHOWN and seat not in ("referee", done.car)):
        return ""
    if not done.ask:
        return sight.say(f"race.undo_{done.kind}")
    return sight.words.undo_label(done.ask, done.car, done.answer, sight.names)


def whole_board(sight: Sight) -> BoardScene:
    """The whole board, with nothing on it but the cars."""
    if of_sections(sight):
        return BoardScene(close="overview", cars=cars(sight), sections=tiles(sight))
    return BoardScene(close="overview", cars=cars(sight), corners=corners(sight))


def _free(session: Session, prompt: Prompt, seat: Seat) -> int:
    """How many cards of a hand that is put together from are not frozen."""
    own = next((car for car in session.known(seat).cars if car.number == seat), None)
    if not isinstance(own, PublicSectionCar):
        return len(prompt.parts)
    return (collections.Counter(own.hand) - collections.Counter(own.frozen)).total()


def _from(sight: Sight, rows: tuple[Row, ...], seat: Seat) -> tuple[Row, ...]:
    """The order as a driver reads it: how many spaces each is before or behind him."""
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
    """What each car of the order has left, where it has points in pools."""
    cars = [sight.cars[row.plate.number] for row in rows]
    return tuple(columns(sight, car, {}) if car.alive and not charted(car) else () for car in cars)


def _contest(sight: Sight, seat: Seat) -> Contest | None:
    """The contest that goes on, with no more than lies open: who is asked, how many cards each has laid down, and what
    they come to once all have."""
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
    """The last rulings, the latest first; on a driver's phone those on his cars."""
    found: list[RulingLine] = []
    held = session.cars_of(seat)
    for event in reversed(session.standing_events()):
        for ruling in reversed(session.seen(event, seat).rulings):
            if ruling.car is None or (isinstance(seat, int) and ruling.car not in held):
                continue
            found.append(_line(sight, event, ruling))
            if len(found) == RULINGS:
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
        sum=card.written(sight, ruling, [ruling]) if ruling.wear else (),
    )


def _last_paid(session: Session) -> Event | None:
    """The last event in force that took something, as anybody may know it."""
    seen = (session.seen(event, "spectator") for event in reversed(session.standing_events()))
    return next((event for event in seen if any(map(costs_something, event.rulings))), None)


def _last_card(sight: Sight, paid: Event | None) -> Card | None:
    """What it took, as a card."""
    if paid is None:
        return None
    try:
        return card.after(Sight(sight.desk, sight.words, told=paid.rulings, entry=paid.seq))
    except (MissingWords, CompanionError, KeyError, IndexError):
        return None


def _moved(session: Session, sight: Sight, paid: Event) -> Moved | None:
    """What it did to the order, for its own car."""
    orders, car = session.orders(paid.seq), paid.car
    if orders is None or car is None or any(car not in order for order in orders):
        return None
    before, after = orders
    was, now = before.index(car), after.index(car)
    if was == now:
        return None
    passed = [number for number in before if (before.index(number) < was) != (after.index(number) < now)]
    key = "passes" if now < was else "passed"
    return Moved(
        before=sight.say("row.position", place=was + 1),
        after=sight.say("row.position", place=now + 1),
        told=sight.say(f"phone.{key}", cars=", ".join(map(str, passed))),
    )


def _free_ruling(session: Session, sight: Sight, seat: Seat) -> str:
    """What was ruled last if it took nothing: of a driver's car what was answered for him. What a car is reminded of
    goes first, whoever has answered and whatever it took."""
    event = next(reversed(session.standing_events()), None)
    rulings = session.seen(event, seat).rulings if event is not None else ()
    reminded = [one for one in rulings if one.kind == "reminder" and one.car is not None]
    if mine := [one for one in reminded if one.car == seat or not isinstance(seat, int)]:
        return sight.ruled(mine[-1])
    if event is None or any(map(costs_something, rulings)) or (isinstance(seat, int) and event.by != "program"):
        return ""
    own = [one for one in rulings if one.kind != "reminder" and (one.car == seat or not isinstance(seat, int))]
    return sight.ruled(own[-1]) if own else ""


def _skies(sight: Sight) -> Skies | None:
    """What brings another sky; nothing where it stays."""
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
    queue = [*coming[: min(until, COMING - 1)], seat] if seat in coming else []
    face = session.known(seat)
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
        round_at=min(round_at, COMING - 1),
        opens=coming[round_at : round_at + 1] == [seat],
        undo=_last(session, sight, seat) if session.may_undo(seat) else "",
    )


def _between(sight: Sight, place: int) -> str:
    """Who is before a car, and who behind, with the spaces between them."""
    own = sight.cars[sight.order[place]]
    parts = []
    for at, key in ((place - 1, "behind"), (place + 1, "ahead")):
        other = sight.cars.get(sight.order[at]) if 0 <= at < len(sight.order) else None
        if other is not None and own.behind is not None and other.behind is not None:
            parts.append(sight.say(f"phone.{key}", spaces=abs(own.behind - other.behind), car=str(other.number)))
    return " · ".join(parts)


def _coming(sight: Sight) -> tuple[list[int], int]:
    """Whose turns come, this round and the next; and how many of them are this round's."""
    now = [sight.playing] if sight.playing is not None else []
    rest = [number for number in sight.race.to_play if number not in now]
    next_round = [number for number in sight.order if sight.cars[number].alive and number not in (*now, *rest)]
    return [*now, *rest, *next_round], len(now) + len(rest)
