"""A tournament and a season begun by touch, their entrants typed or from a stick, their history, their weather."""

from __future__ import annotations

import threading
import time
from pathlib import Path
from typing import Any

import pytest

from companion.circuits import keys
from companion.desk import organising
from companion.house_rules import HouseRules, keep
from companion.screens.app.settings import SettingsFile
from companion.screens.app.table_hardware import AppAccess
from companion.screens.events import new_event, record_screen
from companion.screens.kit.confirm import Confirmation
from companion.screens.kit.theme import theme
from companion.sheets.reading import reading
from companion.sheets.records import kept_record, records
from companion.tournament.entrants import Changed, Entrant
from companion.tournament.record import RACE_CONTROL
from companion.view.events import new_event as new_event_view
from companion.view.events.standings import circuit_name
from companion.view.setup.new_race import rulebook_name
from companion.wording import LANGUAGES, Words
from tests.screens import test_season
from tests.screens.panels import PANELS
from tests.screens.rig import Finger, Rig
from tests.screens.test_tournament import TABLES, add, are_seated, begun, record, say

ON_BOTH = pytest.mark.parametrize(("size", "lang", "look"), [(0, "en", "dark"), (1, "fr", "daylight")])


@pytest.fixture
def stick(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that is found as a stick is."""
    made = tmp_path / "STICK"
    made.mkdir()
    monkeypatch.setattr(organising, "sticks", lambda: [made])
    return made


def menu(ui: Any, name: str) -> None:
    """Open the menu, and tap a key of it."""
    ui.tap(icon="menu")
    ui.audit()
    ui.tap(say(f"season.menu.{name}"))


def change(ui: Any, line: str, answer: str = "") -> None:
    """Open a line of what begins, and pick an answer."""
    ui.tap(say(f"new_event.line.{line}"))
    ui.audit()
    if answer:
        ui.tap(answer)


@ON_BOTH
def test_a_tournament_is_begun_by_touch(rig: Rig, open_at: Any, folder: Path, size: int, lang: str, look: str) -> None:
    """From home's tile: nothing need be changed, everything can be."""
    rig.window(*PANELS[size])
    SettingsFile(folder).change(theme=look)
    ui = open_at("home", lang)
    ui.tap(say("home.a_tournament"))
    for line in ("rulebook", "laps", "counts"):
        change(ui, line)
    change(ui, "track", "Spa-Francorchamps")
    change(ui, "sessions")
    ui.step(say("new_event.line.sessions"))
    change(ui, "points", say("new_event.scale.formula-de"))
    change(ui, "final", say("new_event.final.adds"))
    ui.tap(say("new_event.line.name"))
    ui.write(say("new_event.line.name"), "Masters", anew=True)
    ui.tap(say("new_event.begin"))
    assert ui.sees(say("entrants.none"), "Masters")
    ui.audit()
    begun = record(folder).begun
    assert (begun.name, begun.track, begun.sessions, begun.counts, begun.points, begun.final) == (
        "Masters", "spa", 2, "best", (10, 8, 6, 5, 4, 3, 2, 1), "adds"
    )  # fmt: skip
    ui.back()
    assert ui.sees(say("home.a_season"))


@pytest.mark.parametrize(("kind", "line"), [("season", "laps"), ("season", "best"), ("tournament", "sessions")])
def test_a_line_and_its_stepper_say_in_words_what_0_means(panel: Rig, open_at: Any, kind: str, line: str) -> None:
    for lang in LANGUAGES:
        ui = open_at("new_event", lang, kind=kind)
        label, nought = say(f"new_event.line.{line}", turns=0), say(f"new_event.nought.{line}")
        ui.tap(label)
        while ui.value(label).isdecimal():
            ui.step(label, -1)
        assert (ui.value(label), nought in ui.row(label)) == (nought, True)
        ui.audit()
        ui.step(label)
        assert ui.value(label) == ui.row(label).split()[-1] == "1"


@pytest.mark.parametrize(("size", "lang"), [(0, "en"), (1, "fr")])
def test_a_tournament_and_a_season_are_begun_by_house_rules(
    rig: Rig, open_at: Any, folder: Path, size: int, lang: str
) -> None:
    """Their points and sizes come along, and go again with the plain rulebook."""
    house = HouseRules("Thursday rules", "competition", {"engine_dry": 5, "points": [9, 4]})
    club = HouseRules("Club league", "league", {"engine_dry": 3, "racers": 12})
    keep(folder, house)
    keep(folder, club)
    rig.window(*PANELS[size])
    for kind, rules in (("tournament", house), ("season", club)):
        ui = open_at("new_event", lang, kind=kind)
        plain = ui.row(say("new_event.line.points"))
        change(ui, "rulebook", rules.name)
        assert rules.name in ui.row(say("new_event.line.rulebook"))
        assert ui.places(rules.name) == [ui.where(icon="check")]
        ui.audit()
        if kind == "tournament":
            assert ui.row(say("new_event.line.points")).endswith("9 4")
            ui.tap(rulebook_name("competition", theme.words))
            assert ui.row(say("new_event.line.points")) == plain
            ui.tap(rules.name)
        ui.tap(say("new_event.begin"))
        assert ui.sees(say("entrants.none"))
        begun = kept_record(folder, "last", kind).record.begun
        assert begun.options == {"engine_dry": rules.options["engine_dry"]}
        assert begun.points == (9, 4) if kind == "tournament" else (begun.drivers, len(begun.calendar)) == (12, 8)


@pytest.mark.parametrize("kind", ["tournament", "season"])
def test_another_rulebook_brings_its_own_points(open_at: Any, folder: Path, kind: str) -> None:
    ui, points = open_at("new_event", kind=kind), say("new_event.line.points")
    change(ui, "rulebook", rulebook_name("death", theme.words))
    assert ui.row(points).endswith(" 10 6 4 3 2 1")
    ui.tap(rulebook_name("formula-d", theme.words))
    assert ui.row(points).endswith(" 10 8 6 5 4 3 2 1")
    ui.tap(say("new_event.begin"))
    assert kept_record(folder, "last", kind).record.begun.points == (10, 8, 6, 5, 4, 3, 2, 1)


def test_an_answer_goes_to_the_line_that_is_seen_though_another_finger_opens_the_next(rig: Rig, open_at: Any) -> None:
    """Both fingers are up before the screen is drawn again: laps are no way to the grid."""
    ui = open_at("new_event", kind="season")
    for seen, then, answer, shown in (
        ("Laps", "Grids", {"icon": "plus"}, "by the black die, every time"),
        ("Grids", "Results that count", {"words": "drawn"}, "How many results of a driver count."),
    ):
        ui.tap(seen)
        fingers = [Finger(*rig.at(*place)) for place in (ui.where(then), ui.where(**answer))]
        for finger in fingers:
            finger.down()
        for finger in fingers:
            finger.up()
        ui.calm()
        assert ui.sees(shown)
        ui.audit()
    assert (ui.row("Laps"), ui.value("Results that count")) == ("Laps 1", "all")


@pytest.mark.article("ninety", "track.map")
@pytest.mark.parametrize(("lang", "label"), [("en", "Turns"), ("fr", "Coups")])
@pytest.mark.parametrize("kind", ["tournament", "season"])
def test_the_distance_of_cards_is_in_turns_that_there_may_be(open_at: Any, kind: str, lang: str, label: str) -> None:
    """As many as usual, then two and more."""
    ui = open_at("new_event", lang, kind=kind)
    change(ui, "rulebook", rulebook_name("ninety", theme.words))
    ui.tap(label)
    for by, shown in ((1, "2"), (1, "3"), (-1, "2"), (-1, say("new_event.nought.laps"))):
        ui.step(label, by)
        assert ui.value(label) == shown


@pytest.mark.parametrize(("size", "lang", "look"), [(0, "fr", "dark"), (1, "en", "daylight")])
@pytest.mark.article("league", "season.races", "season.points")
def test_a_season_is_begun_by_touch(rig: Rig, open_at: Any, folder: Path, size: int, lang: str, look: str) -> None:
    """Eight races of the league's own points; one is put elsewhere, gets a date, one is taken away."""
    rig.window(*PANELS[size])
    SettingsFile(folder).change(theme=look)
    ui = open_at("new_event", lang, kind="season")
    for line in ("points", "best", "grid", "drivers", "team"):
        change(ui, line)
    change(ui, "carried", say("new_event.carried.worn"))
    change(ui, "repair")
    ui.step(say("new_event.line.repair"))
    ui.tap(say("new_event.line.race", race=2))
    ui.tap("Suzuka")
    ui.write(say("new_event.line.date"), "juin")
    ui.tap(say("new_event.line.race", race=8))
    ui.audit()
    ui.tap(say("new_event.remove"))
    assert ui.sees(say("new_event.legend_season", races=7))
    change(ui, "add")
    assert ui.sees(say("new_event.legend_season", races=8))
    ui.tap(say("new_event.begin"))
    ui.tap(say("entrants.add"))
    ui.write(say("entrants.field.name"), "Brun")
    ui.write(say("entrants.field.team"), "Aster")
    ui.tap("Suzuka")
    ui.audit()
    ui.tap(say("entrants.enter"))
    found = kept_record(folder, "last", "season").record
    assert (found.stages[2].track, found.stages[2].date, len(found.stages)) == ("suzuka", "juin", 8)
    assert found.begun.points[:8] == (10, 8, 6, 5, 4, 3, 2, 1)
    assert (found.begun.carried, found.begun.repair) == (True, 1)
    assert ui.row("Brun") == "Brun 1 Suzuka Aster"
    ui.audit()
    ui.tap("Brun")
    assert ui.sees("1 Brun Aster"), "a touch on a row changes it"


def test_a_list_on_a_stick_is_entered_whole_or_not_at_all(
    open_at: Any, folder: Path, stick: Path, language: str
) -> None:
    """Each bad line is told in a sentence, and nothing is entered; the file that is mended is."""
    begun(folder)
    bad = "number,name,club\n70,Ada,Lyon\nx,Bob,Lyon\n3,Twice,Turin\n71,,Basel\n72,Ada,York\n"
    (stick / "list.csv").write_text(bad, encoding="utf-8")
    (folder / "older.txt").write_text("80 Ämil, Köln\n", encoding="cp1252")
    ui = open_at("entrants", language)
    menu(ui, "import")
    assert ui.sees("list.csv", "older.txt")
    ui.audit()
    ui.tap("list.csv")
    assert ui.sees(say("import.nothing"), say("import.wrong", count=4), "Vidal")
    assert ui.in_order("4", "6")
    ui.audit()
    assert len(record(folder).field.entrants) == 16
    ui.tap(say("import.other"))
    (stick / "list.csv").write_text("70;Ada;Lyon\n;Bob;Lyon\n", encoding="utf-8")
    ui.tap("list.csv")
    assert ui.sees(say("entrants.all", count=18))
    assert [record(folder).field[number].name for number in (70, 1)] == ["Ada", "Bob"]
    menu(ui, "import")
    ui.tap("older.txt")
    assert record(folder).field[80] == Entrant(80, "Ämil", "Köln")


@pytest.mark.parametrize(("size", "lang"), [(0, "en"), (1, "fr")])
def test_undo_held_shows_the_history_and_goes_back_as_far_as_it_may(
    rig: Rig, open_at: Any, folder: Path, size: int, lang: str
) -> None:
    begun(folder, here=14, seeded=True)
    rig.window(*PANELS[size])
    ui = open_at("seeding", lang)
    before = len(record(folder).signed)
    ui.hold(theme.say("undo"))
    assert ui.sees(say("acts.title"), say("acts.ask.none"))
    ui.audit()
    for at, entry in enumerate(("18", "17", "16"), 1):
        ui.tap(entry)
        assert ui.sees(say("acts.takes", count=at))
    ui.audit()
    ui.tap(say("acts.go_back"))
    assert ui.sees(say("seeding.ask_deal"))
    assert (len(record(folder).signed), record(folder).rounds) == (before - 3, {})
    ui.app.go("acts", kind="tournament")
    ui.calm()
    for entry in ("18", "17", "16"):
        ui.tap(entry)
        assert ui.sees(say("acts.ask.undone", entry=int(entry))), "what is taken back stays, struck"


def test_what_is_published_or_official_is_corrected_with_a_reason(open_at: Any, folder: Path, language: str) -> None:
    """Undo becomes Correct: after a publication two drivers change seats, of a result the order is put right."""
    begun(folder, seeded=True, published=True)
    ui = open_at("seeding", language)
    ui.tap(say("season.correct"))
    ui.audit()
    ui.app.hush()
    ui.tap(car=3)
    ui.tap(car=6)
    ui.audit()
    assert record(folder).round(1).tables[0][0] == 3, "not without a reason"
    ui.tap(say("seeding.reason.door"))
    assert are_seated(ui, "BRU" + TABLES[0][3:], "VID" + TABLES[1][3:])
    round_ = record(folder).round(1)
    assert (round_.changed, round_.moves[-1].why) == ({1, 2}, say("seeding.reason.door"))


@pytest.mark.article("competition", "1-0-3", "2-0-1")
@ON_BOTH
def test_the_weather_is_drawn_once_for_all_tables(
    rig: Rig, open_at: Any, folder: Path, size: int, lang: str, look: str
) -> None:
    """By a typed face, and again by the die-roller."""
    begun(folder, seeded=True, published=True)
    rig.window(*PANELS[size])
    SettingsFile(folder).change(theme=look)
    ui = open_at("seeding", lang)
    menu(ui, "weather")
    ui.audit()
    ui.step(say("weather.face"))
    ui.tap(say("weather.draw"))
    ui.audit()
    assert record(folder).setup("1.1")["sky"] == record(folder).setup("1.2")["sky"] == "rain"
    AppAccess(ui.app).rolled(17, "20", -1)
    ui.calm()
    assert ui.value(say("weather.face")) == "17"
    ui.tap(say("weather.draw_again"))
    ui.tap(say("weather.reason.die"))
    assert ui.row(say("weather.round", number=1)).endswith("(17)")
    assert record(folder).skies["round", 1].why == say("weather.reason.die")


def test_the_other_hand_has_the_keys_at_the_left(open_at: Any, folder: Path) -> None:
    begun(folder)
    ui = open_at("entrants")
    assert ui.where("ABC")[0] > 400
    menu(ui, "mirror")
    assert ui.where("ABC")[0] < 400
    ui.audit()
    ui.hold("Vidal")
    assert ui.sees("Why does this driver withdraw?")
    ui.audit()
    ui.back()
    menu(ui, "mirror")
    assert ui.where("ABC")[0] > 400


def test_a_seat_is_changed_by_drag_as_by_two_taps(rig: Rig, open_at: Any, folder: Path) -> None:
    begun(folder, seeded=True)
    ui = open_at("seeding")
    start, end = ui.where(car=15), ui.where(car=33)
    finger = rig.press(*start)
    for part in (0.3, 0.6, 1.0):
        finger.slide(*rig.at(start[0] + (end[0] - start[0]) * part, start[1] + (end[1] - start[1]) * part))
        ui.calm()
    assert ui.sees("Swap 15 Sousa with?", "rank 5"), "the prices are shown while he is taken along"
    assert are_seated(ui, *TABLES)
    finger.up()
    ui.calm()
    swapped = (TABLES[0].replace("SOU", "GAL"), TABLES[1].replace("GAL", "SOU"))
    assert are_seated(ui, *swapped)
    assert record(folder).round(1).moves[-1].organiser
    finger = rig.press(*start)
    finger.slide(*rig.at(start[0], 470))
    finger.up()
    ui.calm()
    assert not ui.sees("Swap"), "let go on nobody, nothing is meant"
    assert are_seated(ui, *swapped)


@pytest.mark.article("competition", "2-0-3", "21-1-4")
@pytest.mark.parametrize(("size", "lang"), [(0, "en"), (1, "fr")])
def test_a_result_is_typed_from_paper_and_confirmed(rig: Rig, open_at: Any, folder: Path, size: int, lang: str) -> None:
    begun(folder, seeded=True, published=True)
    rig.window(*PANELS[size])
    ui = open_at("table_result", lang, table="1.2")
    ui.audit()
    ui.tap(say("table.from_paper"))
    ui.step(say("table.step_place"))
    ui.tap(say("table.is_out"))
    ui.audit()
    ui.tap(say("table.enter"))
    filed = record(folder).results["1.2"]
    assert ([line.driver for line in filed.lines], filed.log) == ([12, 18, 24, 30, 33, 39, 45, 6], None)
    assert filed.versions[-1].signed.by == RACE_CONTROL
    assert ui.row("Brun").startswith("– 6 Brun")
    assert ui.sees(say("table.paper"))
    ui.audit()
    ui.tap("Keller", below=say("table.second"))
    ui.tap(say("table.confirm"))
    assert ui.sees(say("table.confirmed", by="Keller"))
    ui.tap(say("season.correct"))
    ui.tap(say("table.is_out"))
    ui.tap(say("table.enter"))
    ui.tap(say("table.why.other"))
    ui.type("video")
    assert ui.sees(say("table.overtaken", by="Keller"))
    assert record(folder).results["1.2"].versions[-1].signed.act.why == "video"


@pytest.mark.article("league", "start.grid")
@pytest.mark.parametrize(("size", "lang"), [(0, "fr"), (1, "en")])
def test_a_race_of_a_season_is_confirmed_and_corrected_by_touch(
    rig: Rig, open_at: Any, folder: Path, size: int, lang: str
) -> None:
    """A correction that alters the next grid says so."""
    test_season.begun(folder).close()
    rig.window(*PANELS[size])
    ui = open_at("calendar", lang)
    menu(ui, "result")
    assert ui.sees(say("table.title_race", race=6), say("table.to_come"))
    ui.tap(say("table.from_paper"))
    ui.tap(say("table.enter"))
    ui.audit()
    ui.back()
    ui.tap("6")
    ui.audit()
    ui.tap(say("table.confirm"))
    ui.tap("Keller", below=say("table.second"))
    ui.tap(say("table.confirm"))
    grid = test_season.record(folder).grid(7)
    ui.tap(say("season.correct"))
    ui.step(say("table.step_place"))
    ui.audit()
    ui.tap(say("table.enter"))
    assert ui.sees(say("table.turns"))
    ui.audit()
    ui.tap(say("table.why.sheet"))
    assert test_season.record(folder).grid(7) != grid


def test_begin_tapped_twice_begins_once(rig: Rig, open_at: Any, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The disk is slow, and a finger impatient."""
    slow, made = threading.Event(), new_event.begin_tournament
    monkeypatch.setattr(new_event, "begin_tournament", lambda *words, **by: slow.wait(20) and made(*words, **by))
    ui = open_at("new_event", kind="tournament")
    key = ui.where("Begin")
    rig.tap(*key)
    rig.stall(0.5)
    rig.tap(*key)
    slow.set()
    ui.wait_for("No entrants yet")
    with reading(folder) as db:
        assert len(records(db)) == 1


def test_what_a_slow_desk_opens_comes_once_and_only_where_it_was_wanted(rig: Rig, open_at: Any, folder: Path) -> None:
    """Trials tapped twice are begun once, and not at all by somebody who has left meanwhile."""
    begun(folder)
    ui = open_at("entrants", kind="tournament")
    for leaves in (True, False):
        slow = threading.Event()
        ui.app.recording.do(lambda _, slow=slow: slow.wait(20))
        for _ in range(2):
            rig.tap(*ui.where("Trials"))
            rig.stall(0.5)
        if leaves:
            ui.app.go("settings")
        slow.set()
        ui.calm()
        assert ui.sees("Screen rotation" if leaves else "Sky of session 1?")
        ui.back()
        assert ui.sees("Who is here?")


def test_whose_entry_was_taken_back_is_said_to_be_gone(open_at: Any, folder: Path, language: str) -> None:
    begun(folder)
    ui = open_at("driver", language, kind="tournament", number=3)
    assert ui.sees("Vidal")
    ui.app.go("acts", kind="tournament")
    ui.calm()
    while ui.scroll():
        pass
    ui.tap("2", below=say("acts.title"))
    ui.tap(say("acts.go_back"))
    ui.wait_for("That is not there" if language == "en" else "Cela n’existe pas ici")
    assert ui.sees("Nobody has the number 3" if language == "en" else "Personne n’a le numéro 3")
    ui.audit()


def test_a_record_left_and_opened_again_while_the_disk_is_slow_is_there(
    rig: Rig, open_at: Any, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first opening is not over when the second begins, and has the record then: one record has one writer."""
    begun(folder)
    ui = open_at("home")
    slow, opened = threading.Event(), record_screen.RecordDesk.resume

    def resume(*words: Any) -> Any:
        made = opened(*words)
        slow.wait(20)
        return made

    monkeypatch.setattr(record_screen.RecordDesk, "resume", resume)
    ui.app.go("entrants", kind="tournament")
    ui.app.home()
    ui.app.go("entrants", kind="tournament")
    rig.settle(2)
    time.sleep(0.1)
    slow.set()
    ui.wait_for("16 entrants")


def test_the_longest_names_have_room_or_are_cut(open_at: Any, folder: Path) -> None:
    """Of a file that is there already, of the driver who is to change seats, and of the circuit with most letters."""
    begun(folder, seeded=True)
    add(folder, Changed(number=3, entrant=Entrant(3, "W" * 30, "Lyon")))
    ui = open_at("seeding")
    ui.tap(car=3)
    ui.audit()
    question = Confirmation(title="Coupe-de-la-Haute-Saône-Tables-round-1.html exists", note="…", act="Replace")
    ui.app.ask(question, lambda: None)
    ui.rig.settle(2)
    assert ui.sees("Replace")
    ui.audit()


def test_a_tournament_can_begin_at_every_circuit(open_at: Any, language: str) -> None:
    ui = open_at("new_event", language, kind="tournament")
    change(ui, "track")
    for name in sorted(circuit_name(key) for key in keys()):
        ui.tap(name, below=say("new_event.title_tournament"))
        ui.audit()


def test_the_points_of_a_season_are_the_scale_that_they_are_among_the_choices() -> None:
    """The league scores ten places, the last two with nothing."""
    shown = new_event_view.new_event(new_event_view.usual("season", Words("en"), ""), Words("en"), "points")
    assert [pick.note for pick in shown.picks if pick.chosen] == ["10 8 6 5 4 3 2 1"]
    assert next(line.value for line in shown.lines if line.name == "points") == "10 8 6 5 4 3 2 1"
