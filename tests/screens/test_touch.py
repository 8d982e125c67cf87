"""What a finger does, and what it does not do."""

from __future__ import annotations

import gc
import weakref
from typing import TYPE_CHECKING, Any

import pytest

from companion.view.race.intents import (
    Accept,
    Dispute,
    Explain,
    ExplainBarred,
    Fill,
    OpenArticle,
    OpenHistory,
    OpenMenu,
    Rewind,
    Tap,
    UndoAnswer,
)

if TYPE_CHECKING:
    from companion.screens.kit.prompt_band import PromptBand
    from tests.screens.rig import Rig


@pytest.fixture
def told() -> list[Any]:
    """What was told by what was touched."""
    return []


@pytest.fixture
def key(rig: Rig, told: list[Any]) -> Any:
    """A key of 90 by 88 that can be tapped and held."""
    from companion.screens.kit.key import Face, Key

    made = Key(Face(label="9", size=46), on_tap=lambda: told.append("tap"), on_hold=lambda: told.append("hold"))
    return rig.show(made, 100, 100, 90, 88)


def test_a_tap(rig: Rig, key: Any, told: list[Any]) -> None:
    rig.tap(key)
    assert told == ["tap"]


def test_a_press_is_drawn_at_the_next_frame(rig: Rig, key: Any) -> None:
    from companion.screens.kit.theme import theme

    assert key.marks[0].colour == theme.hex("pri")
    finger = rig.press(key)
    assert key.marks[0].colour == theme.hex("mid")
    finger.up()
    assert key.marks[0].colour == theme.hex("pri")


def test_a_touch_that_ends_elsewhere_does_nothing(rig: Rig, key: Any, told: list[Any]) -> None:
    rig.drag((145, 144), (300, 300))
    rig.drag((300, 300), (145, 144))
    finger = rig.press(key)
    finger.slide(*rig.at(300, 300))
    finger.slide(*rig.at(145, 144))
    finger.up()
    assert told == []
    assert not key.pressed


def test_a_hold_is_no_tap_and_shows_how_far_it_is(rig: Rig, key: Any, told: list[Any]) -> None:
    from companion.screens.kit.theme import theme

    theme.still = False
    finger = rig.press(key)
    rig.wait(0.35)
    assert 0.3 < key.held < 1
    assert any(mark.colour == theme.hex("warn") for mark in key.marks)
    rig.wait(0.4)
    assert told == ["hold"]
    finger.up()
    assert told == ["hold"]
    assert key.held == 0


def test_a_tap_during_a_frame_that_takes_long_is_no_hold(rig: Rig, key: Any, told: list[Any]) -> None:
    finger = rig.press(key)
    rig.stall(0.65)
    rig.settle(1)  # in a frame the clock comes before the fingers
    finger.up()
    assert told == ["tap"]


def test_what_is_held_long_repeats_faster(rig: Rig, key: Any, told: list[Any]) -> None:
    """A start number may be hundreds away: ten taps a second at first, then many more."""
    key.repeats = True
    finger = rig.press(key)
    rig.wait(2.4)
    finger.up()
    assert told[:1] == ["tap"]
    assert len(told) > 25


@pytest.mark.parametrize("repeats", [False, True])
def test_what_is_taken_away_under_a_finger_is_not_meant(rig: Rig, key: Any, told: list[Any], repeats: bool) -> None:
    key.repeats = repeats
    for seconds in (0.0, 0.75):
        finger = rig.press(key)
        rig.clear()
        rig.wait(seconds)
        finger.up()
        assert told == []
        rig.show(key, 100, 100, 90, 88)
        rig.wait(0.3)
    rig.tap(key)
    assert told == ["tap"]


def test_a_second_finger_is_not_heard(rig: Rig, key: Any, told: list[Any]) -> None:
    first = rig.press(key)
    rig.tap(key)
    first.up()
    assert told == ["tap"]


def test_a_disabled_key_is_deaf(rig: Rig, key: Any, told: list[Any]) -> None:
    key.disabled = True
    rig.tap(key)
    assert told == []


@pytest.fixture
def band(rig: Rig, told: list[Any]) -> PromptBand:
    """A band that tells everything."""
    from companion.screens.gallery.examples import prompts
    from companion.screens.kit.prompt_band import PromptBand

    made = PromptBand(told.append)
    made.show(prompts()["roll"])
    rig.show(made, 0, 320, None, 160)
    return made


def test_the_band_tells_what_was_touched(rig: Rig, band: PromptBand, told: list[Any]) -> None:
    rig.tap(band.keys[2])
    rig.tap(band.made["undo"])
    rig.tap(band.made["more"])
    rig.hold(band.keys[0])
    rig.hold(band.made["undo"])
    rig.tap(610, 352)
    answers, trail = band.shown.keys, band.shown.trail
    step = next(one for one in trail if one.label == "Gear 4")
    assert told == [Tap(answers[2]), UndoAnswer(), OpenMenu(), Explain(answers[0]), OpenHistory(), Rewind(step)]


