"""The intents of the race screen: what a touch or a button asks for, as data.

A part of the screen sends one for each touch; `Intent` is all of them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, TypeAlias

import msgspec

from companion.rules.conversation.asking import Json
from companion.view.race.menu import Entry
from companion.view.shown import AnswerKey, Card, Field, SeenGroup, Step
from companion.view.shown_race import Weapon


class IntentBase(msgspec.Struct, frozen=True):
    """Base of intents; equal ones mean the same."""


# -- answers


class Tap(IntentBase, frozen=True):
    """Apply an answer that costs nothing; select one that does, and apply it once it is selected."""

    key: AnswerKey


class Select(IntentBase, frozen=True):
    """Select an answer, of a move perhaps a part, to see what it brings."""

    answer: Json


class Accept(IntentBase, frozen=True):
    """Apply the selected answer."""


class GiveDraft(IntentBase, frozen=True):
    """Give the answer that was put together: points, or cards typed or picked."""


class Fill(IntentBase, frozen=True):
    """Give a form's values by field name."""

    values: dict[str, Json]


class OpenForm(IntentBase, frozen=True):
    """Open a form in place of the offered answers: these fields, or all if there are none."""

    fields: tuple[str, ...] = ()


class FoldForm(IntentBase, frozen=True):
    """Return from a form to the offered answers; without these, undo."""


class ShowFaces(IntentBase, frozen=True):
    """Show each face of the die in place of its bands."""


class ExplainBarred(IntentBase, frozen=True):
    """Say why an answer is not allowed."""

    key: AnswerKey


# -- answers that are put together


class GivePoint(IntentBase, frozen=True):
    """Give a pool one point."""

    pool: str


class TakePoint(IntentBase, frozen=True):
    """Take the last point given to a pool back."""

    pool: str


class PickPart(IntentBase, frozen=True):
    """Pick a card of a hand by its place, or put it back."""

    place: int


class PickSeen(IntentBase, frozen=True):
    """Pick a card seen on the table by its place in the list, or put it back."""

    place: int


class TypeCard(IntentBase, frozen=True):
    """Type a card's type or value."""

    kind: str = ""
    value: int = 0


class TypeSign(IntentBase, frozen=True):
    """Type a digit of a card's check factor, or a symbol."""

    sign: str


class EraseSign(IntentBase, frozen=True):
    """Delete what was typed of a card last."""


class ClearCard(IntentBase, frozen=True):
    """Delete all that was typed of a card."""


class KeepCard(IntentBase, frozen=True):
    """Move the typed card to the list, picked, so that another can be typed."""


# -- the lists and the board


class TapSpace(IntentBase, frozen=True):
    """Choose the landing on a space, or show the cars of a section."""

    space: str


class TurnPage(IntentBase, frozen=True):
    """Turn to the next page of outcomes."""


class ListSpaces(IntentBase, frozen=True):
    """Return from the tests of a landing to the list of all spaces."""


# -- back


class UndoAnswer(IntentBase, frozen=True):
    """Undo a point, or an answer. With `ask` this is confirmed first after the race."""

    ask: bool = False


class Rewind(IntentBase, frozen=True):
    """Undo everything since a step of the trail."""

    step: Step


class Back(IntentBase, frozen=True):
    """Close what lies over the question, or leave the screen."""


# -- rulings


class CloseCard(IntentBase, frozen=True):
    """Close the card of a given ruling."""


class CloseContest(IntentBase, frozen=True):
    """Close the panel of a contest that is over."""


class Dispute(IntentBase, frozen=True):
    """Dispute the ruling on the visible card."""


class Reason(IntentBase, frozen=True):
    """Give the reason for an override, or the decision on a dispute, by its name, in words for the log."""

    name: str
    text: str


class CancelReason(IntentBase, frozen=True):
    """Return to the question without an override or a decision."""


# -- explanations


class CarSubject(IntentBase, frozen=True):
    """A car, as the subject of an explanation."""

    number: int


class SpaceSubject(IntentBase, frozen=True):
    """A space, or a section, as the subject of an explanation."""

    name: str


class SignSubject(IntentBase, frozen=True):
    """A sign on a card from the table, as the subject of an explanation."""

    name: str


