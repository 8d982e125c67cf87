"""What an organiser does beside the record itself: begins a tournament or season on circuits that are there, starts
its races, and takes their results out of their logs, here, from a file or from a stick."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Final

import msgspec

from companion import circuits, whole_file
from companion.desk.beginning import begin_race
from companion.desk.race_desk import RaceDesk
from companion.desk.record_desk import RecordDesk
from companion.rules.conversation.asking import Json
from companion.rules.conversation.errors import BadEntry, CompanionError, LogError
from companion.rules.league.league import League
from companion.rules.rulebooks import begin, named, weather_of
from companion.sheets.chain import chained
from companion.sheets.entry import Beginning, Entry
from companion.sheets.filling import race_sheet
from companion.sheets.history import History
from companion.sheets.lines import filed
from companion.sheets.mark import marked, whole
from companion.sheets.place import COPIES, kept, sticks
from companion.sheets.reading import entries, races, reading, sought
from companion.sheets.records import kept_record, records
from companion.sheets.sheet import CarSheet, RaceSheet
from companion.tournament import season, tournament
from companion.tournament.organised import Organised
from companion.tournament.results import Line, Reference, Result
from companion.tournament.season import Gridded, Season
from companion.tournament.standings import SCALES
from companion.tournament.statistics import CircuitRecord, Held, Lap, circuit_records
from companion.tournament.tournament import Tournament
from companion.tournament.trials import Trials
from companion.tournament.weather import Drawn, sky_of

OrganisedDesk = RecordDesk[Tournament] | RecordDesk[Season]
PROGRAM: Final = "program"
"""Who enters a result that comes back by itself."""
PUT_RIGHT: Final = "The table has put it right."
"""Why a time is another that was there already."""
LISTS: Final = (".csv", ".txt")
"""How the names of files end that may hold a list of entrants."""


# -- the beginning


def begin_tournament(folder: Path, begun: tournament.Begun, *, by: str) -> RecordDesk[Tournament]:
    """A new tournament; raises CompanionError if its circuit or rulebook is not there."""
    return RecordDesk.begin(folder, Tournament, begun, by=by)


def begin_season(folder: Path, begun: season.Begun, *, by: str) -> RecordDesk[Season]:
    """A new season; raises CompanionError if a circuit or rulebook of its calendar is not there."""
    return RecordDesk.begin(folder, Season, begun, by=by)


def usual_season(rulebook: str, name: str, calendar: tuple[season.Stage, ...]) -> season.Begun:
    """A season as its rulebook has it: the league's own points and sizes; others have the usual points, and as many
    races, drivers and team-mates as they like."""
    if issubclass(kind := named(rulebook), League):
        figures = kind.figures_type()
        return season.Begun(
            name=name, calendar=calendar, rulebook=rulebook, points=figures.points, drivers=figures.racers,
            team=figures.team_racers, races=figures.season_races,
        )  # fmt: skip
    return season.Begun(
        name=name, calendar=calendar, rulebook=rulebook, points=SCALES["first-six"], drivers=0, team=0, races=0
    )


# -- lists of entrants in files


def entry_lists(folder: Path) -> list[Path]:
    """The files that may hold a list of entrants: beside the races, and on every stick or in a folder of it; the one
    last written first."""
    found: set[Path] = set()
    for place, patterns in ((folder, ("*",)), *((stick, ("*", "*/*")) for stick in sticks())):
        for pattern in patterns:
            with contextlib.suppress(OSError):
                found |= {path for path in place.glob(pattern) if path.suffix.lower() in LISTS and path.is_file()}
    return sorted(found, key=lambda path: (-path.stat().st_mtime, path.name))


def entry_list(path: Path) -> str:
    """The text of a list of entrants in a file; raises LogError."""
    try:
        whole_file.must_be_plain(path)
        made = path.read_bytes()[: whole_file.MOST]
    except OSError as wrong:
        raise LogError(f"{path.name} cannot be read: {wrong.strerror}.") from None
    return list_text(made, path.name)


def list_text(made: bytes, name: str) -> str:
    """The text of a list of entrants, also as older spreadsheets write it; raises LogError for a spreadsheet itself."""
    if b"\0" in made:
        raise LogError(f"{name} holds no text; a list of entrants is a text or a CSV.")
    with contextlib.suppress(UnicodeDecodeError):
        return made.decode()
    return made.decode("cp1252", errors="replace")


# -- trials and weather


def times_of(record: Tournament, folder: Path, word: str, why: str) -> tournament.TimesTaken:
    """The times of a session of trials that was kept, here or on a stick, for a tournament: of all who have not
    withdrawn from it; raises LogError."""
    trials, log = _kept_trials(folder, word)
    found = tuple(
        tournament.Trial(driver, session, trials.runs[driver][session])
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
    kept = kept_record(folder, word, Trials.KIND)
    trials = kept.record
    assert isinstance(trials, Trials)
    return trials, Reference(kept.listed.log_id, trials.name, len(trials.log), kept.digest)


def drawn(desk: OrganisedDesk, face: int, *, session: int = 0, round_: int = 0, why: str = "") -> Drawn:
    """The weather that a face of the black die brings on the chart of the tournament's circuit; raises BadEntry."""
    record = desk.record
    assert isinstance(record, Tournament)
    track = record.rounds[round_].track if round_ in record.rounds else record.begun.track
    board = circuits.board(track)
    if weather_of(record.begun.rulebook, board) is None:
        raise BadEntry(f"There is no weather in a race of {record.begun.rulebook} on {board.name}.")
    return Drawn(sky=sky_of(board, face), face=face, session=session, round=round_, why=why)


