"""Making a race, by touch."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from companion import circuits
from companion.circuits import BOARDS
from companion.rules.rulebooks import RULEBOOKS
from companion.screens.kit.canvas import HIGH
from companion.screens.kit.key import Key
from companion.screens.kit.theme import theme
from companion.screens.setup.new_race import NewRaceScreen
from companion.sheets.entrants import FILE, RaceEntrant, remember, remembered
from companion.view.setup.draft import Draft, setup_of
from companion.view.setup.new_race import steps
from companion.view.shown import Field
from companion.wording import LANGUAGES, Words
from tests.screens.audit import Box, audit, in_both_looks
from tests.screens.rig import Rig
from tests.screens.stand import Stand
from tests.screens.ui import Ui

KNOWN = [
    RaceEntrant(number=7, name="Ada", team="Scuderia", colour=0),
    RaceEntrant(number=14, name="Александр Константинопольск", team="Żółć Çağ Ñandú-Überfluß", colour=1),
    RaceEntrant(number=22, name="山田太郎", colour=2),
    RaceEntrant(number=99, name="W" * 30, team="M" * 30, colour=13),
]


def row(rows: Any, place: int) -> tuple[float, float]:
    """Where a row of a list is, in dp of the window; it is scrolled to first."""
    rows.reveal(place)
    high, scale = rows.high, float(theme.scale)
    beyond = max(0.0, high * len(rows.shown) - rows.height / scale)
    top = rows.to_window(rows.x, rows.top)[1]
    x = rows.to_window(rows.center_x, rows.y)[0] / scale
    from kivy.core.window import Window

    return x, (Window.height - top) / scale + high * (place + 0.5) - (1 - rows.scroll_y) * beyond


def leads_on(ui: Ui) -> list[str]:
    """Return the words of the key to the next step, the race or the first page, if it can be tapped."""
    say = theme.words.screen
    return [words for words in (say("keys.done"), say("new_race.next"), say("new_race.begin")) if ui.offers(words)]


def go_on(ui: Ui) -> None:
    """Tap that key."""
    ui.tap(leads_on(ui)[0])


def go_back(ui: Ui) -> None:
    """Tap the key back in the foot."""
    ui.tap(theme.words.screen("keys.back"))


def tap(stand: Stand, key: str, beside: str = "") -> None:
    """Tap a key of the setup, of several the one nearest to another key."""
    say = theme.words.screen
    stand.ui.tap(say(f"new_race.{key}"), beside=say(f"new_race.{beside}") if beside else "")


def offers(stand: Stand, key: str) -> bool:
    """Return whether the setup has a key that can be tapped."""
    return stand.ui.offers(theme.words.screen(f"new_race.{key}"))


def touch_row(stand: Stand, rows: Any, place: int) -> None:
    x, y = row(rows, place)
    stand.rig.settle(6)
    stand.tap(x, y)
    stand.rig.settle(10)


def test_a_race_from_the_first_touch_to_its_log(stand: Stand) -> None:
    remember(stand.folder, KNOWN[:3])
    screen = stand.show(NewRaceScreen, step="rules")
    go_on(stand.ui)
    assert not leads_on(stand.ui)
    assert screen.step == "circuit"
    touch_row(stand, screen.body.circuits, [row.key for row in screen.body.rows].index("monaco"))
    assert screen.draft.track == "monaco"
    stand.tap(screen.body.laps.made["value", "minus"])
    assert screen.draft.laps == 2
    go_on(stand.ui)
    for place in (0, 2):
        touch_row(stand, screen.body.others, place)
    tap(stand, "new_driver")
    assert [one.number for one in screen.draft.entrants] == [7, 22, 3]
    screen.body.name.line.text = "  Żółć  "
    stand.tap(screen.body.number.made["value", "plus"])
    stand.tap(screen.body.colour)
    assert screen.draft.entrants[2] == RaceEntrant(number=4, name="Żółć", colour=3)
    go_on(stand.ui)
    touch_row(stand, screen.body.entrants, 2)
    tap(stand, "first")
    assert [one.number for one in screen.draft.entrants] == [4, 7, 22]
    go_on(stand.ui)
    assert leads_on(stand.ui)
    go_on(stand.ui)
    desk = stand.made
    assert desk is not None
    assert desk.log is not None
    assert [(car.number, car.driver) for car in desk.rulebook.race.cars] == [(4, "Żółć"), (7, "Ada"), (22, "山田太郎")]
    assert desk.rulebook.race.laps == 2
    assert [one.name for one in remembered(stand.folder)] == ["Żółć", "Ada", "山田太郎", KNOWN[1].name]


def test_every_driver_has_the_line_to_himself(stand: Stand) -> None:
    """What was written for one driver is not in the line of the next; whoever is opened again is read there."""
    screen = stand.show(NewRaceScreen, draft=Draft(track="spa"), step="drivers")
    body = screen.body
    for name, team in (("Ada", "Scuderia"), ("Bo", ""), ("", "Lotus"), ("Ada Kim", "")):
        tap(stand, "new_driver")
        assert (body.name.value, body.team.value) == ("", "")
        for line, text in ((body.name, name), (body.team, team)):
            stand.tap(line)
            for letter in text:
                line.line.insert_text(letter)
                stand.rig.settle(1)
            line.line.focus = False
    said = [(one.name, one.team) for one in screen.draft.entrants]
    assert said == [("Ada", "Scuderia"), ("Bo", ""), ("", "Lotus"), ("Ada Kim", "")]
    for place in (1, 0, 2, 3):
        touch_row(stand, body.entrants, place)
        assert (body.name.value, body.team.value) == said[place]


def test_a_number_that_another_has_is_passed_over(stand: Stand) -> None:
    draft = Draft(track="spa")
    for number in range(1, 7):
        draft = draft.entering(RaceEntrant(number=number))
    screen = stand.show(NewRaceScreen, draft=draft, step="drivers")
    touch_row(stand, screen.body.entrants, 1)
    stand.tap(screen.body.number.made["value", "plus"])
    assert [one.number for one in screen.draft.entrants] == [1, 7, 3, 4, 5, 6]
    stand.tap(screen.body.number.made["value", "minus"])
    stand.tap(screen.body.number.made["value", "minus"])  # nobody has a lower one: it stays
    assert screen.draft.entrants[1].number == screen.body.number.value == 2


def test_a_file_of_drivers_with_a_slip_in_it_is_told_and_kept(stand: Stand) -> None:
    (stand.folder / FILE).write_text("[[driver]\n", encoding="utf-8")
    stand.show(NewRaceScreen, step="rules")
    assert "drivers.broken.toml" in str(stand.told[0])
    stand.show(NewRaceScreen, step="rules")
    assert len(stand.told) == 1


def book_of(screen: NewRaceScreen, rulebook: str) -> int:
    """Where a rulebook stands in the list."""
    return [row.name for row in screen.body.books.shown].index(rulebook)


def test_a_race_of_cards_from_the_first_touch_to_its_log(stand: Stand) -> None:
    remember(stand.folder, KNOWN[:3])
    screen = stand.show(NewRaceScreen, draft=Draft(track="monaco"), step="rules")
    touch_row(stand, screen.body.books, book_of(screen, "ninety"))
    assert (screen.draft.rulebook, screen.draft.track) == ("ninety", "")
    names = [shown.name for shown, _ in screen.body.figures.shown]
    touch_row(stand, screen.body.figures, names.index("chase"))
    stand.ui.tap("Yes", below=theme.words.screen("new_race.title"))
    go_on(stand.ui)
    assert [row.key for row, _ in screen.body.circuits.shown] == circuits.section_keys()
    touch_row(stand, screen.body.circuits, circuits.section_keys().index("quarry-hill"))
    stand.tap(screen.body.laps.made["value", "plus"])
    turns = circuits.board("quarry-hill").turns + 1
    go_on(stand.ui)
    for place in range(3):
        touch_row(stand, screen.body.others, place)
    go_on(stand.ui)
    assert screen.body.bots.value == 3
    stand.tap(screen.body.bots.made["value", "minus"])
    assert screen.draft.options == {"chase": True, "bots_few": 2, "bots_many": 2}
    tap(stand, "deck")
    deck = screen.draft.deck
    assert deck
    assert audit(screen) == []
    go_on(stand.ui)
    assert screen.step == "start"
    assert audit(screen) == []
    go_on(stand.ui)
    desk = stand.made
    assert desk is not None
    assert desk.log is not None
    race = desk.rulebook.race
    assert (race.laps, race.deck) == (turns, deck)
    assert [(car.number, car.team) for car in race.cars if not car.bot] == [(one.number, one.team) for one in KNOWN[:3]]
    assert sorted(car.bot for car in race.cars if car.bot) == ["fast", "fast", "slow", "slow"]
    assert desk.asked is not None
    assert desk.asked.ask == "substitute"


def test_a_death_race_has_its_cards_dealt_and_says_why_it_is_not_driven_on_a_corner_sheet(stand: Stand) -> None:
    remember(stand.folder, KNOWN[:3])
    screen = stand.show(NewRaceScreen, draft=Draft(track="monza"), step="rules")
    touch_row(stand, screen.body.books, book_of(screen, "death"))
    assert (screen.draft.rulebook, screen.draft.track) == ("death", "")
    go_on(stand.ui)
    assert audit(screen) == []
    names = [shown.key for shown, _ in screen.body.circuits.shown]
    row = screen.body.circuits.shown[names.index("monza")][0]
    assert row.why.startswith("Monza is a corner sheet; in the death race range, wreckage and mines are counted")
    touch_row(stand, screen.body.circuits, names.index("monza"))
    assert (screen.draft.track, screen.frame.why) == ("", "Choose a circuit first.")
    touch_row(stand, screen.body.circuits, names.index("monaco"))
    go_on(stand.ui)
    for place in range(3):
        touch_row(stand, screen.body.others, place)
    go_on(stand.ui)
    go_on(stand.ui)
    assert screen.step == "deal"
    assert screen.body.bots.parent is None
    tap(stand, "deck")
    assert audit(screen) == []
    deck = screen.draft.deck
    go_on(stand.ui)
    go_on(stand.ui)
    assert stand.made is not None
    assert stand.made.asked is not None
    race = stand.made.rulebook.race
    assert (race.deck, stand.made.asked.ask) == (deck, "start")
    assert all(car.weapons and not car.slots for car in race.cars)


def test_cards_on_the_table_ask_for_the_charts(stand: Stand) -> None:
    draft = Draft(rulebook="ninety", track="saltmarsh", deck=5).entering(KNOWN[0])
    screen = stand.show(NewRaceScreen, draft=draft, step="cards")
    tap(stand, "table")
    assert screen.draft.deck == 0
    stand.tap(screen.body.bots.made["value", "minus"])
    stand.tap(screen.body.bots.made["value", "plus"])
    assert screen.draft.options == {}
    go_on(stand.ui)
    go_on(stand.ui)
    assert stand.made is not None
    assert stand.made.asked is not None
    assert stand.made.asked.ask == "chart"
    assert len(stand.made.rulebook.race.cars) == 7


def test_too_many_cars_are_told_before_the_race(stand: Stand) -> None:
    draft = Draft(rulebook="ninety", track="saltmarsh")
    for place in range(20):
        draft = draft.entering(RaceEntrant(number=place + 1))
    screen = stand.show(NewRaceScreen, draft=draft, step="start")
    assert screen.frame.why == "A race has at most 20 cars; this one has 24."
    go_back(stand.ui)
    for _ in range(2):
        stand.tap(screen.body.bots.made["value", "minus"])
    go_on(stand.ui)
    assert screen.frame.why == ""


@pytest.mark.parametrize("language", LANGUAGES)
def test_which_way_serves_a_board_best_is_told_beside_the_circuits(panel: Rig, stand: Stand, language: str) -> None:
    theme.language = language
    screen = stand.show(NewRaceScreen, step="circuit", draft=Draft(rulebook="formula-d", track="monaco"))
    tap(stand, "yours")
    read = " ".join(mark.text for mark in screen.body.marks)
    for said in ("monaco", "companion tracks --help", ".tdf"):
        assert said in read.lower()
    assert screen.body.laps.parent is None
    assert in_both_looks(screen) == []
    assert screen.body.back()
    stand.rig.settle()
    assert screen.body.laps.parent is screen.body
    touch_row(stand, screen.body.circuits, 0)
    assert audit(screen) == []


def test_the_circuit_of_another_rulebook_is_taken_away(stand: Stand) -> None:
    screen = stand.show(NewRaceScreen, draft=Draft(rulebook="ninety", track="saltmarsh", deck=3, laps=9), step="rules")
    touch_row(stand, screen.body.books, book_of(screen, "cup"))
    assert screen.draft == Draft(rulebook="cup")
    assert [row.label for row in screen.frame.steps][-1] == "Start"


def test_the_grid_by_the_black_die(stand: Stand) -> None:
    draft = Draft(track="spa")
    for one in KNOWN[:3]:
        draft = draft.entering(one)
    screen = stand.show(NewRaceScreen, draft=draft, step="grid")
    tap(stand, "by_die")
    for face in (4, 19, 4, 2, 8):
        assert screen.body.waiting is not None
        stand.ui.tap(str(face))
    assert screen.body.waiting is None
    assert [one.number for one in screen.draft.entrants] == [14, 22, 7]
    assert audit(screen) == []
    tap(stand, "clear")
    assert screen.body.waiting is not None


def test_a_race_of_cards_that_began_on_paper(stand: Stand) -> None:
    """A driver and two bots are put into their sections; his chart, strategy and figures are set; the turn is said."""
    draft = Draft(rulebook="ninety", track="quarry-hill").entering(KNOWN[0]).with_bots(1)
    screen = stand.show(NewRaceScreen, draft=draft, step="start")
    tap(stand, "position_start")
    assert not leads_on(stand.ui)
    assert audit(screen) == []
    stand.tap(screen.body.turn.made["value", "plus"])
    for place, section in ((0, 3), (1, 3), (2, 5)):
        touch_row(stand, screen.body.cars, place)
        touch_row(stand, screen.body.parts, section)
        assert audit(screen) == []
        if not place:
            tap(stand, "of_car")
            for name in ("chart", "strategy"):
                said_by_touch(stand, name, field_of(stand, name).keys[1].label)
            said_by_touch(stand, "check", more=1, way=-1)
            assert audit(screen) == []
            assert screen.body.standing.chart == (13, 5, 4)
        go_back(stand.ui)
    assert [shown.word for shown in screen.body.cars.shown] == ["section 4 · 1 of 2", "section 4 · 2 of 2", "section 6"]
    go_on(stand.ui)
    desk = stand.made
    assert desk is not None
    assert desk.asked is not None
    race = desk.rulebook.race
    assert race.round == 2
    first = race.cars[0]
    assert (first.built["tyres"], first.strategy, first.check) == (13, "hazard", "D1 49")
    assert (desk.asked.ask, desk.asked.car) == ("contest", first.number)


@pytest.mark.parametrize("track", ["monaco", "spa"])
def test_a_race_that_began_on_paper(stand: Stand, track: str) -> None:
    draft = Draft(track=track)
    for one in KNOWN[:2]:
        draft = draft.entering(one)
    screen = stand.show(NewRaceScreen, draft=draft, step="start")
    tap(stand, "position_start")
    assert not leads_on(stand.ui)
    for place in range(2):
        touch_row(stand, screen.body.cars, place)
        touch_row(stand, screen.body.parts, 3 + place)
        if track == "monaco":
            stand.tap(screen.body.lanes.made[1])
            stand.tap(screen.body.space.made["value", "plus"])
        tap(stand, "of_car")
        said_by_touch(stand, "lap", more=1)
        assert audit(screen) == []
        go_back(stand.ui)
    assert screen.step == "start"
    standing = screen.draft.standing
    assert {one.lap for one in standing.values()} == {2}
    assert len({one.at for one in standing.values()}) == 2
    if track == "monaco":
        assert standing[7].at == "3:middle:2"
    go_on(stand.ui)
    desk = stand.made
    assert desk is not None
    assert desk.asked is not None
    assert (desk.asked.ask, desk.asked.round) == ("gear", 1)


def field_of(stand: Stand, name: str) -> Field:
    """A value of the list."""
    body: Any = stand.screen.body  # type: ignore[union-attr]
    return next(field for field in body.values.shown if field.name == name)


def said_by_touch(stand: Stand, name: str, label: str = "", more: int = 0, way: int = 1) -> None:
    """A value of the list is set: the key with a label, or + so often, or - with `way` -1."""
    if not label and not more:
        return
    ui, field = stand.ui, field_of(stand, name)
    screen: Any = stand.screen
    top, foot = screen.top - screen.body.scroll.top, screen.top - screen.body.scroll.y

    def find() -> Box | None:
        """The key with the label, nearest below the field's name, or the figure at the right of the name."""
        words = [word for word in ui.words() if top + 3 < word.box.y < foot - 28]
        for head in (word.box for word in words if word.text == field.label):
            for text, box, *_ in words:
                if text == label and box.y > head.y:
                    return box
                if not label and text.isdigit() and box.x > head.x and abs(box.y - head.y) < 16:
                    return box
        return None

    ui.scroll(start=True)
    if [key.label for one in screen.body.values.shown for key in one.keys].count(label) == 1:
        ui.tap(label)
        return
    while (found := find()) is None:
        assert ui.scroll(), f"{field.label!r} is not in the list"
    for _ in range(more or 1):
        stand.tap(found.x + found.w / 2 + (0 if label else 52 * way), found.y + found.h / 2)


