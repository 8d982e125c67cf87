"""Bands of a test by touch and by button: what is pressed is what is kept and told, in every place that shows it."""

from __future__ import annotations

from typing import Any

import pytest

from companion.rules.conversation.asking import Asked
from companion.screens.kit.theme import NAME, theme
from companion.wording import LANGUAGES
from tests.screens.table import Table, driver_on, skip


def in_a_test(asked: Asked) -> bool:
    return asked.ask == "test" and asked.round > 0


def at_a_test(at_race: Any, lang: str = "en", **setup: Any) -> Table:
    made: Table = at_race(many=6, until=in_a_test, seed=3, app={"language": lang}, **setup)
    assert labels(made)[-1].endswith("–20")
    return made


def labels(made: Table) -> list[str]:
    """Return what is written on the keys of a test: its bands, or its faces."""
    (asked,) = (word for word in made.ui.words() if word.text == made.prompt.title)
    below = (word for word in made.ui.words() if word.box.y > asked.box.y + asked.box.h and word.size >= NAME)
    return [word.text for word in below if word.text[0].isdigit()]


def kept(made: Table, n: int) -> Any:
    return made.see(lambda desk: desk.history.items[n].event.answer)


@pytest.mark.parametrize("book", ["competition", "cup", "league", "death"])
def test_a_tapped_band_is_kept_as_a_band_in_every_book(at_race: Any, book: str) -> None:
    """Test after test: the key pressed, the log, the row of the list and the ruling's sentence say the same."""
    made = at_a_test(at_race, rulebook=book)
    driver, done = driver_on("monaco", 4), 0
    for _ in range(4):
        n, shown = made.prompt.n, labels(made)
        bands = made.see(lambda desk: desk.asked.bands)
        assert shown == ["–".join(dict.fromkeys(map(str, band))) for band in bands]
        made.touch(shown[done % len(shown)], below=made.prompt.title)
        answer = bands[done % len(shown)]
        assert kept(made, n) == answer
        facts = made.see(lambda desk, n=n: [one.facts for one in desk.history.items[n].rulings])
        assert all(one.get("face", answer) == answer for one in facts)
        done += 1
        skip(made, driver, in_a_test)
        if not made.see(lambda desk: desk.asked.bands):
            break
    assert done > 1


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_band_is_corrected_by_touch_to_another_band(at_race: Any, lang: str) -> None:
    made = at_a_test(at_race, lang=lang, sky="rain")
    n = made.prompt.n
    made.answer(made.prompt.keys[-1])
    was = kept(made, n)
    made.app.go("history", n=n)
    made.rig.wait(0.4)
    ui = made.ui
    ui.tap(theme.words.screen("history.correct_key"))
    made.audited()
    assert ui.is_chosen(f"{was[0]}–{was[1]}")
    assert not ui.is_chosen("1–2")
    assert all(ui.offers(str(face)) for face in range(1, 21))
    ui.tap("1–2")
    assert ui.sees(f"{was[0]}–{was[1]}", "1–2")
    ui.tap(theme.words.screen("history.replay"))
    assert kept(made, n) == [1, 2]


def test_the_buttons_move_among_the_bands_that_are_seen(at_race: Any) -> None:
    """Not among twenty faces that nobody sees: what is outlined is what Confirm gives."""
    made = at_a_test(at_race)
    n, ui, shown = made.prompt.n, made.ui, labels(made)
    press(made, "confirm")
    assert made.prompt.n == n
    for name, at in (("up", 0), ("last", -1)):
        press(made, name)
        assert [label for label in shown if ui.is_chosen(label, below=made.prompt.title)] == [shown[at]]
    made.audited()
    press(made, "confirm")
    assert kept(made, n) == [int(face) for face in shown[-1].split("–")]
    assert kept(made, n)[1] == 20


def press(made: Table, name: str) -> None:
    made.app.press(name)
    made.calm()


def test_the_rollers_face_stands_in_its_band_and_is_kept_as_a_face(at_race: Any) -> None:
    made = at_a_test(at_race)
    n = made.prompt.n
    assert made.app.playing.seat is not None
    made.app.playing.seat.select(13)
    made.calm()
    assert [label for label in labels(made) if made.ui.is_chosen(label, below=made.prompt.title)] == ["13"]
    made.audited()
    press(made, "confirm")
    assert kept(made, n) == 13


def test_where_every_face_counts_there_is_no_list_of_bands(at_race: Any) -> None:
    """Qualifying by the die: a key "1–20 safe" would give every car the same twenty."""
    made = at_race(many=3, rulebook="cup", options={"grid_by_die": True})
    asked = made.see(lambda desk: desk.asked)
    assert (asked.ask, asked.what, asked.bands) == ("test", "grid", None)
    assert labels(made) == [str(face) for face in range(1, 21)]
    made.touch("7", below=made.prompt.title)
    assert kept(made, 0) == 7
    for n in (1, 2):
        made.touch("7", below=made.prompt.title)
        assert kept(made, n) == 7
    assert made.ui.sees("Level on 7: reroll", "level with cars 2 and 3")
    made.audited()
