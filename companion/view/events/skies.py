"""A tournament's weather: one draw per trials session and per round, for all tables."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from companion.rules.conversation.asking import Json
from companion.tournament.tournament import Tournament
from companion.tournament.weather import Drawn
from companion.view.events.acts import TakeBack, take_back
from companion.view.events.calendar import chart
from companion.view.events.standings import circuit_name
from companion.view.shown import AnswerKey, ViewModel
from companion.wording import Words, capital

FACES: Final = (AnswerKey(answer=0, label="–"), *(AnswerKey(answer=face, label=str(face)) for face in range(1, 21)))
"""Faces of the black die, by number; the first stands for none rolled."""


class SkyRow(ViewModel, frozen=True, kw_only=True):
    """A session or a round (the other is 0), its sky ("" if not drawn), and whether it is over."""

    session: int = 0
    round: int = 0
    label: str
    sky: str = ""
    driven: bool = False
    said: str = ""
    chosen: bool = False


class SkiesShown(ViewModel, frozen=True, kw_only=True):
    """All sessions and rounds, one selected if any is to be drawn.

    With the circuit's chart and who rolls the die.
    """

    subtitle: str
    rows: tuple[SkyRow, ...]
    chosen: SkyRow | None
    chart: tuple[tuple[str, str, str], ...]
    circuit: str
    thrower: str
    can: bool
    undo: TakeBack


def skies(record: Tournament, words: Words, session: int = 0, round_: int = 0) -> SkiesShown:
    """Return the weather with a session or round selected.

    Otherwise select the next to draw, rounds before sessions.
    """

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
