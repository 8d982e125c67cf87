"""Spaces as people at the board call them: by the corner that they lie in or before, their number and their lane."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, TypeGuard

from companion.rules.conversation.errors import CompanionError
from companion.wording import Words

if TYPE_CHECKING:
    from companion.rules.circuit.track import Track
    from companion.rules.public import Board

COORDINATE: Final = re.compile(r"(?<![\w:\"])(space |case )?(\d+:\w+:\d+)(?![\w:\"])")
"""A space by its section, lane and number in a sentence that came so, with the word before it."""


class BoardWords(Words):
    """Words for a race on a board whose spaces are known; elsewhere they are as everywhere."""

    def __init__(self, lang: str, rulebook: str, track: Board) -> None:
        super().__init__(lang, rulebook)
        self.track = track

    def place(self, place: str | None) -> str:
        """A space by its number, its stretch of the road and its lane."""
        return self._called("place", place)

    def spot(self, place: str | None) -> str:
        return self._called("spot", place)

    def error(self, wrong: CompanionError) -> str:
        """What is wrong, in one sentence: a space is called there as everywhere."""
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


def near(words: Words, track: Board, place: str) -> str:
    """The corner that a space lies in, before or after, for where there is room for no more."""
    if not _on_road(track, place):
        return words.place(place)
    where, corner = _stretch(track, place, words)
    return words.screen(f"near.{where}", corner=corner)


def _on_road(track: Board, place: str) -> TypeGuard[Track]:
    """Whether a place is a space of a road that is known to the space, with a corner to name it by."""
    if track.known != "space" or place not in track.ids or not track.corners:
        return False
    return track.spaces[track.ids[place]].section >= 0


def _stretch(track: Track, place: str, words: Words) -> tuple[str, str]:
    """Where a space is, "in", "before" or "after", and which corner: a straight leads to the next one, the last
    straight to the line."""
    section = track.spaces[track.ids[place]].section
    ahead = [one.corner for one in track.sections[section:] if one.corner is not None]
    behind = [one.corner for one in track.sections[:section] if one.corner is not None]
    corner = ahead[0] if ahead else behind[-1]
    where = "in" if track.sections[section].corner is not None else "before" if ahead else "after"
    return where, words.corner(corner.name)
