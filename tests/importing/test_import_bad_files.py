"""Files that are no boards, or broken ones: one sentence, nothing else."""

import random
import struct
from pathlib import Path

import board_samples
import pytest

from companion.importing import import_board
from companion.rules.circuit.file import read
from companion.rules.conversation.errors import BadTrack
from tests.french import told_in_french

DAT = board_samples.draw(board_samples.track_of(board_samples.PLAIN), numbers="gaps").dat()
TDF = board_samples.tdf(board_samples.draw(board_samples.track_of(board_samples.PLAIN)))


def complaint(data: bytes, tmp_path: Path, name: str = "bad.dat") -> str:
    file = tmp_path / name
    file.write_bytes(data)
    with pytest.raises(BadTrack) as caught:
        import_board(file)
    said = str(caught.value)
    assert said.startswith(name)
    assert said.endswith(".")
    assert "\n" not in said
    assert told_in_french(caught.value).startswith(name)
    return said


def with_line(number: int, new: str) -> bytes:
    """The .dat sample with one line replaced; counted from 1."""
    lines = DAT.decode().split("\n")
    lines[number - 1] = new
    return "\n".join(lines).encode()


def line_of(part: int) -> int:
    """The first line of a part of the .dat sample, counted from 1."""
    lines = DAT.decode().split("\n")
    found = 1
    for _ in range(part):
        found = lines.index("", found) + 1
    return found + 1


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "empty"),
        (b"  \n\n", "empty"),
        (b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR", "neither"),
        (b"\x00\x00\x00\x04TE02aaaa", "neither"),
        (b"\x00\x00\x00", "neither"),
        (b"hello", "ends before its moves"),
        (b"board.png\n1 2 3 1\n", "ends before its moves"),
        (b"1 2 3 1\n2 3 4 1\n\n1 2\n", "line 1"),
        (b'name = "Monaco"\ncountry = "Monaco"\n\nx = 1\n', "line 2"),
        (b"board.png\n1 0 0 1\n2 9 0 1\n\n1 2\n", "nothing follows"),
        (b"board.png\n1 0 0 1\n2 9 0 1\n\n1 2\n\n\n\n7 7\n", "fourth part"),
        (b"board.png\n1 0 0 7\n2 9 0 7\n\n1 2\n", "no move leads"),
        (b"board.png\n1 5 5 1\n2 5 5 1\n3 5 5 1\n\n1 2\n2 3\n3 1\n", "no places in the picture"),
        (b"board.png\n1 0 0 1 F\n2 9 0 1\n3 9 9 1\n4 0 9 1\n\n1 2\n2 3\n3 4\n4 1\n", "1 closed lane"),
    ],
)
def test_what_is_no_board(data: bytes, words: str, tmp_path: Path) -> None:
    assert words in complaint(data, tmp_path)


@pytest.mark.parametrize(
    ("line", "new", "words"),
    [
        (2, "a 10 10 1", "whole number"),
        (2, "17 ten 10 1", "a number belongs in place 2"),
        (2, "17 nan 10 1", "a number belongs in place 2"),
        (2, "17 10 10", "a node is number, x, y, type"),
        (2, "17 10 10 1 G", "a node is number, x, y, type"),
        (2, "17 10 10 9", "has type 9"),
        (3, DAT.decode().split("\n")[1], "stands twice"),
        (line_of(1), "17 999999", "there is no node 999999"),
        (line_of(1), " ".join(line.split()[0] for line in DAT.decode().split("\n")[1:4]), "two different node numbers"),
        (line_of(1), "17", "a whole number belongs in place 2"),
        (line_of(2), "999999 0.5", "there is no node 999999"),
        (line_of(2), "17 half", "a number belongs in place 2"),
        (line_of(3), "17", "a number belongs in place 2"),
    ],
)
def test_line_that_makes_no_sense_is_named(line: int, new: str, words: str, tmp_path: Path) -> None:
    said = complaint(with_line(line, new), tmp_path)
    assert f"line {line}" in said
    assert words in said


def test_five_lanes_and_a_ring_of_its_own(tmp_path: Path) -> None:
    ring = [(x, y) for x, y in ((0, 0), (9, 0), (9, 9), (0, 9))]
    nodes, moves = [], []
    for lane in range(5):
        for k, (x, y) in enumerate(ring):
            nodes.append(f"{10 * lane + k} {x * (10 - lane)} {y * (10 - lane)} 1{' F' * (k == 0)}")
            moves.append(f"{10 * lane + k} {10 * lane + (k + 1) % 4}")
    data = "\n".join(["x.png", *nodes, "", *moves]).encode()
    assert "5 closed lanes" in complaint(data, tmp_path)
    extra = "\n90000 10 10 1\n90001 20 10 1\n90002 20 20 1\n"
    broken = DAT.replace(b"\n\n", extra.encode() + b"\n", 1)
    broken = broken.replace(b"\n\n", b"\n\n90000 90001\n90001 90002\n90002 90000\n", 1)
    assert "ring of their own" in complaint(broken, tmp_path)


