"""The shapes of what is shown: plain frozen data between the race as the desk tells it and the widgets that draw it."""

from __future__ import annotations

from typing import Literal

import msgspec

from companion.rules.conversation import Json

Tone = Literal["plain", "ok", "warn", "bad", "info"]
"""What a signal says: nothing, free, costs points, spin or out, weather or pit. It never stands without a word."""


class Shown(msgspec.Struct, frozen=True, kw_only=True):
    """Something shown; equal data is drawn the same, so that only what has changed is drawn anew."""


class Plate(Shown, frozen=True, kw_only=True):
    """A car's number plate: `place` is its place among the entrants (0 is the first), which gives colour and shape."""

    number: int
    place: int


class Price(Shown, frozen=True, kw_only=True):
    """One thing that an answer brings: a pictogram (a name of icons.py, or none) and a word or figure."""

    text: str = ""
    icon: str = ""
    tone: Tone = "plain"


class Key(Shown, frozen=True, kw_only=True):
    """One answer to the question, as a key.

    `label` is the figure or word on it, `note` its second line (in a `note_tone`: a stop made), `prices` what it would
    bring. `accept` says that it is applied only after its card was accepted: it costs something. A key that is not
    allowed has a `why`; only the referee's word gives its answer. `space` is the board space it means, by name.
    """

    answer: Json = None
    label: str
    note: str = ""
    note_tone: Tone = "plain"
    prices: tuple[Price, ...] = ()
    accept: bool = False
    why: str = ""
    space: str = ""


class Field(Shown, frozen=True, kw_only=True):
    """One field of a form: a stepper (`low` to `high`), a choice among `keys`, or several of them (`many`); a line of
    text; a place of the circuit, or several (`keys` are all that there are). `price` is what a step of it takes of
    what the fields may come to in all."""

    name: str
    label: str
    icon: str = ""
    kind: Literal["stepper", "choice", "many", "text", "place", "places"] = "stepper"
    value: Json = None
    low: int = 0
    high: int = 0
    price: int = 1
    keys: tuple[Key, ...] = ()


class Step(Shown, frozen=True, kw_only=True):
    """One step of the turn's trail; `back` is the number of answers to take back to be asked it again (done steps)."""

    label: str
    state: Literal["done", "now", "to_come"]
    back: int = 0


class Undo(Shown, frozen=True, kw_only=True):
    """What an undo or redo would take back or give again; `label` is empty if there is nothing."""

    label: str = ""


class InTurn(Shown, frozen=True, kw_only=True):
    """A car in the order of a turn: it has played, plays, or still will."""

    plate: Plate
    state: Literal["done", "now", "to_come"]


class Prompt(Shown, frozen=True, kw_only=True):
    """The one question: who is asked, what, and its answers.

    `layout` says how the answers are laid out: "keys" in a row, "die" a coloured die's faces, "black" the black die's
    twenty, "landing" spaces of the board (lettered from the cheapest), "list" many rows, "form" fields with steppers,
    "attack" weapons and their targets, "cards" cards of a hand in a row, "pick" answers that are put together from
    `parts`, "none" if nothing is asked. `chosen` is the place of the key that is selected
    beforehand (-1: none). `key` is what makes the question the same question: when it changes, touches are ignored for
    a moment. `most` is what the fields of a form may come to in all (0: nobody knows). Cards that were not
    offered may be `typed`: so many at least and at most. `die` is the die that is to be
    rolled: "1" to "6" for those of the gears, "20" for the black one, "" for none. `cited` is the article as people
    read it.
    """

    key: str
    n: int
    ask: str = ""
    article: str = ""
    cited: str = ""
    plate: Plate | None = None
    title: str
    unit: str = ""
    layout: Literal["keys", "die", "black", "landing", "list", "form", "attack", "cards", "pick", "none"] = "keys"
    keys: tuple[Key, ...] = ()
    fields: tuple[Field, ...] = ()
    most: int = 0
    typed: tuple[int, int] = (0, 0)
    die: str = ""
    chosen: int = -1
    trail: tuple[Step, ...] = ()
    turn: tuple[InTurn, ...] = ()
    parts: tuple[Key, ...] = ()
    undo: Undo = Undo()
    redo: Undo = Undo()


class Line(Shown, frozen=True, kw_only=True):
    """One line of a card: a pictogram and a sentence."""

    text: str
    icon: str = ""
    tone: Tone = "plain"


class Term(Shown, frozen=True, kw_only=True):
    """One term of a written-out sum: a figure or sign (`value`) and the word beneath it."""

    value: str
    word: str = ""
    tone: Tone = "plain"


class Loss(Shown, frozen=True, kw_only=True):
    """A pool before and after a ruling: `built` points it may hold, `before` and `after` what is or will be left."""

    pool: str
    name: str
    built: int
    before: int
    after: int


