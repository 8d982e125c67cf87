"""The controller of the race screen: what each intent of the table does.

It holds the open question and the layers over it, and knows nothing of drawing.
"""

from __future__ import annotations

from collections.abc import Callable
from types import UnionType
from typing import TYPE_CHECKING, Final, Literal, Protocol, TypeVar, assert_never

import msgspec

from companion.desk.ahead import Ahead
from companion.rules.conversation.asking import Json
from companion.screens.race.state import (
    COVERS,
    AllSpaces,
    AnyReason,
    Closed,
    Cover,
    DisputeReason,
    Explanation,
    Keypad,
    Layer,
    ListPage,
    MenuLayer,
    NoteEntry,
    OrderLayer,
    OverrideReason,
    OverviewLayer,
    QuestionState,
    SectionLayer,
    WholeForm,
)
from companion.view.citing import cited
from companion.view.consequences import costs_something
from companion.view.pages import legend, override
from companion.view.pages.legend import Legend
from companion.view.pages.override import Why
from companion.view.race import intents
from companion.view.race.board import in_focus, page_of
from companion.view.race.drafts import HandDraft, Points, PoolForm, TableCards, draft_of, pool_form
from companion.view.race.intents import Intent, Subject
from companion.view.race.menu import Entry, menu
from companion.view.shown import AnswerKey, Card, Field, MenuEntry, Price, SeenGroup, Toast, TopBar
from companion.view.shown_board import BoardScene, SectionTile, SpaceMark
from companion.view.shown_race import RaceShown, Weapon
from companion.view.sight import NOTHING, Prices, Sight

if TYPE_CHECKING:
    from companion.desk import RaceDesk
    from companion.wording import Words

T = TypeVar("T")
Layout = Literal["race", "overview", "queue", "pools", "form", "seen", "typing", "attack", "landing", "over"]
Button = Literal["up", "down", "first", "last", "next", "confirm", "override", "undo", "history", "pause"]
OTHER: Final = "…"
"""Answer of the key that leads to the whole form; an override does not offer it."""
SKIPS: Final[tuple[Json, ...]] = (None, {})
"""Answers that skip an option."""
MARKED: Final = ("race", "queue", "landing", "attack", "seen", "typing")
"""Layouts that mark the selected answer, so that buttons can select one and apply it."""
PRICES_SHOWN: Final = {"landing", "attack", "pick"}
"""Layouts that show an answer's consequences without a card: beside it, or on its key."""


class TableActions(Protocol):
    """The open race, as far as the controller acts on it; see `RaceSession`."""

    def is_busy(self, shown: RaceShown) -> bool: ...
    def is_settled(self, shown: RaceShown) -> bool: ...
    def answer(self, n: int, answer: Json, *, seen: int | None = None, dispute: str = "") -> None: ...
    def select(self, answer: Json, n: int | None = None) -> None: ...
    def undo(self, count: int = 1, *, of: int = 0) -> None: ...
    def redo(self) -> None: ...
    def force(self, n: int, answer: Json, *, by: str, why: str) -> None: ...
    def note(self, text: str) -> None: ...
    def dispute(self, why: str, seq: int = 0) -> None: ...
    def uphold(self, seq: int) -> None: ...
    def pushed(self) -> None: ...
    def hint(self) -> None: ...
    def hide_hint(self) -> None: ...
    def odds(self) -> None: ...
    def leave_guide(self) -> None: ...


class Clock(Protocol):
    """The shot clock."""

    def toggle(self) -> None: ...
    def stop(self, why: str, still: bool = True) -> None: ...


class Host(Protocol):
    """The screen that the controller serves, and the app around it."""

    @property
    def session(self) -> TableActions | None:
        """The open race."""

    @property
    def shot(self) -> Clock:
        """The shot clock."""

    @property
    def words(self) -> Words:
        """The words of the current language."""

    @property
    def prices(self) -> Prices:
        """When prices are shown."""

    @property
    def referee(self) -> str:
        """The name that signs an override."""

    @property
    def is_open(self) -> bool:
        """True while the race screen is the open one."""

    def redraw(self, *, at_once: bool = False) -> None:
        """Redraw the screen, with the next frame or at once."""

    def read(self, look: Callable[[RaceDesk, Words], T], then: Callable[[T], object]) -> None:
        """Read something of the race, then call `then` if the screen is still open."""

    def tell(self, toast: Toast) -> None:
        """Show a toast."""

    def hush(self) -> None:
        """Take the toast away."""

    def refused(self) -> None:
        """Signal that what was tapped is not allowed."""

    def confirm(self, title: str, note: str, act: str, then: Callable[[], object]) -> None:
        """Ask to confirm an act that cannot be undone."""

    def go_back(self) -> None:
        """Close what is open over the screen, or leave it."""

    def go_home(self) -> None:
        """Leave for the first page; the race stays open."""

    def leave_race(self) -> None:
        """Close the race and leave for the first page."""

    def call_control(self) -> None:
        """Call race control, or take the call back."""

    def open_page(self, name: Literal["phones", "settings", "sheet"]) -> None:
        """Open a page that takes no parameters."""

    def open_history(self, n: int | None = None) -> None:
        """Open the history, at an answer."""

    def open_rules(self, article: str) -> None:
        """Open an article of the race's rulebook."""

    def open_sheet(self, car: int) -> None:
        """Open the sheet of a car."""

    def open_override(self, car: int | None = None, *, ending: bool = False, seat: bool = False) -> None:
        """Open the values of the race or a car, the ways to end the race, or who drives a car."""


