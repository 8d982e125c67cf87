"""House rules: a table's changed figures of a rulebook, each set a small TOML file."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

import msgspec
from msgspec.structs import replace

from companion import whole_file
from companion.rules.conversation.asking import Json
from companion.rules.conversation.errors import BadSetup
from companion.rules.conversation.figures import FigureTable, find_figure, read_figures, unknown_figure
from companion.rules.rulebooks import RULEBOOKS

FOLDER: Final = "rules"
"""Subfolder of the data folder for house rules."""
LONGEST_NAME: Final = 30
"""Maximum length of a name, in letters."""
SWITCHED: Final = {"on": True, "yes": True, "oui": True, "off": False, "no": False, "non": False}
"""Words that people type for true and false."""


class HouseRules(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A named set of figures and switches that differ from a rulebook's own.

    >>> rules = HouseRules("Thursday rules", "competition", {"engine_dry": 5})
    >>> read(rules.text()) == rules
    True
    """

    name: str
    rulebook: str
    options: dict[str, Json] = {}

    def check(self) -> None:
        """Raise BadSetup if the name is bad or a rulebook, figure or variant is unknown."""
        if not self.name.strip() or len(self.name) > LONGEST_NAME or not self.name.isprintable():
            raise BadSetup("house_rules_name", most=LONGEST_NAME)
        if self.rulebook not in RULEBOOKS:
            raise BadSetup("house_rules_rulebook", name=self.name, rulebook=self.rulebook)
        kind = RULEBOOKS[self.rulebook].figure_table()
        if unknown := next((name for name in self.options if name not in kind.figure_names()), None):
            raise BadSetup("house_rules_figure", name=self.name, unknown=unknown, rulebook=self.rulebook)
        read_figures(self.options, kind, whose=self.name)

    def text(self) -> str:
        """Return the text of the file."""
        import tomlkit

        document = tomlkit.document()
        document.update({"name": self.name, "rulebook": self.rulebook})
        document["options"] = msgspec.to_builtins(self.options)
        return tomlkit.dumps(document)

    def into(self, setup: Mapping[str, Json]) -> dict[str, Json]:
        """Return a setup with these rules applied; the setup's own figures take precedence.

        Raises BadSetup if the setup is of another rulebook.
        """
        if setup.get("rulebook", self.rulebook) != self.rulebook:
            raise BadSetup("house_rules_other", name=self.name, rulebook=self.rulebook, other=setup["rulebook"])
        return {**setup, "rulebook": self.rulebook, "options": {**self.options, **setup.get("options", {})}}


def read(text: str) -> HouseRules:
    """Return the house rules in the text of a file; raises BadSetup."""
    try:
        rules = whole_file.toml(text, HouseRules)
    except ValueError as wrong:
        why = str(wrong).splitlines()[0].rstrip(".")
        raise BadSetup("house_rules_file", why=why) from None
    if rules.rulebook in RULEBOOKS:
        kind = RULEBOOKS[rules.rulebook].figure_table()
        rules = replace(
            rules, options={find_figure(name, kind) or name: value for name, value in rules.options.items()}
        )
    rules.check()
    return rules


def typed_options(changes: Iterable[str], kind: type[FigureTable]) -> dict[str, Json]:
    """Parse typed figures and switches of a rulebook, by name or by article id.

    Raises BadSetup.

    >>> table = RULEBOOKS["formula-d"].figure_table()
    >>> typed_options(["engine_dry=5", "points=[10, 6]", "option.weather=on"], table)
    {'engine_dry': 5, 'points': [10, 6], 'weather': True}
    """
    found: dict[str, Json] = {}
    for said in changes:
        name, equals, value = map(str.strip, said.partition("="))
        if not equals or not name or not value:
            raise BadSetup("figure_wanted", said=said[:40])
        figure = find_figure(name, kind)
        if figure is None:
            raise unknown_figure(name, kind)
        found[figure] = _typed(value)
        if figure in kind.switches() and not isinstance(found[figure], bool):
            raise BadSetup("no_switch", name=figure, said=value[:40])
    return found


def _typed(value: str) -> Json:
    if value.lower() in SWITCHED:
        return SWITCHED[value.lower()]
    try:
        return msgspec.json.decode(value.encode())
    except ValueError:
        return value


def read_file(path: Path) -> HouseRules:
    """Return the house rules in a file; raises BadSetup."""
    try:
        text = whole_file.text(path)
    except OSError as wrong:
        raise BadSetup("file_unread", path=path.name, why=wrong.strerror) from None
    except ValueError as wrong:
        raise BadSetup("file_unread", path=path.name, why=wrong) from None
    return read(text)


def saved(folder: Path) -> list[HouseRules]:
    """Return the readable house rules of a data folder, sorted by name."""
    found = []
    for path in sorted((folder / FOLDER).glob("*.toml")):
        with contextlib.suppress(BadSetup):
            found.append(read_file(path))
    return sorted(found, key=lambda rules: rules.name.casefold())


def find(folder: Path, name: str) -> HouseRules:
    """Return the house rules with a name.

    Raises BadSetup, which lists the existing ones or says what is wrong with the file.
    """
    path = _path(folder, name)
    if path.exists():
        return read_file(path)
    known = ", ".join(rules.name for rules in saved(folder))
    raise BadSetup("no_house_rules", name=name[:LONGEST_NAME], known=known)


def keep(folder: Path, rules: HouseRules, *, replace: bool = True) -> None:
    """Save house rules in a data folder.

    Raises BadSetup if they cannot be written, or if the name is taken and `replace` is False.
    """
    rules.check()
    if not replace and _path(folder, rules.name).exists():
        raise BadSetup("rules_kept", name=rules.name)
    try:
        whole_file.write(_path(folder, rules.name), rules.text().encode())
    except OSError as wrong:
        raise BadSetup("house_rules_not_kept", why=wrong.strerror) from wrong


def forget(folder: Path, name: str) -> None:
    """Delete house rules; raises BadSetup if there are none with this name."""
    if not (path := _path(folder, name)).exists():
        find(folder, name)
    path.unlink()


def _path(folder: Path, name: str) -> Path:
    """Return the file of house rules by name.

    Letters and digits are kept, any other character is replaced by its code.
    """
    plain = "".join(letter if letter.isalnum() else f"-{ord(letter):x}-" for letter in name.strip().casefold())
    return folder / FOLDER / f"{plain}.toml"