def on_the_board(stand: Stand, place: int, part: int) -> str:
    """A car of the list is put on the board by a tap on one of its spaces; which one comes back."""
    body: Any = stand.screen.body  # type: ignore[union-attr]
    touch_row(stand, body.cars, place)
    touch_row(stand, body.parts, part)
    first = body.standing.at
    x, y = body.board.to_window(*body.board.center)
    for aside in (90, 70, -70, -90):
        stand.tap(x / theme.scale + aside, HIGH - y / theme.scale + 8)
        if body.standing.at != first:
            break
    assert body.standing.at != first
    return str(body.standing.at)


@pytest.mark.parametrize("book", ["competition", "cup", "league", "death"])
def test_a_position_has_by_touch_what_a_race_of_its_rulebook_has(stand: Stand, book: str) -> None:
    """Cars are tapped onto the board; points above the usual ones, compound, KERS, stops, cards, the sky and the round
    are what the race begins with; a car may be out."""
    draft = Draft(rulebook=book, track="monaco")
    for one in KNOWN[:3]:
        draft = draft.entering(one)
    screen = stand.show(NewRaceScreen, draft=draft, step="start")
    body = screen.body
    tap(stand, "position_start")
    tap(stand, "of_race")
    assert in_both_looks(screen) == []
    said_by_touch(stand, "round", more=4)
    if book != "death":
        said_by_touch(stand, "sky", "Rain")
        said_by_touch(stand, "surface", "Wet")
    go_back(stand.ui)
    there = [on_the_board(stand, 0, 3)]
    assert audit(screen) == []
    tap(stand, "of_car")
    pool = "points" if book == "death" else "tyres"
    usual = next(field.value for field in body.values.shown if field.name == f"wear.{pool}")
    more = 0 if book == "league" else 2  # there every car has the same points
    if more:
        said_by_touch(stand, f"wear.{pool}", more=more)
    said_by_touch(stand, "gear", more=3)
    said_by_touch(stand, "stops", more=1)
    if book == "death":
        said_by_touch(stand, "weapons", "Slip Mines")
        said_by_touch(stand, "weapons", "Rear Laser")
        said_by_touch(stand, "weapons.rear-laser", more=2)
        said_by_touch(stand, "defence", "Bravado")
    else:
        said_by_touch(stand, "tyres", "Soft")
        said_by_touch(stand, "lap", more=1)
        said_by_touch(stand, "tyre_laps", more=1)
    if book == "cup":
        said_by_touch(stand, "kers", more=2)
        said_by_touch(stand, "raced", "Soft")
    assert audit(screen) == []
    go_back(stand.ui)
    there.append(on_the_board(stand, 1, 4))
    tap(stand, "of_car")
    said_by_touch(stand, "status", "Spun")
    go_back(stand.ui)
    touch_row(stand, body.cars, 2)
    tap(stand, "of_car")
    said_by_touch(stand, "status", "Out")
    go_back(stand.ui)
    assert screen.frame.why == ""
    go_on(stand.ui)
    assert stand.made is not None
    race = stand.made.rulebook.race
    first, second, third = race.cars
    assert [first.at, second.at] == there, "each where it was tapped"
    assert (race.round, first.gear, first.stops, first.wear[pool]) == (5, 4, 1, usual + more)
    assert first.built[pool] == usual + more
    assert [car["status"] for car in setup_of(screen.draft)["cars"]] == ["racing", "spun", "out"]  # type: ignore[union-attr, index, call-overload]
    assert third.status == "out"
    if book == "death":
        assert (first.weapons, first.defence) == ({"slip-mines": 0, "rear-laser": 2}, "bravado")
        assert first.stock["slip-mines"] > 0
    else:
        assert (race.sky, race.surface, first.tyres, first.tyre_laps) == ("rain", "wet", "soft", 1)
    if book == "cup":
        assert (first.kers, first.raced) == (2, ["soft"])


