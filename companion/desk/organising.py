"""An organiser's work beside the record itself.

It begins a tournament or season on circuits that are there, starts its races, and takes their results out of their
logs, here, from a file or from a stick.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Final, TypeVar

import msgspec

from companion import circuits, whole_file
from companion.desk.beginning import begin_race
from companion.desk.begun import BegunRace, begun_in
from companion.desk.race_desk import RaceDesk
from companion.desk.record_desk import RecordDesk
from companion.house_rules import HouseRules
from companion.rules.conversation.asking import Json
from companion.rules.conversation.errors import BadEntry, CompanionError, LogError
from companion.rules.league import League
from companion.rules.rulebooks import begin, named, weather_of
from companion.sheets.build_sheet import race_sheet
from companion.sheets.chain import chained, from_elsewhere
from companion.sheets.entry import Entry
from companion.sheets.high_water import read_mark, whole
from companion.sheets.history import History
from companion.sheets.lines import filed
from companion.sheets.place import COPIES, database_exists, sticks
from companion.sheets.reading import entries, listed, log_ids, reading, sought
from companion.sheets.records import explain_missing, kept_record, none_yet, records
from companion.sheets.sheet import CarSheet, RaceSheet
from companion.tournament import season, tournament
from companion.tournament.organised import Organised
from companion.tournament.results import Reference, Result, ResultLine
from companion.tournament.season import Gridded, Season
from companion.tournament.seeding import LEAST
from companion.tournament.standings import without_trailing_zeros
from companion.tournament.statistics import CircuitRecord, HeldRace, TrialLap, circuit_records
from companion.tournament.tournament import Tournament
from companion.tournament.trials import Trials
from companion.tournament.weather import Drawn, sky_of

B = TypeVar("B", bound=tournament.TournamentBegun | season.SeasonBegun)
OrganisedDesk = RecordDesk[Tournament] | RecordDesk[Season]
PROGRAM: Final = "program"
"""Author of results that come back automatically."""
PUT_RIGHT: Final = "The table has put it right."
"""Reason recorded for a time that replaces an earlier one."""
ENTRANT_LIST_SUFFIXES: Final = (".csv", ".txt")
"""Suffixes of files that may hold a list of entrants."""


# -- the beginning


def begin_tournament(folder: Path, begun: tournament.TournamentBegun, *, by: str) -> RecordDesk[Tournament]:
    """Begin a tournament; raise CompanionError if its circuit or rulebook is not there."""
    return RecordDesk.begin(folder, Tournament, begun, by=by)


def begin_season(folder: Path, begun: season.SeasonBegun, *, by: str) -> RecordDesk[Season]:
    """Begin a season; raise CompanionError if a circuit or rulebook of its calendar is not there."""
    return RecordDesk.begin(folder, Season, begun, by=by)


def usual_points(rulebook: str) -> tuple[int, ...]:
    """Return the points that a rulebook gives by place, as far as the last place with points."""
    return without_trailing_zeros(named(rulebook).figures_type().points)


def usual_season(rulebook: str, name: str, calendar: tuple[season.Stage, ...]) -> season.SeasonBegun:
    """Return a season with the points of its rulebook, and with the league's sizes if it is the league's.

    Others than the league may have as many races, drivers and team-mates as they like.
    """
    kind = named(rulebook)
    if issubclass(kind, League):
        figures = kind.figures_type()
        return season.SeasonBegun(
            name=name, calendar=calendar, rulebook=rulebook, points=figures.points, drivers=figures.racers,
            team=figures.team_racers, races=figures.season_races,
        )  # fmt: skip
    return season.SeasonBegun(
        name=name, calendar=calendar, rulebook=rulebook, points=usual_points(rulebook), drivers=0, team=0,
        races=0,
    )  # fmt: skip


SIZES: Final = {"points": "points", "racers": "drivers", "team_racers": "team", "season_races": "races"}
"""Figures of a rulebook that its tournament or season begins with, rather than a race, with their fields there."""


def by_house(begun: B, rules: HouseRules) -> B:
    """Return a tournament or season of their rulebook by house rules, with their points and sizes."""
    there = begun.__struct_fields__
    said = {field: rules.options[name] for name, field in SIZES.items() if name in rules.options and field in there}
    if "points" in said:
        said["points"] = tuple(said["points"])
    options = {name: value for name, value in rules.options.items() if SIZES.get(name) not in there}
    return msgspec.structs.replace(begun, rulebook=rules.rulebook, options=options, **said)


# -- lists of entrants in files


def entry_lists(folder: Path) -> list[Path]:
    """Return the files that may hold a list of entrants, the one last written first.

    They lie beside the races, and on every stick or in a folder of it.
    """
    found: set[Path] = set()
    for place, patterns in ((folder, ("*",)), *((stick, ("*", "*/*")) for stick in sticks())):
        for pattern in patterns:
            with contextlib.suppress(OSError):
                found |= {
                    path
                    for path in place.glob(pattern)
                    if path.suffix.lower() in ENTRANT_LIST_SUFFIXES and path.is_file()
                }
    return sorted(found, key=lambda path: (-path.stat().st_mtime, path.name))


def entry_list(path: Path) -> str:
    """Return the text of a list of entrants in a file; raise LogError."""
    try:
        whole_file.must_be_plain(path)
        made = path.read_bytes()[: whole_file.MOST]
    except OSError as wrong:
        raise LogError("log_unread", path=path.name, why=wrong.strerror) from None
    return list_text(made, path.name)


def list_text(made: bytes, name: str) -> str:
    """Return the text of a list of entrants, also as older spreadsheets write it.

    Raises LogError for a spreadsheet itself.
    """
    if b"\0" in made:
        raise LogError("no_text", path=name)
    with contextlib.suppress(UnicodeDecodeError):
        return made.decode()
    return made.decode("cp1252", errors="replace")


# -- trials and weather


def times_of(record: Tournament, folder: Path, word: str, why: str) -> tournament.TimesTaken:
    """Return the times of a stored session of trials, here or on a stick, for a tournament; raise LogError.

    They are those of all drivers who have not withdrawn from it.
    """
    trials, log = _kept_trials(folder, word)
    found = tuple(
        tournament.TrialTime(driver, session, trials.runs[driver][session])
        for driver in trials.drivers
        if driver not in record.field.gone
        for session in sorted(trials.runs[driver])
    )
    return tournament.TimesTaken(times=found, log=log, why=why)


def fresh_times(record: Tournament, folder: Path, word: str) -> tournament.TimesTaken:
    """Those of them that are not in the tournament yet, or have been put right at the table since; raises LogError."""
    trials, log = _kept_trials(folder, word)
    found = tuple(record.fresh(trials))
    again = any(one.session in record.times.get(one.driver, {}) for one in found)
    return tournament.TimesTaken(times=found, log=log, why=PUT_RIGHT if again else "")


def _kept_trials(folder: Path, word: str) -> tuple[Trials, Reference]:
    stored = kept_record(folder, word, Trials.KIND)
    trials = stored.record
    assert isinstance(trials, Trials)
    return trials, Reference(stored.listed.log_id, trials.name, len(trials.log), stored.digest)


def weather_from_die(desk: OrganisedDesk, face: int, *, session: int = 0, round_: int = 0, why: str = "") -> Drawn:
    """Return the weather that a face of the black die brings on the tournament's circuit.

    Raises BadEntry for a face that the die does not have, and for a circuit without weather [2-0-1].
    """
    record = desk.record
    assert isinstance(record, Tournament)
    track = record.rounds[round_].track if round_ in record.rounds else record.begun.track
    board = circuits.board(track)
    if weather_of(record.begun.rulebook, board, record.begun.options) is None:
        raise BadEntry("no_weather", rulebook=record.begun.rulebook, track=board.name)
    return Drawn(sky=sky_of(board, face), face=face, session=session, round=round_, why=why)


def trials_grid(desk: RecordDesk[Season], number: int, word: str, why: str) -> Gridded:
    """Return the grid of a season's race from a stored session of trials.

    Drivers who did not drive there stand behind, by number.
    """
    trials = kept_record(desk.log.folder, word, Trials.KIND).record
    assert isinstance(trials, Trials)
    drivers = desk.record.drivers(number)
    timed = [driver for driver in trials.ranking() if driver in drivers]
    order = (*timed, *(driver for driver in drivers if driver not in timed))
    return Gridded(race=number, order=order, rule="trials", why=why)


# -- the races


def race_setup(desk: OrganisedDesk, key: str, *, by: str = "", why: str = "") -> dict[str, Json]:
    """Return the setup of a table's or season's race, as `companion race --setup` takes it.

    With the reason `why` a round whose seats are no longer true stays as it is. Raises CompanionError if no race can
    begin.
    """
    must_know_wear(desk.record, key, [race.key for race in begun_in(desk.log.folder, desk.log_id)])
    if why.strip() and isinstance(record := desk.record, Tournament):
        record.seated(key)
        number = int(key.partition(".")[0])
        if record.seed_changes(number).any:
            desk.act(tournament.Upheld(round=number, why=why), by=by)
    return setup_of(desk.record, desk.log_id, key)


def setup_of(record: Tournament | Season, log_id: str, key: str) -> dict[str, Json]:
    """Return the setup of a race from a record that is only read, by the id of its log.

    The weather is the same at every table: where a round has several it comes before their races [2-0-1, 3-2-2, 3-2-3].
    """
    said = record.setup(key) if isinstance(record, Tournament) else record.setup(_number(key))
    fields = named(said["rulebook"]).race_type.__struct_fields__
    said = {name: value for name, value in said.items() if name not in ("sky", "surface", "grid") or name in fields}
    said["event"] = {"log": log_id, "race": key}
    if isinstance(record, Season) and record.begun.carried:
        said["event"]["carried"] = True
    if len(said["cars"]) < LEAST:
        raise BadEntry("few_drivers", race=key)
    board = circuits.board(str(said["track"]))
    if (
        isinstance(record, Tournament)
        and "sky" not in said
        and weather_of(record.begun.rulebook, board, record.begun.options) is not None
    ):
        number = int(key.partition(".")[0])
        if len(record.rounds[number].tables) > 1:
            raise BadEntry("not_drawn", round=number)
    begin(said, board)
    return said


def must_know_wear(record: Tournament | Season, key: str, begun: Iterable[str]) -> None:
    """Raise BadEntry while one of the `begun` races has no result, if its wear is carried into another one."""
    if not isinstance(record, Season) or not record.carries_wear(_number(key)):
        return
    for other in begun:
        if other != key and record.race(_number(other)).state == "to_come":
            raise season.unknown_wear(int(key), int(other))


def _number(key: str) -> int:
    if not key.isdecimal():
        raise BadEntry("no_stage", key=key)
    return int(key)


def start_race(desk: OrganisedDesk, key: str, *, by: str = "", why: str = "") -> RaceDesk:
    """Begin the race of a table or a season's race, under the name of both; `collect` takes its result.

    `why` is the reason where the seats of the round are no longer true. Raises BadEntry if it was begun already,
    BadSetup, NotSaved.
    """
    if (begun := begun_race(desk, key)) is not None:
        raise begun.refusal
    said = race_setup(desk, key, by=by, why=why)
    return begin_race(said, str(said["track"]), desk.log.folder, name=f"{desk.record.name} {key}")


def draw_grid(desk: RecordDesk[Season], number: int, rng: Random, *, why: str = "") -> Gridded:
    """Return the grid of a season's race by the black die, which the program rolls.

    All drivers roll for a grid that is drawn, those who were not in the race run last for one that is turned round;
    ties roll again.
    """
    record = desk.record
    drivers = record.drivers(number)
    faces = _faces(drivers, rng)
    if record.rule(number) == "reverse" and not why:
        if (order := record.reversed_grid(number, faces)) is not None:
            return Gridded(race=number, order=tuple(order), rule="reverse", faces=faces)
        raise BadEntry("no_grid", race=number)
    order = sorted(drivers, key=lambda driver: -faces[str(driver)])
    return Gridded(race=number, order=tuple(order), rule="random", faces=faces, why=why)


def _faces(drivers: Sequence[int], rng: Random) -> dict[str, int]:
    """Return a face of the black die for each driver, equal ones rolled again.

    Up to twenty drivers have faces of their own.
    """
    if len(drivers) > 20:
        return {str(driver): face for face, driver in enumerate(rng.sample(drivers, len(drivers)), 1)}
    return {str(driver): face for driver, face in zip(drivers, rng.sample(range(1, 21), len(drivers)), strict=True)}


# -- the results


def result_of(log: Sequence[Entry]) -> tuple[tuple[ResultLine, ...], Reference]:
    """Return the result of the log of a race, in the order of its classification, and the reference to it.

    Raises LogError for a log that was changed, BadEntry for a race that is still running.
    """
    whole_log = list(chained(log))
    history = History.of(whole_log)
    try:
        sheet = race_sheet(history)
        assert history.beginning is not None
        lines = tuple(_lines(sheet, history.beginning.setup))
    except (LookupError, TypeError, ValueError, AttributeError, AssertionError):  # it may be from anywhere
        raise LogError("no_sense") from None
    if sheet.result is None:
        raise BadEntry("running", race=sheet.name)
    reference = Reference(
        sheet.log_id, sheet.name, whole_log[-1].seq, whole_log[-1].hash.hex(), _seconds(whole_log)
    )  # fmt: skip
    return lines, reference


def _seconds(log: Sequence[Entry]) -> int:
    """Return how long a race took by the machines' own clocks: the one on the wall may be corrected during it."""
    steps = (then.at_mono_ns - one.at_mono_ns for one, then in pairwise(log) if one.boot_id == then.boot_id)
    return sum(max(step, 0) for step in steps) // 1_000_000_000


