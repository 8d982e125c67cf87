"""Names of spaces as players use them: by corner, number and lane."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, TypeGuard

from companion.rules.conversation.errors import CompanionError
from companion.sheets.replay import circuit
from companion.wording import Words
from companion.wording.filling import corner_names

if TYPE_CHECKING:
    from companion.rules.circuit.track import Track
    from companion.rules.public import Board
    from companion.sheets.history import History
    from companion.sheets.sheet import RaceSheet

COORDINATE: Final = re.compile(r"(?<![\w:\"])(space |case )?(\d+:\w+:\d+)(?![\w:\"])")
"""Space by section, lane and number, with the word before it, in a sentence that came that way."""


class BoardWords(Words):
    """Words for a race on a board with known spaces."""

    def __init__(self, lang: str, rulebook: str, track: Board) -> None:
        super().__init__(lang, rulebook)
        self.track, self.corner_names = track, named_corners(track)

    def place(self, place: str | None) -> str:
        """Return a space by number, stretch of road and lane."""
        return self._called("place", place)

    def spot(self, place: str | None) -> str:
        return self._called("spot", place)

    def error(self, wrong: CompanionError) -> str:
        """Return an error's sentence, with its spaces named the same way."""
        return COORDINATE.sub(self._named, super().error(wrong))

    def _named(self, found: re.Match[str]) -> str:
        before, place = found[1] or "", found[2]
        return before + (self.spot(place) if before else self.place(place))

    def _called(self, how: str, place: str | None) -> str:
        if not place or not _on_road(self.track, place):
            return super().place(place)
        _, lane, number = place.split(":")
        where, corner = _stretch(self.track, place, self)
        return self.screen(f"{how}.{where}", corner=corner, number=number, lane=self.word("lane", lane))


def named_corners(track: Board) -> dict[int, str]:
    """Return the corners by number that have a name on a board; on a corner sheet they are spoken of by number."""
    return corner_names((one.number, one.name) for one in track.corners) if track.known == "space" else {}


def corners_of(history: History, sheet: RaceSheet) -> dict[int, str]:
    """Return the corners by number that have a name on the board of a stored race; none of one that cannot be read."""
    assert history.beginning is not None
    try:
        return named_corners(circuit(history.beginning.track, sheet.track))
    except CompanionError:
        return {}


def near(words: Words, track: Board, place: str) -> str:
    """Return the corner that a space lies in, before or after, as a short name."""
    if not _on_road(track, place):
        return words.place(place)
    where, corner = _stretch(track, place, words)
    return words.screen(f"near.{where}", corner=corner)


def _on_road(track: Board, place: str) -> TypeGuard[Track]:
    """Return True if a place is a space of a road with known spaces and corners."""
    if track.known != "space" or place not in track.ids or not track.corners:
        return False
    return track.spaces[track.ids[place]].section >= 0


def _stretch(track: Track, place: str, words: Words) -> tuple[str, str]:
    """Return where a space is ("in", "before" or "after"), and the corner.

    A straight is before the next corner; the last one is after the last corner.
    """
    section = track.spaces[track.ids[place]].section
    ahead = [one.corner for one in track.sections[section:] if one.corner is not None]
    behind = [one.corner for one in track.sections[:section] if one.corner is not None]
    corner = ahead[0] if ahead else behind[-1]
    where = "in" if track.sections[section].corner is not None else "before" if ahead else "after"
    return where, words.corner(corner.name)
