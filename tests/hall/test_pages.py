"""Race control's pages: what they show of real tables, what they take, and what they refuse."""

from __future__ import annotations

import contextlib
import http.client
import json
import socket
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.hall import joining, server
from companion.hall.carrier import Carrier
from companion.hall.joining import NotJoined
from companion.hall.membership import joined, leave
from companion.hall.obeying import obey
from companion.hall.wire import Call
from companion.rules.conversation.errors import BadEntry
from companion.sheets.log import now
from companion.sheets.records import kept_record
from companion.tournament.control import CallRuled, Control, FeedAllowed, Message
from tests.french import told_in_french
from tests.hall.halls import NAMES, Played, unhurried
from tests.hall.network import needs_nats, until
from tests.web.axe import LEFT_OUT, source, violations
from tests.web.browser import CHROMIUM, DRIVER, Browsers, too_high, too_wide
from tests.web.browser import MISSING as NO_BROWSER

pytestmark = needs_nats


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Played]:
    """Table 1 races, 2 is over, 3 disputes a ruling; 10 has joined and has no race."""
    with unhurried():
        one = Played(tmp_path_factory.mktemp("hall"))
        for number, laps, answers in ((1, 2, 60), (2, 1, 4000), (3, 2, 60)):
            one.table(str(number), laps=laps, seed=number, names=(*NAMES[:2], "<b>Zoé"[:6])).play(answers)
        one.tables["3"].desk.dispute_last(by="table", why="Past the <line>")
        one.joined("10")
        one.settled()
        yield one
        one.close()


@pytest.fixture(scope="module")
def codes(hall: Played) -> dict[str, str]:
    return {name: hall.control.members.speaker(name) for name in ("Jo", "Kim")}


def asked(hall: Played, method: str, path: str, said: object = None, code: str = "", **headers: str) -> tuple[int, str]:
    line = http.client.HTTPConnection("127.0.0.1", hall.control.pages, timeout=60)
    more = {"Origin": f"http://127.0.0.1:{hall.control.pages}", "Content-Type": "application/json"}
    if code:
        more["Authorization"] = f"Bearer {code}"
    try:
        line.request(method, path, json.dumps(said).encode() if said is not None else None, {**more, **headers})
        reply = line.getresponse()
        assert "default-src 'none'" in (reply.getheader("content-security-policy") or "")
        return reply.status, reply.read().decode()
    finally:
        line.close()


def control(hall: Played) -> Control:
    record = kept_record(hall.control.folder, "last", Control.KIND).record
    assert isinstance(record, Control)
    return record


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_every_table_is_there_without_a_script(hall: Played, lang: str) -> None:
    status, page = asked(hall, "GET", f"/control?lang={lang}")
    assert status == 200
    assert page.index('scope="row"><a') < page.index('scope="row">10<'), "table 2 comes before table 10"
    english, french = ("Racing", "Finished", "Referee", "Free"), ("En course", "Terminé", "Commissaire", "Libre")
    for word in english if lang == "en" else french:
        assert f" {word}</span>" in page
    for table in hall.tables.values():
        head = table.desk.log.entries[-1].hash.hex()[:6]  # type: ignore[union-attr]
        assert head in page, "what the table's own screen shows for its end"
    assert "<line>" not in page
    assert "<b>Zo" not in page
    assert "on=" not in page.replace('lang="en"', "")
    status, wall = asked(hall, "GET", f"/?lang={lang}")
    assert ("Referee called" if lang == "en" else "Commissaire appelé") in wall


def test_a_log_is_shown_with_its_rulings(hall: Played) -> None:
    desk = hall.tables["1"].desk
    status, page = asked(hall, "GET", f"/log/{desk.history.log_id}?lang=en")
    assert (status, page.count("<tr>")) == (200, desk.seq + 1)
    assert asked(hall, "GET", "/log/" + "0" * 32)[0] == 404


def test_a_page_is_told_what_changes_at_once(hall: Played) -> None:
    """From the table's commit to the page; the bound is far above what `tests.hall.load` measures."""
    line = http.client.HTTPConnection("127.0.0.1", hall.control.pages, timeout=60)
    line.request("GET", "/events?page=control&lang=en")
    stream = line.getresponse()

    def told() -> str:
        while not (said := stream.readline().decode()).startswith("data: "):
            assert said
        return said

    told()
    hall.tables["1"].play(1)
    at, seq = time.monotonic(), hall.tables["1"].desk.seq
    while f"<b>{seq}</b>" not in told():
        assert time.monotonic() < at + 10
    line.sock.close()  # type: ignore[union-attr]


