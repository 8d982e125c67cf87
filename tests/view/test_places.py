"""The places of a circuit, gone through part by part."""

from __future__ import annotations

import pytest

from companion import circuits
from companion.view.setup.places import beside, parts, places


@pytest.mark.parametrize("key", circuits.keys())
def test_every_place_is_one_and_is_come_to_by_steps(key: str) -> None:
    track = circuits.load(key)
    names = places(track)
    assert len(set(names)) == len(names)
    assert all(track.has_place(name) for name in names)
    reached, ends = {names[0]}, [names[0]]
    while ends:
        now = ends.pop()
        for part in range(len(parts(now))):
            for by in (-1, 1):
                found = beside(names, now, part, by)
                if found is not None and found not in reached:
                    assert parts(found)[:part] == parts(now)[:part]
                    reached.add(found)
                    ends.append(found)
    assert reached == set(names)


def test_a_step_keeps_the_rest_of_the_name_where_it_can() -> None:
    names = ["1:left:1", "1:left:2", "1:right:1", "2:left:1", "2:right:1", "2:right:2", "pit:1", "pit:2", "box:1"]
    assert beside(names, "1:left:2", 0, 1) == "2:left:1"
    assert beside(names, "1:right:1", 0, 1) == "2:right:1"
    assert beside(names, "2:right:2", 1, -1) == "2:left:1"
    assert beside(names, "2:right:1", 0, 1) == "pit:1"
    assert beside(names, "pit:2", 0, -1) == "2:left:1"
    assert beside(names, "pit:2", 1, 1) is None
    assert beside(names, "1:left:1", 0, -1) is None
    assert beside(names, None, 0, 1) == "1:left:1"
    assert beside([], None, 0, 1) is None
