"""A whole race of sections by touch, from the first question to the classification; its own moments, by the audit."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from companion import circuits
from companion.drivers.cards import HeuristicCardDriver
from companion.rules.conversation.asking import Asked
from companion.screens.board.sections import places
from companion.screens.kit.theme import theme
from companion.screens.kit.top_bar import HIGH as BAR
from companion.screens.kit.touch import ears
from companion.screens.pages.history import HistoryScreen
from companion.screens.pages.override import OverrideScreen
from companion.screens.pages.sheet import SheetScreen
from companion.screens.race.race import RaceScreen
from companion.view.race.intents import Choose
from companion.view.race.titles import ROOM
from companion.view.shown import AnswerKey
from tests.rules.ninety.test_circuits import PUBLISHED
from tests.screens.rig import Rig
from tests.screens.table import Table, a_race, skip

LOOKS = [("dark", "en"), ("daylight", "fr"), ("dark", "fr"), ("daylight", "en")]


class CardTable(Table):
    """A table at which cards are picked, and contests have their answers beneath those who contend."""

    def answer(self, key: AnswerKey) -> None:
        screen = self.screen
        if self.prompt.layout == "pick":
            self._pick(key)
        elif screen.contest.parent is screen and screen.contest.keys and not self.shown.contest.lines:  # type: ignore[union-attr]
            self.tap(screen.contest.keys[self.prompt.keys.index(key)])
        else:
            super().answer(key)

    def _pick(self, key: AnswerKey) -> None:
        pick, codes = self.screen.pick, key.answer
        assert isinstance(codes, list)
        while picked := pick.shown[1].picked:
            self.tap(pick.keys[picked[0] - pick.first])
        for code, count in Counter(codes).items():
            places = [place for place, part in enumerate(self.prompt.parts) if part.answer == code]
            for place in places[:count]:
                while not pick.first <= place < pick.first + len(pick.keys):
                    self.tap(pick.following)
                self.tap(pick.keys[place - pick.first])
        before = self.prompt.key
        self.tap(pick.done)
        if self.prompt.key == before:  # it costs more than a tap may take
            self.tap(self.screen.card.accept)


def at(panel: Rig, folder: Path, key: str = "quarry-hill", many: int = 3, **setup: Any) -> CardTable:
    setup = {"rulebook": "ninety", "deck": 7, "laps": 9, **setup}
    made: CardTable = CardTable.at_race(panel, folder, lambda: a_race(folder, key, many, **setup))  # type: ignore[assignment]
    return made


def wait_for(asked: str, turn: int = 0) -> Any:
    return lambda one: one.ask == asked and one.round >= turn


def test_a_whole_race_of_sections_is_refereed_by_touch(rig: Rig, folder: Path) -> None:
    """Two drivers and six bots at Quarry Hill with the deck of the program: charts, qualifying, strategies, nine turns;
    an undo, a correction, the referee's word, and another language and look on the way."""
    table = at(rig, folder, many=2)
    by = HeuristicCardDriver(circuits.board("quarry-hill"), 3)
    try:
        assert len(table.shown.order) == 8
        table.play(by, wait_for("check", 2))
        n = table.see(lambda desk: desk.n)
        table.tap(table.screen.band.undo)
        assert table.see(lambda desk: desk.n) == n - 1
        table.play(by, wait_for("declare", 3))
        table.app.choose(theme="daylight", language="fr")
        table.calm()
        assert "Coup" in table.texts()
        overridden(table)
        table.play(by, wait_for("declare", 4))
        corrected(table)
        table.app.choose(theme="dark", language="en")
        table.play(by, wait_for("declare", 8))
        assert table.see(lambda desk: any(car.stops for car in desk.rulebook.race.cars))
        table.play(by, most=500)
        assert table.see(lambda desk: desk.asked) is None
        assert {row.position for row in table.shown.order} == set(range(1, 9))
        table.audited()
        table.tap(table.screen.band.keys[0])
        assert isinstance(table.app.screen, SheetScreen)
    finally:
        table.close()


def test_however_many_contend_all_can_be_read(panel: Rig, folder: Path) -> None:
    table = at(panel, folder, many=16, laps=6)
    by = HeuristicCardDriver(circuits.board("quarry-hill"), 3)
    most = 0
    try:
        for _ in range(40):
            skip(table, by, lambda asked: asked.what.startswith("contest") or asked.ask in ("contest", "show"))
            if table.shown.contest is None:
                break
            if len(table.shown.contest.rows) not in (most, 2, 3):
                most = max(most, len(table.shown.contest.rows))
                table.audited()
            table.given(table.wanted(by))
        assert most > 12
    finally:
        table.close()


def overridden(table: Table) -> None:
    """The chart of the car to play is held, and a tyre taken off it, because it was misread."""
    before = table.shown.dashboard.counters[0].value  # type: ignore[union-attr]
    table.force(table.screen.dashboard)
    screen: Any = table.app.screen
    assert isinstance(screen, OverrideScreen)
    table.tap(screen.list.steps.keys["wear.tyres"][0])
    table.ui.tap(theme.words.screen("override.set_key"))
    table.audited()
    table.tap(screen.band.keys[0])
    screen.band.writing.line.text = "Marie"
    screen.band.writing.line.focus = False
    table.calm()
    table.tap(screen.band.done)
    assert isinstance(table.app.screen, RaceScreen)
    assert table.shown.dashboard.counters[0].value == before - 1  # type: ignore[union-attr]


