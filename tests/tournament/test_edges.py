"""The edges of what a tournament and a season allow, and all that follows from one act and not from another."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from companion import circuits
from companion.rules.conversation.errors import BadEntry, NothingToDo
from companion.rules.league import LeagueFigures
from companion.rules.rulebooks import begin
from companion.tournament.control import Control, DayOpened, Message, Penalty
from companion.tournament.entrants import Changed, Entered, Entrant, Here, Withdrawn
from companion.tournament.organised import Organised
from companion.tournament.record import Act, Noted, Record, Signed, Undone, person
from companion.tournament.results import Confirmed, Reference, Result, ResultCorrected, ResultLine
from companion.tournament.season import Abandoned, Gridded, Missed, Postponed, Season, SeasonBegun, Stage, Substituted
from companion.tournament.seeding import check_sizes, deal, even_sizes, kept_apart, prices
from companion.tournament.standings import Score, check_scale, mark_dropped, table
from companion.tournament.statistics import HeldRace, TrialLap, circuit_records, statistics
from companion.tournament.times import AbsoluteTime, clock_of, clock_text, counting, told_apart
from companion.tournament.tournament import (
    Published,
    Reseated,
    Seeded,
    Steward,
    Swapped,
    Timed,
    TimesTaken,
    Tournament,
    TournamentBegun,
    TrialTime,
)
from companion.tournament.weather import Drawn, of_race, sky_of
from companion.tournament.weather import check as check_weather
from tests.tournament.acting import act, on_paper, season, tournament

LOG = Reference("log a", "race a", 9, "00", 600)


def published(record: Tournament, **how: Any) -> Tournament:
    act(record, record.seeding(**{"source": "number", **how}))
    return act(record, Published(round=max(record.rounds), why="as it is"))


def raced(record: Tournament, key: str, *order: int) -> Tournament:
    return act(record, Result(race=key, lines=on_paper(order)))


def refused(record: Record, wrong: Act, match: str, by: str = "Ada") -> None:
    with pytest.raises((BadEntry, NothingToDo), match=match):
        act(type(record).of(record.log), wrong, by)


def taken(record: Record, right: Act, by: str = "Ada") -> None:
    """It is taken, and nothing is left of it."""
    act(type(record).of(record.log), right, by)


def within(make: Callable[[Any], object], least: Any, most: Any, below: Any, above: Any) -> None:
    """Both ends are allowed, and nothing beyond them."""
    for value in (least, most):
        make(value)
    for value in (below, above):
        with pytest.raises(BadEntry):
            make(value)


# -- figures and their ends


@pytest.mark.article("competition", "21-1-2")
@pytest.mark.article("league", "season.points")
def test_a_points_scale_has_one_to_forty_figures_of_0_to_999() -> None:
    within(check_scale, (999,), (0,) * 40, (), (0,) * 41)
    within(check_scale, (999, 0), (999, 999), (5, -1), (1000, 5))
    with pytest.raises(BadEntry, match="no place more than the one before"):
        check_scale((5, 5, 6))


@pytest.mark.article("competition", "1-0-1", "1-1-10", "1-1-13")
def test_a_trial_ends_within_an_hour_and_has_at_most_999_of_anything() -> None:
    AbsoluteTime(999, 360000, 999, 9, 999).check()
    AbsoluteTime(0, 0, last=True).check()
    for wrong in (AbsoluteTime(1000, 1), AbsoluteTime(1, 360001), AbsoluteTime(1, -1), AbsoluteTime(1, 1, 1000),
                  AbsoluteTime(1, 1, factor=0), AbsoluteTime(1, 1, factor=10), AbsoluteTime(1, 1, misplaced=1000),
                  AbsoluteTime(0, 100), AbsoluteTime(-1, 100)):  # fmt: skip
        with pytest.raises(BadEntry):
            wrong.check()
    AbsoluteTime(1, 0).check()
    assert (clock_of("1:59"), clock_of("0:00.5"), clock_of("9:59,07")) == (11900, 50, 59907)
    assert [clock_text(clock) for clock in (0, 5999, 6000, 359999, 359900)] == [
        "0:00.00", "0:59.99", "1:00.00", "59:59.99", "59:59.00",
    ]  # fmt: skip
    for said in ("1:60", "1:61", "75", "", "1:5:5"):
        with pytest.raises(BadEntry):
            clock_of(said)


@pytest.mark.article("competition", "1-0-1", "1-1-13", "1-1-14")
def test_sessions_added_up_are_last_if_one_of_them_is() -> None:
    """Two of 59 seconds make no minute each, and one together, which is in neither."""
    short = [AbsoluteTime(17, 5900, at="1"), AbsoluteTime(18, 5900, at="2")]
    added = counting(short, "sum")
    assert added is not None
    assert (added.total, added.clock, added.last, added.at) == (35, 11800, False, "2")
    long = counting([AbsoluteTime(17, 6000), AbsoluteTime(18, 17999)], "sum")
    assert long is not None
    assert long.total == 17 + 1 + 18 + 2
    missed = counting([*short, AbsoluteTime(9, 100, last=True, at="3")], "sum")
    assert missed is not None
    assert missed.last
    assert told_apart(short[0], short[0]) == "equal"


def test_a_person_has_a_name_of_at_most_60_letters() -> None:
    within(person, "A", "A" * 60, " ", "A" * 61)
    named: Callable[[str], object] = lambda name: act(Tournament(), TournamentBegun(name=name))  # noqa: E731
    within(named, "A", "A" * 60, " ", "A" * 61)
    stages = (Stage("monaco"),)
    called: Callable[[str], object] = lambda name: act(Season(), SeasonBegun(name=name, calendar=stages))  # noqa: E731
    within(called, "A", "A" * 60, " ", "A" * 61)
    within(lambda many: act(Tournament(), TournamentBegun(name="x", sessions=many)), 0, 9, -1, 10)


@pytest.mark.article("competition", "1-0-3", "2-0-1")
def test_the_black_die_shows_1_to_20_and_0_where_the_sky_is_said() -> None:
    within(lambda face: check_weather(Drawn(sky="sun", face=face, round=1)), 0, 20, -1, 21)
    board = circuits.board("monaco")
    within(lambda face: sky_of(board, face), 1, 20, 0, 21)
    with pytest.raises(BadEntry, match="no chart of weather for Saltmarsh"):
        sky_of(circuits.board("saltmarsh"), 5)
    assert (of_race("changeable", None), of_race("changeable", "rain"), of_race("sun", "rain")) == ("dry", "wet", "dry")


@pytest.mark.article("competition", "1-3-2")
def test_a_table_has_two_to_twenty_drivers_and_everybody_a_seat() -> None:
    within(lambda size: check_sizes(size, (size,)), 2, 20, 1, 21)
    within(lambda tables: even_sizes(8, tables), 1, 4, 0, 5)
    with pytest.raises(BadEntry, match="There is no seeding to -1 tables; one at least"):
        even_sizes(8, -1)
    with pytest.raises(BadEntry, match="6 seats for 7 drivers"):
        deal(range(7), (3, 3))
    assert deal(range(5), (3, 2), "level") == ((0, 1, 2), (3, 4))


@pytest.mark.article("competition", "1-3-3")
def test_a_swap_has_its_price_in_ranks_and_pairs() -> None:
    """Tables 1 3 5 and 2 4 6; 1 3 and 2 6 are mates. Of 1's swaps the one with 6 parts both pairs."""
    tables, apart = ((1, 3, 5), (2, 4, 6)), {"A": (1, 3), "B": (2, 6)}
    found = [
        (price.other, price.ranks, price.parted, price.made) for price in prices(tables, 1, (1, 2, 3, 4, 5, 6), apart)
    ]
    assert found == [(2, 1, 2, 0), (6, 5, 2, 0), (4, 3, 1, 0)]
    found = [
        (price.other, price.parted, price.made)
        for price in prices(tables, 5, (1, 2, 3, 4, 5, 6), {"A": (1, 3), "B": (2, 5)})
    ]
    assert found == [(2, 0, 0), (4, 0, 1), (6, 0, 1)]
    iterated = prices(tables, 1, (1, 2, 3, 4, 5, 6), {of: iter(members) for of, members in apart.items()})
    assert [price.other for price in iterated] == [2, 6, 4]


