"""A race played again from its log: to go on with it, and to check it."""

from __future__ import annotations

import functools
import logging
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeAlias, cast

from companion.rules.conversation.asking import Json
from companion.rules.conversation.conversation import Conversation
from companion.rules.conversation.errors import CompanionError, LogError
from companion.sheets.acts import Item
from companion.sheets.history import History

if TYPE_CHECKING:
    from companion.rules.circuit.track import Track
    from companion.rules.ninety.circuit import SectionTrack
    from companion.rules.rulebooks import Book

Make: TypeAlias = "Callable[[dict[str, Json], str], Book]"
"""Makes the rulebook of a setup and a circuit's text."""


def rulebook_of(setup: dict[str, Json], track: str) -> Book:
    """The rulebook of a setup, on a circuit given as text. Raises BadSetup, BadTrack."""
    from companion.rules.rulebooks import begin

    key = str(setup.get("track", "circuit")).rpartition("/")[2].removesuffix(".toml")
    return begin(setup, circuit(track, key))


@functools.lru_cache(maxsize=4)
def circuit(text: str, key: str) -> Track | SectionTrack:
    """A circuit of a log, from its text; raises BadTrack. It is read once, and is the same one for everybody who looks
    at its race: so it is drawn once as well."""
    from companion.rules.ninety.circuit import load_board

    return load_board(text, "the circuit in the log", key)


def resumed(history: History, snapshots: Sequence[tuple[int, bytes]], make: Make) -> tuple[Book, Conversation]:
    """The conversation where the log left it: from the last state kept, or all over again if that does not fit.

    A state is used if the chain vouches for it. A log that an older program wrote says nothing of its states; there the
    last one is used if the answers since lead from it to the state that the last entry has.

    Raises LogError if the rulebook does not come to the state that the log holds.
    """
    beginning = history.beginning
    assert beginning is not None
    events = history.events
    rulebook = make(beginning.setup, beginning.track)
    kept = history.vouched(snapshots)
    if not history.states:
        kept = [(n, body) for n, body in snapshots if n <= len(events)][-1:]
    if kept:
        try:
            earlier = [*Conversation(rulebook).marks, *kept[:-1]]
            talk = Conversation.resumed(rulebook, events, *kept[-1], earlier)
            if talk.digest == history.state:
                return rulebook, talk
        except Exception:  # whatever a state that is damaged, or of another version, leads to
            logging.getLogger(__name__).info("a state kept is of no use; the answers are the truth", exc_info=True)
        rulebook = make(beginning.setup, beginning.track)
    talk = Conversation(rulebook)
    for item in history.items:
        again(talk, history, item)
    if talk.digest != history.state:
        raise otherwise(history, rulebook, history.seq, "it comes to another state")
    return rulebook, talk


def again(talk: Conversation, history: History, item: Item) -> None:
    """Gives an answer of a log again, the answers before it having been given. Raises LogError if the rulebook does
    not take it, or comes to another state than the log has after the last one."""
    rulebook = cast("Book", talk.rulebook)
    try:
        talk.apply(item.event)
    except CompanionError as wrong:
        raise otherwise(history, rulebook, item.seq, f"entry {item.seq}: {wrong}") from wrong
    if item is history.items[-1] and item.state not in ("", talk.digest):
        raise otherwise(history, rulebook, item.seq, "it comes to another state")


def otherwise(history: History, rulebook: Book, seq: int, found: str) -> LogError:
    """What to say of a log that the rulebook does not follow, as entry `seq` shows, and what can be done."""
    beginning, now = history.beginning, rulebook.VERSION
    assert beginning is not None
    was = history.other_version(now)
    if not was:
        return LogError(
            f"The race {beginning.name} cannot go on: its log does not follow the rulebook ({found.rstrip('.')}); "
            "companion verify says more.",
            "damaged",
        )
    return LogError(
        f"The race {beginning.name} was refereed by {was}, and {now} of this program rules otherwise "
        f"(see entry {seq}); its log and sheet stay, the program before the update still follows it, and a new race "
        "can go on from where the cars stand.",
        "version",
        was=was,
        now=now,
    )
