"""Tournaments and seasons in JSON lines, one object in and one out.

For `companion tournament lines` and `companion season lines`.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Annotated

import msgspec

from companion.desk.organising import OrganisedDesk, kept_log, race_setup, result_act
from companion.protocol.act_lines import ActLines, act_line, text_of
from companion.protocol.fields import Line
from companion.rules.conversation.asking import Json
from companion.rules.conversation.errors import BadEntry, CompanionError
from companion.rules.conversation.overriding import override
from companion.rules.conversation.typed import converted
from companion.sheets.records import read_act
from companion.tournament.seeding import Deal
from companion.tournament.tournament import From, Seeded, Tournament
from companion.view.events.listings import Listings
from companion.view.formats import as_data
from companion.wording import Words


class SeedingRequest(msgspec.Struct, forbid_unknown_fields=True):
    """A requested seeding.

    `tables` is the number of tables, or `sizes` the size of each; `way` and `source` are how and from what drivers are
    dealt, `first` how many of them. `final` marks the final; `track` and `laps` are its race. `again` deals the last
    round again, alone or with a `way`, from its former source.
    """

    tables: int = 0
    sizes: tuple[int, ...] = ()
    way: Deal | None = None
    source: From | None = None
    first: Annotated[int, msgspec.Meta(ge=0)] = 0
    final: bool = False
    track: str = ""
    laps: int = 0
    again: bool = False


class RecordLines(ActLines):
    """A record in JSON lines.

    `collected` takes in everything that is over; it returns the number of trial times, the results, and the errors of
    others.
    """

    def __init__(
        self,
        desk: OrganisedDesk,
        words: Words,
        by: str,
        collected: Callable[[OrganisedDesk], tuple[int, list[str], list[CompanionError]]],
    ) -> None:
        super().__init__(words, by)
        self.desk, self._collected = desk, collected

    @override
    def answer(self, said: dict[str, Json]) -> Line:
        by, why = text_of(said, "by") or self.by, text_of(said, "why")
        if "act" in said:
            act = {name: value for name, value in said.items() if name != "by"}
            return act_line(self.desk.act(read_act(type(self.desk.record), json.dumps(act)), by=by))
        if "list" in said:
            return as_data(Listings(self.desk.record, self.words).make(text_of(said, "list"), text_of(said, "of")))
        if "setup" in said:
            return {"setup": race_setup(self.desk, text_of(said, "setup"), by=by, why=why)}
        if "result" in said:
            log = kept_log(self.desk.log.folder, text_of(said, "race") or "last")
            return act_line(self.desk.act(result_act(text_of(said, "result"), log), by=by))
        if "seed" in said and isinstance(self.desk.record, Tournament):
            return act_line(self.desk.act(self._seeded(said["seed"], why), by=by))
        if said.get("collect") is True:
            times, came, wrong = self._collected(self.desk)
            return {"collected": came, "times": times, "wrong": [self.words.error(one) for one in wrong]}
        if said.get("undo") is True:
            return {"undone": self.desk.undo(by=by, why=why).seq}
        if said.get("quit") is True:
            return self.quit(len(self.desk.record.log))
        asked = "list, seed, setup" if isinstance(self.desk.record, Tournament) else "list, setup"
        raise BadEntry("act_line", asked=asked)

    def _seeded(self, how: Json, why: str) -> Seeded:
        """Return the seeding that the rules propose for a request. Raises BadEntry."""
        record = self.desk.record
        assert isinstance(record, Tournament)
        try:
            wanted = converted(how, SeedingRequest)
        except msgspec.ValidationError:
            raise BadEntry("seeding_keys") from None
        if wanted == SeedingRequest(way=wanted.way, again=True):
            return record.seeding_again(wanted.way, why)
        how = {name: value for name, value in msgspec.structs.asdict(wanted).items() if value is not None}
        return record.seeding(**how, why=why)
