"""The calendar of a season: its races, and the one that comes next with its grid."""

from __future__ import annotations

from collections.abc import Mapping

from companion import circuits
from companion.rules.circuit.track import Weather
from companion.rules.conversation.asking import Json
from companion.rules.rulebooks import laps_on, variants_on, weather_of
from companion.tournament.season import GridRule, Race, Season
from companion.view.commissioner.acts import TakeBack, take_back
from companion.view.commissioner.standings import circuit_name, plates
from companion.view.pages.sheet import by_turns
from companion.view.race.weather import chart_of
from companion.view.shown import Plate, Shown
from companion.wording import Words


class RaceTile(Shown, frozen=True, kw_only=True):
    """A race of the calendar: who is at home there, who won, and its state."""

    number: int
    name: str
    date: str
    home: tuple[Plate, ...]
    winner: Plate | None = None
    state: str
    postponed: bool = False


class RacePanel(Shown, frozen=True, kw_only=True):
    """The race that was chosen: its circuit and sky, its grid or its result, and what is special there."""

    number: int
    title: str
    date: str
    track: str
    skies: tuple[tuple[str, str, str], ...]
    """Of each sky its pictogram, its name and the faces that bring it."""
    grid_title: str
    grid_rule: str
    grid: tuple[Plate, ...]
    home: tuple[tuple[Plate, str], ...]
    laps: str
    state: str
    log: str = ""
    """The log of a race that is run, "" of one that was typed from paper."""


class CalendarShown(Shown, frozen=True, kw_only=True):
    """All races, one of them chosen."""

    subtitle: str
    tiles: tuple[RaceTile, ...]
    chosen: int
    panel: RacePanel
    question: str
    note: str
    can_start: bool = False
    draws: GridRule | None = None
    """By what the grid of the chosen race is still to be settled; None where it is."""
    cars: int = 0
    official: bool = False
    undo: TakeBack = TakeBack()


def calendar(record: Season, words: Words, chosen: int = 0) -> CalendarShown:
    """The calendar, with a race chosen (0: the next one)."""
    return _Look(record, words, chosen).shown()


class _Look:
    def __init__(self, record: Season, words: Words, chosen: int) -> None:
        self.record, self.words = record, words
        self.plates = plates(record)
        self.next = record.next_race()
        last = record.calendar()[-1].number
        self.chosen = chosen if chosen in record.stages else self.next.number if self.next is not None else last

    def say(self, key: str, **facts: Json) -> str:
        return self.words.screen(f"season.{key}", **facts)

    def shown(self) -> CalendarShown:
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
            tiles=tuple(self.tile(race) for race in races),
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

    def tile(self, race: Race) -> RaceTile:
        record, winner = self.record, None
        if race.state == "run":
            first = record.results[str(race.number)].first
            winner = self.plates.get(first.driver) if first.place is not None else None
        return RaceTile(
            number=race.number,
            name=circuit_name(race.stage.track),
            date=race.stage.date,
            home=tuple(self.plates[number] for number in record.at_home(race.number)),
            winner=winner,
            state="next" if self.next is not None and race.number == self.next.number else race.state,
            postponed=race.postponed,
        )

    def panel(self, race: Race) -> RacePanel:
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
            title, rule = self.say("grid", rule=by, of=of), "start.grid"
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

    def laps(self, race: Race, cars: int) -> str:
        """How far it goes, with how many cars: those of the grid or of the result, else all that are entered for it."""
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


def weather_at(rulebook: str, options: Mapping[str, Json], track: str) -> Weather | None:
    """The chart by which a rulebook draws the weather on a circuit; none where it draws none, or the circuit is
    gone."""
    board = circuits.at_hand(track)
    return weather_of(rulebook, board, options) if board is not None else None


def chart(rulebook: str, options: Mapping[str, Json], track: str, words: Words) -> tuple[tuple[str, str, str], ...]:
    """Of each sky of that chart its pictogram, its name and the faces that bring it."""
    weather = weather_at(rulebook, options, track)
    return chart_of(weather, words) if weather is not None else ()
