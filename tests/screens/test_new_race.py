"""Making a race, by touch."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from companion import circuits
from companion.circuits import BOARDS
from companion.rules.rulebooks import RULEBOOKS
from companion.screens.kit.theme import theme
from companion.sheets.entrants import FILE, RaceEntrant, remember, remembered
from companion.view.setup.draft import Draft, from_position
from companion.view.setup.new_race import cells, figure_rows, figure_value, steps
from companion.wording import LANGUAGES, Words
from tests.screens.rig import Rig
from tests.screens.setup import ADA, BO, CLEO, begun, drafted, set_up
from tests.screens.table import Table
from tests.screens.ui import Ui

KNOWN = [
    RaceEntrant(number=7, name="Ada", team="Scuderia", colour=0),
    RaceEntrant(number=14, name="Александр Константинопольск", team="Żółć Çağ Ñandú-Überfluß", colour=1),
    RaceEntrant(number=22, name="山田太郎", colour=2),
    RaceEntrant(number=99, name="W" * 30, team="M" * 30, colour=13),
]
THREE = (ADA, BO, CLEO)


def say(key: str, **facts: Any) -> str:
    """Return a text of the setup in the language of the screen."""
    return theme.words.screen(f"new_race.{key}", **facts)


def taps(ui: Ui, *words: str) -> None:
    """Tap one after another."""
    for one in words:
        ui.tap(one)


def listed(ui: Ui, *names: str) -> list[str]:
    """Return these names in the order in which they are read."""
    return [word.text for word in ui.words() if word.text in names]


def choose(ui: Ui, field: str, key: str) -> None:
    """Tap a key of a choice."""
    ui.tap(key, below=field, beside=field)


def test_a_race_from_the_first_touch_to_its_log(ui: Ui, folder: Path) -> None:
    remember(folder, [*THREE])
    set_up(ui, "rules")
    ui.tap("Next")
    assert not ui.offers("Next")
    ui.tap("Monaco")
    assert ui.sees("Monaco · Competition")
    ui.step("Laps", -1)
    taps(ui, "Next", "Back")
    assert ui.sees("Choose a circuit"), "one step back"
    taps(ui, "Next", "Ada", "Cleo", "New driver")
    ui.write("Name", "Zoé")
    ui.step("Number")
    ui.tap(car=4, beside="Colour")
    taps(ui, "Next", "Zoé", "To the front")
    assert listed(ui, "Ada", "Cleo", "Zoé") == ["Zoé", "Ada", "Cleo"]
    assert ui.sees("pole 4 Zoé")
    taps(ui, "Next", "Begin")
    race = begun(ui).rulebook.race
    assert [(car.number, car.driver) for car in race.cars] == [(4, "Zoé"), (7, "Ada"), (22, "Cleo")]
    assert race.laps == 2
    assert [(one.name, one.colour) for one in remembered(folder)] == [("Zoé", 3), ("Ada", 0), ("Cleo", 2), ("Bo", 1)]


def test_every_driver_has_the_line_to_himself(ui: Ui) -> None:
    """What was written for one driver is not in the line of the next; whoever is opened again is read there."""
    set_up(ui, "drivers", Draft(track="spa"))
    said = [("Ada", "Sc"), ("Bo", ""), ("", "Lo"), ("Ada K", "")]
    for one in said:
        ui.tap("New driver")
        for label, text in zip(("Name", "Team"), one, strict=True):
            assert ui.written(label) == ""
            if text:
                ui.write(label, text)
    for number in (2, 1, 3, 4):
        ui.tap(car=number)
        assert (ui.written("Name"), ui.written("Team")) == said[number - 1]


def test_a_number_that_another_has_is_passed_over(ui: Ui) -> None:
    set_up(ui, "drivers", drafted(*(RaceEntrant(number=number) for number in range(1, 7)), track="spa"))
    ui.tap(car=2)
    for by, number in ((1, "7"), (-1, "2"), (-1, "2")):  # nobody has a lower one: it stays
        ui.step("Number", by)
        assert ui.value("Number") == number
        ui.where(car=int(number), beside="Colour")


def test_a_file_of_drivers_with_a_slip_in_it_is_told_and_kept(ui: Ui, folder: Path) -> None:
    (folder / FILE).write_text("[[driver]\n", encoding="utf-8")
    set_up(ui, "rules")
    assert ui.sees("drivers.broken.toml")
    assert (folder / "drivers.broken.toml").read_text(encoding="utf-8") == "[[driver]\n"
    assert remembered(folder) == []


def test_a_race_of_cards_from_the_first_touch_to_its_log(ui: Ui, folder: Path) -> None:
    remember(folder, [*THREE])
    set_up(ui, "rules", Draft(track="monaco"))
    ui.tap("Race of cards")
    assert ui.sees("Circuit –")
    taps(ui, "Chase brings a point if", "Yes", "Next")
    assert not ui.sees("Monaco")
    ui.tap("Quarry Hill")
    ui.step("Turns")
    taps(ui, "Next", "Ada", "Bo", "Cleo", "Next")
    assert ui.value("Bots of each speed") == "3"
    ui.step("Bots of each speed", -1)
    assert ui.sees("2 slow and 2 fast", "cards on the table · 4 bots")
    ui.tap("The program’s deck")
    ui.audit()
    ui.tap("Next")
    ui.audit()
    ui.tap("Begin")
    desk = begun(ui)
    race = desk.rulebook.race
    assert race.laps == circuits.board("quarry-hill").turns + 1
    assert race.deck
    assert desk.rulebook.figures.chase
    assert [(car.number, car.team) for car in race.cars if not car.bot] == [(one.number, one.team) for one in THREE]
    assert sorted(car.bot for car in race.cars if car.bot) == ["fast", "fast", "slow", "slow"]
    ui.wait_for("Take the substitute?")


def test_a_death_race_has_its_cards_dealt_and_says_why_it_is_not_driven_on_a_corner_sheet(ui: Ui, folder: Path) -> None:
    remember(folder, [*THREE])
    set_up(ui, "rules", Draft(track="monza"))
    taps(ui, "Death race", "Next")
    ui.audit()
    ui.tap("Monza")
    assert ui.sees("Monza is a corner sheet", "Choose a circuit first.")
    taps(ui, "Monaco", "Next", "Ada", "Bo", "Cleo", "Next", "Next")
    assert not ui.sees("Bots of each speed")
    ui.tap("The program’s deck")
    ui.audit()
    taps(ui, "Next", "Begin")
    desk = begun(ui)
    assert desk.asked is not None
    assert (desk.asked.ask, desk.rulebook.race.deck > 0) == ("start", True)
    assert all(car.weapons and not car.slots for car in desk.rulebook.race.cars)


def test_cards_on_the_table_ask_for_the_charts(ui: Ui) -> None:
    set_up(ui, "cards", drafted(ADA, rulebook="ninety", track="saltmarsh", deck=5))
    ui.tap("Cards on the table")
    ui.step("Bots of each speed", -1)
    assert ui.sees("2 changed")
    ui.step("Bots of each speed")
    assert ui.sees("Rules Race of cards")
    taps(ui, "Next", "Begin")
    desk = begun(ui)
    assert desk.asked is not None
    assert (desk.asked.ask, len(desk.rulebook.race.cars)) == ("chart", 7)


def test_too_many_cars_are_told_before_the_race(ui: Ui) -> None:
    field = [RaceEntrant(number=place + 1) for place in range(20)]
    set_up(ui, "start", drafted(*field, rulebook="ninety", track="saltmarsh"))
    assert ui.sees("A race has at most 20 cars; this one has 24.")
    assert not ui.offers("Begin")
    ui.tap("Back")
    ui.step("Bots of each speed", -2)
    ui.tap("Next")
    assert not ui.sees("A race has at most")
    assert ui.offers("Begin")


def test_which_way_serves_a_board_best_is_told_beside_the_circuits(panel: Rig, ui: Ui) -> None:
    for language in LANGUAGES:
        ui.app.choose(language=language)
        set_up(ui, "circuit", Draft(rulebook="formula-d", track="monaco"))
        ui.tap(say("yours"))
        assert ui.sees(*(say(f"way.{way}") for way in ("space", "corner", "imported")), "companion tracks --help")
        assert not ui.sees(say("laps"))
        ui.audit_both()
        ui.back()
        assert ui.sees(say("laps"))
        assert not ui.sees("companion tracks --help")
        ui.audit()


def test_the_circuit_of_another_rulebook_is_taken_away(ui: Ui) -> None:
    set_up(ui, "rules", Draft(rulebook="ninety", track="saltmarsh", deck=3, laps=9))
    ui.tap("Cup")
    assert ui.sees("Circuit –", "Grid", "Start from the grid")
    assert not ui.sees("deck")
    taps(ui, "Race of cards", "Next", "Quarry Hill")
    assert ui.sees("cards on the table")
    assert ui.value("Turns") == "16"


def test_the_grid_by_the_black_die(ui: Ui) -> None:
    set_up(ui, "grid", drafted(*THREE, track="spa"))
    ui.tap("By die")
    for driver, face in (("7 Ada", 4), ("14 Bo", 19), ("22 Cleo", 4), ("7 Ada", 2), ("22 Cleo", 8)):
        assert ui.sees(f"Roll black: {driver}")
        ui.tap(str(face), below="Roll black")
    assert not ui.sees("Roll black")
    assert listed(ui, "Ada", "Bo", "Cleo") == ["Bo", "Cleo", "Ada"]
    assert ui.sees("4 · 2", "4 · 8")
    ui.audit()
    ui.tap("Clear")
    assert ui.sees("Roll black: 14 Bo")


def test_a_race_of_three_laps_says_so_before_it_begins(ui: Ui) -> None:
    draft = Draft(rulebook="formula-d", track="monaco", options={"three_laps": True})
    for laps, usual in ((0, False), (5, True)):
        set_up(ui, "circuit", draft.but(laps=laps))
        assert (ui.value("Laps"), ui.sees("usual: 3")) == (str(laps or 3), usual)


# -- a race that goes on from a position


def position(ui: Ui, draft: Draft) -> None:
    """Begin from a position."""
    set_up(ui, "start", draft)
    ui.tap("From a position")
    assert not ui.offers("Begin")


def test_a_race_of_cards_that_began_on_paper(ui: Ui) -> None:
    """A driver and two bots are put into their sections; his chart, strategy and figures are set; the turn is said."""
    position(ui, drafted(ADA, rulebook="ninety", track="quarry-hill").with_bots(1))
    ui.audit()
    ui.step("Turn")
    for car, section in (("Ada", "4 · Crusher"), ("Bot A", "4 · Crusher"), ("Bot B", "6 · braking section")):
        taps(ui, car, section)
        ui.audit()
        if car == "Ada":
            ui.tap("Car")
            choose(ui, "Chart", "13 · 5 · 4")
            choose(ui, "Strategy", "Hazard")
            ui.step("Factor of the check card", -1)
            ui.audit()
            ui.scroll(start=True)
            assert ui.is_chosen("13 · 5 · 4")
        ui.tap("Back")
    for car, where in (("Ada", "section 4 · 1 of 2"), ("Bot A", "section 4 · 2 of 2"), ("Bot B", "section 6")):
        assert ui.places(also=f"{car} {where}")
    ui.tap("Begin")
    desk = begun(ui)
    first = desk.rulebook.race.cars[0]
    assert (first.built["tyres"], first.strategy, first.check) == (13, "hazard", "D1 49")
    assert desk.asked is not None
    assert (desk.rulebook.race.round, desk.asked.ask, desk.asked.car) == (2, "contest", first.number)


@pytest.mark.parametrize("track", ["monaco", "spa"])
def test_a_race_that_began_on_paper(ui: Ui, track: str) -> None:
    position(ui, drafted(ADA, BO, track=track))
    corners = {"monaco": ("3 · Casino 1", "4 · straight"), "spa": ("corner 7", "after corner 7")}[track]
    for car, stretch in zip(("Ada", "Bo"), corners, strict=True):
        taps(ui, car, stretch)
        if track == "monaco":
            ui.tap("Middle")
            ui.step("Space")
        ui.tap("Car")
        ui.step("Laps")
        ui.audit()
        ui.tap("Back")
    if track == "monaco":
        assert ui.sees("space 2 in Casino 1, middle")
    ui.tap("Begin")
    desk = begun(ui)
    first, second = desk.rulebook.race.cars
    assert (first.lap, second.lap) == (2, 2)
    assert first.at != second.at
    assert track == "spa" or first.at == "3:middle:2"
    assert desk.asked is not None
    assert (desk.asked.ask, desk.asked.round) == ("gear", 1)


@pytest.mark.parametrize("book", ["competition", "cup", "league", "death"])
def test_a_position_has_by_touch_what_a_race_of_its_rulebook_has(ui: Ui, book: str) -> None:
    """Cars are tapped onto the board; points above the usual ones, compound, KERS, stops, cards, the sky and the round
    are what the race begins with; a car may be out."""
    position(ui, drafted(*THREE, rulebook=book, track="monaco"))
    ui.tap("The race")
    ui.audit_both()
    ui.step("Round", 4)
    if book != "death":
        choose(ui, "Sky", "Rain")
        choose(ui, "Surface", "Wet")
    taps(ui, "Back", "Ada", "3 · Casino 1")
    ui.tap(space="3:middle:5")
    ui.audit()
    ui.tap("Car")
    pool, more = "Points" if book == "death" else "Tyres", 0 if book == "league" else 2
    usual = int(ui.value(pool))
    ui.step(pool, more)  # in the league every car has the same points
    ui.step("Gear", 3)
    ui.step("Stops")
    if book == "death":
        taps(ui, "Slip Mines", "Rear Laser")
        ui.step("Rear Laser", 2)
        ui.tap("Bravado")
    else:
        choose(ui, "Tyres", "Soft")
        ui.step("Laps")
        ui.step("Age of the tyres")
    if book == "cup":
        ui.step("KERS", 2)
        choose(ui, "Compounds raced on", "Soft")
    ui.audit()
    taps(ui, "Back", "Bo", "4 · straight")
    ui.tap(space="4:middle:2")
    for car, status in (("", "Spun"), ("Cleo", "Out")):
        taps(ui, *[car][: len(car)], "Car")
        choose(ui, "Status", status)
        ui.tap("Back")
    ui.tap("Begin")
    desk = begun(ui)
    race, setup = desk.rulebook.race, desk.history.beginning.setup
    first, second, third = race.cars
    assert [first.at, second.at] == ["3:middle:5", "4:middle:2"], "each where it was tapped"
    assert [car["status"] for car in setup["cars"]] == ["racing", "spun", "out"]
    assert third.status == "out"
    kind = pool.lower()
    assert (race.round, first.gear, first.stops) == (5, 4, 1)
    assert first.wear[kind] == first.built[kind] == usual + more
    if book == "death":
        assert (first.weapons, first.defence) == ({"slip-mines": 0, "rear-laser": 2}, "bravado")
        assert first.stock["slip-mines"] > 0
    else:
        assert (race.sky, race.surface, first.tyres, first.tyre_laps) == ("rain", "wet", "soft", 1)
    if book == "cup":
        assert (first.kers, first.raced) == (2, ["soft"])


@pytest.mark.parametrize("weather", [False, True])
def test_a_position_has_by_touch_what_the_options_of_its_race_have(ui: Ui, weather: bool) -> None:
    """Kinds of tyres, as far as the rules take them, and points for repairs."""
    options = {"tyres": True, "stop_technical": True, "weather": weather}
    draft = from_position(drafted(ADA, BO, rulebook="formula-d", track="monaco", options=options))
    set_up(ui, "start", draft.placing(7, "3:left:1").placing(14, "3:left:2"))
    taps(ui, "Ada", "Car")
    assert [ui.offers(kind) for kind in ("Hard", "Soft", "Rain")] == [True, True, weather]
    ui.tap("Soft")
    ui.step("Repair points", -1)
    ui.audit()
    taps(ui, "Back", "Begin")
    car = begun(ui).rulebook.race.cars[0]
    assert (car.tyres, car.stand) == ("soft", 1)


@pytest.mark.parametrize("book", ["formula-d", "competition", "cup", "league", "death"])
def test_a_position_has_by_touch_what_variants_allow_a_driver(ui: Ui, book: str) -> None:
    """Wings, boosters bought, and what was used in this lap and before; the points that boosters cost come off."""
    options = dict.fromkeys(("wings", "top", "super_top", "boosters"), True)
    draft = from_position(drafted(ADA, rulebook=book, track="monaco", options=options))
    set_up(ui, "start", draft.placing(7, "3:left:1"))
    taps(ui, "Ada", "Car")
    assert ui.value("one space more or less, lap 1") == "0"
    assert len(listed(ui, "one space more or less, lap 1")) == 1
    ui.step("Laps")
    pool = "Points" if book == "death" else "Tyres"
    usual = int(ui.value(pool))
    ui.step(pool, -1)
    ui.step("Boosters bought", 2)
    assert ui.value(pool) == str(usual - 1 - 2), "what was said of its points before is less by what the boosters cost"
    choose(ui, "Wings", "High")
    for use in ("one space more or less, lap 2", "one space more or less, lap 1", "choice of face, lap 2",
                "boosters, lap 1"):  # fmt: skip
        ui.step(use)
    ui.audit()
    taps(ui, "Back", "Begin")
    car = begun(ui).rulebook.race.cars[0]
    assert (car.wings, car.bought, car.wear[pool.lower()]) == ("high", 2, usual - 3)
    assert car.allowances == {"top:2": 1, "top:1": 1, "super_top:2": 1, "boosters:1": 1}


def test_a_position_names_the_parts_of_a_car_in_the_words_of_its_rulebook(ui: Ui) -> None:
    ui.app.choose(language="fr")
    set_up(ui, "start", from_position(drafted(ADA, rulebook="formula-d", track="monaco")).placing(7, "3:left:1"))
    taps(ui, "Ada", say("of_car"))
    assert ui.value(Words("fr", "formula-d").word("pool", "gearbox").capitalize())


def test_a_position_that_the_rules_refuse_can_be_said_otherwise(ui: Ui) -> None:
    """The refused value stays on screen, with the reason in the band, and the same touch takes it back."""
    set_up(ui, "start", from_position(drafted(ADA, rulebook="cup", track="monaco")).placing(7, "3:left:1"))
    taps(ui, "Ada", "Car")
    for refused in (True, False):
        choose(ui, "Compounds raced on", "Soft")
        assert ui.sees("soft") == refused
        assert ui.offers("Begin") == (not refused)


# -- figures and switches


def test_figures_and_switches_are_changed_and_brought_back(ui: Ui) -> None:
    set_up(ui, "rules")
    taps(ui, "Once the winner is home", "Yes")
    assert ui.sees("1 changed")
    ui.tap("Points of a car")
    ui.tap(icon="plus")
    assert ui.sees("2 changed", "5-0-2 · usual: 20")
    assert listed(ui, "21") == ["21", "21"]
    ui.audit()
    taps(ui, "usual: 20", "Points by place")
    assert ui.sees("21-1-2 · Proposed")
    ui.step("1")
    assert ui.sees("2 changed", "11 · 6 · 4 · 3")
    finger = ui.rig.press(*ui.where(icon="plus", beside="1"))
    ui.tap("Points of a car")
    finger.up()  # it has stayed on the key of a figure that is closed
    ui.calm()
    assert ui.sees("2 changed", "usual: 20")
    assert listed(ui, "21") == []
    assert not ui.offers("League")
    ui.tap("Back")
    assert ui.offers("League")
    ui.tap("Back")
    assert ui.sees("3 things to choose")
    ui.tap("Back")
    assert ui.sees("Begin a race?")


def test_figures_are_kept_under_a_name_and_chosen_by_it(ui: Ui) -> None:
    def ticked(name: str) -> bool:
        return abs(ui.where(icon="check", beside=name)[1] - ui.where(name)[1]) < 26

    set_up(ui, "rules")
    taps(ui, "Cup", "Competition")
    assert not ui.offers("Save as house rules"), "nothing is changed"
    ui.tap("Points of a car")
    ui.tap(icon="plus")
    ui.tap("Points of a car")
    ui.audit()
    ui.tap("Save as house rules")
    ui.audit()
    ui.type("Thu")
    ui.scroll(start=True)
    assert listed(ui, "Thu", "Formula D beginner") == ["Thu", "Formula D beginner"]
    assert ticked("Thu")
    assert not ui.offers("Save as house rules"), "they are kept"
    ui.tap("Competition", below="Thu")
    assert ui.sees("Rules Competition")
    ui.audit()
    taps(ui, "Thu", "Points of a car")
    assert ui.sees("1 changed")
    assert listed(ui, "21") == ["21", "21"]
    set_up(ui, "rules")
    assert listed(ui, "Thu", "Formula D beginner") == ["Thu", "Formula D beginner"]
    taps(ui, "Thu", "Points of a car")
    ui.tap(icon="plus")
    ui.tap("Points of a car")
    ui.tap("Save as house rules")
    ui.type("Thu")
    assert ui.sees("Replace Thu?")
    ui.tap("Replace")
    assert not ui.sees("Replace Thu?")
    assert not ui.offers("Save as house rules"), "they are kept"
    assert listed(ui, "22") == ["22"]


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_every_figure_is_changed_and_brought_back_by_touch(ui: Ui, rulebook: str, lang: str) -> None:
    ui.app.choose(language=lang)
    words, draft = Words(lang, rulebook), Draft(rulebook=rulebook)
    set_up(ui, "rules", draft)
    rows = figure_rows(draft, words)
    assert len(rows) == len(list(RULEBOOKS[rulebook].listed()))
    for row in rows:
        ui.tap(row.label[:33])
        usual = say("usual_key")
        if row.kind in ("switch", "number"):
            usual = say("usual", laps=figure_value(row.usual, words))
        if row.kind == "switch":
            ui.tap(words.word("plain", not row.value).capitalize())
        elif row.kind == "number":
            ui.tap(icon="plus" if ui.offers(icon="plus") else "minus")
        elif row.kind == "words":
            ui.tap(figure_value(row.value[0], words), beside="1")
        else:
            ui.step("-".join(str(part + 1) for part in cells(row.value)[0][0]))
        assert ui.sees(say("rest_note", count=1)), row.name
        ui.audit()
        ui.tap(usual)
        assert not ui.sees(say("rest_note", count=1)), row.name


def test_a_driver_is_taken_out_again(ui: Ui, folder: Path) -> None:
    remember(folder, [*THREE])
    set_up(ui, "drivers", Draft(track="spa"))
    for name, cars in (("Ada", "1 car"), ("Bo", "2 cars"), ("Ada", "3 cars"), ("Ada", "1 car")):
        ui.tap(name, below="Remembered", beside="Cleo")
        assert ui.sees(f"Drivers {cars}")
    ui.tap("1")
    assert ui.written("Name") == "Bo"
    ui.tap("Remove")
    assert ui.sees("Drivers –")
    assert not ui.offers("Next")


def test_the_draft_outlives_its_screen(ui: Ui) -> None:
    set_up(ui, "rules")
    taps(ui, "Next", "Monaco")
    ui.app.go("settings")
    ui.calm()
    ui.back()
    assert ui.sees("Choose a circuit", "Monaco · Competition")


def own_board(folder: Path, key: str, text: str) -> None:
    """Write a board of the table's own."""
    boards = circuits.look_in(folder) / BOARDS
    boards.mkdir(parents=True, exist_ok=True)
    (boards / f"{key}.toml").write_text(text, encoding="utf-8")


