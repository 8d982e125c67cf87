"""The look: colours that can be read, fonts that can write every name, pictograms, plates."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PIL import Image

from companion.drawing import coverage, icons, lettering, typefaces
from companion.drawing.coverage import outlines
from companion.drawing.paints import PAINTS
from companion.rules.conversation.kinds import POOLS
from companion.screens.kit import plate, shapes
from companion.screens.kit.pane import Pane
from companion.screens.kit.theme import DARK, DAYLIGHT, rgba, theme
from tests.screens.audit import contrast, rgb
from tests.screens.rig import Rig

FLOORS = {"low": 5.0, "mid": 8.0, "hi": 13.0, "ok": 5.0, "warn": 5.0, "bad": 5.0, "info": 5.0}


@pytest.mark.parametrize("ground", ["bg1", "bg2", "bg3"])
def test_every_signal_can_be_read(rig: Rig, look: str, ground: str) -> None:
    theme.look = look
    for token, floor in FLOORS.items():
        found = contrast(rgba(theme.hex(token))[:3], rgba(theme.hex(ground))[:3])
        assert found >= floor, (token, found)
    assert contrast(rgba(theme.hex("pri"))[:3], rgba(theme.hex("onpri"))[:3]) > 13


def test_both_looks_have_the_same_tokens() -> None:
    assert DARK.keys() == DAYLIGHT.keys()


@pytest.mark.parametrize("weight", [500, 600, 700])
@pytest.mark.parametrize("pixels", [14, 15, 18, 23, 34, 52])
def test_every_digit_is_as_wide_as_another(rig: Rig, weight: int, pixels: int) -> None:
    widths = {digit: lettering.width(digit * 4, pixels, weight) for digit in "0123456789"}
    assert len(set(widths.values())) == 1, widths


def test_words_are_as_wide_as_they_were_laid_out(rig: Rig) -> None:
    for text, wide in (("Choose a gear", 194), ("Choisissez la case", 249), ("Take the slipstream?", 286)):
        assert lettering.width(text, 34, 700) == pytest.approx(wide, abs=5)


@pytest.mark.parametrize(
    ("name", "stretches"),
    [
        ("Zoé Œuvrard", [("Zoé Œuvrard", "Barlow")]),
        ("Łukasz Ødegård", [("Łukasz Ødegård", "Barlow")]),
        ("Nguyễn Văn", [("Nguyễn Văn", "Barlow")]),
        ("Владимир", [("Владимир", "Roboto")]),
        ("Ελένη Papadaki", [("Ελένη ", "Roboto"), ("Papadaki", "Barlow")]),
        ("כהן 3 דוד: −1", [("כהן 3 דוד", "DejaVu"), (": −1", "Barlow")]),
        ("14 דוד כהן", [("14 ", "Barlow"), ("דוד כהן", "DejaVu")]),
        ("محمد-Ali 3", [("محمد", "DejaVu"), ("-Ali 3", "Barlow")]),
    ],
)
def test_a_name_is_set_in_the_fonts_that_have_its_letters(
    rig: Rig, name: str, stretches: list[tuple[str, str]], no_fonts: None
) -> None:
    found = typefaces.set_in(name, 600)
    assert [said for said, _ in found] == [said for said, _ in stretches]
    assert all(file.name.startswith(font) for (_, file), (_, font) in zip(found, stretches, strict=True))


@pytest.fixture
def no_fonts(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A system without a font."""

    def forget() -> None:
        for kept in (*vars(typefaces).values(), *vars(lettering).values()):
            if hasattr(kept, "cache_clear"):
                kept.cache_clear()

    forget()
    monkeypatch.setattr(typefaces, "SYSTEM_FONTS", ())
    yield
    forget()


def test_a_letter_that_no_font_has_is_left_out(rig: Rig, no_fonts: None) -> None:
    assert typefaces.set_in("山田", 600) == ()
    assert [said for said, _ in typefaces.set_in("山田 14 山田", 600)] == ["14"]
    assert lettering.width("山田", 20, 600) == 0
    assert lettering.text_pieces("山田", 20, 600) == ()


def drawn(letter: str) -> bytes:
    """What a letter looks like: its pixels, and how wide it is."""
    (piece,) = lettering.text_pieces(letter, 40, 600)
    return bytes(piece.picture.pixels) + bytes([piece.picture.width])


@pytest.mark.parametrize(
    "name", ["山田太郎", "김철수", "さくら", "สมชาย", "देवदत्त", "محمد علي", "דוד כהן", "Владимир", "Ελένη"]
)
def test_a_name_in_any_script_is_drawn(rig: Rig, name: str) -> None:
    """Every letter of it looks like itself: an empty box would look like the next one."""
    shown = [letter for letter in dict.fromkeys(name) if letter.isalpha()]
    assert len({drawn(letter) for letter in shown}) == len(shown)
    assert len("".join(said for said, _ in typefaces.set_in(name, 600))) == len(name)


