"""The shapes of the view: frozen data between the desk and the widgets."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import msgspec

from companion.rules.conversation.asking import Json
from companion.rules.conversation.kinds import Ask, Pool

Tone = Literal["plain", "ok", "warn", "bad", "info"]
"""Tone of a signal: neutral, free, costs points, spin or out, weather or pit. It never stands without a word."""


Layout = Literal["keys", "bands", "die", "black", "landing", "list", "form", "attack", "seen", "cards", "pick", "none"]
"""Layouts of the answers of a question."""


class ViewModel(msgspec.Struct, frozen=True, kw_only=True):
    """Base of everything shown; equal data is drawn the same, so only changes are redrawn."""


class Plate(ViewModel, frozen=True, kw_only=True):
    """A car's number plate.

    `place` is the index among the entrants (from 0), which decides colour and shape.
    """

    number: int
    place: int


class Price(ViewModel, frozen=True, kw_only=True):
    """A consequence of an answer: pictogram (a name of icons.py, or "") and word or figure.

    `short` is the text for use beside the pictogram.
    """

    text: str = ""
    short: str = ""
    icon: str = ""
    tone: Tone = "plain"


class AnswerKey(ViewModel, frozen=True, kw_only=True):
    """An answer to the question, as a key.

    `label` is the figure or word on it, `note` its second line (in `note_tone`), `prices` its consequences. A `plate`
    is drawn in place of the label. `accept` says that the answer has a cost, and is applied only after its card is
    accepted. A barred key has the reason in `why` and the `article` (`cited` for display); only an override can give
    its answer. `space` is the board space it means, by name.
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


class MenuEntry(ViewModel, frozen=True, kw_only=True):
    """An entry of a menu: name in the program, label, second line, whether it is barred."""

    name: str
    label: str
    icon: str
    note: str = ""
    barred: bool = False


class OutcomeRow(ViewModel, frozen=True, kw_only=True):
    """Answers with the same outcome.

    `title` says what happens, in `tone`; `outcome` leaves out the cars and dangers touched. `prices` are the costs and
    what may follow; `brief` is shorter, with the points paid and the number of tests. `keys` are the answers, the
    furthest space first. `free` says that nothing is paid or rolled, so that a key applies at once; `risky` that
    something is rolled. A row with an `icon` (the pits) has keys of its own.
    """

    title: str
    outcome: str
    tone: Tone = "plain"
    prices: tuple[Price, ...] = ()
    brief: tuple[Price, ...] = ()
    keys: tuple[AnswerKey, ...]
    free: bool = False
    risky: bool = False
    icon: str = ""


class Page(ViewModel, frozen=True, kw_only=True):
    """A page of rows; `label`, `note` and `price` describe it on the key that leads to it."""

    rows: tuple[OutcomeRow, ...]
    label: str
    note: str = ""
    price: Price = Price()


class Field(ViewModel, frozen=True, kw_only=True):
    """A field of a form.

    It is a stepper (`low` to `high`), a choice among `keys`, several of them (`many`), a line of text, or one or
    several places of the circuit (`keys` has them all). `price` is what a step takes from the form's total, `note` the
    purpose of the field.
    """

    name: str
    label: str
    icon: str = ""
    kind: Literal["stepper", "choice", "many", "text", "place", "places"] = "stepper"
    value: Json = None
    low: int = 0
    high: int = 0
    price: int = 1
    keys: tuple[AnswerKey, ...] = ()
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


class Step(ViewModel, frozen=True, kw_only=True):
    """A step of the turn; `back` is the number of answers to undo to ask it again."""

    label: str
    state: Literal["done", "now", "to_come"]
    back: int = 0


class Undo(ViewModel, frozen=True, kw_only=True):
    """The answer that an undo or redo would affect; `label` is "" for nothing.

    `prices` are that answer's consequences, `seq` its entry.
    """

    label: str = ""
    seq: int = 0
    prices: tuple[Price, ...] = ()


