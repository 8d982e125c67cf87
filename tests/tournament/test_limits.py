"""The limits of lists of entrants, of trials and of race control's words: what may just be, and what just not."""

from __future__ import annotations

import unicodedata
from random import Random

import pytest
from msgspec.structs import replace

from companion import circuits
from companion.rules.circuit.track import Track
from companion.rules.conversation.errors import BadEntry
from companion.rules.conversation.setup import NUMBERS
from companion.rules.dice.figures import Figures
from companion.tournament.control import (
    CallRuled,
    Control,
    DayOpened,
    LogConfirmed,
    Message,
    Penalty,
    Started,
    Trialled,
)
from companion.tournament.draft import ResultDraft
from companion.tournament.entrants import (
    LETTERS,
    Entrant,
    EntryList,
    Withdrawn,
    faults,
    free_numbers,
    read_entrants,
)
from companion.tournament.following import FollowedLap, findings, open_findings, stands, start_of
from companion.tournament.record import Act, Record, Signed, person
from companion.tournament.results import Reference, ResultCorrected, ResultLine
from companion.tournament.results import Result as Filed
from companion.tournament.season import Season
from companion.tournament.seeding import even_sizes
from companion.tournament.times import AbsoluteTime
from companion.tournament.tournament import Published, Swapped, Timed, TimesTaken, Tournament
from companion.tournament.trial import Finding, Throw, Trial, factor
from companion.tournament.trials import (
    ClockStarted,
    Disputed,
    SkyDrawn,
    Stopped,
    Tapped,
    TrialDriver,
    TrialEntered,
    TrialRuled,
    Trials,
    TrialsOpened,
    TrialTyped,
)
from companion.tournament.weather import Drawn, of_race
from tests.tournament.acting import act, on_paper, season, tournament
from tests.tournament.test_following import FAST, followed, lap, track

# -- lists of entrants


def field(*numbers: int) -> EntryList:
    made = EntryList()
    made.enter([Entrant(number, f"D{number}", "") for number in numbers])
    return made


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("number;name;club\n\n7;Ada;X\nx;Ben;Y\n7;Cy;Z\n;Dee;\n", [(0, "Line 4: x"), (5, "The number 7 is Ada's")]),
        ("7,Ada\n8,Ada", [(2, "There is a driver called Ada already")]),
        ("7,Ada\n7,Ben", [(2, "The number 7")]),
        ("7,\n8,Ben", [(0, "Line 1 has no name")]),
        ("7,\nname,club", [(0, "Line 1 has no name")]),
        ("name;club\nAda;X\nBen;Y", []),
        ("\nname;club\nAda;X", []),
        ("Ada\nAda", [(2, "There is a driver called Ada already")]),
        ("", [(0, "There is nobody in this list")]),
        ("3,Zoe", [(1, "The number 3 is D3's")]),
        ("Zoe\n1 Yan", []),
        (
            "Zoe\nYan\nyan\n\n9 Xu\n8 Xu\n,,X",
            [(3, "There is a driver called Yan"), (6, "There is a driver called Xu"), (0, "Line 7 has no name")],
        ),
        ('"' + "x" * 200_000 + '"', [(0, "Line 1 is too long")]),
    ],
)
def test_what_is_wrong_with_a_list_is_told_by_its_line(text: str, wrong: list[tuple[int, str]]) -> None:
    """And nobody of it is in the field."""
    there = field(3)
    found = faults(text, there)
    assert [(line, str(why)[: len(said)]) for (line, why), (_, said) in zip(found, wrong, strict=True)] == wrong
    assert sorted(there.entrants) == [3]


def test_a_name_is_one_however_its_accents_are_written() -> None:
    """An accent may stand apart from its letter, as some systems write it."""
    apart = unicodedata.normalize("NFD", "Zoé  Élan, Équipe")
    there = EntryList()
    there.enter(read_entrants(f"7 Zoé Élan, Équipe\n8 {apart.replace('Zo', 'Clo')}"))
    assert there.teams() == {"Équipe": [7, 8]}
    twice = "There is a driver called Zoé Élan already, number 7; give this one another name."
    assert [str(wrong) for _, wrong in faults(f"9 {apart}", there)] == [twice]
    assert person(apart) == "Zoé Élan, Équipe"


