"""One course of Monaco for all tests that need one: working it out takes seconds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from companion import circuits
from companion.drivers import prepared, shipped, strong
from companion.drivers import turn_graph as courses
from companion.drivers.turn_graph import Course, Scene
from companion.rules.circuit.track import Track
from companion.rules.conversation.asking import Json


@pytest.fixture(scope="session")
def monaco() -> Course:
    course = Course(circuits.load("monaco"), Scene("competition", "dry", "hard"))
    shipped.work_out(course)
    return course


MOST = {"tyres": 6, "brakes": 2}
"""The points that the tables of these tests tell apart: fewer than a race does, so that they are made quickly."""


@pytest.fixture(scope="session")
def kept(monaco: Course, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache with the table of one lap of Monaco."""
    folder = tmp_path_factory.mktemp("cache")
    with pytest.MonkeyPatch.context() as patch:
        for pool, most in MOST.items():
            patch.setitem(courses.MOST, pool, most)
        patch.setenv("CACHE_DIRECTORY", str(folder))
        prepared.prepare(monaco, 1)
    return folder


@pytest.fixture
def ready(kept: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """That cache in use; on whatever surface and tyres a car drives, it is read as if the track were dry and they
    hard."""
    for pool, most in MOST.items():
        monkeypatch.setitem(courses.MOST, pool, most)
    monkeypatch.setenv("CACHE_DIRECTORY", str(kept))
    monkeypatch.setattr(courses.Course, "work_out", lambda *_: pytest.fail("the tables are kept"))
    prepared._held.clear()

    def table(track: Track, scene: Scene, laps: int, options: Mapping[str, Json]) -> prepared.Table:
        return prepared.table_of(track, Scene(scene.rulebook, "dry", "hard"), laps, options)

    monkeypatch.setattr(strong, "table_of", table)
    yield
    prepared._held.clear()
