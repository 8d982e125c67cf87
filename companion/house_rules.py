"""House rules: figures of a rulebook that a table has changed and kept under a name, each a small TOML file."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import msgspec
from msgspec.structs import replace

from companion import whole_file
from companion.rules.conversation.asking import Json
from companion.rules.conversation.errors import BadSetup
from companion.rules.conversation.figures import named_today, read_figures
from companion.rules.rulebooks import RULEBOOKS

FOLDER: Final = "rules"
"""Where they lie in the data folder."""
LONGEST_NAME: Final = 30
"""How many letters a name may have."""
SWITCHED: Final = {"on": True, "yes": True, "oui": True, "off": False, "no": False, "non": False}
"""What people type for true and false."""


class HouseRules(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A rulebook with the figures and switches that are other than its own, under the name that a table gave them.

    >>> rules = HouseRules("Thursday rules", "competition", {"engine_dry": 5})
    >>> read(rules.text()) == rules
    True
    """

    name: str
    rulebook: str
    options: dict[str, Json] = {}

    def check(self) -> None:
        """Raise BadSetup with one sentence where this program has no such rulebook, figure or variant."""
        if not self.name.strip() or len(self.name) > LONGEST_NAME or not self.name.isprintable():
            raise BadSetup(f"House rules have a name of 1 to {LONGEST_NAME} letters, such as Thursday rules.")
        if self.rulebook not in RULEBOOKS:
            raise BadSetup(f"{self.name}: this program has no rulebook {self.rulebook}.")
        kind = RULEBOOKS[self.rulebook].figure_table()
        if unknown := next((name for name in self.options if kind.renamed.get(name, name) not in kind.known()), None):
            raise BadSetup(f"{self.name}: {unknown} is no figure or variant of the rulebook {self.rulebook} here.")
        read_figures(self.options, kind, whose=self.name)

    def text(self) -> str:
        """Return the file."""
        import tomlkit

        document = tomlkit.document()
        document.update({"name": self.name, "rulebook": self.rulebook})
        document["options"] = msgspec.to_builtins(self.options)
        return tomlkit.dumps(document)

    def into(self, setup: Mapping[str, Json]) -> dict[str, Json]:
        """Return a setup by these rules; what it says itself of a figure holds."""
        if setup.get("rulebook", self.rulebook) != self.rulebook:
            raise BadSetup(f"{self.name} changes the rulebook {self.rulebook}, not {setup['rulebook']}.")
        return {**setup, "rulebook": self.rulebook, "options": {**self.options, **setup.get("options", {})}}


def read(text: str) -> HouseRules:
    """Return the house rules of a file's text. Raise BadSetup with one sentence."""
    try:
        rules = whole_file.toml(text, HouseRules)
    except ValueError as wrong:
        why = str(wrong).splitlines()[0].rstrip(".")
        raise BadSetup(
            f"House rules are a TOML file with name, rulebook and [options]; this is none ({why})."
        ) from None
    if rules.rulebook in RULEBOOKS:
        rules = replace(rules, options=named_today(rules.options, RULEBOOKS[rules.rulebook].figures_type))
    rules.check()
    return rules


def option(said: str) -> tuple[str, Json]:
    """Return a figure or switch and its value as somebody typed them.

    >>> option("engine_dry=5"), option("points=[10, 6]"), option("weather=on")
    (('engine_dry', 5), ('points', [10, 6]), ('weather', True))
    """
    name, equals, value = said.partition("=")
    try:
        if not equals:
            raise ValueError
        if (word := value.strip().lower()) in SWITCHED:
            return name.strip(), SWITCHED[word]
        return name.strip(), msgspec.json.decode(value.encode())
    except ValueError:
        raise BadSetup(
            f"A figure is changed by FIGURE=VALUE, such as engine_dry=5 or wings=on; {said[:40]} is not."
        ) from None


def read_file(path: Path) -> HouseRules:
    """Return the house rules of a file. Raise BadSetup with one sentence."""
    try:
        text = whole_file.text(path)
    except OSError as wrong:
        raise BadSetup(f"{path.name} cannot be read: {wrong.strerror}.") from None
    except ValueError as wrong:
        raise BadSetup(f"{path.name} cannot be read: {wrong}.") from None
    return read(text)


def saved(folder: Path) -> list[HouseRules]:
    """Return what is kept in a data folder and makes sense, by name."""
    found = []
    for path in sorted((folder / FOLDER).glob("*.toml")):
        with contextlib.suppress(BadSetup):
            found.append(read_file(path))
    return sorted(found, key=lambda rules: rules.name.casefold())


def find(folder: Path, name: str) -> HouseRules:
    """Return the house rules of a name. Raise BadSetup with those that there are, or what is wrong with the file."""
    path = _path(folder, name)
    if path.exists():
        return read_file(path)
    known = ", ".join(rules.name for rules in saved(folder)) or "none"
    raise BadSetup(f"There are no house rules called {name[:LONGEST_NAME]}; kept here: {known}.")


def keep(folder: Path, rules: HouseRules) -> None:
    """Keep house rules in a data folder, in place of any of that name. Raise BadSetup."""
    rules.check()
    try:
        whole_file.write(_path(folder, rules.name), rules.text().encode())
    except OSError as wrong:
        raise BadSetup(f"The house rules could not be kept: {wrong.strerror}.") from wrong


def forget(folder: Path, name: str) -> None:
    """Delete house rules. Raise BadSetup where there are none of that name."""
    if not (path := _path(folder, name)).exists():
        find(folder, name)
    path.unlink()


def _path(folder: Path, name: str) -> Path:
    """Return the file of a name, which may hold any letter: letters and digits as they are, others by their code."""
    plain = "".join(letter if letter.isalnum() else f"-{ord(letter):x}-" for letter in name.strip().casefold())
    return folder / FOLDER / f"{plain}.toml"
