"""Whether two tracks are one board, however their sections are cut and their corners named."""

from companion.rules.circuit.track import Track


def lane_from_line(track: Track, lane: int) -> list[int]:
    """The spaces of a lane in driving order from the first past the line, blocked ones too."""
    spaces = [space for section in track.sections for space in section.lanes[lane]]
    first = next(k for k, space in enumerate(spaces) if space in track.line)
    return spaces[first:] + spaces[:first]


def one_to_one(a: Track, b: Track) -> dict[int, int]:
    """From each space of a to its fellow in b, the pits included."""
    assert a.lanes == b.lanes
    pairs: dict[int, int] = {}
    for lane in range(len(a.lanes)):
        one, two = lane_from_line(a, lane), lane_from_line(b, lane)
        assert len(one) == len(two)
        pairs.update(zip(one, two, strict=True))
    assert (a.pit is None) == (b.pit is None)
    if a.pit and b.pit:
        pairs.update(zip(a.pit.spaces, b.pit.spaces, strict=True))
        pairs.update(zip(a.pit.boxes, b.pit.boxes, strict=True))
    return pairs


def assert_same_board(a: Track, b: Track) -> None:
    """Spaces, moves, corners, stops, paths, sides, places, line, grid and pits are the same."""
    to = one_to_one(a, b)
    assert len(a.spaces) == len(b.spaces) == len(to)
    for one, two in to.items():
        onward = [to[s] for s in a.moves[one]]
        if a.spaces[one].section >= 0:
            assert onward == list(b.moves[two]), a.spaces[one].name
        assert set(onward) == set(b.moves[two]), a.spaces[one].name
        assert (one in a.blocked) == (two in b.blocked)
        assert (a.corner[one] >= 0) == (b.corner[two] >= 0), a.spaces[one].name
        assert {to[s] for s in a.beside[one]} == set(b.beside[two]), a.spaces[one].name
        if a.spaces[one].section >= 0:
            assert a.place[one] == b.place[two], a.spaces[one].name
    number = {(a.corner[one], b.corner[two]) for one, two in to.items() if a.corner[one] >= 0}
    assert len(number) == len(a.corners) == len(b.corners)
    for k, m in number:
        one, two = a.corners[k], b.corners[m]
        assert (one.stops, one.shortest, one.longest) == (two.stops, two.shortest, two.longest)
        assert one.inside == two.inside, one.name
    assert [to[s] for s in a.grid] == list(b.grid)
    assert {to[s] for s in a.line} == b.line
    assert {to[s] for s in a.past_limit} == b.past_limit
    if a.pit and b.pit:
        assert {(to[s], to[p]) for s, p in a.pit.entries} == set(b.pit.entries)
        assert {(to[p], to[s]) for p, s in a.pit.exits} == set(b.pit.exits)
        assert [to[s] for s in a.pit.fronts] == list(b.pit.fronts)