@pytest.mark.article("competition", "1-3-3")
def test_by_level_nobody_is_moved() -> None:
    tables = ((1, 2, 3), (4, 5, 6))
    assert kept_apart(tables, range(1, 7), {"A": (1, 2)}, "level") == (tables, ())


# -- the record


def test_only_the_last_act_is_taken_back_and_a_note_changes_nothing() -> None:
    record = tournament(3)
    refused(record, Undone(of=2), "Entry 2 is not the last one in force; entry 3 is")
    act(record, Noted(text="late"))
    act(record, Undone(of=4))
    act(record, Undone(of=3))
    assert record.field.here == set()
    assert [one.seq for one in record.signed] == [1, 2]
    refused(record, TournamentBegun(name="again"), "begins once")
    with pytest.raises(BadEntry, match="begins once"):
        act(Tournament(), Noted(text="early"))
    assert record.after(Noted(text="x")).log[-1].seq == len(record.log) + 1
    assert Tournament().name == ""


def test_what_a_kind_of_event_has_to_say_itself() -> None:
    bare: Any = Organised()
    for what in (lambda: bare.has_started, lambda: bare.racing("1"), lambda: bare.scores(1), lambda: bare.scale("1"),
                 lambda: Record().apply(Signed(1, "", "", Noted(text="")))):  # fmt: skip
        with pytest.raises(NotImplementedError):
            what()