@pytest.mark.parametrize(("weather", "kinds"), [(False, ["Hard", "Soft"]), (True, ["Hard", "Soft", "Rain"])])
def test_a_position_has_by_touch_what_the_options_of_its_race_have(
    stand: Stand, weather: bool, kinds: list[str]
) -> None:
    """Kinds of tyres, as far as the rules take them, and points for repairs."""
    options = {"tyres": True, "stop_technical": True, "weather": weather}
    draft = Draft(rulebook="formula-d", track="monaco", options=options)
    for one in KNOWN[:2]:
        draft = draft.entering(one)
    screen = stand.show(NewRaceScreen, draft=draft, step="start")
    body = screen.body
    tap(stand, "position_start")
    on_the_board(stand, 0, 3)
    tap(stand, "of_car")
    fields = {field.name: field for field in body.values.shown}
    assert [key.label for key in fields["tyres"].keys] == kinds
    said_by_touch(stand, "tyres", "Soft")
    said_by_touch(stand, "stand", more=1, way=-1)
    assert audit(screen) == []
    go_back(stand.ui)
    on_the_board(stand, 1, 4)
    go_back(stand.ui)
    go_on(stand.ui)
    assert stand.made is not None
    car = stand.made.rulebook.race.cars[0]
    assert (car.tyres, car.stand) == ("soft", 1)


