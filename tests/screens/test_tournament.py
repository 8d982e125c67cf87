"""The tournament on the touchscreen: entrants, tables, results, by real touches."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from companion.desk.organising import begin_tournament
from companion.desk.record_desk import RecordDesk
from companion.screens.kit.theme import theme
from companion.sheets.records import kept_record
from companion.tournament.entrants import Entered, Entrant, Here, Withdrawn
from companion.tournament.record import Signed
from companion.tournament.results import Confirmed, Result, ResultLine
from companion.tournament.times import AbsoluteTime
from companion.tournament.tournament import Published, Timed, Tournament, TournamentBegun
from companion.tournament.weather import Drawn
from companion.view.events.entrants import entrants
from companion.wording import Words
from tests.screens.audit import audit
from tests.screens.panels import PANELS
from tests.screens.recorded import Table, drive_trial
from tests.tournament.acting import on_paper

if TYPE_CHECKING:
    from companion.screens.app.app import CompanionApp
    from tests.screens.rig import Rig

CLUBS = ("Lyon", "Nantes", "Turin", "Basel", "Porto", "York")
NAMES = (
    "Vidal", "Brun", "Okoye", "Morel", "Sousa", "Keller", "Hassan", "Lemoine", "Maes", "Lindqvist", "Galli", "Caron",
    "Rocha", "Duret", "Ferrand", "Holm",
)  # fmt: skip


def begun(folder: Path, *, here: int = 16, seeded: bool = False, published: bool = False, raced: bool = False) -> None:
    """Sixteen drivers of six clubs, with their trials; two tables."""
    with begin_tournament(folder, TournamentBegun(name="Rhône Masters", track="monaco"), by="Weber") as desk:
        entrants = tuple(Entrant(at * 3, name, CLUBS[at % 6]) for at, name in enumerate(NAMES, 1))
        desk.act(Entered(entrants=entrants), by="Weber")
        for at, one in enumerate(entrants[:here]):
            desk.act(Timed(driver=one.number, session=1, time=AbsoluteTime(17 + at, 6000 + at)), by="Weber")
        if seeded:
            desk.act(Here(numbers=tuple(one.number for one in entrants)), by="Weber")
            desk.act(desk.record.seeding(tables=2), by="Weber")
        if published:
            desk.act(Published(round=1, why="as dealt"), by="Weber")
        if raced:
            drivers = desk.record.seated("1.1")
            lines = [ResultLine(driver, place) for place, driver in enumerate(drivers[:-1], 1)]
            lines.append(ResultLine(drivers[-1], None, "engine", "16-0-3", 31))
            desk.act(Result(race="1.1", lines=tuple(lines)), by="Weber")


def record(folder: Path) -> Tournament:
    found = kept_record(folder, "last", "tournament").record
    assert isinstance(found, Tournament)
    return found


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "data"


@pytest.fixture
def opened(rig: Rig, folder: Path) -> Iterator[Any]:
    made: list[Table] = []

    def at(name: Any, **given: Any) -> Table:
        made.append(Table(rig, folder, name, **given))
        return made[-1]

    yield at
    for one in made:
        one.app.close()


def row(table: Table, place: int, high: float, top: float) -> None:
    """Touches a row of a list."""
    x, _ = table.screen.rows.to_window(*table.screen.rows.pos)
    table.rig.tap(x + 40, top + high * (place + 0.5))
    table.wait()


def row_hold(table: Table, place: int, high: float, top: float) -> None:
    """Holds a row of a list."""
    x, _ = table.screen.rows.to_window(*table.screen.rows.pos)
    table.rig.hold(x + 40, top + high * (place + 0.5), seconds=1.0)
    table.wait()


def published(table: Table) -> None:
    """The tables are published, with a reason if team-mates still sit together."""
    screen = table.screen
    if screen.main.on_tap is not None:
        table.tap(screen.main)
        return
    table.rig.hold(screen.main, seconds=1.0)
    table.wait()
    assert not audit(screen)
    table.press("seeding.reason.brothers")


def typed(table: Table, text: str) -> None:
    """Text is typed on the keyboard of the screen, letter by letter, and ended."""
    table.ui.type(text)
    table.wait()


def in_language(rig: Rig, folder: Path, lang: str, name: Any, **given: Any) -> Table:
    """The app on a screen, in a language."""
    from companion.screens.app.settings import SettingsFile

    SettingsFile(folder).change(language=lang)
    return Table(rig, folder, name, **given)


def test_who_is_missing_is_marked_here_and_taken_back(opened: Any, folder: Path) -> None:
    begun(folder, here=14)
    table = opened("entrants")
    screen = table.screen
    assert (screen.now.here, screen.now.of, screen.now.missing) == (14, 16, 2)
    table.press("entrants.not_here")
    assert [one.name for one in screen.now.rows] == ["Ferrand", "Holm"]
    row(table, 0, 52, 79)
    assert 45 in record(folder).field.here
    table.tap(screen.undo)
    assert 45 not in record(folder).field.here


def test_figures_look_for_numbers_and_letters_for_names(opened: Any, folder: Path) -> None:
    begun(folder)
    table = opened("entrants")
    screen = table.screen
    ui = table.ui
    ui.tap("4", below="1")
    assert [one.number for one in screen.now.rows] == [42, 45, 48]
    assert ui.sees("4, 40, 41")
    ui.tap("ABC")
    for _ in range(3):
        ui.tap("PQR")
    assert [one.name for one in screen.now.rows] == ["Rocha"]
    ui.tap(icon="cross")
    assert len(screen.now.rows) == 16


@pytest.mark.parametrize(("typed", "taken", "free"), [
    ("12", (3,), (12, 120, 121)), ("1", (1, *range(10, 18)), (18, 19, 100)), ("999", (999,), (1, 2, 3)),
    ("4", (4, *range(40, 50), *range(400, 500)), (1, 2, 3)), ("", (1, 3), (2, 4, 5)),
    ("2", tuple(range(1, 1000)), ()),
])  # fmt: skip
def test_only_numbers_that_an_entrant_can_have_are_offered(
    typed: str, taken: tuple[int, ...], free: tuple[int, ...]
) -> None:
    cup = Tournament()
    cup.take(Signed(1, "Ada", "", TournamentBegun(name="Cup")))
    cup.take(Signed(2, "Ada", "", Entered(entrants=tuple(Entrant(number, f"D{number}") for number in taken))))
    assert entrants(cup, Words("en"), typed).free == free


def entered(table: Table, number: str, name: str, club: str) -> None:
    """The sheet of somebody new is filled in by the keyboard on the screen, and entered."""
    table.press("entrants.add")
    for label, text in (("number", number), ("name", name), ("team", club)):
        if text:
            table.ui.write(theme.words.screen(f"entrants.field.{label}"), text, anew=True)
    table.press("entrants.enter")


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_somebody_is_added_on_a_sheet_and_a_number_that_is_taken_is_refused(rig: Rig, folder: Path, lang: str) -> None:
    begun(folder)
    table = in_language(rig, folder, lang, "entrants")
    screen = table.screen
    try:
        ui, name = table.ui, theme.words.screen("entrants.field.name")
        ui.tap("4", below="1")
        table.press("entrants.add")
        assert not ui.offers(theme.words.screen("entrants.enter")), "a name lacks"
        assert not audit(screen)
        ui.write(name, "Ricci")
        ui.write(theme.words.screen("entrants.field.team"), "Turin")
        assert ui.sees("4 Ricci"), "the number was typed, and is free"
        assert not audit(screen)
        table.press("entrants.enter")
        assert record(folder).field[4] == Entrant(4, "Ricci", "Turin")
        entered(table, "", "Twice", "")
        assert record(folder).field[1].name == "Twice", "the lowest number that is free"
        entered(table, "3", "Third", "")
        assert "Vidal" in table.app.toast.shown.text
        assert ui.sees("3 Third"), "what was written is not lost"
        assert len(record(folder).field.entrants) == 18
        table.app.back()
        table.wait()
        row_hold(table, 0, 52, 79)
        table.press("entrants.why.change")
        ui.write(name, "Twain", anew=True)
        table.press("entrants.change")
        assert record(folder).field[1].name == "Twain"
    finally:
        table.app.close()


@pytest.mark.article("competition", "1-3-2", "1-3-3")
def test_tables_are_dealt_a_swap_is_priced_and_they_are_published(opened: Any, folder: Path) -> None:
    begun(folder)
    table = opened("seeding")
    screen = table.screen
    assert (screen.now.question, screen.count.value) == ("Assign the tables?", 2)
    table.tap(screen.main)
    first, second = record(folder).round(1).tables
    table.tap_car(first[0])
    assert screen.now.question.startswith("Swap")
    notes = {seat.number: (seat.note, seat.state) for one in screen.now.tables for seat in one.seats}
    assert notes[first[0]][1] == "chosen"
    assert notes[first[1]][0] == "this table"
    assert sum(state == "cheapest" for _, state in notes.values()) <= 1
    table.tap_car(second[0])
    assert record(folder).round(1).tables[0][0] == second[0]
    assert screen.now.moves[-1].by == "organiser"
    table.tap(screen.undo)
    assert record(folder).round(1).tables == (first, second)
    published(table)
    assert record(folder).round(1).published is not None
    table.tap_table(2)
    assert (table.app.visits[-1].name, table.screen.now.key) == ("table_result", "1.2")
    assert table.screen.now.state == "to_come"


def test_moves_are_listed_with_their_reasons_and_swapped_back(opened: Any, folder: Path) -> None:
    begun(folder, seeded=True)
    table = opened("seeding")
    before = record(folder).round(1)
    assert before.moves, "team-mates were kept apart"
    table.press("seeding.moves")
    shown = table.screen.now
    assert [one.by for one in shown.moves] == ["rule"] * len(before.moves)
    assert shown.constraints[1].value == "2 × 8"
    for one in shown.tables:
        places = [seat.plate.place for seat in one.seats]
        assert len(set(places)) == len(places), "no two cars alike at a table"
    row(table, 0, 65.6, 48)
    assert record(folder).round(1).tables != before.tables


@pytest.mark.parametrize(("panel", "lang"), [(0, "en"), (1, "fr")])
def test_with_long_names_and_full_tables_it_is_told_who_sits_where(
    rig: Rig, folder: Path, panel: int, lang: str
) -> None:
    """A name is cut, and neither the table nor the rank behind it; a name is whole where a note leaves it room."""
    from companion.screens.events.seeding import MoveView, SeatKey
    from companion.screens.events.table_result import TableLineView

    rig.window(*PANELS[panel])
    names = [f"Maximilien Vandenbroucke {number}" for number in range(1, 30)]
    entrants = tuple(Entrant(at, name, f"Club {at // 2}") for at, name in enumerate(names, 1))
    with begin_tournament(
        folder, TournamentBegun(name="Rhône Masters", track="monaco", sessions=0), by="Weber"
    ) as desk:
        desk.act(Entered(entrants=entrants), by="Weber")
        desk.act(Here(numbers=tuple(range(1, 30))), by="Weber")
        desk.act(desk.record.seeding(sizes=(10, 10, 9), source="number", way="snake"), by="Weber")
        desk.act(Published(round=1), by="Weber")
        lines = tuple(ResultLine(driver, place, laps=2) for place, driver in enumerate(desk.record.seated("1.1"), 1))
        desk.act(Result(race="1.1", lines=lines), by="Weber")
        assert desk.record.rounds[1].moves
    table = in_language(rig, folder, lang, "seeding")
    try:
        assert audit(table.screen) == []
        seats = [one for one in table.screen.walk() if isinstance(one, SeatKey)]
        assert len(seats) == 29
        for seat in seats:
            said = [mark.text for mark in seat.marks if mark.kind == "text"]
            assert str(seat.shown.rank) in said[-1].split(), said
        table.press("seeding.moves")
        assert table.screen.now.constraints[1].value == "2 × 10 + 9"
        view = next(one for one in table.screen.rows.walk() if isinstance(one, MoveView))
        assert {one[2] for one in (view.shown.one, view.shown.other)} <= {mark.text for mark in view.marks}
        assert audit(table.screen) == []
        table.app.go("table_result", table="1.1")
        table.wait()
        line = next(one for one in table.screen.rows.walk() if isinstance(one, TableLineView))
        assert line.shown[0].name in {mark.text for mark in line.marks}
        assert audit(table.screen) == []
    finally:
        table.app.close()


@pytest.mark.article("competition", "2-0-3")
def test_a_second_person_confirms_and_a_correction_needs_a_reason(opened: Any, folder: Path) -> None:
    begun(folder, seeded=True, published=True, raced=True)
    table = opened("table_result", table="1.1")
    screen = table.screen
    assert (screen.now.state, screen.main.face.look) == ("entered", "barred")
    name = screen.now.people[0].name
    table.ui.tap(screen.now.people[0].name)
    table.tap(screen.main)
    filed = record(folder).results["1.1"]
    assert filed.confirmed is not None
    assert filed.confirmed.by == name
    table.press("table.differs")
    order = [line.driver for line in screen.draft.lines]
    table.tap(screen.steppers["place"].made["value", "plus"])
    table.press("table.enter")
    table.press("table.why.misread")
    filed = record(folder).results["1.1"]
    assert filed.order[:2] == [order[1], order[0]]
    assert filed.versions[-1].signed.act.why == "Misread"
    assert filed.order[-1] == order[-1]
    assert not filed.official
    assert (screen.now.state, screen.now.overtaken, screen.main.face.look) == ("entered", name, "barred")
    assert audit(screen) == []
    table.press("table.differs")
    table.tap(screen.steppers["points"].made["value", "minus"])
    row(table, 4, 52, 77)
    table.press("table.is_out")
    table.tap(screen.steppers["cause"].made["value", "plus"])
    assert (screen.chosen, screen.draft.lines[6].place) == (6, None), "in front of who was out before"
    table.press("table.enter")
    assert f"Points by hand: {screen.now.rows[0].name} 10 → 9." in screen.asking.shown.told
    table.press("table.why.sheet")
    lines = record(folder).results["1.1"].lines
    assert (lines[0].points, lines[6].cause) == (9, screen.now.causes[1].answer)
    assert screen.now.rows[0].note == f"points by {screen.by}"


@pytest.mark.article("competition", "2-0-3", "21-1-2")
@pytest.mark.parametrize("raced", [False, True])
def test_who_has_gone_from_a_table_is_no_car_of_its_race(opened: Any, folder: Path, raced: bool) -> None:
    """He is not in its result either, unless he has gone after it and is placed."""
    begun(folder, seeded=True, published=True)
    pole, *others = record(folder).seated("1.2")
    with RecordDesk.resume(folder, Tournament) as desk:
        desk.act(Withdrawn(number=pole, why="ill"), by="Weber")
    table = opened("table_result", table="1.2")
    screen = table.screen
    cars = len(others)
    assert screen.main.face.prices[0].text == f"{cars} cars"
    assert [row.number for row in screen.now.rows] == [*others, pole]
    assert (screen.now.rows[0].grid, screen.now.rows[-1].grid, screen.now.rows[-1].note) == ("1", "", "does not race")
    table.press("table.from_paper")
    assert audit(screen) == []
    if raced:
        table.ui.tap(screen.now.rows[-1].name)
        table.press("table.placed")
    table.press("table.enter")
    assert record(folder).results["1.2"].order == ([*others, pole] if raced else others)
    assert record(folder).results["1.2"].lines[-1].place == len(record(folder).results["1.2"].lines)


def test_a_table_is_started_from_its_own_screen(opened: Any, folder: Path) -> None:
    begun(folder, seeded=True, published=True)
    with RecordDesk.resume(folder, Tournament) as desk:
        desk.act(Drawn(round=1, sky="sun"), by="Weber")
    table = opened("table_result", table="1.2")
    table.tap(table.screen.main)
    table.rig.until(lambda: table.app.visits[-1].name == "race")


@pytest.mark.article("competition", "1-3-2", "1-3-3")
@pytest.mark.parametrize("lang", ["en", "fr"])
@pytest.mark.parametrize("panel", [0, 1])
def test_tables_that_are_no_longer_true_are_dealt_anew_or_stay_with_a_reason(
    rig: Rig, folder: Path, lang: str, panel: int
) -> None:
    """Before they are published, and at the start of a table; who has gone is marked."""
    begun(folder, seeded=True)
    with RecordDesk.resume(folder, Tournament) as desk:
        desk.act(Drawn(round=1, sky="sun"), by="Weber")
        fast = desk.record.round(1).ranking[-1]
        desk.act(Timed(driver=fast, session=1, time=AbsoluteTime(9, 5000), why="misread"), by="Weber")
    rig.window(*PANELS[panel])
    table = in_language(rig, folder, lang, "seeding")
    screen = table.screen
    try:
        assert str(fast) in screen.now.note
        assert screen.now.tone == "warn"
        assert audit(screen) == []
        table.tap(screen.main)
        assert record(folder).round(1).published is None
        assert audit(screen) == []
        table.press("seeding.keep_reason.anew")
        assert record(folder).round(1).ranking[0] == fast
        published(table)
        assert record(folder).round(1).published is not None
        table.app.close()
        pole = record(folder).seated("1.1")[0]
        with RecordDesk.resume(folder, Tournament) as desk:
            desk.act(Withdrawn(number=pole, why="ill"), by="Weber")
        table = in_language(rig, folder, lang, "seeding")
        seats = {seat.number: seat for one in table.screen.now.tables for seat in one.seats}
        assert (seats[pole].state, seats[pole].note) == ("gone", "withdrew" if lang == "en" else "forfait")
        assert audit(table.screen) == []
        table.tap_table(1)
        table.tap(table.screen.main)
        assert table.app.visits[-1].name == "table_result", "nothing starts unasked"
        assert audit(table.screen) == []
        table.press("seeding.keep_reason.late")
        rig.until(lambda: table.app.visits[-1].name == "race")
        assert record(folder).round(1).upheld[0].act.why == ("Too late now" if lang == "en" else "Trop tard")
    finally:
        table.app.close()


def test_a_published_table_is_dealt_anew_from_where_it_was_to_start(opened: Any, folder: Path) -> None:
    begun(folder, seeded=True, published=True)
    pole = record(folder).seated("1.1")[0]
    with RecordDesk.resume(folder, Tournament) as desk:
        desk.act(Drawn(round=1, sky="sun"), by="Weber")
        desk.act(Here(numbers=(pole,), here=False), by="Weber")
    table = opened("table_result", table="1.1")
    table.tap(table.screen.main)
    table.press("seeding.keep_reason.anew")
    assert table.app.visits[-1].name == "seeding"
    round_ = record(folder).round(1)
    assert (round_.published, pole in round_.ranking) == (None, False)


@pytest.mark.article("competition", "2-0-1")
@pytest.mark.parametrize(("lang", "why"), [("en", "Misread"), ("fr", "Mal lu")])
def test_why_the_weather_is_drawn_again_is_asked(rig: Rig, folder: Path, lang: str, why: str) -> None:
    """Nobody's reason is written that nobody gave."""
    begun(folder, here=16)
    with RecordDesk.resume(folder, Tournament) as desk:
        desk.act(Drawn(session=1, sky="rain", face=3), by="Weber")
    table = in_language(rig, folder, lang, "weather")
    try:
        screen = table.screen
        table.tap(screen.face.made["value", "plus"], screen.face.made["value", "plus"], screen.main)
        assert record(folder).skies["session", 1].face == 3
        assert audit(screen) == []
        table.press("weather.reason.misread")
        assert (record(folder).skies["session", 1].face, record(folder).skies["session", 1].why) == (2, why)
    finally:
        table.app.close()