def test_race_control_says_penalties_to_a_table_and_words_to_all() -> None:
    day = Control.of([Signed(1, "Ada", "", DayOpened(name="Saturday"))])
    assert day.name == "Saturday"
    refused(day, Penalty(log_id="a", car=1, text="5 spaces", why="push"), "for one table")
    refused(day, Penalty(table="1", log_id="a", car=1, text=" ", why="push"), "says what it is")
    refused(day, Message(text=" "), "needs words")
    taken(day, Penalty(table="1", log_id="a", car=1, text="5 spaces", why="push"))


# -- results


@pytest.mark.article("competition", "2-0-3", "21-1-1", "21-1-4")
def test_a_result_is_entered_once_and_a_log_has_one_table() -> None:
    record = published(tournament(4), tables=2)
    lines = on_paper((1, 3))
    act(record, Result(race="1.1", lines=lines, log=LOG))
    assert not record.results["1.1"].official
    refused(record, Result(race="1.1", lines=lines), "^This result of 1.1 is there already.$")
    refused(record, Result(race="1.1", lines=on_paper((3, 1))), "with another content")
    refused(record, Result(race="1.2", lines=on_paper((2, 4)), log=LOG), "The race race a is the result of 1.1 already")
    taken(record, Result(race="1.2", lines=on_paper((2, 4)), log=Reference("log b", "race b", 9, "00")))
    taken(record, Result(race="1.2", lines=on_paper((2, 4))))
    act(record, Result(race="1.2", lines=on_paper((2, 4))))
    refused(record, ResultCorrected(race="1.1", lines=on_paper((1, 2)), why="x"), "did not race here")
    refused(record, ResultCorrected(race="1.1", lines=lines, why="x"), "as it stands; nothing changes")
    act(record, ResultCorrected(race="1.1", lines=on_paper((3, 1)), why="x"), "Bob")
    refused(record, Confirmed(race="1.1"), "was entered by Bob", by="Bob")
    act(record, Confirmed(race="1.1"), "Ada")
    assert record.results["1.1"].official
    refused(record, Result(race="1.9", lines=()), "There is no table 1.9; the tables are 1.1, 1.2.")
    three = published(tournament(3), tables=1)
    refused(three, Result(race="1.1", lines=on_paper((3,))), "D1 is missing")


# -- standings


@pytest.mark.article("league", "season.countback", "season.points")
def test_as_many_results_as_count_are_not_dropped() -> None:
    scores = [Score("1", 1, 5), Score("2", 2, 3)]
    assert mark_dropped(scores, 2) == tuple(scores)
    assert mark_dropped(scores, 3) == tuple(scores)
    assert [score.dropped for score in mark_dropped(scores, 1)] == [False, True]
    lines = table({1: [Score("1", None, 0)], 2: []})
    assert [(line.place, line.taken, line.decides) for line in lines] == [(1, (), 0), (1, (), 0)]
    three = table({1: [Score("1", 1, 5)], 2: [Score("1", 2, 5)], 3: [Score("1", 3, 5)]})
    assert [line.decides for line in three] == [1, 2, 0]


