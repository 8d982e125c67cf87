"""The pages of a race that is over: its result, when that is official, and the race again, turn by turn."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from companion import circuits
from companion.desk import RaceDesk
from companion.desk.record_desk import RecordDesk
from companion.desk.session import Session
from companion.drivers.sensible import HeuristicDriver
from companion.rules.conversation.conversation import Conversation
from companion.rules.conversation.errors import LogError
from companion.rules.rulebooks import begin
from companion.sheets import replay
from companion.sheets.records import kept_record
from companion.tournament.control import Control, DayOpened, LogConfirmed, Started
from companion.tournament.tournament import Tournament
from companion.view.phones.phone import watched
from companion.web import hub
from companion.web.pages import Writer
from companion.web.race_context import InHall, RaceContext
from companion.web.running import Alone, Phones
from tests.tournament.commanding import Commander
from tests.web.pages import Phone, opened

CARS = [{"car": number, "driver": name} for number, name in ((7, "Ada"), (9, "Ben"), (31, "Chloé"))]
SETUP = {"track": "monaco", "laps": 1, "sky": "sun", "cars": CARS}


def to_the_end(table: Alone) -> None:
    """By a driver who is asked in the desk's thread."""
    driver = HeuristicDriver(circuits.load("monaco"), 1)
    while table.see(lambda desk: desk.over).result() is False:
        answer = table.see(lambda desk: driver.answer(desk.asked, desk.rulebook.race)).result()  # type: ignore[arg-type]
        table.act(lambda desk, answer=answer: desk.answer(answer) and None).result()  # type: ignore[misc]


def test_a_race_in_a_hall_has_its_result_official_when_two_have_confirmed_it_and_is_seen_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hub, "LISTED", 0.1)
    words = tmp_path / "control"
    with (
        opened(tmp_path, SETUP) as (shut, table),
        RecordDesk.begin(words, Control, DayOpened(name="Hall"), by="Jo") as day,
    ):
        assert Phone(shut).ask("GET", "/replay")[0] == 404  # it is not over
        hall = InHall(words, "http://10.0.0.1:8018/")
        pages = Phones(table, tmp_path, day.log_id, "127.0.0.1", 0, hall)
        pages.begin()
        try:
            phone = Phone(pages)
            assert "nothing yet" in phone.get("/tables")
            day.act(Started(table="4", race="1.4", name="Cup 1.4", setup=SETUP), by="Jo")
            to_the_end(table)
            english, french = phone.get("/?lang=en"), phone.get("/?lang=fr")
            assert "Provisional" in english
            assert "Provisoire" in french
            entries = table.see(lambda desk: desk.log.entries if desk.log is not None else ()).result()
            last = entries[-1]
            with phone.following("watch") as seen:
                seen.shown()
                asleep = seen.mark
                for who in ("Jo", "Kim"):
                    day.act(LogConfirmed(table="4", log_id=last.log_id, seq=last.seq, hash=last.hash.hex()), by=who)
                assert "Result confirmed" in seen.shown()["parts"]["top"]  # nothing was written in the race
            with phone.following("watch", last=asleep) as woken:
                assert "Result confirmed" in woken.shown()["parts"]["top"]
            assert re.search(r"1 lap in \d+ rounds", english)
            assert "Most places gained" in english or "gained" not in english
            listed = phone.get("/tables?lang=fr")
            assert all(word in listed for word in ("Cup 1.4", "Ada, Ben, Chloé", "officiel"))
            assert 'href="http://10.0.0.1:8018/?lang=fr"' in listed
            assert 'href="/replay?lang=en"' in english

            with monkeypatch.context() as newer:  # a newer version of the rulebook comes to another state
                newer.setattr(
                    replay, "divergence_error", lambda *_: LogError("version.race", race="x", was="1", now="2", seq=1)
                )
                newer.setattr(Conversation, "digest", "of version 9")
                status, _, said = phone.ask("GET", "/replay?lang=en", Accept="text/html")
            assert (status, b"<p>The race x was refereed by 1, and 2 of this program rules otherwise" in said) == (
                409,
                True,
            )
            first = phone.get("/replay?lang=en")
            assert "refresh" not in first
            assert re.search(r"Turn 1 of \d+", first)
            count = int(re.search(r"Turn 1 of (\d+)", first)[1])  # type: ignore[index]
            assert len(entries) / 12 < count < len(entries)
            plays = phone.get("/replay?lang=fr&at=3&play=1")
            assert "url=/replay?lang=fr&amp;at=4&amp;play=1" in plays
            assert "<script" not in plays
            end = phone.get(f"/replay?at={count - 1}&play=1")
            assert "refresh" not in end
            assert re.findall(r'<th scope="row">(\w+)', end) == re.findall(r'<th scope="row">(\w+)', english)
            assert phone.get("/replay?at=99999") == phone.get(f"/replay?at={count - 1}")
            assert [phone.ask("GET", f"/replay?at={at}")[0] for at in ("-1", "x", "9" * 9)] == [404] * 3
        finally:
            pages.end()