def test_dat_without_finish_line(tmp_path: Path) -> None:
    assert "first past the finish line" in complaint(DAT.replace(b" F\n", b"\n"), tmp_path)


def test_dat_cut_off_in_its_moves_has_lanes_that_end(tmp_path: Path) -> None:
    start = DAT.index(b"\n\n") + 2
    end = DAT.index(b"\n\n", start)
    for share in (0.2, 0.5, 0.8):
        cut = DAT[: start + int((end - start) * share)]
        said = complaint(cut[: cut.rindex(b"\n")], tmp_path)
        assert "nothing follows" in said
        assert "is the file whole?" in said


@pytest.mark.parametrize("share", [step / 40 for step in range(40)])
def test_tdf_cut_off_anywhere(share: float, tmp_path: Path) -> None:
    data = TDF[: int(len(TDF) * share)]
    if data:
        said = complaint(data, tmp_path, "bad.tdf")
        assert "cut off" in said or "neither" in said


def test_tdf_without_its_last_hash(tmp_path: Path) -> None:
    assert "hash" in complaint(TDF[: -len(board_samples.text("9e107d9d372bb6826bd81d3542a419d6"))], tmp_path, "bad.tdf")


HEADER = len(board_samples.text("TE01")) + 4 + 8 + 8 + 4
FIRST = HEADER + 4 + len(board_samples.text("d41d8cd98f00b204"))
"""Where the first space begins."""
NEXT = FIRST + 4 + 8 + 32 + 8


@pytest.mark.parametrize(
    ("at", "form", "value", "words"),
    [
        (HEADER, ">i", 0, "counts 0 spaces"),
        (HEADER, ">i", -5, "counts -5 spaces"),
        (HEADER, ">i", 2_000_000_000, "counts 2000000000 spaces"),
        (HEADER + 4, ">i", -1, "a text of -1 letters"),
        (HEADER + 4, ">i", 2_000_000_000, "cut off in the header"),
        (FIRST, ">i", 2, "space 0"),
        (NEXT, ">i", -1, "names -1 other spaces"),
        (NEXT, ">i", 100_000, "names 100000 other spaces"),
        (NEXT + 4, ">i", 5000, "leads to space 5000"),
        (NEXT + 4, ">i", -1, "leads to space -1"),
    ],
)
def test_tdf_with_one_number_wrong(at: int, form: str, value: int, words: str, tmp_path: Path) -> None:
    data = TDF[:at] + struct.pack(form, value) + TDF[at + struct.calcsize(form) :]
    assert words in complaint(data, tmp_path, "bad.tdf")


def test_tdf_with_a_kind_stops_or_place_that_cannot_be(tmp_path: Path) -> None:
    (moves,) = struct.unpack_from(">i", TDF, NEXT)
    kind = NEXT + 4 + 4 * moves + 8
    for at, value, words in (
        (kind, struct.pack(">i", 8), "of kind 8"),
        (kind + 4, struct.pack(">d", float("nan")), "position that is no number"),
        (kind + 4, struct.pack(">d", float("inf")), "position that is no number"),
    ):
        assert words in complaint(TDF[:at] + value + TDF[at + len(value) :], tmp_path, "bad.tdf")
    corner = TDF[:kind] + struct.pack(">i", 1) + TDF[kind + 4 :]
    stops = kind + 4 + 16 + 4
    assert "a corner of 9 stops" in complaint(
        corner[:stops] + struct.pack(">i", 9) + corner[stops + 4 :], tmp_path, "bad.tdf"
    )


def test_file_that_cannot_be_read(tmp_path: Path) -> None:
    for path in (tmp_path / "none.dat", tmp_path):
        with pytest.raises(BadTrack, match="cannot be read") as caught:
            import_board(path)
        assert str(caught.value).endswith(".")


@pytest.mark.parametrize("seed", range(60))
def test_changed_bytes_never_do_worse_than_a_sentence(seed: int, tmp_path: Path) -> None:
    """Whatever is changed, the answer is a board or one sentence, and a board's text is read or its trouble told."""
    rng = random.Random(seed)
    for sample, name in ((DAT, "bad.dat"), (TDF, "bad.tdf")):
        data = bytearray(sample)
        for _ in range(rng.choice((1, 3, 20))):
            at = rng.randrange(len(data))
            data[at] = rng.choice(b"0123456789 \nF") if name == "bad.dat" else rng.randrange(256)
        if rng.random() < 0.3:
            start = rng.randrange(len(data))
            del data[start : start + rng.randrange(200)]
        file = tmp_path / name
        file.write_bytes(bytes(data))
        said: list[BadTrack] = []
        try:
            result = import_board(file)
        except BadTrack as why:
            said = [why]
        else:
            assert read(result.text, "imported", "imported").track is not None or result.notes
            said = result.notes
        assert all(str(one).endswith(".") and "\n" not in str(one) for one in said)
        for one in said:
            told_in_french(one)