def test_statistics_of_a_driver_with_and_without_logs() -> None:
    record = tournament(4, points=(5, 3, 1))
    for number, lines, log in (
        (1, (ResultLine(3, 1), ResultLine(4, 2), ResultLine(1, 3, grid=2, wear={"tyres": 3}, tyres=("soft", "hard")),
             ResultLine(2, 4)), LOG),
        (2, (ResultLine(2, 1), ResultLine(3, 2), ResultLine(4, 3),
             ResultLine(1, 4, "engine", "16-0-3", 7, wear={"tyres": 2})),
         Reference("log b", "b", 9, "", 60)),
        (3, on_paper((4, 1, 2), [(3, "")]), None),
    ):  # fmt: skip
        published(record, tables=1)
        act(record, Result(race=f"{number}.1", lines=lines, log=log))
    found = statistics(1, record.results.filed, record.scale)
    assert (found.wins, found.podiums, found.points, found.best, found.analysed, found.seconds) == (0, 2, 4, 2, 2, 660)
    assert (found.wear, found.tyres) == ({"tyres": 5}, {"soft": 1, "hard": 1})
    assert [(one.race, one.out) for one in found.races] == [("1.1", False), ("2.1", True), ("3.1", False)]
    assert [(gone.race, gone.round, gone.cause, gone.article) for gone in found.retirements] == [
        ("2.1", 7, "engine", "16-0-3")
    ]
    out = statistics(3, record.results.filed, record.scale)
    assert [(gone.race, gone.cause) for gone in out.retirements] == [("3.1", "")]


def test_circuits_without_races_winners_or_watches_have_records_too() -> None:
    (trials,) = circuit_records([], [TrialLap("spa", "A", AbsoluteTime(9, 1), "Friday")])
    assert trials[:7] == ("spa", 0, "", 0, 0, 0, "")
    assert trials.best is not None
    (none,) = circuit_records([HeldRace("spa", "x", None, 1, 0)])
    assert none == ("spa", 1, "", 0, 0, 0, "", None)
    (level,) = circuit_records(
        [HeldRace("spa", "x", "B", 1, 0), HeldRace("spa", "y", "A", 2, 9), HeldRace("spa", "z", None, 1, 0)]
    )
    assert level[:7] == ("spa", 3, "B", 1, 1, 9, "y")


# -- tournaments


@pytest.mark.article("competition", "1-0-1", "1-3-1", "1-3-2")
def test_times_are_taken_once_and_others_with_a_reason() -> None:
    record = tournament(3, sessions=2)
    first = AbsoluteTime(17, 6000, at="2026-06-13T10:00")
    act(record, TimesTaken(times=(TrialTime(1, 1, first), TrialTime(2, 1, AbsoluteTime(18, 6000, at="x"))), log=LOG))
    assert record.times_from == {(1, 1): "log a", (2, 1): "log a"}, "of each time its own"
    assert record.times[1][1].at == "2026-06-13T10:00"
    again = (TrialTime(1, 1, first), TrialTime(3, 1, AbsoluteTime(19, 6000, at="y")))
    act(record, TimesTaken(times=again, log=LOG))
    assert record.times[3] == {1: AbsoluteTime(19, 6000, at="y")}
    other = TimesTaken(times=(TrialTime(1, 1, AbsoluteTime(16, 6000, at="z")),), log=LOG)
    refused(record, other, "another one needs a reason")
    act(record, TimesTaken(times=other.times, log=LOG, why="misread"))
    assert record.times[1][1].throws == 16
    act(record, Timed(driver=2, session=2, time=AbsoluteTime(15, 6000)))
    assert record.times[2][2].at == record.log[-1].at, "it was done when it was entered"
    act(record, Timed(driver=3, session=2, time=AbsoluteTime(15, 6000, at="before")))
    assert record.times[3][2].at == "before"
    assert [seed.driver for seed in record.seeds()] == [2, 3, 1]
    assert [seed.ahead_by for seed in record.seeds()] == ["first", "throws", ""]
    refused(record, Timed(driver=1, session=0, time=first), "There is no session 0")
    refused(record, Timed(driver=1, session=2, time=AbsoluteTime(1000, 1)), "0 to 999 throws")
    act(record, Withdrawn(number=1, why="ill"))
    refused(record, Timed(driver=1, session=2, time=first), "D1 has withdrawn")
    late = act(Tournament(), TournamentBegun(name="x"))
    act(late, Entered(entrants=(Entrant(5, "E"),)))
    act(late, Timed(driver=5, session=1, time=first))
    assert late.field.here == {5}, "who drives is here"


