"""A register of things by name: those of the house, those that are added, and those that installed packages bring."""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Mapping
from typing import TypeVar, cast

T = TypeVar("T")


class Shelf(Mapping[str, T]):
    """Things by their names; each is imported from its place when it is first asked for, as a race needs few of them.

    Behind those of the house stand those that installed packages bring, by the entry points of a group.
    """

    def __init__(self, places: Mapping[str, str], group: str) -> None:
        self._places: dict[str, str | T] = dict(places)
        self._group = group

    def register(self, name: str, thing: T, place: str, what: str) -> None:
        """Add a thing by a name that nothing else has; raise ValueError otherwise.

        `place` is where it is defined, so that what an entry point names can be added as well. `what` is the sentence's
        word for it.
        """
        if not name:
            raise ValueError(f"A {what} needs a name.")
        known = self._places.get(name)
        if not (known is None or (isinstance(known, str) and known.startswith(place))):
            raise ValueError(f"There is a {what} {name} already; give yours another name.")
        self._places[name] = thing

    def at_hand(self) -> list[T]:
        """Return what is there without a look at installed packages, which takes a while."""
        return [self[name] for name in self._places]

    def drop(self, name: str) -> None:
        """Forget a thing that was added."""
        self._places.pop(name, None)

    def _all(self) -> Mapping[str, str | T]:
        """Return all places, with the things of installed packages, which are looked for once.

        A thing that cannot be loaded is left out, and the log says why: no race needs it.
        """
        if self._group:
            import logging
            from importlib import metadata  # few starts look so far

            group, self._group = self._group, ""
            for one in metadata.entry_points(group=group):
                try:
                    if one.name not in self._places:
                        self._places[one.name] = one.load()
                except Exception as wrong:  # whatever a package may raise
                    logging.getLogger(__name__).warning(
                        "%s, of an installed package, is left out: %s", one.value, wrong
                    )
        return self._places

    def __getitem__(self, name: str) -> T:
        place = self._places[name] if name in self._places else self._all()[name]
        if not isinstance(place, str):
            return place
        module, _, thing = place.partition(":")
        return cast("T", getattr(importlib.import_module(module), thing))

    def __iter__(self) -> Iterator[str]:
        return iter(self._all())

    def __len__(self) -> int:
        return len(self._all())

    def __contains__(self, name: object) -> bool:
        return name in self._places or name in self._all()