def trials_grid(desk: RecordDesk[Season], number: int, word: str, why: str) -> Gridded:
    """The grid of a season's race from a session of trials that was kept; who did not drive there stands behind, by
    number."""
    trials = kept_record(desk.log.folder, word, Trials.KIND).record
    assert isinstance(trials, Trials)
    drivers = desk.record.drivers(number)
    timed = [driver for driver in trials.ranking() if driver in drivers]
    order = (*timed, *(driver for driver in drivers if driver not in timed))
    return Gridded(race=number, order=order, rule="trials", why=why)


# -- the races


def race_setup(desk: OrganisedDesk, key: str) -> dict[str, Json]:
    """The setup of a table's or season's race, as New race, `companion race --setup` and the protocol take it; raises
    CompanionError if no race can begin from it."""
    return setup_of(desk.record, desk.log_id, key)


def setup_of(record: Tournament | Season, log_id: str, key: str) -> dict[str, Json]:
    """The same from a record that is only read, by the id of its log. The weather is the same at every table: where a
    round has several it comes before their races [2-0-1, 3-2-2, 3-2-3]."""
    said = record.setup(key) if isinstance(record, Tournament) else record.setup(_number(key))
    fields = named(said["rulebook"]).race_type.__struct_fields__
    said = {name: value for name, value in said.items() if name not in ("sky", "surface", "grid") or name in fields}
    said["event"] = {"log": log_id, "race": key}
    board = circuits.board(str(said["track"]))
    if isinstance(record, Tournament) and "sky" not in said and weather_of(record.begun.rulebook, board) is not None:
        number = int(key.partition(".")[0])
        if len(record.rounds[number].tables) > 1:
            raise BadEntry(f"The weather of round {number} is not drawn yet; it is the same at every table.")
    begin(said, board)
    return said


def _number(key: str) -> int:
    if not key.isdecimal():
        raise BadEntry(f"{key} is no race of a season; its races have numbers.")
    return int(key)


def start_race(desk: OrganisedDesk, key: str) -> RaceDesk:
    """Begins the race of a table or a season's race, under the name of both; its result comes back by `collect`.
    Raises BadEntry if it was begun already, BadSetup, NotSaved."""
    for begun, log_id in begun_races(desk):
        if begun == key:
            raise BadEntry(f"The race of {key} was started already; go on with companion race --resume {log_id[:8]}.")
    said = race_setup(desk, key)
    return begin_race(said, str(said["track"]), desk.log.folder, name=f"{desk.record.name} {key}")


def draw_grid(desk: RecordDesk[Season], number: int, rng: Random, *, why: str = "") -> Gridded:
    """The grid of a season's race by the black die: everybody for a grid that is drawn, who was not in the race run
    last for one that is turned round; ties roll again. The die is the program's."""
    record = desk.record
    drivers = record.drivers(number)
    faces = _faces(drivers, rng)
    if record.rule(number) == "reverse" and not why:
        if (order := record.reversed_grid(number, faces)) is not None:
            return Gridded(race=number, order=tuple(order), rule="reverse", faces=faces)
        raise BadEntry(f"Race {number} has no grid yet; draw it, or set it by hand.")
    order = sorted(drivers, key=lambda driver: -faces[str(driver)])
    return Gridded(race=number, order=tuple(order), rule="random", faces=faces, why=why)


def _faces(drivers: Sequence[int], rng: Random) -> dict[str, int]:
    """A black die each, equal ones rolled again: up to twenty drivers have faces of their own."""
    if len(drivers) > 20:
        return {str(driver): face for face, driver in enumerate(rng.sample(drivers, len(drivers)), 1)}
    return {str(driver): face for driver, face in zip(drivers, rng.sample(range(1, 21), len(drivers)), strict=True)}


# -- the results


