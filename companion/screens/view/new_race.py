"""A race before it is one: what a table chooses, step by step, and what the rules core says to it."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal

import msgspec

from companion import circuits
from companion.articles import load as load_articles
from companion.rules.conversation import Json
from companion.rules.errors import CompanionError
from companion.rules.figures import Figure
from companion.rules.race import Car
from companion.rules.rulebooks import RULEBOOKS, begin
from companion.rules.track import Track
from companion.screens.entrants import COLOURS, Entrant
from companion.screens.view.shown import Field, Key, Plate, Shown
from companion.wording import MissingWords, Words

StepName = Literal["rules", "circuit", "drivers", "grid", "start"]
STEPS: Final[tuple[StepName, ...]] = ("rules", "circuit", "drivers", "grid", "start")
MOST: Final = 20
"""The most cars in a race."""


class Standing(Shown, frozen=True, kw_only=True):
    """Where a car stands in a race that goes on from a position; what is left out has its value at the start."""

    at: str | None = None
    gear: int = 1
    lap: int = 1
    tyres: str = ""
    wear: dict[str, int] = msgspec.field(default_factory=dict)

    def values(self) -> dict[str, Json]:
        """As a setup has it."""
        said: dict[str, Json] = {"at": self.at, "gear": self.gear, "lap": self.lap, "status": "racing"}
        if self.tyres:
            said["tyres"] = self.tyres
        if self.wear:
            said["wear"] = dict(self.wear)
        return said


class Draft(Shown, frozen=True, kw_only=True):
    """What has been chosen so far.

    `laps` is 0 for as many as the rulebook usually has there; `options` are the figures and switches that differ from
    the rulebook's. `entrants` stand in grid order. `standing` is where each car stands, by number, and None for a race
    from the grid; who plays next is then as the cars are listed.
    """

    rulebook: str = "competition"
    track: str = ""
    laps: int = 0
    entrants: tuple[Entrant, ...] = ()
    options: dict[str, Json] = msgspec.field(default_factory=dict)
    standing: dict[int, Standing] | None = None

    def but(self, **changes: Any) -> Draft:
        """The same draft with something changed."""
        return msgspec.structs.replace(self, **changes)

    # -- circuit and laps

    @property
    def board(self) -> Track | None:
        """The circuit chosen, None before; raises BadTrack if it is gone or broken."""
        return circuits.load(self.track) if self.track else None

    @property
    def usual_laps(self) -> int:
        """As many laps as the rulebook has on this circuit."""
        board = self.board
        usual: int = RULEBOOKS[self.rulebook].laps
        return board.laps.get(self.rulebook, usual) if board is not None else usual

    def with_laps(self, laps: int) -> Draft:
        """Another distance, 1 to 99 laps."""
        laps = min(max(laps, 1), 99)
        return self.but(laps=0 if laps == self.usual_laps else laps)

    # -- entrants

    def entering(self, entrant: Entrant) -> Draft:
        """One more car, last on the grid, with a number and a plate of its own."""
        if len(self.entrants) >= MOST:
            return self
        return self.but(entrants=(*self.entrants, self._unlike(entrant, self.entrants)))

    def editing(self, place: int, entrant: Entrant) -> Draft:
        """The entrant of a grid place as it is now."""
        entrants = list(self.entrants)
        others = entrants[:place] + entrants[place + 1 :]
        before, entrants[place] = entrants[place], self._unlike(entrant, others)
        standing = self.standing
        if standing is not None and before.number in standing and entrants[place].number != before.number:
            standing = {**standing, entrants[place].number: standing[before.number]}
            del standing[before.number]
        return self.but(entrants=tuple(entrants), standing=standing)

    def leaving(self, place: int) -> Draft:
        """Without the entrant of a grid place."""
        entrants = list(self.entrants)
        gone = entrants.pop(place)
        standing = self.standing
        if standing is not None:
            standing = {number: where for number, where in standing.items() if number != gone.number}
        return self.but(entrants=tuple(entrants), standing=standing)

    def moved(self, place: int, to: int) -> Draft:
        """The grid with one car taken to another place."""
        entrants = list(self.entrants)
        to = min(max(to, 0), len(entrants) - 1)
        entrants.insert(to, entrants.pop(place))
        return self.but(entrants=tuple(entrants))

    def lined_up(self, numbers: Sequence[int]) -> Draft:
        """The grid in the order of these car numbers."""
        by_number = {entrant.number: entrant for entrant in self.entrants}
        return self.but(entrants=tuple(by_number[number] for number in numbers))

    @staticmethod
    def _unlike(entrant: Entrant, others: Sequence[Entrant]) -> Entrant:
        numbers, colours = {other.number for other in others}, {other.colour for other in others}
        number, colour = entrant.number, entrant.colour
        if number in numbers:
            number = next(free for free in range(1, 100) if free not in numbers)
        if colour in colours:
            colour = next((free for free in range(COLOURS) if free not in colours), colour)
        return Entrant(number=number, name=entrant.name, team=entrant.team, colour=colour)

    # -- figures and switches

    def set_figure(self, figure: Figure, value: Json) -> Draft:
        """Another value for a figure; the rulebook's own value takes the change away."""
        options = {name: one for name, one in self.options.items() if name != figure.name}
        if value != msgspec.to_builtins(figure.value):
            options[figure.name] = value
        return self.but(options=options)

    # -- a position

    def from_position(self) -> Draft:
        """A race that goes on: every car stands nowhere yet."""
        return self.but(standing={entrant.number: Standing() for entrant in self.entrants})

    def standing_at(self, number: int, standing: Standing) -> Draft:
        """Where a car stands."""
        return self.but(standing={**(self.standing or {}), number: standing})

    # -- the race

    def setup(self, lang: str = "en") -> dict[str, Json]:
        """What the rules core reads."""
        said: dict[str, Json] = {"rulebook": self.rulebook, "track": self.track, "lang": lang}
        if self.laps:
            said["laps"] = self.laps
        if self.options:
            said["options"] = dict(self.options)
        said["cars"] = [self._car(entrant) for entrant in self.entrants]
        said["plates"] = [entrant.colour for entrant in self.entrants]
        if self.standing is not None:
            said["to_play"] = [one.number for one in self.entrants if self._placed(one.number)]
        return said

    def _placed(self, number: int) -> bool:
        where = (self.standing or {}).get(number)
        return where is not None and where.at is not None

    def _car(self, entrant: Entrant) -> dict[str, Json]:
        said: dict[str, Json] = {"car": entrant.number}
        if entrant.name:
            said["driver"] = entrant.name
        if entrant.team:
            said["team"] = entrant.team
        if self._placed(entrant.number):
            assert self.standing is not None
            said |= self.standing[entrant.number].values()
        return said