def test_a_board_of_sections_is_listed_for_the_race_of_cards_alone(ui: Ui, folder: Path) -> None:
    own_board(folder, "ours", circuits.find(circuits.TEMPLATE).read_text(encoding="utf-8"))
    name = circuits.board("ours").name
    set_up(ui, "circuit")
    assert name not in ui.lines()
    set_up(ui, "circuit", drafted(ADA, rulebook="ninety"))
    taps(ui, name, "Next", "Next", "Next", "Begin")
    assert begun(ui).rulebook.race.laps == 20


def test_own_boards_are_listed_and_broken_ones_say_why(ui: Ui, folder: Path) -> None:
    own_board(folder, "mine", circuits.find("monaco").read_text(encoding="utf-8").replace('"Monaco"', '"Mine"', 1))
    own_board(folder, "wrong", "name = 3")
    set_up(ui, "circuit")
    ui.tap("wrong")
    assert ui.sees("Choose a circuit first.")
    ui.tap("Mine")
    assert ui.sees("Mine · Competition")
    ui.audit()


def test_many_boards_are_checked_beside_the_screen_and_found_by_what_is_typed(ui: Ui, folder: Path) -> None:
    """The list is there at once; it is searched by a line, and another circuit keeps the distance."""
    text = circuits.find("monaco").read_text(encoding="utf-8")
    for at in range(12):
        own_board(folder, f"club-{at}", text.replace('"Monaco"', f'"Élan {at}"', 1))
    set_up(ui, "circuit", Draft(track="spa", laps=7))
    ui.write("Search", "elan 1")
    assert listed(ui, "Spa", *(f"Élan {at}" for at in range(12))) == ["Élan 1", "Élan 10", "Élan 11"]
    ui.rig.until(lambda: len(listed(ui, "lap 158 · 10 corners · 14 stops")) == 3)
    ui.audit_both()
    ui.tap("Élan 11")
    assert ui.sees("Élan 11 · 7 laps")
    ui.write("elan 1", "nowhere", anew=True)
    assert ui.sees("Nothing found")
    ui.audit_both()


