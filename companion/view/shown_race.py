"""The shapes of the race screen."""

from __future__ import annotations

from typing import Literal

from companion.rules.conversation.asking import Json
from companion.view.shown import (
    AnswerKey,
    Card,
    CardLine,
    Column,
    Dashboard,
    Loss,
    OutcomeRow,
    Plate,
    Price,
    Prompt,
    Row,
    SkyTurn,
    Toast,
    Tone,
    TopBar,
    ViewModel,
)
from companion.view.shown_board import BoardScene

# -- the shapes of what has a place of its own on the race screen: tests in a row, attacks, the pits and contests


class QueueRow(ViewModel, frozen=True, kw_only=True):
    """A row of the tests: car, test and reason.

    `die` and `outcome` are set once it is rolled; `keys`, the bands with equal consequences, while it is asked.
    `chosen` is the index of the selected key.
    """

    plate: Plate
    code: str
    icon: str
    title: str
    note: str = ""
    die: str = ""
    outcome: Price = Price()
    state: Literal["done", "now", "to_come"] = "to_come"
    keys: tuple[AnswerKey, ...] = ()
    chosen: int = -1


class Weapon(ViewModel, frozen=True, kw_only=True):
    """A weapon of a car.

    `text` is its effect in one line, `reach` its range, `note` its state; `tokens` of at most `most` lie on it.
    `answer` is the shot at the present target if in reach, otherwise the first action; `can` says whether there is any.
    """

    name: str
    card: str = ""
    reach: str = ""
    note: str = ""
    text: str = ""
    icon: str = ""
    tokens: int = 0
    most: int = 0
    chosen: bool = False
    can: bool = False
    answer: Json = None


class ActionOutcome(ViewModel, frozen=True, kw_only=True):
    """The outcome of a selected action.

    It has the target with its position, `lines` of a word (`icon`) and a figure, the hitting faces with their `chance`,
    the target's pools, the `loss` by a hit, and the effect of a miss.
    """

    plate: Plate | None = None
    name: str = ""
    where: str = ""
    lines: tuple[CardLine, ...] = ()
    big: str = ""
    chance: str = ""
    columns: tuple[Column, ...] = ()
    defences: str = ""
    loss: Loss | None = None
    missed: str = ""


class AttackChoice(ViewModel, frozen=True, kw_only=True):
    """The choice of weapons and targets.

    `keys` are the actions of the selected weapon; `act` performs the one at `chosen`, `skip` passes. `attackers` are
    the cars still to act, in order.
    """

    weapons: tuple[Weapon, ...]
    attackers: tuple[Plate, ...]
    keys: tuple[AnswerKey, ...] = ()
    chosen: int = -1
    act: AnswerKey | None = None
    skip: AnswerKey | None = None
    aim: ActionOutcome | None = None


class RollAhead(ViewModel, frozen=True, kw_only=True):
    """A roll that follows an answer: its losing faces (`loses`), loss and safe faces."""

    plate: Plate | None
    title: str
    loss: Loss | None = None
    loses: str
    tone: Tone = "warn"
    safe: str = ""


class Share(ViewModel, frozen=True, kw_only=True):
    """A possible outcome of all rolls, with its probability in per cent and as a fraction."""

    percent: int
    part: float
    text: str
    tone: Tone = "plain"


class RiskCard(ViewModel, frozen=True, kw_only=True):
    """The rolls that follow a selected answer, before it is given.

    `rows` are the rolls in order, `rule` what links them, `shares` the outcomes, `average` the mean loss; `weighing`
    says that these are still being computed. `other` is the cheapest row with the same outcome and no test; `back` the
    label of the way to all answers.
    """

    title: str
    why: str
    article: str
    cited: str
    tone: Tone
    rows: tuple[RollAhead, ...]
    rule: str = ""
    shares: tuple[Share, ...] = ()
    average: str = ""
    weighing: str = ""
    back: str
    other: OutcomeRow | None = None


class PitCar(ViewModel, frozen=True, kw_only=True):
    """A car in the pits: its kind of stop, and whether it is asked `now`."""

    plate: Plate
    code: str
    service: str = ""
    now: bool = False


class PitColumn(ViewModel, frozen=True, kw_only=True):
    """A column of the pit grid, with its cars by row."""

    name: str
    cars: tuple[PitCar, ...] = ()


