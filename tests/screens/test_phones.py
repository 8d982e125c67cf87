"""The page of the phones, by touch: opened, a code for each driver, revoked, replaced; a finger and a phone at once."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
import zxingcpp
from kivy.core.window import Window
from PIL import Image

from companion.desk.beginning import begin_race
from companion.screens.pages import phones as page
from companion.screens.pages.phones import WATCH, WIFI, PhonesScreen
from companion.web import access_point
from companion.web.access_point import AccessPoint
from tests.screens.audit import in_both_looks
from tests.screens.panels import PANELS
from tests.screens.rig import Rig
from tests.screens.table import Table
from tests.screens.ui import Ui
from tests.test_protocol import SETUP
from tests.web.pages import Phone


@pytest.fixture
def table(rig: Rig, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Table]:
    monkeypatch.setattr(page, "addresses", lambda: ["127.0.0.1"])
    monkeypatch.setattr(page, "PORT", 0)
    made = Table.at_race(rig, tmp_path, lambda: begin_race(SETUP, "monaco", tmp_path))
    yield made
    made.close()


def phones(table: Table) -> PhonesScreen:
    """The page, come to by touch."""
    table.tap(table.key_of_more())
    table.tap(table.key(table.screen.say("more.phones")))
    table.calm()
    screen = table.app.screen
    assert isinstance(screen, PhonesScreen)
    return screen


def said(table: Table) -> str:
    """All that is written on the page, a paragraph in one line."""
    return " ".join(table.texts())


def opened(table: Table) -> Any:
    """And the pages opened."""
    screen = phones(table)
    assert screen.pages is None  # off until somebody turns it on
    table.tap(screen.networks[0])
    table.until(lambda: screen.rows.parent is not None)
    table.calm()
    return screen


@pytest.mark.parametrize("size", [size for size, _ in PANELS], ids=["7-inch", "display-2"])
def test_the_page_is_sound_shut_and_open_in_both_languages(table: Table, size: tuple[int, int]) -> None:
    Window.size = size
    table.calm()
    screen = phones(table)
    for lang in ("en", "fr"):
        table.app.choose(language=lang)
        table.calm()
        assert in_both_looks(table.app.stage) == [], lang
    table.app.choose(language="en")
    table.tap(screen.networks[0])
    table.until(lambda: screen.rows.parent is not None)
    for lang in ("en", "fr"):
        table.app.choose(language=lang)
        for chosen in (WATCH, 1):
            screen._show(chosen)
            table.calm()
            assert in_both_looks(table.app.stage) == [], (lang, chosen)


def test_a_drivers_code_is_scanned_replaced_and_revoked(table: Table, tmp_path: Path) -> None:
    screen = opened(table)
    pages = screen.pages
    table.tap_row(screen.rows, 0)
    table.calm()
    read = zxingcpp.read_barcodes(Image.open(table.rig.screenshot(tmp_path / "code.png")))
    assert [one.text for one in read] == [pages.joining(pages.tokens.codes[1])]
    assert screen.say("phones.now") in table.texts()
    assert pages.tokens.codes[1].typed in table.texts()
    pages.tokens.join(read[0].text.partition("#")[2])
    phone = Phone(pages, 1)
    with phone.following() as mine:
        assert mine.shown()["state"] == "asked"
        table.rig.wait(1.1)
        table.calm()
        assert screen.say("phones.joined", time=pages.tokens.since[1]) in table.texts()
    assert screen.chosen == 2  # the next car without a phone
    table.tap_row(screen.rows, 0)
    table.tap(screen.anew)
    again = Phone(pages, 1)  # a second phone, and the first one drives on
    assert again.token == phone.token
    table.tap(screen.drivers)
    assert again.post("/answer", n=0, answer=3) == (409, "at_table")
    table.tap(screen.drivers)
    table.tap(next(row.key for row in screen.rows._box.children if row.shown.plate.number == 1))
    table.calm()
    assert screen.say("phones.void") in table.texts()
    assert again.post("/answer", n=0, answer=3) == (401, "token")
    heard = table.see(lambda desk: len(desk._listeners))
    table.tap_row(screen.first, 0)
    table.tap(screen.shut)
    assert screen.pages is None
    assert pages.tokens.open == ("", 0)  # nor are they there with the race when it is resumed
    assert table.see(lambda desk: len(desk._listeners)) == heard - 1  # opened and shut again and again, it stays quick
    with pytest.raises(OSError, match="refused"):
        phone.ask("GET", "/")


def test_the_live_feed_is_switched_on_beside_the_phones_and_in_a_tournament_awaits_race_control(
    rig: Rig, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(page, "addresses", lambda: ["127.0.0.1"])
    monkeypatch.setattr(page, "PORT", 0)
    for event, there in (({"event": {"log": "0" * 32, "race": "1.1"}}, 403), ({}, 200)):
        begin_race({**SETUP, **event}, "monaco", folder).close()
        ui = Ui(rig, folder)
        ui.tap("Resume")
        ui.wait_for("More")
        ui.tap("More")
        ui.tap("Phones")
        ui.tap("Open to phones")
        ui.wait_for("Live feed")
        pages = ui.app.playing.phones.pages
        assert pages is not None
        assert not ui.sees("awaits race control")
        assert Phone(pages).ask("GET", "/api/v1/race")[0] == 403
        ui.tap("Live feed")
        assert ui.sees("awaits race control") is (there == 403)
        assert Phone(pages).ask("GET", "/api/v1/race")[0] == there
        ui.audit()
        ui.tap("Live feed")
        assert Phone(pages).ask("GET", "/api/v1/race")[0] == 403
        ui.close()


def test_no_bot_of_the_rulebook_wants_a_phone(rig: Rig, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page, "addresses", lambda: ["127.0.0.1"])
    monkeypatch.setattr(page, "PORT", 0)
    cars = [{"car": number, "driver": f"Driver {number}"} for number in (1, 2)]
    setup = {"rulebook": "ninety", "track": "saltmarsh", "deck": 7, "cars": cars}
    table = Table.at_race(rig, tmp_path, lambda: begin_race(setup, "saltmarsh", tmp_path))
    screen = opened(table)
    assert len(table.see(lambda desk: desk.names)) > 2
    assert sorted(screen.cars) == table.see(lambda desk: desk.driven) == [1, 2]
    table.close()


def test_a_phone_and_a_finger_answer_the_same_question_and_the_first_is_taken(table: Table) -> None:
    screen = opened(table)
    phone = Phone(screen.pages, 1)
    table.app.back()
    table.calm()
    assert phone.post("/answer", n=0, answer=3) == (200, "")
    table.until(lambda: table.shown.prompt.ask == "roll")  # the table's picture follows
    seat = table.app.playing.seat
    assert seat is not None
    seat.answer(1, 6)
    assert phone.post("/answer", n=1, answer=6) == (409, "stale")
    by = table.see(lambda desk: [item.by for item in desk.history.items[:2]])
    assert by == ["car 1", "table"]
    pages = table.app.playing.phones.pages
    table.app.playing.leave()
    table.until(lambda: table.app.playing.seat is None)
    assert table.app.playing.phones.pages is None  # closed with the race
    assert pages is not None
    with pytest.raises(OSError, match="refused"):
        phone.ask("GET", "/")


def test_a_dispute_on_a_phone_calls_the_table_and_its_clock_stands_still(table: Table) -> None:
    table.app.kept.change(shot_clock=60, prices="never")
    screen = opened(table)
    table.app.back()
    table.calm()
    phone = Phone(screen.pages, 1)
    with phone.following() as mine:
        mine.shown()
        assert "event: clock" in mine.block()
        assert phone.post("/dispute", n=0, answer=1) == (200, "")
        table.until(lambda: table.shown.toast is not None)
        table.calm()
        assert table.shown.toast is not None
        assert "disputes" in table.shown.toast.text
        assert table.screen.shot.stopped == {"called"}
    seat = table.app.playing.seat
    assert seat is not None
    seat.answer(0, 1)
    table.until(lambda: table.shown.prompt.n == 1)
    table.calm()
    assert table.screen.shot.stopped == set()
    assert phone.post("/dispute", n=1, answer=1) == (200, "")
    table.until(lambda: table.screen.shot.stopped)
    seat.undo()  # the question before is open again, to which nobody calls but whoever does so now
    table.until(lambda: table.shown.prompt.n == 0)
    table.calm()
    assert table.screen.shot.stopped == set()
    assert phone.post("/dispute", n=0, answer=1) == (200, "")
    table.until(lambda: table.screen.shot.stopped)


def test_a_refusal_comes_back_to_the_phone_and_the_table_says_nothing(table: Table) -> None:
    screen = opened(table)
    status, _, body = Phone(screen.pages, 1).ask("POST", "/answer?lang=fr", json.dumps({"n": 0, "answer": 9}).encode())
    assert status == 409
    assert json.loads(body)["error"].startswith("Réponses possibles")
    table.app.back()
    table.calm()
    assert table.shown.toast is None


@pytest.fixture
def fault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the unit says why the table's own network did not start; the table can make one."""
    own = AccessPoint("Table-7K2", "HJKLMNPQRS", "127.0.0.1")
    (tmp_path / "access-point.json").write_bytes(msgspec.json.encode(own))
    monkeypatch.setattr(page, "fault", lambda: access_point.fault(tmp_path / "fault"))
    monkeypatch.setattr(page, "addresses", list)
    return tmp_path / "fault"