# -- the grid of the league


def test_a_race_of_the_league_takes_its_grid_from_the_last_race_and_knows_who_is_at_home(ui: Ui) -> None:
    set_up(ui, "season", drafted(*THREE, rulebook="league", track="monaco"))
    ui.tap("At home", beside="By hand")
    taps(ui, "Last race", "Bo")
    ui.tap("Was not in it", beside="By hand")
    assert ui.places(also="2 22 Cleo"), "who was not in it has no place"
    taps(ui, "Cleo", "To the front")
    assert listed(ui, "Ada", "Bo", "Cleo") == ["Cleo", "Ada", "Bo"]
    for said in ("1 22 Cleo", "2 7 Ada At home", "14 Bo Was not in it"):
        assert ui.places(also=said)
    taps(ui, "Next", "Begin")
    race = begun(ui).rulebook.race
    assert (race.last, race.grid) == ([22, 7], [7, 22, 14])
    assert {car.number: car.home for car in race.cars} == {22: False, 7: True, 14: False}


@pytest.mark.parametrize(("way", "what", "grid"), [("By die", "grid", []), ("By hand", "weather", [14, 7, 22])])
def test_the_league_rolls_for_its_grid_or_takes_it_as_it_is_listed(
    ui: Ui, way: str, what: str, grid: list[int]
) -> None:
    set_up(ui, "season", drafted(*THREE, rulebook="league", track="monaco", line_up="last", home=(7,), absent=(14,)))
    assert ui.sees("1 at home")
    ui.tap("At home", beside="By hand")
    assert not ui.sees("1 at home")
    ui.tap(way)
    if grid:
        ui.tap("Backward")
    taps(ui, "Next", "Begin")
    desk = begun(ui)
    assert desk.asked is not None
    assert (desk.asked.what, desk.rulebook.race.grid) == (what, grid)


