"""The analysis: luck and mistakes add up to all that became of a race, and a champion makes none."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
import pytest
from click.testing import CliRunner

from companion.analysis import analysed, driving_out
from companion.analysis.findings import Analysis
from companion.analysis.reckoning import Reckoning
from companion.commands.analyse import named
from companion.commands.main import companion
from companion.desk import RaceDesk
from companion.desk.beginning import begin_race
from companion.drivers.registry import driver_named
from companion.rules.conversation.errors import LogError
from companion.rules.dice.competition import Competition
from companion.sheets.history import History
from companion.wording import Words

NAMES = ("champion", "learner", "sensible", "club")


def driven(folder: Path, seed: int, **setup: object) -> None:
    """A race of four strengths that is kept."""
    cars = [{"car": number, "driver": name.title()} for number, name in enumerate(NAMES, 1)]
    usual = {"track": "monaco", "laps": 1, "sky": "sun", "cars": cars}
    setup = {name: value for name, value in {**usual, **setup}.items() if value is not None}
    with begin_race(setup, str(setup["track"]), folder) as desk:
        drivers = [driver_named(name, desk.rulebook, 17 * seed + at) for at, name in enumerate(NAMES)]
        while (asked := desk.asked) is not None:
            answer = drivers[(asked.car or 1) - 1].answer(asked, desk.rulebook.race)
            desk.answer(answer, n=asked.n, by="Ada")


def history(folder: Path) -> History:
    with RaceDesk.resume(folder) as desk:
        return desk.history


@pytest.fixture
def races(ready: None, tmp_path: Path) -> list[Analysis]:
    found = []
    for seed in range(4):
        driven(tmp_path / str(seed), seed)
        found.append(Reckoning(history(tmp_path / str(seed))).reckon())
    return found


def test_luck_and_mistakes_are_all_that_became_of_a_race(races: list[Analysis]) -> None:
    for race in races:
        assert [one.place for one in race.drivers if one.place] == sorted(
            one.place for one in race.drivers if one.place
        )
        for one in race.drivers:
            assert one.took == pytest.approx(one.expected - one.luck + one.mistakes, abs=1e-6)
            if one.status == "finished":
                assert one.took == int(one.took) <= race.rounds
            else:
                assert one.took > one.expected
            assert 17 < one.expected < 23
            assert one.mistakes >= 0
            assert 15 < one.turns < 60 or one.status != "finished"
            assert [moment.mistake for moment in one.dearest] == sorted(
                (moment.mistake for moment in one.dearest), reverse=True
            )


def test_a_champion_makes_no_mistake_and_a_learner_the_most(races: list[Analysis]) -> None:
    wrong = dict.fromkeys(NAMES, 0.0)
    for race in races:
        for one in race.drivers:
            wrong[one.driver.lower()] += one.mistakes
            for moment in one.dearest:
                assert moment.better not in (None, moment.answer)
                assert moment.after <= moment.before + 0.02
    assert wrong["champion"] == 0.0
    assert wrong["learner"] > wrong["club"] > 0.5
    assert wrong["learner"] > wrong["sensible"] > 0.5


def test_chances_go_from_the_grid_to_the_winner(races: list[Analysis]) -> None:
    for race in races:
        assert len(race.chances) == race.rounds
        assert all(sum(chances.values()) == pytest.approx(1.0) for chances in race.chances)
        assert max(race.chances[0].values()) < 0.7
        winner = race.drivers[0].car
        assert race.chances[-1][winner] > 0.9 or race.chances[-1][winner] > race.chances[0][winner]
        assert 1 <= len(race.turning) <= 4
        assert [one.n for one in race.turning] == sorted(one.n for one in race.turning)


@pytest.mark.usefixtures("ready")
@pytest.mark.parametrize("lang", ["en", "fr"])
def test_it_is_told_by_command_as_text_and_as_json(tmp_path: Path, lang: str) -> None:
    driven(tmp_path, 9)
    said = ["--lang", lang, "--data", str(tmp_path), "races", "analyse", "last"]
    done = CliRunner().invoke(companion, said, env={"COLUMNS": "80"})
    assert done.exit_code == 0, done.output
    words = {
        "en": ("luck", "mistakes", "Better: ", "Where the race turned"),
        "fr": ("chance", "Mieux\u00a0: ", "basculé"),
    }
    for word in words[lang]:
        assert word in done.stdout
    assert all(len(line) <= 80 for line in done.stdout.splitlines())
    plain = json.loads(CliRunner().invoke(companion, [*said, "--json"]).stdout)
    assert {one["driver"] for one in plain["drivers"]} == {"Champion", "Learner", "Sensible", "Club"}
    assert len(plain["chances"]) == plain["rounds"]
    growing = CliRunner().invoke(companion, [*said, "--json", "--told"])
    assert json.loads(growing.stdout) == plain
    by_now = [json.loads(line) for line in growing.stderr.splitlines() if line.startswith("{")]
    assert [len(one["chances"]) for one in by_now] == list(range(2, plain["rounds"] + 1))
    for one in by_now:
        assert one["chances"] == plain["chances"][: len(one["chances"])]


@pytest.mark.parametrize(("lang", "said"), [("en", "15:left:4 (brakes 2)"), ("fr", "15:gauche:4 (freine 2)")])
def test_a_space_reached_with_other_brakes_is_told_apart(lang: str, said: str) -> None:
    words, space = Words(lang, "competition"), {"space": "15:left:4", "soft": 0}
    assert named(words, "landing", {**space, "brakes": 2}, {}) == said
    assert named(words, "landing", {**space, "brakes": 0}, {}) == said.partition(" (")[0]


@pytest.mark.parametrize(
    "setup", [{"track": "spa"}, {"rulebook": "ninety", "track": "saltmarsh", "deck": 5}, {"track": "monza"}]
)
def test_before_the_start_there_is_nothing_to_analyse(setup: Mapping[str, Any], tmp_path: Path) -> None:
    """While boxes, weather and a grid are settled as well."""
    cars = [{"car": 1}, {"car": 2}]
    with begin_race({**setup, "cars": cars}, setup["track"], tmp_path) as desk:
        driver = driver_named("sensible", desk.rulebook, 1)
        while desk.asked is not None and not desk.asked.round:
            with pytest.raises(LogError, match="before a race has begun"):
                analysed(desk.history)
            desk.answer(driver.answer(desk.asked, desk.rulebook.race))
    assert desk.n > 1


@pytest.mark.parametrize("state", [True, False])
def test_what_an_older_rulebook_has_ruled_otherwise_is_not_analysed(
    state: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the analysis, in the replay and at race control one sentence says why, and what can be done."""
    with begin_race({"track": "spa", "cars": [{"car": 1}, {"car": 2}]}, "spa", tmp_path) as desk:
        driver = driver_named("sensible", desk.rulebook)
        for _ in range(12):
            assert desk.asked is not None
            desk.answer(driver.answer(desk.asked, desk.rulebook.race))
    log = history(tmp_path)
    if state:
        log.items[-1].state = "of version 1"
    else:
        log.items[-1].event = msgspec.structs.replace(log.items[-1].event, answer="of version 1")
    for tried in (analysed, RaceDesk.from_log):
        with pytest.raises(LogError, match="companion races verify says more"):
            tried(log)
    monkeypatch.setattr(Competition, "VERSION", "competition 999")
    for tried in (analysed, RaceDesk.from_log):
        with pytest.raises(LogError, match=r"this program rules otherwise \(see entry 13\); its log and sheet stay"):
            tried(log)


