"""What comes into race control's ledger, and what does not."""

from __future__ import annotations

import os
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from random import Random

import msgspec
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from companion.hall.ledger import Answer, BatchRefused, Ledger
from companion.hall.outbox import AGAIN, ALONE, Outbox
from companion.rules.conversation.errors import error_of
from companion.rules.conversation.errors import error_text as as_written
from companion.sheets.entry import Entry
from companion.sheets.place import stamp
from tests.french import told_in_french
from tests.hall.logs import hashed, lines, made, more, written

LOG = made(30)


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    with Ledger(tmp_path / "hall") as one:
        yield one


def taken(ledger: Ledger, log: Sequence[Entry], sender: str = "table 4") -> Answer:
    return ledger.ingest(lines(log), sender)


def forked(at: int, count: int) -> list[Entry]:
    """The log of the same race, gone on otherwise after so many entries, as on a cloned card."""
    return more(LOG[:at], count, by="clone")


def test_what_comes_is_added_once(ledger: Ledger) -> None:
    assert taken(ledger, LOG[:10]).head.seq == 10
    assert taken(ledger, LOG[4:14]).new == 4
    assert taken(ledger, LOG[:14]).new == 0
    assert ledger.entries(LOG[0].log_id) == LOG[:14]
    assert ledger.alarms() == []
    assert [(log.sender, log.name, log.head.seq) for log in ledger.logs()] == [("table 4", "Table 4", 14)]


def test_of_a_gap_it_is_said_from_where_to_send_again(ledger: Ledger) -> None:
    taken(ledger, LOG[:5])
    answer = taken(ledger, LOG[8:12])
    assert (answer.kind, answer.wants, answer.new) == ("gap", 6, 0)
    told_in_french(answer.why)
    assert taken(ledger, made(4, seed=2)[1:]).wants == 1, "a log that it never heard of is wanted from its beginning"
    assert ledger.entries(LOG[0].log_id) == LOG[:5]


@pytest.mark.parametrize("split", [1, 3, 7])
@pytest.mark.parametrize("at", [5, 10, 13])
def test_a_second_history_is_kept_aside_and_nothing_is_overwritten(ledger: Ledger, at: int, split: int) -> None:
    """Below the head, right after it, going on past it; in one batch or several."""
    taken(ledger, LOG[:14])
    clone = forked(at, 20)
    for first in range(0, len(clone), split):
        answer = taken(ledger, clone[first : first + split])
    assert (answer.kind, answer.wants, answer.head.seq) == ("second", len(clone) + 1, 14)
    told_in_french(answer.why)
    assert ledger.entries(LOG[0].log_id) == LOG[:14]
    assert ledger.second(LOG[0].log_id) == clone[at:]
    assert [(alarm.kind, alarm.sender, alarm.times) for alarm in ledger.alarms()] == [("second", "table 4", 20)]
    taken(ledger, clone)
    assert len(ledger.second(LOG[0].log_id)) == 20, "and that once"
    assert taken(ledger, LOG).head.seq == 30, "the first one goes on"


def changed(entry: Entry, **to: object) -> Entry:
    return msgspec.structs.replace(entry, **to)


def rewritten(old: bytes, new: bytes) -> bytes:
    """The next batch with something else in it."""
    batch = lines(LOG[5:9])
    assert old in batch
    return batch.replace(old, new, 1)