class Card(Shown, frozen=True, kw_only=True):
    """A ruling card: what happened, the sum written out, the effect, one line of consequence, the article.

    `accept` names the act on its main key ("Accept", "Spin"), with `act` as that key's second line. `tone` is the left
    edge. `seq` is the log entry of a ruling that was given (0: not yet given), for a dispute. `cited` is the article as
    people read it.
    """

    title: str
    article: str
    cited: str = ""
    icon: str = ""
    tone: Tone = "plain"
    sum: tuple[Term, ...] = ()
    losses: tuple[Loss, ...] = ()
    lines: tuple[Line, ...] = ()
    accept: str = ""
    act: str = ""
    seq: int = 0


class Row(Shown, frozen=True, kw_only=True):
    """A row of the running order. `gap` is in spaces behind the leader, or "Leader"; a `chip` replaces it. `left` is
    what the car has left, where that is told in figures."""

    position: int
    plate: Plate
    code: str
    name: str
    team: str = ""
    gear: str = ""
    lap: str = ""
    gap: str = ""
    chip: str = ""
    chip_tone: Tone = "plain"
    left: tuple[Price, ...] = ()
    played: bool = False
    playing: bool = False
    out: bool = False


class GearCell(Shown, frozen=True, kw_only=True):
    """One cell of the gear gate: `state` and, where it is allowed, what the change costs ("free", "−1")."""

    gear: int
    state: Literal["now", "allowed", "barred"]
    word: str = ""
    tone: Tone = "plain"


class Column(Shown, frozen=True, kw_only=True):
    """A wear column: `built` segments, `left` filled; the last `cost` of those hatched; `repaired` drawn as such."""

    pool: str
    name: str
    built: int
    left: int
    cost: int = 0
    repaired: int = 0


class Extra(Shown, frozen=True, kw_only=True):
    """Something else on the dashboard that a rulebook brings: a compound, KERS, tokens, a weapon."""

    icon: str = ""
    label: str
    value: str = ""
    filled: int = 0
    of: int = 0
    tone: Tone = "plain"


class Counter(Shown, frozen=True, kw_only=True):
    """Something counted on a car: `value` of `of` (0: of nothing in particular); `kept` of it no stop takes away."""

    icon: str
    label: str
    value: int
    of: int = 0
    kept: int = 0
    tone: Tone = "plain"


class Dashboard(Shown, frozen=True, kw_only=True):
    """The car to play: its gate, its wear and what else it carries; or, of a car without gears, its counters."""

    plate: Plate
    name: str
    position: str = ""
    gears: tuple[GearCell, ...] = ()
    columns: tuple[Column, ...] = ()
    extras: tuple[Extra, ...] = ()
    counters: tuple[Counter, ...] = ()


class TopBar(Shown, frozen=True, kw_only=True):
    """Lap (empty where a race counts only its rounds, and then there are `rounds` of them), round, sky and surface (and
    whether that is `wet`); `marks` are chips that stay (not saved, disputed)."""

    lap: str
    laps: str
    round: str
    rounds: str = ""
    sky: str = ""
    sky_icon: str = ""
    surface: str = ""
    wet: bool = False
    marks: tuple[Price, ...] = ()


class CarMark(Shown, frozen=True, kw_only=True):
    """A car on the board: where, and how it is drawn."""

    plate: Plate
    space: str
    state: Literal["plain", "playing", "spun", "out"] = "plain"


class SpaceMark(Shown, frozen=True, kw_only=True):
    """A space that the board points at; `text` is the distance or the letter on it, all there is of one "ahead"."""

    space: str
    state: Literal["free", "cost", "bad", "choice", "chosen", "danger", "ahead"]
    text: str = ""
    prices: tuple[Price, ...] = ()


class CornerNote(Shown, frozen=True, kw_only=True):
    """What stands beside a corner: its stops, its name, and how many are made, in words and as a number (-1 where the
    car to play is not). `corner` is its index on the track."""

    corner: int
    stops: int
    name: str
    made: str = ""
    done: int = -1


class LinePoint(Shown, frozen=True, kw_only=True):
    """A point of the ideal line in a section: the letter of its colour and its bonus; `car` stands on it."""

    text: str
    car: int = 0


class InSection(Shown, frozen=True, kw_only=True):
    """A car in a section: its place in the line there (0: it is off the track); `still` is its no-move marker."""

    plate: Plate
    code: str
    place: int
    still: bool = False
    playing: bool = False


class SectionTile(Shown, frozen=True, kw_only=True):
    """One section of a board of sections: `space` is its name as a place, `bonus` that of a contest in a corner, `late`
    the value of a sign. `here` is where the turn is played."""

    space: str
    number: int
    name: str = ""
    kind: Literal["straight", "braking", "corner"]
    bonus: str = ""
    late: str = ""
    points: tuple[LinePoint, ...] = ()
    cars: tuple[InSection, ...] = ()
    here: bool = False


