"""A touchscreen in a hall: its race is at race control, its top bar says how it stands, and it hears what is ruled."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from kivy.core.window import Window

from companion.desk.beginning import begin_race
from companion.desk.record_desk import RecordDesk
from companion.desk.trial_desk import TrialDesk
from companion.hall.discovery import HallAddress
from companion.hall.ledger import Ledger
from companion.hall.members import NoCode
from companion.hall.membership import joined, keep
from companion.hall.pages import HallWriter
from companion.screens.kit.theme import theme
from companion.sheets.lines import as_line
from companion.sheets.place import LEDGER
from companion.sheets.reading import entries, reading
from companion.sheets.records import kept_record
from companion.tournament.control import CallRuled, Control, DayOpened, Message, Trialled
from companion.tournament.times import AbsoluteTime
from companion.tournament.trials import TrialDriver, TrialsOpened
from companion.wording import LANGUAGES
from tests.hall.halls import Played
from tests.hall.network import needs_nats
from tests.screens.rig import Rig
from tests.screens.table import Table
from tests.screens.ui import Ui
from tests.test_protocol import SETUP
from tests.tournament.commanding import Commander

pytestmark = needs_nats


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[Played]:
    one = Played(tmp_path / "hall")
    yield one
    one.close()


@pytest.fixture
def table(rig: Rig, hall: Played, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Table]:
    """A race in the hall whose table looks often how it stands, and does not wait long for a hall that is gone."""
    monkeypatch.setattr("companion.screens.app.hall.EVERY", 0.05)
    monkeypatch.setattr("companion.hall.nats_client.ENDING", 0.5)
    (folder := tmp_path / "table").mkdir()
    keep(folder, hall.joined("4"))
    made = Table.at_race(rig, folder, lambda: begin_race(SETUP, "monaco", folder))
    yield made
    made.close()


def sees(table: Table, name: str, **facts: str) -> None:
    """Wait until the top bar or a toast says something of the locale; the hall's threads work all the time."""
    table.until(lambda: table.ui.sees(theme.words.screen(f"top.{name}", **facts)))


def test_the_race_is_at_race_control_and_its_word_at_the_table(table: Table, hall: Played) -> None:
    log_id = table.app.playing.log_id
    table.until(lambda: hall.control.floor.races.get("4") is not None)
    sees(table, "connected")
    hall.control.speak("Jo", CallRuled(table="4", log_id=log_id, text="It stands"))
    hall.control.speak("Jo", Message(text="Lunch at noon"))
    table.until(lambda: table.ui.sees("Jo: Lunch at noon"))
    table.until(lambda: any(one.by == "Jo" for one in table.see(lambda desk: list(desk.history.said))))
    seq = table.see(lambda desk: desk.seq)
    table.until(lambda: hall.control.floor.races["4"].seq == seq)


def test_one_tap_calls_and_race_control_s_word_is_the_answer(table: Table, hall: Played) -> None:
    """The key says how it stands; the toast and race control's page at which question, each in its own language."""
    sees(table, "connected")
    seq = table.see(lambda desk: desk.seq)
    key = table.ui.where(icon="whistle")
    for _ in range(2):  # the second tap takes it back
        table.tap(*key)
        sees(table, "called")
        sees(table, "calls", asks="")
        table.tap(*key)
        sees(table, "connected")
    table.tap(*key)
    table.until(lambda: hall.control.snapshot().tables[0].state == "call")
    (seen,) = hall.control.snapshot().tables
    assert seen.call is not None
    log_id = table.app.playing.log_id
    assert (seen.call.log_id, seen.call.seq, sorted(seen.call.asks)) == (log_id, seq, ["en", "fr"])
    assert seen.call.asks["en"] in HallWriter("en").control(hall.control.snapshot())["calls"].replace("&#x27;", "'")
    hall.control.intake.comes(seen.id, "Jo")
    sees(table, "coming", who="Jo")
    hall.control.speak("Jo", CallRuled(table="4", log_id=log_id, text="It stands"))
    sees(table, "connected")


