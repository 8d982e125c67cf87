"""The stored races on the home screen: the open one, its cars, and who is next."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from companion.sheets.entrants import plates
from companion.view.shown import Plate, ViewModel
from companion.view.shown_board import CarMark

if TYPE_CHECKING:
    from companion.rules.circuit.track import Track
    from companion.rules.ninety.circuit import SectionTrack


class ResumableRace(ViewModel, frozen=True, kw_only=True):
    """A race that can be resumed.

    `lap` of `laps` is the leader's, or `round` of `rounds`. `next` is the car to answer, by number and name; `saved`
    the time of day of the last entry; `cars` are drawn from last to first.
    """

    log_id: str
    name: str
    circuit: str
    lap: int
    laps: int
    round: int
    rounds: int
    next: str
    saved: str
    cars: tuple[CarMark, ...]


def open_race(folder: Path) -> tuple[ResumableRace, Track | SectionTrack] | None:
    """Return the race to resume with its circuit, or None if the last one is over.

    The log is read without taking its lock. Raises CompanionError if it cannot be read.
    """
    from companion.rules.public import public
    from companion.sheets.chain import chained
    from companion.sheets.high_water import there
    from companion.sheets.history import History
    from companion.sheets.reading import entries, races, reading, snapshots, unharmed
    from companion.sheets.replay import resume_conversation, rulebook_of
    from companion.sheets.wall_clock import hour

    if not there(folder):
        return None
    with reading(folder) as db:
        unharmed(folder, db)
        listed = next(iter(races(db, most=1)), None)
        if listed is None or listed.over:
            return None
        history = History.of(chained(entries(db, listed.log_id), listed.head))
        states = snapshots(db, listed.log_id)
    rulebook, talk = resume_conversation(history, states, rulebook_of)
    race, asked = public(rulebook), talk.asked
    track = rulebook.track
    named = {car.number: car.driver for car in race.cars}
    assert history.beginning is not None
    places = {number: place for place, number in enumerate(named)} | plates(history.beginning.setup)
    asks = asked.car if asked is not None and asked.car is not None else 0
    standing = {car.number: car for car in race.cars if car.at is not None and car.standing}
    cars = tuple(
        CarMark(
            plate=Plate(number=number, place=places[number]),
            space=standing[number].at or "",
            state="playing" if number == asks else "plain",
        )
        for number in reversed(race.order)
        if number in standing
    )
    by_turns = track.known == "sections"
    shown = ResumableRace(
        log_id=listed.log_id,
        name=listed.name,
        circuit=track.name,
        lap=min(max((car.lap for car in race.cars), default=0) or 1, race.laps),
        laps=0 if by_turns else race.laps,
        round=race.round,
        rounds=race.laps if by_turns else 0,
        next=f"{asks} {named.get(asks, '')}".strip() if asks else "",
        saved=hour(listed.last),
        cars=cars,
    )
    return shown, track


def kept_races(folder: Path) -> int:
    """Return the number of stored races.

    Raises CompanionError if they cannot be read.
    """
    from companion.sheets.high_water import there
    from companion.sheets.reading import count_races, reading

    if not there(folder):
        return 0
    with reading(folder) as db:
        return count_races(db)
