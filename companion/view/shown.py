"""The shapes of what is shown: plain frozen data between the race as the desk tells it and the widgets that draw it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import msgspec

from companion.rules.conversation.asking import Json
from companion.rules.conversation.kinds import Ask, Pool

Tone = Literal["plain", "ok", "warn", "bad", "info"]
"""What a signal says: nothing, free, costs points, spin or out, weather or pit. It never stands without a word."""


Layout = Literal["keys", "die", "black", "landing", "list", "form", "attack", "seen", "cards", "pick", "none"]
"""How the answers of a question are laid out."""


class Shown(msgspec.Struct, frozen=True, kw_only=True):
    """Something shown; equal data is drawn the same, so that only what has changed is drawn anew."""


class Plate(Shown, frozen=True, kw_only=True):
    """A car's number plate: `place` is its place among the entrants (0 is the first), which gives colour and shape."""

    number: int
    place: int


class Price(Shown, frozen=True, kw_only=True):
    """One thing that an answer brings: a pictogram (a name of icons.py, or none) and a word or figure; `short` is
    enough of it beside the pictogram."""

    text: str = ""
    short: str = ""
    icon: str = ""
    tone: Tone = "plain"


class Key(Shown, frozen=True, kw_only=True):
    """One answer to the question, as a key.

    `label` is the figure or word on it, `note` its second line (in a `note_tone`: a stop made), `prices` what it would
    bring. A `plate` is drawn in place of the label. `accept` says that it is applied only after its card was accepted:
    it costs something. A key that is not allowed has a `why`, and the `article` by which it is not (`cited` as
    people read it); only the referee's
    word gives its answer. `space` is the board space it means, by name.
    """

    answer: Json = None
    label: str
    plate: Plate | None = None
    note: str = ""
    note_tone: Tone = "plain"
    prices: tuple[Price, ...] = ()
    accept: bool = False
    why: str = ""
    article: str = ""
    cited: str = ""
    space: str = ""


class OutcomeRow(Shown, frozen=True, kw_only=True):
    """Answers that come to the same: what happens (`title`, in `tone`: a stop made; `outcome` without what it touches),
    what is paid and what may follow (`prices`, of which each says who, what is lost and on which faces; `brief` where
    that has no room: what is paid, and how many tests follow), and the `keys` of these answers, the furthest space
    first. `free` says that nothing is paid and nothing has to be rolled: such a key applies at once; `risky` that
    something has to be rolled. A row with an `icon` (the pits) has keys of its own."""

    title: str
    outcome: str
    tone: Tone = "plain"
    prices: tuple[Price, ...] = ()
    brief: tuple[Price, ...] = ()
    keys: tuple[Key, ...]
    free: bool = False
    risky: bool = False
    icon: str = ""


class Page(Shown, frozen=True, kw_only=True):
    """Some rows that are seen at a time; `label`, `note` and `price` say what it holds, for the key that leads to
    it."""

    rows: tuple[OutcomeRow, ...]
    label: str
    note: str = ""
    price: Price = Price()


class Field(Shown, frozen=True, kw_only=True):
    """One field of a form: a stepper (`low` to `high`), a choice among `keys`, or several of them (`many`); a line of
    text; a place of the circuit, or several (`keys` are all that there are). `price` is what a step of it takes of
    what the fields may come to in all, `note` what it is for."""

    name: str
    label: str
    icon: str = ""
    kind: Literal["stepper", "choice", "many", "text", "place", "places"] = "stepper"
    value: Json = None
    low: int = 0
    high: int = 0
    price: int = 1
    keys: tuple[Key, ...] = ()
    note: str = ""


def furthest(value: int, end: int, accepts: Callable[[int], bool]) -> int:
    """Return the last of the figures from `value` towards `end` that is accepted, where all up to some one are.

    >>> furthest(2, 99, lambda figure: figure < 5), furthest(2, 0, lambda figure: figure < 5)
    (4, 0)
    """
    if value == end or accepts(end):
        return end
    while abs(end - value) > 1:
        middle = (value + end) // 2
        if accepts(middle):
            value = middle
        else:
            end = middle
    return value


