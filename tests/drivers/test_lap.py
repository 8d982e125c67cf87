"""The best lap of a trial that dice allow, and what a lap lost by dice and by driving, to the throw."""

from __future__ import annotations

import statistics
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from companion.desk.trial_desk import TrialDesk
from companion.drivers import lap as laps
from companion.drivers.lap import BestLap, lap_at_hand, worked_out
from companion.drivers.turn_graph import Course
from companion.protocol.trials import TrialLines
from companion.rules.conversation.faces import GEAR_DICE
from companion.tournament.following import FollowedLap
from companion.tournament.trial import Throw, Trial
from companion.tournament.trials import TrialDriver, TrialsOpened
from companion.view.events.listings import best_laps
from companion.view.events.trials import study, trials
from companion.wording import Words


@pytest.fixture(scope="module")
def lap(monaco: Course, tmp_path_factory: pytest.TempPathFactory) -> Iterator[BestLap]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CACHE_DIRECTORY", str(tmp_path_factory.mktemp("laps")))
        yield worked_out(monaco)
        laps._held.clear()


def best(lap: BestLap, board: FollowedLap, gear: int, face: int) -> str:
    """The space on which a roll is best put."""
    track, course = lap.course.track, lap.course
    _, stop = min(lap._comes_to(1 - board.car.lap, gear, lap._place(board), face))
    if stop >= 0:
        return track.spaces[course.places[stop % len(course.places)][0]].name
    board.car.gear = gear
    board.book.race.move = board.book.turn.new_move(board.car)
    home = [one for one in board._reached(face) if one.finished]
    return track.spaces[min(home, key=lambda one: one.overshot).space].name


def driven(lap: BestLap, dice: Random, *, slips: float = 0.0) -> tuple[list[Throw], int]:
    """A lap by the table, throw by throw, now and then in another gear; and the spaces that it overshot."""
    board = FollowedLap(lap.course.track, Trial(driver=1, tyres="hard"))
    throws, over = list[Throw](), 0
    while not board.home:
        place, after = lap._place(board), 1 - board.car.lap
        gears = [gear for gear in range(1, 7) if board.book.gears.may_shift(board.car, gear)]
        gear = min(gears, key=lambda one: lap._rolling(after, one, place))
        if dice.random() < slips:
            gear = min(gears)
        face = dice.choice(GEAR_DICE[gear])
        throws.append(Throw(gear, face, best(lap, board, gear, face)))
        over += board.throw(throws[-1]).overshot
    return throws, over


def test_laps_by_the_table_take_what_it_says_and_dice_and_driving_add_up(lap: BestLap) -> None:
    dice, totals = Random(5), []
    for _ in range(120):
        throws, over = driven(lap, dice)
        shares = lap.shares(throws)
        assert shares is not None
        totals.append(len(throws) + over)
        assert lap.throws + shares.dice + shares.driving == pytest.approx(totals[-1], abs=1e-3)
        assert shares.driving == pytest.approx(0, abs=1e-3)
    sure = statistics.stdev(totals) / len(totals) ** 0.5
    assert statistics.fmean(totals) == pytest.approx(lap.throws, abs=4 * sure)


def test_a_worse_lap_is_told_from_an_unlucky_one_and_a_lap_that_was_not_seen_whole_is_not_told(lap: BestLap) -> None:
    throws, over = driven(lap, Random(8), slips=0.5)
    shares = lap.shares(throws)
    assert shares is not None
    assert shares.driving > 1
    assert lap.throws + sum(shares) == pytest.approx(len(throws) + over, abs=1e-3)
    assert lap.shares(throws[:-1]) is None
    assert lap.shares([Throw(throws[0].gear, 0, throws[0].at), *throws[1:]]) is None


def test_a_trial_tells_its_distance_once_the_lap_is_worked_out(
    lap: BestLap, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = TrialsOpened(name="Club", track="monaco", drivers=(TrialDriver(number=14, name="Vidal"),), sessions=1)
    throws, over = driven(lap, Random(3))
    with TrialDesk.begin(tmp_path, opened) as desk:
        lines = TrialLines(desk, Words("en"))
        assert "No trial is under way" in lines.say(b'{"limit": true}')[-1]["error"]
        desk.sky("sun")
        desk.start(14, "soft")
        assert study(desk, "soft", "dry")[-3:] == ["--tyres", "soft", "--told"]
        assert trials(desk, Words("en"), "Monaco", None).studies == ("soft", "dry")
        desk.undo()
        desk.start(14, "hard")
        assert trials(desk, Words("en"), "Monaco", None).studies is None
        assert lines.say(b'{"limit": true}')[-1] == {"limit": {"throws": round(lap.throws, 2)}}
        for one in throws:
            desk.follow(one.gear, one.face, one.at)
        desk.stop(clock=6500)
        for _ in range(len(desk.findings)):
            desk.judge(1, accepted=True)
        more = len(throws) + over + 1 - lap.throws
        told = lines.say(b'{"limit": true}')[-1]["limit"]
        assert told["more"] == pytest.approx(more, abs=0.01)
        assert told["dice"] + told["driving"] + told["rest"] == pytest.approx(more, abs=0.03)
        assert (told["driving"], told["rest"]) == pytest.approx((0, 1), abs=0.01)
        for lang, said in (("en", "Dice allow 21.1: "), ("fr", "Les dés donnent 21,1\u00a0: ")):
            shown = trials(desk, Words(lang), "Monaco", None)
            assert shown.limit.startswith(said)
            assert shown.shares
    assert best_laps("monaco", "dry", Words("en")) == ["Monaco, dry, hard: 21.1 throws"]
    assert lap_at_hand(lap.course.track, "hard", "wet") is None
