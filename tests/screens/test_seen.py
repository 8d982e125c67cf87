"""What the table saw of a move on a corner sheet, by touch: nothing is assumed that does not stand on the key."""

from __future__ import annotations

from typing import Any

import pytest

from companion.rules.conversation.asking import Json
from companion.screens.kit.theme import theme
from companion.screens.kit.top_bar import HIGH as BAR
from companion.view.shown import SeenGroup
from tests.screens.rig import Rig
from tests.screens.table import NAMES, Table, driver_on, skip

CARS = [{"car": n, "driver": NAMES[n - 1]} for n in range(1, 5)]
BUILT = {"tyres": 6, "brakes": 3, "gearbox": 3, "body": 3, "engine": 3, "handling": 2}


def stood(*places: str, **more: Any) -> list[dict[str, Json]]:
    """Cars where they stand, in 3rd, the first to play first."""
    return [
        {**car, "at": at, "gear": 3, "wear": dict(BUILT), "tyres": "hard", "lap": 0, **more}
        for car, at in zip(CARS, places, strict=False)
    ]


@pytest.fixture
def corners(panel: Rig, at_race: Any) -> Any:
    """Makes a table at a corner sheet with cars where they are said to be, at the question of what was seen."""

    def at(*places: str, driven: int = 5, still: int = 0, **settings: Any) -> Table:
        setup = {
            "cars": stood(*places, still=still),
            "sky": "sun",
            "round": 3,
            "laps": 2,
            "to_play": list(range(1, len(places) + 1)),
        }
        table: Table = at_race("spa", until=lambda asked: asked.ask == "gear", seed=1, app=settings, **setup)
        table.given(3)
        table.given(driven)
        skip(table, None, lambda asked: asked.ask == "saw")
        assert table.prompt.ask == "saw"
        return table

    return at


def labels(table: Table) -> list[str]:
    return [key.label for key in table.prompt.keys]


def legend(table: Table, label: str) -> str:
    key = next(key for key in table.prompt.keys if key.label == label)
    return " ".join(price.text for price in key.prices)


def groups(table: Table) -> tuple[SeenGroup, ...]:
    report = table.prompt.seen
    assert report is not None
    return report.groups


def last(table: Table) -> dict[str, Json]:
    answer: dict[str, Json] = table.see(lambda desk: desk.history.items[-1].event.answer)
    return answer


def test_a_quick_key_says_what_it_assumes_and_comes_to(corners: Any) -> None:
    table = corners("after:2", "after:2", "corner:3")
    assert labels(table) == ["Short of corner 3", "In corner 3", "Past corner 3"], "two stops missing: one key"
    assert legend(table, "In corner 3") == "alone: free · nothing to roll"
    assert legend(table, "Past corner 3") == "out"
    table.audited()
    n = table.prompt.n
    table.touch("In corner 3")
    assert table.see(lambda desk: desk.n) > n, "what is free and meets nobody applies at once"


@pytest.mark.parametrize(("lang", "short"), [("en", "needs 2"), ("fr", "dès 2 cases")])
def test_a_place_too_far_says_on_its_key_how_many_spaces_it_takes(
    panel: Rig, at_race: Any, lang: str, short: str
) -> None:
    """A tap says it at length."""
    table = at_race("monza", app={"language": lang}, until=lambda asked: asked.ask == "saw", seed=5)
    driver = driver_on("monza", 5)
    while not any(key.why for key in table.prompt.keys):
        table.given(table.wanted(driver))
        skip(table, driver, lambda asked: asked.ask == "saw")
    assert table.ui.sees(short)
    table.audited()
    table.touch(short)
    assert table.ui.sees("spaces at least" if lang == "en" else "cases au moins")


def test_past_a_corner_of_one_stop_there_are_three_keys_with_their_price(corners: Any) -> None:
    table = corners("after:0", "after:0")
    assert labels(table) == ["Short of corner 1", "In corner 1", "Past 1 by 1", "by 2", "by 3"]
    assert [legend(table, label) for label in labels(table)[2:]] == ["−1", "−2", "−3"]
    table.touch("by 2")
    table.audited()
    table.touch("Accept")
    assert last(table) == {"in": "after corner 1", "overshot": 2}


@pytest.mark.parametrize(
    ("lang", "told"),
    [
        ("en", "has been in one place for 10 rounds, after corner 2: correct an answer if"),
        ("fr", "est au même endroit depuis 10 tours de jeu, après le virage 2\u00a0: si c’est"),
    ],
)
def test_a_car_that_stays_in_one_place_for_ten_rounds_is_told_in_a_toast(corners: Any, lang: str, told: str) -> None:
    table = corners("after:2", "after:2", "corner:3", still=9, language=lang)
    table.touch(labels(table)[0])
    assert table.ui.sees(told)
    table.audited()