@pytest.mark.article("competition", "1-0-3", "2-0-1")
@pytest.mark.parametrize("lang", ["en", "fr"])
def test_no_face_of_the_weather_is_recorded_that_nobody_rolled(rig: Rig, folder: Path, lang: str) -> None:
    """Only what is to come is asked for, and each draw by a face of its own."""
    begun(folder, seeded=True, published=True)
    table = in_language(rig, folder, lang, "weather")
    screen = table.screen
    try:
        assert screen.now.chosen.round == 1
        assert (screen.face.value, screen.main.face.look) == (0, "barred")
        assert audit(screen) == []
        table.tap(screen.main)
        screen.press("confirm")
        table.wait()
        assert record(folder).skies == {}
        table.tap(screen.face.made["value", "plus"])
        assert screen.main.face.look != "barred"
        table.tap(screen.main)
        assert record(folder).skies["round", 1].face == 1
        assert (screen.face.value, screen.main.face.look) == (0, "barred"), "the next draw has its own face"
        assert screen.now.chosen.round == 1, "the session has been driven, and is not asked for"
        row(table, 0, 52, 48)
        assert audit(screen) == []
        assert (screen.now.chosen.session, screen.face.value) == (1, 0)
        table.press("weather.throw")
        assert screen.main.face.look != "barred"
        row(table, 1, 52, 48)
        assert (screen.now.chosen.round, screen.face.value) == (1, 0), "what was rolled was for another one"
    finally:
        table.app.close()


