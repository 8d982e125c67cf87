"""Write the laps that come with the program again, where the rules, a circuit or the usual figures have changed:
`python -m tests.drivers.shipping`. Each circuit takes a minute or two by each rulebook."""

from __future__ import annotations

import sys
from collections.abc import Iterator

from companion import circuits
from companion.drivers import prepared, shipped
from companion.drivers.turn_graph import Course
from companion.rules.dice.formula_de import FormulaDe
from companion.rules.rulebooks import RULEBOOKS

BOOKS = [
    name
    for name, kind in RULEBOOKS.items()
    if issubclass(kind, FormulaDe) and kind.__module__.startswith("companion.rules.")
]
"""The rulebooks of dice of the house."""
TRACKS = [name for name in circuits.keys() if circuits.load(name).known == "space"]  # noqa: SIM118
"""Our circuits that are known to the space."""


def courses(track: str, rulebook: str) -> Iterator[Course]:
    """The courses of a race with the usual figures."""
    circuit = circuits.load(track)
    for scene in prepared.scenes(circuit, rulebook):
        yield Course(circuit, scene)


def main() -> None:
    """Writes what is missing, and drops what nothing wants."""
    shipped.FOLDER.mkdir(exist_ok=True)
    wanted = {shipped.path_of(track, rulebook): (track, rulebook) for track in TRACKS for rulebook in BOOKS}
    for old in set(shipped.FOLDER.iterdir()) - wanted.keys():
        old.unlink()
    for path, (track, rulebook) in wanted.items():
        found = list(courses(track, rulebook))
        if all(map(shipped.is_shipped, found)):
            continue
        for course in found:
            course.work_out()
        shipped.write(found)
        sys.stdout.write(f"{path.name}: {path.stat().st_size} bytes\n")


if __name__ == "__main__":
    main()