def test_a_list_is_read_as_people_write_it() -> None:
    assert [(one.number, one.name) for one in read_entrants("Ada\n1 Ben\n")] == [(2, "Ada"), (1, "Ben")]
    assert read_entrants("\ufeffnumber;name\n7;Ada") == [Entrant(7, "Ada", "")]
    assert read_entrants('7, "Vidal, Ada", X') == [Entrant(7, "Vidal, Ada", "X")]
    assert read_entrants("number;name;club\n7;Ada") == [Entrant(7, "Ada", "")]
    assert read_entrants("7;Ada;X;monaco / monza") == [Entrant(7, "Ada", "X", ("monaco", "monza"))]
    assert read_entrants(";Ada\n7 Ben;")[0] == Entrant(1, "Ada", "")
    assert read_entrants("7 Ben,\n8 Cy,")[0] == Entrant(7, "Ben", "")
    low, high = NUMBERS
    assert free_numbers(range(low, high)) == [high]
    assert len(free_numbers([])) == high - low + 1
    with pytest.raises(BadEntry, match=f"no number left for Ada; there are {low} to {high}"):
        read_entrants("Ada", range(low, high + 1))


@pytest.mark.parametrize(
    "text",
    [
        '14,"Smith, John",Lyon\n15,"Doe, Jane, Jr",Lyon', '14;"Smith, John";Lyon\n15;"Doe, Jane, Jr";Lyon',
        '14 "Smith, John", Lyon\n15. "Doe, Jane, Jr", Lyon', '14 "Smith, John"; Lyon\n15 "Doe, Jane, Jr"; Lyon',
        '14\t"Smith, John"\tLyon\n15\t"Doe, Jane, Jr"\tLyon', '15, "Doe, Jane, Jr" , Lyon\n 14  "Smith, John" , Lyon',
        'number;name;club\n14;"Smith, John";Lyon\n15;"Doe, Jane, Jr";Lyon',
    ],
)  # fmt: skip
def test_a_name_in_quotes_has_its_commas_with_heads_or_without(text: str) -> None:
    found = sorted(read_entrants(text), key=lambda one: one.number)
    assert found == [Entrant(14, "Smith, John", "Lyon"), Entrant(15, "Doe, Jane, Jr", "Lyon")]
    alone = "\n".join('"Smith, John"' if line.startswith("14") else "" for line in text.splitlines())
    assert [one.name for one in read_entrants(alone)] in ([], ["Smith, John"])
    assert faults(text, EntryList()) == []


def test_an_entrant_is_changed_deleted_withdrawn_and_comes() -> None:
    made = field(1, 2, 3)
    made.come([1, 2], here=True)
    made.withdraw(3, Withdrawn(number=3, why="ill"))
    made.change(1, Entrant(11, "Ada", "X"), driven=False)
    made.change(3, Entrant(13, "Cy", ""), driven=False)
    assert list(made.entrants) == [11, 2, 13], "his place in the list, which is his plate, stays"
    assert (made[11].name, made.racing, made.standing, made.gone) == ("Ada", [2, 11], [2, 11], {13: "ill"})
    made.change(13, Entrant(13, "Cyd", ""), driven=True)
    assert (made.here, made[13].name) == ({2, 11}, "Cyd")
    for wrong, said in (
        (lambda: made.withdraw(13, Withdrawn(number=13, why="late")), "has withdrawn already"),
        (lambda: made.come([13], here=True), "has withdrawn"),
        (lambda: made.change(2, Entrant(12, "Ben", ""), driven=True), "for good"),
        (lambda: made.remove(2, driven=True), "cannot be deleted"),
        (lambda: made.enter([Entrant(NUMBERS[1] + 1, "Zoe", "")]), "A number is"),
        (lambda: made.enter([Entrant(5, "Z" * (LETTERS + 1), "")]), "too long"),
    ):
        with pytest.raises(BadEntry, match=said):
            wrong()
    made.remove(2, driven=False)
    made.remove(13, driven=False)
    assert (sorted(made.entrants), made.here, made.gone) == ([11], {11}, {})
    made.enter([Entrant(NUMBERS[1], "Z" * LETTERS, "T" * LETTERS)])


