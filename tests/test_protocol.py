"""The referee by lines of JSON: what it takes, what it refuses, and in which order it speaks."""

from __future__ import annotations

import ast
import json
import random
import re
import resource
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from companion import strict_json
from companion.commands.main import companion
from companion.protocol import COMMANDS, LineReferee, lines
from companion.rules.dice import questions
from companion.rules.dice.figures import Figures
from companion.rules.dice.questions import ALL_ASKS
from tests.table import WEAR

RULES = Path(questions.__file__).parents[1]
SETUP: dict[str, Any] = {
    "track": "monaco",
    "sky": "sun",
    "cars": [
        {"car": 1, "driver": "Ada", "at": "2:left:5", "gear": 3, "lap": 1, "status": "racing"},
        {"car": 2, "driver": "Bob", "at": "2:middle:2", "gear": 3, "lap": 1, "status": "racing"},
    ],
    "to_play": [1, 2],
}
LAST = {"question", "result", "error"}


class Talk:
    """A referee at the other end of a line."""

    def __init__(self, **setup: Any) -> None:
        self.referee = LineReferee()
        if setup:
            self.say(setup=setup)

    def send(self, line: bytes) -> list[dict[str, Any]]:
        out = self.referee.say(line)
        if self.referee.open:
            kinds = [next(iter(said)) for said in out]
            assert kinds[-1] in LAST
            assert not LAST & set(kinds[:-1])
        for said in out:
            json.dumps(said)
        return out

    def say(self, **line: Any) -> dict[str, Any]:
        """The last line that answers a line."""
        return self.send(json.dumps(line).encode())[-1]

    def all(self, **line: Any) -> list[dict[str, Any]]:
        return self.send(json.dumps(line).encode())

    def refused(self, **line: Any) -> str:
        before = self.state()
        said = self.say(**line)
        assert set(said) == {"error", "code"}, said
        assert "failed on that line" not in said["error"]
        assert self.state() == before
        return str(said["error"])

    def state(self) -> Any:
        if self.referee.desk is None:
            return None
        return (self.all(show="state")[0], self.say(show="question"))


def test_a_setup_comes_first_and_once() -> None:
    talk = Talk()
    for line in (
        {"answer": 4},
        {"undo": 1},
        {"show": "state"},
        {"override": {}},
        {"correct": 1, "answer": 2},
        {"lang": "fr"},
    ):
        assert "begin with" in talk.refused(**line)
    asked = talk.say(setup=SETUP)["question"]
    assert (asked["n"], asked["ask"], asked["car"], asked["article"]) == (0, "gear", 1, "6-1-1")
    assert asked["text"] == "1 Ada: choose a gear"
    assert {"answer": 4, "wear": {}} in asked["options"]
    assert "already" in talk.refused(setup=SETUP)


def test_rulings_come_before_the_next_question() -> None:
    talk = Talk(**SETUP)
    said = talk.all(answer=1)
    assert [next(iter(one)) for one in said] == ["ruling"] * (len(said) - 1) + ["question"]
    assert said[0]["ruling"]["wear"] == {"gearbox": -1}
    assert (said[0]["ruling"]["car"], said[0]["ruling"]["article"]) == (1, "13-4")
    assert said[0]["ruling"]["text"] == "1 Ada down from 3rd to 1st, 1 gear skipped: −1 gearbox."
    assert all(one["ruling"]["kind"] == "reminder" for one in said[1:-1])
    assert said[-1]["question"]["faces"] == [1, 2]


def test_landings_carry_all_that_they_cost() -> None:
    talk = Talk(**SETUP)
    talk.say(answer=4)
    asked = talk.say(answer=12, n=1)["question"]
    assert asked["ask"] == "landing"
    assert all({"space", "brakes", "soft"} <= set(option["answer"]) for option in asked["options"])
    assert any(option["wear"].get("brakes") == -2 for option in asked["options"])
    assert all("moved" in option["facts"] for option in asked["options"])


