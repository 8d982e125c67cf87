"""A season's calendar, and the next race with its grid."""

from __future__ import annotations

from collections.abc import Mapping

from companion import circuits
from companion.rules.circuit.track import WeatherChart
from companion.rules.conversation.asking import Json
from companion.rules.rulebooks import laps_on, variants_on, weather_of
from companion.tournament.season import CalendarRace, GridRule, Season
from companion.view.citing import listed
from companion.view.events.acts import TakeBack, take_back
from companion.view.events.standings import circuit_name, plates
from companion.view.listing import Cell, CellValue, Listing, make_listing
from companion.view.pages.sheet import by_turns
from companion.view.race.weather import chart_of
from companion.view.shown import Plate, ViewModel
from companion.wording import Words


class RacePanel(ViewModel, frozen=True, kw_only=True):
    """The selected race: circuit, weather chart, grid or result, and specials."""

    number: int
    title: str
    date: str
    track: str
    skies: tuple[tuple[str, str, str], ...]
    """Pictogram, name and faces of each sky."""
    grid_title: str
    grid_rule: str
    grid: tuple[Plate, ...]
    home: tuple[tuple[Plate, str], ...]
    laps: str
    state: str
    log: str = ""
    """Log of a race that was run, "" for one typed from paper."""


class CalendarShown(ViewModel, frozen=True, kw_only=True):
    """All races, one of them selected."""

    subtitle: str
    races: Listing
    chosen: int
    panel: RacePanel
    question: str
    note: str
    can_start: bool = False
    draws: GridRule | None = None
    """Source of the chosen race's grid, if still to be settled; None otherwise."""
    cars: int = 0
    official: bool = False
    undo: TakeBack = TakeBack()


def calendar(record: Season, words: Words, chosen: int = 0) -> CalendarShown:
    """Return the calendar with a race selected (0: the next one)."""
    return _Look(record, words, chosen).build()


def calendar_listing(record: Season, words: Words) -> Listing:
    """Return the races of a season, run and to come."""
    from companion.view.setup.new_race import rulebook_name

    coloured, coming = plates(record), record.next_race()
    rows: list[list[CellValue]] = []
    for race in record.calendar():
        home = tuple((coloured[number], record.names[number]) for number in record.at_home(race.number))
        rows.append([
            str(race.number),
            circuit_name(race.stage.track),
            rulebook_name(record.rulebook(race.number), words),
            _date(race, words),
            Cell(text=", ".join(name for _, name in home), cars=home),
            _state(race, words, is_next=coming is not None and race.number == coming.number),
            _winner(record, race, coloured),
        ])  # fmt: skip
    columns = ("race", "track", "rulebook", "date", "home", "state", "winner")
    return make_listing("calendar", words, columns, rows, name=record.name)


def _date(race: CalendarRace, words: Words) -> Cell:
    date = race.stage.date
    if not race.postponed:
        return Cell(text=date, brief=date)
    return Cell(text=f"{date} ({words.word('listing', 'postponed')})", brief=date, marks=("moved",))


def _state(race: CalendarRace, words: Words, *, is_next: bool) -> Cell:
    text = words.word("listing", f"race_{race.state}") + (f" ({race.why})" if race.why else "")
    if is_next:
        return Cell(text=text, brief=words.screen("season.chip.next"), marks=("next",))
    if race.state == "abandoned":
        return Cell(text=text, brief=words.screen("season.chip.abandoned"), marks=("off",))
    return Cell(text=text)


def _winner(record: Season, race: CalendarRace, coloured: Mapping[int, Plate]) -> Cell:
    """Return the winner, or the driver in his place; nobody before the race, or if nobody was placed."""
    if race.state != "run" or (first := record.results[str(race.number)].first).place is None:
        return Cell()
    name = first.bot or record.driver(race.number, first.driver)
    return Cell(text=name, cars=((coloured[first.driver], name),) if first.driver in coloured else ())