@pytest.mark.parametrize("book", ["formula-d", "competition", "cup", "league", "death"])
def test_a_position_has_by_touch_what_variants_allow_a_driver(stand: Stand, book: str) -> None:
    """Wings, boosters bought, and what was used in this lap and before; the points that boosters cost come off."""
    draft = Draft(rulebook=book, track="monaco", options=dict.fromkeys(("wings", "top", "super_top", "boosters"), True))
    screen = stand.show(NewRaceScreen, draft=draft.entering(KNOWN[0]), step="start")
    body = screen.body
    tap(stand, "position_start")
    on_the_board(stand, 0, 3)
    tap(stand, "of_car")
    assert [field.name for field in body.values.shown].count("uses.top:1") == 1
    said_by_touch(stand, "lap", more=1)
    pool = next(field for field in body.values.shown if field.icon)
    said_by_touch(stand, pool.name, more=1, way=-1)
    said_by_touch(stand, "bought", more=2)
    paid = {field.name: field.value for field in body.values.shown}[pool.name]
    assert paid == pool.value - 1 - 2, "what was said of its points before is less by what the boosters cost"
    said_by_touch(stand, "wings", "High")
    for use in ("top:2", "top:1", "super_top:2", "boosters:1"):
        said_by_touch(stand, f"uses.{use}", more=1)
    assert audit(screen) == []
    go_back(stand.ui)
    assert screen.frame.why == ""
    go_on(stand.ui)
    assert stand.made is not None
    car = stand.made.rulebook.race.cars[0]
    assert (car.wings, car.bought, car.wear[pool.icon]) == ("high", 2, paid)
    assert car.allowances == {"top:2": 1, "top:1": 1, "super_top:2": 1, "boosters:1": 1}


