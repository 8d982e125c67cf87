"""A tournament or a season by lines: one JSON object in, one out. `companion tournament lines`, `companion season
lines`."""

from __future__ import annotations

import json
from typing import Any

import msgspec

from companion.desk.organising import Organised, collect, kept_log, race_setup, result_act
from companion.protocol.fields import Line
from companion.rules.conversation.errors import BadEntry, CompanionError
from companion.sheets.records import read_act
from companion.strict_json import read
from companion.tournament.record import Act
from companion.tournament.tournament import Tournament
from companion.view.listings import Listings, as_data
from companion.wording import Words


class RecordLines:
    """A record by lines. `say(line)` gives the line that answers it; `open` is False once it was told to quit. What is
    wrong is an error line, and nothing has changed then."""

    def __init__(self, desk: Organised, words: Words, by: str) -> None:
        self.desk, self.words, self.by, self.open = desk, words, by, True

    def say(self, line: bytes) -> list[Line]:
        """The answer to a line; none to an empty one."""
        if not line.strip():
            return []
        try:
            said = read(line)
            if not isinstance(said, dict):
                raise BadEntry("A line is an object, such as an act or a list that is wanted.")
            return [self._answer(said)]
        except CompanionError as wrong:
            return [{"error": self.words.error(wrong)}]

    def _answer(self, said: dict[str, Any]) -> Line:
        by, why = text_of(said, "by") or self.by, text_of(said, "why")
        if "act" in said:
            act = {name: value for name, value in said.items() if name != "by"}
            return self._done(read_act(type(self.desk.record), json.dumps(act)), by)
        if "list" in said:
            return as_data(Listings(self.desk.record, self.words).made(text_of(said, "list"), text_of(said, "of")))
        if "setup" in said:
            return {"setup": race_setup(self.desk, text_of(said, "setup"))}
        if "result" in said:
            log = kept_log(self.desk.log.folder, text_of(said, "race") or "last")
            return self._done(result_act(text_of(said, "result"), log), by)
        if "seed" in said and isinstance(self.desk.record, Tournament):
            return self._done(self._seeded(said["seed"]), by)
        if said.get("collect") is True:
            came, wrong = collect(self.desk)
            return {"collected": came, "wrong": [self.words.error(one) for one in wrong]}
        if said.get("undo") is True:
            return {"undone": self.desk.undo(by=by, why=why).seq}
        if said.get("quit") is True:
            self.open = False
            return {"end": len(self.desk.record.log)}
        raise BadEntry("A line is an act, or asks for list, seed, setup, result, collect, undo or quit.")

    def _done(self, act: Act, by: str) -> Line:
        done = self.desk.act(act, by=by)
        return {"entry": done.seq, "by": done.by, "at": done.at, **msgspec.to_builtins(done.act)}

    def _seeded(self, how: Any) -> Act:
        """The seeding that the rules propose."""
        record = self.desk.record
        assert isinstance(record, Tournament)
        try:
            wanted = msgspec.json.decode(json.dumps(how))
            return record.seeding(**wanted)
        except TypeError:
            raise BadEntry("A seeding says tables or sizes, way, source, first, final, track, laps, again.") from None


def text_of(said: dict[str, Any], name: str) -> str:
    """A text of a line, empty if it is not there; raises BadEntry for anything else."""
    value = said.get(name, "")
    if not isinstance(value, str):
        raise BadEntry(f"{name} is a text in quotes.")
    return value
