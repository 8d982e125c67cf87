"""The weather of a tournament: what was drawn for each session of trials and each round, once for all tables."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from companion.rules.conversation.asking import Json
from companion.tournament.tournament import Tournament
from companion.tournament.weather import Drawn
from companion.view.commissioner.acts import TakeBack, take_back
from companion.view.commissioner.calendar import chart
from companion.view.commissioner.standings import circuit_name
from companion.view.shown import Key, Shown
from companion.wording import Words, capital

FACES: Final = (Key(answer=0, label="–"), *(Key(answer=face, label=str(face)) for face in range(1, 21)))
"""The faces of the black die, by their numbers; before them that none has been rolled."""


class SkyRow(Shown, frozen=True, kw_only=True):
    """A session or a round (the other one is 0) with its sky, "" before it is drawn, and whether it is over."""

    session: int = 0
    round: int = 0
    label: str
    sky: str = ""
    driven: bool = False
    said: str = ""
    chosen: bool = False


class SkiesShown(Shown, frozen=True, kw_only=True):
    """Every session and round, one of them chosen unless nothing is to be drawn; the circuit's chart there; who throws
    the die."""

    subtitle: str
    rows: tuple[SkyRow, ...]
    chosen: SkyRow | None
    chart: tuple[tuple[str, str, str], ...]
    circuit: str
    thrower: str
    can: bool
    undo: TakeBack


def skies(record: Tournament, words: Words, session: int = 0, round_: int = 0) -> SkiesShown:
    """The weather, with a session or a round chosen, else what is to be drawn next: a round before a session."""

    def say(key: str, **facts: Json) -> str:
        return words.screen(f"weather.{key}", **facts)

    def row(what: str, number: int, drawn: Drawn | None, *, driven: bool) -> SkyRow:
        said = "" if drawn is None else capital(words.word("sky", drawn.sky))
        said = f"{said} ({drawn.face})" if drawn is not None and drawn.face else said
        return SkyRow(
            session=number if what == "session" else 0,
            round=number if what == "round" else 0,
            label=say(what, number=number),
            sky="" if drawn is None else drawn.sky,
            driven=driven,
            said=said or say("driven" if driven else "open"),
        )

    timed = {number for sessions in record.times.values() for number in sessions}
    rows = [
        row("session", n, record.skies.get(("session", n)), driven=n in timed)
        for n in range(1, record.begun.sessions + 1)
    ]
    rows += [row("round", n, record.skies.get(("round", n)), driven=not record.open_tables(n)) for n in record.rounds]
    wanted = next((one for one in rows if (one.session, one.round) == (session, round_) and (session or round_)), None)
    due = [one for one in rows if not one.sky and not one.driven]
    chosen = wanted or next((one for one in reversed(due) if one.round), None) or next(iter(due), None)
    chosen = chosen or next((one for one in reversed(rows) if one.sky), None)
    track = record.rounds[chosen.round].track if chosen is not None and chosen.round else record.begun.track
    faces = chart(record.begun.rulebook, record.begun.options, track, words)
    fastest = record.draws_weather()
    throws = chosen is not None and chosen.round and fastest is not None
    return SkiesShown(
        subtitle=record.name,
        rows=tuple(replace(one, chosen=one is chosen) for one in rows),
        chosen=chosen,
        chart=faces,
        circuit=circuit_name(track),
        thrower=say("fastest", car=f"{fastest} {record.names[fastest]}") if throws and fastest else say("control"),
        can=bool(faces),
        undo=take_back(record, words),
    )
