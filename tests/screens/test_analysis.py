"""The analysis of a race by touch: worked out apart, read as odds, luck and mistakes, and one decision on the board."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from companion.analysis.findings import Analysis, CarAnalysis, Moment
from companion.desk import RaceDesk
from companion.desk.beginning import begin_race
from companion.drivers import background_job
from companion.drivers.sensible import HeuristicDriver
from companion.screens.app.analysing import Analysing
from companion.screens.kit.theme import theme
from companion.screens.pages.analysis import AnalysisScreen
from companion.screens.pages.sheet import SheetScreen
from companion.sheets.history import History
from companion.view.pages.analysis import analysis, topics
from companion.wording import Words
from tests.screens.audit import in_both_looks
from tests.screens.rig import Rig
from tests.screens.table import Table, a_race
from tests.screens.ui import Ui

ended: list[object] = []


class Done:
    """What a process says that has weighed a race."""

    share, over, failed, said = 0.4, False, False, b""

    def end(self) -> None:
        ended.append(self)


def letters(ui: Ui) -> str:
    """Return the letters of the points that have a key."""
    words = {word.text for word in ui.words()}
    return "".join(letter for letter in "ABCDEF" if letter in words and ui.offers(letter))


def driven(folder: Path) -> tuple[RaceDesk, Analysis]:
    """A race, and what might be found of it: a landing that was a mistake, two rolls that were luck."""
    desk = a_race(folder, many=8)
    driver = HeuristicDriver(desk.rulebook.track, 2)
    landing: Any = None
    while desk.asked is not None and desk.rulebook.race.round < 4:
        asked = desk.asked
        answer = driver.answer(asked, desk.rulebook.race)
        if asked.ask == "landing" and len(asked.options or []) > 5:
            landing = (desk.n, asked, answer)
        desk.answer(answer, n=asked.n)
    n, asked, answer = landing
    weighed = tuple((option.answer, 0.3 * at) for at, option in enumerate(asked.options))
    lost = Moment(
        n, n + 2, 3, asked.car, "landing", "", answer, mistake=2.3, better=weighed[0][0], before=0.35, after=0.2,
        weighed=weighed,
    )  # fmt: skip
    won = Moment(n, n + 2, 2, 2, "roll", "gear_5", 20, luck=0.8, before=0.1, after=0.3)
    bad = Moment(n, n + 2, 4, 3, "roll", "gear_4", 9, luck=-0.6, before=0.2, after=0.1)
    drivers = tuple(
        CarAnalysis(car, one.driver, place if place < 8 else None, "racing", 30.0, 31.0, 0.4 * (place - 4),
                    0.3 * place, 20, 15, (lost,) if car == asked.car else ())
        for place, (car, one) in enumerate(((car.number, car) for car in desk.rulebook.race.cars), 1)
    )  # fmt: skip
    chances = tuple(dict.fromkeys(range(1, 9), 1 / 8) for _ in range(3))
    return desk, Analysis("At the table", "Monaco", "competition", 4, drivers, chances, (won, lost, bad))


def told(home_table: Table) -> None:
    """Something was found."""
    home_table.app.analysing.on_news()
    home_table.calm()


def test_an_analysis_is_read_by_touch(
    panel: Rig, home_table: Table, language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Counting first, which nobody waits for; then odds, drivers, and a decision on the board with letters."""
    home_table.app.choose(language=language)
    desk, found = driven(home_table.folder)
    race = desk.log.log_id  # type: ignore[union-attr]
    desk.close()
    done: list[Any] = [None]
    monkeypatch.setattr(Analysing, "begin", lambda *_: None)
    monkeypatch.setattr(Analysing, "result", lambda *_: done[0])
    home_table.show(SheetScreen, race=race)
    home_table.ui.tap(theme.words.screen("sheet.page.analysis"))
    assert home_table.app.visits[-1] == ("analysis", {"race": race})
    screen, ui, say = home_table.show(AnalysisScreen, race=race), home_table.ui, theme.words.screen
    counting, waiting = say("analysis.counting", share=0), say("analysis.counting_note")
    assert ui.sees(counting, waiting)
    monkeypatch.setattr(Analysing, "so_far", lambda *_: None if done[0] else found)
    told(home_table)
    assert [ui.sees(said) for said in (counting, "100", waiting)] == [True, True, False]
    assert letters(ui) == ""
    assert in_both_looks(screen) == []
    done[0] = found
    told(home_table)
    assert letters(ui) == "ABC"
    assert in_both_looks(screen) == []
    ui.tap("A")
    assert ui.is_chosen("A")
    for shown in ("A", "ABC"):  # those of one driver, then all again
        ui.tap("КИМ")
        assert letters(ui) == shown
        assert not ui.is_chosen("A"), "it is another decision"
    for _ in range(2):
        ui.tap("B")
    ui.wait_for(say("analysis.better", best="A"), say("analysis.best"))
    assert ui.right_of(say("analysis.odds_to_win")) == f"{theme.words.percent(35)} {theme.words.percent(20)}"
    taken = found.turning[1]
    assert ui.is_marked(taken.better["space"], "A")
    assert ui.is_marked(taken.answer["space"], "B")
    assert in_both_looks(screen) == []
    ui.tap(say("analysis.point_key", letter="A"))
    ui.wait_for("+0.8" if language == "en" else "+0,8")
    assert not ui.sees(say("analysis.best"))
    ui.back()
    assert letters(ui) == "ABC"


