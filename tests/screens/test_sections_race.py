"""A whole race of sections by touch, from the first question to the classification; its own moments, by the audit."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from companion.rules.conversation.asking import Asked
from companion.screens.kit.theme import theme
from companion.view.race.titles import ROOM
from tests.rules.ninety.test_circuits import PUBLISHED
from tests.screens.rig import Rig
from tests.screens.table import Table, driver_on, skip

LOOKS = [("dark", "en"), ("daylight", "fr"), ("dark", "fr"), ("daylight", "en")]


SECTIONS: dict[str, Any] = {"rulebook": "ninety", "deck": 7, "laps": 9}


def wait_for(asked: str, turn: int = 0) -> Any:
    return lambda one: one.ask == asked and one.round >= turn


def test_a_whole_race_of_sections_is_refereed_by_touch(at_race: Any) -> None:
    """Two drivers and six bots at Quarry Hill with the deck of the program: charts, qualifying, strategies, nine turns;
    an undo, a correction, the referee's word, and another language and look on the way."""
    table = at_race("quarry-hill", 2, **SECTIONS)
    by = driver_on("quarry-hill", 3)
    assert len(table.shown.order) == 8
    table.play(by, wait_for("check", 2))
    n = table.see(lambda desk: desk.n)
    table.touch("Undo")
    assert table.see(lambda desk: desk.n) == n - 1
    table.play(by, wait_for("declare", 3))
    table.app.choose(theme="daylight", language="fr")
    table.calm()
    assert "Coup" in table.texts()
    overridden(table)
    table.play(by, wait_for("declare", 4))
    corrected(table)
    table.app.choose(theme="dark", language="en")
    table.calm()
    table.play(by, wait_for("declare", 8))
    assert table.see(lambda desk: any(car.stops for car in desk.rulebook.race.cars))
    table.play(by, most=500)
    assert table.see(lambda desk: desk.asked) is None
    assert {row.position for row in table.shown.order} == set(range(1, 9))
    table.audited()
    table.touch("Race sheet")
    assert table.app.visits[-1].name == "sheet"


def test_however_many_contend_all_can_be_read(panel: Rig, at_race: Any) -> None:
    table = at_race("quarry-hill", 16, **{**SECTIONS, "laps": 6})
    by = driver_on("quarry-hill", 3)
    most = 0
    for _ in range(40):
        skip(table, by, lambda asked: asked.what.startswith("contest") or asked.ask in ("contest", "show"))
        if table.shown.contest is None:
            break
        if len(table.shown.contest.rows) not in (most, 2, 3):
            most = max(most, len(table.shown.contest.rows))
            table.audited()
        table.given(table.wanted(by))
    assert most > 12


def overridden(table: Table) -> None:
    """The chart of the car to play is held, and a tyre taken off it, because it was misread."""
    before = table.shown.dashboard.counters[0].value  # type: ignore[union-attr]
    table.force("Pneus")
    ui = table.ui
    assert table.app.visits[-1].name == "override"
    ui.tap(icon="minus", beside=theme.words.word("pool", "tyres").capitalize())
    ui.tap(theme.words.screen("override.set_key"))
    table.audited()
    table.sign(theme.words.screen("override.misread.label"), by="Marie")
    assert table.app.visits[-1].name == "race"
    assert table.shown.dashboard.counters[0].value == before - 1  # type: ignore[union-attr]


def corrected(table: Table) -> None:
    """The first strategy is picked anew, as if it had been chosen so from the beginning."""
    table.menu("history")
    ui = table.ui
    ui.tap("Stratégie : Équilibre")
    ui.tap(theme.words.screen("history.correct_key"))
    table.audited()
    ui.tap("Risque")
    table.audited()
    ui.tap(theme.words.screen("history.replay"))
    answers = table.see(lambda desk: [item.event.answer for item in desk.history.items])
    assert "hazard" in answers
    assert table.app.visits[-1].name == "race"


