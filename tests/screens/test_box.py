"""The options of the box of Formula D, by touch."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from companion.articles import load
from companion.desk import RaceDesk
from companion.desk.ahead import Ahead
from companion.desk.beginning import begin_race
from companion.desk.session import Session
from companion.drawing.paints import PAINTS
from companion.rules.dice.variants import VARIANTS
from companion.rules.formula_d import STREET
from companion.rules.rulebooks import RULEBOOKS
from companion.screens.kit.theme import theme
from companion.screens.setup.rules import Note
from companion.view.phones.phone import driver_page
from companion.view.setup.new_race import StepName
from companion.wording import Words
from tests.screens.rig import Rig
from tests.screens.setup import begun, set_up
from tests.screens.table import driver_on
from tests.screens.ui import Ui, Word
from tests.test_teams import DRAFT, SETUP


def say(key: str, **facts: Any) -> str:
    """Return a text of the screens in the language that they have."""
    return theme.words.screen(key, **facts)


def plain(switched: bool) -> str:
    """Return the key of a switch."""
    return theme.words.word("plain", switched).capitalize()


def begin(ui: Ui, language: str = "en", **setup: Any) -> None:
    """Begin a race at Monaco, of the box where the setup has no other rulebook."""
    ui.app.choose(language=language)
    ui.app.playing.begin({"rulebook": "formula-d", "track": "monaco", **setup}, "monaco")


def new_race(ui: Ui, language: str, *names: str) -> None:
    """Open all the rest of a new race of the box, with some drivers."""
    ui.app.choose(language=language)
    ui.tap(say("home.new_race"))
    ui.tap("Formula D")
    for name in names:
        ui.tap(say("new_race.add"))
        ui.type(name)
    ui.tap(say("new_race.rest"))


@pytest.mark.parametrize("option", ["weather", "three-laps"])
def test_what_an_option_brings_is_read_before_it_is_switched_on(panel: Rig, ui: Ui, language: str, option: str) -> None:
    article = load("formula-d").get(f"option.{option}")
    new_race(ui, language)
    ui.tap(article.title(language))
    assert ui.sees(article.text(language))
    ui.audit()
    usual = say("new_race.changed_from", usual=plain(False))
    ui.tap(plain(True), beside=usual)
    read = [word.text for word in ui.words()]
    assert read.count(article.title(language)) == 2, "over what it brings, and on its row"
    assert usual in read
    assert say("new_race.rest_note", count=1) in read


def test_all_that_a_variant_brings_can_be_read_before_it_is_switched_on(panel: Rig, ui: Ui, language: str) -> None:
    """Of the longest ones nothing is left out: a finger draws them up."""

    def lines() -> list[Word]:
        return [word for word in ui.words() if isinstance(word.widget, Note)]

    new_race(ui, language)
    told = [load("formula-d").get(variant.article) for variant in VARIANTS.of(RULEBOOKS["formula-d"])]
    for entry in sorted(told, key=lambda entry: -len(entry.text(language)))[:3]:
        ui.tap(entry.title(language))
        read = [word.text for word in lines()]
        box = lines()[-1].box
        panel.drag((box.x + 40, box.y), (box.x + 40, box.y - 120), steps=40)
        panel.settle(90)
        read += [word.text for word in lines() if word.text not in read]
        assert " ".join(read) == entry.text(language)
        ui.tap(entry.title(language))


def test_a_race_for_teams_has_its_pairs_in_one_colour_at_every_step(ui: Ui) -> None:
    def pairs() -> None:
        red, orange, yellow = PAINTS[0].colour, PAINTS[2].colour, PAINTS[4].colour
        assert [ui.plate(car) for car in range(1, 6)] == [red, red, orange, orange, yellow]
        ui.audit()

    set_up(ui, "rules", DRAFT.but(options={}))
    for key in ("Race of teams", "Yes", "Next", "Next"):
        ui.tap(key)
    for said in ("Ada Red", "Bob Red", "Cleo Orange", "Dan Orange", "Eve Yellow"):
        assert ui.places(also=said)
    pairs()
    steps: tuple[StepName, ...] = ("first", "grid", "street")
    for step in steps:
        set_up(ui, step, DRAFT.but(options={"teams": True, "street": True, "trial": True}))
        pairs()


@pytest.mark.article("formula-d", "option.teams")
def test_teams_stand_above_the_cars_in_the_classification(ui: Ui, folder: Path, language: str) -> None:
    driver = driver_on("monaco", 4)
    with begin_race(SETUP, "monaco", folder) as desk:
        while desk.asked is not None:
            desk.answer(driver.answer(desk.asked, desk.rulebook.race))
    ui.app.choose(language=language)
    ui.app.go("sheet", race="last")
    teams = ("Red", "Orange", "Yellow")  # in the words of the table that set the race up
    ui.wait_for(*teams)
    for place, (team, cars) in enumerate(zip(teams, ("2 Bob · 1 Ada", "4 Dan · 3 Cleo", "5 Eve"), strict=True), 1):
        assert ui.places(f"{team} {place}", also=cars)
    assert ui.places("Eve 1")[0] > ui.places(f"{teams[2]} 3")[0]
    ui.audit()
    ui.tap("Eve")
    assert ui.sees("Eve")
    assert not ui.sees("Bob")
    ui.app.playing.open(lambda: RaceDesk.resume(folder))
    ui.wait_for("4 Dan · 3 Cleo", "12 pt")
    top = [ui.where(words)[1] for words in ("2 Bob · 1 Ada", "4 Dan · 3 Cleo", "5 Eve", "Bob")]
    assert top == sorted(top)
    ui.audit()


@pytest.mark.article("formula-d", "option.street")
def test_a_street_driver_is_chosen_by_touch(panel: Rig, ui: Ui, language: str) -> None:
    cars = [{"car": number, "driver": name} for number, name in enumerate(("Ada", "Bob"), 1)]
    begin(ui, language, cars=cars, grid=[2, 1], options={"street": True, "stop_technical": True})
    ui.wait_for(say("ask.card", what="street"))
    first, second, *_ = STREET
    assert ui.sees(f"{second} 9 2 2 2 3 2")
    assert ui.offers(first)
    ui.audit()
    ui.tap(second)
    panel.until(lambda: not ui.sees(second))
    assert ui.offers(first)
    assert begun(ui).rulebook.race.street == {"2": second}


def test_the_panel_beside_the_weather_die_is_headed_once(ui: Ui) -> None:
    begin(ui, cars=[{"car": 1}, {"car": 2}], grid=[2, 1], options={"weather": True})
    ui.wait_for("Weather: roll black")
    read = [word.text for word in ui.words()]
    assert read.count("Weather") == 2, "over the panel, and on the row of what is rolled"


@pytest.mark.article("formula-d", "option.tyres")
@pytest.mark.parametrize("weather", [False, True])
def test_a_wet_track_is_spoken_of_only_where_there_is_weather(ui: Ui, weather: bool) -> None:
    options = {"tyres": True, "weather": weather, "stop_technical": True}
    sky = {"sky": "sun"} if weather else {}
    begin(ui, cars=[{"car": 1}, {"car": 2}], grid=[2, 1], options=options, **sky)
    ui.wait_for("Choose the tyres")
    assert ui.offers("Rain") == weather
    shown = ui.app.playing.shown
    assert shown is not None
    notes = {key.label: key.note for key in shown.prompt.keys}
    assert notes["Soft"] == ("over: −2 dry, −2 wet" if weather else "over: −2")


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
def test_trials_are_a_step_of_new_race_and_driven_without_stewards(panel: Rig, ui: Ui, language: str) -> None:
    ui.app.choose(language=language)
    set_up(ui, "rules", DRAFT.but(options={}))
    grid = say("new_race.step.grid")
    assert not ui.offers(grid)
    for key in (load("formula-d").get("option.trial").title(language), plain(True), grid):
        ui.tap(key)
    ui.audit()
    ui.tap(say("new_race.to_trials"))
    ui.wait_for(say("trial.key_start"))
    ui.audit()
    for key in ("start", "throw"):
        ui.tap(say(f"trial.key_{key}"))
    assert ui.sees(say("trial.undo.throw", throws=1))
    assert not ui.offers(say("trial.key_silent")), "nobody judges misplaced cars"
    ui.audit()
    ui.tap(say("trial.key_stop"))
    assert ui.offers(say("trial.key_dispute"))
    ui.audit()


@pytest.mark.article("formula-d", "option.street")
def test_the_cards_of_street_drivers_are_chosen_before_the_race(panel: Rig, ui: Ui, language: str) -> None:
    new_race(ui, language, "Ada", "Bob", "Cleo")
    later, step = say("new_race.card_later"), say("new_race.step.street")
    for key in (load("formula-d").get("option.street").title(language), plain(True), step):
        ui.tap(key)
    ui.audit()
    for key in ("Jack Owens", "Jenny Slivers", "Derek Manson"):
        ui.tap(key)  # each the next car's
    for key in ("Ada", "Jenny Slivers", "Derek Manson"):  # the first from Bob, whose turn it is then
        ui.tap(key)
    ui.audit()
    assert ui.sees("Ada 1 Jenny Slivers", say("new_race.chosen_cards", count=2, of=3))
    for key in ("Bob", later, "Cleo", "Derek Manson"):
        ui.tap(key)
    assert ui.sees("Ada 1 Jenny Slivers", "Cleo 3 Derek Manson")
    assert not ui.sees("Jack Owens")
    for key in (say("new_race.next"), say("new_race.begin")):
        ui.tap(key)
    ui.wait_for(say("ask.test", what="grid"))
    for face in ("20", "10", "5"):
        ui.tap(face)
    ui.wait_for(say("ask.card", what="street"))
    assert not ui.sees("Derek Manson")
    ui.tap("Jack Owens")
    panel.until(lambda: not ui.sees("Jack Owens"))
    assert begun(ui).rulebook.state()["street"] == {"1": "Jenny Slivers", "2": "Jack Owens", "3": "Derek Manson"}


def test_a_race_whose_grid_is_rolled_shows_its_cars_and_no_grid_before(ui: Ui, language: str) -> None:
    new_race(ui, language, "Ada", "Bob", "Cleo", "Dan")
    ui.tap(say("new_race.step.start"))
    assert ui.sees(say("new_race.rolled_note"))
    ada, bob, cleo, dan = (ui.box(name) for name in ("Ada", "Bob", "Cleo", "Dan"))
    assert ada.y == bob.y < cleo.y == dan.y, "none is a row ahead, as on a grid"
    ui.audit()


def test_what_a_driver_is_allowed_is_told_with_its_sign(ui: Ui) -> None:
    cars = [{"car": 1, "driver": "Ada", "at": "2:left:2", "gear": 3, "lap": 1}]
    begin(ui, laps=2, options={"top": True}, to_play=[1], cars=cars)
    for key, asked in (("3", "Choose a gear"), ("6", "Roll 3rd gear")):
        ui.wait_for(asked)
        ui.tap(key)
    ui.wait_for("A space more or less?")
    assert ui.sees("No", "6 spaces", "+1", "7 spaces", "−1", "5 spaces")
    ui.audit()


def test_what_undo_takes_back_of_the_wings_has_room_on_its_key(panel: Rig, ui: Ui, language: str) -> None:
    begin(ui, language, options={"wings": True}, grid=[1, 2], cars=[{"car": 1}, {"car": 2}])
    for answer in ("high", "low"):
        ui.wait_for(say("ask.wings", what="set"))
        ui.tap(say(f"extra.{answer}"))
        ui.audit()


@pytest.mark.parametrize("book", ["formula-d", "competition", "cup", "league"])
def test_wings_and_boosters_stand_on_the_dashboard_in_words(panel: Rig, ui: Ui, language: str, book: str) -> None:
    """Beside tyres, repair points or KERS, in a second line where the first has no room."""
    options = {"wings": True, "boosters": True, "top": True}
    car = {"car": 1, "at": "2:left:2", "gear": 4, "lap": 1, "wings": "low", "bought": 2, "uses": ["top:1"]}
    begin(ui, language, rulebook=book, options=options, to_play=[1], cars=[car])
    words = Words(language, book)
    ui.wait_for(words.screen("ask.gear"))
    assert ui.sees(words.screen("extra.low"), words.word("allowance", "boosters").capitalize())
    assert not ui.sees("Uses")
    ui.audit()