def test_who_went_out_is_told_with_the_round_and_who_came_home_by_how_much_later() -> None:
    track = circuits.load("porto-sereno")
    setup = {**SETUP, "rulebook": "cup", "track": "porto-sereno", "sky": "rain"}
    for seed in range(1, 60):
        desk, driver = RaceDesk(begin(setup, track), setup=setup), HeuristicDriver(track, seed)
        while (asked := desk.asked) is not None:
            desk.answer(driver.answer(asked, desk.rulebook.race))
        if len(gone := desk.sheet().retirements) == 1:
            break
    shown = watched(Session(desk), "en")
    rows = {row.plate.number: row for row in shown.order}
    assert [rows[one.car].chip for one in gone] == [f"Out, round {one.round}" for one in gone]
    home = [row for row in shown.order if row.position]
    assert home[0].lap == ""
    assert all(not row.lap or row.lap.endswith("later") for row in home[1:])
    assert {row.gap for row in rows.values() if row.out} == {"0"}
    html = Writer("fr", track, "cup").watch(watched(Session(desk), "fr"))["order"]
    assert all(f"Abandon, tour de jeu {one.round}" in html for one in gone)


def test_who_is_taken_out_before_the_first_answer_of_a_round_is_told_with_that_round() -> None:
    """The referee's word answers no question, on whose round a phone could rely."""
    track = circuits.load("monaco")
    setup = {**SETUP, "rulebook": "beginner"}
    desk, driver = RaceDesk(begin(setup, track), setup=setup), HeuristicDriver(track, 1)
    while (asked := desk.asked) is not None:
        if desk.rulebook.round == 2 and not desk.sheet().retirements:
            desk.override({"car": 9, "status": "out"}, by="Eve", why="went home")
            continue
        desk.answer(driver.answer(asked, desk.rulebook.race))
    rows = {row.plate.number: row for row in watched(Session(desk), "en").order}
    assert rows[9].chip == "Out, round 2"


def test_a_result_is_provisional_while_a_ruling_is_disputed(tmp_path: Path) -> None:
    with opened(tmp_path, SETUP) as (pages, table):
        to_the_end(table)
        phone = Phone(pages)
        assert "Provisional" not in phone.get("/?lang=en")
        table.act(lambda desk: desk.dispute_last(by="table", why="the finish") and None).result()
        assert "Provisional" in phone.get("/?lang=en")
        assert "Provisoire" in phone.get("/?lang=fr")


def test_the_result_of_a_tournament_is_official_when_a_second_person_has_confirmed_it(tmp_path: Path) -> None:
    run = Commander(tmp_path, "tournament")
    run("new", "Cup", "--track", "monaco", "--laps", "1", "--sessions", "0")
    for number in (1, 2):
        run("enter", f"Driver {number}")
    for line in (["checkin", "all"], ["seed", "--tables", "1", "--from", "number"], ["publish"]):
        run(*line)
    kept = kept_record(tmp_path, "last", Tournament.KIND)
    beside = RaceContext(tmp_path, (kept.listed.log_id, "1.1"), None)
    assert beside.official(()) == ""
    run("result", "1.1", "--paper", "1 2", by="Ada")
    assert beside.official(()) == ""
    run("confirm", "1.1", by="Bob")
    assert re.fullmatch(r"\d\d:\d\d", beside.official(()) or "")
    assert RaceContext(tmp_path, None, None).official(()) is None
