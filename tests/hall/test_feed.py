"""The live feed of a hall: every table's race as its own table tells it."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

import pytest

from companion.desk.session import Session
from companion.protocol.messages import race_message
from companion.view.worded import BoardWords
from companion.web.feed import _json
from tests.hall.halls import Played, Table, unhurried
from tests.hall.network import needs_nats
from tests.schema import Schema
from tests.web.test_feed import follow

pytestmark = needs_nats


def own(table: Table, lang: str = "en") -> Any:
    """What the table itself would tell of its race."""
    book = table.desk.rulebook
    words = BoardWords(lang, book.name, book.track)
    return json.loads(_json(race_message(Session(table.desk), "spectator", words, {})))


def read(hall: Played, path: str) -> Any:
    request = urllib.request.Request(f"http://127.0.0.1:{hall.control.pages}/api/v1/{path}")
    request.add_header("Origin", "https://example.org")
    with urllib.request.urlopen(request, timeout=60) as reply:
        assert reply.headers["access-control-allow-origin"] == "*"
        return json.loads(reply.read())


def test_every_table_is_followed_as_its_own_table_tells_it(tmp_path: Path) -> None:
    with unhurried():
        hall = Played(tmp_path, api=True)
        try:
            one, two = (hall.table(name, laps=1, seed=int(name)) for name in ("1", "2"))
            ids = [table.desk.history.log_id for table in (one, two)]
            one.play(40)
            two.play(20)
            hall.joined("3")
            hall.settled()
            tables = {row["table"]: row for row in read(hall, "tables")}
            Schema(read(hall, "schema")).check({"tables": read(hall, "tables")})
            assert [tables[name]["race"] for name in ("1", "2", "3")] == [
                ids[0],
                ids[1],
                "",
            ]
            assert read(hall, "tables/2/race?lang=fr") == own(two, "fr")
            assert {row["log_id"] for row in read(hall, "races")} == set(ids)
            assert read(hall, f"races/{ids[1]}/sheet")["cars"][0]["driver"] == "Iris"
            with pytest.raises(urllib.error.HTTPError, match="404"):
                read(hall, "tables/3/race")
            for path in ("tables/zzz/race", "tables/zzz/events"):
                with pytest.raises(urllib.error.HTTPError, match="404") as refused:
                    read(hall, path)
                assert "There is no table zzz in this hall." in refused.value.read().decode()
            with follow(hall.control.pages, "/api/v1/tables/1/events") as told:
                assert next(told)[::2] == ("race", own(one))
                one.play(1)
                kind, mark, event = next(told)
                assert (kind, event["kind"], event["seq"]) == ("event", "answer", one.desk.seq)
                assert next(told)[::2] == ("race", own(one))
                one.desk.undo(1)
                assert next(told)[2]["kind"] == "undo"
                assert next(told)[2] == own(one)
            with follow(hall.control.pages, "/api/v1/tables/1/events", **{"Last-Event-ID": mark}) as again:
                assert [next(again)[0] for _ in range(2)] == ["event", "race"]
            with follow(hall.control.pages, "/api/v1/tables/2/events", **{"Last-Event-ID": mark}) as other:
                assert next(other)[0] == "race"
        finally:
            hall.close()


def test_a_hall_that_was_not_told_to_offers_no_feed(tmp_path: Path) -> None:
    hall = Played(tmp_path)
    try:
        with pytest.raises(urllib.error.HTTPError, match="403"):
            read(hall, "tables")
    finally:
        hall.close()
