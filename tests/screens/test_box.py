"""The options of the box of Formula D, by touch."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from companion import circuits
from companion.articles import load
from companion.desk import RaceDesk
from companion.desk.ahead import Ahead
from companion.desk.beginning import begin_race
from companion.desk.session import Session
from companion.desk.trial_desk import TrialDesk
from companion.drivers.sensible import HeuristicDriver
from companion.rules.dice.variants import VARIANTS
from companion.rules.formula_d import STREET
from companion.rules.rulebooks import RULEBOOKS
from companion.screens.app.settings import SettingsFile
from companion.screens.kit.theme import theme
from companion.screens.pages.sheet import SheetScreen
from companion.screens.setup.first import DriverKey
from companion.screens.setup.new_race import NewRaceScreen
from companion.screens.setup.rules import Note
from companion.view.phones.phone import driver_page
from companion.view.setup.draft import Draft
from companion.view.setup.new_race import StepName, steps
from companion.wording import Words
from tests.screens.audit import audit, marks
from tests.screens.recorded import Table as Recorded
from tests.screens.rig import Rig
from tests.screens.stand import Stand
from tests.screens.table import Table
from tests.screens.test_new_race import go_on, touch_row
from tests.screens.ui import Ui, Word
from tests.test_teams import DRAFT, SETUP


def switched(stand: Stand, option: str, draft: Draft) -> NewRaceScreen:
    """New race with an option of the box switched on by touch."""
    screen: NewRaceScreen = stand.show(NewRaceScreen, draft=draft, step="rules")
    figures = screen.body.figures
    rows = [shown for shown, _ in figures.shown]
    at = next(at for at, shown in enumerate(rows) if shown.name == option)
    assert rows[at].group == "Options of the box"
    touch_row(stand, figures, at)
    stand.ui.tap("Yes", beside=theme.words.screen("new_race.usual", laps="No"))
    return screen


@pytest.mark.parametrize("option", ["weather", "three-laps"])
def test_what_an_option_brings_is_read_before_it_is_switched_on(
    panel: Rig, tmp_path: Path, language: str, option: str
) -> None:
    ui = Ui(panel, tmp_path, language=language)
    try:
        words, article = Words(language, "formula-d"), load("formula-d").get(f"option.{option}")
        for key in (words.screen("home.new_race"), "Formula D", words.screen("new_race.rest"), article.title(language)):
            ui.tap(key)
        assert ui.sees(article.text(language))
        ui.audit()
        no = words.word("plain", False).capitalize()
        ui.tap(words.word("plain", True).capitalize(), beside=words.screen("new_race.changed_from", usual=no))
        read = [word.text for word in ui.words()]
        assert read.count(article.title(language)) == 2, "over what it brings, and on its row"
        assert words.screen("new_race.changed_from", usual=no) in read
        step = words.screen("new_race.rest_note", count=1)
        assert [seen.mark.whole for seen in marks(ui.app.stage) if seen.mark.text == step] == [True]
    finally:
        ui.close()


def test_all_that_a_variant_brings_can_be_read_before_it_is_switched_on(
    panel: Rig, tmp_path: Path, language: str
) -> None:
    """Of the longest ones nothing is left out: a finger draws them up."""
    ui = Ui(panel, tmp_path, language=language)

    def lines() -> list[Word]:
        return [word for word in ui.words() if isinstance(word.widget, Note)]

    try:
        words, articles = Words(language, "formula-d"), load("formula-d")
        for key in (words.screen("home.new_race"), "Formula D", words.screen("new_race.rest")):
            ui.tap(key)
        told = [articles.get(variant.article) for variant in VARIANTS.of(RULEBOOKS["formula-d"])]
        for entry in sorted(told, key=lambda entry: -len(entry.text(language)))[:3]:
            ui.tap(entry.title(language))
            read = [word.text for word in lines()]
            box = lines()[-1].box
            panel.drag((box.x + 40, box.y), (box.x + 40, box.y - 120), steps=40)
            panel.settle(90)
            read += [word.text for word in lines() if word.text not in read]
            assert " ".join(read) == entry.text(language)
            ui.tap(entry.title(language))
    finally:
        ui.close()


def test_a_race_for_teams_has_its_pairs_in_one_colour(stand: Stand) -> None:
    screen = switched(stand, "teams", DRAFT.but(options={}))
    go_on(stand.ui)
    go_on(stand.ui)
    assert screen.step == "drivers"
    rows = [row.entrant for row in screen.body.entrants.shown]
    assert [(row.team, row.colour % 10) for row in rows] == [
        ("Red", 0), ("Red", 0), ("Orange", 2), ("Orange", 2), ("Yellow", 4),
    ]  # fmt: skip
    assert audit(screen) == []


@pytest.mark.article("formula-d", "option.teams")
def test_teams_stand_above_the_cars_in_the_classification(rig: Rig, tmp_path: Path, language: str) -> None:
    driver = HeuristicDriver(circuits.load("monaco"), 4)
    with begin_race(SETUP, "monaco", tmp_path) as desk:
        while desk.asked is not None:
            desk.answer(driver.answer(desk.asked, desk.rulebook.race))
        won = desk.rulebook.result()[0]
    theme.language = language
    stand = Stand(rig, tmp_path)
    sheet = stand.show(SheetScreen, race="last")
    rig.settle(10)
    assert [row.of_team for row in sheet.result.shown] == [True] * 3 + [False] * 5
    assert audit(sheet) == []
    touch_row(stand, sheet.result, 3)
    assert sheet.given["car"] == won["car"]
    rig.clear()
    table = Table.at_race(rig, tmp_path, lambda: RaceDesk.resume(tmp_path))
    try:
        rows = table.screen.result.rows.shown
        assert [row.of_team for row in rows] == [True] * 3 + [False] * 5
        assert rows[0].points
        assert audit(table.screen) == []
    finally:
        table.close()


@pytest.mark.article("formula-d", "option.street")
def test_a_street_driver_is_chosen_by_touch(panel: Rig, tmp_path: Path, language: str) -> None:
    cars = [{"car": number, "driver": name} for number, name in enumerate(("Ada", "Bob"), 1)]
    setup = {"rulebook": "formula-d", "track": "monaco", "laps": 1, "cars": cars, "grid": [2, 1]}
    begun = {**setup, "options": {"street": True, "stop_technical": True}}
    table = Table.at_race(panel, tmp_path, lambda: begin_race(begun, "monaco", tmp_path), language=language)
    try:
        keys = table.prompt.keys
        assert [key.label for key in keys] == list(STREET)
        assert keys[1].note == "9 2 2 2 3 2"
        assert audit(table.screen) == []
        table.answer(keys[1])
        assert table.see(lambda desk: desk.rulebook.race.street) == {"2": "Jack Owens"}
        assert "Jack Owens" not in [key.label for key in table.prompt.keys]
    finally:
        table.close()


@pytest.mark.article("formula-d", "option.tyres")
@pytest.mark.parametrize("weather", [False, True])
def test_a_wet_track_is_spoken_of_only_where_there_is_weather(rig: Rig, tmp_path: Path, weather: bool) -> None:
    setup = {
        "rulebook": "formula-d", "track": "monaco", "cars": [{"car": 1}, {"car": 2}], "grid": [2, 1],
        "options": {"tyres": True, "weather": weather, "stop_technical": True}, **({"sky": "sun"} if weather else {}),
    }  # fmt: skip
    table = Table.at_race(rig, tmp_path, lambda: begin_race(setup, "monaco", tmp_path))
    try:
        notes = {key.label: key.note for key in table.prompt.keys}
        assert notes["Soft"] == ("over: −2 dry, −2 wet" if weather else "over: −2")
        assert ("Rain" in notes) == weather
    finally:
        table.close()


def test_a_driver_sees_what_his_options_give_him(tmp_path: Path) -> None:
    """On his phone: his points for repairs, and whose card he has."""
    cars = [{"car": 1, "driver": "Ada"}, {"car": 2, "driver": "Bob"}]
    setup = {
        "rulebook": "formula-d", "track": "monaco", "cars": cars, "grid": [2, 1],
        "options": {"stop_technical": True, "street": True}, "street": {"1": "Jack Owens", "2": "Li Tsu Sin"},
    }  # fmt: skip
    with begin_race(setup, "monaco", tmp_path) as desk:
        shown = driver_page(Session(desk), "en", 1, Ahead(desk)).own
        assert shown is not None
        assert [(extra.label, extra.value) for extra in shown.extras] == [("Repair points", "2"), ("Jack Owens", "")]


@pytest.mark.article("formula-d", "option.trial")
def test_trials_are_a_step_of_new_race_and_driven_without_stewards(panel: Rig, tmp_path: Path, language: str) -> None:
    stand = Stand(panel, tmp_path)
    draft = DRAFT.but(options={})
    assert "grid" not in steps(draft)
    screen = switched(stand, "trial", draft)
    theme.language = language
    screen.open("grid")
    panel.settle(4)
    assert screen.body.timed
    assert audit(screen) == []
    stand.ui.tap(theme.words.screen("new_race.to_trials"))
    name, given = stand.asked[-1]
    opened = given["opened"]
    assert (name, opened.rulebook, opened.variants) == ("trial", "formula-d", ("trial",))
    with TrialDesk.begin(tmp_path / "data", opened):
        pass
    panel.clear()
    SettingsFile(tmp_path / "data").change(language=language)
    table = Recorded(panel, tmp_path / "data", "trial", trials="last")
    try:

        def say(key: str) -> str:
            return theme.words.screen(f"trial.{key}")

        ui = table.ui
        ui.audit()
        ui.tap(say("key_start"))
        ui.tap(say("key_throw"))
        assert ui.sees(theme.words.screen("trial.undo.throw", throws=1))
        assert not ui.offers(say("key_silent")), "nobody judges misplaced cars"
        ui.audit()
        ui.tap(say("key_stop"))
        assert ui.offers(say("key_dispute"))
        ui.audit()
    finally:
        table.app.close()


@pytest.mark.article("formula-d", "option.street")
def test_the_cards_of_street_drivers_are_chosen_before_the_race(panel: Rig, tmp_path: Path, language: str) -> None:
    words, title = Words(language, "formula-d"), load("formula-d").get("option.street").title(language)
    ui = Ui(panel, tmp_path, language=language)

    def tap(*keys: str) -> None:
        for key in keys:
            ui.tap(words.screen(f"new_race.{key}"))

    try:
        ui.tap(words.screen("home.new_race"))
        ui.tap("Formula D")
        for name in ("Ada", "Bob", "Cleo"):
            tap("add")
            ui.type(name)
        tap("rest")
        ui.tap(title)
        ui.tap(words.word("plain", True).capitalize())
        tap("step.street")
        ui.audit()
        for card in ("Jack Owens", "Jenny Slivers", "Derek Manson"):
            ui.tap(card)  # each the next car's
        ui.tap("Ada")
        ui.tap("Jenny Slivers")  # from Bob, whose turn it is now
        ui.tap("Derek Manson")
        ui.audit()
        assert ui.sees("Ada 1 Jenny Slivers", words.screen("new_race.chosen_cards", count=2, of=3))
        ui.tap("Bob")
        tap("card_later")
        ui.tap("Cleo")
        ui.tap("Derek Manson")
        assert ui.sees("Ada 1 Jenny Slivers", "Cleo 3 Derek Manson")
        assert not ui.sees("Jack Owens")
        tap("next", "begin")
        ui.wait_for(words.screen("ask.test", what="grid"))
        for face in ("20", "10", "5"):
            ui.tap(face)
        ui.wait_for(words.screen("ask.card", what="street"))
        assert not ui.sees("Derek Manson")
        ui.tap("Jack Owens")
        panel.until(lambda: not ui.sees("Jack Owens"))
        seat = ui.app.playing.seat
        assert seat is not None
        cards = seat.see(lambda desk, _: desk.rulebook.state()["street"]).result(20)
        assert cards == {"1": "Jenny Slivers", "2": "Jack Owens", "3": "Derek Manson"}
    finally:
        ui.close()


def test_a_race_whose_grid_is_rolled_shows_none_before(rig: Rig, folder: Path, language: str) -> None:
    words = Words(language, "formula-d")
    ui = Ui(rig, folder, language=language)
    try:
        ui.tap(words.screen("home.new_race"))
        ui.tap("Formula D")
        for name in ("Ada", "Bob"):
            ui.tap(words.screen("new_race.add"))
            ui.type(name)
        ui.tap(words.screen("new_race.rest"))
        ui.tap(words.screen("new_race.step.start"))
        assert ui.sees(words.screen("new_race.rolled_note"))
        assert not ui.sees("Ada")
        ui.audit()
    finally:
        ui.close()


def test_what_a_driver_is_allowed_is_told_with_its_sign(rig: Rig, folder: Path) -> None:
    setup = {
        "rulebook": "formula-d", "track": "monaco", "laps": 2, "options": {"top": True}, "to_play": [1],
        "cars": [{"car": 1, "driver": "Ada", "at": "2:left:2", "gear": 3, "lap": 1}],
    }  # fmt: skip
    with begin_race(setup, "monaco", folder):
        pass
    ui = Ui(rig, folder)
    try:
        ui.tap("Resume")
        for key, asked in (("3", "Choose a gear"), ("6", "Roll 3rd gear")):
            ui.wait_for(asked)
            ui.tap(key)
        ui.wait_for("A space more or less?")
        assert ui.sees("No", "6 spaces", "+1", "7 spaces", "−1", "5 spaces")
        ui.audit()
    finally:
        ui.close()


@pytest.mark.parametrize("step", ["first", "grid", "street"])
def test_the_pairs_of_a_race_for_teams_have_their_colour_at_every_step(stand: Stand, step: StepName) -> None:
    draft = DRAFT.but(options={"teams": True, "street": True, "trial": True})
    screen = stand.show(NewRaceScreen, draft=draft, step=step)
    keys = [key for key in screen.body.walk(restrict=True) if isinstance(key, DriverKey)]
    rows: Any = sorted(keys, key=lambda key: key.x) if step == "first" else screen.body.entrants.shown
    colours = [row.entrant.colour % 10 for row in rows]
    assert colours == [0, 0, 2, 2, 4]
    assert audit(screen) == []


def test_what_undo_takes_back_of_the_wings_has_room_on_its_key(panel: Rig, tmp_path: Path, language: str) -> None:
    setup = {
        "rulebook": "formula-d", "track": "monaco", "options": {"wings": True}, "grid": [1, 2],
        "cars": [{"car": number} for number in (1, 2)],
    }  # fmt: skip
    with begin_race(setup, "monaco", tmp_path):
        pass
    words = Words(language, "formula-d")
    ui = Ui(panel, tmp_path, language=language)
    try:
        ui.tap(words.screen("home.resume"))
        for answer in ("high", "low"):
            ui.wait_for(words.screen("ask.wings", what="set"))
            ui.tap(words.screen(f"extra.{answer}"))
            ui.audit()
    finally:
        ui.close()


@pytest.mark.parametrize("book", ["formula-d", "competition", "cup", "league"])
def test_wings_and_boosters_stand_on_the_dashboard_in_words(
    panel: Rig, tmp_path: Path, language: str, book: str
) -> None:
    """Beside tyres, repair points or KERS, in a second line where the first has no room."""
    setup = {
        "rulebook": book, "track": "monaco", "options": {"wings": True, "boosters": True, "top": True}, "to_play": [1],
        "cars": [{"car": 1, "at": "2:left:2", "gear": 4, "lap": 1, "wings": "low", "bought": 2, "uses": ["top:1"]}],
    }  # fmt: skip
    with begin_race(setup, "monaco", tmp_path):
        pass
    words = Words(language, book)
    ui = Ui(panel, tmp_path, language=language)
    try:
        ui.tap(words.screen("home.resume"))
        ui.wait_for(words.screen("ask.gear"))
        assert ui.sees(words.screen("extra.low"), words.word("allowance", "boosters").capitalize())
        assert not ui.sees("Uses")
        ui.audit()
    finally:
        ui.close()