def test_an_answer_is_written_exactly_as_in_its_option() -> None:
    talk = Talk(**SETUP)
    for wrong in (True, 4.0, "4", None, [4], {"gear": 4}, 7, 6):
        talk.refused(answer=wrong)
    talk.say(answer=4)
    error = talk.refused(answer=13)
    assert error == "4th gear shows 7 to 12; 13 is not on that die."
    for wrong in (True, 7.0, "7", None):
        talk.refused(answer=wrong)
    talk.say(answer=9)
    talk.refused(answer={"space": "2:left:6"})
    talk.refused(answer={"space": "99:left:1", "brakes": 0, "soft": 0})
    talk.refused(answer={"space": "5:left:3", "brakes": True, "soft": 0})


def test_the_number_of_a_question_guards_against_answering_another() -> None:
    talk = Talk(**SETUP)
    assert talk.refused(answer=4, n=999) == "Question 999 is not open; the open one is 0."
    assert "question" in talk.say(answer=4, n=0)
    talk.refused(answer=9, n=True)


def test_undo_and_redo() -> None:
    talk = Talk(**SETUP)
    first = talk.state()
    talk.say(answer=4)
    talk.say(answer=9)
    second = talk.state()
    assert talk.say(undo=2)["question"]["n"] == 0
    assert talk.state() == first
    assert talk.say(redo=2)["question"]["n"] == 2
    assert talk.state() == second
    for wrong in (0, -1, 99, True, "1", 1.0, None):
        talk.refused(undo=wrong)
        talk.refused(redo=wrong)


def test_a_correction_is_tried_before_it_is_done() -> None:
    talk = Talk(**SETUP)
    talk.say(answer=4)
    talk.say(answer=9)
    before = talk.state()
    said = talk.all(correct=0, answer=3, **{"try": True})
    correction = said[0]["correction"]
    assert (correction["kept"], correction["dropped"]) == (0, 1)
    assert correction["asks"]["ask"] == "roll"
    assert talk.state() == before
    said = talk.all(correct=0, answer=3, keep="replay")
    assert said[-1]["question"]["faces"] == [4, 5, 6, 7, 8]
    talk.refused(correct=5, answer=3)
    talk.refused(correct=0)
    talk.refused(correct=0, answer=9, keep="replay")
    talk.refused(correct=0, answer=4, keep="anything")
    talk.refused(correct=True, answer=4)


def test_the_board_may_stay_as_it_is() -> None:
    talk = Talk(**SETUP)
    talk.say(answer=4)
    asked = talk.say(answer=12)["question"]
    braked = next(option for option in asked["options"] if option["wear"] == {"brakes": -1})
    free = next(option for option in asked["options"] if not option["wear"])
    talk.say(answer=braked["answer"])
    said = talk.all(correct=2, answer=free["answer"], keep="board")
    assert said[0]["correction"]["change"]["cars"][0]["wear"] == {"brakes": 3}
    state = talk.all(show="state")[0]["state"]
    assert state["cars"][0]["at"] == braked["answer"]["space"]


def test_what_the_board_alone_leaves_open_is_answered_with_the_correction() -> None:
    talk = Talk(**SETUP)
    talk.say(answer=4)
    asked = talk.say(answer=9)["question"]
    far = next(option["answer"] for option in asked["options"] if not option["wear"])
    talk.say(answer=far)
    said = talk.all(correct=1, answer=12, keep="board", **{"try": True})
    asks = said[0]["correction"]["asks"]
    assert asks["ask"] == "landing"
    braked = next(option for option in asks["options"] if option["wear"] == {"brakes": -3})
    talk.refused(correct=1, answer=12, keep="board", then="nothing")
    said = talk.all(correct=1, answer=12, keep="board", then=[braked["answer"]])
    assert said[0]["correction"]["change"]["cars"] == [{"car": 1, "wear": {"brakes": 0}}]


