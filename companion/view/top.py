"""The bar at the top: lap, round, sky, and what must not be forgotten."""

from __future__ import annotations

from companion.view.sections import of_sections
from companion.view.shown import Price, TopBar
from companion.view.sight import Sight


def top(sight: Sight) -> TopBar:
    """Lap of the leader, round, sky and surface, and the marks that stay."""
    race, by_turns = sight.race, of_sections(sight)
    lap = max((car.lap for car in race.cars), default=0)
    return TopBar(
        lap="" if by_turns else str(min(max(lap, 1), race.laps)),
        laps="" if by_turns else str(race.laps),
        round=str(race.round) if race.round else "–" if by_turns else "",
        rounds=str(race.laps) if by_turns else "",
        counted=sight.say("top.round"),
        sky=sight.words.word("sky", race.sky).capitalize() if race.sky else "",
        sky_icon=race.sky,
        surface=sight.say("top.surface", surface=race.surface) if race.surface else "",
        wet=race.surface == "wet",
        marks=marks(sight),
    )


def marks(sight: Sight) -> tuple[Price, ...]:
    """Entries that are not on the disk, and rulings that are disputed."""
    found = []
    if unsaved := sight.desk.unsaved:
        found.append(Price(text=sight.say("top.unsaved", count=unsaved), icon="storage", tone="bad"))
    if disputed := len(sight.desk.open_disputes()):
        found.append(Price(text=sight.say("top.disputed", count=disputed), icon="flag", tone="info"))
    return tuple(found)