def _lines(sheet: RaceSheet, setup: Mapping[str, Json]) -> list[ResultLine]:
    """Return the lines of a result; a car that the race of cards has added is a bot."""
    drivers = {car["car"] for car in setup["cars"] if not car.get("bot")}
    gone = {retirement.car: retirement for retirement in sheet.retirements}
    grid = {car: place for place, car in enumerate(sheet.rounds[0].order, 1)} if sheet.rounds else {}
    carried = "carried" in setup.get("event", {})
    lines = []
    for row in sheet.result or []:
        number = int(row["car"])
        car, out = sheet.car(number), gone.get(number)
        lines.append(
            ResultLine(
                number if number in drivers else 0,
                row["place"],
                cause=out.cause if out is not None else str(row.get("cause", "")),
                article=out.article if out is not None else "",
                round=out.round if out is not None else 0,
                laps=int(row.get("laps", 0)),
                grid=grid.get(number, 0),
                wear=_spent(car) if car is not None else {},
                tyres=_fitted(car) if car is not None else (),
                bot="" if number in drivers else car.driver if car is not None else str(number),
                share=row.get("share", ""),
                lacks=_lacking(car) if carried and car is not None else None,
            )
        )
    return lines


def _spent(car: CarSheet) -> dict[str, int]:
    """Return the points that a car lost, pool by pool, without those that it had lost in an earlier race."""
    spent: dict[str, int] = {}
    for crossing in car.crossings:
        if crossing.points < 0 and crossing.kind != "grid":
            spent[crossing.pool] = spent.get(crossing.pool, 0) - crossing.points
    return dict(sorted(spent.items()))