def test_what_a_correction_took_away_is_suggested_again() -> None:
    talk = Talk(**SETUP)
    talk.say(answer=4)
    asked = talk.say(answer=12)["question"]
    talk.say(answer=asked["options"][0]["answer"])
    talk.say(answer=2)  # the other car's gear
    asked = talk.say(correct=1, answer=11, keep="replay")["question"]
    assert asked["ask"] == "landing"
    assert "suggested" not in asked
    again = talk.say(answer=asked["options"][0]["answer"])["question"]
    assert (again["ask"], again["car"], again["suggested"]) == ("gear", 2, 2)


def test_force_and_override_need_a_name_and_a_reason() -> None:
    talk = Talk(**SETUP)
    talk.say(answer=4)
    talk.refused(answer=13, force=True)
    talk.refused(answer=13, force=True, by="Eve")
    talk.refused(answer=13, force="yes", by="Eve", why="die off the table")
    assert "question" in talk.say(answer=13, force=True, by="Eve", why="die off the table")
    talk.refused(override={"car": 1, "wear": {"tyres": 4}})
    said = talk.all(override={"car": 1, "wear": {"tyres": 4}}, by="Eve", why="miscounted")
    assert said[0]["ruling"]["text"] == "The referee sets 1 Ada: tyres 4."
    for wrong in ([], {}, {"car": 9, "gear": 1}, {"car": 1, "gear": True}, {"moon": 1}, {"car": 1, "at": "x"}):
        if wrong != {}:
            talk.refused(override=wrong, by="Eve", why="because")


def test_what_can_be_shown() -> None:
    talk = Talk(**SETUP)
    state = talk.all(show="state")[0]["state"]
    again = Talk(**state)
    assert again.all(show="state")[0]["state"] == state
    assert talk.all(show="order")[0] == {"order": [1, 2]}
    assert talk.all(show="sheet")[0]["sheet"]["track"] == "monaco"
    assert len(talk.all(show="question")) == 1
    talk.refused(show="everything")


def test_texts_come_in_the_language_asked_for() -> None:
    talk = Talk(**{**SETUP, "lang": "fr"})
    assert talk.say(show="question")["question"]["text"] == "1 Ada\u00a0: choisissez une vitesse"
    assert talk.say(lang="en")["question"]["text"] == "1 Ada: choose a gear"
    talk.refused(lang="de")
    talk.refused(lang=1)
    talk.say(lang="fr")
    assert "dé" in talk.say(answer=4)["question"]["text"] or "lancez" in talk.say(show="question")["question"]["text"]


@pytest.mark.parametrize(
    ("line", "says"),
    [
        (b"", "not JSON"),
        (b"{", "not JSON"),
        (b"nonsense", "not JSON"),
        (b'{"answer": 4} {"answer": 4}', "not JSON"),
        (b"[1, 2]", "one object"),
        (b"4", "one object"),
        (b"{}", "one of setup"),
        (b'{"answer": NaN}', "NaN"),
        (b'{"answer": -Infinity}', "Infinity"),
        (b'{"answer": 1e999}', "too large"),
        (b'{"answer": 123456789012345678901234567890}', "too large"),
        (b'{"answer": 9007199254740992}', "too large"),
        (b'{"answer": 4, "answer": 5}', "stands twice"),
        (b'{"answer": {"a": 1, "a": 2}}', "stands twice"),
        (b'{"answer": ' + b"[" * 21 + b"]" * 21 + b"}", "deep"),
        (b'{"answer": ' + b"[" * 60000 + b"}", "deep"),
        (b'{"answer": "' + b"x" * 70000 + b'"}', "64 kB"),
        (b'{"answer": "\xff"}', "UTF-8"),
        (b'{"answer": "\\ud800"}', "half a character"),
        (b'{"answer": 4, "by": "Ada\\u001b[2J"}', "line break"),
        (b'{"answer": 4, "by": "Ada\\nBob"}', "line break"),
        ('{"answer": 4, "by": "Ada\x85Bob"}'.encode(), "line break"),
        ('{"answer": 4, "why\u2028": ""}'.encode(), "line break"),
        (b'{"answer": 4, "fast": true}', "does not go with"),
        (b'{"quit": 1}', "quit"),
        (b'{"answer": 4, "by": 3}', "text"),
        (b'{"setup": []}', "already"),
        (b'{"undo": 1, "redo": 1}', "does not go with"),
    ],
)
def test_what_is_not_strict_json_is_one_sentence(line: bytes, says: str) -> None:
    talk = Talk(**SETUP)
    before = talk.state()
    (said,) = talk.send(line)
    assert says in said["error"]
    assert said["error"].endswith(".")
    assert "\n" not in said["error"]
    assert talk.state() == before