@pytest.mark.article("competition", "1-0-3")
@pytest.mark.parametrize("lang", ["en", "fr"])
def test_the_weather_of_what_has_been_driven_is_not_asked_for(rig: Rig, folder: Path, lang: str) -> None:
    begun(folder)
    table = in_language(rig, folder, lang, "weather")
    screen = table.screen
    try:
        assert screen.now.chosen is None
        assert audit(screen) == []
        screen.press("confirm")
        table.wait()
        assert record(folder).skies == {}
    finally:
        table.app.close()


@pytest.mark.parametrize(("lang", "why"), [("en", "Ill"), ("fr", "Malade")])
def test_who_withdraws_says_why_and_may_come_back(rig: Rig, folder: Path, lang: str, why: str) -> None:
    """A row is held, a reason touched, or another one typed."""
    begun(folder, here=14)
    table = in_language(rig, folder, lang, "entrants")
    screen = table.screen
    try:
        for place in range(2):
            x, _ = screen.rows.to_window(*screen.rows.pos)
            table.rig.hold(x + 40, 79 + 52 * (place + 0.5), seconds=1.0)
            table.wait()
            assert screen.asking.shown, place
            assert screen.asking.shown.title.startswith(f"{3 * (place + 1)} ")
            assert not audit(screen)
            if place:
                table.press("entrants.why.other")
                typed(table, "goes home")
            else:
                table.press("entrants.why.ill")
        assert record(folder).field.gone == {3: why, 6: "goes home"}
        assert [one.gone for one in screen.now.rows[:2]] == [why, "goes home"]
        table.tap(screen.undo)
        assert record(folder).field.gone == {3: why}
        x, _ = screen.rows.to_window(*screen.rows.pos)
        table.rig.hold(x + 40, 79 + 25)
        assert screen.asking.shown is None, "nobody withdraws twice"
    finally:
        table.app.close()