@pytest.mark.parametrize(
    "setup", [{"track": "monza"}, {"rulebook": "ninety", "track": "saltmarsh", "deck": 5, "laps": 4, "sky": None}]
)
def test_of_what_no_table_knows_the_chances_are_told(
    setup: Mapping[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a corner sheet and with cards, round by round: they add up, end with whoever won, and what changed them most
    is told; luck and mistakes are not."""
    monkeypatch.setattr(driving_out, "RACES", 12)
    driven(tmp_path, 1, **setup)
    shares, grown = list[float](), list[int]()
    found = analysed(history(tmp_path), shares.append, lambda so_far: grown.append(sum(map(bool, so_far.chances))))
    looked = [of for of in found.chances if of]
    assert grown == list(range(1, len(looked) + 1))
    assert (shares[-1], len(shares)) == (1.0, len(looked))
    assert 3 < len(looked) <= driving_out.MOST
    assert not found.weighed
    for of in looked:
        assert sum(of.values()) == pytest.approx(1.0)
    winner = next(one.car for one in found.drivers if one.place == 1)
    assert looked[-1][winner] > 1 / len(looked[-1])
    assert found.turning
    for one in found.turning:
        assert one.swing >= driving_out.NOTED
        assert (one.before, one.luck, one.mistake) == (found.chances[one.round - 1][one.car], 0.0, 0.0)
        assert one.round <= one.until <= found.rounds
    assert {one.turns for one in found.drivers} != {0}
    assert analysed(history(tmp_path)) == found
    for lang, turned in (("en", "Where the race turned"), ("fr", "Où la course a basculé")):
        told = CliRunner().invoke(companion, ["--data", str(tmp_path), "--lang", lang, "races", "analyse"])
        assert told.exit_code == 0, told.output
        assert turned in told.output
        assert max(map(len, told.stdout.splitlines())) <= 80
    made = CliRunner().invoke(companion, ["--data", str(tmp_path), "races", "export", "--pdf", "--analysis"])
    assert made.stdout_bytes.startswith(b"%PDF")


@pytest.mark.usefixtures("ready")
def test_a_race_that_runs_and_was_corrected_is_analysed_as_far_as_it_is(tmp_path: Path) -> None:
    driven(tmp_path, 2)
    with RaceDesk.resume(tmp_path) as desk:
        desk.undo(40, by="Ada")
        desk.override({"car": 1, "wear": {"tyres": 3}}, by="Ada", why="misread")
    before = (tmp_path / "races.db").read_bytes()
    found = Reckoning(history(tmp_path)).reckon()
    for one in found.drivers:
        assert one.took == pytest.approx(one.expected - one.luck + one.mistakes, abs=1e-6)
    done = CliRunner().invoke(companion, ["--data", str(tmp_path), "races", "analyse"])
    assert done.exit_code == 0
    assert (tmp_path / "races.db").read_bytes() == before
