"""The steps to a new race, with the circuits and figures to choose from."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Final, Literal

import msgspec

from companion import circuit_index
from companion.articles import Articles, OpenQuestion
from companion.articles import load as load_articles
from companion.circuit_index import ListedCircuit
from companion.circuits import plain
from companion.house_rules import HouseRules
from companion.rules.circuit.track import Track
from companion.rules.circuit.zones import ZONES
from companion.rules.conversation.asking import Json
from companion.rules.conversation.errors import BadSetup, CompanionError
from companion.rules.conversation.figures import Figure
from companion.rules.cup import Cup
from companion.rules.dice.variants import VARIANTS
from companion.rules.formula_d import STREET
from companion.rules.ninety.circuit import SectionTrack
from companion.rules.rulebooks import RULEBOOKS, check_circuit, laps_on, variants_of, variants_on
from companion.sheets.entrants import RaceEntrant
from companion.view.citing import figure_name, listed
from companion.view.setup.draft import Draft, plate, refusal
from companion.view.shown import AnswerKey, Plate, ViewModel
from companion.wording import Words

StepName = Literal["first", "rules", "circuit", "drivers", "grid", "season", "street", "start", "cards", "deal"]
STEPS: Final[tuple[StepName, ...]] = ("rules", "circuit", "drivers", "grid", "start")
CARDS: Final[tuple[StepName, ...]] = ("rules", "circuit", "drivers", "cards", "start")
"""Steps of the race of cards: its grid is driven for."""
ARMED: Final[tuple[StepName, ...]] = ("rules", "circuit", "drivers", "grid", "deal", "start")
"""Steps of a race whose cars get cards."""
SEASON: Final[tuple[StepName, ...]] = ("rules", "circuit", "drivers", "season", "start")
"""Steps of a race of a season, whose grid follows from the race before."""
ROLLED: Final[tuple[StepName, ...]] = ("rules", "circuit", "drivers", "start")
"""Steps of a race that rolls for its grid."""


def steps(draft: Draft) -> tuple[StepName, ...]:
    """Return the steps under the draft's rulebook."""
    if draft.dealt:
        return CARDS if draft.cards else ARMED
    if draft.season:
        return SEASON
    there = ROLLED if draft.rolls else STEPS
    return (*there[:-1], "street", *there[-1:]) if draft.on_street else there


class StepRow(ViewModel, frozen=True, kw_only=True):
    """A step, with the choice made there."""

    name: str
    label: str
    value: str
    state: Literal["done", "now", "to_come"]


class NewRaceShown(ViewModel, frozen=True, kw_only=True):
    """The frame of the steps: the question, and why it cannot be left yet."""

    title: str
    subtitle: str
    steps: tuple[StepRow, ...]
    step: str
    ask: str
    note: str = ""
    next: str = ""
    why: str = ""


def show(draft: Draft, step: StepName, words: Words) -> NewRaceShown:
    """Return the frame of a step."""
    there = steps(draft)
    at = there.index(step)
    last = step == there[-1]
    why = refusal(draft, words) if last else _missing(draft, step, words)
    rows = [
        StepRow(
            name=name,
            label=words.screen(f"new_race.step.{name}"),
            value=_choice_text(draft, name, words),
            state="now" if name == step else "done" if _is_done(draft, name, place < at) else "to_come",
        )
        for place, name in enumerate(there)
    ]
    board = draft.board
    said = [board.name if board else "", rulebook_name(draft.rulebook, words)]
    return NewRaceShown(
        title=words.screen("new_race.title"),
        subtitle=" · ".join(filter(None, said)),
        steps=tuple(rows),
        step=step,
        ask=words.screen(f"new_race.ask.{step}"),
        note=_about(draft, step, words),
        next=words.screen("new_race.begin" if last else "new_race.next"),
        why=why,
    )


def _is_done(draft: Draft, name: StepName, before: bool) -> bool:
    if name == "circuit":
        return bool(draft.track)
    return before and (name not in ("drivers", "grid", "season", "street") or bool(draft.entrants))


def _missing(draft: Draft, step: StepName, words: Words) -> str:
    if step == "circuit" and not draft.track:
        return words.screen("new_race.no_circuit")
    if step in ("drivers", "grid", "season", "street") and not draft.entrants:
        return words.screen("new_race.no_drivers")
    return ""


def _choice_text(draft: Draft, step: StepName, words: Words) -> str:
    """Return the choice made at a step, in a few words."""
    if step == "rules":
        changed = len(draft.options)
        return words.screen("new_race.rest_note", count=changed) if changed else rulebook_name(draft.rulebook, words)
    if step == "circuit":
        board = draft.board
        how_long = words.screen("new_race.distance", count=draft.laps or draft.usual_laps, turns=draft.cards)
        return f"{board.name} · {how_long}" if board else "–"
    if step == "drivers":
        return words.screen("new_race.cars", count=len(draft.entrants)) if draft.entrants else "–"
    if step == "grid":
        pole = draft.entrants[0] if draft.entrants else None
        return words.screen("new_race.pole", car=words.number(pole.number, {pole.number: pole.name})) if pole else "–"
    if step == "season":
        return words.screen("new_race.season", by=draft.line_up, home=len(draft.home))
    if step == "street":
        return words.screen("new_race.chosen_cards", count=len(draft.street), of=len(draft.entrants))
    if step == "deal":
        return words.screen("new_race.whose_deck", deck=draft.deck)
    if step == "cards":
        return words.screen("new_race.deck_and_bots", deck=draft.deck, bots=2 * draft.bots)
    return words.screen("new_race.from_grid" if draft.standing is None else "new_race.from_position")