def result_of(log: Sequence[Entry]) -> tuple[tuple[Line, ...], Reference]:
    """The result that the log of a race comes to, in the order of its classification, and the reference to it. Raises
    LogError for a log that was changed, BadEntry for a race that is still running."""
    whole_log = list(chained(log))
    history = History.of(whole_log)
    sheet = race_sheet(history)
    if sheet.result is None:
        raise BadEntry(f"The race {sheet.name} is still running; its result comes when it is over.")
    reference = Reference(
        sheet.log_id, sheet.name, whole_log[-1].seq, whole_log[-1].hash.hex(), _seconds(whole_log)
    )  # fmt: skip
    assert history.beginning is not None
    return tuple(_lines(sheet, history.beginning.setup)), reference


def _seconds(log: Sequence[Entry]) -> int:
    """How long a race took: by the machines' own clocks, for the one on the wall may be put right amid it."""
    steps = (then.at_mono_ns - one.at_mono_ns for one, then in pairwise(log) if one.boot_id == then.boot_id)
    return sum(max(step, 0) for step in steps) // 1_000_000_000


def _lines(sheet: RaceSheet, setup: Mapping[str, Json]) -> list[Line]:
    """The lines of a result; a car that the race of cards has added is a bot."""
    drivers = {car["car"] for car in setup["cars"] if not car.get("bot")}
    gone = {retirement.car: retirement for retirement in sheet.retirements}
    grid = {car: place for place, car in enumerate(sheet.rounds[0].order, 1)} if sheet.rounds else {}
    lines = []
    for row in sheet.result or []:
        number = int(row["car"])
        car, out = sheet.car(number), gone.get(number)
        lines.append(
            Line(
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
            )
        )
    return lines


def _spent(car: CarSheet) -> dict[str, int]:
    """What a car wore off, pool by pool."""
    spent: dict[str, int] = {}
    for crossing in car.crossings:
        if crossing.points < 0:
            spent[crossing.pool] = spent.get(crossing.pool, 0) - crossing.points
    return dict(sorted(spent.items()))


def _fitted(car: CarSheet) -> tuple[str, ...]:
    """The tyres a car had, one after the other."""
    had = [place.tyres for place in car.places if place.tyres] + ([car.tyres] if car.tyres else [])
    return tuple(had[:1] + [after for before, after in pairwise(had) if after != before])


def kept_log(folder: Path, word: str) -> list[Entry]:
    """The log of a race in a data folder, here or on a stick, its chain checked; raises LogError."""
    with reading(folder) as db:
        found = sought(folder, db, word)
        mark = marked(folder, found.log_id)  # before the log: the race may be going on
        log = list(chained(entries(db, found.log_id), found.head))
    whole(found.name, log, mark)
    return log


def filed_log(path: Path) -> list[Entry]:
    """The log of a race in a file, as `companion export --json` writes it or as lines in a copy of all races; raises
    LogError for a file that holds none, or one that was changed."""
    return list(chained(filed(path)))


def result_act(key: str, log: Sequence[Entry], table: str = "") -> Result:
    """The entry of a race's result from its log, which came live from a `table` of the hall; raises CompanionError."""
    lines, reference = result_of(log)
    return Result(race=key, lines=lines, log=msgspec.structs.replace(reference, table=table))


def belongs_to(log: Sequence[Entry] | Entry) -> tuple[str, str] | None:
    """The record that a race was begun for, and its table or race there; None if for none."""
    first = log if isinstance(log, Entry) else log[0]
    try:
        beginning = first.read()
    except LogError:
        return None
    return event_of(beginning.setup) if isinstance(beginning, Beginning) else None


def event_of(setup: Mapping[str, Json]) -> tuple[str, str] | None:
    """The same of the setup of a race."""
    event = setup.get("event")
    if not isinstance(event, dict) or not {"log", "race"} <= set(event):
        return None
    return str(event["log"]), str(event["race"])


def collect(
    desk: OrganisedDesk, folder: Path | None = None, live: Callable[[str], str] | None = None
) -> tuple[list[str], list[CompanionError]]:
    """Enters the results of all races that were begun for this record and are over, those in `folder` (a stick), else
    its own; which tables or races came in, and what is wrong with those that did not: on a stick also a race that still
    runs, or another one of a table that has its result. A race that is off brings nothing, whether it was driven on or
    not. A folder that tables fill `live` says which one sent a log."""
    place, came, wrong = folder or desk.log.folder, [], []
    off = {str(number) for number in desk.record.abandoned} if isinstance(desk.record, Season) else set[str]()
    for key, log_id in begun_races(desk, place):
        if key in off:
            continue
        filed = desk.record.results.filed.get(key)
        if filed is not None and (folder is None or (filed.log is not None and filed.log.log_id == log_id)):
            continue
        try:
            log = kept_log(place, log_id)
            if (folder is not None and live is None) or History.of(log).stands[1]:
                desk.act(result_act(key, log, live(log_id) if live is not None else ""), by=PROGRAM)
                came.append(key)
        except CompanionError as why:
            wrong.append(why)
    return came, wrong


