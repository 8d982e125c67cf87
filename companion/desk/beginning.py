"""A race begins from its setup and a circuit, and its log keeps the text of that circuit."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from companion import circuits
from companion.desk.race_desk import RaceDesk
from companion.rules.conversation.asking import Json
from companion.rules.rulebooks import begin


def begin_race(
    setup: Mapping[str, Json], track: str, folder: Path, *, name: str = "", memory: bool = False
) -> RaceDesk:
    """A new race on a circuit, by its key or the path of its file, with its log in `folder`.

    Raises BadSetup, BadTrack; NotSaved if the disk takes nothing, unless `memory` says to go on without it.
    """
    rulebook = begin(setup, circuits.board(track))
    text = circuits.find(track).read_text(encoding="utf-8")
    return RaceDesk.begin(rulebook, setup=setup, track=text, folder=folder, name=name, memory=memory)
