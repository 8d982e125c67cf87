"""A tournament by its acts: what is refused, ranks, rounds, standings, corrections."""

from __future__ import annotations

import pytest

from companion.rules.conversation.errors import BadEntry, NothingToDo
from companion.rules.conversation.setup import MOST
from companion.tournament.draft import ResultDraft
from companion.tournament.entrants import Changed, Entered, Entrant, Removed, Withdrawn, read_entrants
from companion.tournament.record import Act, Signed, Undone
from companion.tournament.results import Confirmed, Reference, Result, ResultCorrected, ResultLine, points_changes
from companion.tournament.standings import climbed
from companion.tournament.statistics import statistics
from companion.tournament.times import AbsoluteTime
from companion.tournament.tournament import (
    Here,
    Published,
    Reseated,
    Seated,
    Seeded,
    Steward,
    Swapped,
    Timed,
    Tournament,
    TournamentBegun,
    Upheld,
)
from companion.tournament.weather import Drawn
from companion.view.events.listings import Listings
from companion.view.events.seeding import due_at, seeding
from companion.view.events.standings import standings
from companion.view.events.table_result import consequences
from companion.wording import Words
from tests.tournament.acting import act, on_paper, tournament


def timed(record: Tournament, throws: dict[int, int], session: int = 1) -> Tournament:
    for driver, many in throws.items():
        act(record, Timed(driver=driver, session=session, time=AbsoluteTime(many, 6000 + driver)))
    return record


def published(record: Tournament, **how: object) -> Tournament:
    act(record, record.seeding(**how))  # type: ignore[arg-type]
    return act(record, Published(round=max(record.rounds), why="as it is"))


def raced(record: Tournament, key: str, *order: int) -> Tournament:
    return act(record, Result(race=key, lines=on_paper(order)))


def refused(record: Tournament, wrong: Act, match: str, by: str = "Ada") -> None:
    """What is refused leaves the record as its log tells it."""
    log = list(record.log)
    with pytest.raises((BadEntry, NothingToDo), match=match):
        act(record, wrong, by)
    assert type(record).of(log).log == log


@pytest.mark.article("competition", "1-3-1", "1-3-2", "1-3-3")
def test_tables_follow_the_best_times_and_keep_teams_apart() -> None:
    """Ranks 6 5 4 3 2 1; of three teams 6 and 3, 5 and 2, 4 and 1 are mates. In turn to two tables: 6 4 2 and 5 3 1."""
    record = timed(tournament(6, 3, sessions=2), {1: 25, 2: 24, 3: 23, 4: 22, 5: 21, 6: 20})
    timed(record, {1: 30, 6: 19}, session=2)
    assert [seed.driver for seed in record.seeds()] == [6, 5, 4, 3, 2, 1]
    assert record.seeding(tables=2).tables == ((6, 4, 2), (5, 3, 1))
    pair = record.seeding(tables=3)  # 6 3, 5 2, 4 1 dealt in turn: each pair at one table
    assert pair.moves
    assert len({record.field[driver].team for driver in pair.tables[0]}) == 2


def test_who_has_no_time_comes_last_and_who_is_gone_not_at_all() -> None:
    record = timed(tournament(5), {3: 20, 1: 22})
    act(record, Withdrawn(number=4, why="ill"))
    assert [(seed.rank, seed.driver) for seed in record.seeds()] == [(1, 3), (2, 1), (3, 2), (4, 5)]
    act(record, Here(numbers=(5,), here=False))
    assert record.seeding(tables=1).tables == ((3, 1, 2),)


@pytest.mark.article("competition", "2-0-1", "1-0-3")
def test_weather_is_drawn_once_for_all_tables() -> None:
    """The best time draws; under a changeable sky every table starts on the track of the last trials."""
    record = timed(tournament(4), {2: 18, 1: 20})
    assert record.draws_weather() == 2
    act(record, Drawn(session=1, sky="rain", face=2))
    act(record, Drawn(round=1, sky="changeable", face=9))
    published(record, tables=2)
    for key in ("1.1", "1.2"):
        assert (record.setup(key)["sky"], record.setup(key)["surface"]) == ("changeable", "wet")
    refused(record, Drawn(round=1, sky="sun", face=15), "drawn already")
    act(record, Drawn(round=1, sky="sun", face=15, why="the die was cocked"))
    assert record.setup("1.2")["surface"] == "dry"
    refused(record, Drawn(session=-1, sky="sun", face=15), "There is no session -1; this tournament has 1")
    for number in (-1, 3):
        refused(record, Drawn(round=number, sky="sun", face=15), f"The next round is 2; {number} is not")


