"""A phone beside the table, and a race on a wall: what each shows at one moment, for a driver's seat or for anybody."""

from __future__ import annotations

import collections
from collections.abc import Sequence
from typing import Final, Literal

import msgspec

from companion.desk.ahead import Ahead
from companion.desk.session import Event, Seat, Session
from companion.rules.conversation.asking import Json, Ruling
from companion.rules.conversation.errors import CompanionError
from companion.rules.public import UNSHOWN, PublicSectionCar, PublicSections, hides
from companion.view import card, hand, price
from companion.view.board import cars, corners
from companion.view.brought import costs_something
from companion.view.contest import contest
from companion.view.counters import charted, counters
from companion.view.dashboard import columns
from companion.view.extras import extras
from companion.view.order import order
from companion.view.race import race, top
from companion.view.sections import of_sections, tiles
from companion.view.shown import Card, Column, Counter, Extra, Key, Plate, Price, Prompt, Row, Shown, Term, TopBar
from companion.view.shown_board import BoardScene
from companion.view.shown_race import Contest
from companion.view.sight import NOTHING, Prices, Sight
from companion.view.titles import title
from companion.view.worded import BoardWords
from companion.wording.filling import MissingWords

State = Literal["asked", "table", "waiting", "out", "over"]
"""What a driver's phone is: asked; shown his question, which the table answers; waiting; out; at the race's end."""

RULINGS: Final = 12
"""How many of the last rulings are told."""
COMING: Final = 9
"""How many plates stand in the queue until a driver's turn."""


class RulingLine(Shown, frozen=True, kw_only=True):
    """A ruling in a line: whose, what it took, the sentence, the article as people read it; its `sum` written out."""

    seq: int
    plate: Plate | None = None
    prices: tuple[Price, ...] = ()
    text: str
    cited: str = ""
    article: str = ""
    sum: tuple[Term, ...] = ()


class OwnCar(Shown, frozen=True, kw_only=True):
    """A driver's own car: `place` in the order, who is before and behind it, what it has left; its hand of cards."""

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
    undo: str = ""


class PhoneShown(Shown, frozen=True, kw_only=True):
    """All that a phone or a wall shows. `own` is there for a driver alone, and the `prompt` while he is asked; `asked`
    says for everybody who is asked what, `last` what the last answer was; `costs` is what he has left with what the
    selected answer costs; `disputed` that he would rather have the table decide. `wears` is what each car of the order
    has left, for a wall."""

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
    prompt: Prompt | None = None
    contest: Contest | None = None
    costs: tuple[Column, ...] = ()
    wears: tuple[tuple[Column, ...], ...] = ()
    disputed: bool = False
    over: bool = False
    export: bool = False


def watched(session: Session, lang: str, *, wears: bool = False) -> PhoneShown:
    """What anybody may see of a race; on a wall with the wear of all cars."""
    sight = _sight(session, lang)
    shown = _shown(session, sight, "spectator")
    return msgspec.structs.replace(shown, wears=_wears(sight, shown.order)) if wears else shown


