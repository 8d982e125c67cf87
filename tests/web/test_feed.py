"""The live feed: a race as JSON for other programs, whole and event by event; for whom, from where, and when not."""

from __future__ import annotations

import contextlib
import http.client
import json
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import msgspec
import pytest
from click.testing import CliRunner

from companion.commands.main import companion
from companion.desk.beginning import begin_race
from companion.protocol.messages import EventMessage, RaceMessage
from companion.rules.public import FROM_HAND
from companion.sheets.build_sheet import race_sheet
from companion.sheets.records import kept_record
from companion.web import feed, hub, server
from companion.web.running import Phones
from tests.hall.network import until
from tests.schema import Schema
from tests.test_protocol import SETUP
from tests.tournament.commanding import Commander
from tests.web.pages import Phone, opened

ELSEWHERE = {"Origin": "https://example.org", "Sec-Fetch-Site": "cross-site", "Host": "table.example"}
"""What a browser says of a page that comes from somewhere else."""
Message = tuple[str, str, Any]
"""A message: its kind, its id and its data."""
CARDS = {"rulebook": "ninety", "track": "saltmarsh", "deck": 7, "cars": [{"car": 1}, {"car": 2}]}


def following(pages: Phones, query: str = "", **headers: str) -> AbstractContextManager[Iterator[Message]]:
    """Yield what is sent to a follower of a table."""
    return follow(pages.port, f"/api/v1/events{query}", **headers)


@contextlib.contextmanager
def follow(port: int, path: str, **headers: str) -> Iterator[Iterator[Message]]:
    """Yield the messages of a feed."""
    line = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    line.request("GET", path, headers={**ELSEWHERE, **headers})
    reply = line.getresponse()

    def messages() -> Iterator[Message]:
        told: dict[str, str] = {}
        while read := reply.readline():
            if said := read.decode().rstrip("\n"):
                name, _, value = said.partition(": ")
                told[name] = value
            elif "data" in told:
                yield told["event"], told["id"], json.loads(told["data"])
                told = {}

    try:
        assert reply.status == 200, reply.read()
        yield messages()
    finally:
        if line.sock is not None:
            line.sock.close()
        line.close()


def race(pages: Phones, query: str = "") -> dict[str, Any]:
    return dict(json.loads(Phone(pages).get(f"/api/v1/race{query}")))


def test_a_race_is_read_whole_in_the_asked_language_from_any_origin_and_nothing_is_written(tmp_path: Path) -> None:
    with opened(tmp_path) as (pages, table):
        pages.offer(True)
        status, headers, body = Phone(pages).ask("GET", "/api/v1/race", **ELSEWHERE)
        assert (status, headers["access-control-allow-origin"]) == (200, "*")
        assert headers["cross-origin-resource-policy"] == "cross-origin"
        told = json.loads(body)
        assert (told["protocol"], told["name"], told["track"], told["seq"]) == (2, "Table 4", "Monaco", 1)
        assert told["known"]["order"] == [1, 2]
        assert [car["wear"] for car in told["known"]["cars"]] == [car["built"] for car in told["known"]["cars"]]
        assert told["question"]["text"].startswith("1 Ada")
        assert told["question"]["options"][0] == {"answer": 1, "wear": {"gearbox": -1}}
        msgspec.json.decode(body, type=RaceMessage, strict=True)
        assert race(pages, "?lang=fr")["question"]["text"] != told["question"]["text"]
        phone = Phone(pages, 1)
        assert phone.ask("POST", "/answer", b'{"n": 0, "answer": 3}', **ELSEWHERE)[0] in (403, 421)
        for path in ("/", "/events?page=watch", "/sheet.pdf"):
            status, headers, _ = Phone(pages).ask("GET", path, Origin="https://example.org")
            assert (status, "access-control-allow-origin" in headers) == (403, False)
        assert table.see(lambda desk: desk.seq).result() == 1


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE"])
def test_below_api_nothing_is_written_and_a_sentence_says_so(tmp_path: Path, method: str) -> None:
    with opened(tmp_path) as (pages, table):
        pages.offer(True)
        for headers in ({}, ELSEWHERE):
            for path in ("race", "events", "races/last/sheet", "nothing"):
                phone = Phone(pages, 1)
                status, told, body = phone.ask(method, f"/api/v1/{path}", b'{"n": 0, "answer": 3}', **headers)
                assert (status, told["allow"]) == (405, "GET, HEAD, OPTIONS")
                assert told["access-control-allow-origin"] == "*"
                assert json.loads(body) == {
                    "error": "Below /api the race is read only: take GET.", "code": "read_only",
                }  # fmt: skip
        assert table.see(lambda desk: desk.seq).result() == 1


