"""Spaces as people at the board call them: by the corner that they lie in or before, their number and their lane."""

from __future__ import annotations

from typing import Any

from companion.wording import Words


class BoardWords(Words):
    """Words for a race on a board whose spaces are known; elsewhere they are as everywhere."""

    def __init__(self, lang: str, rulebook: str, track: Any) -> None:
        super().__init__(lang, rulebook)
        self.track = track

    def place(self, place: str | None) -> str:
        """A space by its number, its stretch of the road and its lane."""
        if not place or not _on_road(self.track, place):
            return super().place(place)
        _, lane, number = place.split(":")
        where, corner = _stretch(self.track, place, self)
        return self.screen(f"place.{where}", corner=corner, number=number, lane=self.word("lane", lane))


def near(words: Words, track: Any, place: str) -> str:
    """The corner that a space lies in, before or after, for where there is room for no more."""
    if not _on_road(track, place):
        return words.place(place)
    where, corner = _stretch(track, place, words)
    return words.screen(f"near.{where}", corner=corner)


def _on_road(track: Any, place: str) -> bool:
    """Whether a place is a space of a road that is known to the space, with a corner to name it by."""
    if track.known != "space" or place not in track.ids or not track.corners:
        return False
    return bool(track.spaces[track.ids[place]].section >= 0)


def _stretch(track: Any, place: str, words: Words) -> tuple[str, str]:
    """Where a space is, "in", "before" or "after", and which corner: a straight leads to the next one, the last
    straight to the line."""
    section = track.spaces[track.ids[place]].section
    ahead = [one.corner for one in track.sections[section:] if one.corner is not None]
    behind = [one.corner for one in track.sections[:section] if one.corner is not None]
    corner = ahead[0] if ahead else behind[-1]
    where = "in" if track.sections[section].corner is not None else "before" if ahead else "after"
    return where, corner.name or words.place(f"corner:{corner.number}")