def _about(draft: Draft, step: StepName, words: Words) -> str:
    """Return the note on a step: what a rulebook is like, otherwise the choice made."""
    if step == "rules":
        return Words(words.lang, draft.rulebook).maybe(f"new_race.about.{draft.rulebook}")
    if step == "start" and draft.cards and draft.standing is not None:
        return words.screen("new_race.from_line")
    return _choice_text(draft, step, words)


def rulebook_name(name: str, words: Words) -> str:
    """Return the display name of a rulebook."""
    return Words(words.lang, name).maybe(f"rulebook.{name}") or name


def rulebooks(draft: Draft, words: Words) -> list[AnswerKey]:
    """Return every rulebook as a key."""
    return [AnswerKey(answer=name, label=rulebook_name(name, words)) for name in RULEBOOKS]


def house_of(draft: Draft, saved: Sequence[HouseRules]) -> HouseRules | None:
    """Return the house rules that a draft follows exactly, or None."""
    return next((rules for rules in saved if (rules.rulebook, rules.options) == (draft.rulebook, draft.options)), None)


# -- the street drivers to choose from


class StreetRow(ViewModel, frozen=True, kw_only=True):
    """A street driver's card: the car's points in the order of the pools, and its present owner.

    Without a `card`, the choice is left to the start of the race.
    """

    card: str
    points: tuple[int, ...] = ()
    plate: Plate | None = None
    chosen: bool = False


def street_rows(draft: Draft, field: Sequence[RaceEntrant], chosen: int) -> list[StreetRow]:
    """Return the cards that a car may have, after the row that leaves it to the start."""
    plates = {draft.street.get(one.number): plate(one) for one in field}
    mine = draft.street.get(field[chosen].number, "")
    rows = [StreetRow(card="", chosen=not mine)]
    return rows + [
        StreetRow(card=card, points=points, plate=plates.get(card), chosen=card == mine)
        for card, points in STREET.items()
    ]


# -- the circuits to choose from, each with what is known of it


class CircuitRow(ViewModel, frozen=True, kw_only=True):
    """A circuit.

    `tally` counts its spaces or lap, corners and stops; `known` and `trust` tell how well it is known. In the cup,
    `zones` are its DRS zones. `why` says that the board cannot be read, or that the rulebook does not allow it; `own`
    marks a board of the table's own.
    """

    key: str
    name: str
    country: str = ""
    tally: str = ""
    known: str = ""
    grid: str = ""
    zones: str = ""
    drawn: bool = False
    trust: str = ""
    laps: int = 0
    why: str = ""
    own: bool = False


def circuit_rows(draft: Draft, words: Words) -> list[CircuitRow]:
    """Return every circuit, drawn ones first, then the table's own boards.

    A board that cannot be used says why; one not yet read says that it is being checked.
    """
    rows = [_circuit(one, draft, words) for one in circuit_index.listed(sections=draft.cards)]
    return sorted(rows, key=lambda row: 2 if row.own else not row.drawn)


def search_circuits(rows: Sequence[CircuitRow], wanted: str) -> list[CircuitRow]:
    """Return the circuits whose name, country or key contains a word, ignoring case and accents."""
    word = plain(wanted)
    return [row for row in rows if any(word in plain(said) for said in (row.name, row.country, row.key))]


def _circuit(track: ListedCircuit, draft: Draft, words: Words) -> CircuitRow:
    rulebook = draft.rulebook
    bare = CircuitRow(key=track.key, name=track.name, own=track.own)
    if (refused := track.refusal) is not None:
        return msgspec.structs.replace(bare, why=words.error(refused))
    if not track.checked:
        return msgspec.structs.replace(bare, tally=words.screen("new_race.unchecked"))
    form = {"space": "tally", "corner": "tally_sheet", "sections": "tally_sections"}[track.known]
    why = ""
    try:
        check_circuit(RULEBOOKS[rulebook], track)
    except BadSetup as wrong:
        why = words.error(wrong)
    return msgspec.structs.replace(
        bare,
        country=track.country,
        tally=words.screen(
            f"new_race.{form}",
            lap=track.spaces,
            sections=track.spaces,
            corners=track.corners,
            stops=track.stops,
            pit=track.pit,
        ),
        known=words.screen(f"new_race.known.{track.known}"),
        grid=words.screen("new_race.grid_size", count=track.grid) if track.grid else "",
        zones=zones(track, words) if track.known != "sections" and rulebook == Cup.name else "",
        drawn=track.known == "space",
        trust=trust(track, words),
        laps=laps_on(rulebook, track, variants_on(rulebook, draft.options)),
        why=why,
    )