@pytest.mark.parametrize(
    "setup",
    [
        [],
        {},
        {"track": 3, "cars": []},
        {"track": "nowhere", "cars": [{"car": 1}]},
        {"track": "monaco"},
        {"track": "monaco", "cars": []},
        {"track": "monaco", "cars": [{"car": 1}, {"car": 1}]},
        {"track": "monaco", "cars": [{"car": True}]},
        {"track": "monaco", "cars": [{"car": 1, "speed": 3}]},
        {"track": "monaco", "cars": [{"car": 1}], "lang": "xx"},
        {"track": "monaco", "cars": [{"car": 1, "wear": {"tyres": 0, "brakes": 20}}]},
        {"track": "monaco", "cars": [{"car": 1}], "options": {"gravity": 10}},
        {"track": "monaco", "cars": [{"car": 1}], "laps": 0},
        {"track": "monaco", "cars": [{"car": 1, "at": "1:left:3"}, {"car": 2, "at": "1:left:3"}], "to_play": [1]},
        {"rulebook": "chess", "track": "monaco", "cars": [{"car": 1}]},
        {"rulebook": [], "track": "monaco", "cars": [{"car": 1}]},
    ],
)
def test_a_setup_that_makes_no_sense_is_one_sentence(setup: Any) -> None:
    talk = Talk()
    error = talk.refused(setup=setup)
    assert error.endswith(".")
    assert "question" in talk.say(setup=SETUP)


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
        max_leaves=8,
    )
)
def test_no_answer_whatever_breaks_the_referee(answer: Any) -> None:
    for told in ([], [4], [4, 9]):
        talk = Talk(**SETUP)
        for one in told:
            talk.say(answer=one)
        (*_, last) = talk.send(json.dumps({"answer": answer}).encode())
        assert "failed on that line" not in last.get("error", "")


@given(st.binary(max_size=200))
def test_no_line_whatever_breaks_the_referee(line: bytes) -> None:
    talk = Talk(**SETUP)
    (*_, last) = talk.send(line)
    assert "failed on that line" not in last.get("error", "")


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers(-9, 9) | st.text('ab:\\"[]{}', max_size=5),
        lambda inner: st.lists(inner) | st.dictionaries(st.text("ab", max_size=2), inner),
        max_leaves=20,
    )
)
def test_strict_json_reads_what_json_writes(said: Any) -> None:
    assert strict_json.read(json.dumps(said).encode()) == said


def test_a_line_that_is_too_long_does_not_spoil_the_next(tmp_path: Path) -> None:
    file = tmp_path / "in"
    file.write_bytes(b"x" * 200_000 + b'\n{"answer": 4}\r\n' + b"y" * 65_537 + b'\n{"quit": true}')
    with file.open("rb") as source:
        read = list(lines(source))
    assert [len(line) > strict_json.LONGEST for line in read] == [True, False, True, False]
    assert read[1::2] == [b'{"answer": 4}', b'{"quit": true}']


def test_a_whole_race_by_lines_and_its_result() -> None:
    """Any program can referee a race with nothing but the lines: answer with an offered option or a face."""
    chance = random.Random(3)
    talk = Talk(track="monaco", laps=1, cars=[{"car": 1, "driver": "Ada"}, {"car": 2}, {"car": 3}])
    last = talk.say(show="question")
    for _ in range(2000):
        if "result" in last:
            break
        asked = last["question"]
        answers = asked.get("faces") or [option["answer"] for option in asked["options"]]
        last = talk.say(answer=chance.choice(answers), n=asked["n"])
        assert "error" not in last, (asked, last)
    assert {row["car"] for row in last["result"]} == {1, 2, 3}
    assert "question" in talk.say(undo=1)
    assert "result" in talk.say(redo=1)
    assert "over" in talk.refused(answer=1)


