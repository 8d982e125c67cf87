"""Making a race, step by step: what was chosen at each, the question, and why it cannot be left yet; the circuits and
the figures there are to choose."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Final, Literal

import msgspec

from companion import circuit_index
from companion.articles import Articles, OpenQuestion
from companion.articles import load as load_articles
from companion.circuit_index import Listed
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
from companion.sheets.entrants import Entrant
from companion.view.citing import figure_name, listed
from companion.view.setup.draft import Draft, plate, refusal
from companion.view.shown import Key, Plate, Shown
from companion.wording import Words

StepName = Literal["first", "rules", "circuit", "drivers", "grid", "season", "street", "start", "cards", "deal"]
STEPS: Final[tuple[StepName, ...]] = ("rules", "circuit", "drivers", "grid", "start")
CARDS: Final[tuple[StepName, ...]] = ("rules", "circuit", "drivers", "cards", "start")
"""The steps of the race of cards: its grid is driven for."""
ARMED: Final[tuple[StepName, ...]] = ("rules", "circuit", "drivers", "grid", "deal", "start")
"""The steps of a race whose cars get cards."""
SEASON: Final[tuple[StepName, ...]] = ("rules", "circuit", "drivers", "season", "start")
"""The steps of a race of a season, whose grid follows from the race before."""
ROLLED: Final[tuple[StepName, ...]] = ("rules", "circuit", "drivers", "start")
"""The steps of a race that rolls for its grid."""


def steps(draft: Draft) -> tuple[StepName, ...]:
    """The steps of making a race by the rulebook chosen."""
    if draft.dealt:
        return CARDS if draft.cards else ARMED
    if draft.season:
        return SEASON
    there = ROLLED if draft.rolls else STEPS
    return (*there[:-1], "street", *there[-1:]) if draft.on_street else there


class StepRow(Shown, frozen=True, kw_only=True):
    """One step of making a race, with what was chosen there."""

    name: str
    label: str
    value: str
    state: Literal["done", "now", "to_come"]


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
    there = steps(draft)
    at = there.index(step)
    last = step == there[-1]
    why = refusal(draft, words) if last else _missing(draft, step, words)
    rows = [
        StepRow(
            name=name,
            label=words.screen(f"new_race.step.{name}"),
            value=_chosen(draft, name, words),
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


def _chosen(draft: Draft, step: StepName, words: Words) -> str:
    """What has been chosen at a step, in a few words."""
    if step == "rules":
        name = rulebook_name(draft.rulebook, words)
        return f"{name} · {words.screen('new_race.changed', count=len(draft.options))}" if draft.options else name
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
    """What kind of game a rulebook is, for who has never read it; how cars come into line; else what was chosen."""
    if step == "rules":
        return Words(words.lang, draft.rulebook).maybe(f"new_race.about.{draft.rulebook}")
    if step == "start" and draft.cards and draft.standing is not None:
        return words.screen("new_race.from_line")
    return _chosen(draft, step, words)


def rulebook_name(name: str, words: Words) -> str:
    """A rulebook as people call it."""
    return Words(words.lang, name).maybe(f"rulebook.{name}") or name


def rulebooks(draft: Draft, words: Words) -> list[Key]:
    """Every rulebook there is, as keys."""
    return [Key(answer=name, label=rulebook_name(name, words)) for name in RULEBOOKS]


def house_of(draft: Draft, saved: Sequence[HouseRules]) -> HouseRules | None:
    """Return the house rules whose rulebook and figures a draft has, and no others; None without."""
    return next((rules for rules in saved if (rules.rulebook, rules.options) == (draft.rulebook, draft.options)), None)


# -- the street drivers to choose from


class StreetRow(Shown, frozen=True, kw_only=True):
    """The card of a street driver, with the points of his car in the order of the pools, and the plate of the car that
    has it; without a `card` the car's is asked for when the race begins."""

    card: str
    points: tuple[int, ...] = ()
    plate: Plate | None = None
    chosen: bool = False


def street_rows(draft: Draft, field: Sequence[Entrant], chosen: int) -> list[StreetRow]:
    """Every card that the car at a place of the field can have, after the row that leaves it to the start."""
    plates = {draft.street.get(one.number): plate(one) for one in field}
    mine = draft.street.get(field[chosen].number, "")
    rows = [StreetRow(card="", chosen=not mine)]
    return rows + [
        StreetRow(card=card, points=points, plate=plates.get(card), chosen=card == mine)
        for card, points in STREET.items()
    ]


