"""The table of a circuit file: what is in it for both kinds of circuit, and the complaints about it."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import TypeGuard

from companion.rules.circuit.track import Track, WeatherChart
from companion.rules.conversation.errors import BadTrack
from companion.rules.conversation.text import CONTROL, TURNING

IN_LAPS = ("competition", "cup", "league", "death")
"""Rulebooks whose races take a number of laps of a circuit."""
TEXTS = ("name", "country", "known", "source", "trust")
COMMON_KEYS = {*TEXTS, "laps", "weather", "wall"}


def first_of(complaints: Sequence[BadTrack]) -> BadTrack:
    """Return the error of a circuit with complaints: the first, and how many more there are."""
    first, *more = complaints
    return BadTrack("circuit.first_of", complaint=first, n=len(more)) if more else first


class CircuitTable:
    """The parts that both kinds of circuit share: the table of the file, and the complaints about it."""

    def __init__(self, file: str, key: str, table: dict[str, object]) -> None:
        self.file = file
        self.key = key
        self.table = table
        self.complaints: list[BadTrack] = []

    def track(self) -> Track | None:
        raise NotImplementedError

    def complain(self, where: str, kind: str, **facts: object) -> None:
        """Add a complaint; `where` is a section, lane and space in words, or nothing."""
        self.complaints.append(BadTrack(kind, where=where, **facts).at(self.file))

    def only(self, table: Mapping[str, object], known: set[str], where: str) -> None:
        """Complain about keys that mean nothing here."""
        for name in table:
            if name not in known:
                self.complain(where, "circuit.unknown", name=name, known=", ".join(sorted(known)))

    def text(self, table: Mapping[str, object], name: str, where: str) -> str:
        value = table.get(name)
        if isinstance(value, str) and value.strip():
            if CONTROL.search(value) or not TURNING.isdisjoint(value):
                self.complain(where, "circuit.text_break", name=name)
            return value
        self.complain(where, "circuit.text_missing", name=name)
        return "?"

    def whole(self, table: Mapping[str, object], name: str, where: str, low: int, high: int) -> int:
        """Return a whole number that has to be there, between low and high."""
        value = table.get(name)
        if is_whole(value) and low <= value <= high:
            return value
        shown = "missing" if value is None else repr(value)
        self.complain(where, "circuit.whole", name=name, value=shown, low=low, high=high)
        return low

    def tables(self, name: str) -> list[dict[str, object]]:
        """Return the entries of an array of tables."""
        value = self.table.get(name, [])
        if isinstance(value, list) and all(isinstance(v, dict) for v in value):
            return value
        self.complain("", "circuit.tables", name=name, table=name)
        return []

    def laps(self) -> Mapping[str, int]:
        value = self.table.get("laps")
        if not isinstance(value, dict) or not value:
            self.complain("circuit.laps_missing", "circuit.laps_missing")
            return MappingProxyType({})
        self.only(value, set(IN_LAPS), "laps")
        return MappingProxyType({book: self.whole(value, book, "laps", 1, 99) for book in value if book in IN_LAPS})

    def weather(self) -> WeatherChart:
        value = self.table.get("weather")
        if not isinstance(value, dict):
            self.complain(
                "",
                "circuit.weather_missing",
            )
            return WeatherChart((1, 7), (8, 12), (13, 20))
        self.only(value, {"rain", "changeable", "sun"}, "weather")
        bands: list[tuple[int, int]] = []
        for sky in ("rain", "changeable", "sun"):
            band = value.get(sky)
            if isinstance(band, list) and len(band) == 2 and all(is_whole(v) for v in band):
                bands.append((band[0], band[1]))
            else:
                self.complain("weather", "circuit.sky_form", sky=sky, example=sky)
        if len(bands) < 3:
            return WeatherChart((1, 7), (8, 12), (13, 20))
        for face in range(1, 21):
            times = sum(low <= face <= high for low, high in bands)
            if times != 1:
                self.complain(
                    "weather",
                    "circuit.weather_cover",
                    face=face,
                    skies="nothing" if not times else f"{times} skies",
                )
                break
        else:
            if any(low > high or low < 1 or high > 20 for low, high in bands):
                self.complain("weather", "circuit.weather_band")
        return WeatherChart(*bands)

    def printed_paths(self, table: Mapping[str, object], where: str) -> tuple[int, int]:
        """Return the shortest and the longest path through a corner as printed."""
        shortest = self.whole(table, "shortest", where, 1, 60)
        longest = self.whole(table, "longest", where, 1, 60)
        if shortest > longest:
            self.complain(where, "circuit.paths", shortest=shortest, longest=longest)
        return shortest, longest


def is_whole(value: object) -> TypeGuard[int]:
    """Return True if a value is a whole number; true and false are not."""
    return isinstance(value, int) and not isinstance(value, bool)
