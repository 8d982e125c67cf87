"""The tournament on the touchscreen: entrants, tables, results, by real touches."""

from __future__ import annotations

import itertools
import sqlite3
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from kivy.core.window import Window

from companion import circuits
from companion.desk.organising import begin_season, begin_tournament, start_race
from companion.desk.record_desk import RecordDesk
from companion.rules.conversation.errors import BadEntry
from companion.screens.app import snapshot
from companion.screens.kit.theme import theme
from companion.sheets.place import DATABASE
from companion.sheets.records import kept_record
from companion.sheets.stored_race import delete
from companion.tournament.entrants import Entered, Entrant, Here, Withdrawn
from companion.tournament.record import BESIDE, Act, Signed
from companion.tournament.results import Confirmed, Result, ResultLine
from companion.tournament.season import Season, SeasonBegun, Stage
from companion.tournament.times import AbsoluteTime
from companion.tournament.tournament import Published, Timed, Tournament, TournamentBegun
from companion.tournament.trials import Tapped, Trials
from companion.tournament.weather import Drawn
from companion.view.events.entrants import entrants
from companion.view.events.seeding import seeding
from companion.wording import Words, capital
from tests.screens.panels import PANELS
from tests.screens.recorded import drive_trial
from tests.screens.rig import Rig
from tests.screens.ui import Ui
from tests.tournament.acting import on_paper

CLUBS = ("Lyon", "Nantes", "Turin", "Basel", "Porto", "York")
NAMES = "Vidal Brun Okoye Morel Sousa Keller Hassan Lemoine Maes Lindqvist Galli Caron Rocha Duret Ferrand Holm"
TABLES = ("VID OKO SOU HAS MAE CAR DUR HOL", "BRU MOR KEL LEM LIN GAL ROC FER")
"""Who sits at the two tables when they are dealt in turn and team-mates are moved apart."""


def begun(folder: Path, *, here: int = 16, seeded: bool = False, published: bool = False, raced: bool = False) -> None:
    """Sixteen drivers of six clubs, with their trials; two tables."""
    with begin_tournament(folder, TournamentBegun(name="Rhône Masters", track="monaco"), by="Weber") as desk:
        entrants = tuple(Entrant(at * 3, name, CLUBS[at % 6]) for at, name in enumerate(NAMES.split(), 1))
        desk.act(Entered(entrants=entrants), by="Weber")
        for at, one in enumerate(entrants[:here]):
            desk.act(Timed(driver=one.number, session=1, time=AbsoluteTime(17 + at, 6000 + at)), by="Weber")
        if seeded:
            desk.act(Here(numbers=tuple(one.number for one in entrants)), by="Weber")
            desk.act(desk.record.seeding(tables=2), by="Weber")
        if published:
            desk.act(Published(round=1, why="as dealt"), by="Weber")
        if raced:
            *placed, last = desk.record.seated("1.1")
            lines = [ResultLine(driver, place) for place, driver in enumerate(placed, 1)]
            lines.append(ResultLine(last, None, "engine", "16-0-3", 31))
            desk.act(Result(race="1.1", lines=tuple(lines)), by="Weber")


def over(folder: Path) -> None:
    """Both tables of the first round have their results, confirmed."""
    begun(folder, seeded=True, published=True, raced=True)
    add(folder, Result(race="1.2", lines=on_paper(record(folder).seated("1.2"))))
    add(folder, Confirmed(race="1.1"), Confirmed(race="1.2"), by="Ada")


def add(folder: Path, *acts: Act, by: str = "Weber") -> None:
    """Acts of elsewhere."""
    with RecordDesk.resume(folder, Tournament) as desk:
        for act in acts:
            desk.act(act, by=by)


def record(folder: Path) -> Any:
    return kept_record(folder, "last", "tournament").record


def say(text: str, **facts: Any) -> str:
    """Return a text of the locale, such as "entrants.add", in the language of the screen."""
    return theme.words.screen(text, **facts)


def are_seated(ui: Any, *tables: str) -> bool:
    """Whether drivers sit at the tables in this order, by their codes; where there is room their names are read."""
    read = [word.text for word in ui.words()]
    seats = iter(word[:3].upper() for word in read[read.index(say("seeding.table_mean")) :])
    return all(code in seats for code in " ".join(tables).split())


