"""The circuits to choose from, each with what is known of it."""

from __future__ import annotations

from collections.abc import Sequence

from companion import circuits
from companion.rules.circuit.track import Track
from companion.rules.circuit.zones import ZONES
from companion.rules.conversation.errors import BadSetup, CompanionError
from companion.rules.cup.cup import Cup
from companion.rules.ninety.circuit import SectionTrack
from companion.rules.rulebooks import RULEBOOKS, check_circuit
from companion.view.draft import Draft
from companion.view.shown import Shown
from companion.wording import Words
from companion.wording.filling import MissingWords


class CircuitRow(Shown, frozen=True, kw_only=True):
    """One circuit. `tally` counts its spaces or lap, corners and stops; `known` and `trust` say how well it is known.

    In the cup `zones` are its DRS zones. `why` is the sentence of a board that cannot be read, or on which the rulebook
    is not driven.
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


def circuit_rows(draft: Draft, words: Words, own: Sequence[str] = ()) -> list[CircuitRow]:
    """Every circuit that the rulebook is driven on, those that are drawn first, then the table's own boards (paths);
    one that cannot be read says why."""
    rows: list[CircuitRow] = []
    for key in [*(circuits.section_keys() if draft.cards else circuits.keys()), *own]:
        try:
            track = circuits.board(key)
        except CompanionError as wrong:
            name = key.rpartition("/")[2].removesuffix(".toml")
            rows.append(CircuitRow(key=key, name=name, why=words.error(wrong)))
            continue
        if isinstance(track, SectionTrack) == draft.cards:
            rows.append(_circuit(key, track, draft.rulebook, words))
    return sorted(rows, key=lambda row: 2 if row.key in own else not row.drawn)


def _circuit(key: str, track: Track | SectionTrack, rulebook: str, words: Words) -> CircuitRow:
    corners, grid = len(track.corners), 0
    if isinstance(track, SectionTrack):
        tally = words.screen("new_race.tally_sections", sections=len(track.sections), corners=corners, pit=track.pit)
    else:
        grid = len(track.grid)
        stops = sum(corner.stops for corner in track.corners)
        form = "tally" if track.known == "space" else "tally_sheet"
        tally = words.screen(f"new_race.{form}", lap=track.shortest_lap, corners=corners, stops=stops)
    why = ""
    try:
        check_circuit(RULEBOOKS[rulebook], track)
    except BadSetup as wrong:
        why = words.error(wrong)
    return CircuitRow(
        key=key,
        name=track.name,
        country=track.country,
        tally=tally,
        known=words.screen(f"new_race.known.{track.known}"),
        grid=words.screen("new_race.grid_size", count=grid) if grid else "",
        zones=zones(track, words) if isinstance(track, Track) and rulebook == Cup.name else "",
        drawn=track.known == "space",
        trust=trust(track, words),
        laps=track.laps.get(rulebook, RULEBOOKS[rulebook].laps),
        why=why,
    )


def zones(track: Track, words: Words) -> str:
    """The DRS zones of a circuit of the cup: those that it has or is proposed, else who names them."""
    if track.known == "corner":
        return words.screen("new_race.zones.sheet")
    if len(track.zones) < ZONES:
        return words.screen("new_race.zones.asked")
    names, proposed = [zone.name for zone in track.zones], any(zone.proposed for zone in track.zones)
    return words.screen("new_race.zones.known", zones=names, proposed=proposed)


def trust(track: Track | SectionTrack, words: Words) -> str:
    """How far a circuit's figures are to be trusted, in a word or two; as its file says it where there is no word."""
    short = track.trust.partition(":")[0].partition(";")[0].strip()
    try:
        return words.screen(f"trust.{short}")
    except MissingWords:
        return short