@pytest.mark.article("competition", "2-0-2")
def test_each_table_has_its_steward() -> None:
    record = published(tournament(4), tables=2, source="number")
    act(record, Steward(table="1.1", name="Eve"))
    refused(record, Steward(table="1.2", name="eve"), "is the steward of 1.1 already")
    refused(record, Steward(table="1.3", name="Sam"), "There is no table 1.3")
    act(record, Steward(table="1.2", name="Sam"))
    assert record.stewards == {"1.1": "Eve", "1.2": "Sam"}


def test_points_countback_and_a_final_that_decides() -> None:
    """Two tables of three by 5 3 1: 1 and 2 win, 3 and 4 are second; both pairs level. The final of two turns 1 and 2
    round; nobody else comes between."""
    record = published(tournament(6, points=(5, 3, 1)), tables=2, source="number")
    assert record.rounds[1].tables == ((1, 3, 5), (2, 4, 6))
    raced(record, "1.1", 1, 3, 5)
    raced(record, "1.2", 2, 4, 6)
    assert [(line.place, line.who, line.points) for line in record.standings()] == [
        (1, 1, 5), (1, 2, 5), (3, 3, 3), (3, 4, 3), (5, 5, 1), (5, 6, 1),
    ]  # fmt: skip
    published(record, tables=1, source="standings", first=2, final=True)
    assert record.rounds[2].tables == ((1, 2),)
    raced(record, "2.1", 2, 1)
    assert [(line.place, line.who) for line in record.standings()] == [(1, 2), (2, 1), (3, 3), (3, 4), (5, 5), (5, 6)]


def test_a_final_that_decides_says_so_and_the_others_are_told_apart_among_themselves() -> None:
    """All have 4 points or none. Before the final 1 has more second places than 4, who has more wins than 3; without 4
    it is a win that puts 1 before 3."""
    record = tournament(6, points=(2, 2, 2, 2, 2))
    for order in ((1, 3, 2, 4, 5, 6), (4, 1, 3, 2, 5, 6)):
        raced(published(record, tables=1, source="number"), f"{max(record.rounds)}.1", *order)
    assert [(line.who, line.points, line.decides) for line in record.standings()] == [
        (1, 4, 2), (4, 4, 1), (3, 4, 2), (2, 4, 3), (5, 4, 0), (6, 0, 0),
    ]  # fmt: skip
    act(record, Seeded(round=3, tables=((4, 5, 6),), final=True))
    act(record, Published(round=3))
    raced(record, "3.1", 5, 6, 4)
    assert [(line.place, line.who, line.points, line.decides) for line in record.standings()] == [
        (1, 5, 4, 0), (2, 6, 0, 0), (3, 4, 4, 0), (4, 1, 4, 1), (5, 3, 4, 2), (6, 2, 4, 0),
    ]  # fmt: skip
    rows = [(row["number"].value, row["points"].note) for row in standings(record, Words("en")).drivers.by_key()]
    assert rows == [
        (5, ""), (6, ""), (4, "by the final"), (1, "wins 1 to 0"), (3, "2nds 1 to 0"), (2, "2nds 0 to 1"),
    ]  # fmt: skip


