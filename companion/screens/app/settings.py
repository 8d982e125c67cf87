"""The table's settings, stored in `settings.toml` in the data folder.

People may edit the file too.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Final, Literal, get_args, get_origin, get_type_hints

import msgspec

from companion import whole_file
from companion.rules.conversation.errors import CompanionError
from companion.rules.conversation.typed import converted
from companion.sheets.entrants import fitted

FILE: Final = "settings.toml"

Theme = Literal["dark", "daylight", "auto"]
Sound = Literal["off", "clock", "all", "spoken"]
Prices = Literal["always", "after", "never"]


class Settings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The settings.

    `language` is "" for the locale's. `shot_clock` is in seconds, 0 for none. `prices` is when keys show the effect
    of an answer: always, after the roll, never. `rotation` of the picture is in degrees. `density` limits the pixels
    per dp, 0 for no limit. `referee` is the last to sign an override. `left_handed` puts the keys for one thumb at
    the left. `brightness` and `volume` are in per cent. After `dim_minutes` without a touch the screen dims, after
    `sleep_minutes` it is black; 0 is never. `connector` names the screen to draw on if several are connected, "" for
    the program's choice.
    """

    language: Literal["", "en", "fr"] = ""
    theme: Theme = "dark"
    sound: Sound = "all"
    reduced_motion: bool = False
    shot_clock: Annotated[int, msgspec.Meta(ge=0, le=300)] = 0
    prices: Prices = "always"
    rotation: Literal[0, 90, 180, 270] = 0
    density: Annotated[float, msgspec.Meta(ge=0, le=8)] = 0.0
    referee: str = ""
    left_handed: bool = False
    brightness: Annotated[int, msgspec.Meta(ge=10, le=100)] = 100
    volume: Annotated[int, msgspec.Meta(ge=0, le=100)] = 100
    dim_minutes: Annotated[int, msgspec.Meta(ge=0, le=240)] = 0
    sleep_minutes: Annotated[int, msgspec.Meta(ge=0, le=240)] = 0
    connector: str = ""


KINDS: Final[Mapping[str, Any]] = get_type_hints(Settings, include_extras=True)
"""Type of each setting."""


def allowed_values(name: str) -> str:
    """Return the values allowed for a setting, "" for any text."""
    kind = KINDS[name]
    if get_origin(kind) is Literal:
        return ", ".join(str(value) for value in get_args(kind) if value != "")
    if get_origin(kind) is Annotated:
        bounds = get_args(kind)[1]
        return f"{bounds.ge}–{bounds.le}"
    return "on, off" if kind is bool else ""


def allowed_in_file(name: str) -> str:
    """Return the values allowed for a setting as its file writes them, "" for any text."""
    return "true, false" if KINDS[name] is bool else allowed_values(name)


def settings_of(text: str) -> tuple[Settings, dict[str, object]]:
    """Return the settings of a file's text, and what is wrong in it: unknown names, and values that are not allowed.

    The default holds in place of a wrong value. Raises ValueError if the text is not TOML.
    """
    sound, wrong = dict[str, Any](), dict[str, object]()
    for name, value in whole_file.toml(text, dict[str, Any]).items():
        try:
            sound[name] = converted(value, KINDS[name])
            if name == "referee":
                sound[name] = fitted(sound[name])
        except (KeyError, ValueError):
            wrong[name] = value
    return Settings(**sound), wrong


class SettingsFile:
    """The settings of a data folder.

    `complaint` is set if the file is faulty: the default holds for a wrong value, and for all if it cannot be read.
    """

    def __init__(self, folder: Path) -> None:
        self.path = folder / FILE
        self.complaint: CompanionError | None = None
        self.now = Settings()
        try:
            self.now, wrong_values = settings_of(whole_file.text(self.path))
            said = {
                name: json.dumps(value, ensure_ascii=False, default=str)[:40] for name, value in wrong_values.items()
            }
            if len(said) > 1:
                wrong = [f"{name} = {value}" for name, value in said.items()]
                self.complaint = CompanionError("settings_several", wrong=wrong, file=FILE)
            for name, value in said.items() if len(said) == 1 else ():
                allowed = allowed_in_file(name) if name in KINDS else ""
                self.complaint = CompanionError("settings_wrong", name=name, value=value, allowed=allowed, file=FILE)
        except FileNotFoundError:
            pass
        except OSError as wrong:
            self.complaint = CompanionError("settings_unread", why=wrong.strerror)
        except ValueError as wrong:
            why, lies = str(wrong).splitlines()[0].rstrip("."), self.path
            with contextlib.suppress(OSError):
                lies = whole_file.put_aside(self.path)
            self.complaint = CompanionError("settings_aside", why=why, aside=lies.name)

    def change(self, **choices: Any) -> None:
        """Store new choices, keeping what people wrote around them in the file.

        Raises CompanionError if the disk cannot be written. The choices hold all the same, until the end of the
        program.
        """
        self.now = msgspec.structs.replace(self.now, **choices)
        try:
            self._write(choices)
        except OSError as wrong:
            raise CompanionError("settings_not_kept", why=wrong.strerror) from wrong

    def _write(self, choices: dict[str, Any]) -> None:
        import tomlkit

        document = tomlkit.document()
        try:
            document = tomlkit.parse(whole_file.text(self.path))
        except (FileNotFoundError, ValueError, RecursionError) as wrong:
            if not isinstance(wrong, FileNotFoundError):  # people edit it while the screen is open, too
                whole_file.put_aside(self.path)
            usual = msgspec.structs.asdict(Settings())
            document.update(
                {name: value for name, value in msgspec.structs.asdict(self.now).items() if value != usual[name]}
            )
        document.update(choices)
        whole_file.write(self.path, tomlkit.dumps(document).encode())
