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

from companion.desk import RaceDesk
from companion.desk.beginning import begin_race
from companion.screens.kit.theme import theme
from companion.screens.pages import phones as page
from companion.web import access_point
from companion.web.access_point import AccessPoint
from companion.web.running import Phones
from tests.screens.panels import PANELS
from tests.screens.rig import Rig
from tests.screens.ui import Ui
from tests.test_protocol import SETUP
from tests.web.pages import Phone

OWN = AccessPoint("Table-7K2", "HJKLMNPQRS", "127.0.0.1")
"""The network that this device makes."""


@pytest.fixture(autouse=True)
def at_home(monkeypatch: pytest.MonkeyPatch) -> None:
    """The pages are opened on this machine only, on any port."""
    monkeypatch.setattr(page, "addresses", lambda: ["127.0.0.1"])
    monkeypatch.setattr(page, "PORT", 0)


def resumed(rig: Rig, folder: Path, setup: dict[str, Any], track: str = "monaco", **settings: object) -> Ui:
    """A race that somebody has gone on with."""
    begin_race(setup, track, folder).close()
    ui = Ui(rig, folder, **settings)
    ui.tap("Resume")
    ui.wait_for("More")
    return ui


@pytest.fixture
def ui(rig: Rig, tmp_path: Path) -> Iterator[Ui]:
    made = resumed(rig, tmp_path, SETUP)
    yield made
    made.close()


def say(key: str, **facts: Any) -> str:
    """A text of the page in the language spoken now."""
    return theme.words.screen(f"phones.{key}", **facts)


def page_of_phones(ui: Ui) -> None:
    ui.tap(theme.say("more"))
    ui.tap(say("title"))


def opened(ui: Ui) -> Phones:
    """The pages, opened by touch."""
    page_of_phones(ui)
    assert ui.app.playing.phones.pages is None  # off until somebody turns it on
    ui.tap(say("open"))
    ui.wait_for(say("feed"))
    assert ui.app.playing.phones.pages is not None
    return ui.app.playing.phones.pages


def scanned(ui: Ui, tmp_path: Path) -> str:
    """What the code on the screen says."""
    (code,) = zxingcpp.read_barcodes(Image.open(ui.rig.screenshot(tmp_path / "code.png")))
    return str(code.text)


def audited(ui: Ui) -> None:
    """The page is sound in both looks and both languages, whatever is chosen."""
    for lang in ("en", "fr"):
        ui.app.choose(language=lang)
        ui.calm()
        ui.audit_both()
    ui.app.choose(language="en")
    ui.calm()


@pytest.mark.parametrize("size", [size for size, _ in PANELS], ids=["7-inch", "display-2"])
def test_the_page_is_sound_shut_and_open_in_both_languages(ui: Ui, size: tuple[int, int]) -> None:
    Window.size = size
    ui.calm()
    page_of_phones(ui)
    audited(ui)
    ui.tap("Open to phones")
    ui.wait_for("Live feed")
    for chosen in ("Watch", "Ada"):
        ui.tap(chosen)
        audited(ui)


