"""What people and programs get wrong, tried on the program itself: one sentence each, and nothing has changed."""

from __future__ import annotations

import hashlib
import json
import os
import re
import resource
import shutil
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from io import BytesIO, TextIOWrapper
from pathlib import Path
from typing import Any

import pytest

from companion.circuits import find
from companion.commands.main import main
from companion.sheets.place import DATABASE

COMMAND = [sys.executable, "-m", "companion.commands.main"]
WEAR = {"tyres": 6, "brakes": 3, "gearbox": 3, "body": 3, "engine": 3, "handling": 2}
POSITION: dict[str, Any] = {
    "track": "monaco",
    "sky": "sun",
    "cars": [
        {"car": 1, "driver": "Ada", "at": "2:left:5", "gear": 3, "lap": 1, "status": "racing", "wear": WEAR},
        {"car": 2, "driver": "Bob", "at": "2:middle:2", "gear": 3, "lap": 1, "status": "racing", "wear": WEAR},
    ],
    "to_play": [1, 2],
}
BEFORE: dict[str, Any] = {
    "track": "monaco",
    "sky": "sun",
    "cars": [{"car": 1, "driver": "Ada", "box": 1}, {"car": 2, "driver": "Bob", "box": 2}],
}


def sentence(said: str) -> str:
    """What was said, if it is one sentence that people can read."""
    assert said.endswith("."), said
    assert "\n" not in said, said
    assert 10 < len(said) <= 300, said
    for machine in ("Traceback", "Error:", "failed on that line", "<class", "object at 0x"):
        assert machine not in said, said
    return said


def complaint(done: subprocess.CompletedProcess[str], status: int = 1) -> str:
    """Return the one sentence that a failed command writes on standard error, and nothing else."""
    assert done.returncode == status, (done.returncode, done.stdout, done.stderr)
    assert done.stdout == ""
    return sentence(done.stderr.removesuffix("\n"))