def test_who_still_races_has_a_dot_and_who_is_not_in_a_round_a_dash() -> None:
    """The second table of the round has no result yet; four are not in the final."""
    record = published(tournament(6, points=(5, 3, 1)), tables=2, source="number")
    raced(record, "1.1", 1, 3, 5)

    def told(column: str) -> dict[str, str]:
        made = Listings(record, Words("en")).make("standings")
        return dict(sorted(made.only("number", column).texts))

    assert told("r1") == {"1": "5", "2": "·", "3": "3", "4": "·", "5": "1", "6": "·"}
    raced(record, "1.2", 2, 4, 6)
    published(record, tables=1, source="standings", first=2, final=True)
    assert set(told("r2").values()) == {"·"}
    raced(record, "2.1", 2, 1)
    assert told("r2") == {"1": "0", "2": "0", "3": "–", "4": "–", "5": "–", "6": "–"}


@pytest.mark.article("competition", "1-3-3")
def test_a_correction_says_which_tables_were_dealt_from_what_it_changes() -> None:
    """The first two of the standings are in the final; third and fourth may change, and whoever has gone."""
    record = raced(published(tournament(5), tables=1, source="number"), "1.1", 1, 2, 3, 4, 5)
    act(record, record.seeding(tables=1, source="standings", first=2, final=True))
    for order, told in (((1, 2, 4, 3, 5), False), ((2, 1, 3, 4, 5), True), ((1, 3, 2, 4, 5), True)):
        right = ResultCorrected(race="1.1", lines=on_paper(order), why="misread")
        assert (record.dealt_otherwise(right) is not None) is told
    said = "Round 2 was assigned from the standings as they were"
    assert consequences(record, right, Words("en")).endswith(f"{said}: assign it again.")
    act(record, Published(round=2, why="the final"))
    assert consequences(record, right, Words("en")).endswith(f"{said}: assign it again, or say why it stays.")
    raced(record, "2.1", 2, 1)
    assert record.dealt_otherwise(right) is None, "it is over"
    by_number = published(tournament(4), tables=1, source="number")
    raced(by_number, "1.1", 1, 2, 3, 4)
    published(by_number, tables=1, source="number")
    assert by_number.dealt_otherwise(ResultCorrected(race="1.1", lines=on_paper((4, 3, 2, 1)), why="x")) is None


@pytest.mark.article("competition", "1-3-3", "21-1-2")
def test_a_seat_that_only_a_number_decides_is_told() -> None:
    """Two tables, and three in the final: both who were second are level."""
    record = published(tournament(6), tables=2, source="number")
    raced(record, "1.1", 1, 3, 5)
    raced(record, "1.2", 2, 4, 6)
    act(record, record.seeding(tables=1, source="standings", first=3, final=True))
    assert (record.rounds[2].tables, record.left_out(2), record.left_out(1)) == (((1, 2, 3),), [4], [])
    said = "3 D3 has the last seat by the lower number: level with 4 D4."
    assert said in Listings(record, Words("en")).make("tables", "2").notes
    shown = seeding(record, Words("en"))
    assert ("not official: 1.1, 1.2" in shown.note, shown.tone) == (True, "warn")
    for key in ("1.1", "1.2"):
        act(record, Confirmed(race=key), "Bob")
    shown = seeding(record, Words("en"))
    assert (shown.note, shown.tone) == ("3 D3 has the last seat by the lower number: level with 4 D4.", "warn")
    act(record, record.seeding(tables=1, source="standings", first=4, final=True, again=True))
    assert record.left_out(2) == []


@pytest.mark.article("competition", "1-3-2", "1-3-3")
def test_who_shares_a_place_in_the_standings_is_seeded_by_his_trial() -> None:
    """2 and 1 won their tables, 4 and 3 were second; a time is ahead of none, and none by number."""
    record = tournament(6)
    for driver, throws in ((1, 20), (2, 18), (3, 25), (4, 19)):
        act(record, Timed(driver=driver, session=1, time=AbsoluteTime(throws, 5000)))
    published(record, tables=2, source="number")
    raced(record, "1.1", 1, 3, 5)
    raced(record, "1.2", 2, 4, 6)
    assert [(line.place, line.who) for line in record.standings()][:4] == [(1, 1), (1, 2), (3, 3), (3, 4)]
    assert record.seeding(tables=1, source="standings").tables == ((2, 1, 4, 3, 5, 6),)
    act(record, record.seeding(tables=1, source="standings", first=3, final=True))
    assert (record.rounds[2].tables, record.left_out(2)) == (((2, 1, 4),), []), "a trial has told 4 and 3 apart"
    act(record, record.seeding(tables=1, source="standings", first=5, final=True, again=True))
    assert record.left_out(2) == [6]
    assert record.dealt_otherwise(ResultCorrected(race="1.1", lines=on_paper((3, 1, 5)), why="misread")) is not None


