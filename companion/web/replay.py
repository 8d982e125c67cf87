"""The replay of a finished race, one page per turn.

It plays without a script: each page loads the next.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from companion.view.markup import Html, el
from companion.view.phones.replay import ReplayTurn
from companion.web.art import icon, plate
from companion.web.board import board
from companion.web.pages import HIGH, WIDE, Writer, gap_of, order_row

TURN_SECONDS: Final = 2
"""Display time of each turn, in seconds."""


def replay_page(writer: Writer, turns: Sequence[ReplayTurn], at: int, *, plays: bool) -> Html:
    """Write the page of a turn; with `plays` the next one follows by itself."""
    turn, last = turns[at], len(turns) - 1
    plays = plays and at < last
    on = el("meta", http_equiv="refresh", content=f"{TURN_SECONDS};url={_address(writer, at + 1, plays=True)}")
    rows = [order_row(row, el("td", row.lap), el("td", gap_of(row), cls="gap")) for row in turn.order]
    told = [
        el("li", plate(turn.plate) if turn.plate is not None and not place else None, el("span", one), cls="line")
        for place, one in enumerate(turn.told)
    ]
    main = el("main",
        el("section", writer.bar(turn.top), id="top"),
        el("section", board(writer.track, turn.board, WIDE + 16, HIGH), id="board"),
        el("nav", _keys(writer, turns, at, plays=plays), cls="turns", aria_label=writer.say("replay")),
        el("section", el("h2", writer.say("of_turns", at=at + 1, all=len(turns))), el("ul", told), id="rulings"),
        el("section", el("table", el("tbody", rows), cls="order"), id="order"),
        el("a", icon("flag"), " ", writer.say("to_race"), href=f"/?lang={writer.lang}", cls="key wide"),
    )  # fmt: skip
    head = writer.head_of("replay", on if plays else None)
    return Html("<!doctype html>" + el("html", head, el("body", main, cls="watch replay"), lang=writer.lang))


def _address(writer: Writer, at: int, *, plays: bool = False) -> str:
    return f"/replay?lang={writer.lang}&at={at}{'&play=1' if plays else ''}"


def _keys(writer: Writer, turns: Sequence[ReplayTurn], at: int, *, plays: bool) -> list[Html]:
    """Write the links to nearby turns, and the one that plays or pauses."""
    last = len(turns) - 1
    firsts = [place for place, turn in enumerate(turns) if not place or turn.round != turns[place - 1].round]
    before = max((place for place in firsts if place < at), default=0)
    after = min((place for place in firsts if place > at), default=last)
    going = "pause" if plays else "play"
    return [
        _key(writer, "round_back", "back", before, there=at > 0),
        _key(writer, "turn_back", "back", at - 1, there=at > 0),
        _key(writer, going, going, 0 if at == last else at, plays=not plays),
        _key(writer, "turn_on", "forward", at + 1, there=at < last),
        _key(writer, "round_on", "forward", after, there=at < last),
    ]


def _key(writer: Writer, name: str, mark: str, to: int, *, there: bool = True, plays: bool = False) -> Html:
    """Write a link as a key, with a short word and a full label for screen readers."""
    inside = [icon(mark), el("small", writer.say(name.partition("_")[0]))]
    href = _address(writer, to, plays=plays) if there else None
    return el("a", inside, href=href, cls="key", aria_label=writer.say(name))