class InTurn(ViewModel, frozen=True, kw_only=True):
    """A car in the order of a turn: played, playing or to come."""

    plate: Plate
    state: Literal["done", "now", "to_come"]


class TouchCandidate(ViewModel, frozen=True, kw_only=True):
    """A car that the mover may have touched.

    `word` says how, "" if it did not; `then` is the report after a tap.
    """

    plate: Plate
    code: str
    word: str = ""
    then: Json = None


class SeenGroup(ViewModel, frozen=True, kw_only=True):
    """A group of further fields in the report of a move.

    `note` sums up what is reported, `said` is True if anything is; `fields` are those it opens, all if empty.
    """

    name: str
    label: str
    note: str
    said: bool = False
    fields: tuple[str, ...] = ()


class MoveReport(ViewModel, frozen=True, kw_only=True):
    """The report of a move besides its place.

    `said` is the report so far; `cars` may have been touched, nearest first, under the heading `company`; `nobody` is
    the report without contact; `groups` hold the other fields.
    """

    said: dict[str, Json]
    company: str
    cars: tuple[TouchCandidate, ...]
    nobody: Json
    groups: tuple[SeenGroup, ...]


class Prompt(ViewModel, frozen=True, kw_only=True):
    """The question: the car, the title and the answers.

    `layout` is how the answers are laid out: "keys" in a row, "bands" of faces of a die, "die" the faces of a coloured
    die, "black" the twenty of the black die, "landing" spaces of the board (by outcome on `pages`, lettered in that
    order), "list" many rows, "form" fields with steppers, "attack" weapons and targets, "seen" places of a corner sheet
    with a report, "cards" cards of a hand in a row, "pick" answers combined from `parts`, "none" without a question.

    `chosen` is the index of the key selected at first (-1: none); `act` the key that applies it, if any. `key`
    identifies the question: when it changes, touches are ignored for a moment. `most` is the total of a form's fields
    (0: unknown). Cards that were not offered may be `typed`, from a least to a most number, `by` their "factor" alone
    where nothing else counts.

    `die` is the die to roll: "1" to "6" for those of the gears, "20" for the black one, "" for none. `cited` is the
    article for display. `hint` is the number of hints left. `starting` marks the first question of the race's first
    round.
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
    keys: tuple[AnswerKey, ...] = ()
    pages: tuple[Page, ...] = ()
    act: AnswerKey | None = None
    fields: tuple[Field, ...] = ()
    most: int = 0
    typed: tuple[int, int] = (0, 0)
    by: str = ""
    die: str = ""
    chosen: int = -1
    trail: tuple[Step, ...] = ()
    turn: tuple[InTurn, ...] = ()
    parts: tuple[AnswerKey, ...] = ()
    seen: MoveReport | None = None
    undo: Undo = Undo()
    redo: Undo = Undo()
    hint: int = 0
    starting: bool = False


class CardLine(ViewModel, frozen=True, kw_only=True):
    """A line of a card: a pictogram and a sentence."""

    text: str
    icon: str = ""
    tone: Tone = "plain"


class Term(ViewModel, frozen=True, kw_only=True):
    """A term of a sum: a figure or sign (`value`) and the word below it."""

    value: str
    word: str = ""
    tone: Tone = "plain"


class Die(ViewModel, frozen=True, kw_only=True):
    """A die that was rolled: its face or band, the result in words, and its losing faces."""

    face: str
    rolled: str
    loses: str


class Loss(ViewModel, frozen=True, kw_only=True):
    """A pool before and after a ruling.

    `built` is its size, `before` and `after` the points left; for a pool that fills up (`taken`), the points filled.
    """

    pool: Pool
    name: str
    built: int
    before: int
    after: int
    taken: bool = False

    @property
    def remaining(self) -> int:
        """Points that can still be lost afterwards."""
        return self.built - self.after if self.taken else self.after

    @property
    def tone(self) -> Tone:
        """Tone of the remaining points: bad for 0, warn for 1."""
        return "bad" if self.remaining == 0 else "warn" if self.remaining == 1 else "plain"


class Fact(ViewModel, frozen=True, kw_only=True):
    """A line of two columns, label and value; `before` is the value that it replaces."""

    label: str = ""
    before: str = ""
    value: str
    tone: Tone = "plain"


class SkyTurn(ViewModel, frozen=True, kw_only=True):
    """A change of weather, and its effects.

    `before` is "" for the first sky; `label` is the band of faces that would draw it.
    """

    label: str = ""
    before: str = ""
    before_name: str = ""
    icon: str
    name: str
    facts: tuple[Fact, ...] = ()


class Card(ViewModel, frozen=True, kw_only=True):
    """A ruling card: title, sums, effects, consequence and article.

    `sums` has a sum per cost, the title's first; `die` is the one that decided. `accept` is the label of the main key
    ("Accept", "Spin"), `act` its second line, `prices` the losses below it if several pools lose. `tone` colours the
    left edge. `seq` is the log entry of a past ruling (0: none yet), for a dispute. `cited` is the article for display.
    `plate` is the car concerned, if another is asked. A change of weather has a `sky` instead of sums. `brief` is the
    consequence for places without room for lines.
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
    lines: tuple[CardLine, ...] = ()
    brief: str = ""
    sky: SkyTurn | None = None
    accept: str = ""
    act: str = ""
    prices: tuple[Price, ...] = ()
    seq: int = 0