def test_a_tournament_without_entrants_or_tables_says_so(open_at: Any, folder: Path, language: str) -> None:
    begin_tournament(folder, TournamentBegun(name="Cup"), by="Weber").close()
    ui = open_at("entrants", language)
    assert [word.text for word in ui.words() if "Cup" in word.text] == ["Cup"], "not: 0 in 0 club"
    ui.app.home()
    ui.calm()
    add(folder, Entered(entrants=(Entrant(77, "Ada"),)))
    ui = open_at("entrants", language)
    name, number = ui.box("Ada"), ui.box("77")
    assert abs(name.y + name.h / 2 - number.y - number.h / 2) < 4, "a name without a club is beside its plate"
    ui = open_at("seeding", language)
    assert ui.sees(say("seeding.none_dealt"))
    ui.audit()


def bars(ui: Ui, beside: str) -> int:
    """Return how many bars at the left of some words are green."""
    x, y = ui.box(beside).middle
    picture = snapshot.picture()
    seen = [picture.getpixel((at, round(y))) for at in range(round(x))]
    green = tuple(bytes.fromhex(theme.hex("ok")[1:]))
    return sum(one == green != before for before, one in itertools.pairwise(seen))


def test_who_is_missing_is_marked_here_and_taken_back(open_at: Any, folder: Path) -> None:
    begun(folder, here=14)
    ui = open_at("entrants")
    assert ui.sees("Who is here?", "14/16", "2 drivers", "16 entrants, hold: withdraws")
    assert bars(ui, "14/16") == 14
    assert ui.row("Vidal") == "Vidal 18 3 Nantes 1:00.00"
    ui.tap("Not here")
    assert ui.in_order("Ferrand", "Holm")
    assert ui.sees("2 entrants")
    assert not ui.sees("Vidal")
    ui.tap("Ferrand")
    assert ui.sees("15/16", "16 drivers")
    assert not ui.sees("Ferrand")
    ui.tap("Undo")
    assert ui.sees("14/16", "Ferrand")
    ui.tap("Everybody")
    assert ui.sees("Vidal")


def test_figures_look_for_numbers_and_letters_for_names(open_at: Any, folder: Path) -> None:
    begun(folder)
    ui = open_at("entrants")
    ui.tap("4", below="1")
    assert ui.in_order("Duret", "Ferrand", "Holm")
    assert ui.sees("3 of 16 begin with 4", "free: 4, 40, 41")
    ui.tap("ABC")
    assert ui.sees("16 entrants")
    for _ in range(3):
        ui.tap("PQR")
    assert ui.sees("1 of 16 begin with R", "Rocha")
    ui.tap(icon="cross")
    assert ui.sees("16 entrants")


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


def test_somebody_is_added_on_a_sheet_and_a_number_that_is_taken_is_refused(open_at: Any, folder: Path) -> None:
    begun(folder)
    ui = open_at("entrants")
    ui.tap("4", below="1")
    ui.tap("Add")
    assert not ui.offers("Enter"), "a name lacks"
    ui.write("Name", "Ricci")
    ui.write("Club or team", "Turin")
    assert ui.sees("4 Ricci"), "the number was typed, and is free"
    ui.audit()
    ui.tap("Enter")
    assert record(folder).field[4] == Entrant(4, "Ricci", "Turin")
    ui.tap("Add")
    ui.write("Name", "Twice")
    ui.tap("Enter")
    assert ui.row("Twice") == "1 Twice Here", "the lowest number that is free"
    ui.tap("Add")
    ui.write("Number", "3", anew=True)
    ui.write("Name", "Third")
    ui.tap("Enter")
    assert ui.sees("Vidal", "3 Third"), "what was written is not lost"
    assert len(record(folder).field.entrants) == 18
    ui.back()
    ui.hold("Twice")
    ui.tap("Change…")
    ui.write("Name", "Twain", anew=True)
    ui.tap("Change")
    assert ui.row("Twain") == "1 Twain Here"
    assert not ui.sees("Twice")