# -- one trial


def test_a_throw_that_is_seen_has_a_gear_and_a_face_that_there_are() -> None:
    trial = Trial(driver=7)
    for gear, face in ((1, 0), (6, 30)):
        assert trial.add_throw(Throw(gear, face, "0:middle:1")).followed
    for gear, face in ((0, 1), (7, 1), (1, -1), (1, 31)):
        with pytest.raises(BadEntry, match="a gear of 1 to 6"):
            trial.add_throw(Throw(gear, face, "0:middle:1"))
    finding = Finding("gear", 1, "1-2-1-4")
    for over in (trial.ended(), Trial(driver=7, throws=2, clock=4000).decided(finding, accepted=False)):
        assert over.over
        with pytest.raises(BadEntry, match="over"):
            over.add_throw(Throw(1, 1, "0:middle:1"))


@pytest.mark.article("competition", "1-1-9", "1-1-12")
def test_what_is_found_counts_once_the_clock_stands_and_makes_sense() -> None:
    finding = Finding("gear", 1, "1-2-1-4")
    with pytest.raises(BadEntry, match="still runs"):
        Trial(driver=7, throws=3).decided(finding, accepted=True)
    over = Trial(driver=7, throws=3, clock=4000)
    accepted = over.decided(finding, accepted=True)
    assert (accepted.time(), accepted.judged) == (over.time(), ((finding, True),))
    with pytest.raises(BadEntry, match="0 to 999"):
        over.decided(Finding("throws", 0, "1-1-10", more=1000), accepted=True)
    with pytest.raises(BadEntry):
        Trial(driver=7, throws=3, clock=4000, disputed=True).ruled(0, 0, 0)
    assert (Trial(driver=7).factor, Trial(driver=7, missed=True).over) == (1, True)
    dear = replace(Figures(), factor_soft_dry=(5, 4))
    assert (factor("soft", "dry"), factor("soft", "dry", dear), factor("hard", "dry")) == (2, 5, 1)


# -- the board followed


def misplaced(*told: str) -> Trial:
    """Two cars put one space too far, of which stewards told as many."""
    trial = Trial(driver=7, tyres="hard").add_throw(Throw(1, 2, "0:middle:2")).add_throw(Throw(1, 1, "0:middle:4"))
    for tap in ("throw", "throw", *told):
        trial = trial.count_tap(tap)  # type: ignore[arg-type]
    return trial.stopped(4000)


@pytest.mark.article("competition", "1-1-11", "1-2-2")
def test_each_misplacement_that_was_told_leaves_one_less_to_be_found() -> None:
    first, second = (("misplaced", 1), ("misplaced", 2))

    def whats(trial: Trial) -> list[tuple[str, int]]:
        return [(one.what, one.throw) for one in findings(track(), trial) if one.what != "line"]

    assert whats(misplaced()) == [first, second]
    assert whats(misplaced("misplaced")) == [second]
    assert whats(misplaced("misplaced", "misplaced")) == []
    accepted = misplaced().decided(findings(track(), misplaced())[0], accepted=True)
    assert whats(accepted) == [first, second], "what has its answer is still among it"
    assert [one.throw for one in open_findings(track(), accepted)] == [2, 0]
    assert open_findings(track(), Trial(driver=7, tyres="hard", followed=accepted.followed, throws=2).ended()) == ()