def test_only_who_has_a_code_of_his_own_speaks(hall: Played, codes: dict[str, str]) -> None:
    before = len(control(hall).log)
    said = {"/say": {"text": "x"}, "/code": {"name": "x"}, "/come": {"table": "x"}, "/revoke": {"table": "x"},
            "/feed": {"allowed": "on"},
            "/rule": {"table": "x", "log": "x", "about": "0", "text": "x"},
            "/confirm": {"log": "x", "seq": "1", "hash": "x"}}  # fmt: skip
    for path, what in said.items():
        assert asked(hall, "POST", path, what)[0] == 401
        assert asked(hall, "POST", path, what, "ABCDEFGH")[0] == 401
        assert asked(hall, "POST", path, what, codes["Jo"], Origin="http://elsewhere")[0] == 403
    wrong = json.loads(asked(hall, "POST", "/come", {"table": "x"}, "ABCDEFGH", **{"Accept-Language": "fr"})[1])
    assert wrong == {"error": "Ce code n’est plus valable\u00a0; utilisez le plus récent.", "code": "token"}
    for bad in ({}, {"text": 3}, {"text": "x", "more": "y"}, [], "x"):
        assert asked(hall, "POST", "/say", bad, codes["Jo"])[0] == 400
    assert len(control(hall).log) == before


def test_what_is_said_is_in_race_control_s_log(hall: Played, codes: dict[str, str]) -> None:
    assert asked(hall, "POST", "/say", {"text": "Lunch"}, codes["Jo"])[0] == 200
    last = control(hall).signed[-1]
    assert (last.by, last.act) == ("Jo", Message(text="Lunch"))
    status, said = asked(hall, "POST", "/say", {"text": " "}, codes["Jo"], **{"Accept-Language": "fr"})
    assert (status, json.loads(said)["error"]) == (409, told_in_french(BadEntry("act_message")))
    assert "Lunch" in asked(hall, "GET", "/?lang=en")[1]


@pytest.mark.skipif(CHROMIUM is None or DRIVER is None, reason=NO_BROWSER)
def test_race_control_allows_the_live_feed_on_its_page_and_forbids_it(hall: Played, codes: dict[str, str]) -> None:
    browsers = Browsers()
    try:
        page = browsers.page(1280, 720)
        page.open(f"http://127.0.0.1:{hall.control.pages}/control?lang=en")
        assert not page.run("return document.querySelector('#feed button').checkVisibility()")
        for lang, allow, forbid in (
            ("en", "Allow live feed", "Forbid live feed"),
            ("fr", "Autoriser le flux", "Interdire le flux"),
        ):
            page.open("about:blank")
            page.open(f"http://127.0.0.1:{hall.control.pages}/control?lang={lang}#{codes['Jo']}")
            for before, after, allowed in ((allow, forbid, True), (forbid, allow, False)):
                page.wait(lambda before=before: page.text("#feed") == before)
                page.tap("#feed button")
                page.wait(lambda after=after: page.text("#feed") == after)
                last = control(hall).signed[-1]
                assert (last.by, last.act) == ("Jo", FeedAllowed(allowed=allowed))
                assert control(hall).allows_feed("3") is allowed
    finally:
        browsers.close()
    assert asked(hall, "POST", "/feed", {"allowed": "perhaps"}, codes["Jo"])[0] == 400


def test_a_result_takes_two_people_and_is_the_one_that_is_seen(hall: Played, codes: dict[str, str]) -> None:
    race = hall.control.floor.races["2"]
    meant = {"log": race.log_id, "seq": str(race.seq), "hash": race.hash}
    assert asked(hall, "POST", "/confirm", {**meant, "seq": "3"}, codes["Jo"])[0] == 409
    assert asked(hall, "POST", "/confirm", meant, codes["Jo"])[0] == 200
    assert asked(hall, "POST", "/confirm", meant, codes["Jo"])[0] == 409, "not twice the same"
    assert asked(hall, "POST", "/confirm", {**meant, "code": "AAAAAAAA"}, codes["Jo"])[0] == 401
    assert "1 of 2 people" in asked(hall, "GET", "/control?lang=en")[1]
    assert asked(hall, "POST", "/confirm", {**meant, "code": codes["Kim"]}, codes["Jo"])[0] == 200
    assert " Confirmed</span>" in asked(hall, "GET", "/control?lang=en")[1]


