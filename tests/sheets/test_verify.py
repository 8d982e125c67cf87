"""verify: the chain, every ruling again, and what is said about another version of the rulebook."""

from __future__ import annotations

import hashlib
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from companion import circuits
from companion.desk import RaceDesk
from companion.desk.beginning import begin_race
from companion.drivers.chance import RandomDriver
from companion.rules.conversation.errors import LogError
from companion.rules.dice.corners import Corners
from companion.rules.dice.gears import Gears
from companion.rules.formula_d import FormulaD, FormulaDGears
from companion.sheets.chain import line
from companion.sheets.entry import Entry
from companion.sheets.place import DATABASE
from companion.sheets.reading import entries, find, reading
from companion.sheets.replay import rulebook_of
from companion.sheets.verify import verify
from tests.sheets.bare import bare
from tests.toy import SETUP, OtherToy, pick, toy


def other_toy(setup: Any, track: str) -> Any:
    return toy(setup, track, OtherToy)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a race in which everything happened."""
    rng = Random(5)
    with RaceDesk.begin(toy(), setup=SETUP, track="a toy", folder=tmp_path, name="toy") as desk:
        for _ in range(30):
            assert desk.asked is not None
            desk.answer(pick(desk.asked, rng))
        desk.undo(4)
        desk.redo(2)
        desk.note("sunny")
        desk.override({"car": 2, "wear": {"brakes": 1}}, by="Ref", why="counted")
        n = next(done.n for done in desk.answers() if done.ask == "landing")
        desk.correct(n, desk.answers()[n].answer, keep="board")
        desk.correct(n, desk.answers()[n].answer)
        desk.undo()
        desk.dispute(4, by="Ben", why="no")
        for _ in range(6):
            assert desk.asked is not None
            desk.answer(pick(desk.asked, rng))
    return tmp_path


def forge(folder: Path, seq: int, **changes: Any) -> None:
    """Changes an entry and makes the chain fit again, as somebody who knows how could."""
    with reading(folder) as db:
        log = list(entries(db, find(db, "last").log_id))
    prev = log[seq - 2].hash if seq > 1 else bytes(32)
    with bare(folder) as connection:
        connection.execute("DROP TRIGGER IF EXISTS entry_stays")
        for entry in log[seq - 1 :]:
            if entry.seq == seq:
                entry = msgspec.structs.replace(entry, **changes)
            entry = msgspec.structs.replace(entry, prev=prev)
            entry = msgspec.structs.replace(entry, hash=hashlib.sha256(line(entry)).digest())
            names = Entry.__struct_fields__[2:]
            connection.execute(
                f"UPDATE entry SET {', '.join(f'{name} = ?' for name in names)} WHERE seq = ?",
                [*(getattr(entry, name) for name in names), entry.seq],
            )
            prev = entry.hash


def entry_of(folder: Path, seq: int) -> Entry:
    with reading(folder) as db:
        return list(entries(db, find(db, "last").log_id))[seq - 1]


def test_a_sound_log(folder: Path) -> None:
    found = verify(folder, "toy", toy)
    assert found.sound
    assert found.problems == []
    assert found.otherwise is None
    assert found.entries == found.chained == found.replayed == 46 - 1
    assert (found.was, found.now) == ("toy 1", "toy 1")


def test_no_such_race(folder: Path) -> None:
    with pytest.raises(LogError, match="There is no race nowhere"):
        verify(folder, "nowhere", toy)


def test_a_changed_entry_is_named_and_all_before_it_is_replayed(folder: Path) -> None:
    with bare(folder) as connection:
        connection.execute("DROP TRIGGER IF EXISTS entry_stays")
        connection.execute("UPDATE entry SET at_wall = '2001-01-01' WHERE seq = 20")
    found = verify(folder, "toy", toy)
    assert (found.chained, found.replayed) == (19, 19)
    assert [problem.seq for problem in found.problems] == [20]


def test_an_end_cut_off(folder: Path) -> None:
    with bare(folder) as connection:
        connection.execute("DROP TRIGGER entry_remains")
        connection.execute("DELETE FROM entry WHERE seq > 40")
    found = verify(folder, "toy", toy)
    assert [(problem.seq, str(problem.what)) for problem in found.problems] == [
        (41, "The log is cut off after entry 40 of 45; companion races salvage brings back what is sound.")
    ]
    assert found.replayed == 40


def test_a_forged_answer_is_found_by_refereeing_again(folder: Path) -> None:
    old = entry_of(folder, 3)
    forge(folder, 3, body=old.body.replace('"answer":', '"answer":1'))
    found = verify(folder, "toy", toy)
    assert found.chained == found.entries
    assert [problem.seq for problem in found.problems] == [3]
    assert "Entry 3 does not follow" in str(found.problems[0].what)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"rulings": "[]"}, "what was ruled is not what the rulebook comes to"),
        ({"state": "00"}, "the state after it is not what the rulebook comes to"),
        ({"kind": "poem"}, "is damaged, or of a newer program"),
        ({"body": "{}"}, "is damaged, or of a newer program"),
        ({"n": 77}, "makes no sense after those before it"),
    ],
)
def test_other_forgeries_are_named_where_they_are(folder: Path, changes: dict[str, Any], said: str) -> None:
    with reading(folder) as db:
        log = list(entries(db, find(db, "last").log_id))
    seq = next(entry.seq for entry in log if entry.rulings != "[]" and entry.kind == "answer")
    forge(folder, seq, **changes)
    found = verify(folder, "toy", toy)
    assert [problem.seq for problem in found.problems] == [seq]
    assert said in str(found.problems[0].what)


def test_a_forged_undo(folder: Path) -> None:
    with reading(folder) as db:
        log = list(entries(db, find(db, "last").log_id))
    undo = next(entry for entry in log if entry.kind == "undo")
    forge(folder, undo.seq, body='{"count":1,"seqs":[7]}')
    found = verify(folder, "toy", toy)
    assert [problem.seq for problem in found.problems] == [undo.seq]
    assert "entry 7 is not what an undo would take back" in str(found.problems[0].what)


def test_a_state_kept_that_is_not_the_right_one(folder: Path) -> None:
    with bare(folder) as connection:
        assert connection.execute("UPDATE snapshot SET body = zeroblob(9)").rowcount
    found = verify(folder, "toy", toy)
    assert found.problems
    assert all("The state kept after" in str(problem.what) for problem in found.problems)


def test_a_log_that_is_older_than_something_counted_is_sound_while_that_says_nothing(tmp_path: Path) -> None:
    """A death race refereed before the program could deal: no position says a word of a deck."""
    setup = {"rulebook": "death", "track": "monaco", "laps": 1, "cars": [{"car": 1}, {"car": 2}]}
    text = circuits.find("monaco").read_text(encoding="utf-8")
    chance = RandomDriver(circuits.load("monaco"), 3)
    with RaceDesk.begin(rulebook_of(setup, text), setup=setup, track=text, folder=tmp_path) as desk:
        for _ in range(40):
            assert desk.asked is not None
            desk.answer(chance.answer(desk.asked, desk.rulebook.race))
    with reading(tmp_path) as db:
        log = list(entries(db, find(db, "last").log_id))
    older = [entry.seq for entry in log if '"deck":0' in entry.body]
    assert len(older) > 1
    for seq in older:
        body = entry_of(tmp_path, seq).body.replace('"deck":0,', "").replace(',"deck":0', "")
        forge(tmp_path, seq, body=body)
    found = verify(tmp_path, "last", rulebook_of)
    assert (found.problems, found.otherwise, found.replayed) == ([], None, len(log))


def test_another_version_says_so_and_names_what_it_would_rule_otherwise(tmp_path: Path) -> None:
    with RaceDesk.begin(toy(), setup=SETUP, track="a toy", folder=tmp_path) as desk:
        for answer in (2, 6, 6, 1, 3, 3, 1, 2, 2, 1, 1, 1):
            desk.answer(answer)
        same = verify(tmp_path, "last", other_toy)
        assert (same.problems, same.otherwise, same.was, same.now) == ([], None, "toy 1", "toy 2")
        desk.answer(6)  # the black die for the engine: harmless by version 1
        desk.answer(1)
    found = verify(tmp_path, "last", other_toy)
    assert found.problems == []
    assert found.otherwise is not None
    assert found.otherwise.seq == 14
    assert "toy 2 rules otherwise than toy 1 from entry 14 on" in str(found.otherwise.what)


@pytest.mark.parametrize("same", [False, True])
def test_another_version_may_cite_another_article_for_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, same: bool
) -> None:
    """Its logs are followed to the end; within one version an article that differs is a fault of the log."""
    setup = {"rulebook": "formula-d", "track": "monaco", "cars": [{"car": 1}, {"car": 2}]}
    with monkeypatch.context() as before:
        before.setattr(FormulaDGears, "article_of_free_gear", Gears.article_of_free_gear)
        if not same:
            before.setattr(FormulaD, "VERSION", "formula-d 2")
        with begin_race(setup, "monaco", tmp_path) as desk:
            driver = RandomDriver(circuits.load("monaco"), 3)
            while desk.asked is not None and not down_freely(desk):
                desk.answer(driver.answer(desk.asked, desk.rulebook.race))
            assert desk.asked is not None
    found = verify(tmp_path, "last", rulebook_of)
    assert found.otherwise is None
    assert bool(found.problems) is same
    assert (found.replayed == found.entries) is not same


@pytest.mark.parametrize("told", ["priced", "charged otherwise"])
def test_a_log_from_before_prices_named_their_articles_is_sound(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, told: str
) -> None:
    """What is left out of an older log is what else made the price, and no other fact."""
    ada = {"car": 1, "at": "after:2", "gear": 4, "lap": 1, "status": "racing", "tyres": "soft"}
    setup = {"rulebook": "formula-d", "track": "monza", "cars": [ada], "to_play": [1], "options": {"tyres": True}}
    with monkeypatch.context() as before:
        before.setattr(Corners, "priced", lambda corners, car: {} if told == "priced" else {"other": 1})
        with begin_race(setup, "monza", tmp_path) as desk:
            for answer in (4, 12, {"in": "after corner 3", "overshot": 2}):
                desk.answer(answer)
    found = verify(tmp_path, "last", rulebook_of)
    assert (found.problems == []) is (told == "priced")


def down_freely(desk: RaceDesk) -> bool:
    """Whether a gear down that costs nothing has just been ruled."""
    last = desk.history.items[-1].rulings if desk.history.items else ()
    return any(one.kind == "gear" and one.facts["gear"] < one.facts["before"] for one in last)


def test_what_a_newer_version_ruled_is_no_problem_after_going_back_to_the_older(tmp_path: Path) -> None:
    with RaceDesk.begin(toy(), setup=SETUP, track="a toy", folder=tmp_path) as desk:
        for answer in (2, 6, 6, 1, 3, 3, 1, 2, 2, 1, 1, 1):
            desk.answer(answer)
    with RaceDesk.resume(tmp_path, make=other_toy) as desk:
        desk.answer(6)  # the black die for the engine, which costs a point by version 2 only
        desk.answer(1)
    said = [entry.read() for entry in (entry_of(tmp_path, 14), entry_of(tmp_path, 15))]
    assert [getattr(body, "version", None) for body in said] == ["toy 2", ""], "it is said once"
    found = verify(tmp_path, "last", toy)
    assert (found.problems, found.was, found.now) == ([], "toy 1", "toy 1")
    assert found.otherwise is not None
    assert "toy 1 rules otherwise than toy 2 from entry 14 on" in str(found.otherwise.what)
    with RaceDesk.resume(tmp_path, make=toy) as desk:  # from the state that was kept
        assert desk.asked is not None
        desk.answer(pick(desk.asked, Random(1)))
    assert getattr(entry_of(tmp_path, 16).read(), "version", None) == "toy 1"
    with bare(tmp_path) as connection:
        connection.execute("DELETE FROM snapshot")
    with pytest.raises(LogError, match=r"by toy 2, and toy 1 of this program rules otherwise \(see entry 16\); its"):
        RaceDesk.resume(tmp_path, make=toy)


def test_an_undo_over_a_correction_back_to_as_many_answers_as_there_were(tmp_path: Path) -> None:
    """The answers in force are others though they are as many as before."""
    with RaceDesk.begin(toy(), setup=SETUP, track="a toy", folder=tmp_path) as desk:
        for answer in (2, 6, 6, 1, 3, 3, 1, 2, 2):
            desk.answer(answer)
        desk.correct(1, 5)  # the landing falls, and all after it
        assert desk.n == 2
        desk.undo(7)
        assert desk.n == 3
        desk.redo(7)
        desk.undo(8)
        desk.redo(2)
    assert verify(tmp_path, "last", toy).problems == []


@pytest.mark.parametrize("status", ["grid", "".join(("g", "rid"))], ids=["as in the program", "as read"])
def test_a_car_set_on_the_grid_is_so_in_the_same_bytes_from_then_on(tmp_path: Path, status: str) -> None:
    """A text that was read is another one than the program's own, and a state leaves out what is the program's own."""
    cars = [{"car": number, "at": f"20:left:{16 - number}"} for number in (1, 2)]
    setup = {"rulebook": "competition", "track": "monaco", "cars": cars, "sky": "sun", "to_play": [1, 2]}
    with begin_race(setup, "monaco", tmp_path) as desk:
        desk.answer(10)
        desk.override({"car": 2, "status": status}, by="Ref", why="started too early")
        desk.answer(2)
        desk.undo()
        desk.redo()
    with RaceDesk.resume(tmp_path) as desk:
        assert desk.asked is not None
        assert desk.asked.ask == "landing"
    assert verify(tmp_path, "last", rulebook_of).problems == []


def test_a_table_that_is_not_as_its_index_is_damage(folder: Path) -> None:
    """A letter of a race's id changed in the list of races: its index still finds it, and lists show it wrong."""
    with reading(folder) as db:
        log_id = find(db, "last").log_id
    with bare(folder) as connection:
        root, size = (
            connection.execute(said).fetchone()[0]
            for said in ("SELECT rootpage FROM sqlite_master WHERE name = 'race'", "PRAGMA page_size")
        )
    body = bytearray((folder / DATABASE).read_bytes())
    at = body.index(log_id.encode(), (root - 1) * size)
    assert at < root * size
    body[at] ^= 1
    (folder / DATABASE).write_bytes(body)
    assert any("companion races salvage" in str(problem.what) for problem in verify(folder, "last", toy).problems)