@pytest.mark.article("competition", "1-3-1", "1-3-2")
def test_a_time_put_right_was_done_when_it_was_done() -> None:
    """Driver 1 did it before driver 2, whose equal time was typed before the slip of the pen was seen."""
    record = tournament(2)
    act(record, Timed(driver=1, session=1, time=AbsoluteTime(51, 5000)))
    act(record, Timed(driver=2, session=1, time=AbsoluteTime(15, 5000)))
    act(record, Timed(driver=1, session=1, time=AbsoluteTime(15, 5000), why="51 for 15"))
    assert [(seed.driver, seed.ahead_by) for seed in record.seeds()] == [(1, "first"), (2, "")]
    act(record, Timed(driver=1, session=1, time=AbsoluteTime(15, 5000, at="2026-06-13T20:00"), why="it was later"))
    assert [(seed.driver, seed.ahead_by) for seed in record.seeds()] == [(2, "first"), (1, "")]


@pytest.mark.article("competition", "1-3-2", "2-0-3")
def test_the_seeding_of_a_round() -> None:
    record = tournament(21)
    act(record, Here(numbers=(21,), here=False))
    proposed = record.seeding(source="number")
    assert [len(seats) for seats in proposed.tables] == [10, 10], "ten a table, if nothing else is said"
    assert [len(seats) for seats in record.seeding(source="number", sizes=(12, 8)).tables] == [12, 8]
    refused(record, Seeded(round=1, tables=((1, 21), (2, 3))), "D21 is not here, or has withdrawn")
    act(record, record.seeding(source="number", tables=2, track="monza", laps=3))
    assert (record.rounds[1].track, record.rounds[1].laps) == ("monza", 3)
    act(record, record.seeding(source="number", tables=4, again=True))
    assert (len(record.rounds[1].tables), record.rounds[1].track, record.rounds[1].laps) == (4, "monaco", 0)
    refused(record, Result(race="1.1", lines=()), "Round 1 is not published yet")
    with pytest.raises(BadEntry, match="Round 2 is not seeded yet"):
        record.round(2)
    act(record, Published(round=1))
    for key in ("1.1", "1.3", "1.4"):
        raced(record, key, *record.seated(key))
    refused(record, Seeded(round=2, tables=((1, 2), (3, 4))), "Round 1 still lacks the result of 1.2")
    raced(record, "1.2", *record.seated("1.2"))
    assert record.seeding(source="number", tables=2).round == 2
    assert record.seeding(source="number", tables=2, again=True).round == 1
    act(record, record.seeding(source="number", tables=1, first=3))
    assert record.rounds[2].ranking == (1, 2, 3)
    for key in ("2.0", "2.2", "3.1", "x.1", "2.x"):
        with pytest.raises(BadEntry, match=f"There is no table {key}; the tables are 1.1, 1.2, 1.3, 1.4, 2.1."):
            record.seated(key)
    with pytest.raises(BadEntry, match="there is none yet"):
        tournament(2).seated("1.1")
    empty = act(Tournament(), TournamentBegun(name="x"))
    for record, sentence in ((empty, "Nobody is here yet"), (tournament(1), "1 of 1 drivers; a table has 2 at least")):
        with pytest.raises(BadEntry, match=sentence):
            record.seeding(source="number")


@pytest.mark.article("competition", "1-3-3")
def test_a_swap_touches_two_tables_and_leaves_the_third() -> None:
    record = tournament(6)
    act(record, record.seeding(tables=3, source="number"))
    act(record, Swapped(round=1, one=1, other=6, why="brothers"))
    assert record.rounds[1].moves[-1].ranks == 5
    assert record.rounds[1].changed == frozenset(), "nothing was told yet"
    act(record, Published(round=1))
    raced(record, "1.2", 2, 5)
    act(record, Reseated(round=1, one=1, other=6, why="reconciled"))
    assert record.rounds[1].changed == {1, 3}
    refused(record, Reseated(round=1, one=1, other=2, why="x"), "Table 1.2 has its result")
    assert [price.other for price in record.prices(1, 4)] == [3, 5, 2, 6]
    lone = tournament(4, 4)
    assert lone.apart == {}, "who has no team-mate sits anywhere"


