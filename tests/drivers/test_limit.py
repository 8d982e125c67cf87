"""The limit of pace on Monaco, and the tables that are kept of it."""

from __future__ import annotations

import math
from pathlib import Path
from types import SimpleNamespace
from typing import Annotated, Any

import numpy as np
import pytest
from click.testing import CliRunner

from companion import circuits
from companion.commands.main import companion
from companion.drivers import prepared, values
from companion.drivers import turn_graph as courses
from companion.drivers.turn_graph import FURTHEST, Course, EqualStops, PurseStep, Scene
from companion.drivers.values import limit
from companion.drivers.weights import FEARED
from companion.rules.circuit.leg import Landing
from companion.rules.conversation.conversation import Conversation
from companion.rules.conversation.figures import figure
from companion.rules.dice.figures import Figures
from companion.rules.dice.slipstream import Slipstream
from companion.rules.dice.variants import VARIANTS, Variant
from companion.rules.rulebooks import begin

LIMITS = (
    (0.35, 2, 36.6, (2.7, 2.1, 1.1), 34.9, (6.6, 1.5, 0.8)),
    (0.32, 2, 36.2, (3.5, 2.5, 1.3), 33.6, (9.6, 2.2, 1.0)),
    (0.6, 2, 38.1, (1.5, 0.5, 0.5), 37.6, (2.4, 0.4, 0.5)),
    (0.32, 3, 52.3, (5.8, 4.2, 2.2), 48.6, (0.0, 0.0, 0.0)),
)
"""Price of a point, laps; turns and what is spent of tyres, brakes and gearbox by the rules; and as it was once worked
out where a stop counts in a corner that was reached by overshooting another, which article 10-2-3 forbids."""


class Heavy(Slipstream):
    """A slipstream of a variant, which changes nothing that drivers know."""

    def entry_brakes(self) -> int:
        return super().entry_brakes()


class HeavyFigures(Figures, frozen=True):
    tow_weight: Annotated[int, figure("18-0-1", 1, 9)] = 1


class Lenient(Course):
    """A course on which such a stop counts."""

    def _stops_made(self, begin: int, made: int, landing: Landing) -> int:
        counts = bool(landing.overs) and self.track.corner[landing.space] >= 0
        return 1 if counts else super()._stops_made(begin, made, landing)


@pytest.mark.parametrize(("price", "laps", "turns", "spent"), [row[:4] for row in LIMITS])
def test_the_limit_on_monaco(monaco: Course, price: float, laps: int, turns: float, spent: tuple[float, ...]) -> None:
    pace = limit(monaco, price, laps)
    assert pace.turns == pytest.approx(turns, abs=0.06)
    assert tuple(pace.spent[pool] for pool in ("tyres", "brakes", "gearbox")) == pytest.approx(spent, abs=0.06)


def test_without_article_10_2_3_it_is_what_was_found_before(monaco: Course) -> None:
    lenient = Lenient(monaco.book.track, monaco.scene)
    lenient.work_out()
    for price, laps, _, _, turns, spent in LIMITS[1:3]:
        pace = limit(lenient, price, laps)
        assert pace.turns == pytest.approx(turns, abs=0.35)
        assert sum(pace.spent.values()) == pytest.approx(sum(spent), abs=0.35)
        assert limit(monaco, price, laps).turns > pace.turns


def test_a_dearer_point_is_spent_less_and_the_lap_gets_longer(monaco: Course) -> None:
    paces = [limit(monaco, price, 1) for price in (0.1, 0.3, 0.9, 3.0)]
    assert [pace.turns for pace in paces] == sorted(pace.turns for pace in paces)
    points = [sum(pace.spent.values()) for pace in paces]
    assert points == sorted(points, reverse=True)
    assert points[0] > 4 * points[-1]


