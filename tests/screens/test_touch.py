"""What a finger does, and what it does not do."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from companion.screens.gallery import examples
from companion.screens.gallery.gallery import RaceFrame
from companion.screens.kit.confirm import Confirm, Confirmation
from companion.screens.kit.key import Face, Key
from companion.screens.kit.pane import Pane
from companion.screens.kit.prompt_band import PromptBand
from companion.screens.kit.ruling_card import RulingCard
from companion.screens.kit.shot_clock import ShotTime
from companion.screens.kit.theme import theme
from companion.screens.kit.toast import ToastView
from companion.view.race import intents
from companion.view.shown import AnswerKey, Field, Prompt, Toast
from tests.screens.rig import Rig
from tests.screens.ui import Ui

KEY = (145, 144)
"""The middle of the key of these tests, in dp from the top left."""
EDGE = (110, 110)
FOOT = (110, 171)
"""On that key, a place beside its label, and one where a hold shows how far it is."""


@pytest.fixture
def told() -> list[Any]:
    """What was told by what was touched."""
    return []


def show_key(rig: Rig, told: list[Any], **properties: Any) -> Key:
    """Show a key of 90 by 88 that can be tapped and held."""
    face = Face(label="9", size=46)
    key = Key(face, on_tap=lambda: told.append("tap"), on_hold=lambda: told.append("hold"), **properties)
    return rig.show(key, 100, 100, 90, 88)


def show_band(rig: Rig, emit: Callable[[Any], object], question: str = "roll") -> PromptBand:
    """Show a band that asks a question of the gallery."""
    band = PromptBand(emit)
    band.show(examples.prompts()[question])
    return rig.show(band, 0, 320, None, 160)


def test_a_key_is_tapped_where_a_finger_comes_and_goes_and_drawn_as_pressed_meanwhile(
    rig: Rig, told: list[Any]
) -> None:
    show_key(rig, told)
    assert rig.colour(*EDGE) == theme.hex("pri")
    finger = rig.press(*KEY)
    assert rig.colour(*EDGE) == theme.hex("mid")
    rig.tap(*KEY)  # a second finger is not heard
    assert told == []
    finger.up()
    assert rig.colour(*EDGE) == theme.hex("pri")
    assert told == ["tap"]


def test_a_touch_that_ends_elsewhere_does_nothing(rig: Rig, told: list[Any]) -> None:
    show_key(rig, told)
    rig.drag(KEY, (300, 300))
    rig.drag((300, 300), KEY)
    finger = rig.press(*KEY)
    finger.slide(*rig.at(300, 300))
    finger.slide(*rig.at(*KEY))
    assert rig.colour(*EDGE) == theme.hex("pri")
    finger.up()
    assert told == []


def test_a_hold_is_no_tap_and_shows_how_far_it_is(rig: Rig, told: list[Any]) -> None:
    show_key(rig, told)
    theme.still = False
    finger = rig.press(*KEY)
    rig.wait(0.3)
    assert (rig.colour(*FOOT), rig.colour(180, FOOT[1])) == (theme.hex("warn"), theme.hex("bg2"))
    rig.wait(0.4)
    assert told == ["hold"]
    finger.up()
    rig.wait(0.3)
    assert rig.colour(*FOOT) == theme.hex("pri")
    assert told == ["hold"]


def test_a_tap_during_a_frame_that_takes_long_is_no_hold(rig: Rig, told: list[Any]) -> None:
    show_key(rig, told)
    finger = rig.press(*KEY)
    rig.stall(0.65)
    rig.settle(1)  # in a frame the clock comes before the fingers
    finger.up()
    assert told == ["tap"]


def test_what_is_held_long_repeats_faster(rig: Rig, told: list[Any]) -> None:
    """A start number may be hundreds away: ten taps a second at first, then many more."""
    show_key(rig, told, repeats=True)
    finger = rig.press(*KEY)
    rig.wait(1.2)
    first = told[:]
    rig.wait(1.2)
    finger.up()
    assert set(first) == {"tap"}
    assert 5 < len(first) < 12
    assert len(told) > 25


@pytest.mark.parametrize("repeats", [False, True])
def test_what_is_taken_away_under_a_finger_is_not_meant(rig: Rig, told: list[Any], repeats: bool) -> None:
    key = show_key(rig, told, repeats=repeats)
    for seconds in (0.0, 0.75):
        finger = rig.press(*KEY)
        rig.clear()
        rig.wait(seconds)
        finger.up()
        assert told == []
        rig.show(key, 100, 100, 90, 88)
        rig.wait(0.3)
    rig.tap(*KEY)
    assert told == ["tap"]


def test_a_disabled_key_is_deaf(rig: Rig, told: list[Any]) -> None:
    show_key(rig, told, disabled=True)
    rig.tap(*KEY)
    assert told == []


def test_the_band_tells_what_was_touched(rig: Rig, bare: Ui, told: list[Any]) -> None:
    question = examples.prompts()["roll"]
    band = show_band(rig, told.append)
    bare.tap("9", "Undo", "More")
    bare.hold("7")
    bare.hold("Undo")
    bare.tap("Gear 4", beside="Slip")
    step, keys = next(one for one in question.trail if one.label == "Gear 4"), question.keys
    assert told == [
        intents.Tap(keys[2]),
        intents.UndoAnswer(),
        intents.OpenMenu(),
        intents.Explain(keys[0]),
        intents.OpenHistory(),
        intents.Rewind(step),
    ]
    barred = examples.prompts()["gear"]
    band.show(barred)
    bare.tap("1")
    assert told[6:] == [intents.ExplainBarred(barred.keys[0])]


def test_a_double_tap_does_not_answer_the_next_question(rig: Rig, bare: Ui, told: list[Any]) -> None:
    def answer(intent: Any) -> None:
        told.append(intent.key.answer)
        band.show(examples.prompts()["ten"])

    band = show_band(rig, answer)
    place = bare.where("9")
    rig.tap(*place)
    rig.tap(*place)
    assert told == [9]
    bare.tap("13")
    assert told == [9, 13]


def test_nor_does_it_where_the_question_takes_long_to_draw(rig: Rig, bare: Ui, told: list[Any]) -> None:
    band = show_band(rig, told.append)
    place = bare.where("9")
    band.show(examples.prompts()["gear"])
    rig.stall(0.4)  # a slow computer draws it, and hears only then what was tapped meanwhile
    rig.tap(*place)
    assert told == []
    rig.wait(0.3)
    rig.tap(*place)
    assert len(told) == 1


def test_a_finger_on_an_old_question_does_not_answer_the_new_one(rig: Rig, bare: Ui, told: list[Any]) -> None:
    """The die-roller may answer while a finger is down."""
    band = show_band(rig, told.append)
    finger = rig.press(*bare.where("9"))
    band.show(examples.prompts()["gear"])
    rig.wait(0.8)
    finger.up()
    assert told == []


def test_an_answer_from_a_list(rig: Rig, bare: Ui, told: list[Any]) -> None:
    keys = (
        *(AnswerKey(answer=n, label=f"Beyond corner {n}, over the line", note="two stops") for n in range(1, 12)),
        AnswerKey(label="Pit", why="No."),
    )
    band = PromptBand(told.append)
    band.show(Prompt(key="list", n=2, title="Where?", layout="list", keys=keys))
    rig.show(band, 0, 192, None, 288)
    bare.tap("Beyond corner 2, over the line", "Pit")
    assert told == [intents.Tap(keys[1]), intents.ExplainBarred(keys[-1])]


def test_the_same_question_drawn_anew_still_listens(rig: Rig, bare: Ui, told: list[Any]) -> None:
    band = show_band(rig, told.append)
    place, question = bare.where("7"), examples.prompts()["roll"]
    band.show(replace(question, unit="7–13"))
    rig.settle()
    rig.tap(*place)
    assert told == [intents.Tap(question.keys[0])]


def test_an_equal_question_draws_nothing(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[str] = []
    band = show_band(rig, print)
    monkeypatch.setattr(PromptBand, "compose", lambda *_: drawn.append("band"))
    band.show(examples.prompts()["roll"])
    rig.settle()
    assert drawn == []
    band.show(examples.prompts()["gear"])
    rig.settle()
    assert drawn == ["band"]


def test_nothing_is_drawn_while_nothing_happens(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    rig.show(RaceFrame("roll"))
    rig.settle(5)
    drawn: list[object] = []
    monkeypatch.setattr(Pane, "paint", lambda self, pen: drawn.append(self))
    rig.wait(0.3)
    assert drawn == []


def test_what_is_no_longer_shown_is_let_go(rig: Rig) -> None:
    frame = weakref.ref(rig.show(RaceFrame("roll")))
    rig.clear()
    for _ in range(20):  # what was still to be done at its last frame may hold it for a while
        rig.wait(0.1)
        gc.collect()
        if frame() is None:
            break
    assert frame() is None
    theme.look = "daylight"


def test_the_page_of_the_selection_is_shown(rig: Rig, bare: Ui) -> None:
    """Also where it was selected before there was a place to draw it; and it is seen on every page."""
    keys, seen = tuple(AnswerKey(label=f"Box {n}") for n in range(12)), set[str]()
    band = PromptBand(print)
    band.show(Prompt(key="q", n=1, title="Where?", layout="keys", keys=keys, chosen=9))
    rig.show(band, 0, 320, None, 160)
    assert bare.sees("Box 8")
    for _ in range(3):
        seen |= {word.text for word in bare.words()}
        assert bare.chosen() == ["Box 9"]
        bare.tap(icon="forward")
    assert {key.label for key in keys} < seen


def test_a_form_gives_every_value(rig: Rig, bare: Ui, told: list[Any]) -> None:
    lanes = AnswerKey(answer="in", label="In"), AnswerKey(answer="out", label="Out")
    cars = AnswerKey(answer=3, label="3"), AnswerKey(answer=5, label="5")
    fields = (
        Field(name="overshot", label="Overshot", value=1, low=0, high=2),
        Field(name="lane", label="Lane", kind="choice", keys=lanes),
        Field(name="hit", label="Hit", kind="many", value=[3], keys=cars),
    )
    band = PromptBand(told.append)
    band.show(Prompt(key="form", n=2, title="Seen?", layout="form", fields=fields))
    rig.show(band, 0, 100, None, 380)
    plus = bare.where(icon="plus", beside="Overshot")
    for _ in range(3):
        rig.tap(*plus)
    bare.tap("Out", "5", "3", theme.say("done"))
    assert told == [intents.Fill({"overshot": 2, "lane": "out", "hit": [5]})]


def test_a_toast_goes_after_its_time(rig: Rig, bare: Ui, told: list[Any]) -> None:
    toast = ToastView(told.append, on_gone=lambda: told.append("gone"), seconds=0.2)
    said = Toast(text="Stop made", action="log", action_label="Log")
    toast.show(said)
    rig.show(toast, 200, 250, 388, 60)
    assert bare.sees("Stop made")
    rig.wait(0.3)
    assert told == ["gone"]
    assert not bare.sees("Stop made")
    toast.show(said)
    bare.tap("Log")
    rig.wait(0.3)
    assert told == ["gone", "log", "gone"]


def test_beneath_a_confirmation_nothing_is_touched(rig: Rig, bare: Ui, told: list[Any]) -> None:
    show_key(rig, told)
    over = Confirm(lambda: told.append("act"), on_cancel=lambda: told.append("cancel"))
    over.show(Confirmation(title="Delete the race?", act="Delete"))
    rig.show(over)
    rig.tap(*KEY)
    assert told == []
    bare.tap("Cancel", "Delete")
    assert told == ["cancel", "act"]


def test_a_card_tells_what_was_touched(rig: Rig, bare: Ui, told: list[Any]) -> None:
    card = RulingCard(told.append)
    card.show(examples.card())
    rig.show(card, 548, 48, 252, 432)
    bare.tap("Accept", "Dispute", "Art. 10-0-1")
    assert told == [intents.Accept(), intents.Dispute(), intents.OpenArticle("card")]


@pytest.mark.parametrize(
    ("left", "paused", "text", "token"),
    [(38, False, "0:38", "hi"), (9, False, "0:09", "warn"), (-72, False, "+1:12", "bad"), (5, True, "0:05", "info")],
)
def test_the_shot_clock(left: int, paused: bool, text: str, token: str) -> None:
    time = ShotTime(left=left, of=60, paused=paused)
    assert (time.text, time.token) == (text, token)