@pytest.mark.article("competition", "2-0-2")
def test_a_steward_has_a_table_in_each_round_and_may_be_named_anew() -> None:
    record = published(tournament(4), tables=2)
    act(record, Steward(table="1.1", name="Eve"))
    act(record, Steward(table="1.1", name="eve"))
    raced(record, "1.1", 1, 3)
    raced(record, "1.2", 2, 4)
    published(record, tables=2)
    act(record, Steward(table="2.1", name="Eve"))
    refused(record, Steward(table="2.2", name="Eve"), "steward of 2.1 already")
    assert record.stewards == {"1.1": "eve", "2.1": "Eve"}


@pytest.mark.article("competition", "2-0-1", "2-0-3", "21-1-2")
def test_a_table_begins_from_the_weather_the_laps_and_the_figures_of_its_round() -> None:
    record = tournament(4, sessions=2, laps=2, options={"car_points": 24})
    assert (record.last_trials(), record.draws_weather()) == (None, None)
    act(record, Drawn(session=1, sky="rain", face=2))
    act(record, Drawn(session=2, sky="sun", face=12))
    act(record, Drawn(round=1, sky="changeable", face=9))
    assert record.last_trials() == "sun"
    published(record, tables=1)
    said = record.setup("1.1")
    assert (said["laps"], said["options"], said["surface"]) == (2, {"car_points": 24}, "dry")
    for options, expected in (({}, [9, 5]), ({"points": [7]}, [7])):
        scaled = published(tournament(4, points=(9, 5), options=options), tables=1)
        assert scaled.setup("1.1")["options"] == {"points": expected}
    plain = published(tournament(4), tables=1)
    assert {"laps", "options", "sky"} & set(plain.setup("1.1")) == set()
    assert Tournament().draws_weather() is None
    act(plain, Timed(driver=3, session=1, time=AbsoluteTime(17, 6000)))
    assert plain.draws_weather() == 3


@pytest.mark.article("league", "season.drivers", "season.teams")
def test_a_table_of_the_league_is_as_large_as_it_was_dealt_and_so_are_its_clubs() -> None:
    """How many make a season and a team is a season's."""
    record = tournament(12, teams=2, rulebook="league", track="monza")
    act(record, record.seeding(tables=1, source="number"))
    act(record, Published(round=1, why="two clubs"))
    race = begin(record.setup("1.1"), circuits.load("monza"))
    assert [car.team for car in race.race.cars].count("T1") == 6  # type: ignore[union-attr]


def test_a_table_races_under_the_plates_of_its_clubs() -> None:
    """A second car of a club has a second line; who is in none has his own; plates begin again after twenty."""
    record = act(Tournament(), TournamentBegun(name="Cup"))
    entrants = [Entrant(n, f"D{n}", "" if n == 3 else f"Club {n % 2}") for n in range(1, 6)]
    act(record, Entered(entrants=tuple(entrants)))
    act(record, Here(numbers=(1, 2, 3, 4, 5)))
    assert record.colours() == {1: 0, 2: 1, 3: 2, 4: 1, 5: 0}
    act(record, record.seeding(tables=1, source="number"))
    act(record, Published(round=1, why="two clubs"))
    assert record.setup("1.1")["plates"] == [0, 1, 2, 11, 10]
    assert record.colours_at([1, 5, 2]) == {1: 0, 5: 10, 2: 1}
    many = act(Tournament(), TournamentBegun(name="Cup"))
    act(many, Entered(entrants=tuple(Entrant(n, f"D{n}", f"Club {n}") for n in range(1, 23))))
    assert [many.colours()[n] for n in (1, 20, 21, 22)] == [0, 19, 0, 1]
    assert many.colours_at([1, 21]) == {1: 0, 21: 10}


def test_entries_are_fixed_once_somebody_has_driven_or_is_seated() -> None:
    record = tournament(4)
    assert not record.has_started
    taken(record, Changed(number=1, entrant=Entrant(9, "D1")))
    seated = act(Tournament.of(record.log), record.seeding(tables=2, source="number"))
    driven = act(Tournament.of(record.log), Timed(driver=1, session=1, time=AbsoluteTime(17, 6000)))
    for one in (seated, driven):
        refused(one, Changed(number=1, entrant=Entrant(9, "D1")), "for good")


