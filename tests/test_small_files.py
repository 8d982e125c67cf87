"""The program's own small files with every bit flipped once: one sentence and the way out, or nothing is the matter."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner

from companion.commands.main import companion
from companion.desk.beginning import begin_race
from companion.hall.broker import FOLDER as NATS
from companion.hall.keys import is_public, new_seed, public
from companion.hall.members import FILE as MEMBERS
from companion.hall.members import Members
from companion.hall.membership import FILE as HALL
from companion.hall.membership import Membership, in_hall, joined, keep
from companion.rules.conversation.errors import CompanionError, LogError
from companion.sheets.backup import HEADS, backup, heads
from companion.web.access_point import FILE as ACCESS_POINT
from companion.web.access_point import access_point
from companion.web.tokens import FILE as PHONES
from companion.web.tokens import Tokens
from tests.french import told_in_french


def flipped(path: Path, most: int = 400) -> Iterator[str]:
    """A file with one bit otherwise, at each place of it or at as many as that; then as it was."""
    sound = path.read_bytes()
    bits = range(len(sound) * 8)
    for bit in bits if len(bits) <= most else Random(1).sample(bits, most):
        bad = bytearray(sound)
        bad[bit // 8] ^= 1 << bit % 8
        path.write_bytes(bad)
        yield f"bit {bit % 8} of byte {bit // 8}"
    for bad in (b"", b"\xff", b"{", b"[]", b"null", b'{"a":' + b"[" * 100_000, sound[:-9], sound[:20] + b"\0" * 20):
        path.write_bytes(bad)
        yield repr(bad[:9])
    path.unlink(missing_ok=True)
    path.mkdir()
    yield "a folder"
    if path.is_dir():
        path.rmdir()
    path.write_bytes(sound)


def refusal(read: Callable[[], object]) -> str:
    """The sentence by which a file is refused, which has French of its own; "" if it is read."""
    try:
        read()
    except LogError as wrong:
        told_in_french(wrong)
        return str(wrong)
    return ""


def complain(wrong: CompanionError) -> Callable[[], object]:
    def read() -> None:
        raise LogError(wrong.kind, **wrong.facts)

    return read


def said(folder: Path, *words: str) -> str:
    """What a command says of it: one sentence in each language, and no more."""
    for lang in ("en", "fr"):
        done = CliRunner().invoke(companion, ["--data", str(folder), "--lang", lang, *words])
        assert done.exception is None or isinstance(done.exception, SystemExit | CompanionError), done.exception
    return str(done.exception) if isinstance(done.exception, CompanionError) else done.output


def test_the_hall_that_a_table_is_in(tmp_path: Path) -> None:
    place = Membership(
        hall="Hall", table="4", id="ab12", servers=["nats://127.0.0.1:4222"], seed=new_seed(), page="http://x/"
    )
    keep(tmp_path, place)
    told = 0
    for what in flipped(tmp_path / HALL):
        in_hall(tmp_path)
        if not (sentence := refusal(lambda: joined(tmp_path))):
            found = joined(tmp_path)
            assert found is not None
            assert not found.seed or is_public(public(found.seed))
            continue
        told += 1
        assert "let the table leave it, and join again" in sentence, what
        for words in (("hall", "start"), ("hall", "carry"), ("hall", "takeover")) if told % 9 == 0 else ():
            assert str(tmp_path / HALL) in said(tmp_path, *words), what
    assert told > 50
    (tmp_path / HALL).write_bytes(b"\xff")
    assert "has left the hall" in said(tmp_path, "hall", "leave") or not (tmp_path / HALL).exists()
    assert joined(tmp_path) is None


def test_who_is_in_the_hall(tmp_path: Path) -> None:
    members = Members(tmp_path / NATS, "Hall")
    members.begin()
    for name in ("1", "2"):
        members.join(members.code(name), public(new_seed()))
    members.code("3")
    told = 0
    for what in flipped(tmp_path / NATS / MEMBERS):
        if not (sentence := refusal(lambda: Members(tmp_path / NATS))):
            assert Members(tmp_path / NATS).users(), what
            continue
        told += 1
        assert "put back a copy, or move it away" in sentence, what
        for words in (("hall", "code", "5"), ("hall", "revoke", "1"), ("hall", "serve")) if told % 9 == 0 else ():
            assert MEMBERS in said(tmp_path, *words), what
    assert told > 50


def test_the_phones_of_a_race(tmp_path: Path) -> None:
    """One that is damaged is put aside, and said; the next one is written beside it."""
    for number in range(3):
        tokens = Tokens(tmp_path, f"{number:032x}")
        tokens.of(1)
        tokens.open = "127.0.0.1", 8000
    told = 0
    for what in flipped(tmp_path / PHONES):
        tokens = Tokens(tmp_path, f"{2:032x}")
        if tokens.complaint is not None:
            told += 1
            assert "join again by a new code" in refusal(complain(tokens.complaint)), what
            assert tokens.of(1), what
        for path in tmp_path.glob("phones.broken*"):
            path.rmdir() if path.is_dir() else path.unlink()
    assert told > 50


def test_how_far_the_races_of_a_copy_go(tmp_path: Path) -> None:
    cars = [{"car": 1, "driver": "Ada"}, {"car": 2}]
    with begin_race({"track": "monaco", "laps": 1, "cars": cars}, "monaco", tmp_path / "data"):
        pass
    copy = backup(tmp_path / "data", tmp_path / "stick").path
    sound = heads(copy)
    for what in flipped(copy / HEADS, 200):
        assert heads(copy).values(), what
        if (copy / HEADS).is_file():
            (copy / HEADS).unlink()
    assert heads(copy) == sound


def test_the_tables_own_network(tmp_path: Path) -> None:
    (tmp_path / ACCESS_POINT).write_text('{"name":"Table 4","password":"secret12","address":"10.4.0.1"}')
    told = 0
    for what in flipped(tmp_path / ACCESS_POINT):
        if sentence := refusal(lambda: access_point(tmp_path)):
            told += 1
            assert "install again: sudo python3 systemd/appliance.py install" in sentence, what
            if told % 40 == 0:
                assert "access-point.json" in said(tmp_path, "hardware", "check"), what
    assert told > 50


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_phones_by_command_say_that_they_have_to_join_again(tmp_path: Path, lang: str) -> None:
    """`companion phones` opens all the same."""
    cars = [{"car": 1, "driver": "Ada"}, {"car": 2}]
    with begin_race({"track": "monaco", "laps": 1, "cars": cars}, "monaco", tmp_path):
        pass
    (tmp_path / PHONES).write_bytes(b'{"a":"\xff"}')
    command = [sys.executable, "-m", "companion.commands.main", "--data", str(tmp_path), "--lang", lang, "phones",
               "--on", "127.0.0.1", "--port", "0"]  # fmt: skip
    with subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True) as phones:
        try:
            assert phones.stderr is not None
            line = phones.stderr.readline()
            assert str(tmp_path / "phones.broken.json") in line, line
        finally:
            os.kill(phones.pid, signal.SIGINT)