@pytest.mark.article("competition", "1-3-2")
@pytest.mark.parametrize("lang", ["en", "fr"])
def test_tables_are_dealt_another_way_and_anew_only_if_that_is_meant(rig: Rig, folder: Path, lang: str) -> None:
    """First as a snake: 1, 4, 5 ... at table 1. Then by level: the eight fastest there."""
    begun(folder)
    table = in_language(rig, folder, lang, "seeding")
    screen = table.screen
    try:
        table.press("seeding.deals.turn")
        assert not audit(screen)
        table.ui.tap(theme.words.screen("seeding.deals.snake"))
        table.tap(screen.main)
        round_ = record(folder).round(1)
        assert (round_.deal, round_.tables[1][1]) == ("snake", round_.ranking[2])
        table.press("seeding.deals.snake")
        assert not audit(screen)
        table.press("seeding.deals.level")
        assert table.app.over is not None
        assert not audit(table.app.over)
        table.tap(table.app.over.made["cancel"])
        assert record(folder).round(1) == round_
        table.press("seeding.deals.snake")
        table.press("seeding.deals.level")
        assert table.app.over is not None
        table.tap(table.app.over.made["act"])
        dealt = record(folder).round(1)
        assert (dealt.deal, dealt.tables[0]) == ("level", dealt.ranking[:8])
        table.tap(screen.undo)
        assert record(folder).round(1) == round_
    finally:
        table.app.close()