@pytest.mark.article("competition", "21-1-2")
def test_only_a_final_that_is_over_decides_and_the_last_one_of_them() -> None:
    record = published(tournament(4, points=(5, 3, 1)), tables=1)
    raced(record, "1.1", 1, 2, 3, 4)
    assert record.finalists() == []
    published(record, tables=2, final=True)
    raced(record, "2.1", 3, 1)
    assert [line.who for line in record.standings()] == [1, 2, 3, 4], "a table of the final is open"
    raced(record, "2.2", 4, 2)
    assert [(line.place, line.who, line.points, line.decides) for line in record.standings()] == [
        (1, 3, 1, 0), (2, 1, 5, 0), (3, 4, 0, 0), (4, 2, 3, 0),
    ]  # fmt: skip
    assert [score.points for score in record.scores(3)] == [1, 0]
    published(record, tables=1, final=True)
    raced(record, "3.1", 2, 1, 3, 4)
    assert record.finalists() == [2, 1, 3, 4]


# -- seasons


@pytest.mark.article("league", "season.races", "season.drivers", "season.teams")
def test_a_season_has_as_many_races_drivers_and_team_mates_as_it_says() -> None:
    assert len(season(races=1).stages) == 1
    any_number = SeasonBegun(name="x", calendar=tuple(Stage("monaco") for _ in range(99)), races=0, drivers=0, team=0)
    free = act(Season(), any_number)
    act(free, Entered(entrants=tuple(Entrant(n, f"D{n}", "T") for n in range(1, 13))))
    with pytest.raises(BadEntry, match="1 to 99 races; 100"):
        act(Season(), SeasonBegun(name="x", calendar=tuple(Stage("monaco") for _ in range(100)), races=0))
    within(lambda best: season(best=best, races=3), 0, 3, -1, 4)
    with pytest.raises(BadEntry, match="no place more"):
        season(points=(1, 2))
    ten = season("ABCDEFGHIJ")
    act(ten, Withdrawn(number=1, why="moved"))
    act(ten, Entered(entrants=(Entrant(11, "K"),)))
    assert len(ten.field.standing) == 10
    pair = season(teams="NNSS")
    act(pair, Withdrawn(number=1, why="moved"))
    act(pair, Entered(entrants=(Entrant(5, "E", "N"),)))
    refused(pair, Entered(entrants=(Entrant(6, "F", "N"),)), "N would have 3")
    assert Season().begun.name == ""


def test_what_was_run_is_changed_no_more() -> None:
    record = season(races=3)
    act(record, Missed(race=1, number=3))
    act(record, Missed(race=1, number=3, missed=False))
    assert record.drivers(1) == [1, 2, 3, 4]
    act(record, Result(race="1", lines=on_paper((1, 2, 3, 4))))
    for wrong in (Missed(race=1, number=3), Abandoned(race=1, why="x"), Postponed(race=1, date="x", why="y"),
                  Substituted(race=1, number=1, driver="Zoe")):  # fmt: skip
        refused(record, wrong, "Race 1 has its result already")
    refused(record, Missed(race=2, number=33), "Nobody has the number 33")
    refused(record, Postponed(race=2, date="x"), "needs a reason")
    for number in (0, 4):
        with pytest.raises(BadEntry, match=f"There is no race {number}; the calendar has 1 to 3"):
            record.race(number)
    refused(record, Result(race="4", lines=()), "There is no race 4")


def test_a_race_keeps_what_is_not_moved() -> None:
    record = act(Season(), SeasonBegun(name="x", calendar=(Stage("monaco", "1 June"), Stage("spa", "2 June"))))
    act(record, Postponed(race=1, date="9 June", why="rain"))
    assert record.race(1).stage == Stage("monaco", "9 June")
    act(record, Postponed(race=1, track="monza", why="no board"))
    assert record.race(1).stage == Stage("monza", "9 June")
    assert record.race(2).stage == Stage("spa", "2 June")


def test_an_entrant_whose_car_misses_a_race_may_drive_anothers_and_no_two() -> None:
    record = season(races=2)
    refused(record, Substituted(race=1, number=1, driver="B"), "B drives in this race already")
    act(record, Missed(race=1, number=2))
    act(record, Substituted(race=1, number=1, driver="b"))
    assert (record.driver(1, 1), record.driver(2, 1), record.drivers(1)) == ("b", "A", [1, 3, 4])
    refused(record, Missed(race=1, number=2, missed=False), "B drives in this race already")
    taken(record, Missed(race=2, number=2, missed=False))
    act(record, Substituted(race=1, number=1))
    taken(record, Missed(race=1, number=2, missed=False))