def companion(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """The program from its entry point on, in this process, with nothing typed."""
    typed, out, err = (TextIOWrapper(BytesIO(), encoding="utf-8") for _ in range(3))
    said, status = [*map(str, arguments)], 0
    with pytest.MonkeyPatch.context() as patch:
        for name, stream in (("stdin", typed), ("stdout", out), ("stderr", err)):
            patch.setattr(sys, name, stream)
        try:
            main(said)
        except SystemExit as end:
            status = end.code if isinstance(end.code, int) else 0
        shown = []
        for stream in (out, err):
            stream.flush()
            stream.seek(0)
            shown.append(stream.read())
    return subprocess.CompletedProcess(said, status, *shown)


class Program:
    """`companion referee` in a process of its own."""

    def __init__(self, *arguments: str | Path, **more: Any) -> None:
        self.process = subprocess.Popen(
            [*COMMAND, "referee", *map(str, arguments)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **more,
        )  # fmt: skip

    def send(self, line: bytes) -> dict[str, Any]:
        """The last of the lines that answer a line; `seen` has them all."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(line + b"\n")
        self.process.stdin.flush()
        self.seen: list[dict[str, Any]] = []
        while True:
            said = json.loads(self.process.stdout.readline())
            assert isinstance(said, dict)
            self.seen.append(said)
            if set(said) & {"question", "result", "error"}:
                return said

    def say(self, **line: Any) -> dict[str, Any]:
        said = self.send(json.dumps(line).encode())
        assert "error" not in said, said
        return said

    def stands(self) -> str:
        """All that can be seen of the race: its state, its sheet but for the time, and the open question."""
        self.say(show="state")
        state = self.seen
        self.say(show="sheet")
        return json.dumps([state, self.seen], sort_keys=True)

    def refuses(self, line: bytes | dict[str, Any]) -> str:
        before = self.stands()
        said = self.send(line if isinstance(line, bytes) else json.dumps(line).encode())
        assert set(said) - {"choices"} == {"error", "code"}, said
        assert self.stands() == before
        return sentence(said["error"])

    def end(self) -> None:
        out, err = self.process.communicate(timeout=60)
        assert (self.process.returncode, out, err) == (0, b"", b"")


def at(setup: dict[str, Any], *answers: Any) -> Iterator[Program]:
    program = Program()
    program.say(setup=setup)
    for answer in answers:
        program.say(answer=answer)
    yield program
    program.end()


@pytest.fixture(scope="module")
def gear() -> Iterator[Program]:
    yield from at(POSITION)


@pytest.fixture(scope="module")
def die() -> Iterator[Program]:
    yield from at(POSITION, 4)


@pytest.fixture(scope="module")
def landing() -> Iterator[Program]:
    yield from at(POSITION, 4, 9)


@pytest.fixture(scope="module")
def points() -> Iterator[Program]:
    yield from at(BEFORE)


@pytest.fixture(scope="module")
def sheet() -> Iterator[Program]:
    """A corner sheet, asked what was seen."""
    car = {"at": "corner:1", "gear": 3, "lap": 1, "status": "racing", "wear": WEAR}
    cars = [{"car": 1, **car, "arrived": 1}, {"car": 2, **car, "arrived": 2}]
    yield from at({"track": "spa", "sky": "sun", "cars": cars, "to_play": [1, 2]}, 3, 6)


# -- answers


@pytest.mark.parametrize("answer", [0, 6, 7, -1, 5, 99, "third", None, True, 3.0, [3], {"gear": 3}])
def test_a_gear_that_is_not_allowed(gear: Program, answer: Any) -> None:
    assert "1, 2, 3, 4" in gear.refuses({"answer": answer})


@pytest.mark.parametrize("answer", [0, 1, 6, 13, 20, 21, -7, 2**40])
def test_a_face_that_is_not_on_the_die(die: Program, answer: int) -> None:
    shown = str(answer)
    assert die.refuses({"answer": answer}) == f"4th gear shows 7 to 12; {shown} is not on that die."


@pytest.mark.parametrize("answer", [0, 21, -1, 100])
def test_a_face_that_is_not_on_the_black_die(answer: int) -> None:
    for program in at({"track": "monaco", "cars": [{"car": 1}]}):
        shown = str(answer)
        assert program.refuses({"answer": answer}) == f"The black die shows 1 to 20; {shown} is not on it."


@pytest.mark.parametrize("space", ["9:left:1", "2:left:5", "2:middle:2", "2:left:15", "2:left:10", "1:left:1", "pit:1"])
def test_a_space_that_cannot_be_reached(landing: Program, space: str) -> None:
    said = landing.refuses({"answer": {"space": space, "brakes": 0, "soft": 0}})
    assert said.startswith(f"{space.replace('pit:', 'pit lane ')} cannot be reached; 2:left:14, ")


@pytest.mark.parametrize("space", ["", "x", "99:left:1", "2:up:14", "2:left:0", "2:left:-3", "2:left", "é" * 9000])
def test_a_space_that_there_is_not(landing: Program, space: str) -> None:
    assert "cannot be reached; 2:left:14, " in landing.refuses({"answer": {"space": space, "brakes": 0, "soft": 0}})


@pytest.mark.parametrize(
    "more", [{"brakes": 2, "soft": 0}, {"brakes": 0, "soft": 1}, {"brakes": 0}, {"brakes": 0, "soft": 0, "over": []}]
)
def test_a_space_reached_otherwise(landing: Program, more: dict[str, Any]) -> None:
    said = landing.refuses({"answer": {"space": "2:left:14", **more}})
    assert said.startswith('2:left:14 is reached by {"brakes":0,"soft":0,"space":"2:left:14"}; ')


@pytest.mark.parametrize(
    "answer", [None, 9, "2:left:14", [], {}, {"space": 214}, {"space": None, "brakes": 0, "soft": 0}]
)
def test_what_is_no_landing(landing: Program, answer: Any) -> None:
    landing.refuses({"answer": answer})


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        ({**WEAR, "tyres": 9}, "23"),
        ({**WEAR, "tyres": 7, "stand": 2}, "repair points are 1; 2 would"),
        ({**WEAR, "tyres": 8, "stand": 1}, "repair points are 0"),
        ({**WEAR, "body": 0, "tyres": 9}, "body has 0"),
        ({**WEAR, "tyres": 5}, "19"),
        ({**WEAR, "tyres": -1, "brakes": 10}, "tyres"),
        ({**WEAR, "wings": 1}, "wings"),
        ({"tyres": 20}, ""),
        ({}, ""),
        (20, ""),
        ([6, 3, 3, 3, 3, 2], ""),
        ({**WEAR, "tyres": "6"}, ""),
    ],
)
def test_points_that_do_not_add_up(points: Program, answer: Any, says: str) -> None:
    assert says in points.refuses({"answer": answer})


@pytest.mark.parametrize(
    "answer",
    [
        {"in": "corner 99"}, {"in": 3}, {"in": "after corner 1", "speed": 3}, {"in": "after corner 1", "brakes": 40},
        {"in": "after corner 1", "overshot": -1}, {"in": "after corner 1", "beside": [9]}, {}, None, "after corner 1",
        {"in": "after corner 1", "beside": [1]}, {"in": "after corner 1", "order": [2, 2]},
    ],
)  # fmt: skip
def test_what_nobody_can_have_seen(sheet: Program, answer: Any) -> None:
    sheet.refuses({"answer": answer})


@pytest.mark.parametrize(
    "change",
    [
        {"car": 1}, {}, {"car": 1, "gear": 9}, {"car": 1, "wear": {"tyres": -1}}, {"car": 1, "wear": {"wings": 1}},
        {"car": 1, "at": "2:middle:2"}, {"car": 1, "at": "nowhere"}, {"car": 1, "status": "asleep"},
        {"car": 9, "gear": 1},
        {"car": 1, "tyres": "slick"}, {"sky": "snow"}, {"surface": "ice"}, {"order": [1, 1]}, {"order": [3]},
        {"order": 1},
        {"gear": 3}, {"car": "1", "gear": 3}, {"car": 1, "wear": 3}, {"car": 1, "gear": 2, "at": "nowhere"},
        {"x" * 5000: 1}, {"car": 1, "at": "x" * 5000}, {"sky": "a\nb"},
    ],
)  # fmt: skip
def test_a_referees_word_that_makes_no_sense(die: Program, change: dict[str, Any]) -> None:
    die.refuses({"override": change, "by": "Eve", "why": "because"})


@pytest.mark.parametrize("by", [{}, {"by": "Eve"}, {"why": "because"}, {"by": " ", "why": " "}, {"by": "", "why": "x"}])
def test_a_referees_word_without_name_or_reason(die: Program, by: dict[str, Any]) -> None:
    die.refuses({"override": {"car": 1, "gear": 2}, **by})
    die.refuses({"answer": 13, "force": True, **by})
    die.refuses({"correct": 0, "answer": 6, "force": True, **by})


# -- lines

LINES = {
    "byte order mark": b'\xef\xbb\xbf{"answer": 4}',
    "UTF-16": '{"answer": 4}'.encode("utf-16"),
    "Latin-1": '{"answer": "é"}'.encode("latin-1"),
    "overlong": b'{"answer": "\xc0\xaf"}',
    "comma at the end": b'{"answer": 4,}',
    "single quotes": b"{'answer': 4}",
    "no quotes": b"{answer: 4}",
    "no colon": b'{"answer" 4}',
    "leading zero": b'{"answer": 04}',
    "plus": b'{"answer": +4}',
    "bare fraction": b'{"answer": .5}',
    "bare point": b'{"answer": 4.}',
    "hexadecimal": b'{"answer": 0x4}',
    "Python": b'{"answer": True}',
    "JavaScript": b'{"answer": undefined}',
    "comment after": b'{"answer": 4} // four',
    "comment before": b'/* four */ {"answer": 4}',
    "two": b'{"answer": 4}, {"answer": 4}',
    "one brace more": b'{"answer": 4}}',
    "one brace less": b'{"answer": {"space": "2:left:14"}',
    "cut in a text": b'{"answer": "fo',
    "control character": b'{"answer": "fo\x01ur"}',
    "NUL": b"\x00",
    "a NUL inside": b'{"answer": 4\x00}',
    "blanks": b"   \t ",
    "nothing": b"",
    "null": b"null",
    "a list": b'[{"answer": 4}]',
    "a text": b'"answer"',
    "wrong escape": b'{"answer": "\\x34"}',
    "fraction": b'{"answer": 4.0}',
    "exponent": b'{"answer": 4e0}',
    "huge": b'{"answer": ' + b"9" * 5000 + b"}",
    "minus nothing": b'{"answer": -}',
    "wrong case": b'{"Answer": 4}',
    "blank in the key": b'{" answer": 4}',
    "twice": b'{"answer": 4, "answer": 4}',
    "twice by an escape": b'{"answer": 4, "\\u0061nswer": 4}',
    "deep": b'{"answer": ' + b'{"a":' * 25 + b"1" + b"}" * 26,
    "long": b'{"answer": 4' + b" " * 66_000 + b"}",
    "a long key": b'{"answer": 4, "' + b"k" * 5000 + b'": 1}',
    "a long language": b'{"lang": "' + b"k" * 5000 + b'"}',
    "half a pair": b'{"answer": "\\udc00"}',
    "shell": b"companion race",
    "HTTP": b"GET / HTTP/1.1",
    "undo a fraction": b'{"undo": 1.0}',
    "undo truth": b'{"undo": true}',
    "undo nothing": b'{"undo": 0}',
    "undo a list": b'{"undo": [1]}',
    "show a list": b'{"show": ["state"]}',
    "n of another question": b'{"answer": 9, "n": 0}',
    "n no number": b'{"answer": 9, "n": "1"}',
    "a second setup": b'{"setup": {"track": "monaco", "cars": [{"car": 1}]}}',
    "correct what is not": b'{"correct": 9, "answer": 9}',
    "correct what is before all": b'{"correct": -1, "answer": 9}',
    "correct without answer": b'{"correct": 0}',
    "correct by another way": b'{"correct": 0, "answer": 3, "keep": "half"}',
    "redo": b'{"redo": 1}',
    "quit a bit": b'{"quit": "yes"}',
}


@pytest.mark.parametrize("line", LINES.values(), ids=LINES)
def test_json_that_is_none(die: Program, line: bytes) -> None:
    die.refuses(line)


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_a_line_without_end_ends_nothing(lang: str) -> None:
    program = Program("--lang", lang)
    program.say(setup=POSITION)
    assert program.process.stdin is not None
    program.process.stdin.write(b'{"answer": 4')
    out, err = program.process.communicate(timeout=60)
    assert program.process.returncode == 0
    assert err == b""
    sentence(json.loads(out)["error"])


# -- setups

SETUPS: dict[str, tuple[dict[str, Any], str]] = {
    "23 points": ({**BEFORE, "cars": [{"car": 1, "wear": {**WEAR, "tyres": 9}}]}, "has 23"),
    "21 and both": ({**BEFORE, "cars": [{"car": 1, "wear": {**WEAR, "tyres": 7}, "stand": 2}]}, "repair points are 1"),
    "a pool at 0": ({**BEFORE, "cars": [{"car": 1, "wear": {**WEAR, "body": 0, "tyres": 9}}]}, "body has 0"),
    "two on one space": (
        {**POSITION, "cars": [{**POSITION["cars"][0]}, {**POSITION["cars"][1], "at": "2:left:5"}]},
        "a space holds one car",
    ),
    "a space that is not": ({**POSITION, "cars": [{**POSITION["cars"][0], "at": "2:left:99"}]}, "no space 2:left:99"),
    "two of a number": ({**BEFORE, "cars": [{"car": 1}, {"car": 1}]}, "number 1"),
    "one box": ({**BEFORE, "cars": [{"car": 1, "box": 3}, {"car": 2, "box": 3}]}, "box 3"),
    "a gear that is not": ({**POSITION, "cars": [{**POSITION["cars"][0], "gear": 7}]}, "gear is 0 to 6"),
    "who plays": ({**POSITION, "to_play": [3]}, "to_play"),
    "no track": ({"cars": [{"car": 1}]}, "monaco"),
    "another track": ({**BEFORE, "track": "monako"}, "monaco"),
    "a long track": ({**BEFORE, "track": "x" * 9000}, "no circuit"),
    "a long path": ({**BEFORE, "track": "/" + "x" * 9000}, "no file"),
    "a file that is not": ({**BEFORE, "track": "/no/such.toml"}, "no file"),
    "a long option": ({**BEFORE, "options": {"x" * 9000: 1}}, "no figure or switch"),
    "a third KERS point": (
        {**POSITION, "rulebook": "cup", "cars": [{**POSITION["cars"][0], "kers": 3}], "to_play": [1]},
        "A car has 0 to 2 KERS points; car 1 cannot have 3.",
    ),
    "a compound never raced on": (
        {
            **POSITION,
            "rulebook": "cup",
            "cars": [{**POSITION["cars"][0], "tyres": "hard", "raced": ["soft"]}],
            "to_play": [1],
        },
        "Car 1 is on hard tyres and has raced on them; it says soft.",
    ),
    "a team over its points": (
        {**BEFORE, "rulebook": "cup", "cars": [{"car": 1, "team": "Red", "wear": {**WEAR, "tyres": 11}}]},
        "The team of car 1 has 2 of its 2 points left; this car would take 5.",
    ),
    "a card twice": (
        {
            **BEFORE,
            "rulebook": "death",
            "sky": "sun",
            "cars": [{"car": number, "weapons": {"flamer": 1}} for number in (1, 2)],
        },
        "More cards of flamer have been dealt than there are; there is 1.",
    ),
    "a range of 5-1": (
        {**BEFORE, "rulebook": "league", "options": {"engine_dry": "5-1"}},
        'engine_dry wants a whole number from 0 to 20, not "5-1".',
    ),
    "ranges that meet": (
        {**BEFORE, "rulebook": "cup", "options": {"stall_to": 5, "great_from": 5}},
        "A start cannot both stall up to 5 and be a great one from 5; the two ranges must not meet.",
    ),
    "a negative pool": (
        {**BEFORE, "rulebook": "death", "options": {"car_points": -18}},
        "car_points wants a whole number from 1 to 60, not -18.",
    ),
    "a negative pool among six": (
        {**BEFORE, "rulebook": "cup", "options": {"base": [6, -3, 3, 3, 3, 2]}},
        "entry 2 of base wants a whole number from 0 to 9, not -3.",
    ),
    "an overshoot that gives tyres": (
        {**BEFORE, "options": {"factor_hard_dry": [1, -1, 1]}},
        "entry 2 of factor_hard_dry wants a whole number from 0 to 99, not -1.",
    ),
    "points that are taken away": (
        {**BEFORE, "rulebook": "cup", "options": {"points": [10, -5]}},
        "entry 2 of points wants a whole number from 0 to 999, not -5.",
    ),
    "a long rulebook": ({**BEFORE, "rulebook": "x" * 9000}, "no rulebook"),
}


@pytest.mark.parametrize(("setup", "says"), SETUPS.values(), ids=SETUPS)
def test_a_setup_that_cannot_be(setup: dict[str, Any], says: str, tmp_path: Path) -> None:
    program = Program("--data", tmp_path / "data")
    said = program.send(json.dumps({"setup": setup}).encode())
    assert says in sentence(said["error"])
    assert not (tmp_path / "data" / DATABASE).exists()
    assert program.say(setup=POSITION)["question"]["n"] == 0
    program.end()
    file = tmp_path / "setup.json"
    file.write_text(json.dumps(setup))
    said_too = companion("race", "--data", tmp_path / "other", "--setup", file)
    if "track" in setup:
        assert says in complaint(said_too)
        assert not (tmp_path / "other" / DATABASE).exists()


@pytest.mark.parametrize("name", ["byte order mark", "UTF-16", "comma at the end", "NUL", "nothing", "twice", "deep"])
def test_a_setup_file_that_is_no_json(name: str, tmp_path: Path) -> None:
    file = tmp_path / "setup.json"
    file.write_bytes(LINES[name])
    complaint(companion("race", "--data", tmp_path, "--setup", file))
    assert not (tmp_path / DATABASE).exists()


@pytest.mark.parametrize(
    ("written", "line"),
    [
        (b"", 1),
        (b"PK\x03\x04\n\xff", 2),
        (b'{"track": "monaco",\n "name": "Ren\xe9"}', 2),
        (b'{\n "track": "monaco",\n "laps" 3\n}\n', 3),
    ],
)
def test_a_slip_in_a_setup_file_is_told_by_its_line(written: bytes, line: int, tmp_path: Path) -> None:
    file = tmp_path / "setup.json"
    file.write_bytes(written)
    said = complaint(companion("--lang", "en", "race", "--data", tmp_path, "--setup", file))
    assert said == f"Line {line} of {file} is not JSON; a setup is one JSON object."


@pytest.mark.parametrize(
    ("option", "says"),
    [("--bots", "has bots"), ("--deck", "cards that are dealt"), ("--street", "has street drivers")],
)
def test_what_another_game_has_is_not_asked_of_this_one(option: str, says: str, tmp_path: Path) -> None:
    race = ["--lang", "en", "race", "--data", tmp_path, "--rulebook", "competition", "--track", "monaco", "--cars", "2"]
    said = complaint(companion(*race, option, "2"))
    assert says in said
    assert not (tmp_path / DATABASE).exists()


# -- circuits


def gap_in_a_lane(text: str) -> str:
    """Two moves to the left from a space of the far right lane: nobody comes to the next."""
    return re.sub(r'^(left\s*= )"[^"]*"$', r'\1""', text, count=1, flags=re.M)


def gap_in_a_corner(text: str) -> str:
    return re.sub(r'^(middle\s*= )"[^"]*"\n', "", text, count=1, flags=re.M)


def gap_at_the_line(text: str) -> str:
    return text.replace("line = [", 'line = ["77:left:1", ', 1)


def cut_in_the_middle(text: str) -> str:
    return text[: len(text) // 2]


@pytest.mark.parametrize("damage", [gap_in_a_lane, gap_in_a_corner, gap_at_the_line, cut_in_the_middle])
def test_a_circuit_with_a_gap(damage: Callable[[str], str], tmp_path: Path) -> None:
    good = find("monaco").read_text(encoding="utf-8")
    bad = damage(good)
    assert bad != good
    file = tmp_path / "gap.toml"
    file.write_text(bad, encoding="utf-8")
    checked = companion("tracks", "check", file)
    assert checked.returncode == 1
    told = (checked.stdout + checked.stderr).splitlines()
    assert told
    assert "Traceback" not in checked.stderr
    assert any("gap.toml" in line for line in told)
    complaint(companion("demo", "--track", file))
    complaint(companion("race", "--track", file, "--cars", "2", "--data", tmp_path))
    program = Program("--data", tmp_path)
    said = program.send(json.dumps({"setup": {**BEFORE, "track": str(file)}}).encode())
    assert "gap.toml" in sentence(said["error"])
    program.end()
    assert not (tmp_path / DATABASE).exists()


# -- the disk


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A race of some turns, kept, and what it was when it was left (`stood`)."""
    folder = tmp_path_factory.mktemp("kept")
    program = Program("--data", folder)
    program.say(setup=POSITION)
    last = program.say(answer=3)
    for _ in range(40):
        asked = last["question"]
        last = program.say(answer=asked["faces"][0] if asked.get("faces") else asked["options"][0]["answer"])
    program.end()
    return folder


@pytest.fixture
def folder(kept: Path, tmp_path: Path) -> Path:
    """A copy of it, to be harmed."""
    there = tmp_path / "data"
    shutil.copytree(kept, there)
    return there


READERS = (
    ["races", "list"],
    ["races", "show", "last"],
    ["races", "export", "last", "--json"],
    ["races", "export", "last", "--csv"],
)
WRITERS = (["race", "--resume", "last"], ["referee", "--resume", "last"])


def newer(folder: Path) -> None:
    with sqlite3.connect(folder / DATABASE) as connection:
        connection.execute("PRAGMA user_version=99")
    connection.close()


def of_another(folder: Path) -> None:
    with sqlite3.connect(folder / DATABASE) as connection:
        connection.execute("PRAGMA application_id=77")
    connection.close()


def cut(folder: Path) -> None:
    os.truncate(folder / DATABASE, (folder / DATABASE).stat().st_size // 2)


def no_database(folder: Path) -> None:
    (folder / DATABASE).write_bytes(b"not a database at all " * 999)


@pytest.mark.parametrize("command", [*READERS, *WRITERS, ["races", "verify", "last"]], ids=" ".join)
@pytest.mark.parametrize(
    ("harm", "says"),
    [(newer, "newer companion"), (of_another, "some other program"), (cut, "damaged"), (no_database, "damaged")],
)
def test_a_database_that_is_not_right(
    folder: Path, harm: Callable[[Path], None], says: str, command: list[str]
) -> None:
    harm(folder)
    before = hashlib.sha256((folder / DATABASE).read_bytes()).digest()
    assert says in complaint(companion("--data", folder, *command))
    assert hashlib.sha256((folder / DATABASE).read_bytes()).digest() == before


def without(folder: Path, trigger: str, statement: str) -> None:
    with sqlite3.connect(folder / DATABASE) as connection:
        connection.execute(f"DROP TRIGGER {trigger}")
        assert connection.execute(statement).rowcount > 0
    connection.close()


def middle_cut_out(folder: Path) -> None:
    without(folder, "entry_remains", "DELETE FROM entry WHERE seq BETWEEN 11 AND 13")


def end_cut_off(folder: Path) -> None:
    without(folder, "entry_remains", "DELETE FROM entry WHERE seq > 10")


def byte_changed(folder: Path) -> None:
    without(folder, "entry_stays", "UPDATE entry SET actor = 'tablf' WHERE seq = 11")


@pytest.mark.parametrize("command", [*READERS[1:], *WRITERS], ids=" ".join)
@pytest.mark.parametrize(
    ("harm", "says"),
    [
        (middle_cut_out, "Entry 11 of the log is missing"),
        (end_cut_off, "The log is cut off after entry 10"),
        (byte_changed, "Entry 11 of the log is not as it was written"),
    ],
)
def test_a_log_that_is_not_whole(folder: Path, harm: Callable[[Path], None], says: str, command: list[str]) -> None:
    harm(folder)
    before = hashlib.sha256((folder / DATABASE).read_bytes()).digest()
    assert says in complaint(companion("--data", folder, *command))
    assert hashlib.sha256((folder / DATABASE).read_bytes()).digest() == before
    checked = companion("--data", folder, "races", "verify", "last")
    assert checked.returncode == 1
    assert says in sentence(checked.stderr.strip())
    assert "10" in checked.stdout  # entries before the harm, still checked and refereed again


def test_a_second_program_is_told_who_has_the_race_and_the_first_goes_on(folder: Path) -> None:
    first = Program("--data", folder, "--resume", "last")
    before = first.stands()
    for command in WRITERS:
        said = complaint(companion("--data", folder, *command))
        assert f"process {first.process.pid}" in said
    for command in (*READERS, ["races", "verify", "last"]):
        done = companion("--data", folder, *command)
        assert (done.returncode, done.stderr) == (0, "")
    assert first.stands() == before
    asked = first.say(show="question")["question"]
    first.say(answer=asked["faces"][0] if asked.get("faces") else asked["options"][0]["answer"], n=asked["n"])
    first.end()
    again = Program("--data", folder, "--resume", "last")
    assert again.say(show="question").get("question", {}).get("n") == asked["n"] + 1
    again.end()


def test_on_a_full_disk_nothing_is_accepted_and_nothing_lost(folder: Path) -> None:
    """The disk is full by RLIMIT_FSIZE, which is lifted again while the program runs."""
    program = Program(
        "--data", folder, "--resume", "last", preexec_fn=lambda: signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    )
    asked = program.say(show="question")["question"]
    answer = asked["faces"][0] if asked.get("faces") else asked["options"][0]["answer"]
    resource.prlimit(program.process.pid, resource.RLIMIT_FSIZE, (512, resource.RLIM_INFINITY))
    for line in (
        {"answer": answer},
        {"undo": 1},
        {"correct": 0, "answer": 4},
        {"override": {"sky": "rain"}, "by": "Eve", "why": "storm"},
    ):
        assert "saved" in program.refuses(line)
    assert program.send(json.dumps({"answer": answer}).encode())["choices"] == ["stop", "memory"]
    resource.prlimit(program.process.pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    program.say(answer=answer)
    after = program.stands()
    program.end()
    again = Program("--data", folder, "--resume", "last")
    assert again.stands() == after
    again.end()
    assert companion("--data", folder, "races", "verify").returncode == 0


@pytest.mark.parametrize(
    "command", [["races", "export", "last", "--json"], ["races", "export", "last", "--csv"]], ids=" ".join
)
def test_an_export_that_does_not_fit_is_said(folder: Path, command: list[str], tmp_path: Path) -> None:
    assert "No space left" in complaint(companion("--data", folder, *command, "--out", "/dev/full"))
    complaint(companion("--data", folder, *command, "--out", tmp_path / "no" / "such" / "folder"))


@pytest.mark.parametrize(
    ("lang", "says"),
    [
        ("en", "The system refuses {path}: No such file or directory."),
        ("fr", "Le système refuse {path} : il n’y a rien de ce nom."),
    ],
)
def test_what_the_system_refuses_is_told_of_what_was_to_be_made(lang: str, says: str, tmp_path: Path) -> None:
    port = tmp_path / "no" / "such"
    said = complaint(companion("--lang", lang, "hardware", "roller", "simulate", port))
    assert said.replace("\xa0", " ") == says.format(path=port)


@pytest.mark.parametrize(
    "command", [["races", "list"], ["races", "show"], ["races", "export", "--csv"], ["tracks", "list"], ["demo"]]
)
def test_an_output_that_is_full_is_no_traceback(folder: Path, command: list[str]) -> None:
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [*COMMAND, "--data", str(folder), *command], stdout=full, stderr=subprocess.PIPE, text=True, check=False
        )
    assert done.returncode != 0
    assert "Traceback" not in done.stderr
    assert "Exception ignored" not in done.stderr


def test_what_can_be_set_is_named_in_french_as_a_line_has_it(tmp_path: Path) -> None:
    program = Program("--data", tmp_path / "data", "--lang", "fr")
    cars = [{"car": 1, "at": "2:left:3", "gear": 3, "lap": 1}]
    begun = {"rulebook": "formula-d", "track": "monaco", "to_play": [1], "cars": cars, "lang": "fr"}
    assert "error" not in program.send(json.dumps({"setup": begun}).encode())
    said = program.refuses({"override": {"foo": 1}, "by": "Eve", "why": "a slip"})
    assert '"foo" ne peut' in said
    assert said.endswith('pour la course\u00a0: "order", "dangers", "cut_short", "red_flag".')
