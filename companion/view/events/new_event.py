"""The form for a new tournament or season; every line has a default."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final, Literal

import msgspec

from companion.circuits import plain
from companion.desk.organising import SIZES, by_house, usual_points, usual_season
from companion.house_rules import HouseRules
from companion.rules.conversation.asking import Json
from companion.rules.conversation.setup import NUMBERS
from companion.rules.rulebooks import RULEBOOKS
from companion.tournament import season, tournament
from companion.tournament.organised import has_wear
from companion.tournament.standings import SCALES, without_trailing_zeros
from companion.view.events.standings import circuit_name
from companion.view.setup.draft import Draft
from companion.view.setup.new_race import CircuitRow, circuit_rows, rulebook_name
from companion.view.shown import AnswerKey, Field, ViewModel
from companion.wording import Words

Begun = tournament.TournamentBegun | season.SeasonBegun
Kind = Literal["tournament", "season"]
ADD: Final = "add"
"""Line that adds a race to the calendar; the lines of its races are named race 1, race 2, ..."""
MOST: Final = 40
"""Maximum length of a name, in characters."""
STEPS: Final = {"laps": 20, "sessions": 9, "best": season.RACES, "drivers": NUMBERS[1], "team": 20,
                 "repair": season.REPAIRED}  # fmt: skip
"""Lines with a figure, and its maximum; 0 means as usual, all, or none."""
WORDS: Final[dict[str, tuple[str, ...]]] = {
    "counts": ("best", "last", "sum"), "final": ("decides", "adds"), "grid": ("reverse", "trials", "random", "hand"),
    "carried": ("new", "worn"),
}  # fmt: skip
"""Lines whose value is one of a few words."""


class EventLine(ViewModel, frozen=True, kw_only=True):
    """A line of the form: key, label, value, and whether it is open."""

    name: str
    label: str
    value: str
    chosen: bool = False


class EventPick(ViewModel, frozen=True, kw_only=True):
    """A choice for a line; for house rules, the rules themselves."""

    answer: Json | HouseRules
    label: str
    note: str = ""
    chosen: bool = False


class NewEventShown(ViewModel, frozen=True, kw_only=True):
    """The lines, the editor of the open one, and a summary of the event."""

    title: str
    lines: tuple[EventLine, ...]
    writing: Field | None = None
    stepper: Field | None = None
    note: str = ""
    picks: tuple[EventPick, ...] = ()
    can_remove: bool = False
    question: str
    about: str
    legend: str


def usual(kind: Kind, words: Words, today: str) -> Begun:
    """Return the defaults: the rulebook's points and sizes, and a season's first circuits."""
    name = words.screen(f"new_event.name_{kind}", date=today)
    if kind == "tournament":
        return tournament.TournamentBegun(name=name, date=today)
    return _season(name, "league", words)


def _season(name: str, rulebook: str, words: Words) -> season.SeasonBegun:
    races = usual_season(rulebook, name, ()).races or season.SeasonBegun(name="", calendar=()).races
    tracks = [row.key for row in circuits_of(rulebook, words)][:races]
    return usual_season(rulebook, name, tuple(season.Stage(track) for track in tracks))


def circuits_of(rulebook: str, words: Words) -> list[CircuitRow]:
    """Return the circuits of a rulebook, suggested ones first."""
    return [row for row in circuit_rows(Draft(rulebook=rulebook), words) if not row.why]


def is_found(pick: EventPick, text: str) -> bool:
    """Return True if a choice matches the search, ignoring case and accents."""
    return plain(text) in plain(f"{pick.label} {pick.note if isinstance(pick.answer, HouseRules) else pick.answer}")


def circuit_picks(rulebook: str, chosen: str, words: Words) -> tuple[EventPick, ...]:
    """Return the circuits of a rulebook as choices, one of them selected."""
    return tuple(
        EventPick(answer=row.key, label=row.name, note=row.tally, chosen=row.key == chosen)
        for row in circuits_of(rulebook, words)
    )


def changed(begun: Begun, line: str, answer: Any, words: Words, house: Sequence[HouseRules] = ()) -> Begun:
    """Return the event with another value on a line.

    Another rulebook brings its own circuits, points and sizes; house rules bring theirs, in place of those in `house`
    used so far.
    """
    if line == "rulebook":
        return _with_rules(_by_the_book(begun, house_of(begun, house)), answer, words)
    if isinstance(begun, season.SeasonBegun):
        if (at := race_of(line)) is not None:
            return _with_stage(begun, at, answer)
        if line == "laps":
            laps = _distance(begun.rulebook, _laps(begun), answer)
            stages = tuple(msgspec.structs.replace(stage, laps=laps) for stage in begun.calendar)
            return msgspec.structs.replace(begun, calendar=stages)
        if line == "carried":
            carried = answer == "worn"
            return msgspec.structs.replace(begun, carried=carried, repair=begun.repair if carried else 0)
    if line == "track":
        return msgspec.structs.replace(begun, track=answer)
    if line == "laps":
        answer = _distance(begun.rulebook, _laps(begun), answer)
    value = SCALES[answer] if line == "points" else answer
    return msgspec.structs.replace(begun, **{line: value})


def _with_rules(begun: Begun, rules: str | HouseRules, words: Words) -> Begun:
    if isinstance(rules, HouseRules):
        return by_house(_with_rules(begun, rules.rulebook, words), rules)
    if rules == begun.rulebook:
        return begun
    if isinstance(begun, season.SeasonBegun):
        return _season(begun.name, rules, words)
    known = [row.key for row in circuits_of(rules, words)]
    track = begun.track if begun.track in known or not known else known[0]
    return msgspec.structs.replace(begun, rulebook=rules, track=track, laps=0, points=usual_points(rules))


def house_of(begun: Begun, house: Sequence[HouseRules]) -> HouseRules | None:
    """Return the house rules in use, or None."""
    return next((one for one in house if one.options and by_house(begun, one) == begun), None)


def _by_the_book(begun: Begun, rules: HouseRules | None) -> Begun:
    """Return the event without house rules: their points and sizes revert to the defaults."""
    if rules is None:
        return begun
    usual: Begun = tournament.TournamentBegun(name="", points=usual_points(begun.rulebook))
    if isinstance(begun, season.SeasonBegun):
        usual = usual_season(begun.rulebook, begun.name, begun.calendar)
    given = [field for name, field in SIZES.items() if name in rules.options and field in begun.__struct_fields__]
    return msgspec.structs.replace(begun, options={}, **{field: getattr(usual, field) for field in given})


def _distance(rulebook: str, before: int, laps: int) -> int:
    """Return the next valid distance; 0 means the usual one.

    Distances between 0 and the rulebook's least are skipped.
    """
    least, _ = Draft(rulebook=rulebook).distances
    return laps if not 0 < laps < least else least if laps > before else 0


def _laps(begun: Begun) -> int:
    """Return the laps of the races; 0 means the usual number."""
    if isinstance(begun, season.SeasonBegun):
        return begun.calendar[0].laps if begun.calendar else 0
    return begun.laps


def race_of(line: str) -> int | None:
    """Return the calendar index of a race's line; None for any other line."""
    return int(line.removeprefix("race ")) - 1 if line.startswith("race ") else None