@pytest.mark.article("competition", "1-3-2", "1-3-3")
def test_tables_are_dealt_a_swap_is_priced_and_they_are_published(open_at: Any, folder: Path) -> None:
    begun(folder)
    ui = open_at("seeding")
    assert ui.sees("Assign the tables?", "16 drivers are here", "to 2 tables")
    ui.tap("Assign")
    assert are_seated(ui, *TABLES)
    ui.tap(car=3)
    assert ui.sees("Swap 3 Vidal with?")
    assert [ui.row(code) for code in ("VID", "OKO", "HAS", "BRU")] == [
        "3 VID rank 1", "9 OKO this table", "21 HAS pair with 3", "6 BRU new pair",
    ]  # fmt: skip
    ui.tap(car=6)
    assert are_seated(ui, "BRU" + TABLES[0][3:], "VID" + TABLES[1][3:])
    ui.tap("Moves")
    assert "organiser" in ui.row("Brun")
    ui.tap(icon="table")
    ui.tap("Undo")
    assert are_seated(ui, *TABLES)
    ui.tap("Publish")
    assert ui.sees("Publish the tables?", "4 pairs left: hold"), "not by a tap while team-mates sit together"
    ui.hold("Publish")
    assert ui.sees("Table 1 has two of Nantes: 3 and 21")
    ui.audit()
    ui.tap("Brothers")
    assert ui.sees("2 tables not started", "Published by", "once for all")
    ui.tap("2", below="Table, mean")
    assert ui.sees("Table 2", "Not started", "Start table 2?")


def test_moves_are_listed_with_their_reasons_and_swapped_back(open_at: Any, folder: Path) -> None:
    begun(folder, seeded=True)
    ui = open_at("seeding")
    for table in seeding(record(folder), Words("en")).tables:
        assert len({seat.plate.place for seat in table.seats}) == len(table.seats), "no two cars alike"
    ui.tap("Moves")
    assert ui.sees("10 drivers sit where", "2 × 8")
    assert [ui.row(name) for name in ("Holm", "Duret", "Caron")] == [
        "48 Holm to table 1 45 Ferrand to table 2 rule 1 both of Porto 1 rank",
        "42 Duret to table 1 39 Rocha to table 2 rule 2 both of Turin 1 rank",
        "36 Caron to table 1 33 Galli to table 2 rule 3 both of Lyon 1 rank",
    ]
    ui.tap("Holm")
    ui.tap(icon="table")
    assert are_seated(ui, TABLES[0][:-3] + "FER", TABLES[1][:-3] + "HOL")


def test_of_many_tables_every_one_is_reached(open_at: Any, folder: Path) -> None:
    numbers = range(101, 125)
    begin_tournament(folder, TournamentBegun(name="Rhône Masters", track="monaco", sessions=0), by="Weber").close()
    add(folder, Entered(entrants=tuple(Entrant(number, f"D{number}") for number in numbers)), Here(numbers=(*numbers,)))
    add(folder, record(folder).seeding(sizes=(2,) * 12, source="number", way="turn"), Published(round=1))
    ui = open_at("seeding")
    first = ui.text()
    seen = set(first.split())
    for _ in range(3):
        ui.tap(icon="down")
        seen |= set(ui.text().split())
    assert ui.text() == first
    assert {str(number) for number in numbers} <= seen


@pytest.mark.parametrize(("size", "lang"), [(0, "en"), (1, "fr")])
def test_with_long_names_and_full_tables_it_is_told_who_sits_where(
    rig: Rig, open_at: Any, folder: Path, size: int, lang: str
) -> None:
    """A name is cut, and neither the table nor the rank behind it; a name is whole where a note leaves it room."""
    name = "Maximilien Vandenbroucke {}".format
    drivers = tuple(Entrant(at, name(at), f"Club {at // 2}") for at in range(1, 30))
    begin_tournament(folder, TournamentBegun(name="Rhône Masters", track="monaco", sessions=0), by="Weber").close()
    add(folder, Entered(entrants=drivers), Here(numbers=tuple(range(1, 30))))
    add(folder, record(folder).seeding(sizes=(10, 10, 9), source="number", way="snake"), Published(round=1))
    seats = record(folder).seated("1.1")
    add(folder, Result(race="1.1", lines=tuple(ResultLine(one, at, laps=2) for at, one in enumerate(seats, 1))))
    rig.window(*PANELS[size])
    ui = open_at("seeding", lang)
    ui.audit()
    said = Counter(ui.text().split())
    assert [number for number in range(1, 30) if said[str(number)] < 3] == [], "plate, letters, rank"
    ui.tap(say("seeding.moves"))
    assert ui.sees("2 × 10 + 9")
    row = ui.row("25", below=say("seeding.title"))
    assert all(say("seeding.to", table=table) in row for table in (1, 2))
    ui.audit()
    ui.app.go("table_result", table="1.1")
    ui.calm()
    assert name(12) in ui.row(name(12))
    ui.audit()


