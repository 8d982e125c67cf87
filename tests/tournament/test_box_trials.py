"""Trials by the box of Formula D: a timed lap each for the grid."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from companion import circuits
from companion.articles import load
from companion.commands.main import companion
from companion.desk.trial_desk import TrialDesk
from companion.house_rules import HouseRules, keep
from companion.rules.conversation.errors import BadEntry
from companion.rules.rulebooks import begin
from companion.tournament.following import findings
from companion.tournament.times import AbsoluteTime, clock_of, ranked
from companion.tournament.trial import BoxTrial, Throw, Trial, kind_of
from companion.tournament.trials import TrialDriver, TrialsOpened
from companion.view.events.trials import trials
from companion.wording import LANGUAGES, Words
from tests.rules.formula_d.tables import formula_d
from tests.test_bad_input import companion as entered

DRIVERS = tuple(TrialDriver(number=number, name=name) for number, name in ((7, "Ada"), (3, "Bob")))


def driven(throws: int, clock: str, over: int = 0) -> AbsoluteTime:
    """What a lap comes to, tapped at the table."""
    trial: Trial = BoxTrial(driver=1)
    trial.must_be_ready()
    for _ in range(throws):
        trial = trial.count_tap("throw")
    for _ in range(over):
        trial = trial.count_tap("over")
    return trial.stopped(clock_of(clock)).time()


@pytest.mark.article("formula-d", "option.trial")
@pytest.mark.parametrize(
    ("throws", "clock", "over", "sum_"), [(18, "4'23", 2, 24), (17, "7'00", 3, 27), (19, "8'16", 0, 27)]
)
def test_the_printed_examples(throws: int, clock: str, over: int, sum_: int) -> None:
    assert driven(throws, clock, over).total == sum_


@pytest.mark.article("formula-d", "option.trial-tie", "option.trial-out")
def test_the_printed_grid_of_four() -> None:
    """A 24; B 27 by the faster clock, C 27; and D, who did not stop in a corner of two, is last."""
    lost = BoxTrial(driver=4).count_tap("throw").ended().time()
    times = {3: driven(19, "8'16"), 4: lost, 2: driven(17, "7'00", 3), 1: driven(18, "4'23", 2)}
    assert ranked(times) == [1, 2, 3, 4]


@pytest.mark.article("formula-d", "option.trial-out")
@pytest.mark.parametrize(
    ("stops", "made", "ends"),
    [(1, 0, False), (2, 0, True), (2, 1, False), (3, 0, True), (3, 1, False), (3, 2, False)],
)
def test_no_stop_in_a_corner_of_two_or_three_ends_it(stops: int, made: int, ends: bool) -> None:
    assert BoxTrial.ends_it(stops, made) is ends


def test_nothing_is_called_and_a_misplaced_car_costs_nothing() -> None:
    trial = BoxTrial(driver=1).count_tap("throw")
    for tap in ("misplaced", "stick", "gear"):
        with pytest.raises(BadEntry) as refused:
            trial.count_tap(tap)  # type: ignore[arg-type]
    assert Words("fr").error(refused.value).startswith("Selon la boîte")
    assert [kind_of(name) for name in ("formula-d", "competition", "cup")] == [BoxTrial, Trial, Trial]


@pytest.mark.article("formula-d", "option.trial")
@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_session_at_the_desk_asks_for_neither_sky_nor_tyres(tmp_path: Path, lang: str) -> None:
    opened = TrialsOpened(name="Box", track="monaco", drivers=DRIVERS, rulebook="formula-d", variants=("trial",))
    with TrialDesk.begin(tmp_path, opened) as desk:
        words = Words(lang, "formula-d")

        now = trials(desk, words, "Monaco", None)
        assert (now.state, now.tyres, now.stewards) == ("ready", (), False)
        assert now.question == words.screen("trial.ask_ready")
        assert now.reminders == (load("formula-d").get("option.trial").title(lang),)
        assert now.calls == ()
        desk.start(7, "")
        desk.tap("throw")
        desk.tap("over")
        desk.stop(clock=6100)
        assert trials(desk, words, "Monaco", None).so_far == 3
        desk.enter()
        desk.start(3, "")
        desk.tap("throw")
        desk.missed()
        desk.enter()
        assert desk.record.grid() == [7, 3]
    with TrialDesk.resume(tmp_path) as desk:
        assert desk.record.kind is BoxTrial


@pytest.mark.article("formula-d", "option.trial")
def test_with_weather_the_sky_is_drawn_and_with_kinds_of_tyres_they_are_chosen(tmp_path: Path) -> None:
    opened = TrialsOpened(
        name="Box", track="monaco", drivers=DRIVERS, rulebook="formula-d", variants=("trial", "weather", "tyres")
    )
    with TrialDesk.begin(tmp_path, opened) as desk:
        now = trials(desk, Words("en"), "Monaco", None)
        assert now.state == "sky"
        assert now.reminders == ("Weather",)
        desk.sky("rain", 1)
        assert len(trials(desk, Words("en"), "Monaco", None).tyres) == 3
        desk.start(7, "soft")
        assert desk.record.trial is not None
        assert desk.record.trial.factor == 2


@pytest.mark.article("formula-d", "option.trial", "option.trial-out")
def test_the_board_is_followed_by_the_rules_of_the_box() -> None:
    track = circuits.load("monaco")
    seen = (Throw(4, 9, "2:left:3"), Throw(3, 8, "3:left:1"))
    for kind in (Trial, BoxTrial):
        trial = kind(driver=1, tyres="" if kind is BoxTrial else "hard", followed=seen, clock=100)
        cited = {finding.article for finding in findings(track, trial)}
        assert cited
        assert all(article.startswith("1-") for article in cited) is (kind is Trial)


@pytest.mark.article("formula-d", "option.trial")
def test_the_race_starts_in_the_order_of_the_trials_and_rolls_for_nothing() -> None:
    table = formula_d({"car": 7}, {"car": 3}, {"car": 5}, options={"trial": True})
    assert table.race.grid == [7, 3, 5]
    assert table.open == ("start", 7, "start")
    assert formula_d({"car": 7}, {"car": 3}).open == ("test", 7, "grid")
    setup = {"rulebook": "formula-d", "track": "monaco", "cars": [{"car": 1}, {"car": 2}], "grid": [2, 1]}
    assert begin({**setup, "options": {"trial": True}}, circuits.load("monaco")).race.grid == [2, 1]


@pytest.mark.article("formula-d", "option.trial")
def test_trials_at_the_terminal_ask_for_the_weather_and_the_tyres_that_are_on(tmp_path: Path) -> None:
    """House rules have them on as well; without weather there are no rain tyres."""
    keep(tmp_path, HouseRules("Thursday", "formula-d", {"tyres": True}))

    def typed(*arguments: str, say: str = "") -> Result:
        command = ["trial", "--data", str(tmp_path), "--lang", "en", "--drivers", "1 Ada", *arguments]
        return CliRunner().invoke(companion, command, input=say)

    box = ("--rulebook", "formula-d")
    assert "Sky of session" not in typed(*box).output
    asked = typed(*box, "--set", "weather=on", "--set", "tyres=on", say="rain\nrain\n").output
    assert "Sky of session 1? >" in asked
    assert "hard or rain starts the clock" in asked
    assert "Which tyres? > rain Monaco" in asked.replace("\n", " ")
    dry = typed("--rules", "Thursday", say="rain\nsoft\n").output
    assert "Sky of session" not in dry
    assert dry.count("soft or hard starts the clock") == 2, "there are no rain tyres"
    assert "0:00  0 + 0 + 0 = 0" in dry
    wrong = entered("trial", "--data", tmp_path, "--drivers", "1 Ada", *box, "--set", "wether=on")
    assert wrong.stderr == "There is no figure or switch called wether; near it: weather and sweeper.\n"