def test_every_stop_of_the_course_is_one_that_the_game_offers(monaco: Course) -> None:
    track, names = monaco.track, monaco.track.spaces
    for number in range(0, len(monaco.places), 37):
        space, made = monaco.places[number]
        corner = track.corner[space]
        if corner >= 0 and not made:
            continue
        car = {
            "car": 1, "at": names[space].name, "gear": 4, "lap": 1, "status": "racing", "stops": made,
        }  # fmt: skip
        book = begin({"track": "monaco", "laps": 2, "cars": [car], "to_play": [1]}, track)
        book.race.cars[0].wear["tyres"] = 60  # as many as the course has
        talk = Conversation(book)
        talk.answer(4)
        talk.answer(9)
        assert talk.asked is not None
        offered = {
            monaco.index[track.ids[option.answer["space"]], option.facts.get("stops", 0)]
            for option in talk.asked.options or []
            if "out" not in option.facts and not option.answer["space"].startswith(("pit", "box"))
        }
        count = len(monaco.places)
        assert offered == {stop % count for way in monaco.rows[number][8] for stop in way.stops}


def test_a_new_soft_set_gives_a_space_more_until_the_line_ages_it() -> None:
    track = circuits.load("monaco")
    course, hard, wet = (
        Course(track, Scene("competition", surface, tyres))
        for surface, tyres in (("dry", "soft"), ("dry", "hard"), ("wet", "hard"))
    )
    assert (course.soft_space, hard.soft_space, wet.soft_space) == (True, False, False)
    place = course.index[track.ids["10:middle:2"], 0]
    worn, new = [], []
    for laps, found in ((1, worn), (0, new)):
        course.car.tyre_laps = laps
        found += [{stop for way in ways for stop in way.stops} for ways in course._rolls(place)]
    for spaces in range(5, 15):
        assert new[spaces] == worn[spaces] | worn[spaces + 1] != worn[spaces]
    assert [lap.beyond for lap in values.laps_of(course, 3)] == [-1, 0, 1, -1, 0, 4]


# -- what is kept


