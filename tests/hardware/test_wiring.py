"""The wiring file: the one that comes with the program, one's own, and what is wrong with some."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.wording import Words
from hardware.wiring import FILE, BadWiring, Wiring, read, wiring

README = Path(__file__).parent.parent.parent / "hardware" / "README.md"


def test_the_wiring_that_comes_with_the_program_has_everything() -> None:
    pins = dict(wiring().pins())
    assert {"up", "down", "confirm", "undo", "next", "clock", "red", "green", "blue", "wet", "buzzer"} <= set(pins)
    assert sum(name.startswith("start") for name in pins) == 5
    assert wiring().roller.port == "/dev/companion-roller"


def test_the_drawing_shows_each_part_at_its_pin() -> None:
    """The header is drawn in rows of two, with the part beside the pin that it is on."""
    rows = [line for line in README.read_text(encoding="utf-8").splitlines() if line.count("|") == 2 and "o o" in line]
    assert len(rows) == 20
    for name, pin in wiring().pins():
        assert any(f"GPIO{pin}" in row.split() and name in row for row in rows), (name, pin)


def test_ones_own_wiring_takes_its_place(tmp_path: Path) -> None:
    assert wiring(tmp_path) == wiring()
    (tmp_path / FILE).write_text("[buttons]\nconfirm = 4\n")
    assert list(wiring(tmp_path).pins()) == [("confirm", 4)]
    (tmp_path / FILE).write_bytes(b"\xff")
    with pytest.raises(BadWiring, match="no UTF-8"):
        wiring(tmp_path)
    assert read("") == Wiring()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[buttons]\nup = 5\ndown = 5", "Pin 5 is given to up and down; each part has a pin of its own."),
        ("[lamps]\nred = 12\n[buzzer]\npin = 12", "Pin 12 is given to red and buzzer; each part has a pin of its own."),
        ("[buttons]\nup = 3", "up cannot be on pin 3, which has a resistor of its own; take another."),
        ("[lamps]\nwet = 14", "wet cannot be on pin 14, which is the Pi's own (console); take another."),
        ("[lamps]\nstart = [4, 5]", "There are five start lights or none, not 2."),
        ("[buttons]\nup = 40", f"{FILE}: it cannot be read (Expected `int` <= 27 - at `$.buttons.up`)."),
        ("[buttons]\njump = 4", f"{FILE}: it cannot be read (Object contains unknown field `jump` - at `$.buttons`)."),
        ("[buttons", f"{FILE}: it cannot be read (Expected ']' at the end of a table declaration"),
    ],
)
def test_a_wiring_that_cannot_be_is_told_in_one_sentence_in_both_languages(text: str, said: str) -> None:
    with pytest.raises(BadWiring) as caught:
        read(text)
    assert str(caught.value).startswith(said)
    assert Words("fr").error(caught.value) != str(caught.value)