def test_a_position_names_the_parts_of_a_car_in_the_words_of_its_rulebook(stand: Stand) -> None:
    theme.language = "fr"
    draft = Draft(rulebook="formula-d", track="monaco").entering(KNOWN[0])
    screen = stand.show(NewRaceScreen, draft=draft, step="start")
    tap(stand, "position_start")
    on_the_board(stand, 0, 3)
    tap(stand, "of_car")
    labels = {field.name: field.label for field in screen.body.values.shown}
    assert labels["wear.gearbox"] == Words("fr", "formula-d").word("pool", "gearbox").capitalize()


def test_a_race_of_three_laps_says_so_before_it_begins(stand: Stand) -> None:
    draft = Draft(rulebook="formula-d", options={"three_laps": True})
    screen = stand.show(NewRaceScreen, draft=draft.entering(KNOWN[0]), step="circuit")
    assert {row.laps for row in screen.body.rows if row.key == "monaco"} == {3}


@pytest.mark.parametrize("book", list(RULEBOOKS))
def test_figures_of_a_position_go_as_far_as_the_rules_accept_them_and_points_say_why(stand: Stand, book: str) -> None:
    draft = Draft(rulebook=book, track="saltmarsh" if book == "ninety" else "monaco")
    for one in KNOWN[:2]:
        draft = draft.entering(one)
    screen = stand.show(NewRaceScreen, draft=draft, step="start")
    body = screen.body
    tap(stand, "position_start")
    touch_row(stand, body.cars, 0)
    touch_row(stand, body.parts, 3)
    tap(stand, "of_car")
    missing = screen.frame.why  # the other car stands nowhere yet
    for field in [field for field in body.values.shown if field.kind == "stepper"]:
        up = min(field.high - field.value, 1 if field.icon else 4)
        said_by_touch(stand, field.name, more=up)
        assert screen.frame.why == missing or field.icon, (field.name, screen.frame.why)
        down = min(field.value - field.low, 2)
        said_by_touch(stand, field.name, more=up + down, way=-1)
        assert screen.frame.why == missing or field.icon, (field.name, screen.frame.why)
        said_by_touch(stand, field.name, more=down if field.icon else 0)
        assert screen.frame.why == missing, (field.name, screen.frame.why)
    go_back(stand.ui)


