"""What moves: it begins at once, ends in time, is ended by a touch, and does not move at all where all keeps still."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from unittest.mock import Mock

import pytest
from kivy.clock import Clock
from msgspec.structs import replace

from companion.screens.app.snapshot import pixels
from companion.screens.gallery import gallery
from companion.screens.kit import motion
from companion.screens.kit.dashboard import DashboardView
from companion.screens.kit.key import Face, Key
from companion.screens.kit.order_strip import OrderStrip
from companion.screens.kit.pane import Pane
from companion.screens.kit.prompt_band import PromptBand
from companion.screens.kit.ruling_card import RulingCard
from companion.screens.kit.stepper import Stepper
from companion.screens.kit.theme import theme
from companion.screens.kit.touch import ears
from companion.screens.race.ask_band import AskBand
from companion.view.pages.override import Why
from companion.view.race.intents import Accept, Intent
from companion.view.shown import AnswerKey, Card, Field
from tests.screens.audit import marks, texts
from tests.screens.rig import Rig
from tests.screens.ui import Ui

CARD = (548, 48, 252, 432)
EDGE, WITHIN = (552, 300), (610, 330)
"""Where a card is, a place at its left edge, to which it comes last, and one within where nothing is written."""


class Hand:
    """The clock of what moves, moved on by hand: on a slow machine nothing ends before it was looked at."""

    def __init__(self, rig: Rig) -> None:
        self.rig, self.time, self.schedule_interval = rig, 0.0, Clock.schedule_interval

    def get_time(self) -> float:
        return self.time

    def on(self, seconds: float) -> None:
        """So much time passes after the next frame."""
        self.rig.settle(1)
        self.time += seconds
        self.rig.settle()


@pytest.fixture(autouse=True)
def hand(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> Iterator[Hand]:
    """Things move."""
    theme.still = False
    clock = Hand(rig)
    monkeypatch.setattr(motion, "Clock", clock)
    yield clock
    theme.still = True
    motion.movements.finish_all()


def under_way() -> int:
    """How many things move."""
    return len(motion.movements)


def show_card(rig: Rig, card: Card, told: list[Any] | None = None) -> RulingCard:
    shown = RulingCard(print if told is None else told.append)
    shown.show(card)
    return rig.show(shown, *CARD)


def given() -> Card:
    """The ruling of the gallery, which was given."""
    return replace(gallery.card(), accept="", act="", seq=7)


def hatched(pane: Pane) -> int:
    """How many points are drawn as about to be spent: each is stripes within an amber rim."""
    return sum(one.mark.kind == "rim" and one.mark.colour == theme.hex("warn") for one in marks(pane))


def test_a_key_takes_its_colour_at_once_and_loses_it_slowly(rig: Rig, hand: Hand) -> None:
    rig.show(Key(Face(label="9"), on_tap=lambda: None), 100, 100, 90, 88)
    finger = rig.press(145, 144)
    assert rig.colour(110, 110) == theme.hex("mid")
    assert not under_way()
    finger.up()
    assert rig.colour(110, 110) == theme.hex("mid")
    hand.on(0.06)
    assert rig.colour(110, 110) not in (theme.hex("mid"), theme.hex("pri"))
    hand.on(0.12)
    assert rig.colour(110, 110) == theme.hex("pri")
    assert not under_way()


def test_a_question_comes_out_of_the_dark_and_none_stands_over_the_keys_of_the_next(rig: Rig, hand: Hand) -> None:
    """On a slow machine the first of these frames stands for a while: what is read there belongs to the keys below."""

    def seen() -> bytes:
        """What stands where the question is."""
        wide, _, data = pixels()
        return b"".join(data[3 * (wide * row + 80) : 3 * (wide * row + 380)] for row in range(330, 372))

    question = replace(gallery.prompts()["gear"], unit="")
    other = replace(question, title="", key="other")
    band = PromptBand(print)
    band.show(other)
    rig.show(band, 0, 320, 800, 160)
    bare = seen()
    band.show(question)
    rig.settle(1)
    hand.on(0.2)
    before = seen()
    band.show(other)
    rig.settle(1)
    assert seen() == bare != before, "nothing is left of the question before"
    hand.on(0.2)
    band.show(question)
    rig.settle(1)
    assert under_way() == 1
    stages = [seen()]
    hand.on(0.06)
    stages.append(seen())
    hand.on(0.12)
    assert seen() == before
    assert not under_way()
    assert sum(bare) < sum(stages[0]) < sum(stages[1]) < sum(before)

    theme.still = True
    band.show(other)
    band.show(question)
    rig.settle(1)
    assert not under_way()
    assert seen() == before
    ears.listen()


def test_a_card_slides_in_and_is_touched_where_it_will_be(rig: Rig, bare: Ui) -> None:
    told: list[Intent] = []
    bare_ground = rig.colour(*EDGE)
    show_card(rig, gallery.card(), told)
    assert rig.colour(*EDGE) == bare_ground, "it is on its way"
    faint = rig.colour(*WITHIN)
    bare.tap("Accept")
    assert told == [Accept()]
    assert rig.colour(*EDGE) != bare_ground
    assert faint not in (bare_ground, rig.colour(*WITHIN))


def test_a_card_arrives_by_itself(rig: Rig, hand: Hand) -> None:
    theme.still = True
    card = show_card(rig, gallery.card())
    there = rig.pixels()
    rig.clear()
    theme.still = False
    card = show_card(rig, gallery.card())
    assert rig.pixels() != there
    hand.on(0.25)
    assert (rig.pixels(), under_way()) == (there, 0)
    card.show(replace(gallery.card(), title="Another space"))
    assert not under_way(), "the card is there already"


def test_the_override_sheet_slides_up(rig: Rig, hand: Hand) -> None:
    sheet = AskBand(on_reason=print, on_cancel=print, signing=Mock())
    ask, keys = "Roll 9: why?", (AnswerKey(label="Misread"),)
    sheet.show(Why(plate=None, ask=ask, instead="Override of 11", keys=keys, cancel="Cancel", keep="keep 11"))
    before = rig.colour(4, 326)
    rig.show(sheet, 0, 320, None, 160)
    assert rig.colour(4, 326) == before
    hand.on(0.25)
    assert rig.colour(4, 326) != before


def test_points_of_the_car_are_spent_one_by_one(rig: Rig, hand: Hand) -> None:
    shown = gallery.board()
    column = replace(shown.columns[0], built=6, left=6, cost=0)
    dashboard = DashboardView()
    dashboard.show(replace(shown, columns=(column,)))
    rig.show(dashboard, 586, 48, 214, 272)
    other = hatched(dashboard)
    dashboard.show(replace(shown, columns=(replace(column, left=2),)))
    seen = []
    for _ in range(60):
        rig.settle(1)
        seen.append(hatched(dashboard) - other)
        assert "2" in texts(dashboard)
        if not under_way():
            break
        hand.on(0.01)
    assert list(dict.fromkeys(seen)) == [4, 3, 2, 1, 0]
    poorer = tuple(replace(column, left=0, cost=0) for column in shown.columns)
    dashboard.show(replace(shown, plate=gallery.car(3), columns=poorer))
    assert not under_way(), "another car has spent nothing"


def test_points_of_a_ruling_that_was_given_are_spent_on_its_card(rig: Rig, hand: Hand) -> None:
    card = show_card(rig, given())
    rig.settle(1)
    assert hatched(card) == 4
    hand.on(0.16 + 4 * 0.08 + 0.1)
    assert hatched(card) == 0
    assert not under_way()
    card.show(gallery.card())
    rig.settle(2)
    assert hatched(card) == 4, "not yet given"


def test_rows_move_to_their_new_places(rig: Rig, hand: Hand) -> None:
    rows = gallery.order()
    strip = OrderStrip(on_tap=lambda: None)
    strip.show(rows)
    rig.show(strip, 0, 48, 200, 272)
    assert not under_way()
    before = rig.pixels()
    strip.show((rows[1], rows[0], *rows[2:]))
    rig.settle(1)
    between = rig.pixels()
    hand.on(0.3)
    assert not under_way()
    assert len({before, between, after := rig.pixels()}) == 3
    rig.settle()
    assert rig.pixels() == after
    strip.show(rows)
    rig.press(700, 400).up()
    assert not under_way()
    rig.settle()
    assert rig.pixels() == before


def test_a_stepper_goes_on_while_it_is_held(rig: Rig, bare: Ui) -> None:
    told: list[int] = []
    stepper = Stepper(told.append)
    stepper.show(Field(name="over", label="Over", value=0, low=0, high=4))
    rig.show(stepper, 100, 100, 160, 76)
    plus = bare.where(icon="plus")
    rig.tap(*plus)
    assert told == [1]
    rig.hold(*plus, seconds=0.55)
    assert told == [1, 2, 3]
    rig.hold(*plus, seconds=0.9)
    assert told == [1, 2, 3, 4]
    finger = rig.press(*bare.where(icon="minus"))
    finger.slide(*rig.at(400, 400))
    rig.wait(0.6)
    finger.up()
    assert told == [1, 2, 3, 4]


def test_nothing_moves_where_all_keeps_still(rig: Rig) -> None:
    theme.still = True
    strip = OrderStrip(on_tap=lambda: None)
    strip.show(gallery.order())
    rig.show(strip, 0, 48, 200, 272)
    strip.show(gallery.order()[::-1])
    card = show_card(rig, given())
    assert not under_way()
    assert hatched(card) == 0
    before = rig.pixels()
    rig.wait(0.3)
    assert rig.pixels() == before


def test_stillness_ends_what_moves_and_nothing_ticks_then(rig: Rig) -> None:
    def ticks() -> bool:
        return any(event.loop and event.timeout == 0 for event in Clock.get_events())

    show_card(rig, gallery.card())
    assert under_way()
    assert ticks()
    theme.still = True
    rig.settle(2)
    assert not under_way()
    assert not ticks()