BAD: dict[str, tuple[Callable[[], bytes], str]] = {
    "a broken hash": (lambda: lines([LOG[5], changed(LOG[6], actor="somebody")]), "changed"),
    "a hash of another": (lambda: lines([LOG[5], changed(LOG[6], hash=LOG[7].hash)]), "changed"),
    "an entry that follows another": (lambda: lines([LOG[5], hashed(changed(LOG[6], prev=LOG[2].hash))]), "changed"),
    "the wrong order": (lambda: lines([LOG[6], LOG[5]]), "order"),
    "a repeat": (lambda: lines([LOG[5], LOG[5]]), "order"),
    "a jump": (lambda: lines([LOG[5], LOG[7]]), "order"),
    "two logs": (lambda: lines([LOG[5], made(8, seed=2)[6]]), "mixed"),
    "nothing": (lambda: b"\n\n", "empty"),
    "ten MB": (lambda: lines(LOG[5:6]) * (10_000_000 // len(lines(LOG[5:6]))), "large"),
    "one entry of ten MB": (lambda: rewritten(b'"table"', b'"' + b"x" * 10_000_000 + b'"'), "large"),
    "a newer kind": (lambda: lines([hashed(changed(LOG[5], kind="teleport"))]), "newer"),
    "a newer beginning": (lambda: lines([hashed(changed(made(1, seed=3)[0], kind="regatta"))]), "newer"),
    "a beginning that is none": (lambda: lines([hashed(changed(made(1, seed=3)[0], body="{}"))]), "unread"),
    "a word more": (lambda: rewritten(b'"actor"', b'"wings":1,"actor"'), "unread"),
    "no JSON": (lambda: lines(LOG[5:6])[:-9], "unread"),
    "no text": (lambda: b"\xff\xfe\x00", "unread"),
    "a depth without end": (lambda: b'{"body":' + b"[" * 1_000_000, "unread"),
    "a number past all": (lambda: rewritten(b'"seq":6', b'"seq":' + b"9" * 400), "unread"),
    "a negative number": (lambda: rewritten(b'"seq":6', b'"seq":-6'), "unread"),
    "half a hash": (lambda: rewritten(LOG[5].hash.hex().encode(), b"ab"), "unread"),
    "a hash that is none": (lambda: rewritten(LOG[5].hash.hex().encode(), b"xy" * 32), "unread"),
    "a hash with spaces": (lambda: rewritten(LOG[5].prev.hex().encode(), b"ab" * 31 + b"  "), "unread"),
    "a hash in capitals": (lambda: rewritten(LOG[5].hash.hex().encode(), b"AB" * 32), "unread"),
    "an id that is a path": (lambda: rewritten(LOG[5].log_id.encode(), b"../../../../../../../../etc/pas"), "unread"),
}  # fmt: skip


@pytest.mark.parametrize("what", BAD)
def test_what_is_wrong_is_said_in_one_sentence_and_nothing_changes(ledger: Ledger, what: str) -> None:
    make, kind = BAD[what]
    taken(ledger, LOG[:5])
    with pytest.raises(BatchRefused) as wrong:
        ledger.ingest(make(), "table 4")
    assert wrong.value.code == kind
    told_in_french(wrong.value)
    for _ in range(2):
        answer = ledger.answer(make(), "table 4")
    assert (answer.kind, answer.why, answer.new) == (kind, as_written(wrong.value), 0)
    assert ledger.heads() == {LOG[0].log_id: ledger.head(LOG[0].log_id)}
    assert ledger.entries(LOG[0].log_id) == LOG[:5]
    assert [(alarm.kind, alarm.sender, alarm.times) for alarm in ledger.alarms()] == [(kind, "table 4", 2)]
    assert taken(ledger, LOG).head.seq == 30, "the table goes on all the same"


def test_nobody_sends_to_the_log_of_another_table(ledger: Ledger) -> None:
    taken(ledger, LOG[:5])
    for log in (LOG[5:7], forked(3, 4)):
        with pytest.raises(BatchRefused, match="table 5 cannot") as wrong:
            taken(ledger, log, "table 5")
        told_in_french(wrong.value)
    assert ledger.entries(LOG[0].log_id) == LOG[:5]
    assert ledger.second(LOG[0].log_id) == []
    assert taken(ledger, LOG[5:8], "").new == 3, "race control brings in a file of any table"
    assert [log.sender for log in ledger.logs()] == ["table 4"]


def test_a_log_from_a_stick_goes_on_by_the_table_that_has_it(ledger: Ledger) -> None:
    taken(ledger, LOG[:5], "")
    assert taken(ledger, LOG[5:8]).new == 3
    with pytest.raises(BatchRefused):
        taken(ledger, LOG[8:9], "table 5")


def test_a_ledger_from_an_old_copy_asks_for_more(tmp_path: Path) -> None:
    written(tmp_path / "table", LOG)
    outbox = Outbox(tmp_path / "table", LOG[0].log_id)
    with Ledger(tmp_path / "hall") as ledger:
        taken(ledger, LOG[:12])
    shutil.copytree(tmp_path / "hall", tmp_path / "copy")
    with Ledger(tmp_path / "hall") as ledger:
        taken(ledger, LOG)
        outbox.announced(ledger.head(LOG[0].log_id), 1)
        assert (outbox.batch(1), outbox.stand(1).line) == (None, "connected")
    with Ledger(tmp_path / "copy") as ledger:
        outbox.announced(ledger.head(LOG[0].log_id), 2)
        assert outbox.stand(2)[:2] == ("behind", 18)
        batch = outbox.batch(2)
        assert batch is not None
        outbox.answered(ledger.answer(batch, "table 4"), 2)
        assert ledger.entries(LOG[0].log_id) == LOG
        assert outbox.stand(2)[:2] == ("connected", 0)


def test_a_table_says_whether_anybody_hears_it(tmp_path: Path) -> None:
    written(tmp_path, LOG[:10])
    outbox = Outbox(tmp_path, LOG[0].log_id)
    assert outbox.stand(0)[:2] == ("alone", 10)
    assert outbox.batch(0) is None, "before race control was heard nobody knows what it lacks"
    with Ledger(tmp_path / "hall") as ledger:
        outbox.announced(ledger.head(LOG[0].log_id), 5)
        first = outbox.batch(5)
        assert outbox.batch(5 + AGAIN / 2) is None, "the answer is waited for"
        again = outbox.batch(5 + AGAIN)
        assert again == first, "and then it is sent again"
        assert outbox.stand(6)[:2] == ("behind", 10)
        assert again is not None
        outbox.answered(ledger.answer(again, "table 4"), 8)
        assert outbox.stand(8)[:2] == ("connected", 0)
        assert outbox.stand(8.1 + ALONE)[:2] == ("alone", 0)
        written(tmp_path, LOG[10:12])
        assert outbox.stand(8)[:2] == ("behind", 2)


def test_what_is_refused_is_told_and_not_sent_again_at_once(tmp_path: Path) -> None:
    written(tmp_path, LOG[:10])
    outbox = Outbox(tmp_path, LOG[0].log_id)
    with Ledger(tmp_path / "hall") as ledger:
        taken(ledger, LOG[:3], "table 5")
        outbox.announced(ledger.head(LOG[0].log_id), 5)
        batch = outbox.batch(5)
        assert batch is not None
        outbox.answered(ledger.answer(batch, "table 4"), 5)
        assert outbox.stand(5)[:2] == ("behind", 7)
        assert "table 5's" in str(error_of(outbox.stand(5).why))
        assert outbox.batch(5 + AGAIN / 2) is None
        assert outbox.batch(5 + AGAIN) == batch


def carried(outbox: Outbox, ledger: Ledger, now: float, sender: str = "table 4") -> None:
    """Carries batches over a sound network until nothing more is sent."""
    outbox.announced(ledger.head(outbox.log_id), now)
    while (batch := outbox.batch(now)) is not None:
        outbox.answered(ledger.answer(batch, sender), now)


@pytest.mark.parametrize("batch", [1, 900, 1 << 18])
def test_a_cloned_card_is_told_whole(tmp_path: Path, batch: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.hall.outbox.BATCH", batch)
    clone = forked(8, 9)
    written(tmp_path, clone[:12])
    outbox = Outbox(tmp_path, LOG[0].log_id)
    with Ledger(tmp_path / "hall") as ledger:
        taken(ledger, LOG[:14])
        carried(outbox, ledger, 1)
        assert ledger.second(LOG[0].log_id) == clone[8:12]
        assert "second history" in str(error_of(outbox.stand(1).why))
        written(tmp_path, clone[12:])
        carried(outbox, ledger, 2)
        assert ledger.second(LOG[0].log_id) == clone[8:]
        assert ledger.entries(LOG[0].log_id) == LOG[:14]


def test_a_table_that_has_less_than_race_control_is_found_when_it_goes_on(tmp_path: Path) -> None:
    """A stick that was restored from an old copy, and raced on."""
    written(tmp_path, LOG[:6])
    outbox = Outbox(tmp_path, LOG[0].log_id)
    with Ledger(tmp_path / "hall") as ledger:
        taken(ledger, LOG[:14])
        carried(outbox, ledger, 1)
        assert ledger.alarms() == []
        again = forked(6, 3)
        written(tmp_path, again[6:])
        carried(outbox, ledger, 2)
        assert ledger.second(LOG[0].log_id) == again[6:]


class Table:
    """A table in a hall whose network loses, doubles, holds back and reorders."""

    def __init__(self, folder: Path, name: str, log: list[Entry]) -> None:
        self.folder, self.name, self.log, self.there = folder, name, log, 0
        self.outbox = Outbox(folder, log[0].log_id)
        self.play(1)

    def play(self, count: int) -> None:
        new = self.log[self.there : self.there + count]
        if new:
            written(self.folder, new)
            self.there += len(new)


@settings(max_examples=8, deadline=None, phases=[Phase.explicit, Phase.generate])  # each writes to the disk often
@given(st.randoms(use_true_random=False), st.lists(st.integers(2, 40), min_size=1, max_size=3))
def test_whatever_the_network_does_every_log_comes_in_entry_by_entry(rng: Random, lengths: list[int]) -> None:
    """Batches, answers and heads are lost, doubled, held back and overtake one another, and the ledger is put back from
    an old copy: once the network is well, each log is at race control as at its table, and nothing was alarming."""
    with tempfile.TemporaryDirectory() as temporary, pytest.MonkeyPatch.context() as patched:
        patched.setattr("companion.hall.outbox.BATCH", rng.choice([700, 2000, 100_000]))
        folder, now = Path(temporary), 0.0
        tables = [
            Table(folder / f"t{seed}", f"table {seed}", made(length, seed)) for seed, length in enumerate(lengths)
        ]
        ledger = Ledger(folder / "hall")
        under_way: list[Callable[[], None]] = []

        def send(what: Callable[[], None]) -> None:
            under_way.extend([what] * rng.choice([0, 1, 1, 1, 2]))

        def arrives(table: Table, batch: bytes) -> None:
            answer = ledger.answer(batch, table.name)
            send(lambda: table.outbox.answered(answer, now))

        def announce(table: Table) -> None:
            head = ledger.head(table.outbox.log_id)
            send(lambda: table.outbox.announced(head, now))

        for step in range(25):
            now += rng.choice([0.1, AGAIN])
            for table in tables:
                if rng.random() < 0.5:
                    table.play(rng.randrange(1, 9))
                if rng.random() < 0.4:
                    announce(table)
                if (batch := table.outbox.batch(now)) is not None:
                    send(lambda table=table, batch=batch: arrives(table, batch))  # type: ignore[misc]
            rng.shuffle(under_way)
            for _ in range(rng.randrange(len(under_way) + 1)):
                under_way.pop()()
            if step in (8, 16):
                ledger.close()
                if step == 16:
                    shutil.rmtree(folder / "hall")
                    shutil.copytree(folder / "copy", folder / "hall")
                else:
                    shutil.copytree(folder / "hall", folder / "copy")
                ledger = Ledger(folder / "hall")
        while under_way:
            under_way.pop()()
        for table in tables:
            table.play(99)
            now += AGAIN
            carried(table.outbox, ledger, now, table.name)
            assert table.outbox.stand(now) == ("connected", 0, "")
            assert ledger.entries(table.log[0].log_id) == table.log
        assert ledger.alarms() == []
        ledger.close()


def test_what_was_written_a_moment_ago_is_looked_at_again(tmp_path: Path) -> None:
    """The journal is written before its entries are seen: one look between the two, and they came a second late."""
    (journal := tmp_path / "races.db-wal").touch()
    assert stamp(tmp_path) != stamp(tmp_path)
    os.utime(journal, (at := time.time() - 1, at))
    assert stamp(tmp_path) == stamp(tmp_path)
