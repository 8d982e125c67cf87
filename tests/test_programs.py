"""Seats of the program where there is no touchscreen: by lines, at the terminal, on phones. It answers for them, and
the table is told what to do with its cars; where it rolls too, it waits until they are pushed."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path
from typing import Any

import pytest

from companion import circuits
from companion.desk import RaceDesk
from companion.desk.beginning import begin_race
from companion.drivers.sensible import HeuristicDriver
from companion.protocol.by_lines import LineReferee
from companion.rules.conversation.errors import BadAnswer, NotSaved
from companion.sheets.log import Log
from companion.sheets.replay import rulebook_of
from companion.sheets.verify import verify
from companion.terminal.screen import RacePrinter
from companion.terminal.session import TerminalSession
from companion.terminal.sheet import show_sheet
from companion.view.seats.programs import Programs, hand_over
from companion.web.running import Alone
from companion.wording import LANGUAGES, Words
from tests.web.pages import Phone, opened

SETUP: dict[str, Any] = {
    "track": "monaco", "laps": 1, "sky": "sun", "surface": "dry", "fixed": True, "to_play": [1, 2, 3],
    "cars": [
        {"car": 1, "driver": "Ada", "at": "2:left:5", "gear": 4, "lap": 1, "status": "racing", "tyres": "hard"},
        {"car": 2, "driver": "Bob", "at": "2:middle:2", "gear": 3, "lap": 1, "status": "racing", "tyres": "hard"},
        {"car": 3, "driver": "Cleo", "at": "1:middle:2", "gear": 2, "lap": 1, "status": "racing", "tyres": "soft"},
    ],
    "programs": {"2": "sensible", "3": "sensible"}, "program_rolls": True,
}  # fmt: skip
DRIVER = HeuristicDriver(circuits.load("monaco"), 4)


@pytest.mark.parametrize("rolls", [True, False])
def test_by_lines(tmp_path: Path, rolls: bool) -> None:
    referee = LineReferee("en", tmp_path)
    said = referee.say(json.dumps({"setup": {**SETUP, "program_rolls": rolls}}).encode())
    told: list[dict[str, Any]] = []
    waited = 0
    for _ in range(40):
        told += [line["push"] for line in said if "push" in line]
        question = said[-1]["question"]
        if told and told[-1]["waits"] and "push" in said[-2]:
            assert rolls
            waited += 1
            said = referee.say(b'{"pushed": true}')
            continue
        assert question["car"] == 1 or ("faces" in question and not rolls), question
        assert referee.desk is not None
        answer = DRIVER.answer(referee.desk.asked, referee.desk.rulebook.race)  # type: ignore[arg-type]
        said = referee.say(json.dumps({"n": question["n"], "answer": answer}).encode())
    assert bool(waited) is rolls
    assert {push["car"] for push in told} == {2, 3}
    assert all(push["text"].startswith(f"{push['car']} ") for push in told)
    assert "error" in referee.say(b'{"pushed": 1}')[-1]
    assert referee.desk is not None
    by = [item.by for item in referee.desk.history.items]
    assert {"driver:sensible", "table"} <= set(by)
    referee.desk.close()


def test_lines_of_a_race_without_programs_have_nothing_to_push() -> None:
    referee = LineReferee()
    bare = {name: value for name, value in SETUP.items() if not name.startswith("program")}
    assert [next(iter(line)) for line in referee.say(json.dumps({"setup": bare}).encode())] == ["question"]
    assert referee.say(b'{"pushed": true}')[0]["error"] == "The program drives no car of this race."


@pytest.fixture
def room(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """For how many more entries the disk has room; with nothing in it for any number."""
    left: list[int] = []
    commit = Log.commit

    def taken(log: Log, writes: Any) -> None:
        if left:
            if not left[0]:
                raise NotSaved("full", path="here")
            left[0] -= 1
        commit(log, writes)

    monkeypatch.setattr(Log, "commit", taken)
    return left


@pytest.mark.parametrize("memory", [False, True])
def test_by_lines_an_answer_stands_though_the_disk_takes_nothing_of_what_follows(
    tmp_path: Path, room: list[int], memory: bool
) -> None:
    referee = LineReferee("en", tmp_path)
    said = referee.say(json.dumps({"setup": SETUP}).encode())
    desk = referee.desk
    assert desk is not None
    at = -1
    while at < 0:
        room[:], n = [1], desk.n
        answer = DRIVER.answer(desk.asked, desk.rulebook.race)  # type: ignore[arg-type]
        said = referee.say(json.dumps({"n": n, "answer": answer, "memory": memory}).encode())
        if desk.unsaved or (desk.asked is not None and desk.asked.car != 1):
            at = n  # what a driver of the program answers then is the first that found no room
    assert desk.history.items[at].by == "table"
    assert "ruling" in said[0]
    assert ("choices" in said[-2], bool(desk.unsaved)) == (not memory, memory)
    room.clear()
    referee.say(b'{"lang": "fr"}')
    assert desk.history.items[at + 1].by == "driver:sensible"
    desk.close()


@pytest.mark.parametrize("choice", ["memory", "stop"])
def test_at_the_terminal_a_full_disk_is_asked_about_though_a_program_found_it(
    tmp_path: Path, room: list[int], choice: str
) -> None:
    with begin_race({**SETUP, "to_play": [2, 1, 3]}, "monaco", tmp_path) as desk:
        room[:] = [0]
        paper = Paper(Words("en"), 2, choice)
        paper.desk = desk  # type: ignore[attr-defined]
        TerminalSession(desk, paper).run()
        assert any("The disk is full" in line for line in paper.lines)
        assert bool(desk.unsaved) is (choice == "memory")
        room.clear()


def test_a_phone_is_not_told_that_its_answer_is_not_saved_where_a_programs_is_not(
    tmp_path: Path, room: list[int]
) -> None:
    with contextlib.closing(Alone(lambda: begin_race(SETUP, "monaco", tmp_path))) as table:
        while (asked := table.see(lambda desk: desk.asked).result()) is not None and asked.car == 1:
            room[:] = [1]
            answer = table.see(lambda desk: DRIVER.answer(desk.asked, desk.rulebook.race)).result()  # type: ignore[arg-type]
            table.act(lambda desk: desk.answer(answer, by="car 1") and None).result()  # noqa: B023
        room.clear()
        table.act(lambda desk: desk.note("room again") and None).result()
        assert "driver:sensible" in table.see(lambda desk: [item.by for item in desk.history.items]).result()


class Paper(RacePrinter):
    """A terminal whose lines are kept; what is `said` first, then a driver's answers, or Enter where a car is to be
    pushed."""

    def __init__(self, words: Words, most: int, *said: str) -> None:
        super().__init__(words)
        self.width, self.lines, self.left, self.said = 80, list[str](), most, list(said)
        self.enters = 0

    def line(self, *parts: str | tuple[str, str]) -> None:
        self.lines.append("".join(part if isinstance(part, str) else part[0] for part in parts))

    def ask(self, prompt: str) -> str | None:
        self.left -= 1
        if not self.left:
            return None
        if self.said:
            return self.said.pop(0)
        if self.words.say("pushed_how") in self.lines[-1]:
            self.enters += 1
            return ""
        desk = self.desk  # type: ignore[attr-defined]
        answer = DRIVER.answer(desk.asked, desk.rulebook.race)
        return answer if isinstance(answer, str) else json.dumps(answer)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_at_the_terminal(tmp_path: Path, lang: str) -> None:
    with begin_race(SETUP, "monaco", tmp_path, name="At the table") as desk:
        paper = Paper(Words(lang, desk.rulebook.name), 24)
        paper.desk = desk  # type: ignore[attr-defined]
        TerminalSession(desk, paper).run()
        by = [item.by for item in desk.history.items]
    told = [line for line in paper.lines if "→ " in line]
    assert any(line.lstrip("→ ").startswith("3 ") for line in told), told
    assert paper.enters
    assert by.count("driver:sensible") > 4


def test_on_phones(tmp_path: Path) -> None:
    """A driver's page and the table's say what is to be pushed; whoever has done it says so once."""
    with opened(tmp_path, SETUP) as (pages, table):
        driver, table_phone = Phone(pages, 1), Phone(pages, "referee")
        with driver.following() as mine:
            shown = mine.shown()
            while shown["state"] == "asked":
                answer = table.see(lambda desk: DRIVER.answer(desk.asked, desk.rulebook.race)).result()
                assert driver.post("/answer", n=shown["n"], answer=answer) == (200, "")
                shown = mine.shown()
            while "data-pushed" not in shown["parts"].get("push", ""):
                shown = mine.shown()
            n = shown["n"]
            assert table.see(lambda desk: table.programs.holds(desk.asked)).result()  # type: ignore[arg-type]
            assert driver.post("/pushed", n=n - 1) == (409, "stale")
            assert table_phone.post("/pushed", n=n) == (200, "")
            while shown["n"] == n:
                shown = mine.shown()
        assert driver.post("/pushed", n=n) == (409, "stale")
        assert Phone(pages).post("/pushed", n=n) == (401, "token")


# -- a seat that goes to the program amid a race, and back

BARE = {name: value for name, value in SETUP.items() if not name.startswith("program")}


def test_a_seat_is_taken_and_given_back_by_lines(tmp_path: Path) -> None:
    """The log knows it as an entry; resumed and verified, the race goes on with who drives then."""
    referee = LineReferee("en", tmp_path)
    assert referee.say(json.dumps({"setup": BARE}).encode())[-1]["question"]["car"] == 1
    said = referee.say(b'{"hand_over": 1, "driver": "sensible", "roll": true, "by": "Cleo", "why": "Ada has left"}')
    assert said[0]["hand_over"]["text"] == "1 Ada: the program drives from here on, it rolls."
    question = said[-1]["question"]
    while question["car"] == 1:
        question = referee.say(b'{"pushed": true}')[-1]["question"]
    assert (question["car"], "pushed" in question) == (2, False)
    assert "There is no driver fast" in referee.say(b'{"hand_over": 1, "driver": "fast"}')[-1]["error"]
    assert "There is no car 9 that still races" in referee.say(b'{"hand_over": 9, "driver": "club"}')[-1]["error"]
    assert referee.desk is not None
    race, before = referee.desk.history.log_id, referee.desk.state()
    referee.desk.close()
    assert verify(tmp_path, race, rulebook_of).problems == []
    with RaceDesk.resume(tmp_path) as desk:
        assert (desk.history.programs, desk.history.program_rolls) == ({1: "sensible"}, True)
        assert desk.state() == before
        handed = desk.sheet().handovers
        assert [(one.car, one.program, one.rolls, one.by, one.why) for one in handed] == [
            (1, "sensible", True, "Cleo", "Ada has left")
        ]
    again = LineReferee("fr", tmp_path)
    again.resume(race)
    said = again.say(b'{"hand_over": 1, "driver": ""}')
    assert said[0]["hand_over"]["text"] == "1 Ada\u00a0: quelqu’un reprend le volant."
    assert again.desk is not None
    assert again.desk.history.programs == {}
    again.desk.close()


def test_nobody_takes_a_seat_in_a_race_that_counts() -> None:
    referee = LineReferee()
    referee.say(json.dumps({"setup": {**BARE, "event": "Club night"}}).encode())
    assert "a driver who gives up retires" in referee.say(b'{"hand_over": 1, "driver": "club"}')[-1]["error"]
    assert referee.say(b'{"pushed": true}')[0]["error"] == "The program drives no car of this race."
    assert referee.desk is not None
    assert referee.desk.history.said == []


def test_a_seat_ends_what_an_undo_holds_up_and_a_note_leaves_what_is_to_be_pushed(tmp_path: Path) -> None:
    """Whoever gives the program a seat after an undo wants it to drive; a note says nothing about a car."""
    with begin_race(BARE, "monaco", tmp_path) as desk:
        programs = Programs(desk)
        desk.answer(4)
        desk.undo()
        assert desk.auto_answers_paused
        hand_over(desk, 1, "sensible", rolls=True)
        assert programs.drive(desk)
        assert desk.history.items[0].by == "driver:sensible"
        assert programs.pushed
        desk.note("a good move")
        assert programs.pushed
        with pytest.raises(BadAnswer):
            desk.hand_over(2, "sensible", by="driver:club")


@pytest.mark.parametrize(("lang", "said"), [("en", "seat 1 program roll"), ("fr", "volant 1 programme lance")])
def test_a_seat_is_taken_at_the_terminal(tmp_path: Path, lang: str, said: str) -> None:
    with begin_race(BARE, "monaco", tmp_path) as desk:
        paper = Paper(Words(lang, desk.rulebook.name), 12, said.split()[0], f"{said} 4", said)
        paper.desk = desk  # type: ignore[attr-defined]
        TerminalSession(desk, paper).run()
        assert desk.history.programs == {1: "sensible"}
        assert "driver:sensible" in {item.by for item in desk.history.items}
        assert sum(paper.words.error(BadAnswer("seat_how", car=1))[:40] in line for line in paper.lines) == 2, (
            paper.lines
        )
        paper.lines.clear()
        show_sheet(paper, desk.sheet(), None)
    drives = {"en": "the program drives from here on", "fr": "le programme conduit désormais"}[lang]
    assert any(f"1 Ada{paper.words.say('colon')}{drives}" in line for line in paper.lines)


def test_the_table_gives_a_seat_by_its_phone_and_no_driver_does(tmp_path: Path) -> None:
    with opened(tmp_path, BARE) as (pages, table):
        driver, table_phone = Phone(pages, 1), Phone(pages, "referee")
        seat = {"n": 0, "car": 1, "driver": "sensible", "roll": True}
        assert driver.post("/seat", **seat) == (403, "not_yours")
        assert Phone(pages).post("/seat", **seat) == (401, "token")
        assert table_phone.post("/seat", **(seat | {"roll": 1})) == (400, "bad_request")
        with table_phone.following() as mine, driver.following() as his:
            offered = mine.shown()["parts"]["seats"]
            assert offered.count("data-seat") == 9  # three cars, each with three more drivers
            assert his.shown()["parts"].get("seats", "") == ""
        assert table_phone.post("/seat", **seat) == (200, "")
        assert table.see(lambda desk: desk.history.items[0].by).result() == "driver:sensible"
        with table_phone.following() as mine:
            now = mine.shown()["parts"]
        assert "data-pushed" in now["push"]
        assert now["seats"].count("data-seat") == 3 + 2 * 3 + 1 + 1  # "sensible" is none of the usual; and its dice