def corrected(table: Table) -> None:
    """The first strategy is picked anew, as if it had been chosen so from the beginning."""
    table.tap(table.key_of_more())
    table.tap(table.key(table.screen.say("more.history")))
    screen: Any = table.app.screen
    assert isinstance(screen, HistoryScreen)
    place = max(place for place, row in enumerate(screen.rows) if row.label.startswith("Stratégie"))
    table.tap_row(screen.answers, place)
    n = screen.row.n
    table.ui.tap(screen.say("history.correct_key"))
    table.audited()
    listed = screen.picks.listed
    at = next(at for at, one in enumerate(listed) if not one.chosen)
    table.tap_row(screen.alternatives, at)
    table.audited()
    table.ui.tap(screen.trial.ways[0].label)
    assert table.see(lambda desk: desk.history.items[n].event.answer) == listed[at].answer
    assert isinstance(table.app.screen, RaceScreen)


@pytest.mark.parametrize("key", ["quarry-hill", "saltmarsh"])
def test_its_own_moments_pass_the_audit(panel: Rig, folder: Path, key: str) -> None:
    """Each kind of question twice, in every look and language; no title is cut, and the board stays as large as it is,
    so that no tile moves."""
    table = at(panel, folder, key, 5, laps=16)
    by = HeuristicCardDriver(circuits.board(key), 5)
    seen: Counter[str] = Counter()
    sizes = set()

    def wanted(asked: Asked) -> bool:
        return seen[asked.ask] < 2

    try:
        for _ in range(60):
            skip(table, by, wanted)
            asked = table.see(lambda desk: desk.asked)
            if asked is None:
                break
            seen[asked.ask] += 1
            for look, lang in LOOKS[seen[asked.ask] % 2 :: 2]:
                table.app.choose(theme=look, language=lang)
                table.calm()
                assert len(table.prompt.title) <= ROOM[lang]
                sizes.add(tuple(table.screen.board.size))
                table.audited()
            if seen[asked.ask] < 2:
                table.one(by)
        assert {"qualify", "strategy", "declare", "play", "check", "contest", "show", "late", "line"} <= set(seen)
        assert len(sizes) == 1
    finally:
        table.close()


def test_a_section_is_tapped_and_tells_who_is_there(panel: Rig, folder: Path) -> None:
    """The cars of a section as rows; the full order by the plates of the turn; the board alone."""
    table = at(panel, folder)
    try:
        skip(table, HeuristicCardDriver(circuits.board("quarry-hill"), 3), wait_for("declare", 3))
        tile = next(tile for tile in table.shown.board.sections if tile.here)
        picture: Any = table.screen.board.picture
        filled = {(mark.x, mark.y, mark.w, mark.h): mark.colour for mark in picture.marks if mark.kind == "fill"}
        boxes = zip(table.shown.board.sections, places(len(picture.shown), picture.w, picture.h), strict=True)
        assert all(filled[box] == theme.hex("bg3" if one.here else "bg1") for one, box in boxes)
        place = places(len(picture.shown), picture.w, picture.h)[tile.number - 1]
        table.tap(place.x + place.w / 2, BAR + place.y + place.h / 2)
        assert [row.plate for row in table.screen.full_order.shown[1]] == [
            row.plate for row in table.shown.order if row.plate in {car.plate for car in tile.cars}
        ]
        table.audited()
        table.tap(table.screen.full_order.close)
        alone = next(tile for tile in table.shown.board.sections if len(tile.cars) == 1)
        place = places(len(picture.shown), picture.w, picture.h)[alone.number - 1]
        ears.listen()
        table.rig.hold(place.x + place.w / 2, BAR + place.y + place.h / 2)
        table.calm()
        table.tap(table.screen.legend.forced)
        assert isinstance(table.app.screen, OverrideScreen)
        assert table.app.screen.car == alone.cars[0].plate.number
        table.app.back()
        table.calm()
        table.tap(table.screen.band.order)
        assert len(table.screen.full_order.shown[1]) == len(table.shown.order)
        table.audited()
        table.tap(table.screen.full_order.close)
        table.emit(Choose("overview"))
        table.calm()
        table.audited()
    finally:
        table.close()


@pytest.mark.parametrize(("look", "language"), LOOKS)
def test_an_extreme_trajectory_is_tried_by_touch_on_a_board_with_the_signs_of_published_ones(
    panel: Rig, folder: Path, look: str, language: str
) -> None:
    board = folder / "published.toml"
    board.write_text(PUBLISHED, encoding="utf-8")
    cars = [{"car": 1, "driver": "Ada", "at": "section:3", "point": 2}, {"car": 2, "driver": "Bo", "at": "section:1"}]
    table = at(panel, folder, str(board), cars=cars, round=5, to_play=[1, 2])
    try:
        table.app.choose(theme=look, language=language)
        table.calm()
        tile = next(one for one in table.shown.board.sections if one.number == 3)
        assert (tile.late, [point.text for point in tile.points]) == ("−10", ["G3!", "S5!", "D2!"])
        assert table.prompt.title == {"en": "Try the extreme line?", "fr": "Tenter l’extrême\u00a0?"}[language]
        table.audited()
        yes = next(place for place, key in enumerate(table.prompt.keys) if key.answer is True)
        table.tap(table.screen.band.keys[yes])
        rulings = table.see(lambda desk: [ruling.kind for ruling in desk.history.items[-1].rulings])
        assert "extreme" in rulings
    finally:
        table.close()