class OrderSubject(IntentBase, frozen=True):
    """The running order, as the subject of an explanation."""


class RaceSubject(IntentBase, frozen=True):
    """The top bar, as the subject of an explanation."""


Subject: TypeAlias = (
    AnswerKey | Field | SeenGroup | Weapon | Card | CarSubject | SpaceSubject | SignSubject | OrderSubject | RaceSubject
    | str
)  # fmt: skip
"""What can be explained; a part of every screen by the name of its words in [screen.control] of the locale."""


class Explain(IntentBase, frozen=True):
    """Explain a part of the screen."""

    subject: Subject


class CloseExplanation(IntentBase, frozen=True):
    """Close the explanation."""


class OverrideExplained(IntentBase, frozen=True):
    """Override what is explained."""


class Override(IntentBase, frozen=True):
    """Ask for the reason to give an answer that was not offered, or in place of the roll."""

    key: AnswerKey


class SetCar(IntentBase, frozen=True):
    """Open the values of a car that a referee may set."""

    number: int


class SetRace(IntentBase, frozen=True):
    """Open the values of the race that a referee may set."""


# -- over the race, and elsewhere


class OpenMenu(IntentBase, frozen=True):
    """Open the menu."""


class OpenOrder(IntentBase, frozen=True):
    """Open the full running order."""


class OpenSection(IntentBase, frozen=True):
    """List the cars of a section."""

    space: str


class CloseCover(IntentBase, frozen=True):
    """Close what lies over the race."""


class Choose(IntentBase, frozen=True):
    """Choose an entry of the menu."""

    entry: Entry


class KeepNote(IntentBase, frozen=True):
    """Keep what was written: a note, or the subject of a dispute."""

    text: str


class OpenSheet(IntentBase, frozen=True):
    """Open the sheet of a car."""

    car: int


class OpenHistory(IntentBase, frozen=True):
    """Open the history."""


class OpenArticle(IntentBase, frozen=True):
    """Open the article of the question, the visible card, the contest or the explanation."""

    of: Literal["question", "card", "contest", "explanation"]


class CallControl(IntentBase, frozen=True):
    """Call race control to the table, or take the call back."""


class ToggleClock(IntentBase, frozen=True):
    """Pause the shot clock, or let it go on."""


# -- the guide, the program's cars, and buttons


class ConfirmMove(IntentBase, frozen=True):
    """Confirm that the program's car was moved on the board."""


class AskHint(IntentBase, frozen=True):
    """Ask for a hint."""


class TakeHint(IntentBase, frozen=True):
    """Apply the hint's answer."""


class HideHint(IntentBase, frozen=True):
    """Dismiss the hint."""


class LeaveGuide(IntentBase, frozen=True):
    """End the guide; the race goes on."""


class MoveSelection(IntentBase, frozen=True):
    """Move the selection by a button; "next" selects the answer that skips an optional question."""

    to: Literal["up", "down", "first", "last", "next"]


class ConfirmSelection(IntentBase, frozen=True):
    """Apply by a button what is selected or put together."""


Answering: TypeAlias = (
    Tap | Select | Accept | GiveDraft | Fill | OpenForm | FoldForm | ShowFaces | ExplainBarred | TapSpace | TurnPage
    | ListSpaces | MoveSelection | ConfirmSelection | ConfirmMove | AskHint | TakeHint | HideHint | LeaveGuide
)  # fmt: skip
Drafting: TypeAlias = (
    GivePoint | TakePoint | PickPart | PickSeen | TypeCard | TypeSign | EraseSign | ClearCard | KeepCard
)
Refereeing: TypeAlias = (
    UndoAnswer | Rewind | CloseCard | CloseContest | Dispute | Reason | CancelReason | Explain | CloseExplanation
    | OverrideExplained | Override
)  # fmt: skip
Leading: TypeAlias = (
    Back | SetCar | SetRace | OpenMenu | OpenOrder | OpenSection | CloseCover | Choose | KeepNote | OpenSheet
    | OpenHistory | OpenArticle | CallControl | ToggleClock
)  # fmt: skip
Intent: TypeAlias = Answering | Drafting | Refereeing | Leading
Emit: TypeAlias = Callable[[Intent], object]
"""Where a part of the screen sends what was meant."""
