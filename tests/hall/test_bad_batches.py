"""One table sends what makes no sense: it is refused with an alarm that names it, and the rest of the hall goes on."""

from __future__ import annotations

import contextlib
import http.client
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from random import Random

import msgspec
import pytest

from companion.desk.beginning import begin_race
from companion.desk.organising import result_of
from companion.drivers.sensible import HeuristicDriver
from companion.hall.carrier import Carrier
from companion.hall.floor import Floor
from companion.hall.ledger import Ledger
from companion.hall.pages import HallWriter
from companion.hall.snapshot import HallSnapshot, TableSeen
from companion.rules.conversation.asking import Json
from companion.rules.conversation.errors import CompanionError, error_of
from companion.sheets.chain import GENESIS, canonical
from companion.sheets.entry import Entry
from companion.sheets.reading import entries, reading
from tests.french import told_in_french
from tests.hall.halls import Played, unhurried
from tests.hall.logs import hashed, lines, written
from tests.hall.network import needs_nats, until
from tests.hall.test_hall_by_command import hall as commanded

JUNK: tuple[Json, ...] = (
    None, "a word", "", [], [None], ["a"], {}, {"a": None}, -1, 0, 1.5, 10**18, 10**40, True, [[1]], "\u202e", "99",
)  # fmt: skip


def read(entry: Entry) -> dict[str, Json]:
    found: dict[str, Json] = msgspec.json.decode(entry.body)
    return found


def chained(log: Sequence[Entry], log_id: str) -> list[Entry]:
    """The same entries as another log, sound by its hashes whatever they say."""
    found: list[Entry] = []
    for entry in log:
        prev = found[-1].hash if found else GENESIS
        found.append(hashed(msgspec.structs.replace(entry, log_id=log_id, prev=prev)))
    return found


def otherwise(log: Sequence[Entry], at: int, change: Callable[[dict[str, Json]], object], log_id: str) -> list[Entry]:
    """A log whose entry `at` says something else, sound by its hashes."""
    body = read(log[at])
    change(body)
    entry = msgspec.structs.replace(log[at], body=canonical(body).decode())
    return chained([*log[:at], entry, *log[at + 1 :]], log_id)


@pytest.fixture(scope="module")
def race(tmp_path_factory: pytest.TempPathFactory) -> list[Entry]:
    """The whole log of a short race."""
    folder = tmp_path_factory.mktemp("race")
    cars = [{"car": 1, "driver": "Ada"}, {"car": 2, "driver": "Bob"}]
    with begin_race({"track": "monaco", "laps": 1, "cars": cars}, "monaco", folder) as desk:
        driver = HeuristicDriver(desk.rulebook.track, 1)  # type: ignore[attr-defined]
        while (asked := desk.asked) is not None:
            desk.answer(driver.answer(asked, desk.rulebook.race), n=asked.n)
    with reading(folder) as db:
        return list(entries(db, desk.history.log_id))


def ends(log: Sequence[Entry]) -> int:
    """Which entry has the result."""
    return next(at for at, entry in enumerate(log) if '"result":' in entry.body)


def begins(log: Sequence[Entry]) -> int:
    """Which entry begins a round."""
    return next(at for at, entry in enumerate(log) if at and '"position":' in entry.body)


def bad(race: Sequence[Entry]) -> Iterator[tuple[str, list[Entry]]]:
    """Logs that make no sense, each by what is wrong."""
    rng = Random(1)

    def made(what: str, at: int, change: Callable[[dict[str, Json]], object]) -> tuple[str, list[Entry]]:
        return what, otherwise(race, at, change, rng.randbytes(16).hex())

    for value in JUNK:
        for name in ("round", "order", "cars", "result"):
            at = ends(race) if name == "result" else begins(race)
            yield made(f"{name} is {value!r}", at, lambda body, n=name, v=value: body["position"].update({n: v}))
        yield made(f"a car is {value!r}", begins(race), lambda body, v=value: body["position"]["cars"].update({"1": v}))
        for name in ("lap", "status", "wear", "at"):
            change = lambda body, n=name, v=value: body["position"]["cars"]["1"].update({n: v})  # noqa: E731
            yield made(f"{name} of a car is {value!r}", begins(race), change)
        for name in ("cars", "laps", "programs", "event", "succeeds", "program_rolls"):
            yield made(
                f"{name} of the setup is {value!r}", 0, lambda body, n=name, v=value: body["setup"].update({n: v})
            )
        for name in ("car", "driver", "place", "team"):
            change = lambda body, n=name, v=value: body["setup"]["cars"][0].update({n: v})  # noqa: E731
            yield made(f"{name} of a car's setup is {value!r}", 0, change)
        for name in ("setup", "rulebook", "track_key", "track", "name", "figures", "position"):
            yield made(f"{name} is {value!r}", 0, lambda body, n=name, v=value: body.update({n: v}))
        for name in ("place", "car", "laps", "points", "status", "cause"):
            change = lambda body, n=name, v=value: body["position"]["result"][0].update({n: v})  # noqa: E731
            yield made(f"{name} of a result is {value!r}", ends(race), change)
        for name in ("key", "answer", "forced", "why", "states"):
            yield made(f"{name} of an answer is {value!r}", 3, lambda body, n=name, v=value: body.update({n: v}))


def shown(floor: Floor) -> HallSnapshot:
    """Every race as the pages have it."""
    tables = [
        TableSeen(name, name, "call", 1, 0.0, 0.0, race, None, race.disputed) for name, race in floor.races.items()
    ]
    return HallSnapshot("Hall", tuple(tables), tuple(floor.alarms), True, (), {})