# -- how it looks


@pytest.mark.parametrize("rulebook", ["competition", "death", "league", "ninety"])
@pytest.mark.parametrize("count", [0, 20])
def test_every_step_passes_the_audit(
    panel: Rig, ui: Ui, folder: Path, count: int, rulebook: str, language: str
) -> None:
    ui.app.choose(language=language)
    remember(folder, KNOWN)
    cards = rulebook == "ninety"
    track = {"ninety": "saltmarsh", "death": "monaco"}.get(rulebook, "spa")
    draft = Draft(rulebook=rulebook, track=track if count else "", deck=4711 * (cards or rulebook == "death"))
    for place in range(count):
        one = KNOWN[place % len(KNOWN)]
        draft = draft.entering(RaceEntrant(number=one.number, name="" if place == 5 else one.name, team=one.team))

    def audit(*keys: str, beside: str = "") -> None:
        for key in keys:
            ui.tap(say(key), beside=say(beside) if beside else "")
            ui.audit_both()

    for step in steps(draft):
        set_up(ui, step, draft)
        ui.audit_both()
        if not count:
            continue
        if step == "drivers":
            ui.tap("20")
            ui.audit_both()
        elif step == "season":
            audit("home", beside="line_up.hand")
            audit("line_up.last")
            audit("absent", beside="line_up.hand")
            audit("line_up.hand")
            audit("home", beside="line_up.hand")
        elif step == "grid" and rulebook == "competition":
            audit("by_hand", "by_die", "by_trials")
    if count:
        set_up(ui, "start", draft.with_bots(0))
        audit("position_start")
        if cards:
            ui.tap("1")
            audit("of_car")