@pytest.mark.article("competition", "1-3-2")
def test_who_came_after_the_deal_is_seated_where_it_is_dealt_anew(opened: Any, folder: Path) -> None:
    begun(folder, here=14)
    table = opened("seeding")
    table.tap(table.screen.main)
    assert len(record(folder).round(1).ranking) == 14
    table.app.close()
    with RecordDesk.resume(folder, Tournament) as desk:
        desk.act(Here(numbers=(45, 48)), by="Weber")
    table = opened("seeding")
    table.press("seeding.deals.turn")
    table.press("seeding.deals.level")
    table.tap(table.app.over.made["act"])
    round_ = record(folder).round(1)
    assert (round_.deal, {45, 48} <= set(round_.ranking), len(round_.ranking)) == ("level", True, 16)


def over(folder: Path) -> None:
    """Both tables of the first round have their results, confirmed."""
    begun(folder, seeded=True, published=True, raced=True)
    with RecordDesk.resume(folder, Tournament) as desk:
        desk.act(Result(race="1.2", lines=on_paper(desk.record.seated("1.2"))), by="Weber")
        for key in ("1.1", "1.2"):
            desk.act(Confirmed(race=key), by="Ada")


@pytest.mark.article("competition", "1-3-2")
@pytest.mark.parametrize("lang", ["en", "fr"])
def test_a_final_is_dealt_as_the_keys_say(rig: Rig, folder: Path, lang: str) -> None:
    """Ten drivers at two tables, dealt as a snake: the white key tells their number as it is stepped to."""
    over(folder)
    table = in_language(rig, folder, lang, "seeding")
    screen = table.screen
    try:
        assert "2" in screen.main.face.prices[0].text
        table.tap(screen.count.made["value", "plus"])
        assert "3" in screen.main.face.prices[0].text
        for key in ("deals.turn", "deals.snake", "final"):
            table.press(f"seeding.{key}")
        table.tap(screen.count.made["value", "plus"], screen.count.made["value", "plus"])
        assert "10" in screen.main.face.prices[0].text
        best = [int(line.who) for line in record(folder).standings()][:10]
        table.tap(screen.main)
        round_ = record(folder).round(2)
        assert (round_.final, round_.deal, round_.ranking) == (True, "snake", tuple(best))
        assert record(folder).seeding(sizes=[5, 5], way="snake", source="standings", first=10, again=True).tables == (
            round_.tables
        )
    finally:
        table.app.close()