class PitBox(ViewModel, frozen=True, kw_only=True):
    """A box of the pit lane: the owners that are away, and the car in it."""

    number: int
    owners: tuple[Plate, ...] = ()
    car: PitCar | None = None


class PitLane(ViewModel, frozen=True, kw_only=True):
    """The boxes and the pit lane, with cars by position along it (0 to 1).

    `spaces` is the number of its spaces, 0 if unknown.
    """

    boxes: tuple[PitBox, ...]
    cars: tuple[tuple[float, Plate], ...] = ()
    spaces: int = 0


class Contestant(ViewModel, frozen=True, kw_only=True):
    """A car in a contest, with the terms of its `total`; `word` replaces a missing total."""

    plate: Plate
    name: str
    terms: tuple[Price, ...] = ()
    total: str = ""
    word: str = ""
    joins: bool = False
    first: bool = False
    asked: bool = False


class Contest(ViewModel, frozen=True, kw_only=True):
    """A contest for the order of cars, the head of the line first, and its result."""

    title: str
    place: str
    article: str
    rows: tuple[Contestant, ...]
    lines: tuple[CardLine, ...] = ()


Lesson = Literal["start", "gear", "roll", "space", "corner", "flag", "test", "other"]
"""Lessons of a guide: the kinds of questions of a lap, and its end."""


class Guide(ViewModel, frozen=True, kw_only=True):
    """The guide's text for a question.

    `what` explains it, `todo` says what to do; `advised` is the label of the advised key, `again` the remark if another
    is taken (`overs` has them by key). `step` is the number of the lesson in STEPS (0: not one of them), `done` which
    were given; `fresh` marks the first question of its kind.
    """

    lesson: Lesson
    step: int
    name: str
    done: tuple[bool, ...]
    what: str
    todo: str
    advised: str = ""
    again: str = ""
    overs: tuple[tuple[str, str], ...] = ()
    fresh: bool = True


class Push(ViewModel, frozen=True, kw_only=True):
    """Instructions for the table about a car of the program: its move and decisions.

    `key` confirms that it is done. Without one, the text tells the progress of a table that a driver waits for.
    """

    plate: Plate | None = None
    title: str = ""
    text: str
    key: str = ""

    @property
    def sentence(self) -> str:
        """All of it in one line."""
        whose = str(self.plate.number) if self.plate is not None else ""
        return ". ".join(filter(None, (" ".join(filter(None, (whose, self.title))), self.text)))


class Tried(ViewModel, frozen=True, kw_only=True):
    """An answer weighed by a hint: turns lost against the best, and the chance to win.

    `part` is the loss as a fraction of the largest shown.
    """

    label: str
    lost: str
    part: float
    wins: str


class HintShown(ViewModel, frozen=True, kw_only=True):
    """A hint: the best answer, the reason, the answers weighed, and the key that takes it.

    `title` names the car, `left` the number of hints left.
    """

    title: str
    left: str
    best: str
    why: str
    rows: tuple[Tried, ...] = ()
    act: AnswerKey


class RaceShown(ViewModel, frozen=True, kw_only=True):
    """The race screen at one moment.

    `called` says that the driver asked has called the table; `may_hand_over` is the car whose seat may change, the one
    asked first (0: none). `done` is the number of the table's last act shown, `seq` the last log entry. `teams` is the
    teams' classification after the race.
    """

    top: TopBar
    order: tuple[Row, ...]
    prompt: Prompt
    board: BoardScene
    dashboard: Dashboard | None = None
    card: Card | None = None
    risk: RiskCard | None = None
    tests: tuple[QueueRow, ...] = ()
    skies: tuple[SkyTurn, ...] = ()
    attack: AttackChoice | None = None
    aim: ActionOutcome | None = None
    pits: tuple[PitColumn, ...] = ()
    lane: PitLane | None = None
    contest: Contest | None = None
    toast: Toast | None = None
    guide: Guide | None = None
    teams: tuple[Row, ...] = ()
    called: bool = False
    push: Push | None = None
    hint: HintShown | None = None
    may_odds: bool = False
    may_hand_over: int = 0
    may_end: bool = False
    done: int = 0
    seq: int = 0