def _with_stage(begun: season.SeasonBegun, at: int, answer: Any) -> season.SeasonBegun:
    """Change a race: another circuit, another date ("date", text), or remove it (None)."""
    stages = list(begun.calendar)
    if answer is None:
        del stages[at]
    elif isinstance(answer, tuple):
        stages[at] = msgspec.structs.replace(stages[at], date=answer[1])
    else:
        stages[at] = msgspec.structs.replace(stages[at], track=answer)
    return msgspec.structs.replace(begun, calendar=tuple(stages), best=min(begun.best, len(stages)))


def with_race(begun: season.SeasonBegun, words: Words) -> season.SeasonBegun:
    """Add a race on a circuit not yet in the calendar; lengthen the season to match."""
    tracks = [row.key for row in circuits_of(begun.rulebook, words)]
    there = {stage.track for stage in begun.calendar}
    track = next((key for key in tracks if key not in there), tracks[0])
    calendar = (*begun.calendar, season.Stage(track, laps=_laps(begun)))
    races = max(begun.races, len(calendar)) if begun.races else 0
    return msgspec.structs.replace(begun, calendar=calendar, races=races)


def new_event(begun: Begun, words: Words, line: str, house: Sequence[HouseRules] = ()) -> NewEventShown:
    """Return the form with one line open.

    `house` holds the stored house rules.
    """
    return _Look(begun, words, line, house).build()


