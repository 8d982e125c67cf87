"""The surroundings of a race: its tournament or season, or the hall its table is in.

They provide lists to read, and the time at which two people had confirmed the result.
"""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from companion.rules.conversation.errors import CompanionError
from companion.sheets.entry import Entry
from companion.sheets.reading import logs, reading
from companion.sheets.records import kept_record, last_record
from companion.sheets.wall_clock import hour
from companion.tournament.control import Control
from companion.tournament.results import Filed
from companion.tournament.season import Season
from companion.tournament.tournament import Tournament
from companion.view.events.in_hall import given_tables
from companion.view.events.listings import Listings
from companion.view.listing import Listing
from companion.wording import Words


class InHall(NamedTuple):
    """A hall that a table has joined.

    `words` is the folder of race control's own log, `page` the address of its page, `table` the table's name there.
    """

    words: Path
    page: str
    table: str = ""


class RaceContext(NamedTuple):
    """The folder, record and hall in which to look up the surroundings of a race."""

    folder: Path
    event: tuple[str, str] | None
    hall: InHall | None

    @property
    def there(self) -> bool:
        """Return True if the race belongs to an event or a hall."""
        return self.event is not None or self.hall is not None

    def listing(self, kind: str, lang: str) -> Listing | None:
        """Return the tables or standings of the event, or None if there are none yet.

        A season has its calendar in place of tables; without an event here the tables are those of the hall.
        """
        if (record := self._record()) is not None:
            calendar = kind == "tables" and isinstance(record, Season)
            try:
                return Listings(record, Words(lang)).make("calendar" if calendar else kind)
            except CompanionError:
                return None
        control = self._control(self.hall.words) if self.hall is not None else None
        return given_tables(control, Words(lang)) if control is not None and kind == "tables" else None

    def official(self, log: Sequence[Entry]) -> str | None:
        """Return the time of day at which two people had confirmed this log's result.

        "" while they have not, None where nobody confirms results.
        """
        if self.event is not None and (record := self._record()) is not None:
            filed: Filed | None = record.results.filed.get(self.event[1])
            return hour(filed.confirmed.at) if filed is not None and filed.confirmed is not None else ""
        if self.hall is None or not log:
            return None
        if (control := self._control(self.hall.words)) is None or (last := control.result(log[0].log_id)) is None:
            return ""
        if last.hash != log[-1].hash.hex() or len(control.signatures(last)) < 2:
            return ""
        return next(hour(said.at) for said in reversed(control.signed) if said.act == last)

    def allows_feed(self) -> bool:
        """Return True if other programs may follow the race.

        One that counts for an event needs race control's permission.
        """
        if self.event is None:
            return True
        control = self._control(self.hall.words if self.hall is not None else self.folder)
        return control is not None and control.allows_feed(self.hall.table if self.hall is not None else "")

    def standings(self, lang: str) -> Listing | None:
        """Return the standings of the race's event, else of the last event here, or None."""
        with contextlib.suppress(CompanionError):
            if (record := self._record()) is None:
                with reading(self.folder) as db:
                    last = next(logs(db, (Tournament.KIND, Season.KIND)), None)
                record = self._organised(last.log_id) if last is not None else None
            return Listings(record, Words(lang)).make("standings") if record is not None else None
        return None

    def _record(self) -> Tournament | Season | None:
        return self._organised(self.event[0]) if self.event is not None else None

    def _organised(self, log_id: str) -> Tournament | Season | None:
        try:
            kept = kept_record(self.folder, log_id).record
        except CompanionError:
            return None
        return kept if isinstance(kept, Tournament | Season) else None

    def _control(self, folder: Path) -> Control | None:
        try:
            return last_record(folder, Control)
        except CompanionError:
            return None