def test_a_substitute_drives_until_the_entrant_does_again() -> None:
    record = season(races=2)
    within(lambda name: taken(record, Substituted(race=1, number=1, driver=name)), "Z", "Z" * 30, "Z" * 31, "b")
    act(record, Substituted(race=1, number=1, driver="Zoe"))
    assert (record.driver(1, 1), record.driver(2, 1)) == ("Zoe", "A")
    assert [car.get("home") for car in record.setup(1)["cars"]] == [None] * 4, "the home track is the entrant's"
    act(record, Substituted(race=1, number=1))
    assert (record.driver(1, 1), record.substitutes) == ("A", {})
    act(record, Substituted(race=1, number=1, driver="Zoe"))
    act(record, Substituted(race=1, number=1, driver="a"))
    assert record.substitutes == {}


@pytest.mark.article("league", "start.grid")
def test_which_correction_turns_the_next_grid() -> None:
    """One of the race run last that changes its order, as long as the next grid is not set and follows from it."""
    record = season(races=3)
    act(record, Result(race="1", lines=on_paper((1, 2, 3, 4))))
    turned = ResultCorrected(race="1", lines=on_paper((2, 1, 3, 4)), why="x")
    same = ResultCorrected(race="1", lines=on_paper((1, 2, 3), [(4, "engine")]), why="x")
    assert record.turns_grid(turned)
    assert not record.turns_grid(same)
    set_by_hand = act(Season.of(record.log), Gridded(race=2, order=(1, 2, 3, 4), rule="hand", why="x"))
    assert not set_by_hand.turns_grid(turned)
    by_trials = season(races=3, grid="trials")
    act(by_trials, Result(race="1", lines=on_paper((1, 2, 3, 4))))
    assert (by_trials.rule(1), by_trials.rule(2), by_trials.turns_grid(turned)) == ("trials", "trials", False)
    assert by_trials.grid(2) is None
    assert season(grid="trials").rule(1) == "trials"
    over = season(races=1)
    act(over, Result(race="1", lines=on_paper((1, 2, 3, 4))))
    assert not over.turns_grid(turned)
    assert season().reversed_grid(1, {}) is None
    act(set_by_hand, Missed(race=2, number=4))
    assert set_by_hand.grid(2) == [3, 2, 1], "the grid that was set had somebody else in it"
    refused(record, Gridded(race=2, order=(1, 2, 3, 4), rule="reverse"), "not the last classification upside down")
    taken(record, Gridded(race=2, order=(4, 3, 2, 1), rule="reverse"))


@pytest.mark.article("league", "season.races", "start.grid")
def test_what_a_race_of_a_season_begins_from() -> None:
    """Only the league's has homes and settles its grid itself; who no longer races is not in the last result."""
    stages = (Stage("monaco", laps=2), Stage("monaco", rulebook="competition"), Stage("monaco"))
    record = act(Season(), SeasonBegun(name="x", calendar=stages, options={"a": 1}, points=LeagueFigures().points))
    act(record, Entered(entrants=(Entrant(1, "A", "", ("monaco",)), Entrant(2, "B"), Entrant(3, "C", "", ("monaco",)))))
    first = record.setup(1)
    assert (first["rulebook"], first["laps"], first["options"]) == ("league", 2, {"a": 1})
    assert [car.get("home") for car in first["cars"]] == [True, None, True]
    act(record, Result(race="1", lines=on_paper((1, 2, 3))))
    second = record.setup(2)
    assert (second["rulebook"], [car["car"] for car in second["cars"]]) == ("competition", [3, 2, 1])
    assert not any("home" in car for car in second["cars"])
    assert {"laps", "grid", "last"} & set(second) == set()
    act(record, Entered(entrants=(Entrant(4, "D"),)))
    act(record, Missed(race=3, number=2))
    third = record.setup(3)
    assert (third["last"], "grid" in third) == ([1, 3], False)
    drawn = act(Season.of(record.log), Gridded(race=3, order=(4, 3, 1), rule="hand", why="x"))
    assert (drawn.setup(3)["grid"], "last" in drawn.setup(3)) == ([4, 3, 1], False)
    for book in ("beginner", "formula-d"):  # they would roll for a grid that is settled
        boxed = act(Season(), SeasonBegun(name="x", rulebook=book, calendar=(Stage("monaco"),)))
        act(boxed, Entered(entrants=(Entrant(1, "A"), Entrant(2, "B"))))
        act(boxed, Gridded(race=1, order=(2, 1), rule="hand", why="x"))
        assert boxed.setup(1)["grid"] == [2, 1]