@pytest.mark.article("competition", "2-0-3")
def test_a_second_person_confirms_and_a_correction_needs_a_reason(open_at: Any, folder: Path) -> None:
    begun(folder, seeded=True, published=True, raced=True)
    ui = open_at("table_result", table="1.1")
    assert ui.sees("Not official yet")
    assert not ui.offers("Confirm")
    ui.tap("Vidal", below="Second person")
    assert ui.is_chosen("Vidal", below="Second person")
    ui.tap("Confirm")
    assert ui.sees("It is official", "Confirmed by Vidal")
    ui.tap("Differs")
    assert not ui.offers("Enter")
    assert ui.sees("no change")
    ui.step("Place")
    assert ui.in_order("Okoye", "Vidal", "Sousa")
    ui.tap("Enter")
    ui.tap("Misread")
    assert record(folder).results["1.1"].versions[-1].signed.act.why == "Misread"
    assert ui.sees("Not official yet", "Corrected since Vidal confirmed it.")
    assert ui.in_order("Okoye", "Vidal", "Sousa", "Holm")
    ui.audit()
    ui.tap("Differs")
    ui.step("Points", -1)
    ui.tap("Maes")
    ui.tap("Is out")
    ui.step("Reason out")
    assert ui.row("Maes").startswith("– 27 Maes")
    assert ui.in_order("Duret", "Maes", "Holm"), "in front of who was out before"
    ui.tap("Enter")
    assert ui.sees("Points by hand: Okoye 10 → 9.")
    ui.tap("Sheet wrong")
    assert ui.row("Okoye", below="Finish") == "1 9 Okoye points by the table 2 9"
    lines = record(folder).results["1.1"].lines
    assert (lines[0].points, lines[6].cause) == (9, "breakdown")


def test_done_waits_for_the_name_of_who_confirms(open_at: Any, folder: Path, language: str) -> None:
    begun(folder, seeded=True, published=True, raced=True)
    ui = open_at("table_result", language, table="1.1")
    say, second = theme.words.screen, theme.words.screen("table.second")
    ui.tap(say("table.other"), below=second)
    for text in ("", " "):
        ui.type(text, done=False)
        assert not ui.offers(say("keyboard.done")), ui.screen()
        ui.audit()
    Window.dispatch("on_key_down", 13, 40, "\r", [])  # Enter on a real keyboard
    ui.calm()
    ui.type("Noor")  # it is still asked
    assert ui.sees("Noor")
    assert ui.offers(say("table.confirm"))


@pytest.mark.article("competition", "2-0-3", "21-1-2")
@pytest.mark.parametrize("raced", [False, True])
def test_who_has_gone_from_a_table_is_no_car_of_its_race(open_at: Any, folder: Path, raced: bool) -> None:
    """He is not in its result either, unless he has gone after it and is placed."""
    begun(folder, seeded=True, published=True)
    add(folder, Withdrawn(number=6, why="ill"))
    ui = open_at("table_result", table="1.2")
    assert ui.sees("7 cars")
    assert ui.in_order("Morel", "Ferrand", "Brun")
    assert (ui.row("Morel"), ui.row("Brun")) == ("12 Morel 1", "6 Brun does not race")
    ui.tap("From paper")
    ui.audit()
    if raced:
        ui.tap("Brun")
        ui.tap("Finished")
    ui.tap("Enter")
    others = [12, 18, 24, 30, 33, 39, 45]
    assert record(folder).results["1.2"].order == ([*others, 6] if raced else others)
    assert ui.row("Ferrand")[0] == "7"
    assert ui.in_order("Ferrand", "Brun") == raced