@pytest.mark.parametrize("why", [*access_point.FAULTS, "whatever"])
def test_a_network_that_does_not_start_is_told_on_the_page(table: Table, fault: Path, why: str) -> None:
    fault.write_text("manager\n")
    os.utime(fault, (0, 0))
    screen = phones(table)
    for lang in ("en", "fr"):
        table.app.choose(language=lang)
        table.calm()
        assert screen.say("phones.fault", why="manager") in said(table), "what was found the time before"
        table.tap(screen.point)
        assert screen.say("phones.starting", name="Table-7K2") in said(table)
        assert screen.say("phones.fault", why="manager") not in said(table)
        fault.write_text(f"{why}\n")
        table.rig.wait(1.1)
        assert screen.say("phones.fault", why=why if why != "whatever" else "failed") in said(table)
        assert in_both_looks(table.app.stage) == [], lang
        fault.write_text("manager\n")
        os.utime(fault, (0, 0))
        table.app.back()
        table.calm()
        screen = phones(table)


def test_a_damaged_file_of_the_tables_own_network_is_told_with_the_way_out(table: Table, fault: Path) -> None:
    for bad in (b'{"name":"Table-7K2",\xff', b"[]"):
        (table.folder / "access-point.json").write_bytes(bad)
        for lang, told in (("en", "install again"), ("fr", "réinstallez")):
            table.app.choose(language=lang)
            table.calm()
            screen = phones(table)
            assert told in said(table)
            assert "access-point.json" in said(table)
            assert screen.point.parent is None
            assert in_both_looks(table.app.stage) == [], lang
            table.app.back()
            table.calm()