def plate(entrant: Entrant) -> Plate:
    """A driver's number plate."""
    return Plate(number=entrant.number, place=entrant.colour)


def refusal(draft: Draft, words: Words) -> str:
    """Why no race can begin from this, in one sentence of the rules core; empty if one can."""
    if not draft.track:
        return words.screen("new_race.no_circuit")
    if not draft.entrants:
        return words.screen("new_race.no_drivers")
    try:
        board = draft.board
        assert board is not None
        begin(draft.setup(words.lang), board)
    except CompanionError as wrong:
        return words.error(wrong)
    if draft.standing is not None and (missing := [one for one in draft.entrants if not draft._placed(one.number)]):
        first = missing[0]
        return words.screen("new_race.not_placed", {first.number: first.name}, car=first.number, more=len(missing) - 1)
    return ""


# -- what is shown


class StepRow(Shown, frozen=True, kw_only=True):
    """One step of making a race, with what was chosen there."""

    name: str
    label: str
    value: str
    state: Literal["done", "now", "to_come"]


class CircuitRow(Shown, frozen=True, kw_only=True):
    """One circuit. `tally` counts its spaces or lap, corners and stops; `known` and `trust` say how well it is known.

    `why` is the sentence of a board that cannot be read.
    """

    key: str
    name: str
    country: str = ""
    tally: str = ""
    known: str = ""
    grid: str = ""
    drawn: bool = False
    trust: str = ""
    laps: int = 0
    why: str = ""


class FigureRow(Shown, frozen=True, kw_only=True):
    """One figure or switch: a stepper, a switch (`keys` no and yes), or a table of cells."""

    name: str
    label: str
    article: str
    note: str = ""
    proposed: bool = False
    changed: bool = False
    kind: Literal["number", "switch", "table"] = "number"
    value: Json = None
    usual: Json = None
    low: int = 0
    high: int = 99


class NewRaceShown(Shown, frozen=True, kw_only=True):
    """The frame of making a race: its steps, the question and why it cannot be left yet."""

    title: str
    subtitle: str
    steps: tuple[StepRow, ...]
    step: str
    ask: str
    note: str = ""
    next: str = ""
    why: str = ""