@pytest.mark.article("competition", "1-1-10", "1-1-12", "1-2-2")
def test_what_was_accepted_is_found_as_before() -> None:
    """Of a lap on which spaces were overshot, one less of these and two throws less were counted; or two more."""
    whole = next(
        one for one in (lap(Random(seed), Trial(driver=7, tyres="hard")) for seed in range(60))
        if one.overshot > 1 and not findings(track(), one)
    )  # fmt: skip
    less = Trial(driver=7, tyres="hard", followed=whole.followed, overshot=whole.overshot - 1, throws=whole.throws - 2)
    found = findings(track(), less.stopped(4000))
    assert [(one.what, one.more) for one in found] == [("over", 1), ("throws", 2)]
    one = less.stopped(4000).decided(found[0], accepted=True)
    assert findings(track(), one) == found
    assert findings(track(), one.decided(found[1], accepted=True)) == found
    more = Trial(driver=7, tyres="hard", followed=whole.followed, overshot=whole.overshot + 2, throws=whole.throws)
    assert findings(track(), more.stopped(4000)) == (Finding("over", 0, "1-1-12", more=-2),)
    board = FollowedLap(track(), whole)
    assert board.book.race.laps == 1
    assert {pool: points for pool, points in board.car.wear.items() if not points} == {"brakes": 0}, "nobody brakes"
    for throw in whole.followed:
        board.throw(throw)
    at = whole.followed[-1].at
    assert stands(track(), whole) == (at, board.car.gear, True)
    with pytest.raises(BadEntry, match="over the line"):
        board.throw(Throw(1, 1, at))
    assert stands(track(), Trial(driver=7, tyres="hard"))[1:] == (0, False)


@pytest.mark.article("competition", "1-1-14")
def test_after_two_stops_missed_nothing_more_is_found() -> None:
    missing = next(
        one for one in (lap(Random(seed), Trial(driver=7, tyres="hard")) for seed in range(60))
        if (found := findings(track(), one)) and found[-1].what == "stops"
    )  # fmt: skip
    later = missing.count_tap("throw").add_throw(Throw(6, 30, missing.followed[-1].at))
    assert findings(track(), later) == findings(track(), missing)


def test_a_car_put_far_off_is_taken_for_the_nearest_stop() -> None:
    """What it has overshot is counted by that one: none, or what the throw would have."""
    for face, at, overshot in ((1, "10:left:1", 0), (1, "20:left:1", 0)):
        stop = FollowedLap(track(), Trial(driver=7, tyres="hard")).throw(Throw(1, face, at))
        assert (stop.placed, stop.moved, stop.overshot) == (False, 0, overshot)
    board = FollowedLap(track(), followed(*FAST))
    for gear, face, at in FAST[:2]:
        board.throw(Throw(gear, face, at))
    past, before = board.track.ids["2:right:4"], board.track.ids["0:middle:5"]
    assert board._apart(past, before) == board._apart(before, past) > 0
    assert board._apart(past, past) == 0
    assert board._apart(board.track.ids["20:middle:16"], board.track.ids["0:middle:1"]) < 10, "the shorter way round"


@pytest.mark.article("competition", "1-1-3")
def test_of_four_lanes_the_third_is_the_middle_one() -> None:
    board = circuits.board("copper-basin")
    assert isinstance(board, Track)
    assert board.spaces[start_of(board)].lane == 2
    assert board.behind[next(space for space in board.line if board.spaces[space].lane == 2)] == start_of(board)


# -- the trials of a day


def trials(sessions: int = 2, numbers: tuple[int, ...] = (7, 14)) -> Trials:
    drivers = tuple(TrialDriver(number=number) for number in numbers)
    return act(Trials(), TrialsOpened(name="Day", track="monaco", drivers=drivers, sessions=sessions))


def refused(record: Record, wrong: Act, said: str) -> None:
    """What cannot be done is one sentence."""
    with pytest.raises(BadEntry, match=said):
        act(type(record).of(record.log), wrong)


TIME = AbsoluteTime(throws=15, clock=4000)