@pytest.mark.article("competition", "1-3-3")
def test_a_round_of_no_table_is_not_dealt_and_can_be_read_where_it_was() -> None:
    record, none = tournament(2), Seeded(round=1, tables=(), source="standings")
    with pytest.raises(BadEntry, match="it has one at least"):
        act(record, none)
    record.take(Signed(4, "Ada", "2026-06-13T00:04:00+00:00", none))  # as a log of an earlier program has it
    assert record.left_out(1) == []
    assert Listings(record, Words("en")).make("tables", "1").rows == ()
    assert seeding(record, Words("en")) is not None


def test_a_final_whose_points_are_added() -> None:
    record = published(tournament(4, points=(5, 3, 1), final="adds"), tables=2, source="number")
    raced(record, "1.1", 1, 3)
    raced(record, "1.2", 2, 4)
    published(record, tables=1, source="standings", first=3, final=True)
    raced(record, "2.1", 3, 2, 1)
    assert [(line.place, line.who, line.points) for line in record.standings()] == [
        (1, 2, 8), (1, 3, 8), (3, 1, 6), (4, 4, 3),
    ]  # fmt: skip


def test_teams_have_the_points_of_their_drivers() -> None:
    record = published(tournament(4, 2, points=(5, 3)), tables=1, source="number")
    raced(record, "1.1", 1, 2, 3, 4)
    assert [(line.who, line.points) for line in record.team_standings()] == [("T1", 5), ("T0", 3)]


def test_a_second_person_confirms_and_a_correction_says_whose_place_it_changes() -> None:
    record = published(tournament(4), tables=1, source="number")
    raced(record, "1.1", 1, 2, 3, 4)
    refused(record, Confirmed(race="1.1"), "a second person confirms", by=" ada ")
    act(record, Confirmed(race="1.1"), "Bob")
    refused(record, Confirmed(race="1.1"), "official already, by Bob", by="Cleo")
    refused(record, ResultCorrected(race="1.1", lines=on_paper((2, 1, 3, 4))), "needs a reason")
    right = ResultCorrected(race="1.1", lines=on_paper((2, 1, 3), [(4, "engine")]), why="misread")
    assert [(move.driver, move.was, move.now) for move in record.changes(right)] == [(1, 1, 2), (2, 2, 1), (4, 4, None)]
    after = record.after(right)
    assert climbed(record.standings(), after.standings()) == [(2, 2, 1), (1, 1, 2)]
    assert not record.results["1.1"].versions[1:]
    act(record, right, "Cleo")
    assert [line.who for line in record.standings()] == [2, 1, 3, 4]
    assert [one.driver for one in record.results["1.1"].versions[0].lines] == [1, 2, 3, 4]
    assert not record.results["1.1"].official, "Bob has not seen the new one"
    refused(record, Confirmed(race="1.1"), "a second person confirms", by="Cleo")
    refused(record, Undone(of=len(record.log)), "corrected, with a reason")
    act(record, Confirmed(race="1.1"), "Bob")
    assert record.results["1.1"].official