def test_a_page_of_any_origin_may_ask_first_what_it_may_ask_and_only_below_api(tmp_path: Path) -> None:
    with opened(tmp_path) as (pages, _):
        asking = {"Access-Control-Request-Method": "GET", "Access-Control-Request-Headers": "cache-control"}
        status, told, body = Phone(pages).ask("OPTIONS", "/api/v1/race", **ELSEWHERE, **asking)
        assert (status, body, told["access-control-allow-origin"]) == (204, b"", "*")
        assert told["access-control-allow-methods"] == told["allow"] == "GET, HEAD, OPTIONS"
        assert told["access-control-allow-headers"] == "*"
        for path in ("/", "/answer", "/events?page=watch"):
            status, told, _ = Phone(pages).ask("OPTIONS", path, Origin="https://example.org", **asking)
            assert (status, "access-control-allow-origin" in told) == (403, False)


def test_an_address_may_end_in_a_slash_and_one_with_nothing_says_what_there_is(tmp_path: Path) -> None:
    with opened(tmp_path) as (pages, _):
        pages.offer(True)
        assert Phone(pages).ask("GET", "/api/v1/race/")[2] == Phone(pages).ask("GET", "/api/v1/race")[2]
        for lang, said in (("en", "below /api/v1 there are race, events"), ("fr", "sous /api/v1 il y a race, events")):
            for path in ("/api", "/api/v1", "/api/v1/", "/api/v1/nothing"):
                status, _, body = Phone(pages).ask("GET", path, **{"Accept-Language": lang})
                assert (status, said in json.loads(body)["error"]) == (404, True)


def test_vary_is_said_once_however_it_is_sent(tmp_path: Path) -> None:
    with opened(tmp_path) as (pages, _):
        pages.offer(True)
        for path in ("/", "/overlay", "/phone.js", "/api/v1/race", "/api/v1/schema"):
            for encoding in ("gzip", "identity"):
                status, headers, _ = Phone(pages).ask("GET", path, **{"Accept-Encoding": encoding})
                assert (status, headers["vary"]) == (200, "Accept-Encoding")


def test_who_asks_for_headers_alone_does_not_hold_a_stream(tmp_path: Path) -> None:
    with opened(tmp_path) as (pages, _):
        pages.offer(True)
        line = http.client.HTTPConnection("127.0.0.1", pages.port, timeout=60)
        for path, kind in (
            ("/api/v1/events", "text/event-stream"),
            ("/events", "text/event-stream"),
            ("/", "text/html"),
        ):
            line.request("HEAD", path)
            reply = line.getresponse()
            assert (reply.status, reply.headers.get_content_type(), reply.read()) == (200, kind, b"")
            assert ("content-length" in reply.headers) == (kind == "text/html"), "a stream has no length"
        line.close()


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("events?since=-1", "since is the number of an entry, 0 for the beginning, or the id of a message; -1 is not."),
        ("events?since=foo", "foo is not"),
        ("events?since=", 'or the id of a message; "" is not.'),
        ("events?sinse=3", "There is no parameter sinse here, only since, lang."),
        ("race?since=3", "There is no parameter since here, only lang."),
        ("race?lang=de", "lang is en or fr; de is not."),
        ("race?lang=fr&lang=de", "lang figure plusieurs fois dans cette adresse"),
        ("events?since=1&since=1", "since stands in this address more than once; give it once."),
        ("race?lang=", 'lang is en or fr; "" is not.'),
        ("race?=x", 'There is no parameter "" here, only lang.'),
        (f"races?{'x' * 900}=1", f"no parameter {'x' * 40} here"),
        ("races/last/sheet?car=1", "no parameter car"),
        ("standings?lang=EN", "EN is not"),
        ("schema?version=1", "no parameter version"),
    ],
)
def test_what_an_address_says_wrong_is_told(tmp_path: Path, path: str, said: str) -> None:
    with opened(tmp_path) as (pages, _):
        pages.offer(True)
        phone = Phone(pages)
        status, headers, body = phone.ask(
            "GET", f"/api/v1/{path}", **{**ELSEWHERE, "Accept-Language": "fr" if "fr" in path else "en"}
        )
        assert (status, headers["access-control-allow-origin"]) == (400, "*")
        assert said in json.loads(body)["error"]