@pytest.mark.article("competition", "1-0-1", "1-0-3", "1-1-4")
def test_trials_begin_and_are_typed_in_their_order() -> None:
    for sessions in (1, 9):
        assert trials(sessions).sessions == sessions
    for sessions in (0, 10):
        refused(Trials(), TrialsOpened(name="Day", track="monaco", drivers=(), sessions=sessions), "1 to 9 sessions")
    numbers = tuple(TrialDriver(number=number) for number in (7, 14, 9, 7, 14))
    refused(Trials(), TrialsOpened(name="Day", track="monaco", drivers=numbers), "Number 7 is there twice")
    record, none = trials(), Trials()
    assert not none.over, "nobody drives"
    assert (none.track, none.event, none.sessions, none.counts, none.runs, none.begun) == ("", "", 1, "best", {}, None)
    refused(record, ClockStarted(driver=7, tyres="soft", mono=0), "sky of session 1")
    for face in (-1, 21):
        refused(record, SkyDrawn(session=1, sky="sun", face=face), f"shows 1 to 20; {face} is not on it")
    act(record, SkyDrawn(session=1, sky="sun", face=20))
    refused(record, ClockStarted(driver=7, tyres="", mono=0), "Choose the tyres")  # type: ignore[arg-type]
    act(record, ClockStarted(driver=7, tyres="soft", mono=0))
    refused(record, ClockStarted(driver=14, tyres="soft", mono=0), "trial of 7 is not entered")
    refused(record, TrialTyped(driver=7, session=1, time=TIME), "trial of 7 is not entered")
    refused(record, TrialTyped(driver=14, session=0, time=TIME), "1 to 2 sessions")
    act(record, TrialTyped(driver=14, session=1, time=TIME))
    act(record, TrialTyped(driver=7, session=2, time=TIME))
    act(record, Tapped(tap="throw"))
    act(record, Stopped(clock=4000))
    act(record, TrialEntered())
    assert (record.waiting(), record.session, record.disputes) == ([14], 2, set())
    assert not record.over, "of one everything, of the other not"
    act(record, SkyDrawn(session=2, sky="rain"))
    refused(record, ClockStarted(driver=7, tyres="soft", mono=0), "driven every session")


@pytest.mark.article("competition", "1-1-9", "1-3-1")
def test_what_is_typed_keeps_the_hour_at_which_it_was_done() -> None:
    record = trials()
    told = AbsoluteTime(throws=16, clock=4000, at="2026-06-13T08:00:00Z")
    act(record, TrialTyped(driver=7, session=1, time=told))
    act(record, TrialTyped(driver=7, session=1, time=TIME, why="misread"))
    assert record.runs[7][1].at == told.at, "it was done when it was done"
    act(record, TrialTyped(driver=14, session=1, time=TIME))
    assert record.runs[14][1].at == record.log[-1].at
    act(record, TrialTyped(driver=14, session=1, time=told, why="the sheet has it"))
    assert record.runs[14][1].at == told.at


@pytest.mark.article("competition", "1-1-9")
def test_a_ruling_needs_a_reason_where_it_changes_something() -> None:
    record = trials(1)
    for one in (SkyDrawn(session=1, sky="sun"), ClockStarted(driver=7, tyres="soft", mono=0), Tapped(tap="throw"),
                Stopped(clock=4000), Disputed()):  # fmt: skip
        act(record, one)
    refused(record, TrialRuled(throws=2, overshot=0, misplaced=0), "needs a reason")
    act(record, TrialRuled(throws=1, overshot=0, misplaced=0))
    act(record, TrialEntered())
    assert record.disputes == set()


@pytest.mark.article("competition", "1-0-3")
def test_other_trials_have_the_times_and_the_skies_that_were_drawn_here_first() -> None:
    record = trials()
    act(record, SkyDrawn(session=1, sky="sun", face=15))
    act(record, TrialTyped(driver=14, session=1, time=TIME))
    later = (SkyDrawn(session=1, sky="rain"), SkyDrawn(session=2, sky="rain"))
    time = record.runs[14][1]
    told = (SkyDrawn(session=1, sky="sun"), later[1], TrialTyped(driver=14, session=1, time=time))
    assert record.prior_acts((7, 14, 3), later) == told
    assert [one.number for one in record.entrants()] == [14, 7]


# -- race control