def run(*said: str, arguments: tuple[str, ...] = ()) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-m", "companion.commands.main", "referee", *arguments],
        input="\n".join(said).encode(),
        capture_output=True,
        timeout=60,
        check=False,
    )


def test_a_byte_order_mark_before_the_first_line_is_no_part_of_it() -> None:
    done = run("\ufeff" + json.dumps({"setup": SETUP}), '\ufeff{"answer": 4}')
    said = [json.loads(line) for line in done.stdout.splitlines()]
    assert any("question" in line for line in said)
    assert said[-1]["code"] == "line_json"


def test_events_are_asked_for_by_the_number_of_an_entry() -> None:
    talk = Talk(**SETUP)
    assert talk.refused(subscribe=-5) == '"subscribe" is the number of an entry, 0 for all; -5 is not one.'


def test_the_program_speaks_nothing_but_lines_and_ends_with_zero() -> None:
    done = run(json.dumps({"setup": SETUP}), '{"answer": 4}', '{"oops', '{"quit": true}', '{"answer": 9}')
    assert (done.returncode, done.stderr) == (0, b"")
    said = [json.loads(line) for line in done.stdout.splitlines()]
    said = [one for one in said if one.get("ruling", {}).get("kind") != "reminder"]
    assert [next(iter(one)) for one in said] == ["question", "ruling", "question", "error"]
    ended = run(json.dumps({"setup": SETUP}))
    assert (ended.returncode, len(ended.stdout.splitlines())) == (0, 1)


def test_a_race_is_kept_where_it_is_told_to(tmp_path: Path) -> None:
    where = ("--data", str(tmp_path))
    run(json.dumps({"setup": SETUP}), '{"answer": 4}', arguments=where)
    done = run('{"show": "question"}', arguments=(*where, "--resume", "last"))
    assert json.loads(done.stdout)["question"]["n"] == 1
    gone = run('{"show": "question"}', arguments=(*where, "--resume", "nothing"))
    assert gone.returncode == 1
    assert gone.stdout == b""
    assert len(gone.stderr.splitlines()) == 1