@pytest.fixture
def small(monaco: Course, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Course:
    """A course with few purses, and an empty cache."""
    monkeypatch.setenv("CACHE_DIRECTORY", str(tmp_path))
    monkeypatch.setitem(courses.MOST, "tyres", 2)
    monkeypatch.setitem(courses.MOST, "brakes", 1)
    return monaco


def test_a_table_is_kept_and_read_again(small: Course, monkeypatch: pytest.MonkeyPatch) -> None:
    shares: list[float] = []
    table = prepared.prepare(small, 1, shares.append)
    assert shares == sorted(shares)
    assert shares[-1] == 1.0
    again = prepared.read(prepared.path_of(small, 1), small.digest)
    assert again is not None
    assert again.turns == table.turns
    pole = table.place[small.track.grid[0], 0]
    poor, rich = (table.purse({"tyres": tyres, "brakes": 1}) for tyres in (0, 2))
    assert 15 < table.before(1, rich, 0, pole) < table.before(1, poor, 0, pole) < 30
    assert table.before(1, rich, 0, pole) > table.before(0, rich, 0, pole)
    monkeypatch.setattr(values, "worth_of", lambda *_: pytest.fail("it was kept"))
    assert prepared.prepare(small, 1).turns == table.turns
    monkeypatch.setattr("companion.drivers.prepared.scenes", lambda *_: [small.scene])
    done = CliRunner().invoke(companion, ["--lang", "fr", "drivers", "prepare", "--track", "monaco", "--laps", "1"])
    assert done.output == "Monaco, piste sèche, durs\u00a0: prête\n"


@pytest.mark.parametrize("damage", ["empty", "cut", "bit", "other", "folder", "fits not"])
def test_a_damaged_table_is_worked_out_again(small: Course, damage: str, monkeypatch: pytest.MonkeyPatch) -> None:
    path = prepared.path_of(small, 1)
    made: list[Any] = []
    count = len(small.places) * 13 * 6
    turns = np.ones((values.GEARS, 6, len(small.places)), np.float32)
    sheets = [values.TurnValues(turns, turns)] * 2
    monkeypatch.setattr(values, "worth_of", lambda *_: made.append(1) or sheets)
    prepared.prepare(small, 1)
    whole = path.read_bytes()
    wrong = {"empty": b"", "cut": whole[:-9], "bit": whole[:-9] + bytes([whole[-9] ^ 4]) + whole[-8:]}
    path.unlink()
    if damage == "folder":
        path.mkdir()
    elif damage == "fits not":
        monkeypatch.setattr(values, "worth_of", lambda *_: sheets[:1])
        with pytest.raises(ValueError, match="missing"):
            prepared.prepare(small, 1)
        assert prepared.read(path, small.digest) is None
        return
    elif damage == "other":
        assert prepared.read(path, small.digest) is None
        path.write_bytes(whole)
        assert prepared.read(path, "0" * 32) is None
        return
    else:
        path.write_bytes(wrong[damage])
    assert prepared.read(path, small.digest) is None
    assert len(prepared.prepare(small, 1).turns) == 2 * count
    assert len(made) == 2


def test_no_gear_is_above_the_highest_of_the_race_and_none_takes_the_last_point() -> None:
    track = circuits.load("monaco")
    course = Course(track, Scene("beginner", "dry", "hard"), {"highest_gear": 5})
    assert max(gear for _, gear in course.gears()) == 5
    shifts = course.shifts(course.purses(), 0.3)
    assert [step is not None for step in shifts[4, 2][:4]] == [False, False, True, True]
    assert Course(track, Scene("death", "dry", "hard")).shifts([(0,), (1,)], 0.3)[4, 2][1] is not None


def test_super_soft_tyres_are_driven_as_the_variant_has_them(monaco: Course) -> None:
    track, on = monaco.book.track, {"super_soft": True}
    soft, faster = (Course(track, Scene("competition", "dry", tyres), on) for tyres in ("soft", "super_soft"))
    assert soft.soft_space
    assert faster.soft_space
    assert soft.digest != faster.digest
    place = monaco.index[track.grid[-1], 0]
    ends = [{stop for way in course.ways(place, 6, last=False) for stop in way.stops} for course in (soft, faster)]
    assert ends[0] < ends[1]


def test_a_race_has_a_table_for_each_kind_of_tyres_that_it_has() -> None:
    track = circuits.load("monaco")
    tyres = {"tyres": True}
    for options, kinds in (
        ({}, ["dry hard"]),
        (tyres, ["dry hard", "dry soft"]),
        (tyres | {"super_soft": True}, ["dry hard", "dry soft", "dry super_soft"]),
        ({"weather": True}, ["dry hard", "wet hard"]),
        (tyres | {"weather": True}, ["dry hard", "dry soft", "wet rain", "wet hard"]),
    ):
        scenes = prepared.scenes(track, "formula-d", options)
        assert [f"{scene.surface} {scene.tyres}" for scene in scenes] == kinds


def test_what_changes_the_game_changes_the_digest(monaco: Course) -> None:
    track = monaco.book.track
    others = [
        Course(circuits.load("kestrel-moor"), monaco.scene),
        Course(track, monaco.scene, {"slide_hard": 2}),
        *(Course(track, scene) for scene in prepared.scenes(track, "competition")[1:]),
        Course(track, Scene("league", "dry", "hard")),
        Course(track, Scene("death", "dry", "hard")),
        Course(track, Scene("cup", "dry", "hard")),
    ]
    assert len({course.digest for course in (monaco, *others)}) == 1 + len(others)


def test_a_variant_that_is_off_leaves_the_digest_as_it_is(monaco: Course) -> None:
    before, track = monaco.digest, monaco.book.track
    VARIANTS.add(Variant("heavy-tow", (Heavy,), HeavyFigures))
    try:
        assert "heavy_tow" in Course(track, monaco.scene).book.figures.__struct_fields__
        assert Course(track, monaco.scene).digest == before
        on = [Course(track, monaco.scene, {"heavy_tow": True, "tow_weight": weight}).digest for weight in (1, 2)]
        assert len({before, *on}) == 3
    finally:
        VARIANTS.drop("heavy-tow")


def test_the_limit_is_told_in_both_languages_and_not_for_a_corner_sheet(
    monaco: Course, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(courses.Course, "work_out", lambda self: self.__dict__.update(monaco.__dict__))
    heads = {
        "en": "Monaco, Competition, 2 laps: alone, dry, on hard tyres, with any number of points",
        "fr": "Monaco, Championnat, 2 tours\u00a0: seul, piste sèche, pneus durs, avec autant de points que l’on veut",
    }
    lines = {
        "en": (
            "  38.1 turns on average, if a point is spent where it saves more than 0.60 turns: tyres 1.5, brakes 0.5,"
            " gearbox 0.5",
            "the fewest that the dice allow: points cost nothing",
        ),
        "fr": (
            "  38,1 coups en moyenne, si l’on dépense un point là où il gagne plus de 0,60 coup\u00a0: pneus 1,5,"
            " freins 0,5, consommation 0,5",
            "le moins que les dés permettent\u00a0: les points ne coûtent rien",
        ),
    }
    for lang in ("en", "fr"):
        typed = ["--lang", lang, "drivers", "limit", "--laps", "2", "--price", "0.6", "--price", "0"]
        head, dear, free = CliRunner().invoke(companion, typed).output.splitlines()
        assert (head, dear) == (heads[lang], lines[lang][0])
        assert free.endswith(lines[lang][1]), "what is spent is by chance where it costs nothing"
    for command in ("limit", "lap", "prepare"):
        done = CliRunner().invoke(companion, ["--lang", "en", "drivers", command, "--track", "spa"])
        assert (done.exit_code, done.stdout) == (1, "")
        assert done.stderr == "A corner sheet has no tables: there spaces are not counted.\n"


def test_how_often_others_take_points_goes_by_the_turns_still_to_come() -> None:
    """From either of two places any roll reaches the flag, so that one turn is still to come."""
    course: Any = SimpleNamespace(places=[(0, 0), (1, 0)])
    kept: list[PurseStep | None] = [PurseStep(purse, False, 0.0) for purse in range(3)]

    def turns(most: float) -> float:
        hits = ((most, ((1, 0.5),)), (math.inf, ((1, 0.0),)))
        terms = values.Terms([kept], {(4, 4): kept}, 3, lambda after: 9.0, 2.0, hits=hits)
        backwards = values.Backwards(course, terms)
        backwards.fill(backwards.rolls([(EqualStops(0, (-1,)),)] * FURTHEST), 0)
        return float(backwards.turns[4, 0, 0])

    assert turns(0.0) == pytest.approx(1.0)
    assert turns(1.0) == pytest.approx(0.5 * 1.0 + 0.5 * (1.0 + FEARED))


def test_others_take_points_the_last_spins_and_one_more_is_the_end() -> None:
    """By gear, 0 and one more, the turns with 0, 1, 2, 3 points left."""
    before = np.array([[50, 45, 42, 41], [40, 35, 32, 31]], np.float32)
    after = values.hit(before, ((1, 0.2), (2, 0.1)), 1.0)
    assert after[1, 3] == pytest.approx(0.7 * 31 + 0.2 * 32 + 0.1 * 35)
    assert after[1, 2] == pytest.approx(0.7 * 32 + 0.2 * 35 + 0.1 * (50 + 1))
    assert after[1, 1] == pytest.approx(0.7 * 35 + 0.3 * (50 + 1))
    assert after[1, 0] == pytest.approx(0.7 * 40 + 0.3 * (31 + FEARED))