def test_letters_that_are_read_from_the_right_are_joined_from_the_right(rig: Rig) -> None:
    """The tall alif of "با" stands left of the low ba; "ممم" is shorter than three letters that stand alone."""
    inked = ink("با")
    assert inked.index(max(inked)) < len(inked) / 3
    assert lettering.width("ممم", 60, 600) < 2.7 * lettering.width("م م م", 60, 600) / 3


def ink(text: str) -> list[int]:
    """How many pixels of a text are white in each column, from left to right."""
    columns: list[int] = []
    for piece in lettering.text_pieces(text, 60, 600):
        wide, high = piece.picture.size
        alpha = bytes(piece.picture.pixels)[3::4]
        columns += [sum(alpha[row * wide + column] > 128 for row in range(high)) for column in range(wide)]
    return columns


@pytest.mark.parametrize(
    ("formed", "apart"),
    [
        ("क्ष", "क्\u200cष"),
        ("ক্ষ", "ক্\u200cষ"),
        ("لا", "ل\u200cا"),
    ],
)
def test_letters_that_become_one_are_narrower_than_apart(rig: Rig, formed: str, apart: str) -> None:
    assert lettering.width(formed, 60, 600) < 0.9 * lettering.width(apart, 60, 600)


def test_a_vowel_that_is_written_before_its_letter_stands_there(rig: Rig) -> None:
    """In "कि" the sign that follows ka in speech stands left of it; in "की" the other stands right."""
    ka = [column for column in ink("क") if column]
    assert [column for column in ink("कि") if column][-20:] == ka[-20:]
    assert [column for column in ink("की") if column][:20] == ka[:20]
    assert lettering.width("กี่", 60, 600) < 1.3 * lettering.width("ก", 60, 600), "marks stand above one another"


def test_a_name_from_the_right_stands_within_a_sentence_from_the_left(rig: Rig) -> None:
    sentence, name = ink("7 דוד Ali"), ink("דוד")
    begin = len(ink("7 x")) - len(ink("x"))
    assert any(sentence[at : at + len(name)] == name for at in range(begin - 2, begin + 3))


