"""The `companion config` command: show the settings with their sources, or change one."""

from __future__ import annotations

import json
import os
import tomllib
from collections.abc import Iterable, Iterator
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

import click

from companion.commands.groups import NumbersCommand
from companion.house_rules import SWITCHED
from companion.options import in_folder, in_language, is_locale_chosen, spoken
from companion.rules.conversation.asking import Json
from companion.rules.conversation.errors import CompanionError

if TYPE_CHECKING:
    import tomlkit

    from companion.wording import Words

Source = Literal["file", "environment", "option", "default"]
NONE: Final = ("none", "aucun", "aucune")
"""Words for a part of the box that is not there."""
NAME, VALUE, SOURCE = 16, 22, 14
"""Widths of the columns, in characters."""


class Setting(NamedTuple):
    """A setting: its value and source, the file that may hold it, and the values allowed.

    `file` is empty for settings that only the environment gives. A `wrong` one is not allowed: its default holds.
    """

    name: str
    value: Json
    source: Source
    file: str
    allowed: str
    wrong: bool = False


@click.command(cls=NumbersCommand)
@click.argument("name", required=False)
@click.argument("value", required=False)
@click.option("--default", "reset", is_flag=True, help="Set NAME back to its default.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON, for programs.")
@in_folder
@in_language
def config(name: str | None, value: str | None, reset: bool, as_json: bool, folder: Path, words: Words) -> None:
    """Show every setting, or set NAME to VALUE.

    The touchscreen follows a change when it is next opened. Buttons and lamps are GPIO numbers, or "none".
    """
    if reset and name is None:
        raise click.UsageError(words.say("config_which"))
    if name is not None and (value is not None or reset):
        if value is not None and reset:
            raise click.UsageError(words.say("config_either"))
        _change(folder, name, value)
    shown, unread = list[Setting](), None
    for part in PARTS:
        try:
            shown += [one for one in part(folder) if name in (None, one.name)]
        except CompanionError as wrong:  # one file that cannot be read keeps back no setting of the others
            unread = unread or wrong
    if not shown and reset:  # it was no setting of this program
        return
    if not shown:
        raise unread or _unknown(str(name), folder)
    if as_json:
        import msgspec

        click.echo(msgspec.json.format(msgspec.json.encode([one._asdict() for one in shown])))
    else:
        _list(shown, words, with_files=name is None)
    if unread is not None and name is None:
        raise unread


def _list(shown: Iterable[Setting], words: Words, *, with_files: bool) -> None:
    from companion.options import HELP_COLUMNS
    from companion.terminal.lines import window

    file, narrow = None, window()[0] < HELP_COLUMNS
    for one in shown:
        if one.file != file and with_files:
            file = one.file
            click.secho(words.say("config_file", path=file, missing=not Path(file).exists()), bold=True)
        source = words.say("config_source", source=one.source)
        allowed = words.say("config_wrong", allowed=one.allowed) if one.wrong else one.allowed
        value = json.dumps(one.value, ensure_ascii=False, default=str) if one.wrong else _text(one.value)
        if narrow:
            line = f"  {one.name}  {value}\n    {source}  {allowed}"
        else:
            line = f"  {one.name:{NAME}} {value:{VALUE}} {source:{SOURCE}} {allowed}"
        click.secho(line.rstrip(), fg="red" if one.wrong else None)


def settings(folder: Path) -> Iterator[Setting]:
    """Yield every setting of a data folder. Raises CompanionError for a file that cannot be read."""
    for part in PARTS:
        yield from part(folder)


def _of_environment(folder: Path) -> Iterator[Setting]:
    from companion.drivers import prepared
    from companion.sheets.place import data_folder, is_appliance

    usual: Source = "environment" if is_appliance(folder) else "default"
    yield Setting("data", str(folder), usual if folder == data_folder() else "option", "", "--data or STATE_DIRECTORY")
    cache: Source = "environment" if os.environ.get("CACHE_DIRECTORY") else "default"
    yield Setting("cache", str(prepared.folder()), cache, "", "CACHE_DIRECTORY")


def _of_screen(folder: Path) -> Iterator[Setting]:
    from companion.screens.app.settings import FILE, KINDS, allowed_in_file, allowed_values, settings_of

    path = folder / FILE
    text = _text_of(path)
    written, (now, wrong) = tomllib.loads(text), settings_of(text)
    for name in KINDS:
        value, source = written.get(name, getattr(now, name)), "file" if name in written else "default"
        if name == "language" and not value:
            value, source = spoken(), "environment" if is_locale_chosen() else "default"
        allowed = allowed_in_file(name) if name in wrong else allowed_values(name)
        yield Setting(name, value, source, str(path), allowed, name in wrong)  # type: ignore[arg-type]
    for name in (name for name in wrong if name not in KINDS):
        yield Setting(name, written[name], "file", str(path), "", True)