def test_every_circuit_is_shown_well(ui: Ui) -> None:
    for track in [*circuits.keys(), *circuits.section_keys()]:
        rulebook = "ninety" if track in circuits.section_keys() else "competition"
        set_up(ui, "circuit", Draft(rulebook=rulebook, track=track))
        ui.audit()


def test_the_grid_is_drawn_before_the_race_begins_where_it_is_known(ui: Ui) -> None:
    draft, names = drafted(*THREE, track="monaco"), [one.name for one in THREE]
    set_up(ui, "start", draft)
    drawn = sorted((word.box.x, round(word.box.y), word.text) for word in ui.words() if word.text in names)
    assert [text for *_, text in drawn] == names
    assert drawn[0][1] == drawn[2][1] < drawn[1][1]
    for other in (draft.going_by("league"), draft.going_by("ninety").but(track="saltmarsh")):
        set_up(ui, "start", other)
        ada, bo, cleo = (ui.box(name) for name in names)
        assert ada.y == bo.y < cleo.y, "two rows of cars, no grid"


def test_a_full_field_says_why_nobody_else_can_enter(ui: Ui, language: str) -> None:
    ui.app.choose(language=language)
    set_up(ui, "drivers", drafted(*(RaceEntrant(number=place + 1) for place in range(20)), track="spa"))
    assert not ui.offers(say("new_driver"))
    assert not ui.offers(say("new_program"))
    assert ui.sees(say("most_drivers", count=20), say("cars", count=20))
    ui.audit()


@pytest.mark.parametrize("count", [1, 2, 19, 20])
def test_grids_of_any_size_have_room(panel: Rig, ui: Ui, count: int) -> None:
    field = [RaceEntrant(number=99 - place, name=KNOWN[place % 4].name, colour=place) for place in range(count)]
    set_up(ui, "start", drafted(*field, track="spa"))
    ui.audit_both()


# -- what other files still take from here


def go_on(ui: Ui) -> None:
    """Tap the key to the next step, the race or the first page."""
    keys = (theme.words.screen("keys.done"), say("next"), say("begin"))
    ui.tap(next(key for key in keys if ui.offers(key)))


def go_back(ui: Ui) -> None:
    """Tap the key back in the foot."""
    ui.tap(theme.words.screen("keys.back"))


def tap(home_table: Table, key: str, beside: str = "") -> None:
    """Tap a key of the setup, of several the one nearest to another key."""
    say = theme.words.screen
    home_table.ui.tap(say(f"new_race.{key}"), beside=say(f"new_race.{beside}") if beside else "")
