"""The state of the race screen: what lies over the question, and how its answers are unfolded."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias

import msgspec

from companion.rules.conversation.asking import Json
from companion.view.pages.legend import Legend
from companion.view.pages.override import Why
from companion.view.race.drafts import Draft
from companion.view.race.intents import Intent
from companion.view.sight import NOTHING


class ScreenState(msgspec.Struct, frozen=True):
    """Base of layers and views."""


class MenuLayer(ScreenState, frozen=True):
    """The menu."""


class OrderLayer(ScreenState, frozen=True):
    """The full running order."""


class SectionLayer(ScreenState, frozen=True):
    """The cars of a section, by its name."""

    section: str


class OverviewLayer(ScreenState, frozen=True):
    """The whole circuit; it hides the question."""


class NoteEntry(ScreenState, frozen=True):
    """A line to write: a note, or the subject of a dispute."""

    about: Literal["note", "dispute"]


class OverrideReason(ScreenState, frozen=True):
    """The request for the reason to give an answer that was not offered, in place of the question."""

    why: Why
    answer: Json


class DisputeReason(ScreenState, frozen=True):
    """The request to decide on a dispute of an entry's ruling (0: not yet given), in place of the question."""

    why: Why
    seq: int
    ruling: str


class Explanation(ScreenState, frozen=True):
    """The explanation of a part that was long-pressed, on top of everything, and the way to its override."""

    legend: Legend
    override: Intent | None


Cover: TypeAlias = MenuLayer | OrderLayer | SectionLayer | OverviewLayer | NoteEntry
AnyReason: TypeAlias = OverrideReason | DisputeReason
Layer: TypeAlias = Cover | AnyReason | Explanation
COVERS: Final = (MenuLayer, OrderLayer, SectionLayer, NoteEntry)
"""Layers that outlive the question; all others go with it."""


class Closed(ScreenState, frozen=True):
    """The answers as the question shows them."""


class AllSpaces(ScreenState, frozen=True):
    """All spaces again, while one that leads to tests is selected."""


class ListPage(ScreenState, frozen=True):
    """A page of outcomes that was turned to, from 0."""

    index: int


class WholeForm(ScreenState, frozen=True):
    """The form in place of the offered answers: these fields, or all if there are none."""

    fields: tuple[str, ...] = ()


class Keypad(ScreenState, frozen=True):
    """Each face of the die in place of its bands."""


View: TypeAlias = Closed | AllSpaces | ListPage | WholeForm | Keypad


@dataclass
class QuestionState:
    """The state of one question; another question gets a new one."""

    key: str
    view: View = field(default_factory=Closed)
    cursor: int = -1
    """Index of the answer selected by buttons, before the desk has shown it."""
    confirmed: Json = NOTHING
    """Answer that was confirmed before the desk had shown it."""
    draft: Draft | None = None
    """Answer that is being put together."""
    doubt: tuple[Json, str] | None = None
    """Answer whose ruling will be disputed once it is given, and the reason."""
    hesitation: str = ""
    """The guide's question to a person who takes another key than its own."""
    contest_closed: bool = False
    """True if the panel of the contest that is over was closed."""