def _of_box(folder: Path) -> Iterator[Setting]:
    from hardware.wiring import FILE, FREE_PINS, TABLES, tables

    path = folder / FILE
    written = tables(folder)
    source: Source = "file" if path.exists() else "default"
    chip = written.get("chip", -1)
    yield Setting(
        "chip", chip, source if "chip" in written else "default", str(path), "0–99, -1", _is_wrong("chip", chip)
    )
    for table, kind in TABLES.items():
        there = written.get(table, {})
        for name in kind.__struct_fields__:
            value = there.get(name) if isinstance(there, dict) else None
            allowed = "/dev/…, URL" if name == "port" else f"{FREE_PINS}, five" if name == "start" else FREE_PINS
            wrong = value is not None and _is_wrong(table, {name: value})
            yield Setting(f"{table}.{name}", value, source, str(path), allowed, wrong)


PARTS: Final = (_of_environment, _of_screen, _of_box)
"""Readers of the settings, in the order of the list."""


def _is_wrong(name: str, value: object) -> bool:
    """Return True if a part of the wiring is wrong, whatever the others are."""
    from hardware.wiring import BadWiring, box_wiring, roller_port

    try:
        box_wiring({name: value})
        roller_port({name: value})
    except BadWiring:
        return True
    return False


def _change(folder: Path, name: str, value: str | None) -> None:
    """Write a setting to its file, or its default for None; comments stay.

    Raises CompanionError.
    """
    (_change_box if "." in name or name == "chip" else _change_screen)(folder, name, value)


def _change_screen(folder: Path, name: str, value: str | None) -> None:
    import msgspec

    from companion.rules.conversation.typed import converted
    from companion.screens.app.settings import FILE, KINDS, allowed_values
    from companion.sheets.entrants import fitted

    document = _document(folder / FILE, "")
    if name not in KINDS and (value is not None or name not in document):
        raise _unknown(name, folder)
    document.pop(name, None)
    if value is not None:
        said = _typed(value)
        if KINDS[name] is bool and isinstance(said, str):
            said = SWITCHED.get(said.casefold(), said)
        try:
            set_to = msgspec.to_builtins(converted(said, KINDS[name]))
            document[name] = fitted(set_to) if name == "referee" else set_to
        except ValueError:
            raise CompanionError("config_value", name=name, allowed=allowed_values(name), value=value) from None
    _write(folder / FILE, document)


def _change_box(folder: Path, name: str, value: str | None) -> None:
    from hardware.wiring import FILE, TABLES, BadWiring, box_wiring, read, roller_port, tables

    table, _, field = name.partition(".")
    if name != "chip" and (table not in TABLES or field not in TABLES[table].__struct_fields__):
        raise _unknown(name, folder)
    shipped = resources.files("hardware").joinpath(FILE).read_text("utf-8")
    document = _document(folder / FILE, shipped)
    place = document if name == "chip" else document.setdefault(table, {})
    key = field or name
    if value is None:
        usual = tables().get(table, {}) if field else {}
        said = usual.get(field) if isinstance(usual, dict) else None
    else:
        said = None if value.casefold() in NONE else _typed(value)
        if field == "start" and isinstance(said, str):
            said = [_typed(one.strip()) for one in said.split(",")]
    if said is None:
        place.pop(key, None)
    else:
        place[key] = said
    text = document.as_string()
    try:
        read(text)
    except BadWiring:
        if _is_sound(folder):
            raise
        box_wiring({table: {field: said} if field else said})  # what else is wrong stays to be mended
    if table == "roller":
        roller_port({table: {field: said}} if said is not None else {})
    _write(folder / FILE, document)


def _is_sound(folder: Path) -> bool:
    from hardware.wiring import BadWiring, wiring

    try:
        wiring(folder)
    except BadWiring:
        return False
    return True


def _text_of(path: Path) -> str:
    """Return the text of a TOML file, "" if there is none. Raises CompanionError if it cannot be read."""
    from companion import whole_file

    try:
        text = whole_file.text(path)
        tomllib.loads(text)
        return text
    except FileNotFoundError:
        return ""
    except (OSError, ValueError, RecursionError) as wrong:
        why = (getattr(wrong, "strerror", None) or str(wrong).splitlines()[0]).rstrip(".")
        raise CompanionError("config_unread", path=path, why=why) from None


def _document(path: Path, usual: str) -> tomlkit.TOMLDocument:
    """Return a file as an editable document, or the default text without one."""
    import tomlkit

    text = _text_of(path)
    return tomlkit.parse(text if path.exists() else usual)


def _write(path: Path, document: tomlkit.TOMLDocument) -> None:
    from companion import whole_file

    whole_file.write(path, document.as_string().encode())


def _typed(value: str) -> Json:
    """Return a value parsed as TOML: a number, a boolean or a list; otherwise the text itself."""
    try:
        return tomllib.loads(f"value = {value}")["value"]
    except tomllib.TOMLDecodeError:
        return value


def _text(value: Json) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, (list, tuple)):
        return ",".join(map(str, value))
    return "–" if value in (None, "") else str(value)


def _unknown(name: str, folder: Path) -> CompanionError:
    from difflib import get_close_matches

    given = {one.name: one.allowed for one in _of_environment(folder)}
    if name in given:
        return CompanionError("config_given", name=name, way=given[name])
    names = [one.name for one in settings(folder) if one.name not in given]
    near = get_close_matches(name, names, 3, 0.6)
    return CompanionError("config_unknown", name=name, near=", ".join(near))
