"""Circuits as plain data, for programs that draw them or drive on them."""

from __future__ import annotations

import msgspec

from companion.protocol.fields import Line
from companion.rules.circuit.track import Track
from companion.rules.public import Board


def board_lines(board: Board) -> Line:
    """Return a circuit as data: corners, sections, and each space with its neighbours.

    Unknown parts are left out: a corner sheet has corners but no spaces.
    """
    shown: Line = {"track": board.key, "name": board.name, "known": board.known}
    if not isinstance(board, Track):
        return {**shown, "sections": msgspec.to_builtins(list(board.sections))}
    shown["lanes"] = list(board.lanes)
    shown["corners"] = [
        {"number": one.number, "name": one.name, "stops": one.stops, "shortest": one.shortest, "longest": one.longest}
        for one in board.corners
    ]
    if board.known == "corner":
        return {**shown, "boxes": board.box_count}
    name, pit = board.name_of, board.pit
    return {
        **shown,
        "spaces": [
            {
                "space": space.name,
                "moves": [name(there) for there in board.moves[space.id]],
                "beside": [name(there) for there in board.beside[space.id]],
                "place": board.place[space.id],
                "corner": board.corners[board.corner[space.id]].number if board.corner[space.id] >= 0 else None,
                **({"blocked": True} if space.id in board.blocked else {}),
            }
            for space in board.spaces
        ],
        "line": sorted(map(name, board.line)),
        "grid": [name(there) for there in board.grid],
        "pit": [name(there) for there in pit.spaces] if pit is not None else [],
        "boxes": [name(there) for there in pit.boxes] if pit is not None else [],
    }