def test_a_follower_is_told_every_event_with_its_sentences_and_after_a_gap_the_whole_race(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(feed, "MAX_EVENTS", 3)
    with opened(tmp_path) as (pages, table):
        pages.offer(True)
        with following(pages) as all_of_it, following(pages, "?lang=fr") as french:
            kind, first, told = next(all_of_it)
            assert (kind, told["seq"]) == ("race", 1)
            assert next(french)[0] == "race"
            table.act(lambda desk: desk.answer(3, n=0)).result()
            kind, mark, event = next(all_of_it)
            assert (kind, event["kind"], event["ask"], event["answer"]) == ("event", "answer", "gear", 3)
            ruled = event["rulings"][0]
            assert (ruled["kind"], ruled["car"], ruled["text"]) == ("gear", 1, "1 Ada takes 3rd gear.")
            assert msgspec.convert(event, EventMessage).rulings[0].text == ruled["text"]
            there = next(french)[2]["rulings"][0]
            assert (there["kind"], there.get("facts")) == (ruled["kind"], ruled.get("facts"))
            assert there["text"] != ruled["text"]
            kind, _, told = next(all_of_it)
            assert (kind, told["question"]["ask"], told["rulings"][0]["text"]) == ("race", "roll", ruled["text"])
        for query, headers in (("?since=1", {}), ("", {"Last-Event-ID": first})):
            with following(pages, query, **headers) as again:
                assert [next(again)[:2] for _ in range(2)] == [("event", mark), ("race", mark)]
        table.act(lambda desk: desk.undo(1)).result()
        table.act(lambda desk: desk.note("It rains.")).result()
        table.act(lambda desk: desk.answer(2, n=0)).result()
        with following(pages, "?since=2") as back:
            assert [next(back)[2].get("kind") for _ in range(3)] == ["undo", "answer", None]
        for _ in range(3):
            table.act(lambda desk: desk.undo(1)).result()
            table.act(lambda desk: desk.redo(1)).result()
        for since in ("2", "99", f"{'0' * 8}-5"):
            with following(pages, f"?since={since}") as gap:
                kind, _, told = next(gap)
                assert (kind, told["seq"]) == ("race", 11)


def test_a_feed_that_is_switched_off_ends_and_says_how_to_switch_it_on(tmp_path: Path) -> None:
    with opened(tmp_path) as (pages, _):
        phone = Phone(pages)
        for path in ("race", "events", "races"):
            status, headers, body = phone.ask("GET", f"/api/v1/{path}", **ELSEWHERE)
            assert (status, json.loads(body)["code"], headers["access-control-allow-origin"]) == (403, "feed_off", "*")
        pages.offer(True)
        with following(pages) as told:
            next(told)
            pages.offer(False)
            assert list(told) == []
        assert phone.ask("GET", "/api/v1/race")[0] == 403
        assert not pages.tokens.api


def test_no_hand_and_no_remark_is_told(tmp_path: Path) -> None:
    with opened(tmp_path, CARDS, "saltmarsh") as (pages, table):
        pages.offer(True)
        hands = table.see(lambda desk: [car.hand for car in desk.rulebook.race.cars if not car.bot]).result()
        assert all(hands)
        while (told := race(pages))["question"]["ask"] not in FROM_HAND:
            assert [car["hand"] for car in told["known"]["cars"]] == [[]] * len(told["known"]["cars"])
            table.act(lambda desk: desk.answer(desk.asked.options[-1].answer)).result()
        assert told["question"]["car"] in (1, 2)
        assert not {"options", "fields"} & set(told["question"])
        table.act(lambda desk: desk.note("Ada has a seven.")).result()
        with following(pages, "?since=1") as seen:
            events = [next(seen)]
            while events[-1][0] == "event":
                events.append(next(seen))
        assert len(events) > 1
        assert events[-1][2]["seq"] == table.see(lambda desk: desk.seq).result()
        assert "seven" not in json.dumps(events)


@pytest.mark.parametrize("allowed", [True, False])
def test_the_schema_is_read_whether_there_is_a_feed_or_not(tmp_path: Path, allowed: bool) -> None:
    with opened(tmp_path) as (pages, _):
        pages.offer(allowed)
        schema = json.loads(Phone(pages).get("/api/v1/schema"))
        assert schema["version"] == 2
        assert json.loads(CliRunner().invoke(companion, ["referee", "--schema"]).output) == schema


@pytest.mark.parametrize("options", [[], ["--api"]])
def test_companion_phones_offers_the_feed_if_it_is_told_to(tmp_path: Path, options: list[str]) -> None:
    begin_race(SETUP, "monaco", tmp_path).close()
    said = [sys.executable, "-m", "companion.commands.main", "phones", "--data", str(tmp_path), "--on", "127.0.0.1"]
    program = subprocess.Popen([*said, "--port", "0", *options], stdout=subprocess.PIPE, text=True)
    try:
        assert program.stdout is not None
        lines = [next(program.stdout) for _ in range(6 if options else 5)]
    finally:
        program.send_signal(signal.SIGINT)
        program.wait(20)
        rest = program.stdout.read() if program.stdout is not None else ""
    assert ("/api/v1/race" in "".join(lines) + rest) == bool(options)


def test_stored_races_their_sheets_and_the_standings_are_read(tmp_path: Path) -> None:
    run = Commander(tmp_path, "tournament")
    run("new", "Cup", "--track", "monaco", "--laps", "1")
    with begin_race(
        {"track": "monza", "cars": [{"car": 5, "driver": "Eve"}]}, "monza", tmp_path, name="Warm-up"
    ) as old:
        older = old.history.log_id
    begin_race(CARDS, "saltmarsh", tmp_path, name="Secret").close()
    with opened(tmp_path) as (pages, table):
        pages.offer(True)
        phone = Phone(pages)

        def read(path: str) -> Any:
            return json.loads(phone.get(f"/api/v1/{path}"))

        assert [(one["name"], one["track"], one["laps"], one["over"]) for one in read("races")] == [
            ("Table 4", "monaco", 3, False), ("Secret", "saltmarsh", 18, False), ("Warm-up", "monza", 3, False),
        ]  # fmt: skip
        table.act(lambda desk: desk.rename("Final") and None).result()
        assert (read("races")[0]["name"], read("race")["name"], read("races/last/sheet")["name"]) == ("Final",) * 3
        assert "Final" in phone.get("/")
        sheet = read(f"races/{older}/sheet")
        assert (sheet["name"], sheet["cars"][0]["driver"]) == ("Warm-up", "Eve")
        assert read("races/Warm-up/sheet") == sheet
        table.act(lambda desk: desk.answer(3, n=0)).result()
        assert read("races/last/sheet") == json.loads(
            msgspec.json.encode(race_sheet(table.see(lambda desk: desk.history).result()))
        )
        standings = read("standings")
        assert (standings["kind"], standings["name"]) == ("standings", "Cup")
        schema = Schema(read("schema"))
        for path in ("race", "races", "standings"):
            schema.check({path: read(path)})
        schema.check({"sheet": sheet})
        with following(pages, "?since=1") as seen:
            for kind, _, told in (next(seen), next(seen)):
                schema.check({kind: told})
        for path, code in (("races/nothing/sheet", "no_race"), ("races/Secret/sheet", "hidden")):
            status, _, body = phone.ask("GET", f"/api/v1/{path}")
            assert (status, json.loads(body)["code"]) == (404, code)


@pytest.mark.parametrize("day", [True, False])
def test_in_a_tournament_there_is_no_feed_until_race_control_allows_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, day: bool
) -> None:
    """Also on one device, where nobody has begun a day of race control."""
    monkeypatch.setattr(hub, "LISTED", 0.05)
    run = Commander(tmp_path, "tournament")
    run("new", "Cup", "--track", "monaco", "--laps", "1")
    setup = {**SETUP, "event": {"log": kept_record(tmp_path, "last", "tournament").listed.log_id, "race": "1.1"}}
    control = Commander(tmp_path, "hall")
    if day:
        assert "The day Saturday of race control has begun." in control("new", "Saturday")
    with opened(tmp_path, setup) as (pages, _):
        pages.offer(True)
        phone = Phone(pages)

        def code() -> str:
            status, _, body = phone.ask("GET", "/api/v1/race")
            return "" if status == 200 else str(json.loads(body)["code"])

        assert code() == "feed_barred"
        assert (
            "or here if this is the only device: companion hall feed on" in phone.ask("GET", "/api/v1/race")[2].decode()
        )
        assert pages.feed_barred
        control("feed", "on", "--table", "7")
        time.sleep(0.3)
        assert code() == "feed_barred"
        assert control("feed", "on").endswith("race control: the live feed is allowed\n")
        until(lambda: not code())
        with following(pages) as told:
            next(told)
            control("feed", "off")
            assert list(told) == []
        assert code() == "feed_barred"
        assert "the live feed is not allowed" in control("log")


def test_followers_are_counted_with_the_pages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "STREAMS_OF_ONE", 1)
    with opened(tmp_path) as (pages, _):
        pages.offer(True)
        with following(pages) as told:
            next(told)
            status, _, body = Phone(pages).ask("GET", "/api/v1/events", **ELSEWHERE)
            assert (status, json.loads(body)["code"]) == (503, "full")
            assert not re.search(r"<html", body.decode())