def test_what_is_cut_off_a_name_is_missing_where_it_would_be_read(rig: Rig) -> None:
    """The dots stand at its left end: low, and nothing above them."""
    name = "אלכסנדרה וילהלמינה הוהנלוהה"
    cut = lettering.cut(name, 60, 600, 360)
    inked, dots = ink(cut), [column for column in ink("א…א") if column]
    assert cut.startswith(name[:4])
    assert 0 < max(inked[: len(inked) // 12]) < max(dots) / 3


def test_every_letter_of_french_and_every_sign_of_the_screens(rig: Rig) -> None:
    wanted = "àâæçéèêëîïôœùûüÿÀÂÆÇÉÈÊËÎÏÔŒÙÛÜŸ×−·–…’«»+=/:\u00a0"
    for weight in (500, 600, 700):
        assert {ord(letter) for letter in (*wanted, *typefaces.PLAIN)} <= typefaces.letters(
            typefaces.shipped(weight)[0]
        )


def test_a_text_that_is_too_long_is_cut_at_its_end(rig: Rig) -> None:
    name = "Alexandra-Wilhelmina von Hohenlohe"
    cut = lettering.cut(name, 20, 600, 120)
    assert cut.endswith("…")
    assert name.startswith(cut[:-1])
    assert lettering.width(cut, 20, 600) <= 120
    assert lettering.cut(name, 20, 600, 900) == name
    assert lettering.cut(name, 20, 600, 2) == ""


def test_the_path_of_a_file_goes_on_where_the_line_is_begun() -> None:
    said = lettering.wrapped("16 kB · /a/folder/that/goes/on/for/longer/than/a/line/races.db is whole", 20, 600, 300)
    assert said[0].startswith("16 kB · /a/folder")
    assert said[-1].endswith("races.db is whole")
    assert "".join(said[:2]).startswith("16 kB · /a/folder/that/goes/on/for/longer")
    assert all(lettering.width(line, 20, 600) <= 300 for line in said)
    assert lettering.wrapped("a word of its own", 20, 600, 10_000) == ["a word of its own"]
    spa = "Spa-Francorchamps"
    assert lettering.wrapped(spa, 20, 600, lettering.width(spa, 20, 600) - 1) == ["Spa-", "Francorchamps"]
    assert lettering.wrapped("over the line", 20, 600, lettering.width("over the", 20, 600)) == ["over the", "line"]


def test_every_pictogram_is_drawn_within_its_box(rig: Rig) -> None:
    assert set(POOLS) <= icons.NAMES
    for name in icons.NAMES:
        pixels = shapes.pictogram(name, 24).pixels
        assert max(pixels[3::4]) > 180, name
        for path in icons.ICONS[name]:
            edge = 0.0 if path.startswith("#") else icons.STROKE / 2
            for x, y in (point for line in outlines(path.lstrip("# ")) for point in line):
                assert edge - 0.6 <= x <= 24.6 - edge, (name, x)
                assert edge - 0.6 <= y <= 24.6 - edge, (name, y)


def test_no_two_pictograms_are_the_same(rig: Rig) -> None:
    assert len({shapes.pictogram(name, 24).pixels for name in icons.NAMES}) == len(icons.NAMES)


def test_twenty_plates_are_twenty_plates(rig: Rig) -> None:
    first = [(paint.colour, paint.shape) for paint in PAINTS]
    assert len(set(first)) == 10
    for shape in {paint.shape for paint in PAINTS}:
        assert sum(paint.shape == shape for paint in PAINTS) == 2
        once, twice = plate.pictures(shape, 24, False)[1], plate.pictures(shape, 24, True)[1]
        assert once.pixels != twice.pixels


def test_digits_of_a_plate_can_be_read() -> None:
    for paint in PAINTS:
        assert contrast(rgb(paint.digit), rgb(paint.colour)) >= 4.5, paint.name


def covered(drawn: coverage.Coverage) -> float:
    """How many pixels a drawing covers in all."""
    return sum(drawn.covered().tobytes()) / coverage.WHOLE


def test_a_stroke_covers_as_much_as_it_is_long_and_thick() -> None:
    drawn = coverage.Coverage(20, 20)
    drawn.stroke([(5, 10), (15, 10)], 2)
    assert covered(drawn) == pytest.approx(2 * 10 + 3.14, abs=0.5)
    assert drawn.covered().getpixel((3, 3)) == 0


def test_a_path_is_read_as_svg_has_it() -> None:
    """Absolute and relative, with an arc of an ellipse; what is left out of it would not be seen for want of ink."""
    for path, end, top in (
        ("M4 9.5 A12 12 0 0 1 20 9.5", (20, 9.5), 6.4),
        ("M4 21 a8 7 0 0 1 16 0", (20, 21), 14),
        ("M12 18 h-8 v-3", (4, 15), 15),
        ("M2 9 c2 -4 4 -4 6 0", (8, 9), 6),
    ):
        (line,) = coverage.outlines(path)
        assert line[-1] == pytest.approx(end)
        assert min(y for _, y in line) == pytest.approx(top, abs=0.1)


def test_a_polygon_with_a_hole() -> None:
    drawn = coverage.Coverage(20, 20)
    drawn.polygon([[(2, 2), (18, 2), (18, 18), (2, 18)], [(6, 6), (14, 6), (14, 14), (6, 14)]])
    assert covered(drawn) == pytest.approx(16 * 16 - 8 * 8, rel=0.005)
    assert drawn.covered().getpixel((10, 10)) == 0


def test_a_rim_is_the_edge_of_what_is_filled() -> None:
    filled, rim = coverage.Coverage(20, 20), coverage.Coverage(20, 20)
    filled.rounded(6)
    rim.rounded(6, 2)
    inner = coverage.Coverage(16, 16)
    inner.rounded(4)
    assert covered(filled) == pytest.approx(400 - (4 - 3.1416) * 36, rel=0.01)
    assert covered(rim) == pytest.approx(covered(filled) - covered(inner), rel=0.03)
    assert filled.covered().getpixel((0, 0)) == rim.covered().getpixel((0, 0)) == 0


def test_a_picture_of_the_window_is_a_png(rig: Rig, tmp_path: Path) -> None:
    class Flag(Pane):
        def paint(self, pen: object) -> None:
            pen.fill(0, 0, 400, 480, "#FF0000")  # type: ignore[attr-defined]
            pen.fill(0, 0, 400, 100, "#0000FF")  # type: ignore[attr-defined]

    rig.show(Flag())
    shown = Image.open(rig.screenshot(tmp_path / "shown.png"))
    assert (shown.format, shown.mode, shown.size) == ("PNG", "RGB", (800, 480))
    assert [shown.getpixel(at) for at in ((0, 50), (0, 300), (500, 300))] == [(0, 0, 255), (255, 0, 0), (7, 9, 11)]
