"""The controller of the race screen without a screen: what each intent does, in which state."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from typing import Any, Final

import pytest
from msgspec.structs import replace

from companion.screens.race.controller import RaceController
from companion.screens.race.state import (
    AllSpaces,
    Closed,
    DisputeReason,
    Explanation,
    Keypad,
    ListPage,
    MenuLayer,
    NoteEntry,
    OrderLayer,
    OverrideReason,
    OverviewLayer,
    SectionLayer,
    WholeForm,
)
from companion.view.pages.legend import Legend
from companion.view.pages.override import Why
from companion.view.race.drafts import HandDraft, Points, TableCards
from companion.view.race.form import TypedCard
from companion.view.race.intents import (
    Accept,
    AskHint,
    CallControl,
    CancelReason,
    CarSubject,
    Choose,
    ClearCard,
    CloseCard,
    ConfirmMove,
    Dispute,
    EraseSign,
    Explain,
    ExplainBarred,
    Fill,
    FoldForm,
    GiveDraft,
    GivePoint,
    KeepCard,
    KeepNote,
    ListSpaces,
    OpenArticle,
    OpenForm,
    OpenMenu,
    OpenOrder,
    OpenSection,
    OpenSheet,
    Override,
    OverrideExplained,
    PickPart,
    PickSeen,
    RaceSubject,
    Reason,
    Rewind,
    Select,
    SetCar,
    SetRace,
    ShowFaces,
    TakePoint,
    Tap,
    TapSpace,
    ToggleClock,
    TurnPage,
    TypeCard,
    TypeSign,
    UndoAnswer,
)
from companion.view.shown import (
    AnswerKey,
    Card,
    Column,
    Dashboard,
    Field,
    MoveReport,
    Plate,
    Price,
    Prompt,
    Step,
    Toast,
    TopBar,
)
from companion.view.shown import Page as Outcomes
from companion.view.shown import Undo as LastAnswer
from companion.view.shown_board import BoardScene
from companion.view.shown_race import Guide, QueueRow, RaceShown, RiskCard
from companion.wording import Words

FREE = AnswerKey(answer=4, label="4th")
DEAR = AnswerKey(answer=5, label="5th", accept=True)
BARRED = AnswerKey(answer=6, label="6th", why="Only one gear up.", article="gears.up", cited="gears.up")
SKIP = AnswerKey(answer=None, label="No")
GEAR = Prompt(key="1 gear", n=1, title="Gear", keys=(FREE, DEAR, BARRED), chosen=0, undo=LastAnswer(label="3rd", seq=7))
ROLL = Prompt(key="2 roll", n=2, title="Roll", layout="die", keys=(FREE, DEAR), chosen=-1)
PLATE = Plate(number=3, place=0)
ADVICE = Card(title="Brakes", article="corner.brakes", accept="Accept")
OUT = replace(ADVICE, tone="bad", accept="Retire the car")
GIVEN = Card(title="Overshoot", article="corner.overshoot", cited="corner.overshoot", seq=9)
LEGEND = Legend(title="4th", text="", article="gears.up", cited="gears.up")
WHY = Why(plate=None, ask="Set 9: why?", instead="", keys=(), cancel="Cancel", keep="keep")


READ: Final = object()


class Fake:
    """The app and the race, which only note what they are told to do; the race has done it when its picture says so."""

    def __init__(self) -> None:
        self.told: list[tuple[Any, ...]] = []
        self.acts = self.changing = 0
        self.found: list[Any] = []
        """What the race says when it is read, in order."""
        self.waiting: list[Callable[[], object]] = []
        self.words, self.prices, self.referee, self.is_open = Words("en"), "always", "Mo", True

    @property
    def session(self) -> Fake:
        return self

    @property
    def shot(self) -> Fake:
        return self

    def is_busy(self, shown: RaceShown) -> bool:
        return self.changing > shown.done

    def is_settled(self, shown: RaceShown) -> bool:
        return self.acts <= shown.done

    def _act(self, changes: bool, *what: Any) -> None:
        self.acts += 1
        self.changing = self.acts if changes else self.changing
        self.told.append(what)

    def answer(self, n: int, answer: Any, *, seen: int | None = None, dispute: str = "") -> None:
        self._act(True, "answer", n, answer, *((dispute,) if dispute else ()))

    def select(self, answer: Any, n: int | None = None) -> None:
        self._act(False, "select", answer)

    def undo(self, count: int = 1, *, of: int = 0) -> None:
        self._act(True, "undo", count, of)

    def redo(self) -> None:
        self._act(True, "redo")

    def force(self, n: int, answer: Any, *, by: str, why: str) -> None:
        self._act(True, "force", n, answer, by, why)

    def pushed(self) -> None:
        self._act(True, "pushed")

    def hint(self) -> None:
        self._act(False, "hint")

    def dispute(self, why: str, seq: int = 0) -> None:
        self.told.append(("dispute", why, seq))

    def stop(self, why: str, still: bool = True) -> None:
        if still:
            self.told.append(("stopped", why))

    def read(self, look: Any, then: Callable[[Any], object]) -> None:
        found = self.found.pop(0) if self.found else None
        self.waiting.append(lambda: then(found))

    def redraw(self, *, at_once: bool = False) -> None:
        """Nothing is drawn here."""

    def hush(self) -> None:
        """No toast lies over it."""

    def tell(self, toast: Toast) -> None:
        self.told.append(("tell", toast.text))

    def confirm(self, title: str, note: str, act: str, then: Callable[[], object]) -> None:
        self.told.append(("confirm",))
        self.waiting.append(then)

    def __getattr__(self, name: str) -> Callable[..., None]:
        return lambda *given, **named: self.told.append((name, *given, *named.values()))


def picture(prompt: Prompt = GEAR, **more: Any) -> RaceShown:
    top = TopBar(lap="1", laps="2", round="3")
    return RaceShown(top=top, order=(), prompt=prompt, board=more.pop("board", BoardScene()), **more)


class Table:
    """A controller, its picture, and what it told."""

    def __init__(self, shown: RaceShown) -> None:
        self.fake = Fake()
        self.controller = RaceController(self.fake)  # type: ignore[arg-type]
        self.controller.show(shown)

    def do(self, *steps: Any) -> None:
        """Do intents; press the buttons named; show pictures; None is the picture in which all acts are done, READ what
        the race says at last to what was read of it."""
        for step in steps:
            if isinstance(step, str):
                step = self.controller.intent_for(step)
                if step is None:
                    self.fake.told.append(("nothing",))
                    continue
            if step is READ:
                self.fake.waiting.pop(0)()
                continue
            if step is None:
                step = replace(self.controller.shown, done=self.fake.acts)
            if isinstance(step, RaceShown):
                self.controller.show(step)
            else:
                self.controller.handle(step)


def selected(at: int, prompt: Prompt = GEAR, **more: Any) -> RaceShown:
    """The picture with an answer selected, by everything that the table has done so far."""
    return picture(replace(prompt, chosen=at), done=9, **more)


RISK: Final = RiskCard(title="D", why="", article="corner.test", cited="", tone="warn", rows=(), back="All")
TESTS: Final = QueueRow(
    plate=PLATE, code="ADA", icon="die", title="Collision", state="now", keys=(FREE, DEAR), chosen=0
)
LANDING: Final = Prompt(
    key="3 landing",
    n=3,
    title="Space",
    layout="landing",
    keys=(replace(FREE, space="a"), replace(DEAR, space="b")),
    pages=(Outcomes(rows=(), label="Free"), Outcomes(rows=(), label="Dear")),
    chosen=0,
)
HANDS: Final = Prompt(
    key="4 play",
    n=4,
    title="Play",
    layout="pick",
    parts=(AnswerKey(answer="S1", label="1"), AnswerKey(answer="S2", label="2")),
    keys=(AnswerKey(answer=["S1"], label="Play 1"), AnswerKey(answer=["S1", "S2"], label="Play 3", accept=True)),
)
TYPED: Final = Prompt(key="5 check", n=5, title="Check", typed=(1, 1), keys=(AnswerKey(answer="blind", label="Blind"),))
OVER: Final = Prompt(key="6", n=6, title="", layout="none", undo=LastAnswer(label="4th", seq=8))
CAR: Final = Dashboard(
    plate=PLATE,
    name="Ada",
    columns=(Column(pool="tyres", name="Tyres", built=6, left=4), Column(pool="body", name="Body", built=3, left=1)),
)
SAID: Final = MoveReport(said={"lane": 1, "over": 1}, company="", cars=(), nobody={}, groups=())
SEEN: Final = Prompt(key="8 saw", n=8, title="Saw", layout="seen", keys=(FREE,), seen=SAID)
REPAIR: Final = Prompt(
    key="7 repair",
    n=7,
    title="Repair",
    layout="form",
    most=2,
    undo=LastAnswer(label="stop", seq=3),
    fields=(Field(name="tyres", label="Tyres", high=2), Field(name="body", label="Body", high=2)),
)


CASES: Final[dict[str, tuple[RaceShown, list[Any], list[tuple[Any, ...]]]]] = {
    "a free answer applies": (picture(), [Tap(FREE)], [("answer", 1, 4)]),
    "a dear one is selected": (picture(), [Tap(DEAR)], [("select", 5)]),
    "and applied by the second tap": (
        picture(),
        [Tap(DEAR), selected(1, card=ADVICE), Tap(DEAR)],
        [("select", 5), ("answer", 1, 5)],
    ),
    "not before its card is there": (picture(), [Tap(DEAR), Tap(DEAR)], [("select", 5)] * 2),
    "nor by a tap if it takes the car out": (selected(1, card=OUT), [Tap(DEAR)], []),
    "but by Accept": (selected(1, card=OUT), [Accept()], [("answer", 1, 5)]),
    "one answer is sent once": (picture(), [Tap(FREE), Tap(FREE), Accept()], [("answer", 1, 4)]),
    "none is sent until the last was shown": (
        picture(),
        [Tap(FREE), picture(ROLL), Tap(FREE), None, Tap(FREE)],
        [("answer", 1, 4), ("answer", 2, 4)],
    ),
    "a barred one says why": (
        picture(),
        [ExplainBarred(BARRED)],
        [("tell", "6th: Only one gear up. (gears.up)"), ("refused",)],
    ),
    "up and Confirm": (picture(), ["up", selected(1, card=ADVICE), "confirm"], [("select", 5), ("answer", 1, 5)]),
    "Confirm waits for the picture": (
        picture(),
        ["up", "down", "confirm", selected(0)],
        [("select", 5), ("select", 4), ("answer", 1, 4)],
    ),
    "but accepts no price unseen": (picture(), ["up", "confirm", selected(1, card=ADVICE)], [("select", 5)]),
    "barred answers are passed over": (picture(), ["last"], [("select", 5)]),
    "next skips": (picture(replace(GEAR, keys=(FREE, SKIP))), ["next"], [("select", None)]),
    "next skips nothing that must be": (picture(), ["next"], []),
    "Override asks why": (picture(), ["override"], []),
    "Undo": (picture(), ["undo"], [("undo", 1, 7)]),
    "Undo with nothing before": (picture(ROLL), [UndoAnswer()], []),
    "Undo closes the menu": (picture(), [OpenMenu(), "undo"], [("go_back",)]),
    "no button answers beneath a menu": (picture(), [OpenMenu(), "confirm", "up", "pause"], [("nothing",)] * 3),
    "the clock": (picture(), ["pause", ToggleClock()], [("toggle",)] * 2),
    "history": (picture(), ["history"], [("open_history",)]),
    "the first page after the race": (picture(OVER), ["confirm"], [("go_home",)]),
    "Undo after the race is asked": (picture(OVER), ["undo"], [("confirm",)]),
    "a step of the trail": (picture(), [Rewind(Step(label="Gear 4", state="done", back=3))], [("undo", 3, 7)]),
    "a step that is to come": (picture(), [Rewind(Step(label="Roll", state="to_come"))], []),
    "redo": (picture(), [OpenMenu(), Choose("redo")], [("redo",)]),
    "leave": (picture(), [Choose("leave")], [("leave_race",)]),
    "seat": (picture(may_hand_over=3), [Choose("seat")], [("open_override", 3, True)]),
    "ending": (picture(), [Choose("ending")], [("open_override", True)]),
    "settings": (picture(), [Choose("settings")], [("open_page", "settings")]),
    "rules": (picture(replace(GEAR, article="gears.up")), [Choose("rules")], [("open_rules", "gears.up")]),
    "an article that is none": (picture(), [OpenArticle("question"), OpenArticle("card")], []),
    "the card's article": (picture(card=GIVEN), [OpenArticle("card")], [("open_rules", "corner.overshoot")]),
    "the risk's article": (picture(LANDING, risk=RISK), [OpenArticle("card")], [("open_rules", "corner.test")]),
    "a space": (picture(LANDING), [TapSpace("a")], [("answer", 3, 4)]),
    "a space that costs": (picture(LANDING), [TapSpace("b")], [("select", 5)]),
    "no space": (picture(LANDING), [TapSpace("c")], []),
    "a point": (
        picture(REPAIR, dashboard=CAR),
        [GivePoint("tyres"), GivePoint("body"), GiveDraft()],
        [("answer", 7, {"tyres": 1, "body": 1})],
    ),
    "Undo takes a point first": (
        picture(REPAIR, dashboard=CAR),
        [GivePoint("tyres"), "undo", "undo"],
        [("undo", 1, 3)],
    ),
    "Confirm gives the points": (
        picture(REPAIR, dashboard=CAR),
        [GivePoint("body"), "confirm"],
        [("answer", 7, {"body": 1})],
    ),
    "a card of a hand": (
        picture(HANDS),
        [PickPart(0), replace(selected(0, HANDS), done=9), GiveDraft()],
        [("select", ["S1"]), ("answer", 4, ["S1"])],
    ),
    "two cards": (picture(HANDS), [PickPart(0), PickPart(1)], [("select", ["S1"]), ("select", ["S1", "S2"])]),
    "cards that make no answer": (picture(HANDS), [PickPart(1), GiveDraft(), "confirm"], []),
    "a typed card": (
        picture(TYPED),
        [TypeCard(kind="S"), TypeCard(value=1), GiveDraft(), TypeSign("2"), TypeSign("0"), GiveDraft()],
        [("answer", 5, "S1 20")],
    ),
    "half a card": (picture(TYPED), [TypeCard(kind="S"), "confirm"], []),
    "the selected word": (selected(0, TYPED), ["confirm"], [("answer", 5, "blind")]),
    "a form of a question": (
        picture(replace(REPAIR, fields=(Field(name="who", label="Who", kind="text"),))),
        [Fill({"who": "Bo"})],
        [("answer", 7, {"who": "Bo"})],
    ),
    "a car that was moved": (picture(), [ConfirmMove(), ConfirmMove()], [("pushed",)]),
    "a hint": (picture(), [AskHint(), AskHint()], [("hint",)]),
    "a car's sheet": (picture(), [OpenSheet(3)], [("open_sheet", 3)]),
    "race control": (picture(), [CallControl()], [("call_control",)]),
    "a selection under way": (
        picture(replace(GEAR, chosen=1), card=ADVICE),
        [Select(4), Tap(DEAR)],
        [("select", 4), ("select", 5)],
    ),
    "no undo while an answer is under way": (picture(), [Tap(FREE), UndoAnswer()], [("answer", 1, 4)]),
    "a point is taken, nothing undone": (picture(REPAIR, dashboard=CAR), [GivePoint("tyres"), "undo"], []),
    "Confirm without the card of a price": (selected(1), ["confirm"], []),
    "dear cards of a hand": (
        picture(HANDS),
        [PickPart(0), PickPart(1), GiveDraft(), selected(1, HANDS, card=OUT), GiveDraft(), "confirm"],
        [("select", ["S1"]), ("select", ["S1", "S2"]), ("select", ["S1", "S2"]), ("answer", 4, ["S1", "S2"])],
    ),
    "a ruling is upheld": (
        picture(card=GIVEN),
        [Dispute(), Reason("uphold", "")],
        [("dispute", "Overshoot", 9), ("stopped", "disputed"), ("uphold", 9)],
    ),
    "a given ruling put off is noted already": (
        picture(card=GIVEN),
        [Dispute(), Reason("later", ""), Tap(FREE)],
        [("dispute", "Overshoot", 9), ("stopped", "disputed"), ("answer", 1, 4)],
    ),
    "a part of what was seen": (
        picture(SEEN),
        [OpenForm(("lane",)), Fill({"lane": 2})],
        [("select", {"lane": 2, "over": 1})],
    ),
    "all that was seen": (picture(SEEN), [OpenForm(), Fill({"lane": 2, "over": 0})], [("select", {"lane": 2})]),
    "a dispute stops the clock": (
        picture(card=GIVEN),
        [Dispute()],
        [("dispute", "Overshoot", 9), ("stopped", "disputed")],
    ),
}
"""A picture, what is done, and what the race and the app are told."""


@pytest.mark.parametrize("name", CASES)
def test_what_is_meant_is_done(name: str) -> None:
    shown, steps, told = CASES[name]
    table = Table(shown)
    table.do(*steps)
    assert table.fake.told == told


SELECTS: Final[dict[str, tuple[RaceShown, list[Any], set[str]]]] = {
    "answers": (picture(), [], {"up", "down", "first", "last", "confirm", "override"}),
    "up after the last answer": (selected(1), [], {"down", "first", "last", "confirm", "override"}),
    "an option to skip": (
        picture(replace(GEAR, keys=(FREE, SKIP))),
        [],
        {"up", "down", "first", "last", "next", "confirm", "override"},
    ),
    "beneath a menu": (picture(), [OpenMenu()], set()),
    "points": (picture(REPAIR, dashboard=CAR), [], {"confirm"}),
    "a form": (picture(REPAIR), [], set()),
    "after the race": (picture(OVER), [], {"confirm"}),
}
"""A picture, what is done, and the buttons that act on its answers; all others move the focus."""


@pytest.mark.parametrize("name", SELECTS)
def test_a_button_selects_or_moves_the_focus(name: str) -> None:
    shown, steps, buttons = SELECTS[name]
    table = Table(shown)
    table.do(*steps)
    every = ("up", "down", "first", "last", "next", "confirm", "override")
    assert {button for button in every if table.controller.selects(button)} == buttons


def test_the_controller_needs_no_kivy() -> None:
    code = "import sys, companion.screens.race.controller; sys.exit('kivy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


LEGENDS: Final = [LEGEND, WHY]
WHYS: Final = [WHY]
LAYERS: Final[dict[str, tuple[list[Any], list[Any], list[Any]]]] = {
    "one cover at a time": ([], [OpenMenu(), OpenOrder()], [OrderLayer()]),
    "a section has a cover of its own": ([], [OpenSection("s2")], [SectionLayer("s2")]),
    "a choice closes the menu": ([], [OpenMenu(), Choose("overview")], [OverviewLayer()]),
    "the order from the menu": ([], [OpenMenu(), Choose("order")], [OrderLayer()]),
    "a note": ([], [OpenMenu(), Choose("note")], [NoteEntry("note")]),
    "a written note is closed": ([], [Choose("note"), KeepNote("rain")], []),
    "a cover outlives the question": ([], [OpenMenu(), picture(ROLL)], [MenuLayer()]),
    "the circuit goes with it": ([], [Choose("overview"), picture(ROLL)], []),
    "a tap on the circuit closes it": ([], [Choose("overview"), TapSpace("a")], []),
    "an explanation lies on top": (
        LEGENDS,
        [OpenMenu(), Explain("menu"), READ],
        [MenuLayer(), Explanation(LEGEND, None)],
    ),
    "and goes with the question": (LEGENDS, [Explain("menu"), READ, picture(ROLL)], []),
    "an answer leads to its override": (LEGENDS, [Explain(FREE), READ], [Explanation(LEGEND, Override(FREE))]),
    "a car to its values": (LEGENDS, [Explain(CarSubject(3)), READ], [Explanation(LEGEND, SetCar(3))]),
    "the race to its own": (LEGENDS, [Explain(RaceSubject()), READ], [Explanation(LEGEND, SetRace())]),
    "late, after another question": (LEGENDS, [Explain(FREE), picture(ROLL), READ], []),
    "late, beneath a menu": (LEGENDS, [Explain(FREE), OpenMenu(), READ], [MenuLayer()]),
    "nothing to explain": ([None], [Explain(FREE), READ], []),
    "the override replaces the explanation": (
        LEGENDS,
        [Explain(FREE), READ, OverrideExplained(), READ],
        [OverrideReason(WHY, 4)],
    ),
    "Cancel returns to the question": (WHYS, [Override(FREE), READ, CancelReason()], []),
    "a reason is given": (WHYS, [Override(FREE), READ, Reason("misread", "Misread")], []),
    "a reason goes with the question": (WHYS, [Override(FREE), READ, picture(ROLL)], []),
    "the same question keeps it": (WHYS, [Override(FREE), READ, picture(done=9)], [OverrideReason(WHY, 4)]),
    "another selection drops it": (WHYS, [Override(FREE), selected(1), READ], []),
}


@pytest.mark.parametrize("name", LAYERS)
def test_what_lies_over_the_question(name: str) -> None:
    found, steps, layers = LAYERS[name]
    table = Table(picture())
    table.fake.found = [*found]
    table.do(*steps)
    assert list(table.controller.layers) == layers


def test_no_face_of_a_test_can_be_overridden() -> None:
    table = Table(picture(tests=(TESTS,)))
    table.fake.found = [LEGEND]
    table.do(Explain(FREE), READ)
    assert table.controller.explanation == Explanation(LEGEND, None)


@pytest.mark.parametrize("undone", [True, False])
def test_the_answer_named_in_the_warning_is_undone_and_no_other(undone: bool) -> None:
    table = Table(picture(OVER))
    table.do("undo")
    if not undone:
        table.do(picture(replace(OVER, undo=LastAnswer(label="5th", seq=12))))
    table.do(READ)
    assert table.fake.told == [("confirm",), *([("undo", 1, 8)] if undone else [])]


def test_back_closes_one_thing_after_the_other() -> None:
    table = Table(picture(REPAIR))
    table.fake.found = [WHY, LEGEND]
    table.do(OpenForm(("body",)), Override(FREE), READ, OpenMenu(), Explain("menu"), READ)
    left = []
    while table.controller.back():
        left.append(len(table.controller.layers))
    assert left == [2, 1, 0, 0]
    assert table.controller.question.view == Closed()


def test_a_forced_answer_is_signed() -> None:
    table = Table(picture())
    table.fake.found = [WHY]
    table.do(Override(BARRED), READ, Reason("agreed", "All agreed"))
    assert table.fake.told == [("force", 1, 6, "Mo", "All agreed")]


VIEWS: Final[dict[str, tuple[RaceShown, list[Any], Any, str]]] = {
    "bands of faces": (picture(tests=(TESTS,)), [], Closed(), "queue"),
    "each face": (picture(tests=(TESTS,)), [ShowFaces()], Keypad(), "race"),
    "faces go with the question": (picture(tests=(TESTS,)), [ShowFaces(), picture(ROLL)], Closed(), "race"),
    "Undo folds them": (picture(tests=(TESTS,)), [ShowFaces(), "undo"], Keypad(), "race"),
    "landings": (picture(LANDING), [], Closed(), "landing"),
    "the page after the last is the first": (picture(LANDING), [TurnPage(), TurnPage()], ListPage(0), "landing"),
    "a selection turns to its page": (picture(LANDING), [TurnPage(), Tap(DEAR)], Closed(), "landing"),
    "all spaces": (picture(LANDING, risk=RISK), [ListSpaces()], AllSpaces(), "landing"),
    "pools": (picture(REPAIR, dashboard=CAR), [], Closed(), "pools"),
    "a form without answers": (picture(REPAIR), [], Closed(), "form"),
    "a part of the form": (picture(replace(REPAIR, keys=(FREE,))), [OpenForm(("body",))], WholeForm(("body",)), "form"),
    "and back": (picture(replace(REPAIR, keys=(FREE,))), [OpenForm(), FoldForm()], Closed(), "race"),
    "typed cards": (picture(TYPED), [], Closed(), "typing"),
    "the race is over": (picture(OVER), [], Closed(), "over"),
}


@pytest.mark.parametrize("name", VIEWS)
def test_how_answers_are_unfolded(name: str) -> None:
    shown, steps, view, layout = VIEWS[name]
    table = Table(shown)
    table.do(*steps)
    assert (table.controller.question.view, table.controller.layout) == (view, layout)


DRAFTS: Final[dict[str, tuple[RaceShown, list[Any], Any]]] = {
    "points": (picture(REPAIR, dashboard=CAR), [GivePoint("body")] * 2 + [TakePoint("body")], Points(given=("body",))),
    "none to take": (picture(REPAIR, dashboard=CAR), [TakePoint("body")], Points()),
    "a picture of the same question keeps them": (
        picture(REPAIR, dashboard=CAR),
        [GivePoint("body"), picture(REPAIR, dashboard=CAR, may_odds=True)],
        Points(given=("body",)),
    ),
    "another question begins anew": (picture(HANDS), [PickPart(0), picture(REPAIR, dashboard=CAR)], Points()),
    "a hand follows a button": (picture(HANDS), [selected(1, HANDS)], HandDraft(picked=(0, 1), made=1)),
    "a card is put back": (picture(HANDS), [PickPart(0), PickPart(0)], HandDraft(made=0)),
    "a factor has three digits": (
        picture(TYPED),
        [TypeSign(one) for one in "01205"],
        TableCards(typed=TypedCard(factor="120")),
    ),
    "the last sign is erased": (picture(TYPED), [TypeSign("1"), TypeSign("T"), EraseSign(), EraseSign()], TableCards()),
    "all of a card is cleared": (picture(TYPED), [TypeCard(kind="S", value=1), ClearCard()], TableCards()),
    "a card is kept": (
        picture(TYPED),
        [TypeCard(kind="S", value=1), TypeSign("7"), KeepCard()],
        TableCards(seen=("S1 7",), picks=(0,)),
    ),
    "and put back": (
        picture(TYPED),
        [TypeCard(kind="S", value=1), TypeSign("7"), KeepCard(), PickSeen(0)],
        TableCards(seen=("S1 7",)),
    ),
}


@pytest.mark.parametrize("name", DRAFTS)
def test_what_is_put_together(name: str) -> None:
    shown, steps, draft = DRAFTS[name]
    table = Table(shown)
    table.do(*steps)
    assert table.controller.question.draft == draft


def test_a_doubted_ruling_is_disputed_with_its_answer_and_with_no_other() -> None:
    for answer, dispute in ((DEAR, ("Brakes",)), (FREE, ())):
        table = Table(selected(1, card=ADVICE))
        table.do(Dispute())
        assert isinstance(table.controller.reason, DisputeReason)
        table.do(Reason("later", ""))
        assert table.controller.top().marks == (Price(text="1 disputed", icon="flag", tone="info"),)
        assert table.controller.marked(ADVICE).tone == "info"
        table.fake.told.clear()
        table.do(Tap(answer))
        assert table.fake.told == [("answer", 1, answer.answer, *dispute)]


def test_the_guide_hesitates_once_at_a_question() -> None:
    guide = Guide(lesson="gear", step=1, name="", done=(), what="", todo="", advised="3rd", again="Sure?")
    table = Table(picture(guide=guide))
    table.do(Tap(FREE))
    assert (table.fake.told, table.controller.question.hesitation) == ([], "Sure?")
    table.do(Tap(FREE))
    assert table.fake.told == [("answer", 1, 4)]


def test_a_toast_is_told_once_and_after_an_answer_again() -> None:
    refused = picture(toast=Toast(text="No."), done=9)
    table = Table(refused)
    table.do(refused)
    assert table.fake.told == [("tell", "No.")]
    table.do(Tap(FREE), None)
    assert table.fake.told == [("tell", "No."), ("answer", 1, 4), ("tell", "No.")]


def test_a_closed_card_stays_closed() -> None:
    table = Table(picture(card=GIVEN))
    assert table.controller.given_card == GIVEN
    table.do(CloseCard(), picture(card=GIVEN, may_odds=True))
    assert table.controller.given_card is None
    table.do(picture(card=replace(GIVEN, seq=10)))
    assert table.controller.given_card is not None
