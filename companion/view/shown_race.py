"""The whole of the race screen at one moment, as data."""

from __future__ import annotations

from typing import Literal

from companion.rules.conversation.asking import Json
from companion.view.shown import (
    Card,
    Column,
    Dashboard,
    Key,
    Line,
    Loss,
    OutcomeRow,
    Plate,
    Price,
    Prompt,
    Row,
    Shown,
    SkyTurn,
    Toast,
    Tone,
    TopBar,
)
from companion.view.shown_board import BoardScene

# -- the shapes of what has a place of its own on the race screen: tests in a row, attacks, the pits and contests


class QueueRow(Shown, frozen=True, kw_only=True):
    """A row of the tests queue: whose, which test, why; `die` and `outcome` once it is rolled, `keys` if it is now: the
    bands of faces that bring the same. `chosen` is the place of the one that is selected."""

    plate: Plate
    code: str
    icon: str
    title: str
    note: str = ""
    die: str = ""
    outcome: Price = Price()
    state: Literal["done", "now", "to_come"] = "to_come"
    keys: tuple[Key, ...] = ()
    chosen: int = -1


class Weapon(Shown, frozen=True, kw_only=True):
    """A weapon by its name and its `card`, with what it does in one line (`text`), how far it fires (`reach`) and how
    it stands (`note`): `tokens` of at most `most` lie on it. `answer` is the first thing that can be done with it, if
    it `can` do anything; a shot at the target that is aimed at, where it reaches that."""

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


class Aim(Shown, frozen=True, kw_only=True):
    """What a chosen action comes to: the target and where it is, `lines` of a word (`icon`) and a figure, the faces
    that hit and the `chance` of that, what the target has left, what a hit takes of it (`loss`) and what a miss
    does."""

    plate: Plate | None = None
    name: str = ""
    where: str = ""
    lines: tuple[Line, ...] = ()
    big: str = ""
    chance: str = ""
    columns: tuple[Column, ...] = ()
    defences: str = ""
    loss: Loss | None = None
    missed: str = ""


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


class Roll(Shown, frozen=True, kw_only=True):
    """Who rolls after an answer: what is lost on the losing faces (`loses`), with the pool before and after, and which
    faces are safe."""

    plate: Plate | None
    title: str
    loss: Loss | None = None
    loses: str
    tone: Tone = "warn"
    safe: str = ""


class Share(Shown, frozen=True, kw_only=True):
    """One of the things that all the rolls may come to: how likely it is, in per cent and as a part of 1."""

    percent: int
    part: float
    text: str
    tone: Tone = "plain"


class RiskCard(Shown, frozen=True, kw_only=True):
    """The dice that follow a selected answer, before it is given: why, who rolls in which order, the `rule` that links
    them, what they may come to, and on average; `weighing` says that this is still being counted. `other` is the
    cheapest row of the same outcome without a test; `back` names the way to all answers."""

    title: str
    why: str
    article: str
    cited: str
    tone: Tone
    rows: tuple[Roll, ...]
    rule: str = ""
    shares: tuple[Share, ...] = ()
    average: str = ""
    weighing: str = ""
    back: str
    other: OutcomeRow | None = None


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
    joins: bool = False
    first: bool = False
    asked: bool = False


class Contest(Shown, frozen=True, kw_only=True):
    """Cars that contend for their order, the head of the line first, and what came of it."""

    title: str
    place: str
    article: str
    rows: tuple[Contestant, ...]
    lines: tuple[Line, ...] = ()


Lesson = Literal["start", "gear", "roll", "space", "corner", "flag", "test", "other"]
"""What a guide explains: the kinds of questions of a lap, and its end."""


class Guide(Shown, frozen=True, kw_only=True):
    """What the guide says of a question: `what` is so, in lines, and what is `todo`; the key that it advises by its
    label, or none, `again` what it says once to whoever takes another key (of `overs` each its own). `step` is the
    number of the lesson of the STEPS, 0 beside them, of which `done` were given; `fresh` says that it is the first of
    its kind."""

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


class Push(Shown, frozen=True, kw_only=True):
    """What the table does for a car that the program drives: where it goes, and its decisions; `key` says that
    it is done. Without a key it tells how far a table is that a driver waits for."""

    plate: Plate | None = None
    title: str = ""
    text: str
    key: str = ""

    @property
    def said(self) -> str:
        """All of it in a line."""
        whose = str(self.plate.number) if self.plate is not None else ""
        return ". ".join(filter(None, (" ".join(filter(None, (whose, self.title))), self.text)))


class Tried(Shown, frozen=True, kw_only=True):
    """An answer as a hint weighs it: how many turns it loses against the best one (`part` of the most that is told),
    and the chance to win."""

    label: str
    lost: str
    part: float
    wins: str


class HintShown(Shown, frozen=True, kw_only=True):
    """What a champion would answer: for whom and how many hints are left to them, the `best` in a few words, why, the
    choices that were weighed, and the key that takes it."""

    title: str
    left: str
    best: str
    why: str
    rows: tuple[Tried, ...] = ()
    act: Key


class RaceShown(Shown, frozen=True, kw_only=True):
    """All that the race screen shows at one moment; `called` says that the driver who is asked has called the table,
    `may_hand_over` is a car whose seat somebody else may take, the one that is asked first (0: none). `done` is the
    last act of the table that it shows, by number, and `seq` the last entry of the log. `teams` is the classification
    of teams, once the race is over."""

    top: TopBar
    order: tuple[Row, ...]
    prompt: Prompt
    board: BoardScene
    dashboard: Dashboard | None = None
    card: Card | None = None
    risk: RiskCard | None = None
    tests: tuple[QueueRow, ...] = ()
    skies: tuple[SkyTurn, ...] = ()
    attack: Attack | None = None
    aim: Aim | None = None
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