class _Look:
    def __init__(self, record: Season, words: Words, chosen: int) -> None:
        self.record, self.words = record, words
        self.plates = plates(record)
        self.next = record.next_race()
        last = record.calendar()[-1].number
        self.chosen = chosen if chosen in record.stages else self.next.number if self.next is not None else last

    def say(self, key: str, **facts: Json) -> str:
        return self.words.screen(f"season.{key}", **facts)

    def build(self) -> CalendarShown:
        record = self.record
        races = record.calendar()
        now = self.next.number if self.next is not None else len(races)
        panel = self.panel(record.race(self.chosen))
        state = panel.state
        draws = None
        if state == "to_come" and panel.grid:
            question = self.say("ask_start", race=self.chosen)
            name = record.names.get(panel.grid[0].number, "")
            note = self.say("pole", car=f"{panel.grid[0].number} {name}".strip())
        elif state == "to_come":
            draws = record.rule(self.chosen)
            question, note = self.say("ask_draw", rule=draws), self.say("no_grid", rule=draws)
        else:
            question = self.say(f"ask_{state}", race=self.chosen)
            filed = record.results[str(self.chosen)] if state == "run" else None
            note = record.abandoned.get(self.chosen, "")
            if filed is not None:
                signed = filed.confirmed or filed.overtaken
                kind = "official" if filed.official else "overtaken" if signed is not None else "not_official"
                note = self.say(kind, by=self.words.signer(signed.by) if signed is not None else "")
        return CalendarShown(
            subtitle=self.say("race_of", name=record.name, race=now, of=len(races)),
            races=calendar_listing(record, self.words),
            chosen=self.chosen,
            panel=panel,
            question=question,
            note=note,
            can_start=state == "to_come" and bool(panel.grid),
            draws=draws,
            cars=len(panel.grid),
            official=state == "run" and record.results[str(self.chosen)].official,
            undo=take_back(self.record, self.words),
        )

    def panel(self, race: CalendarRace) -> RacePanel:
        record = self.record
        track, log = race.stage.track, None
        if race.state == "run":
            order, log = record.results[str(race.number)].order, record.results[str(race.number)].log
            title, rule = self.say("result"), ""
        else:
            to_come = race.state == "to_come"
            order = (record.grid(race.number) if to_come else None) or []
            act = record.settled(race.number) if to_come else None
            by = act.rule if act is not None else record.rule(race.number)
            last = record.last_run()
            of = circuit_name(record.stages[int(last)].track) if last is not None else ""
            title, rule = self.say("grid", rule=by, of=of), listed("start.grid", self.words)
        options = {**record.begun.options, **race.stage.options}
        return RacePanel(
            number=race.number,
            title=f"{race.number} {circuit_name(track)}",
            date=race.stage.date,
            track=track,
            skies=chart(record.rulebook(race.number), options, track, self.words),
            grid_title=title,
            grid_rule=rule,
            grid=tuple(self.plates[number] for number in order),
            home=tuple((self.plates[n], record.names[n]) for n in record.at_home(race.number)),
            laps=self.laps(race, len(order)),
            state=race.state,
            log=log.log_id if log is not None else "",
        )

    def laps(self, race: CalendarRace, cars: int) -> str:
        """Return the race distance, with the number of cars.

        The cars are those of the grid or the result, otherwise all entered for the race. "" without the circuit.
        """
        board, record = circuits.at_hand(race.stage.track), self.record
        if board is None:
            return ""
        rulebook = record.rulebook(race.number)
        on = variants_on(rulebook, {**record.begun.options, **race.stage.options})
        laps = race.stage.laps or laps_on(rulebook, board, on)
        cars = cars or sum((race.number, driver) not in record.missing for driver in record.field.standing)
        begun = record.begun
        carried = self.say("carries", repair=begun.repair) if begun.carried else ""
        return self.say("laps", laps=laps, turns=by_turns(rulebook), cars=cars, carried=carried)


def weather_at(rulebook: str, options: Mapping[str, Json], track: str) -> WeatherChart | None:
    """Return a circuit's weather chart under a rulebook.

    None if the rulebook has no weather, or the circuit is missing.
    """
    board = circuits.at_hand(track)
    return weather_of(rulebook, board, options) if board is not None else None


def chart(rulebook: str, options: Mapping[str, Json], track: str, words: Words) -> tuple[tuple[str, str, str], ...]:
    """Return each sky of a circuit's chart: pictogram, name and die faces."""
    weather = weather_at(rulebook, options, track)
    return chart_of(weather, words) if weather is not None else ()