def show(draft: Draft, step: StepName, words: Words) -> NewRaceShown:
    """Making a race as it stands."""
    at = STEPS.index(step)
    why = refusal(draft, words) if step == STEPS[-1] else _missing(draft, step, words)
    rows = [
        StepRow(
            name=name,
            label=words.screen(f"new_race.step.{name}"),
            value=_chosen(draft, name, words),
            state="now" if name == step else "done" if _is_done(draft, name, at) else "to_come",
        )
        for name in STEPS
    ]
    board = draft.board
    said = [board.name if board else "", rulebook_name(draft.rulebook, words)]
    return NewRaceShown(
        title=words.screen("new_race.title"),
        subtitle=" · ".join(part for part in said if part),
        steps=tuple(rows),
        step=step,
        ask=words.screen(f"new_race.ask.{step}"),
        note=_chosen(draft, step, words),
        next=words.screen("new_race.begin") if step == STEPS[-1] else words.screen("new_race.next"),
        why=why,
    )


def _is_done(draft: Draft, name: StepName, at: int) -> bool:
    if name == "circuit":
        return bool(draft.track)
    if name in ("drivers", "grid"):
        return bool(draft.entrants) and STEPS.index(name) < at
    return STEPS.index(name) < at


def _missing(draft: Draft, step: StepName, words: Words) -> str:
    if step == "circuit" and not draft.track:
        return words.screen("new_race.no_circuit")
    if step in ("drivers", "grid") and not draft.entrants:
        return words.screen("new_race.no_drivers")
    return ""


def _chosen(draft: Draft, step: StepName, words: Words) -> str:
    """What has been chosen at a step, in a few words."""
    if step == "rules":
        name = rulebook_name(draft.rulebook, words)
        return f"{name} · {words.screen('new_race.changed', count=len(draft.options))}" if draft.options else name
    if step == "circuit":
        board = draft.board
        return f"{board.name} · {words.say('laps', count=draft.laps or draft.usual_laps)}" if board else "–"
    if step == "drivers":
        return words.screen("new_race.cars", count=len(draft.entrants)) if draft.entrants else "–"
    if step == "grid":
        pole = draft.entrants[0] if draft.entrants else None
        return words.screen("new_race.pole", car=words.number(pole.number, {pole.number: pole.name})) if pole else "–"
    return words.screen("new_race.from_grid" if draft.standing is None else "new_race.from_position")


def rulebook_name(name: str, words: Words) -> str:
    """A rulebook as people call it."""
    try:
        return words.screen(f"rulebook.{name}")
    except MissingWords:
        return name


def rulebooks(draft: Draft, words: Words) -> list[Key]:
    """Every rulebook there is, as keys."""
    return [Key(answer=name, label=rulebook_name(name, words)) for name in RULEBOOKS]


def circuit_rows(draft: Draft, words: Words, own: Sequence[str] = ()) -> list[CircuitRow]:
    """Every circuit, then the table's own boards (paths); one that cannot be read says why."""
    rows = []
    for key in [*circuits.keys(), *own]:
        try:
            track = circuits.load(key)
        except CompanionError as wrong:
            name = key.rpartition("/")[2].removesuffix(".toml")
            rows.append(CircuitRow(key=key, name=name, why=words.error(wrong)))
            continue
        rows.append(_circuit(key, track, draft.rulebook, words))
    return rows


def _circuit(key: str, track: Track, rulebook: str, words: Words) -> CircuitRow:
    stops = sum(corner.stops for corner in track.corners)
    tally = words.screen("new_race.tally", lap=track.shortest_lap, corners=len(track.corners), stops=stops)
    return CircuitRow(
        key=key,
        name=track.name,
        country=track.country,
        tally=tally,
        known=words.screen(f"new_race.known.{track.known}"),
        grid=words.screen("new_race.grid_size", count=len(track.grid)) if track.grid else "",
        drawn=track.known == "space",
        trust=trust(track, words),
        laps=track.laps.get(rulebook, RULEBOOKS[rulebook].laps),
    )


def trust(track: Track, words: Words) -> str:
    """How far a circuit's figures are to be trusted, in a word or two; as its file says it where there is no word."""
    short = track.trust.partition(":")[0].partition(";")[0].strip()
    try:
        return words.screen(f"trust.{short}")
    except MissingWords:
        return short


def figure_rows(draft: Draft, words: Words) -> list[FigureRow]:
    """Every figure and switch of the rulebook; those that are proposed rather than found first."""
    articles = load_articles(draft.rulebook)
    rows = []
    figures = sorted(RULEBOOKS[draft.rulebook].listed(), key=lambda figure: not figure.proposed)
    for figure in figures:
        usual = msgspec.to_builtins(figure.value)
        value = draft.options.get(figure.name, usual)
        label, note = _figure_words(figure, articles, words)
        kind: Literal["number", "switch", "table"] = (
            "switch" if isinstance(usual, bool) else "number" if isinstance(usual, int) else "table"
        )
        rows.append(
            FigureRow(
                name=figure.name,
                label=label,
                article=figure.article,
                note=note,
                proposed=figure.proposed,
                changed=figure.name in draft.options,
                kind=kind,
                value=value,
                usual=usual,
                low=figure.low or 0,
                high=99 if figure.high is None else figure.high,
            )
        )
    return rows


