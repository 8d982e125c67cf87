"""Race control's pages: what they show of real tables, what they take, and what they refuse."""

from __future__ import annotations

import http.client
import json
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.hall import joining
from companion.hall.carrier import Carrier
from companion.hall.joined import joined, leave
from companion.hall.joining import NotJoined
from companion.hall.wire import Call
from companion.sheets.log import now
from companion.sheets.records import kept_record
from companion.tournament.control import Control, Message, Ruled
from companion.web.server import RATES
from tests.french import told_in_french
from tests.hall.halls import NAMES, Played
from tests.hall.network import needs_nats, until

pytestmark = needs_nats


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Played]:
    """Table 1 races, 2 is over, 3 disputes a ruling; 10 has joined and has no race."""
    usual = dict(RATES)
    RATES.update(dict.fromkeys(RATES, (1000.0, 1000.0)))
    one = Played(tmp_path_factory.mktemp("hall"))
    for number, laps, answers in ((1, 2, 60), (2, 1, 4000), (3, 2, 60)):
        one.table(str(number), laps=laps, seed=number, names=(*NAMES[:2], "<b>Zoé"[:6])).play(answers)
    one.tables["3"].desk.dispute_last(by="table", why="Past the <line>")
    one.joined("10")
    one.settled()
    yield one
    one.close()
    RATES.update(usual)


@pytest.fixture(scope="module")
def codes(hall: Played) -> dict[str, str]:
    return {name: hall.control.members.speaker(name) for name in ("Jo", "Kim")}


def asked(hall: Played, method: str, path: str, said: object = None, code: str = "", **headers: str) -> tuple[int, str]:
    line = http.client.HTTPConnection("127.0.0.1", hall.control.pages, timeout=10)
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
    words = ("Racing", "Finished", "Referee", "Free") if lang == "en" else ("En course", "Terminé", "Arbitre", "Libre")
    for word in words:
        assert f" {word}</span>" in page
    for table in hall.tables.values():
        head = table.desk.log.entries[-1].hash.hex()[:6]  # type: ignore[union-attr]
        assert head in page, "what the table's own screen shows for its end"
    assert "<line>" not in page
    assert "<b>Zo" not in page
    assert "on=" not in page.replace('lang="en"', "")
    status, wall = asked(hall, "GET", f"/?lang={lang}")
    assert ("Referee called" if lang == "en" else "Arbitre appelé") in wall


def test_a_log_is_shown_with_its_rulings(hall: Played) -> None:
    desk = hall.tables["1"].desk
    status, page = asked(hall, "GET", f"/log/{desk.history.log_id}?lang=en")
    assert (status, page.count("<tr>")) == (200, desk.seq + 1)
    assert asked(hall, "GET", "/log/" + "0" * 32)[0] == 404


def test_a_page_is_told_what_changes_at_once(hall: Played) -> None:
    """From the table's commit to the page; the bound is far above what `tests.hall.load` measures."""
    line = http.client.HTTPConnection("127.0.0.1", hall.control.pages, timeout=10)
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
            "/rule": {"table": "x", "log": "x", "about": "0", "text": "x"},
            "/confirm": {"log": "x", "seq": "1", "hash": "x"}}  # fmt: skip
    for path, what in said.items():
        assert asked(hall, "POST", path, what)[0] == 401
        assert asked(hall, "POST", path, what, "ABCDEFGH")[0] == 401
        assert asked(hall, "POST", path, what, codes["Jo"], Origin="http://elsewhere")[0] == 403
    for bad in ({}, {"text": 3}, {"text": "x", "more": "y"}, [], "x"):
        assert asked(hall, "POST", "/say", bad, codes["Jo"])[0] == 400
    assert len(control(hall).log) == before


def test_what_is_said_is_in_race_control_s_log(hall: Played, codes: dict[str, str]) -> None:
    assert asked(hall, "POST", "/say", {"text": "Lunch"}, codes["Jo"])[0] == 200
    last = control(hall).signed[-1]
    assert (last.by, last.act) == ("Jo", Message(text="Lunch"))
    status, said = asked(hall, "POST", "/say", {"text": " "}, codes["Jo"], **{"Accept-Language": "fr"})
    assert (status, json.loads(said)["error"]) == (409, told_in_french("A message needs words."))
    assert "Lunch" in asked(hall, "GET", "/?lang=en")[1]


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
    assert (word.by, word.act) == ("Kim", Ruled(table="1", log_id=desk.history.log_id, text="It is car 8's"))
    table.carrier.call(None)
    until(lambda: "Is it our turn?" not in asked(hall, "GET", "/control?lang=en")[1])


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


def test_where_no_hall_is_one_sentence_says_so(tmp_path: Path) -> None:
    with pytest.raises(NotJoined) as wrong:
        joining.join(tmp_path, "127.0.0.1", 1, "ABCDEFGH")
    told_in_french(str(wrong.value))
