"""What stands beside a race: the tournament or season that it counts for, here, or race control of the hall that its
table is in; what is to be read there, and when two people had confirmed its result."""

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
from companion.view.commissioner.in_hall import given_tables
from companion.view.commissioner.listings import Listing, Listings
from companion.wording import Words


class InHall(NamedTuple):
    """A hall that a table is in: the folder in which race control's own words lie, the address of its page, and
    what the table is called there."""

    words: Path
    page: str
    table: str = ""


class Beside(NamedTuple):
    """Where to look: in which folder for which record and table or race of it, and in which hall."""

    folder: Path
    event: tuple[str, str] | None
    hall: InHall | None

    @property
    def there(self) -> bool:
        """Whether there is anything."""
        return self.event is not None or self.hall is not None

    def listing(self, kind: str, lang: str) -> Listing | None:
        """The tables or the standings: of the tournament, for a season its calendar; without one here the tables are
        those of the hall. None where there is nothing yet."""
        if (record := self._record()) is not None:
            calendar = kind == "tables" and isinstance(record, Season)
            try:
                return Listings(record, Words(lang)).made("calendar" if calendar else kind)
            except CompanionError:
                return None
        control = self._control(self.hall.words) if self.hall is not None else None
        return given_tables(control, Words(lang)) if control is not None and kind == "tables" else None

    def official(self, log: Sequence[Entry]) -> str | None:
        """At what time of day two people had confirmed the result that the log of the race came to; "" while they have
        not, None where nobody confirms it."""
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
        """Whether the race may be followed by other programs: one that counts, once race control allows it."""
        if self.event is None:
            return True
        control = self._control(self.hall.words if self.hall is not None else self.folder)
        return control is not None and control.allows_feed(self.hall.table if self.hall is not None else "")

    def standings(self, lang: str) -> Listing | None:
        """The standings of the tournament or season that the race counts for, else of the last one here."""
        with contextlib.suppress(CompanionError):
            if (record := self._record()) is None:
                with reading(self.folder) as db:
                    last = next(logs(db, (Tournament.KIND, Season.KIND)), None)
                record = self._organised(last.log_id) if last is not None else None
            return Listings(record, Words(lang)).made("standings") if record is not None else None
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
