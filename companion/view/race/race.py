"""The race screen assembled, with its top bar."""

from __future__ import annotations

from companion.view.consequences import summed
from companion.view.race import card, weather
from companion.view.race.attack import attack, sight_target
from companion.view.race.board import board
from companion.view.race.contest import contest
from companion.view.race.dashboard import dashboard
from companion.view.race.order import order, teams
from companion.view.race.pits import lane, pits
from companion.view.race.prompt import prompt
from companion.view.race.queue import bands, tests
from companion.view.race.rolls import rolls
from companion.view.race.sections import of_sections
from companion.view.race.toast import toast
from companion.view.shown import Price, TopBar
from companion.view.shown_race import RaceShown
from companion.view.sight import Sight


def race(sight: Sight) -> RaceShown:
    """Return the race screen."""
    asks = prompt(sight)
    key = asks.keys[asks.chosen] if asks.chosen >= 0 else None
    option = sight.option(key.answer) if key is not None else None
    wear = option.wear if option is not None else {}
    foreseen = card.before(sight, key) if key is not None else None
    if key is not None and key.accept and sight.ahead is not None and sight.asked is not None:
        own = [ruling for ruling in sight.ahead.to_the_end(key.answer) if ruling.car == sight.asked.car]
        wear = summed(own)
    given = (card.after(sight) or weather.card(sight)) if foreseen is None else None
    return RaceShown(
        top=top(sight),
        order=order(sight),
        teams=teams(sight),
        prompt=asks,
        board=board(sight, asks),
        dashboard=dashboard(sight, wear),
        card=foreseen or given,
        risk=rolls(sight, asks),
        tests=tests(sight, asks.keys),
        skies=weather.skies(sight, bands(sight.asked, asks.keys)),
        attack=attack(sight, asks),
        aim=sight_target(sight),
        pits=pits(sight),
        lane=lane(sight),
        contest=contest(sight),
        toast=toast(sight) if given is None and sight.asked is not None else None,
    )


# -- the bar at the top: lap, round, sky, and what must not be forgotten


def top(sight: Sight, *, disputes: bool = True) -> TopBar:
    """Return the top bar: lap of the leader, round, weather, surface and marks.

    Spectators do not see open `disputes`.
    """
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
        marks=marks(sight, disputes=disputes),
    )


def marks(sight: Sight, *, disputes: bool) -> tuple[Price, ...]:
    """Return marks for unsaved entries and open disputes."""
    found = []
    if unsaved := sight.desk.unsaved:
        found.append(Price(text=sight.say("top.unsaved", count=unsaved), icon="storage", tone="bad"))
    if disputes and (disputed := len(sight.desk.open_disputes())):
        found.append(Price(text=sight.say("top.disputed", count=disputed), icon="flag", tone="info"))
    return tuple(found)