def test_a_position_that_the_rules_refuse_can_be_said_otherwise(stand: Stand) -> None:
    """What was said last stays to be seen, with the reason in the band, and is taken back by the same touch."""
    draft = Draft(rulebook="cup", track="monaco").entering(KNOWN[0])
    screen = stand.show(NewRaceScreen, draft=draft, step="start")
    body = screen.body
    tap(stand, "position_start")
    touch_row(stand, body.cars, 0)
    touch_row(stand, body.parts, 3)
    tap(stand, "of_car")
    said_by_touch(stand, "raced", "Soft")
    assert "soft" in screen.frame.why
    assert body.values.shown
    said_by_touch(stand, "raced", "Soft")
    assert screen.frame.why == ""


def test_figures_and_switches_are_changed_and_brought_back(stand: Stand) -> None:
    screen = stand.show(NewRaceScreen, step="rules")
    body = screen.body
    names = [shown.name for shown, _ in body.figures.shown]
    assert next(shown for shown, _ in body.figures.shown if not shown.group and shown.kind != "heading").proposed
    touch_row(stand, body.figures, names.index("flag_next_crossing"))
    stand.ui.tap("Yes")
    assert screen.draft.options == {"flag_next_crossing": True}
    touch_row(stand, body.figures, names.index("car_points"))
    stand.tap(body.steps.made["", "plus"])
    assert screen.draft.options == {"flag_next_crossing": True, "car_points": 21}
    assert audit(screen) == []
    stand.tap(own_keys(body)[-1])
    touch_row(stand, body.figures, names.index("points"))
    stand.tap(body.steps.made["0", "plus"])
    assert screen.draft.options["points"] == [11, 6, 4, 3, 2, 1]
    assert "car_points" not in screen.draft.options
    held, chosen = body.steps.made["0", "plus"].on_tap, screen.draft
    touch_row(stand, body.figures, names.index("car_points"))
    held()  # by a finger that has stayed on it
    assert screen.draft == chosen
    go_back(stand.ui)
    assert body.figure == ""
    go_back(stand.ui)
    assert screen.step == "first"
    go_back(stand.ui)
    assert stand.asked[-1][0] == "back"


def test_figures_are_kept_under_a_name_and_chosen_by_it(stand: Stand) -> None:
    screen = stand.show(NewRaceScreen, step="rules")
    body = screen.body
    names = list(RULEBOOKS)
    touch_row(stand, body.books, names.index("cup"))
    touch_row(stand, body.books, names.index("competition"))
    assert not offers(stand, "save_rules"), "nothing is changed"
    figures = [shown.name for shown, _ in body.figures.shown]
    touch_row(stand, body.figures, figures.index("car_points"))
    stand.tap(body.steps.made["", "plus"])
    touch_row(stand, body.figures, figures.index("car_points"))
    assert audit(screen) == []
    tap(stand, "save_rules")
    assert audit(screen) == []
    body.name.line.text = "Thursday rules"
    body.name.line.dispatch("on_text_validate")
    stand.calm()
    assert [row.name for row in body.books.shown] == ["Thursday rules", *names]
    assert [row.name for row in body.books.shown if row.chosen] == ["Thursday rules"]
    assert not offers(stand, "save_rules"), "they are kept"
    touch_row(stand, body.books, 1 + names.index("competition"))
    assert screen.draft.options == {}
    assert audit(screen) == []
    touch_row(stand, body.books, 0)
    assert (screen.draft.rulebook, screen.draft.options) == ("competition", {"car_points": 21})
    again = stand.show(NewRaceScreen, step="rules")
    assert [row.name for row in again.body.books.shown] == ["Thursday rules", *names]


def own_keys(body: Any) -> list[Key]:
    """Return the keys of the open figure, from the top; the last one brings its usual value back."""
    return sorted((key for key in body.children if isinstance(key, Key)), key=lambda key: (-key.top, key.x))


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_every_figure_is_changed_and_brought_back_by_touch(stand: Stand, rulebook: str, lang: str) -> None:
    theme.language = lang
    screen = stand.show(NewRaceScreen, step="rules")
    body = screen.body
    touch_row(stand, body.books, list(RULEBOOKS).index(rulebook))
    names = {place: row.name for place, (row, _) in enumerate(body.figures.shown) if row.kind != "heading"}
    assert len(names) == len(list(RULEBOOKS[rulebook].listed()))
    for place, name in names.items():
        touch_row(stand, body.figures, place)
        assert body.figure == name
        usual = body.row.value
        steps = own_keys(body.steps)[1::-1]
        keys = own_keys(body)[:-1] if body.row.kind in ("switch", "words") else steps
        stand.tap(next(key for key in keys if key.heard and not key.shown.chosen))
        assert body.row.value != usual, name
        assert audit(screen) == [], name
        assert name in screen.draft.options
        stand.tap(own_keys(body)[-1])
        assert body.row.value == usual, name
        assert name not in screen.draft.options
        touch_row(stand, body.figures, place)
        assert body.figure == ""