@pytest.mark.article("competition", "21-1-2")
def test_points_by_hand_count_in_the_standings_and_say_by_whom() -> None:
    """Scale 5 3 1: 1 wins, 2 is second and is given 7, who is out is given 2."""
    record = published(tournament(4, 2, points=(5, 3, 1)), tables=1, source="number")
    lines = (ResultLine(1, 1), ResultLine(2, 2), ResultLine(3, 3), ResultLine(4, None, "engine", "16-0-3", 4))
    act(record, Result(race="1.1", lines=lines))
    by_hand = (lines[0], ResultLine(2, 2, points=7), lines[2], ResultLine(4, None, "engine", "16-0-3", 4, points=2))
    refused(record, ResultCorrected(race="1.1", lines=by_hand), "needs a reason", by="Bob")
    for points in (-1, 1000):
        wrong = ResultCorrected(race="1.1", lines=(ResultLine(1, 1, points=points), *lines[1:]), why="x")
        refused(record, wrong, f"D1 would have {points} points; a result brings 0 to 999")
    assert points_changes(lines, by_hand) == [(2, None, 7), (4, None, 2)]
    act(record, ResultCorrected(race="1.1", lines=by_hand, why="fair play"), "Bob")
    assert [(line.who, line.points) for line in record.standings()] == [(2, 7), (1, 5), (4, 2), (3, 1)]
    assert [(line.who, line.points) for line in record.team_standings()] == [("T0", 9), ("T1", 6)]
    filed = record.results["1.1"]
    assert [filed.by_hand(driver) for driver in (1, 2, 3, 4)] == ["", "Bob", "", "Bob"]
    again = (*by_hand[:1], ResultLine(2, 2, points=8), lines[2], lines[3])
    act(record, ResultCorrected(race="1.1", lines=again, why="misread"), "Cleo")
    assert [filed.by_hand(driver) for driver in (2, 4)] == ["Cleo", ""]
    assert statistics(2, record.results.filed, record.scale).points == 8
    most = ResultCorrected(race="1.1", lines=(ResultLine(1, 1, points=999), *again[1:]), why="x")
    assert record.after(most).standings()[0].points == 999


@pytest.mark.article("competition", "21-1-1", "21-1-2")
def test_a_result_is_put_right_line_by_line() -> None:
    was = (ResultLine(1, 1), ResultLine(2, 2), ResultLine(3, 3), ResultLine(4, None, "engine", "16-0-3", 4))
    draft = ResultDraft(was)
    assert (draft.placed_count, draft.changed, draft.lines) == (3, False, was)
    assert draft.move(0, 2) == 2
    assert [(line.driver, line.place) for line in draft.lines] == [(2, 1), (3, 2), (1, 3), (4, None)]
    assert draft.move(2, 0) == 0
    assert not draft.changed
    assert draft.out(1) == 2
    assert [(line.driver, line.place) for line in draft.lines] == [(1, 1), (3, 2), (2, None), (4, None)]
    assert draft.home(3) == 2
    assert draft.lines[2] == ResultLine(4, 3), "who came home is out by nothing"
    draft.because(3, "body")
    assert draft.lines[3] == ResultLine(2, None, "body")
    draft.give(0, 7, (10, 6))
    draft.give(1, 6, (10, 6))
    assert [line.points for line in draft.lines] == [7, None, None, None]
    draft.give(0, 10, (10, 6))
    assert draft.lines[0] == was[0], "the points of the place are none by hand"
    away = ResultDraft((ResultLine(1, 1), ResultLine(3), ResultLine(2)), (3, 2))
    assert away.raced == (ResultLine(1, 1),), "who had gone before it was in no race"
    away.home(1)
    away.because(2, "body")
    assert away.raced == (ResultLine(1, 1), ResultLine(3, 2), ResultLine(2, None, "body"))
    known = ResultDraft(was)
    known.because(3, "body")
    assert known.lines[3] == ResultLine(4, None, "body", "", 4)
    known.because(3, "engine")
    assert known.lines == was, "the article of the log is known"


def test_swaps_have_reasons_and_stop_at_a_result() -> None:
    record = tournament(6)
    act(record, record.seeding(tables=2, source="number"))
    refused(record, Swapped(round=1, one=1, other=2), "needs a reason")
    act(record, Swapped(round=1, one=1, other=2, why="brothers"))
    assert record.rounds[1].tables == ((2, 3, 5), (1, 4, 6))
    assert [(move.why, move.organiser, move.ranks) for move in record.rounds[1].moves] == [("brothers", True, 1)]
    refused(record, Reseated(round=1, one=1, other=2, why="late"), "not published yet")
    act(record, Published(round=1))
    refused(record, Swapped(round=1, one=1, other=2, why="again"), "is published; a change is a correction")
    refused(record, record.seeding(again=True, tables=2, source="number"), "is published")
    act(record, Reseated(round=1, one=3, other=4, why="the referee's son"))
    assert record.rounds[1].changed == {1, 2}
    raced(record, "1.1", 2, 4, 5)
    refused(record, Reseated(round=1, one=3, other=4, why="back"), "has its result")