@pytest.mark.article("competition", "1-3-2", "1-3-3")
@pytest.mark.parametrize(("size", "lang", "answer"), [(0, "en", "anew"), (1, "fr", "late"), (0, "fr", "late")])
def test_tables_that_are_no_longer_true_are_dealt_anew_or_stay_with_a_reason(
    rig: Rig, open_at: Any, folder: Path, size: int, lang: str, answer: str
) -> None:
    """Before they are published, and at the start of a table; who has gone is marked."""
    begun(folder, seeded=True)
    add(folder, Drawn(round=1, sky="sun"), Timed(driver=48, session=1, time=AbsoluteTime(9, 5000), why="misread"))
    rig.window(*PANELS[size])
    ui = open_at("seeding", lang)
    assert ui.sees(say("seeding.ask_publish"), "48 Holm")
    ui.audit()
    ui.tap(say("seeding.publish"))
    assert ui.sees(say("seeding.ask_keep"))
    ui.audit()
    ui.tap(say("seeding.keep_reason.anew"))
    assert ui.row("HOL").endswith(say("seeding.rank", rank=1))
    ui.hold(say("seeding.publish"))
    ui.tap(say("seeding.reason.brothers"))
    ui.close()
    add(folder, Withdrawn(number=3, why="ill"))
    ui = open_at("seeding", lang)
    assert ui.row("VID") == f"3 VID {say('seeding.gone')}"
    ui.audit()
    ui.tap("1", below=say("seeding.table_mean"))
    ui.tap(say("table.start"))
    assert ui.sees(say("seeding.ask_keep")), "nothing starts unasked"
    ui.audit()
    ui.tap(say(f"seeding.keep_reason.{answer}"))
    if answer == "anew":
        assert ui.sees(say("seeding.ask_publish"), say("seeding.subtitle", round=1, count=15, way="turn"))
        assert not ui.sees("VID")
    else:
        ui.wait_for("BRU")
        assert record(folder).round(1).upheld[0].act.why == say("seeding.keep_reason.late")


@pytest.mark.article("competition", "2-0-1")
def test_why_the_weather_is_drawn_again_is_asked(open_at: Any, folder: Path, language: str) -> None:
    """Nobody's reason is written that nobody gave."""
    begun(folder)
    add(folder, Drawn(session=1, sky="rain", face=3))
    ui = open_at("weather", language)
    row = say("weather.session", number=1)
    ui.step(say("weather.face"), 2)
    ui.tap(say("weather.draw_again"))
    assert "(3)" in ui.row(row)
    ui.audit()
    why = say("weather.reason.misread")
    ui.tap(why)
    assert "(2)" in ui.row(row)
    assert record(folder).skies["session", 1].why == why
    other = "fr" if language == "en" else "en"
    ui.app.choose(language=other)
    ui.calm()
    assert ui.sees(Words(other).screen("weather.face"))


@pytest.mark.article("competition", "2-0-1")
def test_the_weather_of_a_table_that_has_started_stays(open_at: Any, folder: Path, language: str) -> None:
    """Neither another draw nor an undo changes it, of the last act or of several."""
    begun(folder, seeded=True, published=True)
    add(folder, Drawn(round=1, sky="sun", face=1))
    with RecordDesk.resume(folder, Tournament) as desk:
        start_race(desk, "1.1").close()
    entries = len(record(folder).log)
    ui = open_at("weather", language)
    told = theme.words.error(BadEntry("weather_started", race="1.1"))
    ui.tap(theme.say("undo"))
    assert ui.sees(told)
    sky = circuits.board("monaco").weather.sky
    ui.step(say("weather.face"), next(face for face in range(1, 21) if sky(face) == "rain"))
    ui.tap(say("weather.draw_again"))
    ui.tap(say("weather.reason.misread"))
    assert ui.sees(told)
    assert len(record(folder).log) == entries
    ui.close()
    add(folder, Here(numbers=(3,), here=False))
    ui = open_at("acts", language, kind="tournament")
    ui.tap(capital(theme.words.word("act", "weather")))
    ui.tap(say("acts.go_back"))
    assert ui.sees(told)
    assert len(record(folder).log) == entries + 1