def test_a_driver_is_taken_out_again(stand: Stand) -> None:
    remember(stand.folder, KNOWN)
    screen = stand.show(NewRaceScreen, draft=Draft(track="spa"), step="drivers")
    for place in (0, 1, 0, 0):
        touch_row(stand, screen.body.others, place)
    assert [one.number for one in screen.draft.entrants] == [14]
    touch_row(stand, screen.body.entrants, 0)
    tap(stand, "remove")
    assert screen.draft.entrants == ()
    assert not leads_on(stand.ui)


def test_the_draft_outlives_its_screen(stand: Stand) -> None:
    given: dict[str, Any] = {}
    screen = stand.show(NewRaceScreen, step="rules")
    screen.given = given
    screen.change(Draft(track="spa"))
    screen.open("circuit")
    again = stand.show(NewRaceScreen, **given)
    assert again.draft.track == "spa"
    assert again.step == "circuit"


def test_a_board_of_sections_is_listed_for_the_race_of_cards_alone(stand: Stand) -> None:
    folder = circuits.look_in(stand.folder) / BOARDS
    folder.mkdir(parents=True)
    text = circuits.find(circuits.TEMPLATE).read_text(encoding="utf-8")
    (folder / "ours.toml").write_text(text, encoding="utf-8")
    screen = stand.show(NewRaceScreen, step="circuit")
    assert len(screen.body.circuits.shown) == len(circuits.keys())
    draft = Draft(rulebook="ninety").entering(KNOWN[0])
    screen = stand.show(NewRaceScreen, draft=draft, step="circuit")
    touch_row(stand, screen.body.circuits, len(circuits.section_keys()))
    assert screen.draft.track == "ours"
    screen.open("start")
    stand.calm()
    go_on(stand.ui)
    assert stand.made is not None
    assert stand.made.rulebook.race.laps == 20


def test_own_boards_are_listed_and_broken_ones_say_why(stand: Stand) -> None:
    folder = circuits.look_in(stand.folder) / BOARDS
    folder.mkdir(parents=True)
    (folder / "mine.toml").write_text(circuits.find("monaco").read_text(encoding="utf-8"), encoding="utf-8")
    (folder / "wrong.toml").write_text("name = 3", encoding="utf-8")
    screen = stand.show(NewRaceScreen, step="circuit")
    count = len(circuits.keys())
    touch_row(stand, screen.body.circuits, count + 1)
    assert screen.draft.track == ""
    touch_row(stand, screen.body.circuits, count)
    assert screen.draft.track == "mine"
    assert audit(screen) == []


def test_many_boards_are_checked_beside_the_screen_and_found_by_what_is_typed(stand: Stand) -> None:
    """The list is there at once; it is searched by a line, and another circuit keeps the distance."""
    folder = circuits.look_in(stand.folder) / BOARDS
    folder.mkdir(parents=True)
    text = circuits.find("monaco").read_text(encoding="utf-8")
    for at in range(12):
        (folder / f"club-{at}.toml").write_text(text.replace('"Monaco"', f'"Élan {at}"', 1), encoding="utf-8")
    screen = stand.show(NewRaceScreen, draft=Draft(track="spa", laps=7), step="circuit")
    body = screen.body
    assert {row.tally for row in body.rows if row.own} <= {"is being checked", "lap 158 · 10 corners · 14 stops"}
    stand.rig.until(lambda: all(row.drawn for row in body.rows if row.own))
    body.finder.search.line.text = "elan 1"
    stand.calm()
    assert [row.name for row, _ in body.circuits.shown] == ["Élan 1", "Élan 10", "Élan 11"]
    assert in_both_looks(screen) == []
    touch_row(stand, body.circuits, 2)
    assert (screen.draft.track, screen.draft.laps) == ("club-11", 7)
    body.finder.search.line.text = "nowhere"
    stand.calm()
    assert body.circuits.shown == ()
    assert in_both_looks(screen) == []


def test_a_race_of_the_league_takes_its_grid_from_the_last_race_and_knows_who_is_at_home(stand: Stand) -> None:
    draft = Draft(rulebook="league", track="monaco")
    for one in KNOWN[:3]:
        draft = draft.entering(one)
    screen = stand.show(NewRaceScreen, draft=draft, step="season")
    tap(stand, "home", beside="line_up.hand")
    tap(stand, "line_up.last")
    touch_row(stand, screen.body.entrants, 1)
    tap(stand, "absent", beside="line_up.hand")
    touch_row(stand, screen.body.entrants, 2)
    tap(stand, "first")
    assert [one.number for one in screen.draft.entrants] == [22, 7, 14]
    assert [row.place for row in screen.body.entrants.shown] == [1, 2, 0]
    go_on(stand.ui)
    go_on(stand.ui)
    assert stand.made is not None
    race = stand.made.rulebook.race
    assert (race.last, race.grid) == ([22, 7], [7, 22, 14])
    assert {car.number: car.home for car in race.cars} == {22: False, 7: True, 14: False}


@pytest.mark.parametrize("way", ["die", "hand"])
def test_the_league_rolls_for_its_grid_or_takes_it_as_it_is_listed(stand: Stand, way: str) -> None:
    draft = Draft(rulebook="league", track="monaco", line_up="last", home=(7,), absent=(14,))
    for one in KNOWN[:3]:
        draft = draft.entering(one)
    screen = stand.show(NewRaceScreen, draft=draft, step="season")
    tap(stand, "home", beside="line_up.hand")
    assert screen.draft.home == ()
    tap(stand, f"line_up.{way}")
    if way == "hand":
        tap(stand, "backward")
    go_on(stand.ui)
    go_on(stand.ui)
    assert stand.made is not None
    assert stand.made.asked is not None
    race = stand.made.rulebook.race
    assert (stand.made.asked.what, race.grid) == (("weather", [14, 7, 22]) if way == "hand" else ("grid", []))