def test_whatever_a_field_says_it_is_taken_or_refused(tmp_path: Path, race: list[Entry]) -> None:
    """The races of other tables come in between, the floor and the pages show them, and what was taken leads to a
    result or to a sentence."""
    floor, kinds, many = Floor(), set[str](), list(bad(race))
    with Ledger(tmp_path / "hall") as ledger:
        for first in range(0, len(many), 40):
            batches = {f"table {at}": log for at, (_, log) in enumerate(many[first : first + 40], first)}
            good = {f"good {at}": chained(race[:5], f"{at:032x}") for at in range(first, first + 40, 4)}
            sent = Random(first).sample([*batches.items(), *good.items()], len(batches) + len(good))
            answers = dict(zip(dict(sent), ledger.answers([(lines(log), name) for name, log in sent]), strict=True))
            for answer in answers.values():
                floor.take(ledger, answer)
            alarms = {(alarm.sender, alarm.kind) for alarm in ledger.alarms()}
            for name, log in batches.items():
                answer, what = answers[name], many[int(name.split()[1])][0]
                if answer.kind:
                    kinds.add(answer.kind)
                    told_in_french(answer.why)
                    assert (name, answer.kind) in alarms, what
                elif name not in floor.races:
                    assert (name, "unfollowed") in alarms, what
                else:
                    with contextlib.suppress(CompanionError):
                        result_of(log)
            for name in good:
                assert (answers[name].kind, answers[name].new) == ("", 5)
                assert name in floor.races
        assert "unread" in kinds
        again = Floor()
        again.begin(ledger)
        assert again.races.keys() == floor.races.keys()
    for lang in ("en", "fr"):
        for kind in ("control", "wall"):
            assert HallWriter(lang).parts(kind, shown(again))


def test_bits_that_flip_in_a_batch_are_refused(tmp_path: Path, race: list[Entry]) -> None:
    batch, rng = bytearray(lines(race[:12])), Random(7)
    with Ledger(tmp_path / "hall") as ledger:
        for _ in range(400):
            at, bit = rng.randrange(len(batch)), 1 << rng.randrange(8)
            batch[at] ^= bit
            answer = ledger.answer(bytes(batch), "table 4")
            batch[at] ^= bit
            assert answer.kind, "what was changed is not taken"
            assert answer.why
        assert ledger.logs() == []
        assert ledger.answer(bytes(batch), "table 4").new == 12


@needs_nats
def test_one_table_stops_nobody_else(tmp_path: Path, race: list[Entry]) -> None:
    """Over the real broker: eight tables send what makes no sense, a ninth races. Race control has its race, says which
    tables were refused, and starts again."""
    with unhurried():
        hall, carriers = Played(tmp_path), []
        try:
            logs = dict(list(bad(race))[::43])
            assert len(logs) > 7
            for at, log in enumerate(logs.values()):
                written(tmp_path / f"bad {at}", chained(race[:4], log[0].log_id)[:1])
                place = hall.joined(f"B{at}")
                carriers.append(carrier := Carrier(tmp_path / f"bad {at}", place))
            for at, log in enumerate(logs.values()):
                spoil(tmp_path / f"bad {at}", log)
                carriers[at].begin()
            table = hall.table("Good", laps=1, names=("Ada", "Bob"))
            table.play(30)
            hall.settled()
            until(lambda: "none that this program can read" in str(error_of(carriers[0].stand.why)))
            assert hall.control.snapshot().broker
            assert any(alarm.sender.startswith("B") for alarm in hall.control.snapshot().alarms)
            table.play(10)
            hall.settled()
            for path in ("/control", "/wall"):
                line = http.client.HTTPConnection("127.0.0.1", hall.control.pages, timeout=60)
                line.request("GET", path)
                assert line.getresponse().status == 200
            hall.control.end()
            hall.control = type(hall.control)(
                hall.folder / "control", host="127.0.0.1", port=hall.control.broker.port, pages=0
            )
            hall.control.begin()
            table.play(10)
            hall.settled()
        finally:
            for carrier in carriers:
                carrier.end()
            hall.close()


def spoil(folder: Path, log: Sequence[Entry]) -> None:
    """Puts the rest of a log into a table's own database, as a broken program would."""
    with sqlite3.connect(folder / "races.db") as db:
        for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            db.execute(f"DROP TRIGGER {name}")
        db.execute("DELETE FROM entry")
        fill = ",".join("?" * len(Entry.__struct_fields__))
        db.executemany(f"INSERT INTO entry VALUES ({fill})", [msgspec.structs.astuple(entry) for entry in log])


def test_a_file_that_makes_no_sense_is_refused_in_a_sentence(tmp_path: Path, race: list[Entry]) -> None:
    for at, (what, log) in enumerate(list(bad(race))[::29]):
        (stick := tmp_path / f"{at}.jsonl").write_bytes(lines(log))
        (good := tmp_path / f"{at} good.jsonl").write_bytes(lines(chained(race[:5], Random(at).randbytes(16).hex())))
        for lang in ("en", "fr"):
            status, said = commanded(tmp_path / "control", "import", "--table", "4", str(stick), str(good), lang=lang)
            assert "Traceback" not in said, what
            assert len(said.splitlines()) == 2, what
            assert status in (0, 1), what
        assert commanded(tmp_path / "control", "tables")[0] == 0