def test_cars_in_one_corner_that_touch_are_asked_for_and_roll(corners: Any) -> None:
    table = corners("after:2", "corner:3", "corner:3")
    ui = table.ui
    ui.hold("Bruno" if ui.sees("Bruno") else "BRU", below="Cars it touches, ahead or beside")
    assert ui.sees("Legend", "Bruno")
    table.touch("Close")
    table.touch("BRU")
    assert ui.sees("beside")
    table.touch("CHL")
    table.touch("CHL")
    assert ui.sees("ahead")
    said = legend(table, "In corner 3")
    assert said.startswith("touches"), said
    assert said.endswith("1 in 20 each")
    table.audited()
    table.touch("In corner 3")
    assert ui.sees("Dice to roll"), "dice follow: it is no key that applies at once"
    table.audited()
    table.touch("Accept")
    assert last(table) == {"in": "corner 3", "beside": [2], "ahead": 3}
    assert table.see(lambda desk: (desk.asked.ask, desk.asked.what.split("_")[0])) == ("test", "collision")


def test_nobody_takes_the_cars_back(corners: Any) -> None:
    table = corners("after:2", "corner:3")
    table.touch("BRU")
    assert legend(table, "In corner 3").startswith("touches")
    assert table.ui.sees("BRU beside")
    table.touch("Nobody")
    assert not table.ui.sees("BRU beside")
    assert legend(table, "In corner 3") == "alone: free · nothing to roll"


def test_what_else_was_met_is_said_before_the_place(corners: Any) -> None:
    table = corners("after:2", "corner:3")
    ui = table.ui
    table.touch("Braked or blocked")
    table.audited()
    assert ui.sees("Braked", "Blocked", "spaces braked on purpose")
    assert not ui.sees("Bonus space"), "no soft tyres"
    table.touch(icon="plus", beside="Braked")
    table.touch("Done")
    table.touch("Danger space")
    table.touch(icon="plus", beside="Dangers")
    table.touch("Done")
    assert ui.sees("braked 1", "1 danger")
    table.audited()
    table.touch("In corner 3")
    table.touch("Accept")
    assert last(table) == {"in": "corner 3", "brakes": 1, "dangers": 1}


def test_a_car_out_by_blocking_is_told_so_before_it_is_asked_which_car_was_in_front(corners: Any) -> None:
    table = corners("after:2", "after:2", "after:2", driven=8)
    for car in ("BRU", "CHL", "Braked or blocked"):
        table.touch(car)
    for _ in range(7):
        table.touch(icon="plus", beside="Blocked")
    table.touch("Done")
    table.audited()
    table.touch("Short of corner 3")
    assert table.ui.sees("Out of the race", "Out: blocked.")
    table.audited()
    table.touch("Retire")
    assert table.prompt.ask == "front"


def test_a_car_short_of_the_line_has_quick_keys_too(corners: Any) -> None:
    table = corners("after:8", "after:8")
    assert labels(table)[:3] == ["Short of the line", "Past the line", "In corner 1"]
    assert [key.answer.get("line", False) for key in table.prompt.keys[:3]] == [False, True, True]
    table.audited()
    table.touch("Past the line")
    assert last(table) == {"in": "after corner 8", "line": True}


def test_a_corner_whose_stops_are_made_has_no_key_of_its_own(corners: Any) -> None:
    table = corners("corner:1", "after:0")
    assert labels(table)[0] == "In corner 1", "its stop is still owed"
    assert table.prompt.keys[0].note == "stop 1/1"


@pytest.mark.parametrize("lang", ["en", "fr"])
@pytest.mark.parametrize(
    ("places", "look"), [(("after:0", "after:0", "corner:1", "corner:1"), "dark"), (("after:8", "after:8"), "daylight")]
)
def test_every_part_of_it_can_be_read(corners: Any, lang: str, places: tuple[str, ...], look: str) -> None:
    """The key that is selected, too, beside its card."""
    table = corners(*places, language=lang, theme=look)
    table.audited()
    table.touch("BRU")
    table.audited()
    for answer in [key for key in table.prompt.keys if key.accept]:
        table.app.playing.seat.select(answer.answer)  # type: ignore[union-attr]
        table.calm()
        assert table.ui.offers(table.shown.card.accept)  # type: ignore[union-attr]
        assert table.ui.sees(answer.note)
        table.audited()
        table.app.playing.seat.select(None)  # type: ignore[union-attr]
        table.calm()
    for group in groups(table):
        table.touch(group.label)
        table.audited()
        table.touch(theme.words.screen("keys.back"))


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_every_form_has_a_legend_at_each_field_and_the_corners_above_it(corners: Any, lang: str) -> None:
    """What stands in a field is explained there, and the car's own corner is seen while it is filled in."""
    table = corners("after:0", "after:0", "corner:1", language=lang)
    for group in groups(table):
        table.touch(group.label)
        fields = [field for field in table.prompt.fields if field.name in group.fields or not group.fields]
        assert fields
        assert all(field.note.strip() for field in fields)
        assert {field.note for field in fields} <= table.ui.lines()
        (title,) = (word for word in table.ui.words() if word.text == table.prompt.title)
        assert title.box.y >= BAR + 84, "the strip of the corners has its height"
        above = [word.text for word in table.ui.words() if BAR < word.box.y < title.box.y]
        assert above.count("8") == 1, "the corners are seen"
        table.touch(theme.words.screen("keys.back"))


def test_the_board_names_corners_without_a_name_in_the_readers_language(corners: Any) -> None:
    table = corners("after:2", "after:5", language="fr")
    skip(table, driver_on("spa", 1), lambda asked: asked.ask == "gear")
    table.menu("overview")
    assert table.ui.sees("Virage 3")
    assert not any("Corner" in text for text in table.texts())
