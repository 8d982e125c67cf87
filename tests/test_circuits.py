"""Circuits found by name and path, read once, and read fast."""

import os
import time
import tomllib
from pathlib import Path

import pytest

from companion import circuits
from companion.rules.circuit.file import load_track
from companion.rules.conversation.errors import BadTrack


def test_the_house_circuits_are_there() -> None:
    assert {"monaco", "kestrel-moor", "porto-sereno", "copper-basin"} <= set(circuits.keys())
    assert circuits.keys() == sorted(circuits.keys())


@pytest.mark.parametrize("key", circuits.keys())
def test_every_circuit_is_sound(key: str) -> None:
    assert circuits.complaints(key) == []
    track = circuits.load(key)
    assert track.key == key
    assert track.corners
    assert all(track.weather.sky(face) in ("rain", "changeable", "sun") for face in range(1, 21))


OF_SPACES = [key for key in circuits.keys() if circuits.load(key).known == "space"]  # noqa: SIM118


@pytest.mark.parametrize("key", OF_SPACES)
def test_every_circuit_of_spaces_has_two_drs_zones(key: str) -> None:
    """The cup has always two; those of our own boards are as we draw them, printed boards have proposals."""
    track = circuits.load(key)
    assert len(track.zones) == 2
    assert all(zone.proposed == ("own design" not in track.source) for zone in track.zones)


@pytest.mark.parametrize("name", ["monaco", "MONACO", "Kestrel Moor", "kestrelmoor", "porto-sereno", "Nurburgring"])
def test_a_circuit_is_found_by_key_and_by_name(name: str) -> None:
    plain = "".join(c for c in name.lower() if c.isalpha())
    assert circuits.load(name).key.replace("-", "") == plain


def test_a_circuit_is_found_by_path(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(circuits.find("monaco").read_text(encoding="utf-8"), encoding="utf-8")
    assert circuits.load(str(path)).key == "mine"


def test_a_circuit_is_read_once_until_its_file_changes(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    text = circuits.find("monaco").read_text(encoding="utf-8")
    path.write_text(text, encoding="utf-8")
    first = circuits.load(str(path))
    assert circuits.load(str(path)) is first
    path.write_text(text.replace('name    = "Monaco"', 'name    = "Mine"'), encoding="utf-8")
    os.utime(path, ns=(1, 1))
    assert circuits.load(str(path)).name == "Mine"


def test_a_circuit_that_is_not_there_is_named_with_the_nearest() -> None:
    with pytest.raises(BadTrack, match=r"^There is no circuit monako; the nearest is monaco\.$"):
        circuits.load("monako")
    many = len([*circuits.keys(), *circuits.section_keys()])  # templates are none
    with pytest.raises(
        BadTrack, match=rf"^There is no circuit xyzzy; companion tracks list shows the {many} that there"
    ):
        circuits.load("xyzzy")
    with pytest.raises(BadTrack, match=r"^There is no file nowhere/x\.toml; a circuit is a name"):
        circuits.load("nowhere/x.toml")


def test_a_file_that_is_no_text(tmp_path: Path) -> None:
    path = tmp_path / "odd.toml"
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(BadTrack, match="not a text file in UTF-8"):
        circuits.load(str(path))
    path.write_text("name = ", encoding="utf-8")
    with pytest.raises(BadTrack, match=r"odd\.toml: this is not TOML"):
        circuits.load(str(path))
    assert len(circuits.complaints(str(path))) == 1


def test_monaco_is_read_in_well_under_a_third_of_a_second() -> None:
    text = circuits.find("monaco").read_text(encoding="utf-8")
    start = time.process_time()
    load_track(text, "monaco.toml", "monaco")
    assert time.process_time() - start < 0.3


def test_the_manual_tells_of_every_circuit_what_is_known_and_how_sure() -> None:
    """Each file stands once in the table, with what it says itself; a board without one is told to be unknown."""
    tracks = Path(__file__).parents[1] / "tracks"
    rows = [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in (tracks / "README.md").read_text("utf-8").splitlines()
        if line.startswith("| ") and line.count("|") == 6
    ]
    told = {row[2].strip("`"): row for row in rows if row[2].startswith("`")}
    files = {path.stem: path for path in tracks.glob("*.toml") if "template" not in path.stem}
    assert told.keys() == files.keys()
    for name, (board, _, _, known, sure) in told.items():
        read = tomllib.loads(files[name].read_text("utf-8"))
        assert (board, known) == (read["name"], read.get("known", "sections")), name
        assert sure.split(";")[0].split(":")[0] == read["trust"].split(";")[0].split(":")[0], name
    unknown = [row for row in rows if row[2] == "none"]
    assert {row[3] for row in unknown} == {"nothing"}
    assert any("Race City" in row[0] for row in unknown)
