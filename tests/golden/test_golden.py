"""The golden races replay line by line; and the replayer says where one does not."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.golden.golden import HERE, Golden, commented, differs, main, record

RULED = re.compile(r" {4}\S+ +\S+ +(ruling \d+|\S+)")
RACES = sorted(HERE.glob("*.txt"))


def text(name: str) -> str:
    return (HERE / name).read_text(encoding="utf-8")


def held(file: Path) -> Iterator[pytest.MarkDecorator]:
    """The marks of a golden race: every article that it rules by, for its ruling is held by it in every figure."""
    golden = Golden(text(file.name))
    ruled = {found[1] for line in golden.lines if (found := RULED.match(line.text))}
    yield pytest.mark.article(golden.setup.get("rulebook", "competition"), *sorted(ruled))


@pytest.mark.parametrize("file", [pytest.param(file, marks=tuple(held(file)), id=file.stem) for file in RACES])
def test_a_golden_race_replays_line_by_line(file: Path) -> None:
    assert differs(Golden(text(file.name))) == ""


@pytest.mark.parametrize("file", RACES, ids=lambda file: file.stem)
def test_a_golden_race_is_recorded_again_as_it_is_comments_and_all(file: Path) -> None:
    golden = Golden(text(file.name))
    assert record(golden, 0) == (text(file.name), len(golden.answers))


class TestMonaco:
    """The race on Monaco holds what a golden race should, and people have checked it where it matters."""

    LINES = tuple(line.text for line in Golden(text("monaco.txt")).lines)

    def ruled(self, kind: str, part: str = "") -> int:
        """How many rulings of a kind there are that say so."""
        return sum(line.startswith(f"    {kind} ") and part in line for line in self.LINES)

    def test_three_laps_eight_cars(self) -> None:
        setup = Golden(text("monaco.txt")).setup
        assert (setup["track"], setup["laps"], len(setup["cars"])) == ("monaco", 3, 8)
        assert self.LINES[-8].endswith("finished, laps 3, points 10")

    def test_the_sky_changes_the_surface(self) -> None:
        assert self.ruled("surface", "surface=wet") >= 2
        assert self.ruled("surface", "surface=dry") >= 2

    def test_pit_stops_of_every_kind(self) -> None:
        assert self.ruled("quick_stop", "won=true")
        assert self.ruled("quick_stop", "won=false")
        assert self.ruled("repair", "+1 brakes")

    @pytest.mark.parametrize("cause", ["overshoot", "blocked", "body", "engine", "handling"])
    def test_retirements_of_every_cause(self, cause: str) -> None:
        assert self.ruled("out", f"cause={cause}")

    @pytest.mark.parametrize(
        "kind",
        ["stall", "great_start", "spin", "restart", "gear_down", "slipstream", "handling", "lost_turn", "plays_again"],
    )
    def test_much_else_happens(self, kind: str) -> None:
        assert self.ruled(kind)

    def test_the_first_round_and_every_retirement_are_commented(self) -> None:
        lines = Golden(text("monaco.txt")).lines
        first = [line for line in lines[: self.second_round] if ", landing" in line.text]
        assert len(first) == 7  # one car stalls
        assert all(line.above for line in first)
        comments = "\n".join(row for line in lines for row in line.above)
        outs = [line.text.split()[1] for line in lines if line.text.startswith("    out ")]
        assert len(outs) == 6
        for number, car in enumerate(outs, 1):
            assert f"# Retirement {number}, car {car}, " in comments

    @property
    def second_round(self) -> int:
        return next(n for n, line in enumerate(self.LINES) if line.startswith("round 2:"))


class TestLeague:
    """The league's race holds what only the league has, and its first round is worked out."""

    LINES = tuple(Golden(text("league-copper-basin.txt")).lines)

    @pytest.mark.parametrize(
        "ruled",
        [
            "grid_rolled", "build       16  tyres.home", "weather     44  weather.table", "gear_cut", "waits", "repair",
            "quick_stop   7  pit.quick", "overshoot", "slipstream", "stall", "great_start", "out         16  engine",
        ],
    )  # fmt: skip
    def test_the_rules_of_the_league_are_met(self, ruled: str) -> None:
        assert any(line.text.startswith(f"    {ruled}") for line in self.LINES)

    def test_every_place_has_points_though_one_car_is_out(self) -> None:
        assert [line.text.split()[3] for line in self.LINES[-3:]] == ["44,", "7,", "16,"]
        assert self.LINES[-1].text.endswith("out, laps 0, points 6, cause engine")

    def test_the_grid_and_the_first_round_are_commented(self) -> None:
        second = next(n for n, line in enumerate(self.LINES) if line.text.startswith("round 2:"))
        asked = [line for line in self.LINES[:second] if re.search(r", (test|start)\b", line.text)]
        assert len(asked) == 4
        assert all(line.above for line in asked)


