"""A car that the referee puts on the other side of the line changes its lap with its place."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from companion import circuits
from companion.desk import RaceDesk
from companion.hall.changing import change_of
from companion.rules.conversation.errors import BadOverride
from companion.rules.rulebooks import begin
from companion.view.pages.override import why_change
from companion.view.sight import Sight
from companion.wording import LANGUAGES, Words
from tests.test_protocol import Talk
from tests.test_terminal import flat, typed

GRID = {"car": 1, "driver": "Ada", "at": "20:left:16", "gear": 2, "lap": 0, "status": "racing"}
OTHER = {"car": 2, "driver": "Bob", "at": "20:left:13", "gear": 2, "lap": 0, "status": "racing"}
DICE = ("competition", "beginner", "formula-d", "cup", "league", "death")


def position(track: str = "monaco", rulebook: str = "competition", **car: Any) -> dict[str, Any]:
    return {"track": track, "rulebook": rulebook, "laps": 3, "cars": [{**GRID, **car}, OTHER], "to_play": [1, 2]}


def desk_of(setup: dict[str, Any]) -> RaceDesk:
    return RaceDesk(begin(setup, circuits.board(setup["track"])), setup=setup)


def put(desk: RaceDesk, at: str, **values: Any) -> dict[str, Any]:
    """Put car 1 on a place; return all that was set."""
    ruled = desk.override({"car": 1, "at": at, **values}, by="Eve", why="misplaced")
    change: dict[str, Any] = ruled[0].facts["change"]
    return {name: value for name, value in change.items() if name not in ("car", "at")}


@pytest.mark.article("competition", "8-0-2", "0-0-1")
@pytest.mark.parametrize("rulebook", DICE)
@pytest.mark.parametrize(
    ("lap", "begin", "at", "then", "leader"),
    [
        (0, "20:left:16", "1:left:3", 1, 1),  # off the grid over the line
        (0, "20:left:16", "12:left:1", 1, 1),  # by more than half a lap
        (0, "20:left:16", "20:left:4", 0, 2),
        (1, "1:left:3", "20:left:4", 0, 2),  # back on the grid
        (1, "20:left:16", "1:left:3", 2, 1),
        (2, "1:left:3", "20:left:16", 1, 1),
        (2, "1:left:3", "2:left:5", 2, 1),
        (1, "1:left:3", "12:left:1", 1, 1),  # nobody stands there in lap 0
        (0, "1:left:3", "12:left:1", 1, 1),  # where a position has it so
        (0, "1:left:3", "20:left:4", 0, 2),
        (0, "20:left:16", "20:right:4", 0, 2),  # the last slot
        (2, "1:left:3", "9:left:7", 2, 1),
        (2, "1:left:3", "10:middle:24", 2, 1),  # half a lap
    ],
)
def test_a_lap_goes_with_a_place_over_the_line(
    rulebook: str, lap: int, begin: str, at: str, then: int, leader: int
) -> None:
    desk = desk_of(position(rulebook=rulebook, lap=lap, at=begin))
    said = put(desk, at)
    assert (desk.rulebook.car(1).lap, said.get("lap")) == (then, then if then != lap else None)
    assert desk.rulebook.running_order()[0] == leader
    desk.undo()
    assert desk.rulebook.car(1).lap == lap
    desk.redo()
    assert desk.rulebook.car(1).lap == then


def test_a_lap_that_is_said_stands_and_so_does_one_of_a_log() -> None:
    desk = desk_of(position())
    assert put(desk, "1:left:3", lap=0) == {"lap": 0}
    desk.override({"car": 1, "at": "20:left:16"}, by="Eve", why="back")
    desk.override({"car": 1, "at": "1:left:3"}, by="Eve", why="as logged", exact=True)
    assert desk.rulebook.car(1).lap == 0


@pytest.mark.parametrize(("lap", "at", "to", "then"), [(0, "after:6", "after:0", 1), (1, "after:0", "after:6", 0)])
def test_a_lap_goes_with_a_place_on_a_corner_sheet(lap: int, at: str, to: str, then: int) -> None:
    setup = position("monza", lap=lap, at=at)
    setup["cars"][1] = {**OTHER, "at": "after:6"}
    desk = desk_of(setup)
    put(desk, to)
    assert desk.rulebook.car(1).lap == then


@pytest.mark.article("competition", "19-1-7")
@pytest.mark.parametrize("rulebook", DICE)
@pytest.mark.parametrize(
    ("lap", "begin", "at", "then"),
    [
        (0, "20:left:16", "pit:2", 1),  # off the grid into the lane
        (0, "20:left:16", "box:1", 1),
        (0, "20:left:16", "pit:18", 2),  # the lane beyond the line
        (1, "1:left:3", "pit:2", 1),  # back over the line in lap 1
        (1, "1:left:3", "box:1", 1),
        (1, "1:left:3", "pit:18", 2),
        (2, "1:left:3", "box:1", 1),
        (2, "1:left:3", "pit:18", 2),
        (2, "20:left:16", "box:1", 2),
    ],
)
def test_nobody_is_put_into_the_pits_before_they_open(rulebook: str, lap: int, begin: str, at: str, then: int) -> None:
    desk = desk_of(position(rulebook=rulebook, lap=lap, at=begin))
    said = put(desk, at)
    assert (desk.rulebook.car(1).lap, said.get("lap")) == (then, then if then != lap else None)
    assert list(desk.rulebook.faults()) == []


@pytest.mark.article("competition", "19-1-7")
@pytest.mark.parametrize("rulebook", [rulebook for rulebook in DICE if rulebook != "death"])
@pytest.mark.parametrize(("lap", "begin", "then"), [(0, "after:6", 1), (1, "after:0", 1), (2, "after:0", 1)])
def test_nor_on_a_corner_sheet(rulebook: str, lap: int, begin: str, then: int) -> None:
    setup = position("monza", rulebook, lap=lap, at=begin)
    setup["cars"][1] = {**OTHER, "at": "after:6"}
    for at in ("pit:1", "box:1"):
        desk = desk_of({**setup, "laps": 2})
        put(desk, at)
        assert desk.rulebook.car(1).lap == then


@pytest.mark.article("competition", "19-1-7")
@pytest.mark.parametrize("rulebook", DICE)
@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize(("laps", "last"), [(2, "1"), (3, "1 to 2")])
def test_the_pits_stay_closed_in_the_last_lap(rulebook: str, lang: str, laps: int, last: str) -> None:
    desk = desk_of({**position(rulebook=rulebook, lap=laps), "laps": laps})
    with pytest.raises(BadOverride) as wrong:
        put(desk, "pit:2")
    said = {
        "en": f"at pit lane 2 in lap {laps}; its lap is {last} there.",
        "fr": f"(ligne des stands 2) au tour {laps}\u00a0; son tour y "
        + ("est le 1." if last == "1" else "va de 1 à 2."),
    }[lang]
    assert said in Words(lang, rulebook).error(wrong.value)


@pytest.mark.article("ninety", "turn.lap")
@pytest.mark.parametrize(
    ("lap", "at", "to", "then"), [(0, 20, 2, 1), (1, 2, 20, 0), (1, 2, 11, 1), (1, 2, 13, 1), (1, 12, 14, 1)]
)
def test_a_lap_goes_with_a_section_in_the_race_of_cards(lap: int, at: int, to: int, then: int) -> None:
    cars = [{"car": 1, "at": f"section:{at}", "lap": lap}, {"car": 2, "at": "section:5", "lap": 1}]
    desk = desk_of({"track": "saltmarsh", "rulebook": "ninety", "cars": cars, "to_play": [1, 2]})
    put(desk, f"section:{to}")
    assert desk.rulebook.car(1).lap == then
    with pytest.raises(BadOverride, match="section 99"):
        put(desk, "section:99")


@pytest.mark.article("competition", "8-0-2")
def test_the_set_of_a_car_ages_with_the_lap() -> None:
    desk = desk_of(position(lap=1, tyre_laps=0))
    assert put(desk, "1:left:3") == {"lap": 2, "tyre_laps": 1}
    assert put(desk, "20:left:16") == {"lap": 1, "tyre_laps": 0}


@pytest.mark.article("competition", "8-0-2")
def test_a_new_set_does_not_age_at_its_first_crossing() -> None:
    desk = desk_of(position(lap=1, tyre_laps=0, fresh=True))
    assert put(desk, "1:left:3") == {"lap": 2}
    assert put(desk_of(position(fresh=False)), "1:left:3") == {"lap": 1}, "nor off the grid"


@pytest.mark.article("competition", "8-0-2")
def test_a_car_off_the_board_has_no_line_to_cross() -> None:
    desk = desk_of(position(lap=1, status="out", at=None, cause="body") | {"to_play": [2]})
    assert put(desk, "12:left:1", status="racing", wear={"body": 2}).keys() == {"status", "wear"}
    with pytest.raises(BadOverride, match="99:left:1"):
        put(desk, "99:left:1")


@pytest.mark.parametrize("rulebook", DICE)
def test_a_car_put_off_the_grid_before_its_start_has_a_new_set(rulebook: str) -> None:
    """It races then, for on the grid no line was crossed, as the refusal says."""
    setup = {"track": "monaco", "rulebook": rulebook, "cars": [{"car": 1}, {"car": 2}], "to_play": [1, 2]}
    desk = desk_of(setup)
    with pytest.raises(BadOverride, match="set its status to racing as well"):
        put(desk, "5:left:1")
    assert put(desk, "5:left:1", status="racing") == {"status": "racing", "lap": 1}


@pytest.mark.parametrize("rulebook", ["beginner", "formula-d"])
def test_a_lap_is_set_back_where_no_set_has_an_age_to_set(rulebook: str) -> None:
    """Each crossing counts one all the same, and a set is no older than the laps that were driven."""
    desk = desk_of(position(rulebook=rulebook, lap=2, tyre_laps=1))
    desk.override({"car": 1, "lap": 1}, by="Eve", why="miscounted")
    assert (desk.rulebook.car(1).lap, desk.rulebook.car(1).tyre_laps) == (1, 0)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_nobody_is_put_home(lang: str) -> None:
    desk = desk_of(position(lap=3))
    with pytest.raises(BadOverride) as wrong:
        put(desk, "1:left:3")
    said = {"en": "put it before the line, in lap 3", "fr": "placez-la avant la ligne, au tour 3"}[lang]
    assert said in Words(lang).error(wrong.value)
    assert desk.rulebook.car(1).lap == 3


def test_the_touchscreen_and_race_control_say_the_lap_where_they_ask_for_the_reason() -> None:
    desk = desk_of(position())
    assert "lap 1" in why_change(Sight(desk, Words("en")), {"car": 1, "at": "1:left:3"}).ask
    change = change_of(Sight(desk, Words("en")), 1, {"at": "1:left:3"}, "Kim", "misplaced")
    assert change == {"car": 1, "at": "1:left:3", "lap": 1}


@pytest.mark.parametrize("sure", [True, False])
@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_terminal_asks_about_the_lap_before_it_sets_it(tmp_path: Path, lang: str, sure: bool) -> None:
    file = tmp_path / "position.json"
    file.write_text(json.dumps(position()))
    word, told, yes = {
        "en": ("override car 1 place 1:left:3", "lap 1: is that right?", "y"),
        "fr": ("forcer voiture 1 place 1:gauche:3", "tour 1\u00a0: est-ce juste\u00a0?", "o"),
    }[lang]
    shown = flat(typed(tmp_path, "--setup", str(file), say=(word, *([yes, "Eve", "why"] if sure else [""])), lang=lang))
    assert told in shown
    with RaceDesk.resume(tmp_path) as desk:
        assert desk.rulebook.car(1).lap == sure


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_terminal_asks_about_the_lap_of_a_car_put_into_the_pits(tmp_path: Path, lang: str) -> None:
    word, told, yes = {
        "en": ("override Ada place pit lane 2", "place pit lane 2, lap 1: is that right?", "y"),
        "fr": ("forcer Ada place ligne des stands 2", "tour 1\u00a0: est-ce juste\u00a0?", "o"),
    }[lang]
    file = tmp_path / "position.json"
    file.write_text(json.dumps(position()))
    assert told in flat(typed(tmp_path, "--setup", str(file), say=(word, yes, "Eve", "why"), lang=lang))
    with RaceDesk.resume(tmp_path) as desk:
        assert (desk.rulebook.car(1).at, desk.rulebook.car(1).lap) == ("pit:2", 1)


def test_a_program_is_told_the_lap() -> None:
    talk = Talk(**position())
    said = talk.all(override={"car": 1, "at": "1:left:3"}, by="Eve", why="misplaced")
    assert said[0]["ruling"]["text"].endswith("lap 1.")


SECTIONS = {
    "track": "saltmarsh",
    "rulebook": "ninety",
    "cars": [
        {"car": 1, "driver": "Ada", "at": "section:2", "lap": 1, "fuel": 30},
        {"car": 2, "driver": "Bob", "at": "section:5", "lap": 1, "fuel": 30},
    ],
    "to_play": [1, 2],
}
"""A race of 22 sections."""


@pytest.mark.parametrize(("to", "lap"), [(13, 1), (14, 0)])
@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_terminal_tells_the_lap_of_a_section_by_more_than_half_a_lap(
    tmp_path: Path, lang: str, to: int, lap: int
) -> None:
    word, told, yes = {
        "en": ("override Ada place section", f"place section {to}, lap {lap}: is that right?", "y"),
        "fr": ("forcer Ada place section", f"place section {to}, tour {lap}\u00a0: est-ce juste\u00a0?", "o"),
    }[lang]
    sure = [yes] if lap == 0 else []
    file = tmp_path / "position.json"
    file.write_text(json.dumps(SECTIONS))
    shown = flat(typed(tmp_path, "--setup", str(file), say=(f"{word} {to}", *sure, "Eve", "why"), lang=lang))
    assert (told in shown) == (lap == 0)
    with RaceDesk.resume(tmp_path) as desk:
        assert (desk.rulebook.car(1).at, desk.rulebook.car(1).lap) == (f"section:{to}", lap)


@pytest.mark.parametrize(("lang", "told"), [("en", "place section 14, lap 0"), ("fr", "place section 14, tour 0")])
def test_race_control_and_a_program_are_told_the_lap_of_a_section(lang: str, told: str) -> None:
    desk = desk_of(SECTIONS)
    assert told in why_change(Sight(desk, Words(lang, "ninety")), {"car": 1, "at": "section:14"}).ask.lower()
    change = change_of(Sight(desk, Words(lang, "ninety")), 1, {"at": "section:14"}, "Kim", "misplaced")
    assert change == {"car": 1, "at": "section:14", "lap": 0}
    said = Talk(**SECTIONS, lang=lang).all(override={"car": 1, "at": "section:14"}, by="Eve", why="misplaced")
    assert told in said[0]["ruling"]["text"]