# -- the circuits to choose from, each with what is known of it


class CircuitRow(Shown, frozen=True, kw_only=True):
    """One circuit. `tally` counts its spaces or lap, corners and stops; `known` and `trust` say how well it is known.

    In the cup `zones` are its DRS zones. `why` is the sentence of a board that cannot be read, or on which the rulebook
    is not driven; `own` says that the board is the table's own.
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
    """Every circuit that the rulebook is driven on, those that are drawn first, then the table's own boards; one that
    cannot be read says why, and one that was not read yet says that it is being checked."""
    rows = [_circuit(one, draft, words) for one in circuit_index.listed(sections=draft.cards)]
    return sorted(rows, key=lambda row: 2 if row.own else not row.drawn)


def found(rows: Sequence[CircuitRow], wanted: str) -> list[CircuitRow]:
    """The circuits in whose name, country or key a word is found, in whatever letter case and without its accents."""
    word = plain(wanted)
    return [row for row in rows if any(word in plain(said) for said in (row.name, row.country, row.key))]


def _circuit(track: Listed, draft: Draft, words: Words) -> CircuitRow:
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


def zones(track: Listed, words: Words) -> str:
    """The DRS zones of a circuit of the cup: those that it has or is proposed, else who names them."""
    if track.known == "corner":
        return words.screen("new_race.zones.sheet")
    if len(track.zones) < ZONES:
        return words.screen("new_race.zones.asked")
    return words.screen("new_race.zones.known", zones=[*track.zones], proposed=track.proposed)


def trust(track: Track | SectionTrack | Listed, words: Words) -> str:
    """How far a circuit's figures are to be trusted, in a word or two; as its file says it where there is no word."""
    short = track.trust.partition(":")[0].partition(";")[0].strip()
    return words.maybe(f"trust.{short}") or short


# -- the figures and switches of a rulebook, to be looked at and changed before a race


GROUPS: Final = ("option", "variant")
"""The families of switches, in the order in which they are shown."""


class FigureRow(Shown, frozen=True, kw_only=True):
    """One figure or switch: a stepper, a switch, or a table of cells: of figures, or of some of the `words`. `article`
    is as it is cited; `group` says what it is one of, such as the options of the box, by which it
    is listed under a heading."""

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
    """Return the figures and switches with a heading, a row without a name, before each group, if there are any."""
    found: list[FigureRow] = []
    for group, those in groupby(rows, key=lambda row: row.group):
        if group or found:
            label = group or words.screen("new_race.group.figure")
            found.append(FigureRow(name="", label=label, article="", kind="heading"))
        found += those
    return found


def figure_rows(draft: Draft, words: Words) -> list[FigureRow]:
    """Every figure and switch of the rulebook: the options of the box, the variants, then the figures, those that are
    proposed rather than found first."""
    articles = load_articles(draft.rulebook)
    own = Words(words.lang, draft.rulebook)  # the words of the race that is made, whatever race is open
    rows = []
    variants = {variant.switch: variant.family for variant in variants_of(draft.rulebook)}
    families = [*GROUPS, ""]

    def rank(figure: Figure) -> tuple[int, bool]:
        return families.index(variants.get(figure.name, "")), not figure.proposed

    for figure in sorted(RULEBOOKS[draft.rulebook].listed(), key=rank):
        family = variants.get(figure.name)
        usual = figure.said
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
    """What a figure is called and what its article says: its own words, what its switch means when it is on, the title
    of its article, or the name that it has in a setup."""
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
    """Return a figure as people write it: yes or no, a number, the numbers of a table."""
    if isinstance(value, bool):
        return words.word("plain", value).capitalize()
    if isinstance(value, list):
        return " · ".join(
            "-".join(map(str, one)) if isinstance(one, list) else figure_value(one, words) for one in value
        )
    return words.word("outcome", value) if isinstance(value, str) else str(value)


def cells(value: Json) -> list[tuple[tuple[int, ...], Json]]:
    """The figures or words of a table, each with where it stands."""
    found: list[tuple[tuple[int, ...], Json]] = []
    for at, inner in enumerate(value):
        if isinstance(inner, list):
            found += [((at, *deeper), one) for deeper, one in cells(inner)]
        else:
            found.append(((at,), inner))
    return found


def with_cell(value: Json, at: tuple[int, ...], one: Json) -> Json:
    """A table with one figure or word changed."""
    first, *rest = at
    return [
        (with_cell(inner, tuple(rest), one) if rest else one) if place == first else inner
        for place, inner in enumerate(value)
    ]