def _figure_words(figure: Figure, articles: Any, words: Words) -> tuple[str, str]:
    """What a figure is called and what its article says: its own words, what its switch means when it is on, the title
    of its article, or the name that it has in a setup."""
    name = figure.name.replace("_", " ").capitalize()
    try:
        entry = articles.get(figure.article)
    except CompanionError:
        entry = None
    if entry is not None and getattr(entry, "switch", None) == figure.name:
        return (entry.switch_fr if words.lang == "fr" else entry.switch_en), ""
    text = entry.text(words.lang) if entry is not None else ""
    with contextlib.suppress(MissingWords):
        return words.screen(f"figure.{figure.name}"), text
    title = getattr(entry, "title", None)
    return f"{title(words.lang)} ({name})" if title is not None else name, text


def cells(value: Json) -> list[tuple[tuple[int, ...], int]]:
    """The whole numbers of a table, each with where it stands."""
    found: list[tuple[tuple[int, ...], int]] = []
    for at, inner in enumerate(value):
        if isinstance(inner, list):
            found += [((at, *deeper), number) for deeper, number in cells(inner)]
        else:
            found.append(((at,), inner))
    return found


def with_cell(value: Json, at: tuple[int, ...], number: int) -> Json:
    """A table with one whole number changed."""
    first, *rest = at
    return [
        (with_cell(inner, tuple(rest), number) if rest else number) if place == first else inner
        for place, inner in enumerate(value)
    ]


# -- where a car may stand


class Stretch(Shown, frozen=True, kw_only=True):
    """A part of the circuit where a car may be put: a section, the pit lane, the boxes; `lanes` with their spaces."""

    name: str
    label: str
    lanes: tuple[tuple[str, str, tuple[str, ...]], ...]
    """Each lane: its name, its word, and its spaces by name, in driving order."""


def stretches(track: Track, words: Words) -> list[Stretch]:
    """Every place of a circuit at which a car may stand, by sections and lanes."""
    if track.known == "corner":
        sheet = [f"{kind}:{n}" for n in range(1, len(track.corners) + 1) for kind in ("corner", "after")]
        return [Stretch(name=name, label=words.place(name), lanes=(("", "", (name,)),)) for name in sheet]
    found = []
    for section in track.sections:
        lanes: list[tuple[str, str, tuple[str, ...]]] = []
        for lane, spaces in enumerate(section.lanes):
            names = tuple(track.name_of(space) for space in spaces if space not in track.blocked)
            if names:
                lanes.append((track.lanes[lane], words.word("lane", track.lanes[lane]), names))
        label = section.corner.name or words.place(f"corner:{section.corner.number}") if section.corner else ""
        number = lanes[0][2][0].partition(":")[0]
        found.append(
            Stretch(
                name=number,
                label=f"{number} · {label}" if label else f"{number} · {words.screen('new_race.straight')}",
                lanes=tuple(lanes),
            )
        )
    if track.pit is not None:
        for kind, spaces in (("pit", track.pit.spaces), ("box", track.pit.boxes)):
            inside = tuple(track.name_of(space) for space in spaces)
            found.append(Stretch(name=kind, label=words.table["where"][kind], lanes=(("", "", inside),)))
    return found


def as_it_stands(draft: Draft, number: int) -> Car | None:
    """A car as the rules core would put it there, with all that was left out; None if it would not."""
    entrant = next((one for one in draft.entrants if one.number == number), None)
    board = draft.board
    if entrant is None or board is None:
        return None
    try:
        rulebook = begin(draft.but(entrants=(entrant,)).setup(), board)
    except CompanionError:
        return None
    car: Car = rulebook.car(number)
    return car


def standing_fields(draft: Draft, number: int, words: Words) -> list[Field]:
    """What is set for a car beside its space: gear, laps, and the points left in each pool."""
    rulebook = RULEBOOKS[draft.rulebook]
    ranges: Mapping[str, tuple[int, int]] = rulebook.car_ranges
    standing = (draft.standing or {}).get(number, Standing())
    car = as_it_stands(draft, number)
    fields = [
        Field(
            name=name,
            label=words.word("value", name).capitalize(),
            value=getattr(standing, name),
            low=ranges[name][0],
            high=high,
        )
        for name, high in (("gear", ranges["gear"][1]), ("lap", draft.laps or draft.usual_laps))
    ]
    if car is not None:
        fields += [
            Field(
                name=pool,
                label=words.word("pool", pool).capitalize(),
                icon=pool,
                value=left,
                high=max(left, car.built[pool]),
            )
            for pool, left in car.wear.items()
        ]
    return fields