class _Look:
    def __init__(self, begun: Begun, words: Words, line: str, house: Sequence[HouseRules]) -> None:
        self.begun, self.words, self.house, self.by_house = begun, words, house, house_of(begun, house)
        self.kind: Kind = "season" if isinstance(begun, season.SeasonBegun) else "tournament"
        names = [one.name for one in self.lines("")]
        self.line = line if line in names else names[0]

    def say(self, key: str, **facts: Json) -> str:
        return self.words.screen(f"new_event.{key}", **facts)

    def lines(self, chosen: str) -> Iterator[EventLine]:
        """Yield every line with its value."""
        begun = self.begun
        names = ["name", "rulebook"]
        if isinstance(begun, tournament.TournamentBegun):
            names += ["track", "laps", "sessions", "counts", "points", "final", "date"]
        else:
            names += ["laps", "points", "best", "grid", "drivers", "team"]
            names += ["carried"] * has_wear(begun.rulebook) + ["repair"] * begun.carried
        for name in names:
            yield EventLine(name=name, label=self.label(name), value=self.value(name), chosen=name == chosen)
        if isinstance(begun, season.SeasonBegun):
            for at, stage in enumerate(begun.calendar, 1):
                name, said = f"race {at}", " · ".join(filter(None, (circuit_name(stage.track), stage.date)))
                yield EventLine(name=name, label=self.say("line.race", race=at), value=said, chosen=name == chosen)
            yield EventLine(name=ADD, label=self.say("line.add"), value="", chosen=chosen == ADD)

    def label(self, name: str) -> str:
        return self.say(f"line.{name}", turns=Draft(rulebook=self.begun.rulebook).cards)

    def value(self, name: str) -> str:
        begun = self.begun
        if name == "rulebook":
            return self.by_house.name if self.by_house is not None else rulebook_name(begun.rulebook, self.words)
        if name == "points":
            return " ".join(map(str, self.scored))
        if name == "track" and isinstance(begun, tournament.TournamentBegun):
            return circuit_name(begun.track)
        if name in STEPS:
            return self.figure(name, self.number(name))
        if name in WORDS:
            return self.say(f"{name}.{self.word(name)}")
        return str(getattr(begun, name))

    def figure(self, name: str, number: int) -> str:
        """Return the figure of a line; 0 as the word for what it means."""
        return str(number) if number else self.say(f"nought.{name}")

    @property
    def scored(self) -> tuple[int, ...]:
        """The points without the places at the end that score none."""
        return without_trailing_zeros(self.begun.points)

    def word(self, name: str) -> str:
        """Return the current choice of a line with fixed words."""
        value = getattr(self.begun, name)
        return str(value) if name != "carried" else "worn" if value else "new"

    def number(self, name: str) -> int:
        return _laps(self.begun) if name == "laps" else int(getattr(self.begun, name))

    def build(self) -> NewEventShown:
        begun, line = self.begun, self.line
        writing = stepper = None
        picks: tuple[EventPick, ...] = ()
        at = race_of(line)
        if line in ("name", "date"):
            writing = Field(name=line, label=self.label(line), kind="text", value=getattr(begun, line), high=MOST)
        elif line in STEPS:
            most = self.most(line)
            keys = tuple(AnswerKey(answer=number, label=self.figure(line, number)) for number in range(most + 1))
            stepper = Field(name=line, label=self.label(line), value=self.number(line), low=0, high=most, keys=keys)
        elif line == "rulebook":
            picks = tuple(
                EventPick(answer=one, label=one.name, note=rulebook_name(one.rulebook, self.words),
                          chosen=one is self.by_house)
                for one in self.house
            )  # fmt: skip
            picks += tuple(
                EventPick(answer=name, label=rulebook_name(name, self.words),
                          chosen=name == begun.rulebook and self.by_house is None)
                for name in RULEBOOKS
            )  # fmt: skip
        elif line == "points":
            picks = tuple(
                EventPick(answer=name, label=self.say(f"scale.{name}"), note=" ".join(map(str, scale)),
                          chosen=scale == self.scored)
                for name, scale in SCALES.items()
            )  # fmt: skip
        elif line in WORDS:
            picks = tuple(
                EventPick(answer=one, label=self.say(f"{line}.{one}"), note=self.say(f"{line}_note.{one}"),
                          chosen=self.word(line) == one)
                for one in WORDS[line]
            )  # fmt: skip
        elif at is not None and isinstance(begun, season.SeasonBegun):
            stage = begun.calendar[at]
            writing = Field(name=line, label=self.say("line.date"), kind="text", value=stage.date, high=30)
            picks = circuit_picks(begun.rulebook, stage.track, self.words)
        elif isinstance(begun, tournament.TournamentBegun):
            picks = circuit_picks(begun.rulebook, begun.track, self.words)
        races = len(begun.calendar) if isinstance(begun, season.SeasonBegun) else 0
        return NewEventShown(
            title=self.say(f"title_{self.kind}"),
            lines=tuple(self.lines(line)),
            writing=writing,
            stepper=stepper,
            note=self.say(f"note.{line}") if line in STEPS else "",
            picks=picks,
            can_remove=at is not None and races > 1,
            question=self.say(f"ask_{self.kind}"),
            about=self.say("about"),
            legend=self.say(f"legend_{self.kind}", races=races),
        )

    def most(self, line: str) -> int:
        begun = self.begun
        if line == "laps":
            draft = Draft(rulebook=begun.rulebook)
            return draft.distances[1]
        return len(begun.calendar) if line == "best" and isinstance(begun, season.SeasonBegun) else STEPS[line]
