"""A result is taken from the table that was given the race; every other one waits for somebody to decide."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from companion.commands.main import companion
from companion.desk import RaceDesk
from companion.desk.beginning import begin_race
from tests.hall.halls import unhurried
from tests.hall.network import needs_nats, until
from tests.hall.test_pages import asked
from tests.hall.test_starting import Seated

pytestmark = needs_nats


class Contested(Seated):
    """The races of 1.1 and 1.2 are with tables 1 and 2; table 3 has none."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        assert self.start("", "")[0] == 200
        self.said = {table: self.given(table) for table in "12"}

    def race(self, table: str, of: str, seed: int) -> RaceDesk:
        """Begins the race that a table was given at another one, or there, and drives it to the flag."""
        given = self.said[of]
        desk = begin_race(given.setup, str(given.setup["track"]), self.folders[table], name=given.name)
        with desk:
            self.play(desk, seed)
        return desk

    def page(self, lang: str = "en") -> str:
        return asked(self.hall, "GET", f"/control?lang={lang}")[1]

    def collected(self) -> list[str]:
        """What is wrong with results, as `tournament collect` says it."""
        found: list[str] = []

        def typed() -> bool:
            words = ["--data", str(self.folder), "--lang", "en", "tournament", "collect"]
            done = CliRunner().invoke(companion, words)
            found[:] = done.output.splitlines()
            return "another program" not in str(done.exception)

        until(typed)
        return found

    def decide(self, path: str, desk: RaceDesk, **said: str) -> tuple[int, str]:
        end = next(entry for entry in reversed(self.hall.control.entries(desk.history.log_id)))
        return asked(
            self.hall, "POST", path, {"log": desk.history.log_id, "hash": end.hash.hex(), **said}, self.codes[0]
        )


@pytest.fixture(scope="module")
def contested(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Contested]:
    with unhurried():
        made = Contested(tmp_path_factory.mktemp("hall"))
        yield made
        made.close()


def test_the_result_of_another_table_is_no_result(contested: Contested) -> None:
    """One story: a table sends the result of a race that it was not given, before and after the one that was."""
    forged = contested.race("3", "1", 5)
    until(lambda: "Result of 1.1: decide" in contested.page())
    assert "1.1" not in contested.record.results
    assert "Table 1 was given this race." in contested.page()
    assert "à décider" in contested.page("fr")
    assert 'data-race="1.1"' in contested.page(), "it keeps nobody from the race"
    assert any("Table 3 sent a result of 1.1" in line for line in contested.collected())
    assert asked(contested.hall, "POST", "/take", {"log": "x", "hash": "y", "text": "z"}, contested.codes[0])[0] == 409
    assert asked(contested.hall, "POST", "/keep", {"log": "x", "hash": "y"})[0] == 401

    assert contested.decide("/keep", forged)[0] == 200
    until(lambda: "Result of 1.1: decide" not in contested.page())

    contested.race("1", "1", 1)
    assert contested.filed("1.1").versions[0].signed.by == "program"

    contested.race("2", "2", 2)
    first = contested.filed("1.2")
    assert first.log is not None
    assert first.log.table == "2"
    other = contested.race("3", "2", 9)
    until(lambda: "Two results have come, and they differ." in contested.page())
    assert "Table 2, here first" in contested.page()
    assert any("Table 3 sent another result of 1.2" in line for line in contested.collected())
    assert contested.record.results["1.2"].lines == first.lines
    assert contested.decide("/take", other, text="Table 2 drove the wrong setup")[0] == 200
    filed = contested.record.results["1.2"]
    assert (filed.versions[-1].signed.by, filed.versions[-1].signed.act.why) == ("Jo", "Table 2 drove the wrong setup")
    assert filed.lines != first.lines
    until(lambda: "decide" not in contested.page())
    assert contested.decide("/take", other, text="again")[0] == 409
