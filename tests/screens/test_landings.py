"""The spaces to choose from on the screen: by what happens there, with the dice that follow, and the pits apart."""

from __future__ import annotations

from typing import Any

from companion.view.shown import OutcomeRow
from tests.screens.rig import Rig
from tests.screens.table import Table
from tests.table import WEAR

LOOKS = (("dark", "en"), ("daylight", "fr"))


def at(at_race: Any, roll: int, body: int = 3, **car: Any) -> Table:
    """Car 1 has rolled; on its right another stands five spaces on."""
    first = {"car": 1, "at": "2:left:1", "gear": 3, "lap": 1, "status": "racing", "wear": WEAR, "tyres": "hard", **car}
    other = {"car": 2, "at": "2:left:6", "gear": 2, "lap": 1, "status": "racing", "wear": {**WEAR, "body": body},
             "tyres": "hard"}  # fmt: skip
    made: Table = at_race(cars=[first, other], to_play=[1, 2], laps=3)
    made.see(
        lambda desk: [desk.answer(answer, n=desk.n) for answer in (2 if roll < 5 else 4 if roll < 13 else 5, roll)]
    )
    made.app.playing.seat.price("always")  # type: ignore[union-attr]
    made.calm()
    assert made.prompt.pages
    return made


def rows(made: Table) -> list[OutcomeRow]:
    return [row for page in made.prompt.pages for row in page.rows]


def audited(made: Table) -> None:
    for look, lang in LOOKS:
        made.app.choose(theme=look, language=lang)
        made.calm()
        made.audited()
    made.app.choose(theme="dark", language="en")
    made.calm()


def test_the_dice_that_follow_are_seen_before_the_tap(panel: Rig, at_race: Any) -> None:
    """A space behind another car that may go out: who rolls, what is lost, what all of it comes to; the way back, the
    same without a test, and Accept."""
    made = at(at_race, 4, body=1)
    risky = next(row for row in rows(made) if row.risky)
    n = made.prompt.n
    made.choose(risky.keys[0])
    card = made.shown.risk
    assert card is not None
    assert (made.prompt.n, made.ui.sees(card.title)) == (n, True)
    assert card.tone == "warn", "the mover itself stays"
    assert [roll.plate.number for roll in card.rows if roll.plate] == [2, 1]
    assert card.rows[0].loses == "1 in 20: body −1, out"
    assert made.ui.sees("1 in 20: body −1, out", "90%")
    assert [share.percent for share in card.shares] == [90, 5, 5]
    audited(made)
    assert card.other is not None
    made.touch(card.other.keys[0].label)
    assert not made.ui.sees(card.title)
    assert made.prompt.keys[made.prompt.chosen] == card.other.keys[0]
    made.choose(risky.keys[0])
    made.touch(card.back)
    assert not made.ui.sees(card.title)
    assert made.prompt.keys[made.prompt.chosen] == risky.keys[0]
    made.accept()
    assert made.see(lambda desk: desk.history.items[n].event.answer) == risky.keys[0].answer


def test_what_is_dearer_is_a_page_further_on_and_all_letters_of_a_page_are_in_the_picture(
    panel: Rig, at_race: Any
) -> None:
    wear = {**WEAR, "tyres": 4, "brakes": 8, "gearbox": 1, "body": 2, "engine": 2}
    made = at(at_race, 10, at="2:left:12", wear=wear, tyres="soft")
    assert len(made.prompt.pages) > 1
    audited(made)
    pages = made.prompt.pages
    for at_page, page in enumerate(pages):
        keys = [key for row in page.rows for key in row.keys]
        assert all(made.ui.offers(key.label) for key in keys)
        assert {key.space for key in keys} <= set(made.ui.spaces()), page.label
        made.touch(pages[(at_page + 1) % len(pages)].label)
    assert made.ui.offers(pages[1].label), "the first page follows the last"


def test_a_free_space_applies_at_once_and_out_by_accept_alone(at_race: Any) -> None:
    made = at(at_race, 8)
    n = made.prompt.n
    free = next(row for row in rows(made) if row.free)
    made.choose(free.keys[-1])
    assert made.see(lambda desk: desk.history.items[n].event.answer) == free.keys[-1].answer
    made.touch("Undo")
    out = next((row for row in rows(made) if row.tone == "bad"), None)
    if out is not None:
        for _ in range(2):
            made.choose(out.keys[0])
            assert made.prompt.n == n
    made.touch(space=free.keys[0].space)
    assert made.prompt.n > n, "on the board as in the list"


def test_the_pits_have_a_key_of_their_own(panel: Rig, at_race: Any) -> None:
    """Before its box a car sees it on the first page, with what is due there."""
    made = at(at_race, 20, at="19:right:2", gear=5, stops=1, box=5, round_set=True)
    row = next(row for row in made.prompt.pages[0].rows if row.icon == "pit")
    assert row.keys[0].space == "box:5"
    assert [price.text for price in row.prices] == ["free", "then tyres and the stop"]
    assert made.ui.offers(row.keys[0].label)
    assert made.ui.offers(icon="pit")
    audited(made)