def driven(
    session: Session, lang: str, seat: Seat, ahead: Ahead, selected: Json = NOTHING, prices: Prices = "always"
) -> PhoneShown:
    """What a driver sees, from his car's seat, with the prices that the table shows; the referee's has every
    question."""
    return _shown(session, _sight(session, lang, ahead, selected, prices), seat)


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
    mine = asked is not None and (seat in ("referee", asked.car))
    whole = race(sight) if mine else None
    begun = desk.history.beginning
    car = sight.cars.get(seat) if isinstance(seat, int) else None
    prompt, shown = whole.prompt if whole is not None else None, whole.card if whole is not None else None
    if prompt is not None and prompt.layout == "pick" and prompt.chosen >= 0 and shown is None:
        shown = hand.laid(sight, prompt.keys[prompt.chosen], _free(session, prompt, seat))
    rows = order(sight)
    return PhoneShown(
        seq=desk.seq,
        n=desk.n,
        state=_state(session, sight, seat, mine=mine),
        name=begun.name if begun is not None else "",
        track=sight.track.name,
        top=top(sight),
        order=_from(sight, rows, seat) if car is not None else rows,
        board=whole.board if whole is not None else _whole(sight),
        asked=_asked(sight),
        last=_last(session, sight, seat),
        playing=sight.plate(sight.playing) if sight.playing is not None and asked is not None else None,
        rulings=_rulings(session, sight, seat),
        card=shown if whole is not None else _last_card(session, sight),
        own=_own(session, sight, seat) if car is not None else None,
        prompt=prompt,
        contest=_contest(sight, seat),
        disputed=session.disputed == desk.n,
        costs=whole.dashboard.columns if whole is not None and whole.dashboard is not None else (),
        over=desk.over,
        export=desk.log is not None and (desk.over or not hides(desk.rulebook)),
    )


def _state(session: Session, sight: Sight, seat: Seat, *, mine: bool) -> State:
    if sight.asked is None:
        return "over"
    if mine:
        return "asked" if session.may_answer(seat) else "table"
    car = sight.cars.get(seat) if isinstance(seat, int) else None
    return "out" if car is not None and not car.alive and car.status != "finished" else "waiting"


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
    return sight.words.undo_label(done.ask, done.car, done.answer, sight.names)


def _whole(sight: Sight) -> BoardScene:
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
    first = sight.desk.conversation.marks[-1][0]
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
    """The last rulings, the latest first; on a driver's phone those on his car."""
    found: list[RulingLine] = []
    for event in reversed(session.standing_events()):
        for ruling in reversed(session.seen(event, seat).rulings):
            if ruling.kind == "reminder" or ruling.car is None or (isinstance(seat, int) and ruling.car != seat):
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
        sum=card.written(sight, ruling) if ruling.wear else (),
    )


def _last_card(session: Session, sight: Sight) -> Card | None:
    """The last ruling that took something, as a card."""
    for event in reversed(session.standing_events()):
        rulings = session.seen(event, "spectator").rulings
        if any(costs_something(ruling) for ruling in rulings):
            then = Sight(sight.desk, sight.words, told=rulings, entry=event.seq)
            try:
                return card.after(then)
            except (MissingWords, CompanionError, KeyError, IndexError):
                return None
    return None


def _own(session: Session, sight: Sight, seat: Seat) -> OwnCar:
    assert isinstance(seat, int)
    car, place = sight.cars[seat], sight.order.index(seat)
    running = sight.race.phase != "setup"
    coming = _coming(sight, seat)
    face = session.known(seat)
    own = next(one for one in face.cars if one.number == seat)
    shown = own.hand if isinstance(own, PublicSectionCar) and isinstance(face, PublicSections) else ()
    return OwnCar(
        plate=sight.plate(seat),
        name=car.driver or sight.codes[seat],
        place=sight.say("row.position", place=place + 1) if running else "",
        between=_between(sight, place) if running else "",
        columns=columns(sight, car, {}) if not charted(car) else (),
        counters=counters(sight, car) if charted(car) else (),
        extras=extras(sight, car) if not charted(car) else (),
        hand=tuple(hand.face(sight, code, many=len(shown) > hand.WORDED) for code in shown),
        begun=running,
        until=coming.index(seat) if seat in coming else 0,
        coming=tuple(sight.plate(number) for number in coming[:COMING]),
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


def _coming(sight: Sight, seat: int) -> list[int]:
    """Whose turns come, this round and the next, up to a car's."""
    now = [sight.playing] if sight.playing is not None else []
    rest = [number for number in sight.race.to_play if number not in now]
    next_round = [number for number in sight.order if sight.cars[number].alive and number not in (*now, *rest)]
    return [*now, *rest, *next_round]