def _lacking(car: CarSheet) -> dict[str, int]:
    """Return the points that a car ended without, of those that it was built with, pool by pool."""
    return {pool: points - left for pool, points in car.built.items() if (left := car.wear.get(pool, 0)) < points}


def _fitted(car: CarSheet) -> tuple[str, ...]:
    """Return the tyres that a car had, one after the other."""
    had = [place.tyres for place in car.places if place.tyres] + ([car.tyres] if car.tyres else [])
    return tuple(had[:1] + [after for before, after in pairwise(had) if after != before])


def kept_log(folder: Path, word: str) -> list[Entry]:
    """Return the log of a race in a data folder, here or on a stick, its chain checked; raise LogError."""
    with reading(folder) as db:
        found = sought(folder, db, word)
        mark = read_mark(folder, found.log_id)  # before the log: the race may be going on
        log = list(chained(entries(db, found.log_id), found.head))
    whole(found.name, log, mark)
    return log


def filed_log(path: Path) -> list[Entry]:
    """Return the log of a race in a file, from `companion races export --json` or as lines in a copy of all races.

    Raises LogError for a file that holds none, or one that was changed.
    """
    return from_elsewhere(filed(path))


def result_act(key: str, log: Sequence[Entry], table: str = "", why: str = "") -> Result:
    """Return the entry of a race's result from its log; raise CompanionError.

    It may have come live from a `table` of the hall.
    """
    lines, reference = result_of(log)
    return Result(race=key, lines=lines, log=msgspec.structs.replace(reference, table=table), why=why)