class Step(Shown, frozen=True, kw_only=True):
    """One step of the turn's trail; `back` is the number of answers to take back to be asked it again (done steps)."""

    label: str
    state: Literal["done", "now", "to_come"]
    back: int = 0


class Undo(Shown, frozen=True, kw_only=True):
    """What an undo or redo would take back or give again; `label` is empty if there is nothing. `prices` are what that
    answer brought, as it was ruled, `seq` its entry."""

    label: str = ""
    seq: int = 0
    prices: tuple[Price, ...] = ()


class InTurn(Shown, frozen=True, kw_only=True):
    """A car in the order of a turn: it has played, plays, or still will."""

    plate: Plate
    state: Literal["done", "now", "to_come"]


class Touched(Shown, frozen=True, kw_only=True):
    """A car that the moving one may have touched: `word` says how it did, empty if it did not; `then` is what has been
    said once it is tapped."""

    plate: Plate
    code: str
    word: str = ""
    then: Json = None


class SeenGroup(Shown, frozen=True, kw_only=True):
    """More that can be said of a move: what has been (`note`, and whether anything has), and the `fields` that it opens
    (all, if none)."""

    name: str
    label: str
    note: str
    said: bool = False
    fields: tuple[str, ...] = ()


class Seen(Shown, frozen=True, kw_only=True):
    """What the table saw of a move besides the place, as far as it has been `said`: the cars it may have touched,
    nearest first, under the words `company`; what is said if `nobody` was touched; and what else can be said."""

    said: dict[str, Json]
    company: str
    cars: tuple[Touched, ...]
    nobody: Json
    groups: tuple[SeenGroup, ...]


class Prompt(Shown, frozen=True, kw_only=True):
    """The one question: who is asked, what, and its answers.

    `layout` says how the answers are laid out: "keys" in a row, "die" a coloured die's faces, "black" the black die's
    twenty, "landing" spaces of the board (by their outcomes on `pages`, lettered in that order), "list" many rows,
    "form" fields with steppers, "attack" weapons and their targets, "seen" places of a corner sheet and what was met
    there, "cards" cards of a hand in a row, "pick" answers that are put together from `parts`, "none" if nothing is
    asked. `chosen` is the place of the key that is selected beforehand (-1: none); `act` the key that applies it, where
    one does. `key` is what makes the question the same question: when it changes,
    touches are ignored for a moment. `most` is what the fields of a form may come to in all (0: nobody knows). Cards
    that were not offered may be `typed`: so many at least and at most, `by` their "factor" where nothing else counts.
    `die` is the die that is to be rolled: "1" to "6" for those of the gears, "20" for the black one, "" for none.
    `cited` is the article as people read it. `hint` says how many hints may still be asked for. The race is `starting`
    with the first question of its first round.
    """

    key: str
    n: int
    ask: Ask | Literal["disk_full", ""] = ""
    article: str = ""
    cited: str = ""
    plate: Plate | None = None
    title: str
    unit: str = ""
    layout: Layout = "keys"
    keys: tuple[Key, ...] = ()
    pages: tuple[Page, ...] = ()
    act: Key | None = None
    fields: tuple[Field, ...] = ()
    most: int = 0
    typed: tuple[int, int] = (0, 0)
    by: str = ""
    die: str = ""
    chosen: int = -1
    trail: tuple[Step, ...] = ()
    turn: tuple[InTurn, ...] = ()
    parts: tuple[Key, ...] = ()
    seen: Seen | None = None
    undo: Undo = Undo()
    redo: Undo = Undo()
    hint: int = 0
    starting: bool = False


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


class Die(Shown, frozen=True, kw_only=True):
    """A die that was thrown: its face or band, and in words what it showed and on which faces it loses."""

    face: str
    rolled: str
    loses: str


class Loss(Shown, frozen=True, kw_only=True):
    """A pool before and after a ruling: `built` points it may hold, `before` and `after` what is or will be left; of
    one that is room for something (`taken`) what fills it."""

    pool: Pool
    name: str
    built: int
    before: int
    after: int
    taken: bool = False

    @property
    def left(self) -> int:
        """What can still be lost then."""
        return self.built - self.after if self.taken else self.after

    @property
    def tone(self) -> Tone:
        """How grave it is to have no more left."""
        return "bad" if self.left == 0 else "warn" if self.left == 1 else "plain"