def test_what_is_not_allowed_explains_itself(rig: Rig, band: PromptBand, told: list[Any]) -> None:
    from companion.screens.gallery.examples import prompts

    band.show(prompts()["gear"])
    rig.wait(0.3)
    rig.tap(band.keys[0])
    assert told == [ExplainBarred(band.shown.keys[0])]


def test_a_double_tap_does_not_answer_the_next_question(rig: Rig, band: PromptBand, told: list[Any]) -> None:
    from companion.screens.gallery.examples import prompts

    def answer(intent: Any) -> None:
        told.append(intent.key.answer)
        band.show(prompts()["ten"])

    band.emit = answer
    band.look_again()
    rig.settle()
    rig.tap(band.keys[2])
    rig.tap(band.keys[2])
    assert told == [9]
    rig.wait(0.3)
    rig.tap(band.keys[2])
    assert told == [9, 13]


def test_nor_does_it_where_the_question_takes_long_to_draw(rig: Rig, band: PromptBand, told: list[Any]) -> None:
    from companion.screens.gallery.examples import prompts

    band.show(prompts()["gear"])
    rig.stall(0.4)  # a slow computer draws it, and hears only then what was tapped meanwhile
    rig.tap(band.keys[2])
    assert told == []
    rig.wait(0.3)
    rig.tap(band.keys[2])
    assert len(told) == 1


def test_a_finger_on_an_old_question_does_not_answer_the_new_one(rig: Rig, band: PromptBand, told: list[Any]) -> None:
    """The die-roller may answer while a finger is down."""
    from companion.screens.gallery.examples import prompts

    finger = rig.press(band.keys[2])
    band.show(prompts()["gear"])
    rig.wait(0.8)
    finger.up()
    assert told == []


def test_an_answer_from_a_list(rig: Rig, band: PromptBand, told: list[Any]) -> None:
    from companion.view.shown import AnswerKey, Prompt

    keys = (
        *(AnswerKey(answer=n, label=f"Beyond corner {n}, over the line", note="two stops") for n in range(1, 12)),
        AnswerKey(label="Pit", why="No."),
    )
    band.show(Prompt(key="list", n=2, title="Where?", layout="list", keys=keys))
    rig.show(band, 0, 192, None, 288)
    rig.wait(0.3)
    rig.tap(300, 192 + 60 + 52 + 26)
    rig.wait(0.2)
    band.rows.reveal(11)
    rig.settle()
    rig.tap(300, 192 + 60 + 216 - 26)
    rig.wait(0.2)
    assert told == [Tap(keys[1]), ExplainBarred(keys[-1])]


def test_the_same_question_drawn_anew_still_listens(rig: Rig, band: PromptBand, told: list[Any]) -> None:
    import msgspec

    from companion.screens.gallery.examples import prompts

    band.show(msgspec.structs.replace(prompts()["roll"], unit="7–13"))
    rig.settle()
    rig.tap(band.keys[0])
    assert told == [Tap(band.shown.keys[0])]


def test_an_equal_question_draws_nothing(rig: Rig, band: PromptBand) -> None:
    from companion.screens.gallery.examples import prompts

    drawn: list[str] = []
    band.compose = lambda ui: drawn.append("band")  # type: ignore[method-assign]
    band.show(prompts()["roll"])
    rig.settle()
    assert drawn == []
    band.show(prompts()["gear"])
    rig.settle()
    assert drawn == ["band"]


def test_another_question_comes_out_of_the_dark(rig: Rig, band: PromptBand, told: list[Any]) -> None:
    from companion.screens.gallery.examples import prompts
    from companion.screens.kit.theme import theme

    theme.still = False
    band.show(prompts()["gear"])
    rig.settle(2)
    assert band.made["asked"].opacity < 1
    rig.wait(0.3)
    assert band.made["asked"].opacity == 1
    theme.still = True
    band.show(prompts()["roll"])
    rig.settle(2)
    assert band.made["asked"].opacity == 1