@pytest.mark.article("competition", "1-3-2", "1-3-3")
def test_who_comes_after_the_tables_were_published_is_seated_behind() -> None:
    record = tournament(8)
    act(record, Here(numbers=(3, 7, 8), here=False))
    act(record, record.seeding(tables=2, source="number"))
    act(record, Here(numbers=(3, 7)))
    refused(record, Seated(table="1.1", driver=3, why="late"), "not published yet")
    assert record.late(1) == []
    refused(record, Published(round=1), "seat due: 3 D3, 7 D7")
    act(record, Published(round=1, why="they sit down behind"))
    assert (record.seated("1.1"), record.late(1)) == ((1, 4, 6), [3, 7])
    refused(record, Seated(table="1.1", driver=3), "needs a reason")
    refused(record, Seated(table="1.1", driver=8, why="late"), "D8 is not here")
    refused(record, Seated(table="1.1", driver=5, why="late"), "D5 sits at table 1.2 already")
    refused(record, Seated(table="1.3", driver=3, why="late"), "There is no table 1.3")
    act(record, Seated(table="1.1", driver=3, why="the train was late"))
    assert (record.seated("1.1"), record.rounds[1].changed, record.late(1)) == ((1, 4, 6, 3), {1}, [7])
    assert [car["car"] for car in record.setup("1.1")["cars"]] == [1, 4, 6, 3]
    assert record.rounds[1].ranking == (1, 2, 3, 4, 5, 6), "among the others as if he had been there"
    refused(record, Seated(table="1.2", driver=3, why="again"), "D3 sits at table 1.1 already")
    act(record, Reseated(round=1, one=3, other=2, why="brothers"))
    assert record.rounds[1].tables == ((1, 4, 6, 2), (3, 5))
    refused(record, Result(race="1.1", lines=on_paper((1, 4, 6))), "D2 is missing")
    raced(record, "1.1", 1, 4, 6, 2)
    refused(record, Seated(table="1.1", driver=7, why="late"), "Table 1.1 has its result")
    act(record, Seated(table="1.2", driver=7, why="late"))
    act(record, Undone(of=record.undoable().seq))
    assert record.seated("1.2") == (3, 5), "as no other act takes his seat from him"


@pytest.mark.article("competition", "1-3-2")
def test_whom_a_semi_final_leaves_out_is_not_late_for_it() -> None:
    record = tournament(9)
    act(record, Here(numbers=(9,), here=False))
    raced(published(record, tables=1, source="number"), "1.1", 1, 2, 3, 4, 5, 6, 7, 8)
    published(record, tables=2, source="standings", first=4)
    assert (record.rounds[2].tables, record.rounds[2].final) == (((1, 3), (2, 4)), False)
    act(record, Here(numbers=(9,)))
    assert (record.late(1), record.late(2)) == ([9], [])


def test_no_table_gets_more_drivers_than_a_race_has_cars() -> None:
    record = tournament(MOST + 1)
    act(record, Here(numbers=(MOST + 1,), here=False))
    act(record, record.seeding(tables=1, source="number"))
    act(record, Published(round=1))
    act(record, Here(numbers=(MOST + 1,)))
    refused(record, Seated(table="1.1", driver=MOST + 1, why="late"), f"has {MOST} drivers")