def zones(track: ListedCircuit, words: Words) -> str:
    """Return the DRS zones of a circuit in the cup: known, proposed, or who names them."""
    if track.known == "corner":
        return words.screen("new_race.zones.sheet")
    if len(track.zones) < ZONES:
        return words.screen("new_race.zones.asked")
    return words.screen("new_race.zones.known", zones=[*track.zones], proposed=track.proposed)


def trust(track: Track | SectionTrack | ListedCircuit, words: Words) -> str:
    """Return how reliable a circuit's figures are, in a word or two, or as its file says."""
    short = track.trust.partition(":")[0].partition(";")[0].strip()
    return words.maybe(f"trust.{short}") or short


# -- the figures and switches of a rulebook, to be looked at and changed before a race


GROUPS: Final = ("option", "variant")
"""Families of switches, in display order."""


class FigureRow(ViewModel, frozen=True, kw_only=True):
    """A figure or switch: a stepper, a switch, or a table of figures or `words`.

    `article` is its citation; `group` is the heading under which it is listed.
    """

    name: str
    label: str
    article: str
    group: str = ""
    note: str = ""
    proposed: bool = False
    changed: bool = False
    kind: Literal["number", "switch", "table", "words", "heading"] = "number"
    value: Json = None
    usual: Json = None
    low: int = 0
    high: int = 99
    words: tuple[str, ...] = ()


def under_headings(rows: Sequence[FigureRow], words: Words) -> list[FigureRow]:
    """Insert a heading, a row without a name, before each group but the first, which the list's own heading names."""
    found: list[FigureRow] = []
    for group, those in groupby(rows, key=lambda row: row.group):
        if found:
            label = group or words.screen("new_race.group.figure")
            found.append(FigureRow(name="", label=label, article="", kind="heading"))
        found += those
    return found


def figure_rows(draft: Draft, words: Words) -> list[FigureRow]:
    """Return every figure and switch of the rulebook.

    Options of the box come first, then variants, then figures; within each, proposed ones first.
    """
    articles = load_articles(draft.rulebook)
    own = Words(words.lang, draft.rulebook)  # the words of the race that is made, whatever race is open
    rows = []
    variants = {variant.switch: variant.family for variant in variants_of(draft.rulebook)}
    families = [*GROUPS, ""]

    def rank(figure: Figure) -> tuple[int, bool]:
        return families.index(variants.get(figure.name, "")), not figure.proposed

    for figure in sorted(RULEBOOKS[draft.rulebook].listed(), key=rank):
        family = variants.get(figure.name)
        usual = figure.setup_value
        value = draft.options.get(figure.name, usual)
        label, note = figure_words(figure, articles, own)
        kind: Literal["number", "switch", "table", "words"] = "words" if figure.words else "table"
        if isinstance(usual, int):
            kind = "switch" if isinstance(usual, bool) else "number"
        rows.append(
            FigureRow(
                name=figure.name,
                label=label,
                article=listed(figure.article, own),
                group=own.screen(f"new_race.group.{family}") if family else "",
                note=note,
                proposed=figure.proposed,
                changed=figure.name in draft.options,
                kind=kind,
                value=value,
                usual=usual,
                low=figure.low or 0,
                high=99 if figure.high is None else figure.high,
                words=figure.words,
            )
        )
    return rows


def figure_words(figure: Figure, articles: Articles, words: Words) -> tuple[str, str]:
    """Return a figure's label, and the text of its article.

    The label is its own wording, its switch's meaning, its article's title, or its name in a setup.
    """
    name = figure.name.replace("_", " ").capitalize()
    try:
        entry = articles.get(figure.article)
    except CompanionError:
        entry = None
    if isinstance(entry, OpenQuestion) and entry.switch == figure.name:
        return entry.switch_text(words.lang), ""
    text = entry.text(words.lang) if entry is not None else ""
    if said := words.maybe(f"figure.{figure.name}"):
        return said, text
    if VARIANTS.switched_by(figure.name):
        return figure_name(figure.name, words), text
    return f"{entry.title(words.lang)} ({name})" if entry is not None else name, text


def figure_value(value: Json, words: Words) -> str:
    """Return a value in words: yes or no, a number, or a table's numbers."""
    if isinstance(value, bool):
        return words.word("plain", value).capitalize()
    if isinstance(value, list):
        return " · ".join(
            "-".join(map(str, one)) if isinstance(one, list) else figure_value(one, words) for one in value
        )
    return words.word("outcome", value) if isinstance(value, str) else str(value)


def cells(value: Json) -> list[tuple[tuple[int, ...], Json]]:
    """Return the cells of a table, each with its index path."""
    found: list[tuple[tuple[int, ...], Json]] = []
    for at, inner in enumerate(value):
        if isinstance(inner, list):
            found += [((at, *deeper), one) for deeper, one in cells(inner)]
        else:
            found.append(((at,), inner))
    return found


def with_cell(value: Json, at: tuple[int, ...], one: Json) -> Json:
    """Return a table with one cell changed."""
    first, *rest = at
    return [
        (with_cell(inner, tuple(rest), one) if rest else one) if place == first else inner
        for place, inner in enumerate(value)
    ]