def test_a_call_is_seen_answered_and_over(hall: Played, codes: dict[str, str]) -> None:
    table = hall.tables["1"]
    desk = table.desk
    table.carrier.call(Call(desk.history.log_id, desk.seq, desk.n, now(), text="Is it our turn?"))
    until(lambda: "Is it our turn?" in asked(hall, "GET", "/control?lang=en")[1])
    assert asked(hall, "POST", "/come", {"table": table.place.id}, codes["Kim"])[0] == 200
    until(lambda: table.carrier.coming == "Kim")
    assert "Kim is coming" in asked(hall, "GET", "/control?lang=en")[1]
    what = {"table": table.place.id, "log": desk.history.log_id, "about": "0", "text": "It is car 8's"}
    assert asked(hall, "POST", "/rule", what, codes["Kim"])[0] == 200
    word = control(hall).words("1")[-1]
    assert (word.by, word.act) == ("Kim", CallRuled(table="1", log_id=desk.history.log_id, text="It is car 8's"))
    table.carrier.call(None)
    until(lambda: "Is it our turn?" not in asked(hall, "GET", "/control?lang=en")[1])


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_what_is_to_be_set_otherwise_is_said_in_values(hall: Played, codes: dict[str, str], lang: str) -> None:
    """The fields are those that the rules have now, tried before it is said: the table enters it as an override."""
    hall.settled()
    desk = hall.tables["1"].desk
    log_id, car = desk.history.log_id, desk.public().cars[0]
    status, page = asked(hall, "GET", f"/change/{log_id}?car={car.number}&lang={lang}")
    assert (status, f'name="value.wear.tyres" value="{car.wear["tyres"]}"' in page) == (200, True)  # type: ignore[attr-defined]
    assert 'name="value.sky"' in asked(hall, "GET", f"/change/{log_id}?lang={lang}")[1]
    form = {"log": log_id, "car": str(car.number), "text": "It was the other one"}
    left = 1 if car.wear["tyres"] != 1 else 2  # type: ignore[attr-defined]
    french = {"Accept-Language": lang}
    refused = {"wear.tyres": str(car.wear["tyres"])}, {"wear.tyres": "many"}, {"wear.tyres": "-3"}  # type: ignore[attr-defined]
    for fields in refused:
        said = {f"value.{name}": text for name, text in fields.items()}
        status, told = asked(hall, "POST", "/set", {**form, **said}, codes["Kim"], **french)
        assert (status, len(json.loads(told)["error"]) > 9) == (409, True)
    assert asked(hall, "POST", "/set", {**form, "value.wear.tyres": str(left)})[0] == 401
    status, told = asked(hall, "GET", f"/change/{log_id}?car=999&lang={lang}", Accept="text/html")
    assert (status, told.startswith(f'<!doctype html><html lang="{lang}">')) == (409, True)
    assert asked(hall, "GET", f"/change/{'0' * 32}")[0] == 404
    assert asked(hall, "POST", "/set", {**form, "value.wear.tyres": str(left)}, codes["Kim"])[0] == 200
    word = control(hall).words("1")[-1]
    assert isinstance(word.act, CallRuled)
    assert (word.by, word.act.change) == ("Kim", {"car": car.number, "wear": {"tyres": left}})
    assert obey(desk, word)
    assert desk.history.items[-1].by == "Kim"
    assert desk.public().cars[0].wear["tyres"] == left  # type: ignore[union-attr]


def test_race_control_ends_a_race_and_nothing_is_ended_unasked(hall: Played, codes: dict[str, str]) -> None:
    hall.settled()
    desk = hall.tables["1"].desk
    page = asked(hall, "GET", f"/change/{desk.history.log_id}?lang=en")[1]
    assert '<option value="half">Half points</option>' in page
    form = {"log": desk.history.log_id, "car": "", "text": "The hall closes"}
    untouched = {"value.cut_short": "", "value.red_flag": "", "value.sky": desk.public().sky}  # type: ignore[union-attr]
    assert asked(hall, "POST", "/set", {**form, **untouched}, codes["Kim"])[0] == 409
    assert asked(hall, "POST", "/set", {**form, **untouched, "value.cut_short": "half"}, codes["Kim"])[0] == 200
    word = control(hall).words("1")[-1]
    assert isinstance(word.act, CallRuled)
    assert word.act.change == {"cut_short": "half"}
    assert obey(desk, word)
    assert desk.over
    assert desk.history.items[-1].by == "Kim"


@pytest.mark.skipif(CHROMIUM is None or DRIVER is None, reason=NO_BROWSER)
def test_axe_finds_nothing_serious_on_any_page(hall: Played, codes: dict[str, str]) -> None:
    if not source():
        pytest.skip(LEFT_OUT)
    log_id, found = hall.tables["1"].desk.history.log_id, {}
    browsers = Browsers()
    try:
        page = browsers.page(1280, 720)
        for lang in ("en", "fr"):
            for path in ("control", "wall", f"log/{log_id}", f"change/{log_id}"):
                page.open("about:blank")
                page.open(f"http://127.0.0.1:{hall.control.pages}/{path}?lang={lang}#{codes['Jo']}")
                if wrong := violations(page):
                    found[lang, path] = wrong
        assert page.run("return document.body.classList.contains('signed')"), "the keys were there to be looked at"
        page.run("fetch = () => Promise.reject(new TypeError('Failed to fetch'))")  # race control has gone meanwhile
        page.run("document.querySelector('[name=text]').value = 'Wet'")
        page.tap("[data-post] button")
        page.wait(lambda: page.text("#told").startswith("La direction de course n’a pas répondu"))
        page.open(f"http://127.0.0.1:{hall.control.pages}/control?lang=fr")
        pressed = """return [false, true].map((ctrlKey) => document.body.dispatchEvent(
            new KeyboardEvent("keydown", { key: "c", ctrlKey, bubbles: true, cancelable: true })))"""
        assert page.run(pressed) == [False, True]  # C goes to the call, and Ctrl+C copies as everywhere
    finally:
        browsers.close()
    assert found == {}