def test_who_goes_after_the_tables_were_published_does_not_race() -> None:
    record = published(tournament(6), tables=2, source="number")
    act(record, Withdrawn(number=3, why="ill"))
    act(record, Here(numbers=(6,), here=False))
    with pytest.raises(BadEntry, match="gone: 3 D3, 6 D6"):
        record.setup("1.1")
    entries = Listings(record, Words("en")).make("entries")
    assert [row["here"].text for row in entries.by_key()] == ["yes", "yes", "no", "yes", "yes", "no"]
    act(record, Upheld(round=1, why="two are too few to deal anew for"))
    assert [car["car"] for car in record.setup("1.1")["cars"]] == [1, 5]
    refused(record, Result(race="1.1", lines=on_paper((1, 2, 5))), "did not race here")
    raced(record, "1.1", 1, 5)
    raced(record, "1.2", 2, 4)
    act(record, Withdrawn(number=5, why="late train"))
    act(record, ResultCorrected(race="1.1", lines=on_paper((5, 1)), why="misread"), "Bob")
    assert record.standings()[0].points == 10


@pytest.mark.article("competition", "2-0-3", "21-1-2")
def test_who_goes_after_his_race_keeps_his_place_and_his_points() -> None:
    record = published(tournament(6), tables=2, source="number")
    act(record, Withdrawn(number=3, why="called away after the flag"))
    act(record, Here(numbers=(2,), here=False))
    refused(record, Result(race="1.1", lines=on_paper((3, 1))), "D5 is missing")
    refused(record, Result(race="1.2", lines=on_paper((4, 3, 6))), "did not race here")
    raced(record, "1.1", 3, 1, 5)
    raced(record, "1.2", 4, 2, 6)
    assert [(line.who, line.points) for line in record.standings()[:3]] == [(3, 10), (4, 10), (1, 6)]


@pytest.mark.article("competition", "2-0-3")
def test_a_table_that_everybody_has_left_holds_nothing_up() -> None:
    record = published(tournament(6), tables=2, source="number", final=True)
    raced(record, "1.1", 1, 3, 5)
    for number in (2, 4, 6):
        assert (record.open_tables(1), record.finalists(), due_at(record)) == (["1.2"], [], ("start", "1.2"))
        act(record, Withdrawn(number=number, why="the last train"))
    assert (record.open_tables(1), record.finalists(), due_at(record)) == ([], [1, 3, 5], ("confirm", "1.1"))
    refused(record, Result(race="1.2", lines=()), "There is nobody in this result of 1.2")
    assert record.seeding(source="standings").round == 2


@pytest.mark.article("competition", "1-3-3")
def test_publishing_broken_tables_takes_a_reason() -> None:
    record = tournament(4, 1)
    act(record, record.seeding(tables=1, source="number"))
    assert len(record.broken(1)) == 6
    refused(record, Published(round=1), "Team-mates still sit together")
    act(record, Published(round=1, why="one club only"))
    refused(record, Published(round=1, why="again"), "published already")


FORTY = "\n".join(f"{number};Driver {number};Club {number % 10}" for number in range(1, 41))


def test_entrants_as_they_are_typed_pasted_or_in_a_file() -> None:
    assert len(read_entrants(FORTY)) == 40
    assert read_entrants("name,team,number\nAda,Nord,7\nBob,,") == [Entrant(7, "Ada", "Nord"), Entrant(1, "Bob")]
    assert read_entrants("12 Ada, Nord\nBob\n\n3. Cleo") == [
        Entrant(12, "Ada", "Nord"), Entrant(1, "Bob"), Entrant(3, "Cleo"),
    ]  # fmt: skip
    assert read_entrants("Numéro;Pilote;Écurie\n4;Zoé;Lyon") == [Entrant(4, "Zoé", "Lyon")]


@pytest.mark.parametrize(
    ("text", "match"),
    [
        (FORTY.replace("Driver 40", "Driver 7"), "There is a driver called Driver 7 already, number 7"),
        (FORTY.replace("40;", "12;"), r"The number 12 is Driver 12's"),
        ("1;", "Line 1 has no name"),
        ("x;Ada;Nord", ""),
        ("number;name\nx;Ada", "x is no number"),
        ("", "nobody in this list"),
        ("0;Ada", "A number is 1 to 999"),
        ("1000;Ada", "A number is 1 to 999"),
        ("5;" + "A" * 31, "at most 30 letters"),
    ],
)
def test_entrants_that_cannot_be(text: str, match: str) -> None:
    record = act(Tournament(), TournamentBegun(name="Cup"))
    if not match:
        assert read_entrants(text)[0].name == "x"  # a line without a number begins with the name
        return
    log = list(record.log)
    with pytest.raises(BadEntry, match=match):
        act(record, Entered(entrants=tuple(read_entrants(text))))
    assert Tournament.of(log).field.entrants == {}