@pytest.mark.parametrize("kind", ["tournament", "season"])
def test_the_race_of_a_table_that_was_deleted_is_restored_where_it_starts(
    open_at: Any, folder: Path, language: str, kind: str
) -> None:
    if kind == "tournament":
        begun(folder, seeded=True, published=True)
        add(folder, Drawn(round=1, sky="sun", face=1))
        opened, key, given = Tournament, "1.1", {"table": "1.1"}
    else:
        stages = (Stage("monaco"),)
        with begin_season(folder, SeasonBegun(name="League", calendar=stages), by="Weber") as season:
            season.act(Entered(entrants=(Entrant(1, "Vidal", ""), Entrant(2, "Brun", ""))), by="Weber")
        opened, key, given = Season, "1", {"kind": "season", "table": "1"}
    with RecordDesk.resume(folder, opened) as desk, start_race(desk, key) as race:
        assert race.log is not None
        log_id = race.log.log_id
    delete(folder, log_id)
    ui = open_at("table_result", language, **given)
    ui.tap(say("table.start"))
    assert ui.sees(say("table.restore_ask", table=key, season=kind == "season"), say("table.restore_note"))
    ui.audit()
    ui.tap(say("sheet.restore"))
    ui.wait_for("VID")
    assert ui.app.playing.log_id == log_id


@pytest.mark.article("competition", "1-0-3", "2-0-1")
def test_no_face_of_the_weather_is_recorded_that_nobody_rolled(open_at: Any, folder: Path, language: str) -> None:
    """Only what is to come is asked for, and each draw by a face of its own."""
    begun(folder, seeded=True, published=True)
    ui = open_at("weather", language)
    round_, session, face = say("weather.round", number=1), say("weather.session", number=1), say("weather.face")

    def asks(key: str, what: str, shows: str = "–") -> bool:
        """Whether a face for that is asked, and what the die shows."""
        return bool(ui.sees(say(f"weather.{key}", what=what)) and ui.value(face) == shows)

    assert ui.sees("3 Vidal"), "the fastest rolls"
    assert asks("ask", round_)
    ui.audit()
    ui.app.press("confirm")
    ui.calm()
    assert not ui.offers(say("weather.draw"))
    assert record(folder).skies == {}
    ui.step(face)
    ui.tap(say("weather.draw"))
    assert ui.row(round_).endswith("(1)")
    assert asks("again", round_), "the session has been driven, and the next draw has its own face"
    ui.tap(session)
    ui.audit()
    assert asks("ask", session)
    ui.tap(say("weather.throw"))
    assert ui.value(face) != "–"
    assert ui.offers(say("weather.draw"))
    ui.tap(round_)
    assert asks("again", round_), "what was rolled was for another one"


@pytest.mark.article("competition", "1-0-3")
def test_the_weather_of_what_has_been_driven_is_not_asked_for(open_at: Any, folder: Path, language: str) -> None:
    begun(folder)
    ui = open_at("weather", language)
    assert ui.sees(say("weather.over"), say("weather.driven"))
    ui.audit()
    ui.app.press("confirm")
    ui.calm()
    assert record(folder).skies == {}


def test_who_withdraws_says_why_and_may_come_back(open_at: Any, folder: Path, language: str) -> None:
    """A row is held, a reason touched, or another one typed."""
    begun(folder, here=14)
    ui = open_at("entrants", language)
    ui.hold("Vidal")
    assert ui.sees("3 Vidal", say("entrants.ask_why"))
    ui.audit()
    why = say("entrants.why.ill")
    ui.tap(why)
    ui.hold("Brun")
    ui.tap(say("entrants.why.other"))
    ui.type("goes home")
    assert (ui.row("Vidal"), ui.row("Brun")) == (f"Vidal 18 3 {why} 1:00.00", "Brun 19 6 goes home 1:00.01")
    assert record(folder).field.gone == {3: why, 6: "goes home"}
    ui.tap(theme.say("undo"))
    assert "goes home" not in ui.row("Brun")
    ui.hold("Vidal")
    assert not ui.sees(say("entrants.ask_why")), "nobody withdraws twice"
    ui.hold("Holm")
    ui.tap(why)
    ui.tap(say("entrants.not_here"))
    assert [ui.sees(name) for name in ("Ferrand", "Holm")] == [True, False], "nobody waits for who has withdrawn"