@pytest.fixture
def watching(ui: Ui, monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """Return a list of the listeners of the desk from here on."""
    there: list[object] = []
    listen, deaf = RaceDesk.listen, RaceDesk.deaf
    monkeypatch.setattr(RaceDesk, "listen", lambda desk, one: (there.append(one), listen(desk, one)))
    monkeypatch.setattr(RaceDesk, "deaf", lambda desk, one: (there.remove(one), deaf(desk, one)))
    return there


def test_a_drivers_code_is_scanned_replaced_and_revoked(ui: Ui, watching: list[object], tmp_path: Path) -> None:
    pages = opened(ui)
    ui.tap("Ada")
    code = scanned(ui, tmp_path)
    assert code == pages.joining(pages.tokens.codes[1])
    assert ui.sees("scan now", pages.tokens.codes[1].typed)
    pages.tokens.join(code.partition("#")[2])
    phone = Phone(pages, 1)
    with phone.following() as mine:
        assert mine.shown()["state"] == "asked"
        ui.rig.wait(1.1)
        ui.calm()
        assert ui.sees(f"joined {pages.tokens.since[1]}")
    assert ui.sees("Bob, car 2")  # the next car without a phone
    assert not ui.offers("Next"), "the only other one has a phone"
    pages.tokens.heard[1] -= 150
    ui.rig.wait(1.1)
    assert ui.row("Ada") == "1 Ada quiet 2 min"
    ui.tap("Ada")
    ui.tap("New code")
    again = Phone(pages, 1)  # a second phone, and the first one drives on
    assert again.token == phone.token
    ui.tap("Drivers answer for themselves")
    assert again.post("/answer", n=0, answer=3) == (409, "at_table")
    ui.tap("Drivers answer for themselves")
    ui.tap("Revoke", beside="Ada")
    assert ui.sees("No phone drives this car. A new code lets one join.")
    assert again.post("/answer", n=0, answer=3) == (401, "token")
    assert watching
    ui.tap("Watch")
    ui.tap("Stop phone access")
    assert ui.offers("Open to phones")
    assert pages.tokens.open == ("", 0)  # nor are they there with the race when it is resumed
    assert watching == []  # opened and shut again, it stays quick
    with pytest.raises(OSError, match="refused"):
        phone.ask("GET", "/")


def test_the_live_feed_is_switched_on_beside_the_phones_and_in_a_tournament_awaits_race_control(
    rig: Rig, folder: Path
) -> None:
    for event, there in (({"event": {"log": "0" * 32, "race": "1.1"}}, 403), ({}, 200)):
        ui = resumed(rig, folder, {**SETUP, **event})
        pages = opened(ui)
        assert not ui.sees("awaits race control")
        assert Phone(pages).ask("GET", "/api/v1/race")[0] == 403
        ui.tap("Live feed")
        assert ui.sees("awaits race control") is (there == 403)
        assert Phone(pages).ask("GET", "/api/v1/race")[0] == there
        ui.audit()
        ui.tap("Live feed")
        assert Phone(pages).ask("GET", "/api/v1/race")[0] == 403
        ui.close()


def test_no_bot_of_the_rulebook_wants_a_phone(rig: Rig, tmp_path: Path) -> None:
    cars = [{"car": number, "driver": f"Driver {number}"} for number in (1, 2)]
    ui = resumed(rig, tmp_path, {"rulebook": "ninety", "track": "saltmarsh", "deck": 7, "cars": cars}, "saltmarsh")
    opened(ui)
    assert ui.sees("Driver 1", "Driver 2", "0 of 2 drivers")
    assert ui.text().count("no phone") == 2
    ui.close()


def clock_stands(ui: Ui) -> bool:
    """Whether the shot clock of the race shows the same seconds after a while."""
    before = [word.text for word in ui.words() if ":" in word.text]
    ui.rig.wait(1.2)
    return before == [word.text for word in ui.words() if ":" in word.text]


def test_a_phone_and_a_finger_answer_the_same_question_and_the_first_is_taken(ui: Ui) -> None:
    phone = Phone(opened(ui), 1)
    ui.back()
    assert phone.post("/answer", n=0, answer=3) == (200, "")
    seat = ui.app.playing.seat
    assert seat is not None
    ui.rig.until(lambda: seat.see(lambda desk, _: desk.n).result() == 1)
    ui.calm()
    ui.tap("6")
    assert phone.post("/answer", n=1, answer=6) == (409, "stale")
    by = seat.see(lambda desk, _: [item.by for item in desk.history.items[:2]]).result()
    assert by == ["car 1", "table"]
    ui.app.playing.leave()
    ui.rig.until(lambda: ui.app.playing.seat is None)
    assert ui.app.playing.phones.pages is None  # closed with the race
    with pytest.raises(OSError, match="refused"):
        phone.ask("GET", "/")


def test_a_dispute_on_a_phone_calls_the_table_and_its_clock_stands_still(rig: Rig, tmp_path: Path) -> None:
    ui = resumed(rig, tmp_path, SETUP, shot_clock=60, prices="never")
    phone = Phone(opened(ui), 1)
    ui.back()
    with phone.following() as mine:
        mine.shown()
        assert "event: clock" in mine.block()
        assert not clock_stands(ui)
        assert phone.post("/dispute", n=0, answer=1) == (200, "")
        ui.wait_for("disputes")
        assert clock_stands(ui)
    seat = ui.app.playing.seat
    assert seat is not None
    seat.answer(0, 1)
    ui.rig.until(lambda: not clock_stands(ui))
    assert phone.post("/dispute", n=1, answer=1) == (200, "")
    ui.rig.until(lambda: clock_stands(ui))
    seat.undo()  # the question before is open again, to which nobody calls but whoever does so now
    ui.rig.until(lambda: not clock_stands(ui))
    assert phone.post("/dispute", n=0, answer=1) == (200, "")
    ui.rig.until(lambda: clock_stands(ui))
    ui.close()


def test_a_refusal_comes_back_to_the_phone_and_the_table_says_nothing(ui: Ui) -> None:
    phone = Phone(opened(ui), 1)
    status, _, body = phone.ask("POST", "/answer?lang=fr", json.dumps({"n": 0, "answer": 9}).encode())
    assert status == 409
    assert json.loads(body)["error"].startswith("Réponses possibles")
    before = ui.text()
    ui.back()
    assert not ui.sees("Réponses possibles")
    assert not ui.sees("Possible answers"), before


@pytest.fixture
def fault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the unit says why the table's own network did not start; the table can make one."""
    (tmp_path / "access-point.json").write_bytes(msgspec.json.encode(OWN))
    monkeypatch.setattr(page, "fault", lambda: access_point.fault(tmp_path / "fault"))
    monkeypatch.setattr(page, "addresses", list)
    return tmp_path / "fault"


@pytest.mark.parametrize("why", [*access_point.FAULTS, "whatever"])
def test_a_network_that_does_not_start_is_told_on_the_page(fault: Path, ui: Ui, why: str) -> None:
    for lang in ("en", "fr"):
        fault.write_text("manager\n")
        os.utime(fault, (0, 0))
        ui.app.choose(language=lang)
        ui.calm()
        page_of_phones(ui)
        assert ui.sees(say("fault", why="manager")), "what was found the time before"
        ui.tap(say("start", name=OWN.name))
        assert ui.sees(say("starting", name=OWN.name))
        assert not ui.sees(say("fault", why="manager"))
        fault.write_text(f"{why}\n")
        ui.rig.wait(1.1)
        assert ui.sees(say("fault", why=why if why != "whatever" else "failed"))
        ui.audit_both()
        ui.back()


def test_a_damaged_file_of_the_tables_own_network_is_told_with_the_way_out(fault: Path, ui: Ui) -> None:
    for bad in (b'{"name":"Table-7K2",\xff', b"[]"):
        (ui.folder / "access-point.json").write_bytes(bad)
        for lang, told in (("en", "install again"), ("fr", "réinstallez")):
            ui.app.choose(language=lang)
            ui.calm()
            page_of_phones(ui)
            assert ui.sees(told, "access-point.json")
            assert not ui.offers(OWN.name)
            ui.audit_both()
            ui.back()


def test_a_network_that_nobody_starts_is_told_after_a_minute(
    fault: Path, ui: Ui, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(page, "START_SECONDS", 0.5)
    page_of_phones(ui)
    ui.tap(say("start", name=OWN.name))
    ui.rig.wait(2.1)
    assert ui.sees(say("fault", why="failed"))


def test_the_tables_own_network_is_started_shown_and_stopped(
    fault: Path, ui: Ui, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    page_of_phones(ui)
    ui.audit_both()
    ui.tap("Start the network Table-7K2")
    assert (tmp_path / "access-point").read_text() == "on\n"
    monkeypatch.setattr(page, "addresses", lambda: [OWN.address])
    ui.rig.wait(1.1)
    assert ui.sees(f"Table-7K2 · {OWN.address}")
    ui.tap("Open to phones")
    ui.wait_for("Live feed")
    for chosen in ("Wi-Fi", "Watch", "Ada"):
        ui.tap(chosen)
        audited(ui)
        assert ui.sees(OWN.name, OWN.password)
    ui.tap("Wi-Fi")
    assert scanned(ui, tmp_path) == "WIFI:T:WPA;S:Table-7K2;P:HJKLMNPQRS;;"
    ui.tap("Stop the network Table-7K2")
    assert (tmp_path / "access-point").read_text() == "off\n"