def test_where_only_chances_are_known_rounds_stand_on_the_keys(
    panel: Rig, home_table: Table, language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With cards: the odds that each began with and the best he had; a driver's row has his own rounds, and a second
    tap on a key opens nothing."""
    home_table.app.choose(language=language)
    setup = {"rulebook": "ninety", "track": "saltmarsh", "deck": 3, "laps": 4, "cars": [{"car": 7}, {"car": 9}]}
    desk = begin_race(setup, "saltmarsh", home_table.folder, name="At the table")
    race = desk.log.log_id  # type: ignore[union-attr]
    desk.close()
    gained = Moment(1, 1, 2, 9, "declare", "", None, before=0.4, after=0.75, until=3)
    lost = Moment(1, 1, 1, 7, "declare", "", None, before=0.6, after=0.3, until=1)
    chances = ({7: 0.6, 9: 0.3}, {7: 0.3, 9: 0.4}, {}, {7: 0.2, 9: 0.75})
    ends = ((9, "Ada", 1, gained), (7, "", 2, lost))
    drivers = tuple(CarAnalysis(car, name, place, "finished", dearest=(one,)) for car, name, place, one in ends)
    found = Analysis("At the table", "Saltmarsh", "ninety", 4, drivers, chances, (lost, gained), weighed=False)
    monkeypatch.setattr(Analysing, "begin", lambda *_: None)
    monkeypatch.setattr(Analysing, "result", lambda *_: found)
    screen, words, ui = home_table.show(AnalysisScreen, race=race), Words(language), home_table.ui
    shown = analysis(found, desk.history, words)
    line = next(line for line in shown.curves.lines if line.plate.number == 9)
    assert line.points == ((0, 30.0), (1, 40.0), (3, 75.0), (4, 100.0))
    assert [(one.before, one.after, one.tone) for one in shown.points] == [(60, 30, "bad"), (40, 75, "ok")]
    assert [one.topic for one in topics(shown, words)] == ["odds", "luck", "turned"]
    at = words.percent
    for said in (f"1 ADA 9 {at(30)} {at(75)}", f"2 7 7 {at(60)} {at(60)}", f"A 7 60 {at(30)}", f"B 9 40 {at(75)}"):
        assert ui.places(also=said), said
    assert in_both_looks(screen) == []
    ui.tap("ADA")
    for _ in range(3):
        assert letters(ui) == "A"
        assert ui.places(also=f"A 9 40 {at(75)}")
        ui.tap("A")
    assert in_both_looks(screen) == []


def test_it_is_worked_out_apart_and_once(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the process says is read when it is over; curves and tables of it go on paper."""
    desk, found = driven(folder)
    begun: list[list[str]] = []

    def process(words: list[str], on_news: object) -> Done:
        begun.append(words)
        return done

    done = Done()
    monkeypatch.setattr(background_job, "BackgroundJob", process)
    works = Analysing()
    for _ in range(2):
        works.begin(folder, "race", 7)
    assert len(begun) == 1
    assert (works.result("race", 7), works.share("race", 7), works.failed("race", 7)) == (None, 0.4, False)
    Done.over, Done.said = True, msgspec.json.encode(found)
    assert works.result("race", 7) == found
    works.begin(folder, "race", 8)
    Done.over = False
    works.end()
    assert ended == [done, done]
    words = Words("en", "competition")
    shown = analysis(found, desk.history, words)
    assert [one.topic for one in topics(shown, words)] == ["odds", "luck", "turned", "dearest"]
    assert isinstance(desk.history, History)
    desk.close()