@pytest.mark.article("competition", "1-3-2")
def test_tables_are_dealt_another_way_and_anew_only_if_that_is_meant(open_at: Any, folder: Path, language: str) -> None:
    """First as a snake: 1, 4, 5 ... at table 1. Then by level: the fastest there, and who came since has a seat too."""
    begun(folder, here=14)
    ui = open_at("seeding", language)
    turn, snake, level = (say(f"seeding.deals.{way}") for way in ("turn", "snake", "level"))
    ui.tap(turn)
    assert ui.is_chosen(turn, below=say("seeding.title"))
    ui.audit()
    ui.tap(snake)
    ui.tap(say("seeding.deal"))
    assert are_seated(ui, "VID MOR SOU", "BRU OKO")
    ui.close()
    add(folder, Here(numbers=(45, 48)))
    ui = open_at("seeding", language)
    for answer, seats in (
        (theme.say("cancel"), "VID MOR SOU"),
        (say("seeding.anew_act"), "VID BRU OKO MOR SOU KEL HAS LEM MAE"),
    ):
        ui.tap(snake)
        ui.tap(level)
        assert ui.sees(say("seeding.anew", way="level"))
        ui.audit()
        ui.tap(answer)
        assert are_seated(ui, seats)
    assert ui.sees(say("seeding.subtitle", round=1, count=16, way="level"))
    ui.tap(theme.say("undo"))
    assert are_seated(ui, "VID MOR SOU", "BRU OKO")


def test_after_one_round_there_is_one(open_at: Any, folder: Path, language: str) -> None:
    over(folder)
    ui = open_at("standings", language, kind="tournament")
    (read,) = [word.text for word in ui.words() if word.text.startswith("Rhône Masters")]
    assert " ".join(read.split()).endswith("après 1 sur 1 manche" if language == "fr" else "after 1 of 1 round")


@pytest.mark.article("competition", "1-3-2")
def test_a_final_is_dealt_as_the_keys_say(open_at: Any, folder: Path, language: str) -> None:
    """Ten drivers at two tables, dealt as a snake: the white key tells their number as it is stepped to."""
    over(folder)
    ui = open_at("seeding", language)
    assert ui.sees(say("seeding.deal_to", tables=2))
    ui.step(say("seeding.tables"))
    assert ui.sees(say("seeding.deal_to", tables=3))
    for key in ("deals.turn", "deals.snake", "final"):
        ui.tap(say(f"seeding.{key}"))
    ui.step(say("seeding.first"), 2)
    assert ui.sees(say("seeding.final_of", tables=10))
    best = tuple(int(line.who) for line in record(folder).standings())[:10]
    ui.tap(say("seeding.deal"))
    assert ui.sees(say("seeding.subtitle", final=True, count=10, way="snake"))
    round_ = record(folder).round(2)
    assert (round_.final, round_.ranking, *map(len, round_.tables)) == (True, best, 5, 5)
    ui.tap(theme.say("undo"))
    assert not ui.is_chosen(say("seeding.final")), "the next one is meant anew"


@pytest.mark.article("competition", "1-3-2")
def test_a_semi_final_takes_the_first_and_all_may_race_again(open_at: Any, folder: Path, language: str) -> None:
    """Sixteen, then the first six at one table; after them a round for everybody is offered, to two tables again."""
    over(folder)
    ui = open_at("seeding", language)
    for _ in range(2):
        ui.tap(say("seeding.final"))
    assert ui.is_chosen(say("seeding.semi"))
    assert ui.value(say("seeding.first")) == "16"
    ui.audit()
    ui.step(say("seeding.first"), -10)
    best = tuple(int(line.who) for line in record(folder).standings())[:6]
    ui.tap(say("seeding.deal"))
    assert ui.sees(say("seeding.subtitle", round=2, count=6, way="turn"))
    assert record(folder).round(2).tables == (best,)
    ui.close()
    add(folder, Published(round=2, why="as dealt"), Result(race="2.1", lines=on_paper(best[::-1])))
    add(folder, Confirmed(race="2.1"), by="Ada")
    standing = tuple(int(line.who) for line in record(folder).standings())
    assert standing != tuple(record(folder).ranking("trials"))
    ui = open_at("seeding", language)
    ui.tap(say("seeding.next_round"))
    assert ui.sees(say("seeding.subtitle", round=3, count=16, way="turn"))
    assert [len(seats) for seats in record(folder).round(3).tables] == [8, 8]
    assert record(folder).round(3).ranking == standing


