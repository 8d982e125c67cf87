"""A tournament and a season begun by touch, their entrants typed or from a stick, their history, their weather."""

from __future__ import annotations

import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from companion.desk.record_desk import RecordDesk
from companion.house_rules import HouseRules, keep
from companion.screens.events import new_event, record_screen
from companion.screens.kit.confirm import Confirmation
from companion.screens.kit.theme import theme
from companion.sheets.reading import reading
from companion.sheets.records import kept_record, records
from companion.tournament.entrants import Changed, Entrant
from companion.tournament.season import Season
from companion.tournament.standings import SCALES
from companion.tournament.tournament import Tournament
from tests.screens.audit import audit
from tests.screens.panels import PANELS
from tests.screens.recorded import recorded
from tests.screens.test_season import Table
from tests.screens.test_tournament import begun, in_language, record, row, row_hold, typed

if TYPE_CHECKING:
    from tests.screens.rig import Rig


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "data"


@pytest.fixture
def stick(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that is found as a stick is."""
    from companion.desk import organising

    made = tmp_path / "media" / "STICK"
    made.mkdir(parents=True)
    monkeypatch.setattr(organising, "sticks", lambda: [made])
    return made


def touch(table: Table, rows: Any, place: int) -> None:
    """Touches a row of a list, wherever it has to be scrolled to."""
    rows.reveal(place)
    table.rig.settle(3)
    from tests.screens.rig import row_of

    table.rig.tap(row_of(rows, place))
    table.wait()


def line(table: Table, name: str) -> None:
    """Opens a line of what begins."""
    touch(table, table.screen.lines, [one.name for one in table.screen.lines.shown].index(name))


def pick(table: Table, answer: object) -> None:
    touch(table, table.screen.picks, [one.answer for one in table.screen.picks.shown].index(answer))


def begin(table: Table) -> None:
    """Touches the key that begins it."""
    table.ui.tap(theme.words.screen("new_event.begin"))


def menu(table: Table, name: str) -> None:
    """A key of the menu."""
    table.tap(table.screen.menu_key)
    assert not audit(table.screen)
    table.tap(table.screen.menu.made[name])


def went(table: Table, name: str) -> None:
    """Until a screen is there that is gone to by itself."""
    table.rig.until(lambda: table.app.visits[-1].name == name)
    table.wait()


@pytest.mark.parametrize(("panel", "lang", "look"), [(0, "en", "dark"), (1, "fr", "daylight")])
def test_a_tournament_is_begun_by_touch(rig: Rig, folder: Path, panel: int, lang: str, look: str) -> None:
    """From home's tile: nothing need be changed, everything can be."""
    from companion.screens.app.settings import SettingsFile

    rig.window(*PANELS[panel])
    SettingsFile(folder).change(theme=look)
    table = in_language(rig, folder, lang, "home")
    try:
        rig.until(lambda: table.screen.is_loaded)
        table.ui.tap(theme.words.screen("home.a_tournament"))
        screen = table.screen
        for one in [one.name for one in screen.lines.shown]:
            line(table, one)
            assert not audit(screen), one
        line(table, "name")
        screen.writing.line.text = ""
        rig.tap(screen.writing)
        typed(table, "Masters")
        line(table, "track")
        pick(table, "spa")
        line(table, "sessions")
        table.tap(screen.stepper.made["value", "plus"])
        line(table, "points")
        pick(table, "formula-de")
        line(table, "final")
        pick(table, "adds")
        begin(table)
        went(table, "entrants")
        begun = record(folder).begun
        assert (begun.name, begun.track, begun.sessions, begun.counts, begun.points, begun.final) == (
            "Masters", "spa", 2, "best", (10, 8, 6, 5, 4, 3, 2, 1), "adds"
        )  # fmt: skip
        assert table.screen.now.of == 0
        assert not audit(table.screen)
        table.app.back()
        assert table.app.visits[-1].name == "home"
    finally:
        table.app.close()


@pytest.mark.parametrize(("panel", "lang"), [(0, "en"), (1, "fr")])
def test_a_tournament_and_a_season_are_begun_by_house_rules(rig: Rig, folder: Path, panel: int, lang: str) -> None:
    """Their points and sizes come along, and go again with the plain rulebook."""
    house = HouseRules("Thursday rules", "competition", {"engine_dry": 5, "points": [9, 4]})
    club = HouseRules("Club league", "league", {"engine_dry": 3, "racers": 12})
    keep(folder, house)
    keep(folder, club)
    rig.window(*PANELS[panel])
    for kind in ("tournament", "season"):
        table = in_language(rig, folder, lang, "new_event", kind=kind)
        screen = table.screen
        try:
            line(table, "rulebook")
            rules = house if kind == "tournament" else club
            pick(table, rules)
            assert [one.value for one in screen.lines.shown if one.name == "rulebook"] == [rules.name]
            assert [one.answer for one in screen.picks.shown if one.chosen] == [rules]
            assert not audit(screen)
            if kind == "tournament":
                assert (screen.begun.options, screen.begun.points) == ({"engine_dry": 5}, (9, 4))
                pick(table, "competition")
                assert (screen.begun.options, screen.begun.points) == ({}, SCALES["first-six"])
                pick(table, rules)
            calendar = getattr(screen.begun, "calendar", ())
            pick(table, rules)
            assert getattr(screen.begun, "calendar", ()) == calendar
            begin(table)
            went(table, "entrants")
            begun = kept_record(folder, "last", kind).record.begun
            assert begun.options == {"engine_dry": rules.options["engine_dry"]}
            assert begun.points == (9, 4) if kind == "tournament" else begun.drivers == 12
        finally:
            table.app.close()


def test_an_answer_goes_to_the_line_that_is_seen_though_another_finger_opens_the_next(rig: Rig, folder: Path) -> None:
    """Both fingers are up before the screen is drawn again: laps are no way to the grid."""
    from tests.screens.rig import Finger, row_of, rows_of

    table = in_language(rig, folder, "en", "new_event", kind="season")
    screen = table.screen
    try:
        for seen, then in (("laps", "grid"), ("grid", "best")):
            line(table, seen)
            place = [one.name for one in screen.lines.shown].index(then)
            opens = row_of(screen.lines, place)
            if seen == "laps":
                other = screen.stepper.made["value", "plus"]
            else:
                other = next(view for view in rows_of(screen.picks) if not view.shown.chosen)
            fingers = [Finger(*one.to_window(*one.center)) for one in (opens, other)]
            for finger in fingers:
                finger.down()
            for finger in fingers:
                finger.up()
            table.wait()
            assert [one.name for one in screen.lines.shown if one.chosen] == [then]
            assert not audit(screen)
    finally:
        table.app.close()


@pytest.mark.article("ninety", "track.map")
@pytest.mark.parametrize(("lang", "label"), [("en", "Turns"), ("fr", "Coups")])
@pytest.mark.parametrize("kind", ["tournament", "season"])
def test_the_distance_of_cards_is_in_turns_that_there_may_be(
    rig: Rig, folder: Path, kind: str, lang: str, label: str
) -> None:
    """As many as usual, then two and more."""
    table = in_language(rig, folder, lang, "new_event", kind=kind)
    screen = table.screen
    try:
        line(table, "rulebook")
        pick(table, "ninety")
        line(table, "laps")
        shown = screen.lines.shown[[one.name for one in screen.lines.shown].index("laps")]
        assert (shown.label, screen.stepper.shown.label) == (label, label)
        seen = []
        for step in ("plus", "plus", "minus", "minus"):
            table.tap(screen.stepper.made["value", step])
            seen.append(screen.stepper.value)
        assert seen == [2, 3, 2, 0]
    finally:
        table.app.close()


@pytest.mark.parametrize(("panel", "lang", "look"), [(0, "fr", "dark"), (1, "en", "daylight")])
@pytest.mark.article("league", "season.races", "season.points")
def test_a_season_is_begun_by_touch(rig: Rig, folder: Path, panel: int, lang: str, look: str) -> None:
    """Eight races of the league's own points; one is put elsewhere, gets a date, one is taken away."""
    from companion.screens.app.settings import SettingsFile

    rig.window(*PANELS[panel])
    SettingsFile(folder).change(theme=look)
    table = in_language(rig, folder, lang, "new_event", kind="season")
    screen = table.screen
    try:
        for one in [one.name for one in screen.lines.shown if one.name != "add"]:
            line(table, one)
            assert not audit(screen), one
        line(table, "carried")
        pick(table, "worn")
        line(table, "repair")
        assert not audit(screen), "repair"
        table.tap(screen.stepper.made["value", "plus"])
        line(table, "race 2")
        pick(table, "suzuka")
        rig.tap(screen.writing)
        typed(table, "juin")
        line(table, "race 8")
        table.ui.tap(theme.words.screen("new_event.remove"))
        line(table, "add")
        assert len(screen.begun.calendar) == 8
        begin(table)
        went(table, "entrants")
        found = kept_record(folder, "last", "season").record
        assert isinstance(found, Season)
        assert (found.stages[2].track, found.stages[2].date, len(found.stages)) == ("suzuka", "juin", 8)
        assert found.begun.points[:8] == (10, 8, 6, 5, 4, 3, 2, 1)
        assert (found.begun.carried, found.begun.repair) == (True, 1)
        table.press("entrants.add")
        table.ui.write(theme.words.screen("entrants.field.name"), "Brun")
        table.ui.write(theme.words.screen("entrants.field.team"), "Aster")
        table.ui.tap("Suzuka")
        assert not audit(table.screen)
        table.press("entrants.enter")
        found = kept_record(folder, "last", "season").record
        assert isinstance(found, Season)
        assert found.field[1] == Entrant(1, "Brun", "Aster", ("suzuka",))
        assert not audit(table.screen)
        row(table, 0, 52, 79)
        assert table.ui.sees("1 Brun Aster"), "a touch on a row changes it"
        assert [name for name, is_home in table.screen.circuits.shown if is_home] == ["Suzuka"]
    finally:
        table.app.close()


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_a_list_on_a_stick_is_entered_whole_or_not_at_all(rig: Rig, folder: Path, stick: Path, lang: str) -> None:
    """Each bad line is told in a sentence, and nothing is entered; the file that is mended is."""
    begun(folder)
    bad = "number,name,club\n70,Ada,Lyon\nx,Bob,Lyon\n3,Twice,Turin\n71,,Basel\n72,Ada,York\n"
    (stick / "list.csv").write_text(bad, encoding="utf-8")
    (folder / "older.txt").write_text("80 Ämil, Köln\n", encoding="cp1252")
    table = in_language(rig, folder, lang, "entrants")
    try:
        menu(table, "import")
        screen = table.screen
        assert {path.name for path in screen.now} == {"list.csv", "older.txt"}
        assert not audit(screen)
        names = [path.name for path in screen.now]
        touch(table, screen.files, names.index("list.csv"))
        assert [line for line, _ in screen.wrong_lines] == [0, 4, 0, 6]
        said = [told for _, told in screen.wrong_lines]
        assert len({*said}) == 4
        assert "Vidal" in said[1]
        assert not audit(screen)
        assert len(record(folder).field.entrants) == 16
        table.press("import.other")
        (stick / "list.csv").write_text("70;Ada;Lyon\n;Bob;Lyon\n", encoding="utf-8")
        touch(table, screen.files, names.index("list.csv"))
        assert table.app.visits[-1].name == "entrants"
        assert [record(folder).field[number].name for number in (70, 1)] == ["Ada", "Bob"]
        menu(table, "import")
        names = [path.name for path in table.screen.now]
        touch(table, table.screen.files, names.index("older.txt"))
        assert record(folder).field[80] == Entrant(80, "Ämil", "Köln")
    finally:
        table.app.close()


@pytest.mark.parametrize(("panel", "lang"), [(0, "en"), (1, "fr")])
def test_undo_held_shows_the_history_and_goes_back_as_far_as_it_may(
    rig: Rig, folder: Path, panel: int, lang: str
) -> None:
    begun(folder, here=14, seeded=True)
    rig.window(*PANELS[panel])
    table = in_language(rig, folder, lang, "seeding")
    try:
        before = len(record(folder).signed)
        rig.hold(table.screen.undo, seconds=1.0)
        table.wait()
        screen = table.screen
        assert table.app.visits[-1].name == "acts"
        assert [one.takes for one in screen.now.rows[:3]] == [1, 2, 3]
        assert not audit(screen)
        touch(table, screen.rows, 2)
        assert not audit(screen)
        table.tap(screen.main)
        assert table.app.visits[-1].name == "seeding"
        assert len(record(folder).signed) == before - 3
        assert not record(folder).rounds
        table.app.go("acts", kind="tournament")
        table.wait()
        assert [one.undone for one in table.screen.now.rows[3:6]] == [True] * 3, "what is taken back stays, struck"
    finally:
        table.app.close()


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_what_is_published_or_official_is_corrected_with_a_reason(rig: Rig, folder: Path, lang: str) -> None:
    """Undo becomes Correct: after a publication two drivers change seats, of a result the order is put right."""
    begun(folder, seeded=True, published=True)
    table = in_language(rig, folder, lang, "seeding")
    try:
        screen = table.screen
        word = "Correct" if lang == "en" else "Corriger"
        assert screen.undo.face.label == word
        one, other = record(folder).round(1).tables[0][0], record(folder).round(1).tables[1][0]
        table.tap(screen.undo)
        assert not audit(screen)
        table.tap_car(one)
        table.tap_car(other)
        assert not audit(screen)
        assert record(folder).round(1).tables[0][0] == one, "not without a reason"
        table.press("seeding.reason.door")
        round_ = record(folder).round(1)
        assert (round_.tables[0][0], round_.changed) == (other, {1, 2})
        assert round_.moves[-1].why == ("Seat near the door" if lang == "en" else "Place près de la porte")
    finally:
        table.app.close()


@pytest.mark.article("competition", "1-0-3", "2-0-1")
@pytest.mark.parametrize(("panel", "lang", "look"), [(0, "en", "dark"), (1, "fr", "daylight")])
def test_the_weather_is_drawn_once_for_all_tables(rig: Rig, folder: Path, panel: int, lang: str, look: str) -> None:
    from companion.screens.app.settings import SettingsFile

    begun(folder, seeded=True, published=True)
    rig.window(*PANELS[panel])
    SettingsFile(folder).change(theme=look)
    table = in_language(rig, folder, lang, "seeding")
    try:
        menu(table, "weather")
        screen = table.screen
        assert screen.now.chosen.round == 1
        assert "Vidal" in screen.now.thrower
        assert not audit(screen)
        table.tap(screen.face.made["value", "plus"])
        table.tap(screen.main)
        sky = record(folder).sky_of_round(1)
        assert sky is not None
        assert sky.face == 1
        assert record(folder).setup("1.1")["sky"] == record(folder).setup("1.2")["sky"] == sky.sky
        assert not audit(screen)
        assert screen.rolled(17, "20")
        row(table, 1, 52, 48)
        table.tap(screen.main)
        table.press("weather.reason.die")
        assert record(folder).skies["round", 1].face == 17, "drawn again, with a reason"
        assert record(folder).skies["round", 1].why == ("Cocked die" if lang == "en" else "Dé cassé")
    finally:
        table.app.close()


def test_the_other_hand_has_the_keys_at_the_left(rig: Rig, folder: Path) -> None:
    begun(folder)
    table = in_language(rig, folder, "en", "entrants")
    try:
        screen = table.screen
        ui = table.ui
        assert ui.where("ABC")[0] > 400
        menu(table, "mirror")
        assert ui.where("ABC")[0] < 400
        assert not audit(screen)
        row_hold(table, 0, 52, 79)
        assert screen.asking.shown is not None
        assert not audit(screen)
        table.app.back()
        table.wait()
        menu(table, "mirror")
        assert ui.where("ABC")[0] > 400
    finally:
        table.app.close()


def test_a_seat_is_changed_by_drag_as_by_two_taps(rig: Rig, folder: Path) -> None:
    begun(folder, seeded=True)
    table = in_language(rig, folder, "en", "seeding")
    try:
        screen = table.screen
        numbers = screen.now.tables[0].seats[2].number, screen.now.tables[1].seats[5].number
        start, end = (table.ui.where(car=number) for number in numbers)
        finger = rig.press(*start)
        for part in (0.3, 0.6, 1.0):
            finger.slide(*rig.at(start[0] + (end[0] - start[0]) * part, start[1] + (end[1] - start[1]) * part))
            table.wait()
        assert screen.now.question.startswith("Swap"), "the prices are shown while he is taken along"
        assert not record(folder).round(1).moves[-1].organiser
        finger.up()
        table.wait()
        move = record(folder).round(1).moves[-1]
        assert (move.one, move.other, move.organiser) == (*numbers, True)
        finger = rig.press(*start)
        finger.slide(*rig.at(start[0], 470))
        finger.up()
        table.wait()
        assert not screen.now.question.startswith("Swap"), "let go on nobody, nothing is meant"
        assert record(folder).round(1).moves[-1] == move
    finally:
        table.app.close()


@pytest.mark.article("competition", "2-0-3", "21-1-4")
@pytest.mark.parametrize(("panel", "lang"), [(0, "en"), (1, "fr")])
def test_a_result_is_typed_from_paper_and_confirmed(rig: Rig, folder: Path, panel: int, lang: str) -> None:
    begun(folder, seeded=True, published=True)
    rig.window(*PANELS[panel])
    table = in_language(rig, folder, lang, "table_result", table="1.2")
    screen = table.screen
    try:
        assert not audit(screen)
        table.press("table.from_paper")
        first = [line.driver for line in screen.draft.lines]
        table.tap(screen.steppers["place"].made["value", "plus"])
        table.press("table.is_out")
        assert not audit(screen)
        table.press("table.enter")
        filed = record(folder).results["1.2"]
        assert [line.driver for line in filed.lines] == [*first[1:], first[0]]
        assert filed.lines[-1].place is None
        assert filed.log is None
        assert not audit(screen)
        table.ui.tap(screen.now.people[0].name)
        table.tap(screen.main)
        assert record(folder).results["1.2"].official
        table.tap(screen.undo)
        assert len(screen.draft.lines) == 8, "what is official is corrected"
        table.press("table.is_out")
        table.press("table.enter")
        table.press("table.why.other")
        typed(table, "video")
        filed = record(folder).results["1.2"]
        assert filed.versions[-1].signed.act.why == "video"
    finally:
        table.app.close()


@pytest.mark.article("league", "start.grid")
@pytest.mark.parametrize(("panel", "lang"), [(0, "fr"), (1, "en")])
def test_a_race_of_a_season_is_confirmed_and_corrected_by_touch(rig: Rig, folder: Path, panel: int, lang: str) -> None:
    """A correction that alters the next grid says so."""
    from tests.screens import test_season

    test_season.begun(folder).close()
    rig.window(*PANELS[panel])
    table = in_language(rig, folder, lang, "calendar")
    try:
        menu(table, "result")
        screen = table.screen
        assert (screen.now.state, screen.now.key) == ("to_come", "6")
        assert not audit(screen)
        table.press("table.from_paper")
        table.press("table.enter")
        assert not audit(screen)
        table.app.back()
        table.app.back()
        table.app.go("calendar", race=6)
        table.wait()
        assert not audit(table.screen)
        table.tap(table.screen.main)
        table.ui.tap(table.screen.now.people[1].name)
        table.tap(table.screen.main)
        found = kept_record(folder, "last", "season").record
        assert isinstance(found, Season)
        assert found.results["6"].official
        grid = found.grid(7)
        table.tap(table.screen.undo)
        table.tap(table.screen.steppers["place"].made["value", "plus"])
        assert not audit(table.screen)
        table.press("table.enter")
        word = "grid of the next race" if lang == "en" else "grille de la course suivante"
        assert word in table.screen.asking.shown.told
        assert not audit(table.screen)
        table.press("table.why.sheet")
        found = kept_record(folder, "last", "season").record
        assert isinstance(found, Season)
        assert found.grid(7) != grid
    finally:
        table.app.close()


def test_begin_tapped_twice_begins_once(rig: Rig, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The disk is slow, and a finger impatient."""
    slow, made = threading.Event(), new_event.begin_tournament
    monkeypatch.setattr(new_event, "begin_tournament", lambda *words, **by: slow.wait(20) and made(*words, **by))
    table = Table(rig, folder, "new_event", kind="tournament")
    try:
        key = table.ui.where("Begin")
        rig.tap(*key)
        rig.stall(0.5)
        rig.tap(*key)
        slow.set()
        went(table, "entrants")
        with reading(folder) as db:
            assert len(records(db)) == 1
    finally:
        table.app.close()


def test_what_a_slow_desk_opens_comes_once_and_only_where_it_was_wanted(rig: Rig, folder: Path) -> None:
    """Trials tapped twice are begun once, and not at all by somebody who has left meanwhile."""
    begun(folder)
    table = Table(rig, folder, "entrants", kind="tournament")
    try:
        for leaves in (True, False):
            slow = threading.Event()
            table.app.recording.do(lambda _, slow=slow: slow.wait(20))
            for _ in range(2):
                rig.tap(*table.ui.where(theme.words.screen("entrants.trials")))
                rig.stall(0.5)
            if leaves:
                table.app.go("settings")
            slow.set()
            recorded(rig, table.app)
            rig.settle(3)
            assert [visit.name for visit in table.app.visits[2:]] == (["settings"] if leaves else ["trial"])
            if leaves:
                table.app.back()
                table.wait()
    finally:
        table.app.close()


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_whose_entry_was_taken_back_is_said_to_be_gone(rig: Rig, folder: Path, lang: str) -> None:
    begun(folder)
    table = in_language(rig, folder, lang, "driver", kind="tournament", number=3)
    try:
        assert table.screen.now.name == "Vidal"
        table.app.go("acts", kind="tournament")
        table.wait()
        touch(table, table.screen.rows, len(table.screen.now.rows) - 2)
        table.tap(table.screen.main)
        assert table.app.visits[-1].name == "driver"
        table.ui.wait_for("That is not there" if lang == "en" else "Cela n’existe pas ici")
        assert table.ui.sees("Nobody has the number 3" if lang == "en" else "Personne n’a le numéro 3")
        assert not audit(table.screen)
    finally:
        table.app.close()


def test_a_record_left_and_opened_again_while_the_disk_is_slow_is_there(
    rig: Rig, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first opening is not over when the second begins, and has the record then: one record has one writer."""
    begun(folder)
    table = Table(rig, folder, "home")
    slow, opened = threading.Event(), record_screen.RecordDesk.resume

    def resume(*words: Any) -> Any:
        made = opened(*words)
        slow.wait(20)
        return made

    monkeypatch.setattr(record_screen.RecordDesk, "resume", resume)
    try:
        table.app.go("entrants", kind="tournament")
        table.app.home()
        table.app.go("entrants", kind="tournament")
        rig.settle(2)
        time.sleep(0.1)
        slow.set()
        table.wait()
        assert table.screen.wrong is None
        assert table.screen.now.of == 16
    finally:
        table.app.close()


def test_the_longest_names_have_room_or_are_cut(rig: Rig, folder: Path) -> None:
    """Of a file that is there already, of the driver who is to change seats, and of the circuit with most letters."""
    begun(folder, seeded=True)
    long = Entrant(3, "W" * 30, "Lyon")
    with RecordDesk.resume(folder, Tournament) as desk:
        desk.act(Changed(number=3, entrant=long), by="Weber")
    table = Table(rig, folder, "seeding")
    try:
        table.tap_car(3)
        assert not audit(table.screen)
        table.app.go("taking", kind="tournament")
        table.wait()
        question = Confirmation(title="Coupe-de-la-Haute-Saône-Tables-round-1.html exists", note="…", act="Replace")
        table.app.ask(question, lambda: None)
        rig.settle(2)
        assert table.app.over is not None
        assert not audit(table.app.over)
    finally:
        table.app.close()


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_a_tournament_can_begin_at_every_circuit(rig: Rig, folder: Path, lang: str) -> None:
    table = in_language(rig, folder, lang, "new_event", kind="tournament")
    try:
        line(table, "track")
        for place in range(len(table.screen.picks.shown)):
            touch(table, table.screen.picks, place)
            assert not audit(table.screen), table.screen.begun.track
    finally:
        table.app.close()
