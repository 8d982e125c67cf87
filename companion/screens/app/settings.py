"""What the table chose for its screen, kept in `settings.toml` in the data folder; people may edit it too."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import Annotated, Any, Final, Literal

import msgspec

from companion import whole_file
from companion.rules.conversation.errors import CompanionError

FILE: Final = "settings.toml"

Theme = Literal["dark", "daylight", "auto"]
Sound = Literal["off", "clock", "all", "spoken"]
Prices = Literal["always", "after", "never"]


class Settings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The choices. `language` is "" for the locale's. `shot_clock` is in seconds, 0 for none. `prices` says when keys
    show what an answer brings: always, after the roll, never. `rotation` turns the picture, in degrees. `density` is
    the most pixels a dp may take, 0 for as many as fit. `referee` is who signed the referee's word last. `left_handed`
    puts the keys for one thumb at the left. `brightness` and `volume` are in per cent. After `dim_minutes`
    without a touch the screen is dim, after `sleep_minutes` black; 0 is never. `connector` names the screen to draw on
    where several are connected, "" for the program's choice."""

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


class Kept:
    """The settings of one data folder. What is wrong with its file is told in `complaint`, and the defaults hold."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / FILE
        self.complaint: CompanionError | None = None
        self.now = Settings()
        try:
            self.now = whole_file.toml(whole_file.text(self.path), Settings)
        except FileNotFoundError:
            pass
        except OSError as wrong:
            self.complaint = CompanionError(f"The settings cannot be read: {wrong.strerror}; the usual ones hold.")
        except ValueError as wrong:
            why, lies = str(wrong).splitlines()[0].rstrip("."), self.path
            with contextlib.suppress(OSError):
                lies = whole_file.put_aside(self.path)
            self.complaint = CompanionError(
                f"The settings cannot be read ({why}); they lie in {lies.name}, and the usual ones hold."
            )

    def change(self, **choices: Any) -> None:
        """Keeps new choices, what people wrote around them in the file included; raises CompanionError if the disk
        takes nothing. The choices hold all the same, until the end of the program."""
        self.now = msgspec.structs.replace(self.now, **choices)
        try:
            self._write(choices)
        except OSError as wrong:
            raise CompanionError(f"The settings could not be kept: {wrong.strerror}.") from wrong

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