class RaceController:
    """The state of the race screen, and what each intent does to it and to the race."""

    def __init__(self, host: Host) -> None:
        self.host = host
        self.picture: RaceShown | None = None
        self.question = QuestionState("")
        self.layers: tuple[Layer, ...] = ()
        """What lies over the question, the topmost last."""
        self._closed_ruling = 0
        """Ruling whose card was closed."""
        self._hesitated_at = ""
        """Question at which the guide has hesitated."""
        self._told: tuple[str, Toast] | None = None
        """Toast that was shown last, and its question."""

    @property
    def shown(self) -> RaceShown:
        """The picture; only once there is one."""
        assert self.picture is not None
        return self.picture

    @property
    def busy(self) -> bool:
        """True until the desk has shown the last action; nothing else is accepted before."""
        return self.host.session is not None and self.host.session.is_busy(self.shown)

    @property
    def settled(self) -> bool:
        """True once the desk has shown all actions and selections.

        Then the selected answer is the one on the screen.
        """
        return self.host.session is None or self.host.session.is_settled(self.shown)

    def show(self, picture: RaceShown) -> bool:
        """Take a new picture; return True if it asks another question."""
        before, self.picture = self.picture, picture
        prompt = picture.prompt
        anew = before is None or before.prompt.key != prompt.key
        if before is None or anew:
            self.question = QuestionState(prompt.key, draft=draft_of(prompt, picture.dashboard))
            self.layers = tuple(layer for layer in self.layers if isinstance(layer, COVERS))
            self.host.shot.stop("disputed", False)
        elif isinstance(draft := self.question.draft, HandDraft | TableCards) and before.prompt.chosen != prompt.chosen:
            self.question.draft = draft.follow(prompt)
        if anew or self.settled:
            self.question.cursor = self.offered()[1]
            confirmed, self.question.confirmed = self.question.confirmed, NOTHING
            chosen = self.selected
            if chosen is not None and chosen.answer == confirmed and not chosen.accept:
                self._confirm()
        if before is not None and anew and prompt.layout == "none" and self.disputed is not None:
            self._decide_oldest(lambda: None)  # before the race is left
        if anew and self.given_card is not None:
            self.host.hush()  # what was told before lies over it
        told = (prompt.key, picture.toast) if picture.toast is not None else None
        if picture.toast is not None and told != self._told and self.host.is_open:
            self.host.tell(picture.toast)
        self._told = told
        return anew

    # -- what is visible

    @property
    def layout(self) -> Layout:
        """The layout of the screen for the question."""
        shown, view = self.shown, self.question.view
        prompt = shown.prompt
        if self.reason is not None:
            return "race" if prompt.layout != "none" else "over"
        if isinstance(self.cover, OverviewLayer) and (prompt.typed != (0, 0) or not shown.board.sections):
            return "overview"
        if prompt.layout == "none":
            return "over"
        if shown.attack is not None:
            return "attack"
        if prompt.pages and shown.guide is None:  # the guide's panel has the room of the list
            return "landing"
        if shown.tests and not isinstance(view, Keypad) and self.host.prices == "always":
            return "queue"
        if isinstance(self.question.draft, Points):
            return "pools"
        if prompt.typed != (0, 0):
            return "typing"
        if prompt.layout in ("form", "seen") and (isinstance(view, WholeForm) or not prompt.keys):
            return "form"
        return "seen" if prompt.layout == "seen" else "race"

    @property
    def cover(self) -> Cover | None:
        """The cover of the race: the menu, the order, the cars of a section, the circuit, or a line to write."""
        return next((one for one in self.layers if isinstance(one, Cover)), None)

    @property
    def reason(self) -> AnyReason | None:
        """The request for a reason in place of the question."""
        return next((one for one in self.layers if isinstance(one, AnyReason)), None)

    @property
    def explanation(self) -> Explanation | None:
        """The explanation on top of everything."""
        return next((one for one in self.layers if isinstance(one, Explanation)), None)

    @property
    def pools(self) -> PoolForm | None:
        """The question as a form of pools, with the points given so far."""
        given = self.question.draft.given if isinstance(self.question.draft, Points) else ()
        return pool_form(self.shown.prompt, self.shown.dashboard, given)

    @property
    def card(self) -> Card | None:
        """The card of the selected answer, before it is accepted; None without one."""
        card = self.picture.card if self.picture is not None else None
        return card if card is not None and card.accept else None

    @property
    def given_card(self) -> Card | None:
        """The card of a given ruling, None once it is closed."""
        card = self.picture.card if self.picture is not None else None
        return card if card is not None and card.seq and card.seq != self._closed_ruling else None

    @property
    def shows_risk(self) -> bool:
        """True if the tests of the selected landing stand in place of the list of spaces."""
        return self.shown.risk is not None and not isinstance(self.question.view, AllSpaces | ListPage)

    @property
    def page(self) -> int:
        """The index of the visible page of outcomes."""
        view = self.question.view
        return view.index if isinstance(view, ListPage) else page_of(self.shown.prompt)

    @property
    def fields(self) -> tuple[str, ...]:
        """The fields that the form shows; all if there are none."""
        return self.question.view.fields if isinstance(self.question.view, WholeForm) else ()

    def marked(self, card: Card) -> Card:
        """Return the card, with a blue edge while it is disputed."""
        reason, chosen = self.reason, self.selected
        disputed = isinstance(reason, DisputeReason) and reason.seq == card.seq
        doubted = not card.seq and chosen is not None and bool(self._doubt_of(chosen.answer))
        return msgspec.structs.replace(card, tone="info") if disputed or doubted else card

    def board(self) -> BoardScene:
        """Return the board: the whole circuit, with the space of an override, or focused on a page of landings."""
        scene, reason = self.shown.board, self.reason
        if isinstance(self.cover, OverviewLayer):
            return msgspec.structs.replace(scene, close="overview", spaces=(), path=(), shot=())
        if isinstance(reason, OverrideReason):
            name = reason.answer.get("space") if isinstance(reason.answer, dict) else None
            if isinstance(name, str) and name not in {mark.space for mark in scene.spaces}:
                mark = SpaceMark(space=name, state="cost", text="?")
                return msgspec.structs.replace(scene, spaces=(mark, *scene.spaces))
        elif self.layout == "landing":
            return msgspec.structs.replace(scene, focus=in_focus(self.shown.prompt.pages[self.page]))
        return scene

    def top(self) -> TopBar:
        """Return the top bar, marked if a dispute waits for its answer to be given."""
        top = self.shown.top
        if self.question.doubt is None or self.disputed is not None:
            return top
        mark = Price(text=self.host.words.screen("top.disputed", count=1), icon="flag", tone="info")
        return msgspec.structs.replace(top, marks=(*top.marks, mark))

    def menu(self) -> tuple[MenuEntry, ...]:
        """Return the entries of the menu."""
        shown, prompt, disputed = self.shown, self.shown.prompt, self.disputed
        can: dict[Entry, bool] = {
            "redo": bool(prompt.redo.label),
            "history": bool(prompt.undo.label),
            "dispute": bool(prompt.undo.label or disputed),
        }
        may: dict[Entry, bool] = {
            "hint": bool(prompt.hint),
            "odds": shown.may_odds,
            "order": bool(shown.board.sections),  # no strip beside the board has it
            "seat": bool(shown.may_hand_over),
            "ending": shown.may_end,
        }
        return menu(
            self.host.words,
            notes={"redo": prompt.redo.label, "dispute": disputed.text if disputed else ""},
            barred=[entry for entry, yes in can.items() if not yes],
            more=[entry for entry, yes in may.items() if yes],
        )

    def note_words(self, about: Literal["note", "dispute"]) -> tuple[str, str]:
        """Return the title of the line to write, and the label of its key."""
        return self.host.words.screen(f"words.{about}"), self.host.words.screen(f"words.{about}_keep")

    def section(self, space: str) -> SectionTile | None:
        """Return the section of that name if it has cars in it, else None."""
        return next((tile for tile in self.shown.board.sections if tile.space == space and tile.cars), None)

    def offered(self) -> tuple[tuple[AnswerKey, ...], int]:
        """Return the answers that can be selected now, and the index of the selected one.

        During tests these are the bands of the open row. The index is -1 if nothing is selected.
        """
        open_row = next((row for row in self.shown.tests if row.state == "now"), None)
        if open_row is not None and open_row.keys and self.layout == "queue":
            return open_row.keys, open_row.chosen
        return self.shown.prompt.keys, self.shown.prompt.chosen

    @property
    def selected(self) -> AnswerKey | None:
        """The selected answer, None without one."""
        keys, chosen = self.offered()
        return keys[chosen] if 0 <= chosen < len(keys) else None

    @property
    def drafted(self) -> Json:
        """The answer that was put together; NOTHING while it is none."""
        prompt = self.shown.prompt
        match self.question.draft:
            case Points() as points:
                return points.answer
            case TableCards() as cards:
                return cards.answer(prompt)
            case HandDraft() as hand:
                made = hand.answer(prompt)
                return made.answer if made is not None else NOTHING
        return NOTHING

    # -- what is meant

    def handle(self, intent: Intent) -> None:
        """Do what an intent means; one that does not fit the present state does nothing."""
        match intent:
            case intents.Tap(key):
                self._tap(key)
            case intents.Select(answer):
                if not self._is_selected(answer):
                    self._select(answer)
            case intents.Accept():
                if self.settled and (chosen := self.selected) is not None:
                    self._apply(chosen)
            case intents.GiveDraft():
                self._finish()
            case intents.Fill(values):
                self._fill(values)
            case intents.OpenForm(fields):
                self._unfold(WholeForm(fields))
            case intents.FoldForm():
                self._unfold(Closed()) if isinstance(self.question.view, WholeForm) else self._undo()
            case intents.ShowFaces():
                self._unfold(Keypad())
            case intents.ExplainBarred(key):
                self._explain_barred(key)
            case (
                intents.GivePoint()
                | intents.TakePoint()
                | intents.PickPart()
                | intents.PickSeen()
                | intents.TypeCard()
                | intents.TypeSign()
                | intents.EraseSign()
                | intents.ClearCard()
                | intents.KeepCard()
            ):
                self._draft(intent)
            case intents.TapSpace(space):
                self._tap_space(space)
            case intents.TurnPage():
                self._unfold(ListPage((self.page + 1) % len(self.shown.prompt.pages)))
            case intents.ListSpaces():
                self._unfold(AllSpaces())
            case intents.UndoAnswer(ask):
                self._ask_to_undo() if ask and self.layout == "over" else self._undo()
            case intents.Rewind(step):
                if step.back and not self.busy and (session := self._announced()) is not None:
                    session.undo(step.back, of=self.shown.prompt.undo.seq)
            case intents.Back():
                self.host.go_back()
            case intents.CloseCard():
                self._close_card()
            case intents.CloseContest():
                self.question.contest_closed = True
                self.host.redraw()
            case intents.Dispute():
                self._dispute()
            case intents.Reason(name, text):
                self._reasoned(name, text)
            case intents.CancelReason():
                self._drop_reason()
            case intents.Explain(subject):
                self._explain(subject)
            case intents.CloseExplanation():
                self._close(Explanation)
            case intents.OverrideExplained():
                explanation = self.explanation
                self._close(Explanation)
                if explanation is not None and explanation.override is not None:
                    self.handle(explanation.override)
            case intents.Override(key):
                self._ask_why(key)
            case intents.SetCar(number):
                self.host.open_override(number)
            case intents.SetRace():
                self.host.open_override()
            case intents.OpenMenu():
                self._lay(MenuLayer())
            case intents.OpenOrder():
                self._lay(OrderLayer())
            case intents.OpenSection(space):
                self._lay(SectionLayer(space))
            case intents.CloseCover():
                self._close(Cover)
            case intents.Choose(entry):
                self._choose(entry)
            case intents.KeepNote(text):
                self._write(text)
            case intents.OpenSheet(car):
                self.host.open_sheet(car)
            case intents.OpenHistory():
                self.host.open_history()
            case intents.OpenArticle(of):
                if article := self._article(of):
                    self.host.open_rules(article)
            case intents.CallControl():
                self.host.call_control()
            case intents.ToggleClock():
                self.host.shot.toggle()
            case intents.ConfirmMove():
                if self.host.session is not None and not self.busy:
                    self.host.session.pushed()
            case intents.AskHint():
                if self.settled and (session := self._announced()) is not None:
                    session.hint()
            case intents.TakeHint():
                if self.shown.hint is not None:
                    self._apply(self.shown.hint.act)
            case intents.HideHint():
                if self.host.session is not None:
                    self.host.session.hide_hint()
            case intents.LeaveGuide():
                if self.host.session is not None:
                    self.host.session.leave_guide()
            case intents.MoveSelection(to):
                self._move(to)
            case intents.ConfirmSelection():
                self._confirm()
            case _:
                assert_never(intent)

    def back(self) -> bool:
        """Close the topmost thing over the question; return False if there is nothing."""
        if self.explanation is not None:
            self._close(Explanation)
        elif self.cover is not None:
            self._close(Cover)
        elif self.reason is not None:
            self._drop_reason()
        elif isinstance(self.question.view, WholeForm | Keypad):
            self._unfold(Closed())
        else:
            return False
        return True

    def intent_for(self, button: str) -> Intent | None:
        """Return what a button means now, None for nothing.

        It acts only on what is visible: Undo first closes what lies over the question, and answers that the screen
        cannot mark are neither selected nor applied.
        """
        if self.picture is None or self.cover is not None or self.explanation is not None:
            return intents.Back() if button == "undo" else None
        if button == "undo":
            if self.reason is not None:
                return intents.CancelReason()
            return (
                intents.Back() if isinstance(self.question.view, WholeForm | Keypad) else intents.UndoAnswer(ask=True)
            )
        if button == "history":
            return intents.OpenHistory()
        if button == "pause":
            return intents.ToggleClock()
        if self.reason is not None:  # a reason, or what becomes of a dispute, is tapped
            return None
        layout = self.layout
        if button == "confirm":
            return intents.ConfirmSelection() if layout in (*MARKED, "over", "pools") else None
        if layout not in MARKED:
            return None
        match button:
            case "up" | "down" | "first" | "last" | "next":
                return intents.MoveSelection(button)
            case "override" if self.settled and (key := self.selected) is not None:
                return intents.Override(key)
        return None

    def selects(self, button: str) -> bool:
        """Return True if a button selects or applies an answer now; the others move the focus.

        The one that selects upwards does so until the last answer.
        """
        if self.picture is None or self.layers:
            return False
        keys, _ = self.offered()
        if self.layout not in MARKED or not keys:
            return button == "confirm" and (self.layout == "over" or self.drafted is not NOTHING)
        allowed = [at for at, key in enumerate(keys) if not key.why]
        if button == "next":
            return any(keys[at].answer in SKIPS for at in allowed)
        return button != "up" or self.question.cursor not in allowed[-1:]

    # -- answers

    def _announced(self) -> TableActions | None:
        """Return the session for an intent whose outcome is announced even if it is unchanged."""
        self._told = None
        return self.host.session

    def _tap(self, key: AnswerKey) -> None:
        prompt = self.shown.prompt
        if prompt.layout == "none":
            self.host.go_home() if key.answer == "leave" else self.host.open_page("sheet")
        elif self._hesitates(key):
            self.host.redraw()
        elif key.answer == OTHER and prompt.layout == "form":
            self._unfold(WholeForm())
        elif prompt.layout == "attack" and key.answer is not None:
            self._close_card()
            if (chosen := self.selected) is not None and self._is_selected(key.answer):
                self._apply(chosen)
            else:
                self._select(key.answer)
        elif not key.accept:
            self._apply(key)
        elif self.settled and self.selected == key:
            if not self._warns:
                self._apply(key)
        else:
            self._close_card()  # what the answer may bring comes in its place
            self._select(key.answer)

    @property
    def _warns(self) -> bool:
        """True if the selected answer's card warns so that it can only be accepted there."""
        return self.card is not None and self.card.tone == "bad"

    def _is_selected(self, answer: Json) -> bool:
        """Return True if an answer is the selected one on the screen."""
        chosen = self.selected
        return self.settled and chosen is not None and chosen.answer == answer

    def _hesitates(self, key: AnswerKey) -> bool:
        """Return True if the guide questions this key, once for each question."""
        guide, asks = self.shown.guide, self.shown.prompt.key
        if guide is None or not guide.fresh or guide.advised in ("", key.label) or self._hesitated_at == asks:
            return False
        self._hesitated_at = asks
        self.question.hesitation = dict(guide.overs).get(key.label, guide.again)
        return True

    def _select(self, answer: Json) -> None:
        """Select an answer to preview its ruling; of a move it may be a part."""
        question = self.question
        question.confirmed = NOTHING
        if isinstance(question.view, ListPage | AllSpaces):
            question.view = Closed()
        if self.host.session is not None and not self.busy:
            self.host.session.select(answer, self.shown.prompt.n)

    def _apply(self, key: AnswerKey) -> None:
        """Apply an answer, disputed if its ruling is in doubt."""
        self._send(key.answer, self._doubt_of(key.answer))

    def _finish(self) -> None:
        """Give what was put together.

        Picked cards with a price are selected first, and those that retire a car can only be accepted on their card.
        """
        prompt, draft = self.shown.prompt, self.question.draft
        if isinstance(draft, HandDraft):
            key = draft.answer(prompt)
            if key is None:
                return
            if not key.accept or (self.settled and self.selected == key and not self._warns):
                self._apply(key)
            elif not self._is_selected(key.answer):
                self._select(key.answer)
        elif isinstance(draft, Points) or (isinstance(draft, TableCards) and draft.is_whole(prompt)):
            self._send(self.drafted)

    def _fill(self, values: dict[str, Json]) -> None:
        """Give a filled form.

        On a corner sheet it is only selected, so that its outcome is seen before it applies.
        """
        seen = self.shown.prompt.seen
        if seen is None:
            self._send(values)
            return
        said = {name: value for name, value in values.items() if value}
        if part := self.fields:
            said |= {name: value for name, value in seen.said.items() if name not in part}
        self._select(said)
        self._unfold(Closed())

    def _draft(self, intent: intents.Drafting) -> None:
        """Change the answer that is being put together."""
        prompt, draft = self.shown.prompt, self.question.draft
        match draft, intent:
            case Points(), intents.GivePoint(pool):
                self.question.draft = draft.give(pool)
            case Points(), intents.TakePoint(pool):
                self.question.draft = draft.take(pool)
            case HandDraft(), intents.PickPart(place):
                self.question.draft = hand = draft.pick(prompt, place)
                made = hand.answer(prompt)
                if made is not None and not self._is_selected(made.answer):
                    self._select(made.answer)
            case TableCards(), intents.PickSeen(place):
                self.question.draft = draft.pick(prompt, place)
            case TableCards(), intents.TypeCard(kind, value):
                typed = draft.typed
                typed = msgspec.structs.replace(typed, kind=kind or typed.kind, value=value or typed.value)
                self.question.draft = draft.type(prompt, typed)
            case TableCards(), intents.TypeSign(sign):
                self.question.draft = draft.sign(prompt, sign)
            case TableCards(), intents.EraseSign():
                self.question.draft = draft.erase(prompt)
            case TableCards(), intents.ClearCard():
                self.question.draft = draft.clear()
            case TableCards(), intents.KeepCard():
                self.question.draft = draft.keep()
        self.host.redraw()

    def _send(self, answer: Json, doubt: str = "") -> None:
        if self.host.session is not None and not self.busy:
            self.host.hush()
            self._told = None
            self.host.session.answer(self.shown.prompt.n, answer, seen=self.shown.seq, dispute=doubt)

    def _explain_barred(self, key: AnswerKey) -> None:
        """Say why a key is not allowed, citing the article."""
        say = self.host.words.screen
        text, action, label = f"{self.shown.prompt.title}: {key.label} {key.why}", "", ""
        if key.article:
            text = say("race.refused", label=key.label, why=key.why, article=key.cited)
            action, label = f"article {key.article}", say("race.article")
        self.host.tell(Toast(text=text, tone="warn", icon="cross", action=action, action_label=label))
        self.host.refused()

    def _unfold(self, view: Closed | AllSpaces | ListPage | WholeForm | Keypad) -> None:
        self.question.view = view
        self.host.redraw()

    # -- buttons

    def _move(self, to: Literal["up", "down", "first", "last", "next"]) -> None:
        """Move the selection among the allowed answers."""
        keys, _ = self.offered()
        allowed = [at for at, key in enumerate(keys) if not key.why]
        if to == "next":
            allowed = [at for answer in SKIPS for at in allowed if keys[at].answer == answer][:1]
        if not allowed:
            return
        cursor = self.question.cursor
        after = [at for at in allowed if at > cursor] or allowed[-1:]
        before = [at for at in allowed if at < cursor] or allowed[:1]
        self.question.cursor = {"up": after[0], "down": before[-1], "last": allowed[-1]}.get(to, allowed[0])
        self._select(keys[self.question.cursor].answer)

    def _confirm(self) -> None:
        """Apply the selected answer once it is on the screen.

        An answer with a price is not accepted before its ruling was shown.
        """
        layout = self.layout
        if layout == "over":
            self.host.go_home()
            return
        if layout == "pools":
            self._send(self.drafted)
            return
        if not self.settled:
            keys, _ = self.offered()
            cursor = self.question.cursor
            self.question.confirmed = keys[cursor].answer if 0 <= cursor < len(keys) else NOTHING
            return
        key, drafted = self.selected, self.drafted
        if layout == "typing":
            if drafted is not NOTHING:
                self._send(drafted)
        elif key is None:
            self._close_card()
        elif self.shown.prompt.layout == "pick" and drafted is NOTHING:
            return  # other cards are picked than those of the answer
        elif self._hesitates(key):
            self.host.redraw()
        elif not key.accept or self.card is not None or PRICES_SHOWN & {layout, self.shown.prompt.layout}:
            self._apply(key)

    # -- the board

    def _tap_space(self, name: str) -> None:
        """Choose the landing on a space, or list the cars of its section."""
        if isinstance(self.cover, OverviewLayer):
            self._close(OverviewLayer)
        elif (key := self._landing(name)) is not None:
            self._tap(key)
        elif self.section(name) is not None:
            self._lay(SectionLayer(name))

    def _landing(self, name: str) -> AnswerKey | None:
        """Return the landing on a space, None without one.

        If there are several, the selected or else the cheapest.
        """
        chosen = self.selected
        if chosen is not None and chosen.space == name:
            return chosen
        keys = self.shown.attack.keys if self.shown.attack is not None else self.shown.prompt.keys
        return next((key for key in keys if key.space == name), None)

    # -- layers

    def _lay(self, layer: Layer) -> None:
        """Lay something over the question, in place of another of its sort."""
        sort = next(sort for sort in (Cover, AnyReason, Explanation) if isinstance(layer, sort))
        self.layers = (*(one for one in self.layers if not isinstance(one, sort)), layer)
        self.host.hush()  # a toast would lie over it
        self.host.redraw()

    def _close(self, sort: type | UnionType) -> None:
        """Take layers away; that is drawn at once, so that a touch beside them goes on to what lies beneath."""
        self.layers = tuple(one for one in self.layers if not isinstance(one, sort))
        self.host.redraw(at_once=True)

    def _late(self, read: Callable[[Sight], T | None], then: Callable[[T], object]) -> None:
        """Read something of the race, unless the question or the layers have changed by then."""
        question, layers = self.question, self.layers

        def read_it(found: T | None) -> None:
            if found is not None and self.question is question and self.layers == layers:
                then(found)

        self.host.read(lambda desk, words: read(Sight(desk, words, ahead=Ahead(desk))), read_it)

    # -- explanations

    def _explain(self, subject: Subject) -> None:
        """Explain a part of the screen.

        Accept stands for the selected answer, a contest for its article.
        """
        shown, chosen = self.shown, self.selected
        override: Intent | None = None
        read: Callable[[Sight], Legend | None]
        match subject:
            case "accept" if chosen is not None:
                self._explain(chosen)
                return
            case "contest" if (contest := shown.contest) is not None:
                read = lambda sight: legend.of_article(sight, contest.title, contest.article)  # noqa: E731
            case AnswerKey() as key:
                if shown.prompt.layout == "none":
                    return
                bare = key.answer == OTHER or self.layout == "queue"  # the faces of a test cannot be overridden
                override = None if bare else intents.Override(key)
                read = lambda sight: legend.of_key(sight, key)  # noqa: E731
            case str() | Field() | SeenGroup() as part:
                read = lambda sight: legend.explained(sight, part)  # noqa: E731
            case intents.CarSubject(number):
                override = intents.SetCar(number)
                read = lambda sight: legend.of_car(sight, number)  # noqa: E731
            case intents.SpaceSubject(name):
                landing, override = self._landing(name), self._override_of(name)
                read = lambda sight: legend.of_space(sight, name, landing)  # noqa: E731
            case intents.SignSubject(name):
                read = lambda sight: legend.of_sign(sight, name)  # noqa: E731
            case Weapon() as weapon:
                read = lambda sight: legend.of_weapon(sight, weapon)  # noqa: E731
            case Card() as card:
                read = lambda sight: legend.of_ruling(sight, card)  # noqa: E731
            case intents.OrderSubject():
                read = lambda sight: legend.of_order(sight, shown.order)  # noqa: E731
            case intents.RaceSubject():
                override = intents.SetRace()
                read = lambda sight: legend.of_top(sight, shown.top)  # noqa: E731
            case _:
                assert_never(subject)

        self._late(read, lambda found: self._lay(Explanation(found, override)))

    def _override_of(self, space: str) -> Intent | None:
        """Return the override of a space: of the landing there, in reach or not, or of the car there.

        Several cars are listed first.
        """
        tile, key = self.section(space), self._landing(space)
        car = next((car for car in self.shown.board.cars if car.space == space), None)
        if tile is not None and len(tile.cars) > 1:
            return intents.OpenSection(space)
        if key is not None or (car is None and self.shown.prompt.layout == "landing"):
            return intents.Override(key or AnswerKey(answer={"space": space}, label=space))
        return intents.SetCar(car.plate.number) if car is not None else None

    # -- undo

    def _undo(self) -> None:
        """Undo a point that was given, or an answer."""
        draft = self.question.draft
        if self.layout == "pools" and isinstance(draft, Points) and draft.given:
            self._draft(intents.TakePoint(draft.given[-1]))
            return
        undo = self.shown.prompt.undo
        if undo.label and not self.busy and (session := self._announced()) is not None:
            session.undo(of=undo.seq)

    def _ask_to_undo(self) -> None:
        """Undo the last answer of a race that is over, once this is confirmed."""
        undo = self.shown.prompt.undo
        if not undo.label:
            return
        say = self.host.words.screen
        note = say("race.back_note", answer=undo.label)
        self.host.confirm(
            say("race.back"), note, say("race.back_act"),
            lambda: self._undo() if self.shown.prompt.undo == undo else None,
        )  # fmt: skip

    # -- the menu

    def _choose(self, entry: Entry) -> None:
        """Handle an entry of the menu."""
        self._close(Cover)
        match entry:
            case "redo":
                if not self.busy and (session := self._announced()) is not None:
                    session.redo()
            case "history":
                self.host.open_history()
            case "override":
                self.host.open_override()
            case "ending":
                self.host.open_override(ending=True)
            case "seat":
                self.host.open_override(self.shown.may_hand_over, seat=True)
            case "note":
                self._lay(NoteEntry("note"))
            case "dispute" if self.layout == "landing" and self.card is not None:
                self._dispute()
            case "dispute":
                self._decide_oldest(lambda: self._lay(NoteEntry("dispute")))
            case "overview":
                self._lay(OverviewLayer())
            case "order":
                self._lay(OrderLayer())
            case "hint":
                self.handle(intents.AskHint())
            case "odds":
                if (session := self._announced()) is not None:
                    session.odds()
            case "rules":
                self.host.open_rules(self.shown.prompt.article)
            case "leave":
                self.host.leave_race()
            case "phones" | "settings" | "sheet":
                self.host.open_page(entry)
            case _:
                assert_never(entry)

    def _write(self, text: str) -> None:
        """Store a line that was written."""
        about = self.cover.about if isinstance(self.cover, NoteEntry) else "note"
        self._close(NoteEntry)
        if (session := self._announced()) is None:
            return
        if about == "note":
            session.note(text)
        else:
            session.dispute(text)
            self._decide_oldest(lambda: None)  # there is none if no disk took it

    def _article(self, of: Literal["question", "card", "contest", "explanation"]) -> str:
        """Return an article that is cited on the screen, empty without one."""
        match of:
            case "question":
                return self.shown.prompt.article
            case "contest":
                return self.shown.contest.article if self.shown.contest is not None else ""
            case "explanation":
                return self.explanation.legend.article if self.explanation is not None else ""
            case "card":
                risk = self.shown.risk if self.layout == "landing" and self.shows_risk else None
                card = risk or self.card or self.given_card
                return card.article if card is not None else ""

    # -- overrides

    def _ask_why(self, key: AnswerKey) -> None:
        """Ask for the reason to override an answer."""
        if key.answer == OTHER and self.shown.prompt.layout == "form":
            return
        chosen = self.selected
        instead = chosen.answer if chosen is not None and chosen.answer != key.answer else None

        def read(sight: Sight) -> Why | None:
            asked = sight.desk.asked
            return override.why(sight, asked, key.answer, instead) if asked is not None else None

        def ask(why: Why) -> None:
            if self.settled and self.selected == chosen:
                self._lay(OverrideReason(why, key.answer))

        self._late(read, ask)

    def _reasoned(self, name: str, text: str) -> None:
        """Override with a reason, or decide on a dispute."""
        match self.reason:
            case DisputeReason() as dispute:
                self._decided(name, dispute)
            case OverrideReason(_, answer):
                if (session := self._announced()) is not None:
                    session.force(self.shown.prompt.n, answer, by=self.host.referee, why=text)
                self._drop_reason()

    def _drop_reason(self) -> None:
        self.host.shot.stop("disputed", False)
        self._close(AnyReason)

    # -- rulings and disputes

    def _close_card(self) -> None:
        """Close the card of a given ruling."""
        if self.picture is not None and self.picture.card is not None and self.reason is None:
            self._closed_ruling = self.picture.card.seq
            self.host.redraw()

    def _dispute(self) -> None:
        """Dispute the card's ruling; the clock stops until that is decided."""
        card = self.card or self.given_card
        if card is not None and self.host.session is not None:
            if card.seq:
                self.host.session.dispute(card.title, card.seq)
            self._decide(card.seq, card.cited, card.title)

    def _decide(self, seq: int, article: str, ruling: str) -> None:
        """Ask what becomes of a dispute; the clock stops until then."""
        self.host.shot.stop("disputed")
        self._lay(DisputeReason(override.dispute(article, ruling, self.host.words), seq, ruling))

    def _decide_oldest(self, otherwise: Callable[[], object]) -> None:
        """Ask what becomes of the oldest open dispute, or call `otherwise` without one."""

        def decide(found: tuple[int, str, str] | None) -> None:
            if found is not None:
                self._decide(*found)
            else:
                otherwise()

        self.host.read(_oldest_dispute, decide)

    def _decided(self, name: str, dispute: DisputeReason) -> None:
        session, chosen, seq = self.host.session, self.selected, dispute.seq
        if name == "uphold":
            self.question.doubt = None
            if seq and session is not None:
                session.uphold(seq)
        elif name == "later" and not seq and chosen is not None:
            self.question.doubt = chosen.answer, dispute.ruling
        self._drop_reason()
        if name == "change":
            self.host.read(lambda desk, _: desk.history.place_of(seq), self.host.open_history)

    def _doubt_of(self, answer: Json) -> str:
        """Return why an answer's ruling is disputed already, empty if it is not."""
        doubt = self.question.doubt
        return doubt[1] if doubt is not None and doubt[0] == answer else ""

    @property
    def disputed(self) -> Price | None:
        """The mark of open disputes in the top bar, or None."""
        return next((mark for mark in self.shown.top.marks if mark.icon == "flag"), None)


def _oldest_dispute(desk: RaceDesk, words: Words) -> tuple[int, str, str] | None:
    """Return the entry, article and reason of the oldest open dispute, or None."""
    for seq, why in desk.open_disputes():
        rulings = next((item.rulings for item in desk.history.items if item.seq == seq), ())
        costly = [ruling for ruling in rulings if costs_something(ruling)]
        article = (costly or [*rulings])[0].article if rulings else ""
        return seq, cited(article, words), why
    return None