class Program:
    """`companion referee` in a process of its own, whose files can be kept from growing as on a full disk."""

    def __init__(self, folder: Path, *arguments: str) -> None:
        command = [sys.executable, "-m", "companion.commands.main", "referee", "--data", str(folder), *arguments]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def say(self, **line: Any) -> dict[str, Any]:
        """The last line that answers a line."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps(line).encode() + b"\n")
        self.process.stdin.flush()
        while not LAST & set(said := json.loads(self.process.stdout.readline())):
            pass
        return dict(said)

    def full(self, size: int) -> None:
        """From here on no file of the program may be longer than so many bytes."""
        hard = resource.prlimit(self.process.pid, resource.RLIMIT_FSIZE)[1]
        resource.prlimit(self.process.pid, resource.RLIMIT_FSIZE, (size, hard))

    def quit(self) -> str:
        """Ends it; what it said on standard error."""
        told = self.process.communicate(b'{"quit": true}\n')[1].decode()
        assert self.process.returncode == 0
        return told


def answered(said: dict[str, Any]) -> Any:
    question = said["question"]
    return question["options"][0]["answer"] if "options" in question else question["faces"][0]


def test_a_full_disk_is_told_once_and_then_every_reply_is_marked_until_it_has_room(tmp_path: Path) -> None:
    program = Program(tmp_path)
    said = program.say(setup=SETUP)
    program.full((tmp_path / "races.db-wal").stat().st_size + 100)
    while "question" in (reply := program.say(answer=answered(said), n=said["question"]["n"])):
        said = reply
    asked, n = said["question"], said["question"]["n"]
    assert reply["choices"] == ["stop", "memory"]
    assert "is not saved" in reply["error"]
    assert set(program.say(override={"sky": "rain"}, by="R", why="rain")) == {"error", "code", "choices"}
    assert program.say(show="question") == {"question": asked}
    said = program.say(answer=answered(said), memory=True)
    assert (said["question"]["n"], said["unsaved"]) == (n + 1, 1)
    said = program.say(answer=answered(said))
    assert (said["question"]["n"], said["unsaved"]) == (n + 2, 2)
    refused = program.say(answer=99)
    assert set(refused) == {"error", "code", "unsaved"}
    assert program.say(undo=1)["unsaved"] == 3
    program.full(resource.RLIM_INFINITY)
    said = program.say(show="question")
    assert set(said) == {"question"}
    said = program.say(answer=answered(said))
    assert set(said) == {"question"}
    assert program.quit() == ""
    again = Program(tmp_path, "--resume", "last")
    assert again.say(show="question")["question"]["n"] == said["question"]["n"]
    again.quit()


def test_a_database_deleted_under_the_program_takes_no_answer_and_the_race_is_written_anew(tmp_path: Path) -> None:
    program = Program(tmp_path)
    said = program.say(setup=SETUP)
    said = program.say(answer=answered(said))
    (tmp_path / "races.db").unlink()
    refused = program.say(answer=answered(said))
    assert refused["choices"] == ["stop", "memory"]
    assert "was deleted or replaced while the race went on, so this is not saved" in refused["error"]
    assert program.say(show="question")["question"] == said["question"]
    said = program.say(answer=answered(said), memory=True)
    assert set(said) == {"question"}
    assert program.quit() == ""
    again = Program(tmp_path, "--resume", "last")
    assert again.say(show="question")["question"]["n"] == said["question"]["n"]
    again.quit()


def test_what_the_disk_never_took_is_told_at_the_end_and_memory_can_be_said_before(tmp_path: Path) -> None:
    program = Program(tmp_path, "--memory", "--lang", "fr")
    said = program.say(setup=SETUP)
    program.full((tmp_path / "races.db-wal").stat().st_size + 100)
    while "unsaved" not in said:
        said = program.say(answer=answered(said))
    assert said["unsaved"] == 1
    assert program.quit().startswith("1 réponse n’est pas enregistrée")


def test_a_race_begins_in_memory_where_the_disk_takes_nothing(tmp_path: Path) -> None:
    program = Program(tmp_path)
    program.full(100)
    refused = program.say(setup=SETUP)
    assert refused["choices"] == ["stop", "memory"]
    said = program.say(setup=SETUP, memory=True)
    assert (said["question"]["n"], said["unsaved"]) == (0, 1)
    program.full(resource.RLIM_INFINITY)
    assert set(program.say(answer=answered(said))) == {"question"}
    assert program.quit() == ""


def test_help_is_short_and_its_turn_goes_as_it_says() -> None:
    shown = CliRunner().invoke(companion, ["referee", "--help"]).output
    assert len(shown.splitlines()) < 80
    assert max(map(len, shown.splitlines())) <= 80
    turn = shown.partition("A whole turn")[2].partition("\n\n")[2]
    lines = [" ".join(line.split()) for line in re.split(r"\n  (?=[<>])", f"\n{turn}") if line.strip()]
    assert {"setup", "answer", "quit"} <= {name for line in lines if line[0] == ">" for name in json.loads(line[2:])}
    talk, told = LineReferee(), list[str]()
    for line in lines:
        if line[0] == ">":
            assert not told
            told = [json.dumps(said, ensure_ascii=False) for said in talk.say(line[2:].encode())]
        else:
            assert json.loads(line[2:]) == json.loads(told.pop(0))
    assert not talk.open
    assert any('"ruling"' in line for line in lines)


def test_the_reference_documents_every_command_question_and_answer() -> None:
    shown = CliRunner().invoke(companion, ["referee", "--reference"]).output
    for name in (*ALL_ASKS, *COMMANDS):
        assert f"\n  {name} " in shown
    for figure in Figures():
        proposed = ", proposed" if figure.proposed else ""
        assert re.search(rf"^  {figure.name} .*\({figure.article}{proposed}\)$", shown, re.M)
    flat = " ".join(shown.split())
    for asks, answers in ALL_ASKS.values():
        assert asks in flat
        assert answers in flat
    landing = ast.parse((RULES / "dice" / "moving.py").read_text())
    for node in ast.walk(landing):
        if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name) and node.value.id == "facts":
            assert isinstance(node.slice, ast.Constant)
            assert re.search(rf"\b{node.slice.value}\b", flat.partition("facts of a landing")[2][:400])
    told = {key for line in re.findall(r"^  (\{\".*(?:\n   .*)*)", shown, re.M) for key in re.findall(r'"(\w+)"', line)}
    assert {"kept", "dropped", "asks", "changes", "change", "left", "hand_over", "driver", "roll"} <= told
    assert max(map(len, shown.splitlines())) <= 80


def test_the_documented_questions_are_those_that_the_rules_ask() -> None:
    trees = [ast.parse(file.read_text()) for file in sorted(RULES.rglob("*.py")) if file.parent.name != "ninety"]
    nodes = [node for tree in trees for node in ast.walk(tree)]
    kinds = [node for node in nodes if isinstance(node, ast.ClassDef)]
    made = {"Choice", "Form", "super().__init__"}
    made |= {
        kind.name for kind in kinds if any(ast.unparse(base).startswith(("Choice", "Form")) for base in kind.bases)
    }
    asked = set()
    for node in nodes:
        if isinstance(node, ast.Call) and ast.unparse(node.func) in made:
            first = node.args[0] if node.args else None
            if isinstance(first, ast.Constant):
                asked.add(first.value)
        elif isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant):
            for target in node.targets:
                if isinstance(target, ast.Name) and target.id == "ask":
                    asked.add(node.value.value)
    assert asked == set(ALL_ASKS)


def test_a_failure_of_the_program_itself_is_an_error_line_in_the_readers_language(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    referee = LineReferee("fr")

    def fails(asked: object) -> None:
        raise ZeroDivisionError("half a car")

    monkeypatch.setattr(referee, "_do", fails)
    assert referee.say(b'{"show": "state"}') == [
        {"error": "Le programme a échoué sur cette ligne (ZeroDivisionError: half a car).", "code": "failed"}
    ]


def test_what_answers_may_bring_is_told_before_they_are_given() -> None:
    talk = Talk(**SETUP)
    before = talk.state()
    told = {one["answer"]: one for one in talk.all(show="consequences")[0]["consequences"]}
    assert talk.state() == before
    assert set(told) == {option["answer"] for option in talk.say(show="question")["question"]["options"]}
    assert told[1]["wear"] == {"gearbox": -1}
    (die,) = told[4]["tests"]
    assert [(part["first"], part["chance"]) for part in die["parts"]] == [(face, [1, 6]) for face in range(7, 13)]
    (one,) = talk.all(show="consequences", of=4, look=True)[0]["consequences"]
    assert [end["what"] for end in one["ends"]] == [f"spaces_{face}" for face in range(7, 13)]
    assert all("space" in end["first"]["answer"] for end in one["ends"])
    talk.refused(show="consequences", of=6)
    talk.refused(show="consequences", look=1)
    talk.say(answer=4)
    for one in talk.all(show="consequences")[0]["consequences"]:
        assert one["ends"] == [{"ask": "landing", "chance": [1, 1], "car": 1, "what": f"spaces_{one['answer']}"}]


def test_a_test_says_in_what_ruling_it_ends() -> None:
    cars = [{"car": car, "tyres": "hard", "box": car, "wear": dict(WEAR)} for car in (1, 2, 3)]
    talk = Talk(track="monaco", cars=cars, sky="changeable")
    seen = set()
    for _ in range(40):
        asked = talk.say(show="question")["question"]
        answer = asked["options"][0]["answer"] if "options" in asked else asked["faces"][len(asked["faces"]) // 2]
        said = talk.all(answer=answer)
        if "kind" in asked:
            seen.add(asked["kind"])
            assert asked["kind"] in {line["ruling"]["kind"] for line in said if "ruling" in line}
    assert {"practice", "start"} <= seen