def test_what_is_refused() -> None:
    """One sentence, nothing changed."""
    record = published(timed(tournament(6), {1: 20}), tables=2, source="number")
    raced(record, "1.1", 1, 3, 5)
    other = Reference("a", "race", 9, "00")
    for wrong, match in (
        (Removed(number=3), "withdraws, with a reason"),
        (Withdrawn(number=3), "needs a reason"),
        (Withdrawn(number=33, why="ill"), "Nobody has the number 33"),
        (Changed(number=3, entrant=Entrant(9, "D3")), "for good"),
        (Changed(number=3, entrant=Entrant(3, "d4")), "There is a driver called D4 already"),
        (Timed(driver=1, session=2, time=AbsoluteTime(20, 6000)), "There is no session 2"),
        (Timed(driver=1, session=1, time=AbsoluteTime(20, 6000)), "has a time in session 1 already"),
        (Timed(driver=1, session=1, time=AbsoluteTime(20, 6001)), "has a time in session 1 already"),
        (Result(race="1.2", lines=on_paper((2, 4, 1))), "D1 .number 1. did not race here"),
        (Result(race="1.2", lines=on_paper((2, 4))), "D6 is missing"),
        (Result(race="1.2", lines=on_paper((2, 4, 4))), "D4 stands twice"),
        (Result(race="1.2", lines=(ResultLine(2, 1), ResultLine(4, 1), ResultLine(6, 2))), "Place 1 is there twice"),
        (Result(race="1.2", lines=(ResultLine(2, 1), ResultLine(4, 3), ResultLine(6, 4))), "Nobody has place 2"),
        (Result(race="1.2", lines=(ResultLine(2), ResultLine(4, 1), ResultLine(6, 2))), "goes by place"),
        (Result(race="1.1", lines=on_paper((1, 3, 5))), "is there already"),
        (Result(race="1.1", lines=on_paper((3, 1, 5))), "with another content"),
        (Result(race="1.9", lines=on_paper((3, 1, 5))), "There is no table 1.9"),
        (Result(race="x", lines=()), "There is no table x"),
        (Confirmed(race="1.2"), "no result of 1.2 yet"),
        (Seeded(round=2, tables=((1, 2), (3, 4))), "still lacks the result of 1.2"),
        (Seeded(round=5, tables=((1, 2), (3, 4))), "The next round is 2"),
        (Drawn(sky="sun", face=21, session=1), "black die"),
        (Drawn(sky="sun", face=2), "one at a time"),
        (Here(numbers=(50,)), "Nobody has the number 50"),
        (Entered(entrants=(Entrant(7, "  "),)), "needs a name"),
    ):
        fresh = Tournament.of(record.log)
        refused(fresh, wrong, match)
    act(record, Result(race="1.2", lines=on_paper((2, 4, 6)), log=other))
    for tables, match in (
        (((1, 2), (3,)), "a table has 2 at least"),
        (((1, 2), (2, 4)), "two tables"),
        (((1, 2), (3, 99)), "Nobody has the number 99"),
    ):
        refused(Tournament.of(record.log), Seeded(round=2, tables=tables), match)
    act(record, Seeded(round=2, tables=((1, 2), (3, 4)), source="number"))
    act(record, Published(round=2))
    refused(record, Result(race="2.1", lines=on_paper((1, 2)), log=other), "is the result of 1.2 already")


@pytest.mark.parametrize(
    "begun",
    [
        TournamentBegun(name=""),
        TournamentBegun(name="x", sessions=10),
        TournamentBegun(name="x", points=()),
        TournamentBegun(name="x", points=(1, 2)),
        TournamentBegun(name="x", points=(1000,)),
    ],
)
def test_a_tournament_that_cannot_be(begun: TournamentBegun) -> None:
    with pytest.raises(BadEntry):
        act(Tournament(), begun)
