"""A circuit known to the corner: its corners in order, and no spaces."""

from types import MappingProxyType

from companion.rules.circuit.table import COMMON_KEYS, TEXTS, CircuitTable
from companion.rules.circuit.track import Corner, Track

_KEYS = {*COMMON_KEYS, "lap", "boxes", "corner"}


class CornerSheet(CircuitTable):
    """A circuit known to the corner."""

    def track(self) -> Track | None:
        self.only(self.table, _KEYS, "")
        texts = [self.text(self.table, name, "") for name in TEXTS]
        laps, weather = self.laps(), self.weather()
        corners: list[Corner] = []
        for number, table in enumerate(self.tables("corner"), 1):
            where = f"corner {number}"
            self.only(table, {"name", "stops", "shortest", "longest"}, where)
            name = self.text(table, "name", where)
            stops = self.whole(table, "stops", where, 1, 3)
            shortest, longest = self.printed_paths(table, where)
            corners.append(Corner(number, name, stops, shortest, longest, -1, -1))
        if not corners:
            self.complain("", "there is no corner; a corner sheet has a [[corner]] for each, in driving order.")
        wall = self.table.get("wall", False)
        if not isinstance(wall, bool):
            self.complain("", "wall has to be true or false on a corner sheet.")
        lap = self.whole(self.table, "lap", "", 1, 999) if "lap" in self.table else 0
        boxes = self.whole(self.table, "boxes", "", 0, 99) if "boxes" in self.table else 0
        if self.complaints:
            return None
        name, country, _, source, trust = texts
        return Track(
            key=self.key,
            name=name,
            country=country,
            known="corner",
            laps=laps,
            weather=weather,
            source=source,
            trust=trust,
            shortest_lap=lap,
            box_count=boxes,
            lanes=(),
            sections=(),
            corners=tuple(corners),
            spaces=(),
            ids=MappingProxyType({}),
            blocked=frozenset(),
            ahead=(),
            moves=(),
            back=(),
            behind=(),
            beside=(),
            place=(),
            stretch=(),
            length=0,
            corner=(),
            straight=(),
            order=(),
            line=frozenset(),
            past_limit=frozenset(),
            grid=(),
            pit=None,
            zones=(),
            wall=0 if wall else -1,
        )