@pytest.mark.article("competition", "1-3-2")
@pytest.mark.parametrize("lang", ["en", "fr"])
def test_a_semi_final_takes_the_first_and_all_may_race_again(rig: Rig, folder: Path, lang: str) -> None:
    """Sixteen, then the first six at one table; after them a round for everybody is offered, to two tables again."""
    over(folder)
    table = in_language(rig, folder, lang, "seeding")
    screen = table.screen
    try:
        table.press("seeding.final")
        table.press("seeding.final")
        assert not audit(screen)
        assert screen.count.value == 16
        table.tap(*[screen.count.made["value", "minus"]] * 10)
        best = [int(line.who) for line in record(folder).standings()][:6]
        table.tap(screen.main)
        round_ = record(folder).round(2)
        assert (round_.final, round_.ranking, [len(seats) for seats in round_.tables]) == (False, tuple(best), [6])
        published(table)
    finally:
        table.app.close()
    with RecordDesk.resume(folder, Tournament) as desk:
        desk.act(Result(race="2.1", lines=on_paper(desk.record.seated("2.1"))), by="Weber")
        desk.act(Confirmed(race="2.1"), by="Ada")
    table = in_language(rig, folder, lang, "seeding")
    try:
        table.tap(table.screen.main)
        assert [len(seats) for seats in record(folder).round(3).tables] == [8, 8]
    finally:
        table.app.close()