class TestWhatDiffers:
    """Each change to a race is found, at its line."""

    def changed(self, old: str, new: str) -> tuple[str, int]:
        """What is said of the oval's race with the first `old` changed, and the line that holds it."""
        race = text("copper-basin.txt")
        assert old in race
        return differs(Golden(race.replace(old, new, 1))), race[: race.index(old)].count("\n") + 1

    def test_a_ruling(self) -> None:
        said, line = self.changed("9-2-1      face=20", "9-2-1      face=19")
        assert said.startswith(f"Line {line}: ")
        assert "face=19" in said
        assert "face=20" in said

    def test_a_question(self) -> None:
        said, line = self.changed("roll gear_1:", "roll gear_2:")
        assert said.startswith(f"Line {line}: The race asks something else here.")

    def test_an_answer_that_is_refused(self) -> None:
        said, line = self.changed("roll gear_1: 1", "roll gear_1: 7")
        assert said.startswith(f"Line {line}: The answer here is refused: 1st gear shows 1 to 2; 7 is not on that die.")

    def test_a_line_left_out(self) -> None:
        race = text("copper-basin.txt")
        row = next(row for row in race.splitlines() if row.startswith("    move"))
        assert differs(Golden(race.replace(row + "\n", "", 1)))

    def test_the_end_left_out(self) -> None:
        race = text("copper-basin.txt")
        assert "result" in differs(Golden(race[: race.index("    result")]))


class TestRecordingAgain:
    """Answers and comments are kept as far as they still hold."""

    RACE = (
        '# head\nsetup {\n  "track": "monaco", "cars": [{"car": 1}]\n}\n'
        '# of the first\ncar 1, practice: "sun"\n    one\n# of two\n    two\n# the tail\n'
    )

    def test_comments_go_with_their_lines(self) -> None:
        today = ['car 1, practice: "sun"', "    three", "    two"]
        said = commented(Golden(self.RACE), today).splitlines()
        assert said[:1] == ["# head"]
        assert said[4:] == [
            "# of the first",
            'car 1, practice: "sun"',
            "    three",
            "# of two",
            "    two",
            "# the tail",
        ]

    def test_a_comment_goes_when_its_line_goes(self) -> None:
        said = commented(Golden(self.RACE), ['car 1, practice: "sun"', "    one"])
        assert "# of the first" in said
        assert "# of two" not in said

    def test_after_an_answer_that_does_not_hold_a_driver_goes_on(self, tmp_path: Path) -> None:
        file = tmp_path / "race.txt"
        race = text("copper-basin.txt")
        old = "car 30, roll gear_1: 1\n"
        before = race[: race.index(old)].count("\ncar ")
        file.write_text(race.replace(old, "car 30, roll gear_1: 9\n", 1), encoding="utf-8")
        assert main(["check", str(file)]) == 1
        assert record(Golden(file.read_text(encoding="utf-8")), 5)[1] == before
        assert main(["record", str(file), "--seed", "5"]) == 0
        assert main(["check", str(file)]) == 0

    def test_a_file_without_a_setup(self) -> None:
        with pytest.raises(ValueError, match="begins with a setup"):
            Golden("car 1, gear: 2\n")