def test_a_network_that_nobody_starts_is_told_after_a_minute(
    table: Table, fault: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(page, "START_SECONDS", 0.5)
    screen = phones(table)
    table.tap(screen.point)
    table.rig.wait(2.1)
    assert screen.say("phones.fault", why="failed") in said(table)


def test_the_tables_own_network_is_started_shown_and_stopped(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    own = AccessPoint("Table-7K2", "HJKLMNPQRS", "127.0.0.1")
    (table.folder / "access-point.json").write_bytes(msgspec.json.encode(own))
    monkeypatch.setattr(page, "addresses", list)
    screen = phones(table)
    assert in_both_looks(table.app.stage) == []
    table.tap(screen.point)
    assert (table.folder / "access-point").read_text() == "on\n"
    monkeypatch.setattr(page, "addresses", lambda: [own.address])
    table.rig.wait(1.1)
    assert f"Table-7K2 · {own.address}" in table.texts()
    table.tap(screen.networks[0])
    table.until(lambda: screen.rows.parent is not None)
    for lang in ("en", "fr"):
        table.app.choose(language=lang)
        for chosen in (WIFI, WATCH, 1):
            screen._show(chosen)
            table.calm()
            assert in_both_looks(table.app.stage) == [], (lang, chosen)
            assert {own.name, own.password} <= set(table.texts())
    table.tap_row(screen.first, 0)
    table.calm()
    assert screen.address == "WIFI:T:WPA;S:Table-7K2;P:HJKLMNPQRS;;"
    table.tap(screen.point)
    assert (table.folder / "access-point").read_text() == "off\n"