def test_race_control_says_nothing_that_is_for_nobody() -> None:
    day = act(Control(), DayOpened(name="Saturday"))
    refused(Control(), DayOpened(name=" "), "needs a name")
    setup = {"event": {"log": "cup", "race": "1.1"}}
    start = Started(table="1", race="1.1", setup=setup)
    act(day, start)
    refused(day, start, "has the start of 1.1 already")
    refused(day, Started(table="", race="1.1"), "A start is for one table")
    refused(day, Started(table="1", race=""), "A start is for one table")
    act(day, Started(table="1", race="1.1", setup={"event": "cup"}))
    drivers = (TrialDriver(number=7),)
    refused(
        day, Trialled(table="", opened=TrialsOpened(name="", track="", drivers=drivers)), "Trials are for one table"
    )
    refused(day, Trialled(table="1", opened=TrialsOpened(name="", track="", drivers=())), "Trials are for one table")
    refused(day, Penalty(table="1", log_id="a", car=7, text="10 s"), "needs a reason")
    refused(day, Penalty(table="", log_id="a", car=7, text="10 s", why="x"), "A penalty is for one table")
    refused(day, Penalty(table="1", log_id="a", car=7, text=" ", why="x"), "A penalty is for one table")
    refused(day, CallRuled(table="", log_id="a", text="stands"), "A ruling is for one table")
    refused(day, CallRuled(table="1", log_id="a", text=" "), "A ruling is for one table")
    refused(day, Message(text=" "), "needs words")


def test_the_last_word_counts() -> None:
    """Of the starts of each race and of each table, of the trials, and of a result by two."""
    day = act(Control(), DayOpened(name="Saturday"))
    one, other = (Started(table="1", race=key, setup={"event": {"log": "cup", "race": key}}) for key in ("1.1", "1.2"))
    act(act(day, one), other)
    assert (one.belongs, Started(table="1", race="x").belongs) == (("cup", "1.1"), ("", "x"))
    assert set(day.starts()) == {("cup", "1.1"), ("cup", "1.2")}
    assert [said.act for said in (day.start("1"),) if said is not None] == [other]
    moved = Started(table="2", race="1.2", setup=other.setup)
    act(act(day, Message(table="2", text="Lunch")), moved)
    assert [said.act if said else None for said in map(day.start, "123")] == [one, moved, None]
    opened = [TrialsOpened(name="Cup", track="monaco", drivers=(TrialDriver(number=n),)) for n in (7, 8)]
    for of in opened:
        act(day, Trialled(table="1", opened=of))
    assert {table: said.opened for table, said in day.trials().items()} == {"1": opened[1]}
    act(day, LogConfirmed(log_id="a", seq=8, hash="00"), "Jo")
    act(day, LogConfirmed(log_id="b", seq=9, hash="01"), "Jo")
    act(day, LogConfirmed(log_id="a", seq=10, hash="02"), "Jo")
    act(day, Penalty(table="1", log_id="a", car=7, text="10 s", why="x"))
    found = day.result("a")
    assert found is not None
    assert (found.seq, day.signatures(found), day.result("c")) == (10, ["Jo"], None)
    with pytest.raises(BadEntry, match="a second person"):
        act(Control.of(day.log), found, "jo ")
    act(day, found, "Kim")
    with pytest.raises(BadEntry, match="official already"):
        act(Control.of(day.log), found, "Lee")


# -- results, tables, seasons


def test_points_by_hand_may_be_none_and_are_his_who_gave_them() -> None:
    record = season("ABC", 2)
    act(record, Filed(race="1", lines=on_paper((1, 2, 3))), "Ada")
    act(
        record,
        ResultCorrected(race="1", lines=(ResultLine(1, 1, points=0), ResultLine(2, 2), ResultLine(3, 3)), why="x"),
        "Ben",
    )
    act(
        record,
        ResultCorrected(race="1", lines=(ResultLine(1, 1, points=0), ResultLine(3, 2), ResultLine(2, 3)), why="x"),
        "Cy",
    )
    filed = record.results["1"]
    assert (filed.by_hand(1), filed.by_hand(2)) == ("Ben", ""), "the next correction left them as they were"
    refused(
        record,
        ResultCorrected(race="1", lines=(ResultLine(1, 1, points=-1), ResultLine(3, 2), ResultLine(2, 3)), why="x"),
        "0 to 999",
    )
    assert Season().calendar() == []
    draft = ResultDraft(filed.lines)
    assert not draft.changed
    draft.move(0, 2)
    assert draft.changed
    for key in ("x", "3", "0"):
        with pytest.raises(BadEntry, match="the calendar has 1 to 2"):
            record.racing(key)


