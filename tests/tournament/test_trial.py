"""One trial: a lap against the clock, what costs throws in it and what costs nothing. Articles 1-0, 1-1 and 1-2."""

from __future__ import annotations

import pytest

from companion import circuits
from companion.rules.circuit.track import Track
from companion.rules.conversation.errors import BadEntry, CompanionError
from companion.rules.conversation.faces import BLACK_DIE
from companion.tournament.times import AbsoluteTime, clock_of, ranked
from companion.tournament.trial import CALLS, COMPOUNDS, REMINDERS, Call, Sky, Tap, Trial, Tyres
from companion.tournament.weather import sky_of


def driven(
    throws: int, clock: str, tyres: Tyres = "soft", over: int = 0, misplaced: int = 0, sky: Sky = "sun"
) -> AbsoluteTime:
    """What a lap comes to, tapped as a steward would."""
    trial = Trial(driver=7, tyres=tyres, sky=sky)
    taps: list[Tap] = ["throw"] * throws + ["over"] * over + ["misplaced"] * misplaced  # type: ignore[assignment]
    for tap in taps:
        trial = trial.count_tap(tap)
    return trial.stopped(clock_of(clock)).time()


@pytest.mark.article("competition", "1-1-10", "1-1-11", "1-1-12", "1-1-13", "1-3-1")
@pytest.mark.parametrize(
    ("throws", "clock", "tyres", "sky", "over", "misplaced", "sum_"),
    [
        (18, "1'15\"56", "soft", "sun", 2, 1, 33),
        (16, "1'59\"56", "rain", "rain", 2, 1, 29),
        (17, "2'00\"00", "soft", "sun", 0, 1, 29),
        (18, "4'22\"00", "hard", "sun", 2, 0, 24),
        (17, "7'00\"00", "hard", "sun", 3, 0, 27),
        (19, "8'16\"00", "hard", "sun", 0, 0, 27),
    ],
)
def test_the_printed_examples(
    throws: int, clock: str, tyres: Tyres, sky: Sky, over: int, misplaced: int, sum_: int
) -> None:
    assert driven(throws, clock, tyres, over, misplaced, sky).total == sum_


@pytest.mark.article("competition", "1-3-2", "1-1-14", "1-0-1")
def test_the_printed_grid_of_four() -> None:
    """A 24, B 27 by the faster clock, C 27, and D, who did not stop in a corner of two."""
    lost = Trial(driver=4, tyres="hard").count_tap("throw").ended().time()
    times = {
        3: driven(19, "8'16", "hard"), 4: lost, 1: driven(18, "4'23", "hard", 2), 2: driven(17, "7'00", "hard", 3),
    }  # fmt: skip
    assert ranked(times) == [1, 2, 3, 4]


@pytest.mark.article("competition", "1-1-12")
@pytest.mark.parametrize(
    ("tyres", "sky", "each"),
    [
        ("hard", "sun", 1), ("hard", "rain", 1), ("soft", "sun", 2), ("soft", "rain", 2), ("rain", "sun", 2),
        ("rain", "rain", 1), ("rain", "changeable", 2),
    ],
)  # fmt: skip
def test_an_overshot_space_costs_by_tyres_and_surface(tyres: Tyres, sky: Sky, each: int) -> None:
    assert driven(10, "0:59.99", tyres, 3, sky=sky).total == 10 + 3 * each


@pytest.mark.article("competition", "1-1-13")
@pytest.mark.parametrize(("clock", "whole"), [("0:59.99", 0), ("1:00.00", 1), ("1:59.99", 1), ("2:00", 2)])
def test_a_minute_counts_once_it_is_whole(clock: str, whole: int) -> None:
    assert driven(10, clock).total == 10 + whole


@pytest.mark.article("competition", "1-1-11", "1-2-2", "1-1-9")
def test_a_misplaced_car_costs_ten_and_may_be_noted_after_the_lap() -> None:
    trial = Trial(driver=7, tyres="hard").count_tap("throw").stopped(100).count_tap("misplaced").count_tap("misplaced")
    assert trial.time().total == 21
    for tap in ("throw", "over", "stick", "replayed"):
        with pytest.raises(BadEntry, match="over"):
            trial.count_tap(tap)  # type: ignore[arg-type]


@pytest.mark.article("competition", "1-2-1-1", "1-2-1-2", "1-2-1-3", "1-2-1-4", "1-1-7-2")
@pytest.mark.parametrize("call", CALLS)
def test_a_call_is_noted_and_costs_nothing(call: Call) -> None:
    trial = Trial(driver=7, tyres="hard").count_tap("throw")
    assert trial.count_tap(call).count_tap(call).called(call) == 2
    assert trial.count_tap(call).time() == trial.time()


