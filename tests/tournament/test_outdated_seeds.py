"""Tables whose seats are no longer true are neither published nor started unless somebody says why."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from companion.sheets.records import kept_record
from companion.tournament.entrants import Withdrawn
from companion.tournament.record import Signed
from companion.tournament.tournament import Published, Tournament
from tests.tournament.acting import act, tournament
from tests.tournament.commanding import Commander, refused
from tests.tournament.test_by_lines import say

ORDER = "1 2 3 4 5 6 7 8"


def held(run: Commander) -> Tournament:
    record = kept_record(run.folder, "last", "tournament").record
    assert isinstance(record, Tournament)
    return record


def seats(run: Commander, table: str) -> list[object]:
    return [row["number"] for row in run.rows("tables", *()) if row["table"] == table]


@pytest.fixture
def run(tmp_path: Path) -> Commander:
    """Eight drivers with their times, seated at two tables that are not published."""
    run = Commander(tmp_path, "tournament")
    run("new", "Cup", "--track", "monaco", "--laps", "1")
    for number in range(1, 9):
        run("enter", f"D{number}", "--number", str(number))
    run("checkin", "all")
    for number in range(1, 9):
        run("time", str(number), str(10 + number), "0:30.00")
    run("weather", "5", "--round", "1")
    run("seed", "--tables", "2")
    return run


@pytest.fixture
def final(run: Commander) -> Commander:
    """After a round of one table a final of the first three, not published."""
    run("seed", "--tables", "1", "--again")
    run("publish")
    run("result", "1.1", "--paper", ORDER, by="Ada")
    run("confirm", "1.1", by="Ben")
    run("seed", "--tables", "1", "--from", "standings", "--first", "3", "--final")
    run("weather", "5", "--round", "2")
    return run


@pytest.mark.article("competition", "1-3-2")
@pytest.mark.parametrize(
    ("words", "match"),
    [
        (("time", "8", "9", "0:30.00", "--why", "misread"), "other rank: 8 D8"),
        (("checkin", "3", "--not"), "gone: 3 D3"),
        (("withdraw", "3", "--why", "ill"), "gone: 3 D3"),
    ],
)
def test_what_has_changed_is_named_before_tables_are_published_or_start(
    run: Commander, words: tuple[str, ...], match: str
) -> None:
    run(*words)
    refused(lambda: run("publish"), match)
    assert match in run("tables")
    run("seed", "--again")
    run("publish")
    assert "setup" not in run("tables")
    json.loads(run("setup", "1.1"))


@pytest.mark.article("competition", "1-3-2")
@pytest.mark.parametrize(
    ("words", "match"),
    [
        (("time", "8", "9", "0:30.00", "--why", "misread"), "other rank: 8 D8"),
        (("checkin", "3", "--not"), "gone: 3 D3"),
        (("withdraw", "3", "--why", "ill"), "gone: 3 D3"),
    ],
)
@pytest.mark.parametrize("way", ["again", "start", "publish", "lines"])
def test_a_table_that_was_published_before_starts_with_a_reason_or_is_dealt_anew(
    run: Commander, words: tuple[str, ...], match: str, way: str
) -> None:
    run("publish")
    run(*words)
    for line in (("setup", "1.1"), ("start", "1.2")):
        refused(lambda line=line: run(*line), match)  # type: ignore[misc]
    assert match in say(run, {"setup": "1.1"})[0]["error"]
    before = held(run).round(1).tables
    if way == "again":
        refused(lambda: run("seed", "--again"), "a change is a correction, with a reason")
        run("seed", "--again", "--why", "it has changed")
        assert held(run).round(1).published is None
        assert held(run).round(1).tables != before
        run("publish")
    elif way == "lines":
        assert "setup" in say(run, {"setup": "1.1", "why": "too late", "by": "Ada"})[0]
    elif way == "publish":
        run("publish", "--why", "too late", by="Ada")
    else:
        run("start", "1.1", "--why", "too late", by="Ada")
    if way != "again":
        assert held(run).round(1).tables == before
        assert "Kept as it is by Ada" in run("tables")
        assert [row["why"] for row in run.rows("log") if row["act"] == "tables kept"] == ["too late"]
    run("start", "1.2")
    if way == "start":
        refused(lambda: run("seed", "--again", "--why", "now"), "Table 1.1 has started its race")


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_who_has_withdrawn_is_marked_at_the_tables(run: Commander, lang: str) -> None:
    run("publish")
    run("withdraw", "3", "--why", "ill")
    run("checkin", "4", "--not")
    run.lang = lang
    told = run("tables")
    for said in (("3 D3, table 1.1: ill.", "4 D4, table 1.2.") if lang == "en" else
                 ("3 D3, table 1.1\N{NBSP}: ill.", "4 D4, table 1.2.")):  # fmt: skip
        assert said in told
    assert ("Does not race" if lang == "en" else "Ne court pas") in told


def test_a_table_of_one_does_not_start(run: Commander) -> None:
    run("publish")
    for number in (3, 5, 7):
        run("withdraw", str(number), "--why", "ill")
    refused(lambda: run("start", "1.1"), "gone: 3 D3, 5 D5, 7 D7")
    refused(lambda: run("start", "1.1", "--why", "all the same"), "too few drivers left")
    run("start", "1.2")
    run("result", "1.1", "--paper", "1")


@pytest.mark.article("competition", "21-1-2", "1-3-2")
def test_a_final_goes_by_the_results_as_they_are_now(final: Commander) -> None:
    """Who is seventh by now is not in it, who is first is; and nothing rests on what nobody has confirmed."""
    run = final
    run("correct", "1.1", "--paper", "8 2 3 4 5 6 1 7", "--why", "misread", by="Cleo")
    refused(lambda: run("publish"), "seat lost: 1 D1; seat due: 8 D8")
    run("seed", "--again")
    assert held(run).round(2).tables == ((8, 2, 3),)
    assert "not official: 1.1" in run("tables")
    refused(lambda: run("publish"), "results that are not official: 1.1")
    run("confirm", "1.1", by="Ada")
    run("publish")
    run("correct", "1.1", "--paper", ORDER, "--why", "it was right", by="Cleo")
    refused(lambda: run("start", "2.1"), "seat lost: 8 D8; seat due: 1 D1")
    run("publish", "--why", "they have begun to build", by="Ada")
    run("start", "2.1")


def test_unconfirmed_results_are_told_when_a_final_is_seeded_from_them(run: Commander) -> None:
    run("publish")
    for table in (1, 2):
        run("result", f"1.{table}", "--paper", " ".join(map(str, range(table, 9, 2))))
    run("confirm", "1.1", by="Ben")
    said = run("seed", "--tables", "1", "--from", "standings", "--first", "3", "--final")
    assert "not official: 1.2" in said
    refused(lambda: run("publish"), "not official: 1.2")
    run("publish", "--why", "the evening is short")
    assert "the evening is short" in run("tables")


def test_tables_that_have_been_raced_stay(run: Commander) -> None:
    """A time that is put right then changes nothing; only who is gone from a table keeps that from its start."""
    run("publish")
    run("result", "1.1", "--paper", "1 3 5 7")
    run("time", "8", "9", "0:30.00", "--why", "misread")
    run("withdraw", "3", "--why", "called away")
    json.loads(run("setup", "1.2"))
    refused(lambda: run("seed", "--again", "--why", "x"), "Table 1.1 has its result")
    run("checkin", "4", "--not")
    refused(lambda: run("setup", "1.2"), "gone: 4 D4")
    assert len(json.loads(run("setup", "1.2", "--why", "he went home"))["cars"]) == 3


def test_who_leaves_after_racing_is_neither_missed_nor_a_reason_to_deal_again(run: Commander) -> None:
    run("publish")
    run("result", "1.1", "--paper", "1 3 5 7")
    run("withdraw", "3", "--why", "called away")
    assert not any(said in run("tables") for said in ("Does not race", "gone: 3 D3"))
    run("withdraw", "4", "--why", "ill")
    assert all(said in run("tables") for said in ("Does not race: 4 D4", "gone: 4 D4"))
    run("result", "1.2", "--paper", "2 6 8")
    assert not any(said in run("tables") for said in ("Does not race", "gone: 4 D4"))


def test_an_undo_brings_the_published_tables_back(run: Commander) -> None:
    run("publish")
    run("withdraw", "3", "--why", "ill")
    before = held(run).round(1)
    run("seed", "--again", "--why", "ill")
    run("undo")
    assert held(run).round(1) == before
    run("publish", "--why", "he may come back")
    run("undo")
    refused(lambda: run("setup", "1.1"), "gone: 3 D3")


def test_the_last_round_is_dealt_anew_from_what_it_was_or_from_something_else(final: Commander) -> None:
    run = final
    run("seed", "--again")
    assert (held(run).round(2).tables, held(run).round(2).final) == (((1, 2, 3),), True)
    assert say(run, {"seed": {"again": True, "way": "snake"}})[0]["deal"] == "snake"
    assert held(run).round(2).source == "standings"
    run("seed", "--again", "--first", "4", "--from", "number")
    assert (held(run).round(2).tables, held(run).round(2).final) == (((1, 2, 3, 4),), False)
    assert say(run, {"seed": {"again": True, "source": "standings", "first": 2}})[0]["tables"] == [[1, 2]]


def test_a_log_of_before_that_was_published_all_the_same_is_still_read() -> None:
    """What was not always refused is refused of a new act only; what it rested on then is what it is held to now."""
    record = tournament(4)
    act(record, record.seeding(tables=2, source="number"))
    acts = (Withdrawn(number=4, why="ill"), Published(round=1))
    old = Tournament.of(
        [*record.log, *(Signed(len(record.log) + at, "Ada", "", one) for at, one in enumerate(acts, 1))]
    )
    assert old.seated("1.2") == (2, 4)
    assert not old.seed_changes(1).any