@pytest.mark.article("competition", "1-3-3")
def test_tables_are_as_many_as_tens_of_drivers() -> None:
    with pytest.raises(BadEntry, match="no seeding to 0 tables"):
        even_sizes(5, 0)
    for many, tables in ((10, 1), (11, 2), (21, 3)):
        assert len(tournament(many).seeding(source="number", again=True).tables) == tables
    record = tournament(6)
    assert (record.seeding(source="number", again=True).round, record.ranking("number")) == (1, [1, 2, 3, 4, 5, 6])
    act(record, record.seeding(source="number", tables=3))
    assert record.open_tables(1) == ["1.1", "1.2", "1.3"]
    act(record, Swapped(round=1, one=2, other=6, why="x"))
    assert record.rounds[1].moves[-1].ranks == 4
    act(record, Published(round=1))
    act(record, Filed(race="1.3", lines=on_paper(record.seated("1.3"))))
    refused(record, record.seeding(source="number", tables=2), "lacks the result of 1.1")
    act(record, Filed(race="1.2", lines=on_paper(record.seated("1.2")[::-1])))
    assert record.ranking("number") == [1, 2, 3, 4, 5, 6]
    assert set(record.ranking("standings")[:2]) == {record.seated("1.3")[0], record.seated("1.2")[1]}


@pytest.mark.article("competition", "1-0-3", "2-0-1", "3-2-4")
def test_the_last_trials_are_those_of_a_session() -> None:
    record = tournament(4, sessions=2)
    assert (Tournament().begun.name, record.last_trials()) == ("", None)
    act(record, Drawn(round=1, sky="rain"))
    assert record.last_trials() is None
    act(record, Drawn(session=1, sky="sun", face=14))
    assert record.last_trials() == "sun"
    assert record.session_skies() == (SkyDrawn(session=1, sky="sun", face=14),)
    untimed = tournament(4, sessions=0)
    assert untimed.session_skies() == ()
    act(untimed, Drawn(session=1, sky="rain", face=20))
    assert untimed.session_skies() == (SkyDrawn(session=1, sky="rain", face=20),)
    with pytest.raises(BadEntry, match="There is no session 11; this tournament has 2"):
        act(record, Drawn(session=11, sky="rain", face=20))
    act(record, Drawn(session=2, sky="changeable", face=17))
    record.take(Signed(9, "Ada", "", Drawn(session=11, sky="rain", face=20)))  # as earlier programs took it
    assert (record.last_trials(), of_race("changeable", record.last_trials())) == ("changeable", "dry")


@pytest.mark.article("competition", "1-3-1")
def test_times_are_fresh_until_they_are_taken_and_again_when_the_table_puts_them_right() -> None:
    """What somebody has put right here is no table's any more, and who has withdrawn drives no more."""
    record, table = tournament(4), trials(1, (1, 2, 3, 9))
    for number in (1, 2, 3, 9):
        act(table, TrialTyped(driver=number, session=1, time=TIME))
    act(record, Withdrawn(number=3, why="ill"))
    fresh = record.fresh(table)
    assert [(one.driver, one.session) for one in fresh] == [(1, 1), (2, 1)]
    act(record, TimesTaken(times=tuple(fresh), log=Reference("t", "Day", 9, "00")))
    assert record.fresh(table) == []
    act(record, Timed(driver=2, session=1, time=AbsoluteTime(throws=30, clock=1), why="misread"))
    for number in (1, 2):
        act(table, TrialTyped(driver=number, session=1, time=AbsoluteTime(throws=18, clock=4000), why="misread"))
    assert [(one.driver, one.time.throws) for one in record.fresh(table)] == [(1, 18)]


@pytest.mark.article("competition", "2-0-3")
def test_of_two_finals_the_last_decides_once_it_is_raced() -> None:
    record = tournament(4)
    for number in (1, 2):
        act(record, record.seeding(source="number", tables=1, final=True))
        act(record, Published(round=number))
        if number == 1:
            act(record, Filed(race="1.1", lines=on_paper((4, 3, 2, 1))))
            assert record.finalists() == [4, 3, 2, 1]
    assert record.finalists() == []
    act(record, Filed(race="2.1", lines=on_paper((2, 1, 3, 4))))
    assert record.finalists() == [2, 1, 3, 4]