def test_who_is_at_home_stays_so_by_another_number_and_goes_with_its_driver() -> None:
    draft = Draft(rulebook="league", track="monaco", home=(7, 14), absent=(7,)).entering(KNOWN[0]).entering(KNOWN[1])
    draft = draft.editing(0, RaceEntrant(number=8, name="Ada"))
    assert (draft.home, draft.absent) == ((8, 14), (8,))
    assert draft.leaving(0).home == (14,)
    assert [car.get("home") for car in setup_of(draft.leaving(0))["cars"]] == [True]  # type: ignore[union-attr]
    assert "home" not in setup_of(draft.but(rulebook="cup"))["cars"][0]  # type: ignore[index]


@pytest.mark.parametrize("rulebook", ["competition", "death", "league", "ninety"])
@pytest.mark.parametrize("count", [0, 20])
def test_every_step_passes_the_audit(panel: Rig, tmp_path: Path, count: int, rulebook: str, language: str) -> None:
    theme.language = language
    remember(tmp_path, KNOWN)
    cards = rulebook == "ninety"
    track = {"ninety": "saltmarsh", "death": "monaco"}.get(rulebook, "spa")
    draft = Draft(rulebook=rulebook, track=track if count else "", deck=4711 * (cards or rulebook == "death"))
    for place in range(count):
        one = KNOWN[place % len(KNOWN)]
        draft = draft.entering(RaceEntrant(number=one.number, name="" if place == 5 else one.name, team=one.team))
    stand = Stand(panel, tmp_path)
    screen = stand.show(NewRaceScreen, draft=draft, step="rules")
    for step in steps(draft):
        screen.open(step)
        panel.settle(6)
        assert in_both_looks(screen) == [], step
    if count:
        screen.open("drivers")
        panel.settle(6)
        touch_row(stand, screen.body.entrants, count - 1)
        assert in_both_looks(screen) == []
    if count and rulebook == "league":
        screen.open("season")
        panel.settle(6)
        tap(stand, "home", beside="line_up.hand")
        for way in ("last", "hand"):
            tap(stand, f"line_up.{way}")
            tap(stand, "absent" if way == "last" else "home", beside="line_up.hand")
            assert in_both_looks(screen) == []
    if count:
        if rulebook == "competition":
            screen.open("grid")
            panel.settle(6)
            for way in ("by_hand", "by_die", "by_trials"):
                tap(stand, way)
                assert in_both_looks(screen) == []
        screen.change(screen.draft.with_bots(0))
        screen.open("start")
        panel.settle(6)
        tap(stand, "position_start")
        assert screen.draft.standing is not None
        assert in_both_looks(screen) == []
        if cards:
            touch_row(stand, screen.body.cars, 0)
            assert in_both_looks(screen) == []
            tap(stand, "of_car")
            assert screen.body.values.shown
            assert in_both_looks(screen) == []
    stand.close()


@pytest.mark.parametrize("track", [*circuits.keys(), *circuits.section_keys()])
def test_every_circuit_is_shown_well(rig: Rig, tmp_path: Path, track: str) -> None:
    stand = Stand(rig, tmp_path)
    rulebook = "ninety" if track in circuits.section_keys() else "competition"
    screen = stand.show(NewRaceScreen, draft=Draft(rulebook=rulebook, track=track), step="circuit")
    rig.settle(6)
    assert audit(screen) == []


def test_the_grid_is_drawn_before_the_race_begins_where_it_is_known(stand: Stand) -> None:
    draft = Draft(track="monaco")
    for one in KNOWN:
        draft = draft.entering(one)
    screen = stand.show(NewRaceScreen, draft=draft, step="start")
    drawn = [mark for mark in screen.body.marks if mark.text in {one.name for one in KNOWN}]
    assert [mark.text for mark in sorted(drawn, key=lambda mark: mark.x + mark.w / 2)] == [one.name for one in KNOWN]
    assert len({round(mark.y) for mark in drawn}) == 2
    for other in (draft.going_by("league"), draft.going_by("ninety").but(track="saltmarsh")):
        screen = stand.show(NewRaceScreen, draft=other, step="start")
        assert not any(mark.text == KNOWN[0].name for mark in screen.body.marks)


def test_a_full_field_says_why_nobody_else_can_enter(stand: Stand, language: str) -> None:
    theme.language = language
    draft = Draft(track="spa")
    for place in range(20):
        draft = draft.entering(RaceEntrant(number=place + 1, colour=place))
    screen = stand.show(NewRaceScreen, draft=draft, step="drivers")
    assert stand.ui.sees(theme.words.screen("new_race.most_drivers", count=20))
    assert audit(screen) == []


@pytest.mark.parametrize("count", [1, 2, 19, 20])
def test_grids_of_any_size_have_room(panel: Rig, tmp_path: Path, count: int) -> None:
    draft = Draft(track="spa")
    for place in range(count):
        one = KNOWN[place % len(KNOWN)]
        draft = draft.entering(RaceEntrant(number=99 - place, name=one.name, colour=place))
    stand = Stand(panel, tmp_path)
    assert in_both_looks(stand.show(NewRaceScreen, draft=draft, step="start")) == []
    stand.close()