class Row(ViewModel, frozen=True, kw_only=True):
    """A row of the running order, or of a classification (`position` 0: not classified).

    `gap` is in spaces behind the leader, or "Leader"; a `chip` replaces it. With odds, `odds` is the chance to win and
    `share` its fraction of the favourite's. `left` is what the car has left; `note` says why it is out. `points` have
    their unit. A `bot` has no driver. A row `of_team` has the plates of its other cars as `mates`, and its drivers in
    `team`.
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


class GearCell(ViewModel, frozen=True, kw_only=True):
    """A cell of the gear gate: its state and, if allowed, the cost ("free", "−1")."""

    gear: int
    state: Literal["now", "allowed", "barred"]
    word: str = ""
    tone: Tone = "plain"


class Column(ViewModel, frozen=True, kw_only=True):
    """A wear column: `built` segments, `left` of them full.

    The last `cost` of those are hatched; `repaired` are drawn as regained.
    """

    pool: Pool
    name: str
    built: int
    left: int
    cost: int = 0
    repaired: int = 0


class Extra(ViewModel, frozen=True, kw_only=True):
    """A further item on the dashboard: a compound, KERS, tokens, a weapon."""

    icon: str = ""
    label: str
    value: str = ""
    filled: int = 0
    of: int = 0
    tone: Tone = "plain"


class Counter(ViewModel, frozen=True, kw_only=True):
    """A counter of a car: `value` of `of` (0: no limit).

    `kept` of it cannot be removed by a stop.
    """

    icon: str
    label: str
    value: int
    of: int = 0
    kept: int = 0
    tone: Tone = "plain"


class Dashboard(ViewModel, frozen=True, kw_only=True):
    """The car to play: gears, wear and extras; or counters, for a car without gears."""

    plate: Plate
    name: str
    position: str = ""
    gears: tuple[GearCell, ...] = ()
    columns: tuple[Column, ...] = ()
    extras: tuple[Extra, ...] = ()
    counters: tuple[Counter, ...] = ()


Calls = Literal["", "ready", "called", "coming"]
"""State of the call for race control: possible, made, or answered by somebody on the way; "" if there is none."""


class TopBar(ViewModel, frozen=True, kw_only=True):
    """The top bar: lap, round, weather, surface and lasting marks.

    `lap` is "" where the race counts only rounds, `rounds` of them; `counted` is the word for a round. `marks` tell of
    unsaved entries and disputes.
    """

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


class Toast(ViewModel, frozen=True, kw_only=True):
    """A line that disappears after four seconds, with an optional action.

    Actions are "log", "export", "retry", or "article" and its id.
    """

    text: str
    tone: Tone = "ok"
    icon: str = ""
    action: str = ""
    action_label: str = ""
