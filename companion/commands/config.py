"""`companion config`: every setting with its value and where that comes from, and the way to change one."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Iterator
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, Literal, NamedTuple, get_args, get_origin, get_type_hints

import click

from companion.house_rules import SWITCHED
from companion.options import in_folder, in_language, is_locale_chosen, spoken
from companion.rules.conversation.asking import Json
from companion.rules.conversation.errors import CompanionError

if TYPE_CHECKING:
    import tomlkit

    from companion.wording import Words

Source = Literal["file", "environment", "option", "default"]
NONE: Final = ("none", "aucun", "aucune")
"""What people type for a part of the box that they do not have."""
NAME, VALUE, SOURCE = 16, 22, 14
"""The widths of the columns, in characters."""


class Setting(NamedTuple):
    """A setting: its value, where that comes from, the file that may hold it, and what it may be.

    `file` is empty for what only the environment says.
    """

    name: str
    value: Json
    source: Source
    file: str
    allowed: str


@click.command()
@click.argument("name", required=False)
@click.argument("value", required=False)
@click.option("--default", "reset", is_flag=True, help="Set NAME back to its default.")
@click.option("--json", "as_json", is_flag=True, help="Print the settings as JSON, for a program.")
@in_folder
@in_language
def config(name: str | None, value: str | None, reset: bool, as_json: bool, folder: Path, words: Words) -> None:
    """Show every setting with its file, value and source; change NAME to VALUE.

    The touchscreen follows a change when it is next opened. Buttons and lamps are numbers of GPIOs, or "none".
    """
    if name is not None and (value is not None or reset):
        if value is not None and reset:
            raise click.UsageError(words.say("config_either"))
        _change(folder, name, value)
    shown = [one for one in settings(folder) if name in (None, one.name)]
    if not shown:
        raise _unknown(str(name), folder)
    if as_json:
        import msgspec

        click.echo(msgspec.json.format(msgspec.json.encode([one._asdict() for one in shown])))
        return
    file = None
    for one in shown:
        if one.file != file and name is None:
            file = one.file
            missing = not Path(file).exists()
            click.secho(words.say("config_file", path=file, missing=missing), bold=True)
        source = words.say("config_source", source=one.source)
        line = f"  {one.name:{NAME}} {_text(one.value):{VALUE}} {source:{SOURCE}} {one.allowed}"
        click.echo(line.rstrip())


def settings(folder: Path) -> Iterator[Setting]:
    """Yield every setting of a data folder. Raises CompanionError for a file that cannot be read."""
    yield from _of_environment(folder)
    yield from _of_screen(folder)
    yield from _of_box(folder)


def _of_environment(folder: Path) -> Iterator[Setting]:
    from companion.drivers import prepared
    from companion.sheets.place import data_folder, is_appliance

    usual: Source = "environment" if is_appliance(folder) else "default"
    yield Setting("data", str(folder), usual if folder == data_folder() else "option", "", "--data or STATE_DIRECTORY")
    cache: Source = "environment" if os.environ.get("CACHE_DIRECTORY") else "default"
    yield Setting("cache", str(prepared.folder()), cache, "", "CACHE_DIRECTORY")


def _of_screen(folder: Path) -> Iterator[Setting]:
    from companion.screens.app.settings import FILE, Settings

    path = folder / FILE
    written, usual = _checked(path), Settings()
    for name, kind in get_type_hints(Settings, include_extras=True).items():
        value, source = written.get(name, getattr(usual, name)), "file" if name in written else "default"
        if name == "language" and not value:
            value, source = spoken(), "environment" if is_locale_chosen() else "default"
        yield Setting(name, value, source, str(path), _allowed(kind))  # type: ignore[arg-type]


def _of_box(folder: Path) -> Iterator[Setting]:
    from hardware.wiring import FILE, TABLES, tables

    path = folder / FILE
    written = tables(folder)
    source: Source = "file" if path.exists() else "default"
    yield Setting("chip", written.get("chip", -1), source if "chip" in written else "default", str(path), "0–99, -1")
    for table, kind in TABLES.items():
        there = written.get(table, {})
        for name in kind.__struct_fields__:
            value = there.get(name) if isinstance(there, dict) else None
            allowed = "/dev/…" if name == "port" else "0–27, five" if name == "start" else "0–27"
            yield Setting(f"{table}.{name}", value, source, str(path), allowed)


def _change(folder: Path, name: str, value: str | None) -> None:
    """Write a setting to its file, its default for None; what people wrote around it stays. Raises CompanionError."""
    (_change_box if "." in name or name == "chip" else _change_screen)(folder, name, value)


def _change_screen(folder: Path, name: str, value: str | None) -> None:
    import msgspec

    from companion.rules.conversation.typed import converted
    from companion.screens.app.settings import FILE, Settings

    kinds = get_type_hints(Settings, include_extras=True)
    if name not in kinds:
        raise _unknown(name, folder)
    _checked(folder / FILE)
    document = _document(folder / FILE, "")
    document.pop(name, None)
    if value is not None:
        said = _typed(value)
        if kinds[name] is bool and isinstance(said, str):
            said = SWITCHED.get(said.casefold(), said)
        try:
            document[name] = msgspec.to_builtins(converted(said, kinds[name]))
        except ValueError:
            raise CompanionError(
                f"{name} is one of {_allowed(kinds[name])}; {value} is not.", "config_value", name=name, value=value
            ) from None
    _write(folder / FILE, document)


def _change_box(folder: Path, name: str, value: str | None) -> None:
    from hardware.wiring import FILE, TABLES, read, tables

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
    read(document.as_string())
    _write(folder / FILE, document)


def _read(path: Path) -> dict[str, Json]:
    """Return what a file in TOML says, nothing if there is none."""
    from companion import whole_file

    try:
        return tomllib.loads(whole_file.text(path))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, RecursionError) as wrong:
        why = (getattr(wrong, "strerror", None) or str(wrong).splitlines()[0]).rstrip(".")
        raise CompanionError(f"{path} cannot be read ({why}); mend it or delete it.", "config_unread") from None


def _checked(path: Path) -> dict[str, Json]:
    """Return what the settings say, if the touchscreen can read them. Raises CompanionError if not."""
    from companion.rules.conversation.typed import converted
    from companion.screens.app.settings import Settings

    written = _read(path)
    try:
        converted(written, Settings)
    except ValueError as wrong:
        raise CompanionError(
            f"{path} cannot be read ({str(wrong).rstrip('.')}); mend it or delete it.", "config_unread"
        ) from None
    return written


def _document(path: Path, usual: str) -> tomlkit.TOMLDocument:
    """Return a file to change, or the usual text where there is none."""
    import tomlkit

    from companion import whole_file

    _read(path)
    return tomlkit.parse(whole_file.text(path) if path.exists() else usual)


def _write(path: Path, document: tomlkit.TOMLDocument) -> None:
    from companion import whole_file

    whole_file.write(path, document.as_string().encode())


def _typed(value: str) -> Json:
    """Return a value as TOML has it: a number, true or false, a list, else the text itself."""
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


def _allowed(kind: object) -> str:
    """Return what a setting of that type may be."""
    if get_origin(kind) is Literal:
        return ", ".join(str(value) for value in get_args(kind) if value != "")
    if get_origin(kind) is Annotated:
        bounds = get_args(kind)[1]
        return f"{bounds.ge}–{bounds.le}"
    return "on, off" if kind is bool else ""


def _unknown(name: str, folder: Path) -> CompanionError:
    from difflib import get_close_matches

    given = {one.name: one.allowed for one in _of_environment(folder)}
    if name in given:
        return CompanionError(f"{name} is not kept in a file: it is set by {given[name]}.", "config_given")
    names = [one.name for one in settings(folder) if one.name not in given]
    near = get_close_matches(name, names, 3, 0.6)
    return CompanionError(
        f"There is no setting {name}; " + (f"there is {', '.join(near)}." if near else "companion config lists them."),
        "config_unknown",
    )
