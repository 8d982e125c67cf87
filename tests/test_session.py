"""The session: what is told to whom, by which number, what may be said from which seat; and all of it by lines."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import pytest
from click.testing import CliRunner

from companion import circuits
from companion.commands.main import companion
from companion.desk import RaceDesk
from companion.desk.beginning import begin_race
from companion.desk.session import CAPABILITIES, CODES, Event, Session, code_of
from companion.drivers.cards import HeuristicCardDriver
from companion.drivers.sensible import HeuristicDriver
from companion.protocol.session_lines import SESSION_COMMANDS
from companion.rules.conversation.errors import BadAnswer, CompanionError, NothingToDo
from companion.rules.rulebooks import begin
from tests.test_protocol import SETUP, Talk

README = Path(__file__).parent.parent / "companion/protocol/README.md"


def plain(thing: object) -> str:
    return msgspec.json.encode(thing, enc_hook=str).decode()


class Spoken(Talk):
    """A referee by lines that was said hello."""

    def __init__(self, **setup: Any) -> None:
        super().__init__()
        self.say(hello=2)
        if setup:
            self.say(setup=setup)

    def code(self, **line: Any) -> str:
        said = self.say(**line)
        assert "error" in said, said
        return str(said["code"])


# -- events by the number of their entries


def test_whoever_was_away_says_the_last_entry_and_is_told_the_rest(tmp_path: Path) -> None:
    """Every kind of entry is an event, the same whether it was heard or read from the log."""
    with begin_race(SETUP, "monaco", tmp_path) as desk:
        session = Session(desk)
        heard: list[Event] = []
        session.listen(heard.append)
        desk.answer(3, n=0)
        desk.answer(6, n=1)
        desk.undo()
        desk.redo()
        desk.note("a dog on the table")
        desk.dispute_last(by="Ada", why="it was a 5")
        desk.uphold(desk.open_disputes()[0][0], by="Bob")
        desk.override({"car": 2, "gear": 4}, by="Ada", why="misread")
        desk.correct(0, 2)
        assert session.events(after=1) == heard
        assert session.events(after=5) == heard[4:]
        assert session.events(after=heard[-1].seq) == []
    with RaceDesk.resume(tmp_path) as desk:
        again = Session(desk).events()
    assert [event.seq for event in again] == list(range(1, len(heard) + 2))
    assert plain(again[1:]) == plain(heard)
    kinds = ["answer", "answer", "undo", "redo", "note", "dispute", "uphold", "override", "correct"]
    assert [event.kind for event in heard] == kinds
    assert (heard[0].ask, heard[0].answer, heard[0].car) == ("gear", 3, 1)
    assert (heard[2].entries, heard[4].text, heard[5].about) == ((3,), "a dog on the table", 3)
    assert (heard[7].change, heard[8].corrects, heard[8].answer) == ({"car": 2, "gear": 4}, 0, 2)
    assert heard[8].rulings


# -- what may be said from a seat


def test_a_seat_answers_its_own_question_while_it_is_open() -> None:
    desk = RaceDesk(begin(SETUP, circuits.load("monaco")))
    session, n = Session(desk), desk.n

    def refused(seat: Any, at: int) -> str:
        before = desk.state(), desk.n
        with pytest.raises(CompanionError) as wrong:
            session.answer(seat, at, 3)
        assert (desk.state(), desk.n) == before
        return code_of(wrong.value)

    assert refused("spectator", n) == "read_only"
    assert refused(2, n) == "not_yours"
    assert refused(1, n - 1) == refused(1, n + 1) == "stale"
    session.drivers_answer = False
    assert refused(1, n) == "at_table"
    assert not session.may_answer(1)
    session.drivers_answer = True
    session.answer(1, n, 3)
    assert refused(1, n) == "stale"  # the finger was faster
    assert desk.history.items[-1].by == "car 1"
    session.give_back(1, desk.n)
    assert refused(1, desk.n) == "at_table"
    session.answer("referee", desk.n, 6)
    with pytest.raises(NothingToDo):
        session.undo(1, desk.n)  # the table has answered since
    session.undo("referee", desk.n)
    assert session.may_undo(1)
    with pytest.raises(BadAnswer):
        session.undo(1, desk.n - 1)
    session.undo(1, desk.n)
    assert desk.n == n
    session.answer(1, n, 4)
    assert session.may_answer(1)  # another question than the one that was handed back, of the same number
    session.dispute(1, desk.n, "4th gear")
    desk.note("They look at the board")
    assert (refused(1, desk.n), session.disputed) == ("at_table", desk.n)
    session.undo(1, desk.n)
    session.answer(1, n, 3)
    assert (session.may_answer(1), session.disputed) == (True, -1)
    session.undo(1, desk.n)
    desk.hand_over(1, "sensible")
    assert refused(1, desk.n) == "at_table"  # the program drives
    desk.hand_over(1, "")
    assert session.may_answer(1)


def test_whoever_drives_two_cars_answers_for_both_from_either_seat() -> None:
    setup = {**SETUP, "cars": [dict(SETUP["cars"][0]), {**SETUP["cars"][1], "driver": "ada"}]}
    session = Session(RaceDesk(begin(setup, circuits.load("monaco"))))
    assert (session.cars_of(1), session.cars_of(2), session.cars_of("spectator")) == ((1, 2), (2, 1), ())
    assert (session.answering_seat(2), session.may_answer(2)) == (1, True)
    session.answer(2, 0, 3)
    assert session.events()[-1].by == "car 1"  # the log says whose answer it is, not which phone it came from
    session.undo(2, session.desk.n)
    assert session.events()[-1].by == "car 1"
    session.give_back(2, 0)
    with pytest.raises(BadAnswer, match="The table answers now"):
        session.answer(1, 0, 3)
    session.desk.hand_over(1, "club")
    assert session.cars_of(2) == (2,)
    with pytest.raises(BadAnswer, match="not for car 2"):
        session.answer(2, 0, 3)


def test_what_was_meant_for_a_question_that_was_taken_back_answers_no_other_of_its_number(tmp_path: Path) -> None:
    """A seat says what it means from what it has seen last: a die of 3rd gear is none of 2nd."""
    with begin_race(SETUP, "monaco", tmp_path) as desk:
        desk.answer(3)
        session, n, seen = Session(desk), desk.n, desk.seq
        desk.note("They look at the board")
        session.answer(1, n, 6, seen=seen)
        desk.undo(2)
        desk.answer(2)
        assert desk.n == n
        for late in (session, Session(desk)):
            for mean in (
                partial(late.answer, 1, n, 4),
                partial(late.dispute, 1, n, "2nd gear"),
                partial(late.give_back, 1, n),
                partial(late.undo, "referee", n),
            ):
                with pytest.raises(BadAnswer) as wrong:
                    mean(seen=seen)
                assert code_of(wrong.value) == "asked_anew"
        assert desk.history.items[-1].event.answer == 2
        session.answer(1, n, 4, seen=desk.seq)
        desk.undo()
        desk.redo()
        desk.correct(0, 3)
        with pytest.raises(BadAnswer):
            session.give_back(1, desk.n, seen=desk.seq - 1)


# -- what lies hidden


def test_no_seat_is_told_what_lies_in_another_hand() -> None:
    """A whole race of cards from the program's deck: no event, question or face gives a hand away before it is
    played, to a car or to a spectator."""
    cars = [{"car": number, "driver": name} for number, name in ((1, "Ada"), (2, "Ben"), (3, "Chloé"))]
    track = circuits.board("saltmarsh")
    book: Any = begin({"rulebook": "ninety", "track": "saltmarsh", "deck": 7, "cars": cars}, track)
    desk, driver = RaceDesk(book), HeuristicCardDriver(track, 3)
    session = Session(desk)
    contests = offered = 0
    while (asked := desk.asked) is not None:
        answer, car = driver.answer(asked, book.race), asked.car
        assert car is not None
        hands = {one.number: list(one.hand) for one in book.race.cars}
        for seat in (1, 2, 3, "spectator"):
            standing = session.standing(seat)  # type: ignore[arg-type]
            open_cards = {code for one in book.race.cars for code in (one.check, *one.frozen)}
            hidden = {code for number, hand in hands.items() if number != seat for code in hand} - open_cards
            hidden -= set(hands.get(seat, ())) if isinstance(seat, int) else set()  # type: ignore[call-overload]
            assert not [code for code in hidden if f'"{code}"' in plain(standing)], (asked.ask, seat)
        offered += session.question_for(car) != session.question_for("spectator")
        desk.answer(answer)
        event = session.events()[-1]
        if asked.ask in ("show", "discard", "keep", "contest"):
            contests += 1
            told = session.event_for(event, "spectator")
            assert told.answer is None
            assert told.hidden
            assert session.event_for(event, car).answer == event.answer == answer
            assert "fights" not in {ruling.kind for ruling in told.rulings}
    assert contests > 5
    assert offered > 50
    assert session.standing("spectator").result


def test_cards_laid_face_down_in_a_contest_are_seen_once_it_is_over() -> None:
    cars = [{"car": number, "driver": "ABC"[number - 1]} for number in (1, 2, 3)]
    track = circuits.board("saltmarsh")
    book: Any = begin({"rulebook": "ninety", "track": "saltmarsh", "deck": 7, "cars": cars}, track)
    desk, driver = RaceDesk(book), HeuristicCardDriver(track, 3)
    session = Session(desk)
    shut = shown = 0
    while (asked := desk.asked) is not None:
        desk.answer(driver.answer(asked, book.race))
        if asked.ask != "show" or asked.car is None:
            continue
        laid, own = desk.history.items[-1].event.answer, asked.car
        face = {car.number: list(car.frozen) for car in session.public_for("spectator").cars}  # type: ignore[attr-defined]
        going = desk.asked is not None and desk.asked.ask == "show"
        assert set(laid) <= set(dict(enumerate(book.race.cars))[own - 1].frozen)
        shut += going and not set(laid) & set(face[own])
        shown += not going and set(laid) <= set(face[own])
        if going:
            mine = {car.number: list(car.frozen) for car in session.public_for(own).cars}  # type: ignore[attr-defined]
            assert set(laid) <= set(mine[own])
    assert shut
    assert shown


@pytest.mark.article("ninety", "contest.choose")
def test_what_lies_face_down_in_a_contest_is_in_nothing_that_others_are_told() -> None:
    """Neither the card, nor what a bot that has turned its own over comes to, before the last has chosen his."""
    cars = [{"car": number, "driver": "ABC"[number - 1], "at": "section:5"} for number in (1, 2)]
    bot = {"car": 3, "bot": "slow", "at": "section:5"}
    setup = {"rulebook": "ninety", "track": "saltmarsh", "deck": 7, "round": 5, "to_play": [1, 2, 3]}
    book: Any = begin({**setup, "cars": [*cars, bot]}, circuits.board("saltmarsh"))
    desk = RaceDesk(book)
    session = Session(desk)
    desk.answer(True)
    desk.answer(True)
    assert desk.asked is not None
    assert (desk.asked.ask, desk.asked.car) == ("show", 2)
    totals = [one for event in session.events() for one in event.rulings if one.kind == "fights"]
    assert [one.car for one in totals] == [3]
    told = [one for seat in (1, 2, "spectator") for event in session.events(seat) for one in event.rulings]  # type: ignore[arg-type]
    assert "fights" not in {one.kind for one in told}
    laid = next(code for code in book.car(2).hand if code not in (book.car(1).check, book.car(2).check))
    desk.answer([laid])
    assert book.car(2).frozen == [laid]
    for seat in (1, "spectator"):
        assert f'"{laid}"' not in plain((session.standing(seat).known, session.events(seat)))  # type: ignore[arg-type]
    assert f'"{laid}"' in plain(session.public_for(2))
    assert [one.car for one in session.events(2)[-1].rulings] == [2]
    desk.answer([book.car(1).hand[0]])
    assert f'"{laid}"' in plain(session.public_for(1))


@pytest.mark.article("ninety", "quali.cards")
def test_a_card_for_qualifying_lies_face_down_until_everybody_has_shown_one() -> None:
    cars = [{"car": number, "driver": "ABC"[number - 1]} for number in (1, 2)]
    setup = {"rulebook": "ninety", "track": "saltmarsh", "deck": 7, "options": {"bots_few": 0}, "cars": cars}
    book: Any = begin(setup, circuits.board("saltmarsh"))
    desk = RaceDesk(book)
    session = Session(desk)
    for answer in (False, False):
        desk.answer(answer)
    shown = book.car(1).hand[0]
    desk.answer(shown)
    for seat in (2, "spectator"):
        assert f'"{shown}"' not in plain((session.standing(seat), session.events(seat)))  # type: ignore[arg-type]
    assert session.public_for(1).cars[0].check == session.public_for("referee").cars[0].check == shown  # type: ignore[union-attr]
    desk.answer(book.car(2).hand[0])
    assert session.public_for(2).cars[0].check == shown  # type: ignore[union-attr]


@pytest.mark.article("ninety", "cards.race")
def test_a_hand_that_the_referee_sets_is_told_to_its_driver_alone() -> None:
    setup = {"rulebook": "ninety", "track": "saltmarsh", "deck": 7, "round": 5, "to_play": [1, 2]}
    book: Any = begin({**setup, "cars": [{"car": 1, "at": "section:5"}, {"car": 2}]}, circuits.board("saltmarsh"))
    desk = RaceDesk(book)
    session = Session(desk)
    one, two, three, four = book.race.pile[-4:]
    for change, others in (
        ({"car": 1, "hand": [one]}, {}),
        ({"car": 1, "hand": [two], "stops": 1}, {"car": 1, "stops": 1}),
        ({"cars": [{"car": 1, "hand": [three]}, {"car": 2, "hand": []}], "queue": [1]}, {"queue": [1]}),
        ({"cars": [{"car": 1, "hand": [], "lap": 2}]}, {"cars": [{"car": 1, "lap": 2}]}),
        ({"cars": [{"car": 1, "hand": [four]}]}, {}),
    ):
        desk.override(change, by="Eve", why="dropped")
        told = session.events("spectator")[-1]
        assert (told.change, told.hidden) == (others, True)
        assert [one.facts for one in told.rulings if one.kind == "override"] == [{"change": others}] * bool(others)
        own = session.events(1)[-1]
        assert own.change == (change if "queue" not in change else {"cars": [change["cars"][0]], "queue": [1]})
        assert session.events()[-1].change == change
    desk.override({"car": 1, "fuel": 9}, by="Eve", why="misread")
    assert (session.events(2)[-1].change, session.events(2)[-1].hidden) == ({"car": 1, "fuel": 9}, False)


def test_cards_that_were_dealt_in_a_death_race_are_told_to_their_owner() -> None:
    cars = [{"car": 1, "driver": "Ada"}, {"car": 2, "driver": "Ben"}]
    track = circuits.load("porto-sereno")
    book: Any = begin({"rulebook": "death", "track": track.key, "deck": 5, "cars": cars}, track)
    desk, driver = RaceDesk(book), HeuristicDriver(track, 1)
    session = Session(desk)
    while (asked := desk.asked) is not None and not book.race.round:
        desk.answer(driver.answer(asked, book.race))
    for seat, other in ((1, 2), (2, 1)):
        own = [card.key for card in book.car(seat).cards]
        theirs = [card.key for card in book.car(other).cards if card.key not in own]
        told = plain((session.standing(seat).known, session.events(seat)))
        assert theirs
        assert not [key for key in theirs if f'"{key}"' in told]
        assert '"deck"' not in told
        assert all(f'"{key}"' in told for key in own)
    assert '"deck":5' in plain(session.public_for("referee"))


# -- by lines


def test_who_says_no_hello_is_spoken_to_all_the_same() -> None:
    talk = Talk(**SETUP)
    assert set(talk.say(answer=99)) == {"error", "code"}
    assert "1:left:2" in str(talk.all(board="monaco")[0])
    assert "A line has one of setup, answer" in talk.refused(tea=0)
    assert talk.say(show="question", id=3)["id"] == 3


def test_who_numbers_every_line_says_hello_with_a_number() -> None:
    said, last = Talk().all(hello=2, id=1)
    assert (said["id"], last) == (1, {"question": None, "id": 1})


def test_hello_tells_the_version_and_subscribing_asks_for_events() -> None:
    talk = Spoken()
    said, last = talk.all(hello=2, id="a")
    assert said["hello"]["protocol"] == 2
    assert said["hello"]["capabilities"] == list(CAPABILITIES)
    assert last == {"question": None, "id": "a"}
    assert said["id"] == "a"
    assert talk.code(hello=3) == "version"
    assert talk.code(list="races", id=True) == "line_id"
    assert talk.code(subscribe=0) == "no_race"
    talk.say(setup=SETUP)
    assert "ruling" in talk.all(answer=1)[0]
    talk.say(undo=1)
    standing, question = talk.all(subscribe=0)[-2:]
    assert standing["standing"]["known"]["rulebook"] == "competition"
    event, _ = talk.all(answer=1, n=question["question"]["n"])
    assert event["event"]["rulings"][0]["text"]
    assert event["event"]["seq"] > standing["standing"]["seq"]
    talk.say(undo=1)
    talk.say(answer=3)
    assert talk.code(answer=6, n=0) == "stale"
    assert talk.code(answer=99) == "face"
    roll = talk.say(answer=6)
    assert roll["question"]["ask"] == "landing"
    asked = talk.all(subscribe=0, consequences=True)[-1]["question"]
    assert len(asked["consequences"]) == len(asked["options"])


def test_a_bot_in_a_cars_seat_does_what_its_driver_may() -> None:
    talk = Spoken(**SETUP)
    assert talk.code(subscribe=0, seat=5) == "seat"
    n = talk.say(subscribe=0, seat=2)["question"]["n"]
    assert talk.code(answer=3, n=n) == "not_yours"
    talk.say(subscribe=0, seat=1)
    assert talk.code(answer=3) == "seat_answer"
    for line in ({"override": {"car": 1, "gear": 6}, "by": "A", "why": "b"}, {"show": "state"}, {"note": "x"}):
        assert talk.code(**line) == "not_yours"
    then = talk.say(answer=3, n=n)["question"]["n"]
    assert then == n + 1
    assert talk.say(undo=then)["question"]["n"] == n
    assert talk.say(subscribe=0, seat="spectator")["question"]["n"] == n
    assert talk.code(answer=3, n=n) == "read_only"


def test_notes_disputes_export_lists_articles_and_boards_by_lines(tmp_path: Path) -> None:
    talk = Spoken()
    talk.referee.folder = tmp_path
    assert talk.code(list="races") == "no_races"
    talk.say(setup=SETUP)
    talk.say(answer=3)
    talk.say(note="rain soon", by="Ada")
    talk.say(dispute=0, by="Bob", why="it was a 5")
    assert [seq for seq, _ in talk.referee.race.open_disputes()] == [2]
    assert talk.code(dispute=99, by="Bob", why="x") == "not_in_force"
    talk.say(uphold=2, by="Ada")
    assert not talk.referee.race.open_disputes()
    assert talk.all(export="csv")[0]["export"]["text"].startswith("n,seq")
    assert talk.all(export="json")[0]["export"]["text"].startswith("{")
    assert talk.all(export="pdf")[0]["export"]["base64"].startswith("JVBERi")
    assert talk.code(export="doc") == "form"
    assert talk.all(list="races")[0]["list"][0]["track"] == "monaco"
    assert {"track": "monaco", "name": "Monaco", "known": "space"} in talk.all(list="tracks")[0]["list"]
    assert len(talk.all(list="rulebooks")[0]["list"]) >= 5
    assert talk.code(list="cups") == "line_list_of"
    assert talk.all(rules="13-4")[0]["rules"][0]["id"] == "13-4"
    board = talk.all(board=True)[0]["board"]
    spaces = {space["space"]: space for space in board["spaces"]}
    assert "1:left:2" in spaces["1:left:1"]["moves"]
    assert all(there in spaces for space in spaces.values() for there in space["moves"])
    assert talk.all(board="saltmarsh")[0]["board"]["sections"]
    assert talk.code(board="nowhere")
    memory = Spoken(**SETUP)
    assert memory.code(export="csv") == "not_kept"


def test_the_help_tells_the_session_from_its_types() -> None:
    shown = CliRunner().invoke(companion, ["referee", "--reference"]).output
    second = " ".join(shown[shown.index("This is version 2.") :].split())
    for name, (keys, _) in SESSION_COMMANDS.items():
        assert f" {name} " in second
        assert all(key in second for key in keys)
    for field in Event.__struct_fields__:
        assert f"{field}:" in second
    assert all(code in second for code in CODES)


def test_the_bot_of_the_readme_finishes_a_race_by_subscription(tmp_path: Path) -> None:
    text = README.read_text(encoding="utf-8")
    found = re.search(r"`bot\.py`:\n\n```python\n(.*?)```\n", text, re.DOTALL)
    assert found
    code = found[1]
    assert len([line for line in code.splitlines() if line]) <= 60
    (tmp_path / "bot.py").write_text(code, encoding="utf-8")
    path = f"{Path(sys.executable).parent}:/usr/bin:/bin"
    ran = subprocess.run(
        [sys.executable, "bot.py"], cwd=tmp_path, capture_output=True, text=True, env={"PATH": path}, check=False
    )
    assert not ran.stderr, ran.stderr
    result, _, seq = ran.stdout.splitlines()[-1].rpartition("] ")
    assert int(seq) > 100
    assert json.loads(result.replace("'", '"').replace("None", "null") + "]")[0]["status"] == "finished"
