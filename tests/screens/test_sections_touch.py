"""Cards that are picked, a contest's panel, and buttons, on the screen of a race of sections."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from companion.screens.race.contest import QUIET
from tests.screens.rig import Rig
from tests.screens.table import Table
from tests.screens.test_sections_race import CardTable
from tests.view.test_sections import DUEL, driving

HAND = ["S3 45 T", "D1 20 C", "G2 30", "G2 40", "E4 5 TTT"]
ALONE = [{**DUEL[0], "hand": HAND, "wear": {"cards": 5, "tyres": 2}, "strategy": "lucky"}]


def at(rig: Rig, folder: Path, cars: list[dict[str, Any]] = DUEL, *answers: Any, **settings: Any) -> CardTable:
    """A table at which these answers were given."""
    made: CardTable = CardTable.at_race(rig, folder, partial(driving, cars), **settings)  # type: ignore[assignment]
    for answer in answers:
        made.given(answer)
    made.app.playing.seat.price("always")  # type: ignore[union-attr]
    made.calm()
    return made


def closing(test: Callable[[CardTable], None], table: CardTable) -> None:
    try:
        test(table)
    finally:
        table.close()


def part(table: Table, code: str) -> Any:
    """The key of a card."""
    pick = table.screen.pick
    return pick.keys[next(at for at, one in enumerate(table.prompt.parts) if one.answer == code) - pick.first]


def playing(rig: Rig, folder: Path) -> CardTable:
    """A car with five cards and two tyres: one card costs a tyre, one more than there are."""
    table = at(rig, folder, ALONE)
    table.given("go")
    if table.see(lambda desk: desk.asked.ask) == "keep":
        table.given(table.see(lambda desk: desk.asked.options[0].answer))
    table.app.playing.seat.price("always")  # type: ignore[union-attr]
    table.calm()
    return table


def test_two_cards_are_picked_and_what_does_not_go_with_them_puts_them_back(panel: Rig, folder: Path) -> None:
    def test(table: CardTable) -> None:
        pick = table.screen.pick
        assert pick.done.face.look == "barred"
        table.tap(part(table, "G2 30"))
        table.tap(part(table, "G2 40"))
        assert pick.done.face.label == "Play 4"
        assert len(pick.shown[1].picked) == 2
        table.tap(part(table, "S3 45 T"))
        assert pick.done.face.label == "Play 3"
        assert [table.prompt.parts[at].answer for at in pick.shown[1].picked] == ["S3 45 T"]
        table.audited()
        table.tap(part(table, "S3 45 T"))
        assert pick.done.face.look == "barred"
        assert table.see(lambda desk: desk.asked.ask) == "play"

    closing(test, playing(panel, folder))


def test_what_cards_cost_is_on_the_card_before_they_are_played(panel: Rig, folder: Path) -> None:
    def test(table: CardTable) -> None:
        table.tap(part(table, "S3 45 T"))
        card = table.controller.card
        assert card is not None
        assert [(loss.before, loss.after) for loss in card.losses if loss.pool == "tyres"] == [(2, 1)]
        table.audited()
        table.tap(table.screen.pick.done)
        assert table.see(lambda desk: desk.history.items[-1].event.answer) == ["S3 45 T"]

    closing(test, playing(panel, folder))


def test_cards_that_nobody_can_pay_for_retire_only_by_their_card(panel: Rig, folder: Path) -> None:
    def test(table: CardTable) -> None:
        table.see(lambda desk: desk.override({"car": 1, "wear": {"tyres": 0}}, by="Noor", why="test"))
        table.app.playing.seat.price("always")  # type: ignore[union-attr]
        table.calm()
        table.tap(part(table, "E4 5 TTT"))
        card = table.controller.card
        assert card is not None
        assert card.tone == "bad"
        table.audited()
        n = table.see(lambda desk: desk.n)
        table.tap(table.screen.pick.done)
        assert table.see(lambda desk: desk.n) == n
        table.tap(table.screen.card.accept)
        assert table.see(lambda desk: desk.rulebook.car(1).status) == "out"

    closing(test, playing(panel, folder))


def test_buttons_pick_too_and_a_held_key_asks_why(rig: Rig, folder: Path) -> None:
    def test(table: CardTable) -> None:
        pick = table.screen.pick
        table.screen.press("up")
        table.calm()
        first = table.prompt.keys[0]
        assert pick.done.face.label == first.label
        table.screen.press("up")
        table.calm()
        assert pick.done.face.label == table.prompt.keys[1].label
        table.force(pick.done)
        assert table.controller.reason is not None
        table.audited()

    closing(test, playing(rig, folder))


def test_a_contest_is_closed_by_its_key_and_gives_way_to_the_chart(panel: Rig, folder: Path) -> None:
    def test(table: CardTable) -> None:
        for answer in ("skip", "balance"):
            table.answer(next(key for key in table.prompt.keys if key.answer == answer))
        assert table.shown.contest is not None
        table.audited()
        for _ in range(2):
            table.tap(table.screen.contest.keys[0])
        for code in (["S2 9"], ["S3 45 TT"]):
            table.answer(next(key for key in table.prompt.keys if key.answer == code))
        assert table.shown.contest is not None
        assert table.shown.contest.lines
        assert table.screen.dashboard.parent is None
        table.audited()
        panel_of = table.screen.contest
        assert panel_of.foot <= panel_of.h - 12 - QUIET  # the key that closes it lies on nobody's total
        table.tap(panel_of.keys[0])
        assert table.screen.dashboard.parent is table.screen
        table.audited()

    closing(test, at(panel, folder))


def test_who_stays_out_is_undone_and_asked_again(rig: Rig, folder: Path) -> None:
    def test(table: CardTable) -> None:
        for answer in ("skip", "balance"):
            table.answer(next(key for key in table.prompt.keys if key.answer == answer))
        table.tap(table.screen.contest.keys[1])
        assert table.shown.contest is not None
        assert table.shown.contest.rows[1].word == "stays out"
        table.tap(table.screen.bare_band.undo)
        assert table.shown.contest.rows[1].word == ""
        assert table.prompt.plate is not None
        assert table.prompt.plate.number == 2

    closing(test, at(rig, folder))


def test_a_car_by_itself_has_its_code_where_a_queue_has_plates_alone(rig: Rig, folder: Path) -> None:
    """Seventeen sections on the smaller panel."""

    def test(table: CardTable) -> None:
        lines = [[car.code for car in tile.cars] for tile in table.shown.board.sections if tile.cars]
        assert sorted(map(len, lines)) == [1, 2]
        written = set(table.texts())
        for line in lines:
            assert (set(line) <= written) == (len(line) == 1), line

    closing(test, at(rig, folder))
