"""The table of a circuit file: what is in it for both kinds of circuit, and the complaints about it."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import TypeGuard
from unicodedata import category

from companion.rules.circuit.track import Track, Weather
from companion.rules.conversation.text import TURNING

IN_LAPS = ("competition", "cup", "league", "death")
"""The rulebooks whose races are so many laps of a circuit."""
TEXTS = ("name", "country", "known", "source", "trust")
COMMON_KEYS = {*TEXTS, "laps", "weather", "wall"}


class CircuitTable:
    """The parts that both kinds of circuit share: the table of the file, and the complaints about it."""

    def __init__(self, file: str, key: str, table: dict[str, object]) -> None:
        self.file = file
        self.key = key
        self.table = table
        self.complaints: list[str] = []

    def track(self) -> Track | None:
        raise NotImplementedError

    def complain(self, where: str, what: str) -> None:
        """Add a complaint; `where` is a section, lane and space in words, or nothing."""
        self.complaints.append(f"{self.file}, {where}: {what}" if where else f"{self.file}: {what}")

    def only(self, table: Mapping[str, object], known: set[str], where: str) -> None:
        """Complain about keys that mean nothing here."""
        for name in table:
            if name not in known:
                self.complain(where, f"{name} means nothing here; what can be said is {', '.join(sorted(known))}.")

    def text(self, table: Mapping[str, object], name: str, where: str) -> str:
        value = table.get(name)
        if isinstance(value, str) and value.strip():
            if any(category(sign) in ("Cc", "Zl", "Zp") or sign in TURNING for sign in value):
                self.complain(where, f"{name} has a line break or another control character; it has to be one line.")
            return value
        self.complain(where, f"{name} is missing or empty; it has to be some words in quotation marks.")
        return "?"

    def whole(self, table: Mapping[str, object], name: str, where: str, low: int, high: int) -> int:
        """Return a whole number that has to be there, between low and high."""
        value = table.get(name)
        if is_whole(value) and low <= value <= high:
            return value
        shown = "missing" if value is None else repr(value)
        self.complain(where, f"{name} is {shown}; it has to be a whole number from {low} to {high}.")
        return low

    def tables(self, name: str) -> list[dict[str, object]]:
        """Return the entries of an array of tables."""
        value = self.table.get(name, [])
        if isinstance(value, list) and all(isinstance(v, dict) for v in value):
            return value
        self.complain("", f"{name} has to be written as [[{name}]], one for each.")
        return []

    def laps(self) -> Mapping[str, int]:
        value = self.table.get("laps")
        if not isinstance(value, dict) or not value:
            self.complain("", "laps is missing; write the laps by rulebook, such as laps = { competition = 3 }.")
            return MappingProxyType({})
        self.only(value, set(IN_LAPS), "laps")
        return MappingProxyType({book: self.whole(value, book, "laps", 1, 99) for book in value if book in IN_LAPS})

    def weather(self) -> Weather:
        value = self.table.get("weather")
        if not isinstance(value, dict):
            self.complain(
                "",
                "weather is missing; write weather = { rain = [1, 7], changeable = [8, 12], sun = [13, 20] }.",
            )
            return Weather((1, 7), (8, 12), (13, 20))
        self.only(value, {"rain", "changeable", "sun"}, "weather")
        bands: list[tuple[int, int]] = []
        for sky in ("rain", "changeable", "sun"):
            band = value.get(sky)
            if isinstance(band, list) and len(band) == 2 and all(is_whole(v) for v in band):
                bands.append((band[0], band[1]))
            else:
                self.complain("weather", f"{sky} has to be the lowest and the highest face, such as {sky} = [1, 7].")
        if len(bands) < 3:
            return Weather((1, 7), (8, 12), (13, 20))
        for face in range(1, 21):
            times = sum(low <= face <= high for low, high in bands)
            if times != 1:
                self.complain(
                    "weather",
                    f"a {face} on the black die brings {'nothing' if not times else f'{times} skies'};"
                    " rain, changeable and sun have to cover 1 to 20 once.",
                )
                break
        else:
            if any(low > high or low < 1 or high > 20 for low, high in bands):
                self.complain("weather", "a band runs from its lowest face to its highest, between 1 and 20.")
        return Weather(*bands)

    def printed_paths(self, table: Mapping[str, object], where: str) -> tuple[int, int]:
        """Return the shortest and the longest path through a corner as printed."""
        shortest = self.whole(table, "shortest", where, 1, 60)
        longest = self.whole(table, "longest", where, 1, 60)
        if shortest > longest:
            self.complain(where, f"the shortest path, {shortest}, is longer than the longest, {longest}.")
        return shortest, longest


def is_whole(value: object) -> TypeGuard[int]:
    """Return True if a value is a whole number; true and false are not."""
    return isinstance(value, int) and not isinstance(value, bool)