class BoardScene(Shown, frozen=True, kw_only=True):
    """What the board shows. `close` is the close-up: "roll" every space in reach, "landing" big enough to touch,
    "overview" the whole circuit. `around` is the space it is drawn around; `path` the spaces driven, in
    order; `shot` the space that is fired from and the one that is fired at. A board of `sections` is nothing but its
    tiles."""

    close: Literal["roll", "landing", "overview"] = "roll"
    around: str = ""
    cars: tuple[CarMark, ...] = ()
    spaces: tuple[SpaceMark, ...] = ()
    corners: tuple[CornerNote, ...] = ()
    path: tuple[str, ...] = ()
    shot: tuple[str, ...] = ()
    sections: tuple[SectionTile, ...] = ()


class Toast(Shown, frozen=True, kw_only=True):
    """One line that goes by itself after four seconds, with an action ("log", "article", "export", "retry") or none."""

    text: str
    tone: Tone = "ok"
    icon: str = ""
    action: str = ""
    action_label: str = ""


class QueueRow(Shown, frozen=True, kw_only=True):
    """A row of the tests queue: whose, which test, why; `die` and `outcome` once it is rolled, `keys` if it is now: the
    faces that bring the same, in bands."""

    plate: Plate
    code: str
    icon: str
    title: str
    note: str = ""
    die: str = ""
    outcome: Price = Price()
    state: Literal["done", "now", "to_come"] = "to_come"
    keys: tuple[Key, ...] = ()


class Weapon(Shown, frozen=True, kw_only=True):
    """A weapon: `tokens` of at most `most` lie on it. `answer` is the first thing that can be done with it, if it
    `can` do anything."""

    name: str
    note: str = ""
    icon: str = ""
    tokens: int = 0
    most: int = 0
    chosen: bool = False
    can: bool = False
    answer: Json = None


class Aim(Shown, frozen=True, kw_only=True):
    """What a chosen action comes to: the target and where it is, `lines` of a word (`icon`) and a figure, the faces
    that hit and the `chance` of that, and what the target has left."""

    plate: Plate | None = None
    name: str = ""
    where: str = ""
    lines: tuple[Line, ...] = ()
    big: str = ""
    chance: str = ""
    columns: tuple[Column, ...] = ()
    defences: str = ""


class Attack(Shown, frozen=True, kw_only=True):
    """A choice among weapons and targets: `keys` are the actions with the weapon that is chosen, the one at `chosen`
    is done by `act`; `skip` does nothing. `attackers` still act, in order."""

    weapons: tuple[Weapon, ...]
    attackers: tuple[Plate, ...]
    keys: tuple[Key, ...] = ()
    chosen: int = -1
    act: Key | None = None
    skip: Key | None = None
    aim: Aim | None = None


class PitCar(Shown, frozen=True, kw_only=True):
    """A car in the pits: after which stop, and whether it is asked `now`."""

    plate: Plate
    code: str
    service: str = ""
    now: bool = False


class PitColumn(Shown, frozen=True, kw_only=True):
    """A column of the pits with its cars in their rows."""

    name: str
    cars: tuple[PitCar, ...] = ()


class PitBox(Shown, frozen=True, kw_only=True):
    """A box of the pit lane: the cars it belongs to that are not there, and the one that stands in it."""

    number: int
    owners: tuple[Plate, ...] = ()
    car: PitCar | None = None


class PitLane(Shown, frozen=True, kw_only=True):
    """The boxes beside the pit lane, and the cars in the lane, each so far along it (0 to 1); `spaces` is how many the
    lane is known to have, 0 where nobody knows."""

    boxes: tuple[PitBox, ...]
    cars: tuple[tuple[float, Plate], ...] = ()
    spaces: int = 0


class Contestant(Shown, frozen=True, kw_only=True):
    """A car in a contest: what its `total` is made of; `word` stands for the total while there is none."""

    plate: Plate
    name: str
    terms: tuple[Price, ...] = ()
    total: str = ""
    word: str = ""
    first: bool = False
    asked: bool = False


class Contest(Shown, frozen=True, kw_only=True):
    """Cars that contend for their order, the head of the line first, and what came of it."""

    title: str
    place: str
    article: str
    rows: tuple[Contestant, ...]
    lines: tuple[Line, ...] = ()


class RaceShown(Shown, frozen=True, kw_only=True):
    """All that the race screen shows at one moment."""

    top: TopBar
    order: tuple[Row, ...]
    prompt: Prompt
    board: BoardScene
    dashboard: Dashboard | None = None
    card: Card | None = None
    tests: tuple[QueueRow, ...] = ()
    attack: Attack | None = None
    aim: Aim | None = None
    pits: tuple[PitColumn, ...] = ()
    lane: PitLane | None = None
    contest: Contest | None = None
    toast: Toast | None = None
