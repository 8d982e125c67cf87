"""Race control's own words: a log with one writer, which the tables read."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.hall.ledger import Ledger
from companion.hall.outbox import Outbox
from companion.rules.conversation.errors import CompanionError
from companion.sheets.reading import reading
from companion.sheets.records import kept_record, records
from companion.sheets.replay import rulebook_of
from companion.sheets.verify import verify
from companion.tournament.control import Control
from tests.hall.logs import lines, made
from tests.hall.test_ledger import carried
from tests.tournament.commanding import Commander, refused

LOG = made(12)


@pytest.fixture
def control(tmp_path: Path) -> Commander:
    """Race control, which has the log of table 4."""
    run = Commander(tmp_path / "control", "hall")
    (tmp_path / "log.jsonl").write_bytes(lines(LOG))
    run("import", "--table", "4", str(tmp_path / "log.jsonl"))
    run("new", "Saturday")
    return run


def test_what_race_control_says_is_read_at_the_table(control: Commander, tmp_path: Path) -> None:
    control("assign", "4", "1.4", by="Ada")
    control("message", "Lunch at noon", by="Ada")
    control("message", "A die is missing", "--table", "5", by="Ada")
    control("penalty", LOG[0].log_id[:8], "14", "one space back", "--why", "false start", by="Ada")
    with reading(control.folder) as db:
        log_id = records(db, Control.KIND)[0].log_id
    with Ledger(tmp_path / "table 4") as ledger:
        carried(Outbox(control.folder, log_id), ledger, 1, "control")
    assert verify(tmp_path / "table 4", log_id, rulebook_of).problems == []
    told = kept_record(tmp_path / "table 4", "last", Control.KIND).record
    assert isinstance(told, Control)
    assert [one.act.__struct_config__.tag for one in told.words("4")] == ["go", "message", "penalty"]
    listed = Commander(control.folder, "hall", "fr")("log", "--table", "4").splitlines()
    assert [line.partition("  ")[2] for line in listed] == [
        "Ada à 4\u00a0: 1.4 peut partir",
        "Ada\u00a0: Lunch at noon",
        f"Ada à 4\u00a0: journal {LOG[0].log_id[:8]}, voiture 14\u00a0: one space back (false start)",
    ]


def test_a_result_is_confirmed_by_two_and_is_the_one_that_was_seen(control: Commander, tmp_path: Path) -> None:
    log = LOG[0].log_id[:8]
    control("confirm", log, by="Ada")
    refused(lambda: control("confirm", log, by=" ada "), "a second person")
    control("confirm", log, by="Bob")
    refused(lambda: control("confirm", log, by="Cleo"), "official already")
    record = kept_record(control.folder, "last", Control.KIND).record
    assert isinstance(record, Control)
    result = record.signed[-1].act
    assert record.signatures(result) == ["Ada", "Bob"]  # type: ignore[arg-type]
    assert (result.seq, result.hash) == (12, LOG[-1].hash.hex())  # type: ignore[attr-defined]
    (tmp_path / "log.jsonl").write_bytes(lines(made(13)))
    control("import", str(tmp_path / "log.jsonl"))
    control("confirm", log, by="Ada")  # the race went on: that is another result, and nobody's second


def test_what_race_control_cannot_say(control: Commander) -> None:
    refused(lambda: control("message", " "), "needs words")
    refused(lambda: control("assign", "", "1.4"), "for one table")
    refused(lambda: control("penalty", LOG[0].log_id, "14", " ", "--why", "x"), "says what it is")
    refused(lambda: control("penalty", LOG[0].log_id, "14", "one back", "--why", " "), "needs a reason")
    refused(lambda: control("confirm", "ff00ff"), "0 of the logs here")
    refused(lambda: control("new", " "), "needs a name")


def test_without_a_day_nothing_is_said(tmp_path: Path) -> None:
    with pytest.raises(CompanionError, match="There is no day of race control yet"):
        Commander(tmp_path, "hall")("message", "Hello")