@pytest.mark.article("competition", "2-0-3")
@pytest.mark.parametrize("lang", ["en", "fr"])
def test_a_second_person_who_is_not_offered_types_a_name(rig: Rig, folder: Path, lang: str) -> None:
    """The first person's own name, typed, is refused; another one's makes it official."""
    begun(folder, seeded=True, published=True, raced=True)
    table = in_language(rig, folder, lang, "table_result", table="1.1")
    screen = table.screen
    try:
        table.press("table.other")
        typed(table, "Weber")
        assert table.ui.offers("Weber")
        table.tap(screen.main)
        assert record(folder).results["1.1"].confirmed is None
        assert "Weber" in table.app.toast.shown.text
        table.press("table.other")
        typed(table, "Duval")
        table.app.hush()
        assert not audit(screen)
        table.tap(screen.main)
        assert record(folder).results["1.1"].confirmed is not None
        assert screen.now.official_by == "Duval"
    finally:
        table.app.close()


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_a_record_that_cannot_be_read_says_so_on_every_screen_of_it(rig: Rig, folder: Path, lang: str) -> None:
    """One letter of its log is another one; nothing is offered, and the way back goes back."""
    import sqlite3

    from companion.sheets.place import DATABASE

    begun(folder)
    with sqlite3.connect(folder / DATABASE) as db:
        for (trigger,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            db.execute(f"DROP TRIGGER {trigger}")
        changed = db.execute("UPDATE entry SET body = replace(body, 'Vidal', 'Vidol')").rowcount
        assert changed
    db.close()
    table = in_language(rig, folder, lang, "entrants")
    try:
        for name in ("entrants", "seeding", "table_result"):
            table.app.go(name)  # type: ignore[call-overload]
            table.wait()
            empty = table.screen.empty.shown
            title = "The record cannot be read" if lang == "en" else "Le registre est illisible"
            assert (empty.title, empty.tone) == (title, "bad")
            assert empty.note
            assert not audit(table.screen)
        table.ui.back()
        assert table.app.visits[-1].name == "seeding"
    finally:
        table.app.close()


@pytest.mark.parametrize("name", ["entrants", "seeding", "table_result"])
def test_without_a_tournament_there_is_one_sentence(app: CompanionApp, rig: Rig, name: Any) -> None:
    app.go(name)
    screen: Any = app.screen
    rig.until(lambda: screen.is_loaded)
    assert screen.empty.shown.title == "No tournament yet"


@pytest.mark.article("competition", "1-0-1", "1-0-3", "1-3-1")
def test_trials_are_driven_for_the_tournament_and_their_times_come_back(opened: Any, folder: Path) -> None:
    """Two drivers, under the sky that race control drew for every table."""
    with begin_tournament(folder, TournamentBegun(name="Evening", track="monaco"), by="Weber") as desk:
        desk.act(Entered(entrants=(Entrant(3, "Ada", "Lyon"), Entrant(8, "Bob", "Turin"))), by="Weber")
        desk.act(Drawn(sky="rain", face=3, session=1), by="Weber")
    table = opened("entrants")
    table.press("entrants.trials")
    for throws in (3, 2):
        assert table.ui.sees("Which tyres?", "rain tyres slide")
        drive_trial(table.ui, "rain", throws)
    table.ui.tap("Enter all")
    assert table.app.visits[-1].name == "entrants"
    assert [seed.driver for seed in record(folder).seeds()] == [8, 3]
    assert [one.time for one in table.screen.now.rows] == ["3", "2"]


@pytest.mark.article("competition", "1-0-1", "1-3-1")
def test_who_comes_late_drives_with_the_others_and_no_time_is_lost(opened: Any, folder: Path) -> None:
    """Ada has driven when Bob is marked as here: he is next, and both times come back. Another tournament of the same
    name has trials of its own."""
    entrants = tuple(Entrant(at * 3, name, "Lyon") for at, name in enumerate(("Ada", "Bob", "Eve"), 1))

    def trials() -> Table:
        table = opened("entrants")
        table.press("entrants.trials")
        return table

    def came(desk: RecordDesk[Tournament]) -> None:
        desk.act(Entered(entrants=entrants), by="Weber")
        desk.act(Here(numbers=(3, 9)), by="Weber")

    with begin_tournament(folder, TournamentBegun(name="Evening", track="monaco"), by="Weber") as desk:
        came(desk)
    table = trials()
    table.ui.tap("Sun")
    for number in (3, 6):
        assert table.ui.sees("Which tyres?", {3: "Ada", 6: "Bob"}[number])
        drive_trial(table.ui)
        table.app.close()
        with RecordDesk.resume(folder, Tournament) as desk:
            desk.act(Here(numbers=(6,)), by="Weber")
            desk.act(Here(numbers=(3, 9), here=False), by="Weber")
        table = trials()
    table.ui.tap("Enter all")
    assert {seed.driver for seed in record(folder).seeds() if seed.time is not None} == {3, 6}
    table.app.close()
    with begin_tournament(folder, TournamentBegun(name="Evening", track="monaco"), by="Weber") as desk:
        came(desk)
    assert trials().ui.sees("Sky of session 1?")


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_whatever_can_be_undone_has_its_word(lang: str) -> None:
    from companion.tournament.record import BESIDE
    from companion.tournament.season import Season
    from companion.tournament.trials import Tapped, Trials
    from companion.wording import Words

    words = Words(lang)
    for kind, table in ((Tournament, "season"), (Season, "season"), (Trials, "trial")):
        for act in (*kind.ACTS[1:], BESIDE[1]):
            if act is not Tapped:
                tag = act.__struct_config__.tag
                assert words.screen(f"{table}.undo.{tag}", race="1", throws=1, clock="1:00", sky="sun")