def test_without_race_control_the_top_bar_says_alone_and_the_race_goes_on(
    table: Table, hall: Played, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.hall.carrier.ALONE", 0.5)
    table.until(lambda: hall.control.floor.races.get("4") is not None)
    hall.control.end()
    sees(table, "alone")
    before = table.see(lambda desk: desk.seq)
    table.see(lambda desk: desk.note("alone"))
    assert table.see(lambda desk: desk.seq) == before + 1


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_table_joins_and_leaves_by_touch(
    rig: Rig, hall: Played, tmp_path: Path, language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From the settings, letter by letter; a code that is none is one sentence, and nothing has changed."""
    monkeypatch.setattr(
        "companion.hall.discovery.discover", lambda: [HallAddress("Monaco Cup", "127.0.0.1", hall.control.pages)]
    )
    Window.size = (800, 480) if language == "fr" else (1280, 720)
    (folder := tmp_path / "table").mkdir()
    table = Table(rig, folder, language=language)
    say, members, ui = theme.words.screen, hall.control.members, table.ui
    try:
        table.app.go("settings")

        def tap(words: str, below: str = "") -> None:
            table.tap(*ui.where(words, below=below))  # the hall's threads work all the time

        tap(say("settings.hall"))
        table.until(lambda: ui.sees(f"127.0.0.1:{hall.control.pages}"))
        ui.audit_both()
        for code in ("AAAAAAAA", members.code("Table 7")):
            for letter in code[:7] + "Z":
                tap(letter, below=say("table_hall.address"))
            tap(say("table_hall.less"))
            ui.audit_both()
            tap(code[7], below=say("table_hall.address"))
            tap(say("table_hall.join"))
            if code == "AAAAAAAA":
                table.until(lambda: ui.sees(theme.words.error(NoCode("code"))))
                assert joined(folder) is None
                for _ in code:
                    tap(say("table_hall.less"))
        table.until(lambda: ui.sees(say("table_hall.joined", table="7", hall="Monaco Cup")))
        assert joined(folder) is not None
        table.until(lambda: table.app.hall.carrier is not None and table.app.hall.carrier.stand.line == "connected")
        table.app.hush()
        table.until(lambda: ui.sees(say("table_hall.table", table="7"), say("table_hall.in", hall="Monaco Cup")))
        ui.audit_both()
        assert [one.name for one in members.all().values()] == ["7"]
        tap(say("table_hall.leave"))
        ui.audit_both()
        tap(say("table_hall.leave"), below=say("table_hall.leave_ask"))
        table.until(lambda: not members.all() and joined(folder) is None)
        assert table.app.hall.carrier is None
    finally:
        table.app.close()


def test_a_code_is_sent_once_to_the_address_that_was_written(ui: Ui, monkeypatch: pytest.MonkeyPatch) -> None:
    """A hall that is heard meanwhile does not write over it; what the code has too much is not taken."""
    heard, sent = threading.Event(), list[tuple[str, int, str]]()
    found = [HallAddress("Monaco Cup", "127.0.0.1", 8000)]
    monkeypatch.setattr("companion.hall.discovery.discover", lambda: found if heard.wait(20) else [])
    monkeypatch.setattr(ui.app.hall, "join", lambda host, port, code, _: sent.append((host, port, code)))
    ui.tap("Settings", "Hall")
    ui.write("Race control’s address", "10.0.0.7:8080")
    assert not ui.offers("Seek"), "it listens"
    heard.set()
    ui.wait_for("Monaco Cup is heard")
    assert ui.written("Race control’s address") == "10.0.0.7:8080"
    assert ui.offers("Seek")
    assert not ui.offers("Delete")
    for letter in "ABCDEFG":
        assert not ui.offers("Join")
        ui.tap(letter, below="Race control’s address")
    assert ui.sees("1 letter to go")
    for letter in "HH":
        ui.tap(letter, below="Race control’s address")
    ui.tap("Join")
    assert not ui.offers("Join"), "until race control answers"
    assert sent == [("10.0.0.7", 8080, "ABCDEFGH")]


def test_race_control_s_own_screen_takes_in_what_the_tables_send_while_it_is_open(
    rig: Rig, open_at: Any, folder: Path, tmp_path: Path
) -> None:
    """Every minute, without anybody's doing."""
    run, place = Commander(folder, "tournament"), tmp_path / "table"
    run("new", "Cup")
    run("enter", "Ada", "--number", "7")
    event = kept_record(folder, "last", "tournament").listed.log_id
    ui = open_at("entrants")
    opened = TrialsOpened(name="Cup", track="monaco", drivers=(TrialDriver(number=7),), event=event)
    with RecordDesk.begin(folder, Control, DayOpened(name="Saturday"), by="Jo") as control:
        control.act(Trialled(table="1", opened=opened), by="Jo")
    with TrialDesk.begin(place, opened) as desk:
        desk.typed(7, 1, AbsoluteTime(throws=15, clock=4000))
        log_id = desk.desk.log_id
    with Ledger(folder / LEDGER) as ledger, reading(place) as db:
        ledger.ingest("".join(map(as_line, entries(db, log_id))).encode(), "1")
    assert not ui.sees("15")
    rig.wait(61)
    ui.calm()
    assert ui.row("Ada").startswith("15 ")