class Fact(Shown, frozen=True, kw_only=True):
    """A line of two columns: what it is about, and what it is; `before` is what it was if it becomes another."""

    label: str = ""
    before: str = ""
    value: str
    tone: Tone = "plain"


class SkyTurn(Shown, frozen=True, kw_only=True):
    """A sky that follows another (pictograms and names; `before` is empty for the first one), and what it brings.
    `label` is the band of faces that would draw it."""

    label: str = ""
    before: str = ""
    before_name: str = ""
    icon: str
    name: str
    facts: tuple[Fact, ...] = ()


class Card(Shown, frozen=True, kw_only=True):
    """A ruling card: what happened, the sum written out, the effect, one line of consequence, the article.

    `sums` has one sum for each thing that is paid, what the title tells first; `die` is the one that decided. `accept`
    names the act on its main key ("Accept", "Spin"), with `act` as that key's second line; what is lost in several
    pools stands beneath as `prices`. `tone` is the left edge. `seq` is the log entry of a ruling that was given (0: not
    yet given), for a dispute. `cited` is the article as people read it. `plate` is the car that it is about where
    another one is asked meanwhile. A change of weather has a `sky` instead of sums. `brief` is what is most to be said
    where no line has room.
    """

    title: str
    article: str
    cited: str = ""
    plate: Plate | None = None
    icon: str = ""
    tone: Tone = "plain"
    die: Die | None = None
    sums: tuple[tuple[Term, ...], ...] = ()
    losses: tuple[Loss, ...] = ()
    lines: tuple[Line, ...] = ()
    brief: str = ""
    sky: SkyTurn | None = None
    accept: str = ""
    act: str = ""
    prices: tuple[Price, ...] = ()
    seq: int = 0


class Row(Shown, frozen=True, kw_only=True):
    """A row of the running order, or of a classification, where a `position` of 0 is none.

    `gap` is in spaces behind the leader, or "Leader"; a `chip` replaces it. Where the odds are wanted, `odds` is the
    chance to win and `share` that of the favourite's. `left` is what the car has left; of one
    that is out `note` says why. `points` are those of its place, with their unit. In a `bot` nobody sits. The row
    `of_team` has the plates of its other cars as `mates`, and its drivers in place of the `team`.
    """

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
    note: str = ""
    points: str = ""
    played: bool = False
    playing: bool = False
    out: bool = False
    bot: bool = False
    odds: str = ""
    share: float = 0.0
    of_team: bool = False
    mates: tuple[Plate, ...] = ()


class GearCell(Shown, frozen=True, kw_only=True):
    """One cell of the gear gate: `state` and, where it is allowed, what the change costs ("free", "−1")."""

    gear: int
    state: Literal["now", "allowed", "barred"]
    word: str = ""
    tone: Tone = "plain"


class Column(Shown, frozen=True, kw_only=True):
    """A wear column: `built` segments, `left` filled; the last `cost` of those hatched; `repaired` drawn as such."""

    pool: Pool
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


Calls = Literal["", "ready", "called", "coming"]
"""Whether race control can be called to the table, has been, or comes; "" where there is none."""


class TopBar(Shown, frozen=True, kw_only=True):
    """Lap (empty where a race counts only its rounds, and then there are `rounds` of them), round, sky and surface
    (and whether that is `wet`); `marks` are chips that stay (not saved, disputed). `counted` is what its rounds are
    called."""

    lap: str
    laps: str
    round: str
    rounds: str = ""
    counted: str = ""
    sky: str = ""
    sky_icon: str = ""
    surface: str = ""
    wet: bool = False
    marks: tuple[Price, ...] = ()
    call: Calls = ""


class Toast(Shown, frozen=True, kw_only=True):
    """One line that goes by itself after four seconds, with an action or none: "log", "export", "retry", or "article"
    and its id."""

    text: str
    tone: Tone = "ok"
    icon: str = ""
    action: str = ""
    action_label: str = ""
