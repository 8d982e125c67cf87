"""Cards that are picked, a contest's panel, and buttons, on the screen of a race of sections."""

from __future__ import annotations

from functools import partial
from typing import Any

from tests.screens.rig import Rig
from tests.screens.table import Table
from tests.view.test_sections import DUEL, driving

HAND = ["S3 45 T", "D1 20 C", "G2 30", "G2 40", "E4 5 TTT"]
ALONE = [{**DUEL[0], "hand": HAND, "wear": {"cards": 5, "tyres": 2}, "strategy": "lucky"}]


def at(at_race: Any, cars: list[dict[str, Any]] = DUEL) -> Table:
    """A table of a race of sections, with prices."""
    made: Table = at_race(make=partial(driving, cars))
    made.app.playing.seat.price("always")  # type: ignore[union-attr]
    made.calm()
    return made


def playing(at_race: Any) -> Table:
    """A car with five cards and two tyres: one card costs a tyre, one more than there are."""
    table = at(at_race, ALONE)
    table.given("go")
    if table.see(lambda desk: desk.asked.ask) == "keep":
        table.given(table.see(lambda desk: desk.asked.options[0].answer))
    table.app.playing.seat.price("always")  # type: ignore[union-attr]
    table.calm()
    return table


def test_two_cards_are_picked_and_what_does_not_go_with_them_puts_them_back(panel: Rig, at_race: Any) -> None:
    table = playing(at_race)
    ui = table.ui
    assert not ui.places("Play", below=table.prompt.title), "no card is picked yet"
    table.pick("G2 30", "G2 40")
    assert ui.offers("Play 4")
    table.pick("S3 45 T")
    assert ui.offers("Play 3"), "the others were put back"
    table.audited()
    table.pick("S3 45 T")
    assert not ui.places("Play", below=table.prompt.title)
    assert table.see(lambda desk: desk.asked.ask) == "play"


def test_what_cards_cost_is_on_the_card_before_they_are_played(panel: Rig, at_race: Any) -> None:
    table = playing(at_race)
    table.pick("S3 45 T")
    card = table.shown.card
    assert card is not None
    assert [(loss.before, loss.after) for loss in card.losses if loss.pool == "tyres"] == [(2, 1)]
    table.audited()
    table.touch("Play 3")
    assert table.see(lambda desk: desk.history.items[-1].event.answer) == ["S3 45 T"]


def test_cards_that_nobody_can_pay_for_retire_only_by_their_card(panel: Rig, at_race: Any) -> None:
    table = playing(at_race)
    table.see(lambda desk: desk.override({"car": 1, "wear": {"tyres": 0}}, by="Noor", why="test"))
    table.app.playing.seat.price("always")  # type: ignore[union-attr]
    table.calm()
    table.pick("E4 5 TTT")
    card = table.shown.card
    assert card is not None
    assert card.tone == "bad"
    table.audited()
    n = table.see(lambda desk: desk.n)
    table.touch("Play 4")
    assert table.see(lambda desk: desk.n) == n
    table.accept()
    assert table.see(lambda desk: desk.rulebook.car(1).status) == "out"


def test_buttons_pick_too_and_a_held_key_asks_why(at_race: Any) -> None:
    table = playing(at_race)
    for at in (0, 1):
        table.app.press("up")
        table.calm()
        assert table.ui.offers(table.prompt.keys[at].label)
    table.force(table.prompt.keys[1].label, below=table.prompt.title)
    assert table.ui.sees("why?")
    table.audited()


def test_a_contest_is_closed_by_its_key_and_gives_way_to_the_chart(panel: Rig, at_race: Any) -> None:
    table = at(at_race)
    for answer in ("skip", "balance"):
        table.answer(next(key for key in table.prompt.keys if key.answer == answer))
    assert table.shown.contest is not None
    table.audited()
    for _ in range(2):
        table.touch("Take part")
    for code in (["S2 9"], ["S3 45 TT"]):
        table.answer(next(key for key in table.prompt.keys if key.answer == code))
    assert table.shown.contest is not None
    assert table.shown.contest.lines
    assert not table.ui.sees("Fuel")
    table.audited()
    table.touch(icon="check")
    assert table.ui.sees("Fuel")
    table.audited()


def test_who_stays_out_is_undone_and_asked_again(at_race: Any) -> None:
    table = at(at_race)
    for answer in ("skip", "balance"):
        table.answer(next(key for key in table.prompt.keys if key.answer == answer))
    table.touch("Stay out")
    assert table.shown.contest is not None
    assert table.shown.contest.rows[1].word == "stays out"
    table.touch("Undo")
    assert table.shown.contest.rows[1].word == ""
    assert table.prompt.plate is not None
    assert table.prompt.plate.number == 2


def test_a_car_by_itself_has_its_code_where_a_queue_has_plates_alone(at_race: Any) -> None:
    """Seventeen sections on the smaller panel."""
    table = at(at_race)
    lines = [[car.code for car in tile.cars] for tile in table.shown.board.sections if tile.cars]
    assert sorted(map(len, lines)) == [1, 2]
    written = set(table.texts())
    for line in lines:
        assert (set(line) <= written) == (len(line) == 1), line


def test_the_lap_of_a_car_put_over_the_line_is_told_before_it_is_set(panel: Rig, at_race: Any) -> None:
    """By more than half a lap the line lies on the shorter way [turn.lap]."""
    table = at(at_race, [{**DUEL[0], "at": "section:2", "lap": 1}, *DUEL[1:]])
    ui = table.ui
    table.app.go("override", car=1)
    ui.calm()
    while not ui.sees("Place · section 2"):
        assert ui.scroll(), ui.screen()
    for number in range(2, 14):
        ui.tap(icon="plus", beside=f"Place · section {number}")
    ui.tap("Set")
    assert ui.sees("Place section 14, lap 0: why?"), ui.screen()
    table.sign("Misread", by="Noor")
    assert table.see(lambda desk: (desk.rulebook.car(1).at, desk.rulebook.car(1).lap)) == ("section:14", 0)
