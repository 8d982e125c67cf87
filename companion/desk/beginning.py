"""A race begins from its setup and a circuit, and its log keeps the text of that circuit."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from companion import circuits, whole_file
from companion.desk.race_desk import RaceDesk
from companion.rules.conversation.asking import Json
from companion.rules.conversation.errors import BadSetup
from companion.rules.conversation.text import check_text, unturned
from companion.rules.rulebooks import begin


def begin_race(
    setup: Mapping[str, Json], track: str, folder: Path | None, *, name: str = "", memory: bool = False
) -> RaceDesk:
    """Begin a race on a circuit, by its key or the path of its file, with its log in `folder`.

    Without a folder nothing of it is stored. Raises BadSetup, BadTrack; NotSaved if the disk takes nothing, unless
    `memory` says to go on without it.
    """
    check_text([setup, name], BadSetup)
    setup, name = _unturned(setup), unturned(name)
    rulebook = begin(setup, circuits.board(track))
    if folder is None:
        return RaceDesk(rulebook, setup=setup, name=name)
    text = whole_file.text(circuits.find(track))
    return RaceDesk.begin(rulebook, setup=setup, track=text, folder=folder, name=name, memory=memory)


def _unturned(setup: Mapping[str, Json]) -> dict[str, Json]:
    """Return a setup without marks in it that turn letters round, whichever names hold them."""

    def plain(said: Json) -> Json:
        if isinstance(said, str):
            return unturned(said)
        if isinstance(said, Mapping):
            return {name: plain(value) for name, value in said.items()}
        return [plain(value) for value in said] if isinstance(said, list | tuple) else said

    return {name: plain(value) for name, value in setup.items()}