def collect(desk: OrganisedDesk, folder: Path | None = None) -> tuple[list[str], list[CompanionError]]:
    """Enter the results of all races that were begun for this record and are over.

    They are those in `folder` (a stick), else in its own. Returns the tables or races that came in, and the errors of
    those that did not: on a stick also a race that still runs, or another one of a table that has its result.
    """
    place, came, wrong = folder or desk.log.folder, [], []
    for key, log_id in counting_races(desk, place):
        filed = desk.record.results.filed.get(key)
        if filed is not None and (folder is None or (filed.log is not None and filed.log.log_id == log_id)):
            continue
        try:
            log = kept_log(place, log_id)
            if folder is not None or History.of(log).stands[1]:
                desk.act(result_act(key, log), by=PROGRAM)
                came.append(key)
        except CompanionError as why:
            wrong.append(why)
    return came, wrong


def collect_sticks(desk: OrganisedDesk) -> tuple[list[str], list[CompanionError]]:
    """Enter the results from the last copy on each stick that is there, as `collect` does."""
    came: list[str] = []
    wrong: list[CompanionError] = []
    for stick in sticks():
        copies = sorted((stick / COPIES).glob("*/"), reverse=True)
        for place in [stick, *copies[:1]]:
            if database_exists(place):
                more, bad = collect(desk, place)
                came += more
                wrong += bad
    return came, wrong