@pytest.mark.skipif(CHROMIUM is None or DRIVER is None, reason=NO_BROWSER)
def test_every_page_fits_a_phone_and_the_wall_has_room_for_a_long_title(
    hall: Played, codes: dict[str, str], tmp_path: Path
) -> None:
    """Nothing scrolls sideways, and every key is on the screen; nothing is cut from the head of a wall."""
    log_id, found = hall.tables["1"].desk.history.log_id, {}
    long = Played(tmp_path, "The Grand Prix of the whole Riviera, of its hills and islands")
    browsers = Browsers()
    try:
        long.joined("The table at the far end of the hall")
        page = browsers.page()
        for lang in ("en", "fr"):
            pages = [(hall, path) for path in ("control", "wall", f"log/{log_id}", f"change/{log_id}")]
            for there, path in (*pages, (long, "control"), (long, "wall")):
                page.open("about:blank")
                page.open(f"http://127.0.0.1:{there.control.pages}/{path}?lang={lang}#{codes['Jo']}")
                if wrong := too_wide(page):
                    found[lang, path] = wrong
            page.screen(1920, 1080)
            if cut := too_high(page):
                found[lang, "wall"] = {1920: cut}
    finally:
        browsers.close()
        long.close()
    assert found == {}


def test_a_page_that_is_asked_for_without_pause_is_written_once(hall: Played) -> None:
    """Until something comes in, and no longer than a second: ages go on."""
    hall.settled()
    asked(hall, "GET", "/wall")
    began = time.monotonic()
    pages = [asked(hall, "GET", "/control?lang=en")[1] for _ in range(100)]
    assert len(set(pages)) <= 2 + int(time.monotonic() - began)
    hall.tables["1"].play(1)
    seq = hall.tables["1"].desk.seq
    until(lambda: f"<b>{seq}</b>" in asked(hall, "GET", "/control?lang=en")[1])


def test_pages_that_one_address_holds_open_keep_nobody_else_out(hall: Played, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "STREAMS_OF_ONE", 2)
    with contextlib.ExitStack() as lines:
        there = []
        for source in ("127.0.0.2", "127.0.0.2", "127.0.0.2", "127.0.0.3"):
            line = http.client.HTTPConnection("127.0.0.1", hall.control.pages, timeout=60, source_address=(source, 0))
            lines.callback(line.close)
            line.request("GET", "/events?page=wall")
            there.append(line.getresponse())
            lines.callback(there[-1].close)
        assert [reply.status for reply in there] == [200, 200, 503, 200]


def test_a_machine_joins_over_the_pages_and_leaves(hall: Played, tmp_path: Path, codes: dict[str, str]) -> None:
    _, said = asked(hall, "POST", "/code", {"name": "Table 11"}, codes["Jo"])
    code = json.loads(said)["told"]
    place = joining.join(tmp_path, "127.0.0.1", hall.control.pages, code)
    assert (place.table, place.hall, joined(tmp_path)) == ("11", "Monaco Cup", place)
    assert (tmp_path / "hall.json").stat().st_mode & 0o077 == 0
    with pytest.raises(NotJoined) as wrong:
        joining.join(tmp_path, "127.0.0.1", hall.control.pages, code, "fr")
    assert "direction" in str(wrong.value)
    carrier = Carrier(tmp_path, place)
    carrier.begin()
    until(lambda: carrier.stand.line == "connected")
    carrier.end()
    Carrier(tmp_path, place).leave()
    until(lambda: place.id not in hall.control.members.all())
    leave(tmp_path)
    assert joined(tmp_path) is None


def test_where_no_hall_is_one_sentence_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(NotJoined) as wrong:
        joining.join(tmp_path, "127.0.0.1", 1, "ABCDEFGH")
    assert "port 1 (rien n’y écoute)" in told_in_french(wrong.value)
    monkeypatch.setattr(joining, "PATIENCE", 0.1)
    with socket.create_server(("127.0.0.1", 0)) as mute, pytest.raises(NotJoined) as wrong:
        joining.join(tmp_path, "127.0.0.1", mute.getsockname()[1], "ABCDEFGH")
    assert "(pas de réponse)" in told_in_french(wrong.value)