@pytest.mark.article("competition", "2-0-3")
def test_a_second_person_who_is_not_offered_types_a_name(open_at: Any, folder: Path, language: str) -> None:
    """The first person's own name, typed, is refused; another one's makes it official."""
    begun(folder, seeded=True, published=True, raced=True)
    ui = open_at("table_result", language, table="1.1")
    for name, official in (("Weber", False), ("Duval", True)):
        ui.tap(say("table.other"))
        ui.type(name)
        assert ui.offers(name)
        ui.tap(say("table.confirm"))
        assert ui.sees(say("table.confirmed", by=name)) == official
        ui.app.hush()
    ui.audit()


def test_a_record_that_cannot_be_read_says_so_on_every_screen_of_it(open_at: Any, folder: Path, language: str) -> None:
    """One letter of its log is another one; nothing is offered, and the way back goes back."""
    begun(folder)
    with sqlite3.connect(folder / DATABASE) as db:
        for (trigger,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            db.execute(f"DROP TRIGGER {trigger}")
        assert db.execute("UPDATE entry SET body = replace(body, 'Vidal', 'Vidol')").rowcount
    db.close()
    for name in ("entrants", "seeding", "table_result"):
        ui = open_at(name, language)
        assert ui.sees("The record cannot be read" if language == "en" else "Le registre est illisible", "salvage")
        ui.audit()
        ui.back()
        assert ui.sees(say("home.a_race"))


@pytest.mark.parametrize("name", ["entrants", "seeding", "table_result"])
def test_without_a_tournament_there_is_one_sentence(open_at: Any, name: str) -> None:
    assert open_at(name).sees("No tournament yet", "New tournament")


@pytest.mark.article("competition", "1-0-1", "1-0-3", "1-3-1")
def test_trials_are_driven_for_the_tournament_and_their_times_come_back(open_at: Any, folder: Path) -> None:
    """Two drivers, under the sky that race control drew for every table."""
    begin_tournament(folder, TournamentBegun(name="Evening", track="monaco"), by="Weber").close()
    add(folder, Entered(entrants=(Entrant(3, "Ada", "Lyon"), Entrant(8, "Bob", "Turin"))))
    add(folder, Drawn(sky="rain", face=3, session=1))
    ui = open_at("entrants")
    ui.tap("Trials")
    for throws in (3, 2):
        assert ui.sees("Which tyres?", "rain tyres slide")
        drive_trial(ui, "rain", throws)
    ui.tap("Enter all")
    assert [seed.driver for seed in record(folder).seeds()] == [8, 3]
    assert (ui.row("Ada")[:5], ui.row("Bob")[:5]) == ("Ada 3", "Bob 2")


@pytest.mark.article("competition", "1-0-1", "1-3-1")
def test_who_comes_late_drives_with_the_others_and_no_time_is_lost(open_at: Any, folder: Path) -> None:
    """Ada has driven when Bob is marked as here: he is next, and both times come back. Another tournament of the same
    name has trials of its own."""

    def begin() -> None:
        begin_tournament(folder, TournamentBegun(name="Evening", track="monaco"), by="Weber").close()
        add(folder, Entered(entrants=tuple(Entrant(at, name) for at, name in ((3, "Ada"), (6, "Bob"), (9, "Eve")))))
        add(folder, Here(numbers=(3, 9)))

    def trials() -> Any:
        ui = open_at("entrants")
        ui.tap("Trials")
        return ui

    begin()
    ui = trials()
    ui.tap("Sun")
    for name in ("Ada", "Bob"):
        assert ui.sees("Which tyres?", name)
        drive_trial(ui)
        ui.close()
        add(folder, Here(numbers=(6,)), Here(numbers=(3, 9), here=False))
        ui = trials()
    ui.tap("Enter all")
    ui.close()
    assert {seed.driver for seed in record(folder).seeds() if seed.time is not None} == {3, 6}
    begin()
    assert trials().sees("Sky of session 1?")


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_whatever_can_be_undone_has_its_word(lang: str) -> None:
    for kind, table in ((Tournament, "season"), (Season, "season"), (Trials, "trial")):
        for act in {*kind.ACTS[1:], BESIDE[1]} - {Tapped}:
            undo = f"{table}.undo.{act.__struct_config__.tag}"
            assert Words(lang).screen(undo, race="1", throws=1, clock="1:00", sky="sun")