def test_nothing_is_drawn_while_nothing_happens(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    from companion.screens.gallery.gallery import RaceFrame
    from companion.screens.kit.pane import Pane

    rig.show(RaceFrame("roll"))
    rig.settle(5)
    drawn: list[object] = []
    monkeypatch.setattr(Pane, "paint", lambda self, pen: drawn.append(self))
    rig.wait(0.3)
    assert drawn == []


def test_what_is_no_longer_shown_is_let_go(rig: Rig) -> None:
    from companion.screens.gallery.gallery import RaceFrame
    from companion.screens.kit.theme import theme

    frame = weakref.ref(rig.show(RaceFrame("roll")))
    rig.clear()
    for _ in range(20):  # what was still to be done at its last frame may hold it for a while
        rig.wait(0.1)
        gc.collect()
        if frame() is None:
            break
    assert frame() is None
    theme.look = "daylight"


def test_buttons_move_the_selection(rig: Rig, band: PromptBand) -> None:
    band.select(3)
    rig.settle()
    assert [key.face.chosen for key in band.keys] == [place == 3 for place in range(6)]


def test_the_page_of_the_selection_is_shown(rig: Rig) -> None:
    """Also where it was selected before there was a place to draw it."""
    from companion.screens.kit.prompt_band import PromptBand
    from companion.view.shown import AnswerKey, Prompt

    band = PromptBand(print)
    band.show(
        Prompt(key="q", n=1, title="Where?", layout="keys", keys=tuple(AnswerKey(label=f"Box {n}") for n in range(12)))
    )
    band.select(9)
    rig.show(band, 0, 320, None, 160)
    assert [key.face.label for key in band.keys if key.face.chosen] == ["Box 9"]
    seen: set[str] = set()
    for _ in range(3):
        seen |= {key.face.label for key in band.keys}
        assert [key.face.label for key in band.keys if key.face.chosen] == ["Box 9"]
        rig.tap(band.keys[-1])
    assert {f"Box {n}" for n in range(12)} < seen


def test_a_form_gives_every_value(rig: Rig, band: PromptBand, told: list[Any]) -> None:
    from companion.view.shown import AnswerKey, Field, Prompt

    fields = (
        Field(name="overshot", label="Overshot", value=1, low=0, high=2),
        Field(
            name="lane",
            label="Lane",
            kind="choice",
            keys=(AnswerKey(answer="in", label="In"), AnswerKey(answer="out", label="Out")),
        ),
        Field(
            name="hit",
            label="Hit",
            kind="many",
            value=[3],
            keys=(AnswerKey(answer=3, label="3"), AnswerKey(answer=5, label="5")),
        ),
    )
    band.show(Prompt(key="form", n=2, title="Seen?", layout="form", fields=fields))
    rig.wait(0.3)
    stepper, lane, hit = band.form.fields
    for _ in range(3):
        rig.tap(stepper.made["value", "plus"])  # type: ignore[union-attr]
    rig.tap(lane.made[1])  # type: ignore[union-attr]
    rig.tap(hit.made[1])  # type: ignore[union-attr]
    rig.tap(hit.made[0])  # type: ignore[union-attr]
    rig.tap(band.form.done)
    assert told == [Fill({"overshot": 2, "lane": "out", "hit": [5]})]


def test_a_toast_goes_after_its_time(rig: Rig, told: list[Any]) -> None:
    from companion.screens.kit.toast import ToastView
    from companion.view.shown import Toast as Shown

    toast = ToastView(told.append, on_gone=lambda: told.append("gone"), seconds=0.2)
    toast.show(Shown(text="Stop made", action="log", action_label="Log"))
    rig.show(toast, 200, 250, 388, 60)
    rig.wait(0.3)
    assert told == ["gone"]
    assert toast.shown is None
    toast.show(Shown(text="Stop made", action="log", action_label="Log"))
    rig.settle()
    rig.tap(toast.made["action"])
    rig.wait(0.3)
    assert told == ["gone", "log", "gone"]


def test_beneath_a_confirmation_nothing_is_touched(rig: Rig, key: Any, told: list[Any]) -> None:
    from companion.screens.kit.confirm import Confirm, Confirmation

    over = Confirm(lambda: told.append("act"), on_cancel=lambda: told.append("cancel"))
    over.show(Confirmation(title="Delete the race?", act="Delete"))
    rig.show(over)
    rig.tap(key)
    assert told == []
    rig.tap(over.made["cancel"])
    rig.tap(over.made["act"])
    assert told == ["cancel", "act"]


def test_a_card_tells_what_was_touched(rig: Rig, told: list[Any]) -> None:
    from companion.screens.gallery import examples
    from companion.screens.kit.ruling_card import Header, RulingCard

    card = RulingCard(told.append)
    card.show(examples.card())
    rig.show(card, 548, 48, 252, 432)
    for part in ("accept", "dispute", (Header, "header")):
        rig.tap(card.made[part])
    assert told == [Accept(), Dispute(), OpenArticle("card")]


@pytest.mark.parametrize(
    ("left", "paused", "text", "token"),
    [(38, False, "0:38", "hi"), (9, False, "0:09", "warn"), (-72, False, "+1:12", "bad"), (5, True, "0:05", "info")],
)
def test_the_shot_clock(left: int, paused: bool, text: str, token: str) -> None:
    from companion.screens.kit.shot_clock import ShotTime

    time = ShotTime(left=left, of=60, paused=paused)
    assert (time.text, time.token) == (text, token)