@pytest.mark.parametrize("key", ["quarry-hill", "saltmarsh"])
def test_its_own_moments_pass_the_audit(panel: Rig, at_race: Any, key: str) -> None:
    """Each kind of question twice, in every look and language; no title is cut, and the board stays as large as it is,
    so that no tile moves."""
    table = at_race(key, 5, **{**SECTIONS, "laps": 16})
    by = driver_on(key, 5)
    seen: Counter[str] = Counter()
    sizes = set()

    def wanted(asked: Asked) -> bool:
        return seen[asked.ask] < 2

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
            sizes.add(table.ui.board_size())
            table.audited()
        if seen[asked.ask] < 2:
            table.one(by)
    assert {"qualify", "strategy", "declare", "play", "check", "contest", "show", "late", "line"} <= set(seen)
    assert len(sizes) == 1


def test_a_section_is_tapped_and_tells_who_is_there(panel: Rig, at_race: Any) -> None:
    """The cars of a section as rows; the full order by the plates of the turn; the board alone."""
    table = at_race("quarry-hill", until=wait_for("declare", 3), seed=3, **SECTIONS)
    tile = next(tile for tile in table.shown.board.sections if tile.here)
    ui, order = table.ui, table.shown.order
    ui.tap(space=f"section:{tile.number}")
    assert {row.plate.number for row in order if ui.sees(row.name)} == {car.plate.number for car in tile.cars}
    table.audited()
    table.touch("Close")
    alone = next(tile for tile in table.shown.board.sections if len(tile.cars) == 1)
    ui.hold(space=f"section:{alone.number}")
    table.touch("Referee’s word")
    assert table.app.visits[-1].given["car"] == alone.cars[0].plate.number
    table.app.back()
    table.calm()
    table.touch("Order")
    assert {row.name for row in order} <= ui.lines()
    table.audited()
    table.touch("Close")
    table.menu("overview")
    assert len(ui.spaces()) == len(table.shown.board.sections), "nothing lies on a section"
    table.audited()
    table.touch("Close")
    table.menu("sheet")
    table.touch("Charts")
    assert ui.sees("Wear points left, turn by turn")


def test_the_line_of_a_section_is_set_by_touch(at_race: Any) -> None:
    """In the middle of a turn; the cars stand as they came to their places, and are touched in the order that they
    shall have."""
    played = lambda asked: asked.ask == "declare" and asked.round == 3 and asked.car == 1  # noqa: E731
    table = at_race("quarry-hill", until=played, seed=3, **SECTIONS)
    ui, tile = table.ui, next(tile for tile in table.shown.board.sections if len(tile.cars) > 1)
    first, *rest = [car.plate.number for car in tile.cars]
    table.app.go("override")
    table.calm()
    queue = table.see(lambda desk: desk.rulebook.race.queue)
    assert queue != table.see(lambda desk: desk.rulebook.running_order())
    keys = [ui.places(f"{number} –", below="Queue")[0] for number in queue]
    assert keys == sorted(keys, key=lambda key: (round(key[1]), key[0]))
    for number in (*rest, first):
        ui.tap(f"{number} –", below="Queue")
    table.touch("Set")
    table.sign("Misread", by="Marie")
    (now,) = (one for one in table.shown.board.sections if one.number == tile.number)
    assert [car.plate.number for car in now.cars] == [*rest, first]


@pytest.mark.parametrize(("look", "language"), LOOKS)
def test_an_extreme_trajectory_is_tried_by_touch_on_a_board_with_the_signs_of_published_ones(
    panel: Rig, at_race: Any, folder: Path, look: str, language: str
) -> None:
    board = folder / "published.toml"
    board.write_text(PUBLISHED, encoding="utf-8")
    cars = [{"car": 1, "driver": "Ada", "at": "section:3", "point": 2}, {"car": 2, "driver": "Bo", "at": "section:1"}]
    table = at_race(str(board), cars=cars, round=5, to_play=[1, 2], **SECTIONS)
    table.app.choose(theme=look, language=language)
    table.calm()
    tile = next(one for one in table.shown.board.sections if one.number == 3)
    assert (tile.late, [point.text for point in tile.points]) == ("−10", ["G3!", "S5!", "D2!"])
    assert table.prompt.title == {"en": "Try the extreme line?", "fr": "Tenter l’extrême\u00a0?"}[language]
    table.audited()
    yes = next(place for place, key in enumerate(table.prompt.keys) if key.answer is True)
    table.answer(table.prompt.keys[yes])
    rulings = table.see(lambda desk: [ruling.kind for ruling in desk.history.items[-1].rulings])
    assert "extreme" in rulings