def begun_race(desk: OrganisedDesk, key: str) -> BegunRace | None:
    """Return the race of a table or of the season that was begun here, None without one.

    Of several it is the last one; a deleted one is returned if there is no other.
    """
    begun = [race for race in begun_in(desk.log.folder, desk.log_id) if race.key == key]
    return min(reversed(begun), key=lambda race: race.deleted, default=None)


def counting_races(desk: OrganisedDesk, folder: Path) -> list[tuple[str, str]]:
    """Return the races begun for this record that bring a result: table or race, and the id of the log.

    A race that is off brings none, whether it was driven on or not.
    """
    off = {str(number) for number in desk.record.abandoned} if isinstance(desk.record, Season) else set[str]()
    return [(race.key, race.log_id) for race in begun_in(folder, desk.log_id) if race.key not in off]


def check_references(folder: Path, record: Organised) -> list[CompanionError]:
    """Return the errors of the logs that results were read from, as far as they lie in this database.

    Such a log is not as it was, or ends otherwise.
    """
    wrong: list[CompanionError] = []
    with reading(folder) as db:
        there = set(log_ids(db))
    for key in record.results:
        reference = record.results[key].log
        if reference is None or reference.log_id not in there:
            continue
        try:
            log = kept_log(folder, reference.log_id)
            if len(log) < reference.entries or log[reference.entries - 1].hash.hex() != reference.digest:
                raise LogError("other_race", race=reference.name, key=key)
            if result_of(log)[0] != record.results[key].versions[0].lines:
                raise BadEntry("other_result", race=reference.name, key=key)
        except CompanionError as why:
            wrong.append(why)
    return wrong


def lies_in(folder: Path, log_id: str) -> bool:
    """Return True if the log of a race lies in a data folder."""
    with reading(folder) as db:
        return next(entries(db, log_id), None) is not None


def logs_of(folder: Path, record: Organised, driver: int) -> dict[str, Reference]:
    """Return the logs of a driver's races that lie in a data folder, by table or race.

    Those on corner sheets are left out, for there nobody can tell luck from driving.
    """
    with reading(folder) as db:
        return {
            key: filed.log
            for key, filed in record.results.filed.items()
            if filed.log is not None
            and any(line.driver == driver for line in filed.lines)
            and (race := listed(db, filed.log.log_id)) is not None
            and not _by_corners(race.track)
        }


def _by_corners(track: str) -> bool:
    """Return True if a circuit of that name is known to the corner only; one that lies elsewhere is not."""
    board = circuits.at_hand(track)
    return board is not None and board.known == "corner"


def all_circuits(folder: Path) -> list[CircuitRecord]:
    """Return the records of the circuits, from every tournament, season and session of trials of a data folder.

    Trials that a tournament took from a session that is here are counted there.
    """
    held, laps = [], []
    with explain_missing(Season.KIND), reading(folder) as db:
        listed = records(db)
    if not listed:
        raise none_yet(Season.KIND)
    here = {one.log_id for one in listed}
    for one in reversed(listed):
        record = kept_record(folder, one.log_id).record
        if isinstance(record, Trials):
            names = {number: driver.name or str(number) for number, driver in record.drivers.items()}
            laps += [
                TrialLap(record.track, names[driver], time, record.name)
                for driver, runs in record.runs.items()
                for time in runs.values()
            ]
        elif isinstance(record, Tournament | Season):
            held += [_make_held_race(record, key) for key in record.results]
            if isinstance(record, Tournament):
                laps += [
                    TrialLap(record.begun.track, record.names[driver], time, record.name)
                    for driver, times in record.times.items()
                    for session, time in times.items()
                    if record.times_from.get((driver, session)) not in here
                ]
    return circuit_records(held, [lap for lap in laps if not lap.time.last])


def _make_held_race(record: Tournament | Season, key: str) -> HeldRace:
    if isinstance(record, Tournament):
        track = record.rounds[int(key.partition(".")[0])].track
    else:
        track = record.stages[int(key)].track
    filed = record.results[key]
    first, winner = filed.first, None
    if first.place is not None and first.driver:
        winner = record.driver(int(key), first.driver) if isinstance(record, Season) else record.names[first.driver]
    seconds = filed.log.seconds if filed.log is not None else 0
    return HeldRace(track, f"{record.name} {key}", winner, first.grid, seconds)