@pytest.mark.article("competition", "1-2-1-1", "1-2-1-2", "1-1-10")
def test_a_turn_played_again_counts_once() -> None:
    """The die of a turn that is taken back had been counted when the call came."""
    trial = Trial(driver=7, tyres="hard")
    with pytest.raises(BadEntry, match="No throw"):
        trial.count_tap("replayed")
    trial = trial.count_tap("throw").count_tap("throw").count_tap("stick").count_tap("replayed").count_tap("throw")
    assert (trial.throws, trial.called("stick")) == (2, 1)


@pytest.mark.article("competition", "1-1-14")
@pytest.mark.parametrize(
    ("stops", "made", "ends"),
    [(1, 0, False), (2, 0, True), (2, 1, False), (3, 0, True), (3, 1, True), (3, 2, False), (3, 3, False)],
)
def test_two_missing_stops_end_it(stops: int, made: int, ends: bool) -> None:
    assert Trial.ends_it(stops, made) is ends


@pytest.mark.article("competition", "1-1-14")
def test_a_trial_ended_by_missed_stops_is_last_whatever_it_had() -> None:
    lost = Trial(driver=1, tyres="soft").count_tap("throw").ended()
    assert lost.over
    assert ranked({1: lost.time(), 2: driven(99, "9:59")}) == [2, 1]
    for more in (lost.ended, lambda: lost.stopped(5), lambda: lost.count_tap("misplaced")):
        with pytest.raises(BadEntry, match="over"):
            more()


@pytest.mark.article("competition", "1-1-4")
def test_the_tyres_are_said_before_the_clock_starts() -> None:
    with pytest.raises(BadEntry, match="tyres"):
        Trial(driver=7).must_be_ready()
    for tyres in COMPOUNDS:
        Trial(driver=7, tyres=tyres).must_be_ready()


@pytest.mark.article("competition", "1-1-5")
def test_rain_brings_the_reminder_of_the_slide() -> None:
    assert Trial(driver=7, sky="rain").reminders[0] == "1-1-5"
    for sky in ("sun", "changeable"):
        assert "1-1-5" not in Trial(driver=7, sky=sky).reminders


@pytest.mark.article(
    "competition", "1-0-2", "1-0-4", "1-1-1", "1-1-2", "1-1-3", "1-1-6", "1-1-7", "1-1-7-1", "1-1-9", "1-2-3"
)
def test_what_people_see_to_is_told_at_its_moment() -> None:
    assert Trial(driver=7).reminders == ("1-1-1", "1-1-2", "1-1-3", "1-1-6", "1-1-7", "1-1-7-1")
    assert REMINDERS["session"] == ("1-0-2", "1-0-4")
    assert (REMINDERS["after"], REMINDERS["disobeyed"]) == (("1-1-9",), ("1-2-3",))


@pytest.mark.article("competition", "1-0-3")
def test_the_sky_of_a_session_is_read_on_the_circuit_s_chart_and_wet_in_rain_only() -> None:
    track = circuits.load("monaco")
    assert isinstance(track, Track)
    skies = [sky_of(track, face) for face in BLACK_DIE]
    assert skies == ["rain"] * 7 + ["changeable"] * 5 + ["sun"] * 8
    assert {sky: Trial(driver=7, sky=sky).surface for sky in skies} == {
        "rain": "wet", "changeable": "dry", "sun": "dry",
    }  # fmt: skip


@pytest.mark.article("competition", "1-1-11", "1-2-2")
def test_nothing_is_added_to_a_trial_that_missed_two_stops() -> None:
    ended = Trial(driver=7, tyres="hard").count_tap("throw").ended()
    with pytest.raises(BadEntry, match="This trial is over"):
        ended.count_tap("misplaced")


@pytest.mark.article("competition", "1-1-8", "1-1-6")
def test_the_clock_is_stopped_once_and_after_a_throw() -> None:
    trial = Trial(driver=7, tyres="hard")
    with pytest.raises(BadEntry, match="Nobody comes round without a throw"):
        trial.stopped(100)
    trial = trial.count_tap("throw").stopped(8148)
    assert (trial.over, trial.clock) == (True, 8148)
    with pytest.raises(BadEntry, match="over"):
        trial.stopped(8200)
    with pytest.raises(CompanionError, match="hour"):
        Trial(driver=7, tyres="hard").count_tap("throw").stopped(360001)


@pytest.mark.article("competition", "1-1-9")
def test_a_dispute_is_decided_by_the_head_steward() -> None:
    trial = Trial(driver=7, tyres="soft").count_tap("throw").count_tap("over").stopped(100)
    with pytest.raises(BadEntry, match="disputes"):
        trial.ruled(1, 0, 0)
    disputed = Trial(driver=7, tyres="soft", throws=1, overshot=1, clock=100, disputed=True)
    ruled = disputed.ruled(2, 0, 1)
    assert (ruled.disputed, ruled.time().total) == (False, 12)