def collect_sticks(desk: OrganisedDesk) -> tuple[list[str], list[CompanionError]]:
    """The same from every stick that is there, from the last copy on each."""
    came: list[str] = []
    wrong: list[CompanionError] = []
    for stick in sticks():
        copies = sorted((stick / COPIES).glob("*/"), reverse=True)
        for place in [stick, *copies[:1]]:
            if kept(place):
                more, bad = collect(desk, place)
                came += more
                wrong += bad
    return came, wrong


def begun_races(desk: OrganisedDesk, folder: Path | None = None) -> list[tuple[str, str]]:
    """The races that were begun for this record: table or race, and the id of the log, the one begun first first."""
    place = folder or desk.log.folder
    return [(key, log_id) for of, key, log_id in begun_in(place) if of == desk.log_id]


def begun_in(folder: Path) -> list[tuple[str, str, str]]:
    """Every race of a data folder that was begun for a record: the id of that, the table or race there, and the id of
    its own log, the one begun first first."""
    found = []
    with reading(folder, check=False) as db:
        for race in reversed(races(db)):
            if (event := belongs_to(next(entries(db, race.log_id)))) is not None:
                found.append((*event, race.log_id))
    return found


def check_references(folder: Path, record: Organised) -> list[CompanionError]:
    """What is wrong with the logs that results were read from, as far as they lie in this database: one that is not as
    it was, or ends otherwise."""
    wrong: list[CompanionError] = []
    there: set[str] = set()
    with reading(folder, check=False) as db:
        there = {race.log_id for race in races(db)}
    for key in record.results:
        reference = record.results[key].log
        if reference is None or reference.log_id not in there:
            continue
        try:
            log = kept_log(folder, reference.log_id)
            if len(log) < reference.entries or log[reference.entries - 1].hash.hex() != reference.digest:
                raise LogError(f"The race {reference.name} is not the one whose result was entered for {key}.")
            if result_of(log)[0] != record.results[key].versions[0].lines:
                raise BadEntry(f"The race {reference.name} has gone on, and comes to another result than {key} has.")
        except CompanionError as why:
            wrong.append(why)
    return wrong


def lies_in(folder: Path, log_id: str) -> bool:
    """Whether the log of a race lies in a data folder."""
    with reading(folder, check=False) as db:
        return any(race.log_id == log_id for race in races(db))


def logs_of(folder: Path, record: Organised, driver: int) -> dict[str, Reference]:
    """The logs of a driver's races that lie in a data folder, by table or race; but for those on corner sheets, where
    nobody can tell luck from driving."""
    with reading(folder, check=False) as db:
        tracks = {race.log_id: race.track for race in races(db)}
    return {
        key: filed.log
        for key, filed in record.results.filed.items()
        if filed.log is not None
        and filed.log.log_id in tracks
        and any(line.driver == driver for line in filed.lines)
        and not _by_corners(tracks[filed.log.log_id])
    }


def _by_corners(track: str) -> bool:
    """Whether a circuit of that name is known to the corner only; one that lies elsewhere is not."""
    board = circuits.at_hand(track)
    return board is not None and board.known == "corner"


def all_circuits(folder: Path) -> list[CircuitRecord]:
    """The records of the circuits, from every tournament, season and session of trials of a data folder; trials that a
    tournament took from a session that is here are counted there."""
    held, laps = [], []
    with reading(folder) as db:
        listed = records(db)
    here = {one.log_id for one in listed}
    for one in reversed(listed):
        record = kept_record(folder, one.log_id).record
        if isinstance(record, Trials):
            names = {number: driver.name or str(number) for number, driver in record.drivers.items()}
            laps += [
                Lap(record.track, names[driver], time, record.name)
                for driver, runs in record.runs.items()
                for time in runs.values()
            ]
        elif isinstance(record, Tournament | Season):
            held += [_held(record, key) for key in record.results]
            if isinstance(record, Tournament):
                laps += [
                    Lap(record.begun.track, record.names[driver], time, record.name)
                    for driver, times in record.times.items()
                    for session, time in times.items()
                    if record.times_from.get((driver, session)) not in here
                ]
    return circuit_records(held, [lap for lap in laps if not lap.time.last])


def _held(record: Tournament | Season, key: str) -> Held:
    if isinstance(record, Tournament):
        track = record.rounds[int(key.partition(".")[0])].track
    else:
        track = record.stages[int(key)].track
    filed = record.results[key]
    first, winner = filed.first, None
    if first.place is not None and first.driver:
        winner = record.driver(int(key), first.driver) if isinstance(record, Season) else record.names[first.driver]
    seconds = filed.log.seconds if filed.log is not None else 0
    return Held(track, f"{record.name} {key}", winner, first.grid, seconds)
