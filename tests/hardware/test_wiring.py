"""The wiring file: the one that comes with the program, one's own, and what is wrong with some."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.wording import Words
from hardware.wiring import FILE, BadWiring, Wiring, read, roller_port, tables, wiring

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
    (tmp_path / FILE).write_bytes(b"\xef\xbb\xbf[buttons]\r\nconfirm = 4\r\n")
    assert list(wiring(tmp_path).pins()) == [("confirm", 4)], "as an editor under Windows writes it"
    (tmp_path / FILE).write_bytes(b"\xff")
    with pytest.raises(BadWiring, match="no UTF-8"):
        wiring(tmp_path)
    assert read("") == Wiring()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "[buttons]\nup = 5\ndown = 5",
            "GPIO5 (pin 29 of the header) is given to several parts (buttons.up, buttons.down); "
            "each part has a pin of its own.",
        ),
        (
            "[lamps]\nred = 12\n[buzzer]\npin = 12",
            "GPIO12 (pin 32 of the header) is given to several parts (lamps.red, buzzer.pin); "
            "each part has a pin of its own.",
        ),
        (
            "[buttons]\nup = 3",
            "buttons.up cannot be on GPIO3 (pin 5 of the header), which has a resistor of its own; take another.",
        ),
        (
            "[lamps]\nwet = 14",
            "lamps.wet cannot be on GPIO14 (pin 8 of the header), which is the Pi's own (console); take another.",
        ),
        ("[lamps]\nstart = [4, 5]", "lamps.start has five start lights or none, not 2."),
        (
            "[buttons]\nup = 29",
            f"{FILE}: buttons.up is the number of a GPIO, 0 to 27; pin 29 of the header is GPIO5: write 5.",
        ),
        ("[buttons]\nup = 41", f"{FILE}: buttons.up is the number of a GPIO, 0 to 27, such as 5; 41 is none."),
        ("[buttons]\nup = true", f"{FILE}: buttons.up is the number of a GPIO, 0 to 27, such as 5; true is none."),
        ('[lamps]\nstart = [4, "5"]', f'{FILE}: lamps.start is the number of a GPIO, 0 to 27, such as 5; "5" is none.'),
        (
            "[lamps]\nstart = 4",
            f"{FILE}: lamps.start lists five GPIO numbers, such as [4, 18, 23, 24, 25]; 4 is no list.",
        ),
        (
            "[buttons]\njump = 4",
            f"{FILE}: [buttons] has no jump; it may have up, down, confirm, undo, next, clock.",
        ),
        ("[lights]", f"{FILE}: there is no lights; there are chip, [buttons], [lamps], [buzzer] and [roller]."),
        ("buttons = 5", f"{FILE}: buttons is a table; write [buttons] on a line of its own, and what it has below."),
        *(
            (
                f"chip = {said}",
                f"{FILE}: chip is the number of a GPIO chip, 0 to 99, -1 for the Pi's own, or a path such as "
                f'"/tmp/buttons"; {said} is none.',
            )
            for said in ("0.5", "100", '"tmp/buttons"', '""')
        ),
        ("[buzzer]\npin = 99", f"{FILE}: buzzer.pin is the number of a GPIO, 0 to 27, such as 5; 99 is none."),
        *(
            (
                f"[roller]\nport = {said}",
                f'{FILE}: roller.port is a device, such as "/dev/companion-roller", or a URL, such as '
                f'"socket://192.168.1.4:5000"; {said} is none.',
            )
            for said in ("5", '"foo"', '"ttyUSB0"')
        ),
        ("[roller]\nspeed = 5", f"{FILE}: [roller] has no speed; it may have port."),
        (
            "[buttons]\nup 5",
            f"{FILE}: line 2 makes no sense; a line is [buttons], up = 5 or a # remark, and each name is there once.",
        ),
        ("\n[buttons", f"{FILE}: line 2 makes no sense; "),
    ],
)
def test_a_wiring_that_cannot_be_is_told_in_one_sentence_in_both_languages(
    text: str, said: str, tmp_path: Path
) -> None:
    (tmp_path / FILE).write_text(text)
    with pytest.raises(BadWiring) as caught:
        roller_port(tables(tmp_path)) if "[roller]" in text else wiring(tmp_path)
    assert str(caught.value).startswith(said)
    assert Words("fr").error(caught.value) != str(caught.value)
