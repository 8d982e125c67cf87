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
from companion.sheets.entry import Beginning
from companion.sheets.history import History

if TYPE_CHECKING:
    from companion.rules.circuit.track import Track
    from companion.rules.ninety.circuit import SectionTrack
    from companion.rules.rulebooks import Book

Make: TypeAlias = "Callable[[dict[str, Json], str], Book]"
"""Makes the rulebook of a setup and a circuit's text."""


def rulebook_of(setup: dict[str, Json], track: str) -> Book:
    """Return the rulebook of a setup, on a circuit given as text; raise BadSetup or BadTrack."""
    from companion.rules.rulebooks import begin

    key = str(setup.get("track", "circuit")).rpartition("/")[2].removesuffix(".toml")
    return begin(setup, circuit(track, key))


@functools.lru_cache(maxsize=4)
def circuit(text: str, key: str) -> Track | SectionTrack:
    """Return the circuit of a log, from its text; raise BadTrack.

    It is read once, and every reader of the race gets the same object: so it is drawn once as well.
    """
    from companion.rules.ninety.circuit import load_board

    return load_board(text, "the circuit in the log", key)


def laps_of(begun: Beginning) -> int:
    """Return the laps that a race runs: where its setup does not say those of the rulebook there, 0 for one unknown."""
    laps, options = begun.setup.get("laps"), begun.setup.get("options")
    if isinstance(laps, int):
        return laps
    on = [name for name, value in options.items() if value is True] if isinstance(options, dict) else []
    try:
        return _usual_laps(begun.rulebook, begun.track, begun.track_key, tuple(on))
    except CompanionError:
        return 0


@functools.lru_cache(maxsize=32)
def _usual_laps(rulebook: str, track: str, key: str, on: Sequence[str]) -> int:
    from companion.rules.rulebooks import laps_on, variants_on

    return laps_on(rulebook, circuit(track, key), variants_on(rulebook, dict.fromkeys(on, True)))


def resume_conversation(
    history: History, snapshots: Sequence[tuple[int, bytes]], make: Make
) -> tuple[Book, Conversation]:
    """Return the conversation where the log left it, from the last snapshot or else all over again.

    A state is used if the chain vouches for it, and the answers since lead from it to the state that the last entry
    has.

    Raises LogError if the rulebook does not come to the state that the log holds.
    """
    beginning = history.beginning
    assert beginning is not None
    events = history.events
    rulebook = make(beginning.setup, beginning.track)
    kept = history.vouched(snapshots)
    if kept:
        try:
            earlier = [*Conversation(rulebook).checkpoints, *kept[:-1]]
            talk = Conversation.resumed(rulebook, events, *kept[-1], earlier)
            if talk.digest == history.state:
                return rulebook, talk
        except Exception:  # whatever a state that is damaged, or of another version, leads to
            logging.getLogger(__name__).info("a state kept is of no use; the answers are the truth", exc_info=True)
        rulebook = make(beginning.setup, beginning.track)
    talk = Conversation(rulebook)
    for item in history.items:
        reapply_answer(talk, history, item)
    if talk.digest != history.state:
        raise divergence_error(history, rulebook, history.seq, LogError("other_state"))
    return rulebook, talk


def reapply_answer(talk: Conversation, history: History, item: Item) -> None:
    """Give an answer of a log again, after all the answers before it.

    Raises LogError if the rulebook does not take it, or comes to another state than the log has after the last one.
    """
    rulebook = cast("Book", talk.rulebook)
    try:
        talk.apply(item.event)
    except CompanionError as wrong:
        raise divergence_error(history, rulebook, item.seq, wrong.at(f"entry {item.seq}")) from wrong
    if item is history.items[-1] and item.state not in ("", talk.digest):
        raise divergence_error(history, rulebook, item.seq, LogError("other_state"))


def divergence_error(history: History, rulebook: Book, seq: int, found: CompanionError) -> LogError:
    """Return the error for a log that the rulebook does not follow, as entry `seq` shows, with its remedy."""
    beginning, now = history.beginning, rulebook.VERSION
    assert beginning is not None
    was = history.other_version(now)
    if not was:
        return LogError("damaged.rules", race=beginning.name, found=found)
    return LogError("version.race", race=beginning.name, was=was, now=now, seq=seq)
