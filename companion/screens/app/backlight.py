"""How bright the panel is, where the system lets it be set: every backlight that Linux knows."""

from __future__ import annotations

from pathlib import Path
from typing import Final

LIGHTS: Final = Path("/sys/class/backlight")
LEAST: Final = 1
"""A panel that is all dark cannot be made bright again by touch."""


def shine(percent: int, lights: Path = LIGHTS) -> bool:
    """Sets the brightness of every panel, in per cent of what it can; whether there was one that let itself be set."""
    done = False
    for light in sorted(lights.glob("*")):
        try:
            most = int((light / "max_brightness").read_text(encoding="ascii"))
            (light / "brightness").write_text(str(max(LEAST, round(most * percent / 100))), encoding="ascii")
        except (OSError, ValueError):
            continue
        done = True
    return done
