"""The brightness of the panel: every backlight that Linux knows."""

from __future__ import annotations

from pathlib import Path
from typing import Final

LIGHTS: Final = Path("/sys/class/backlight")
LEAST: Final = 1
"""Minimum brightness: a dark panel cannot be made bright again by touch."""


def shine(percent: int, lights: Path = LIGHTS) -> bool:
    """Set the brightness of all panels, in per cent; return True if any accepted it."""
    done = False
    for light in sorted(lights.glob("*")):
        try:
            most = int((light / "max_brightness").read_text(encoding="ascii"))
            (light / "brightness").write_text(str(max(LEAST, round(most * percent / 100))), encoding="ascii")
        except (OSError, ValueError):
            continue
        done = True
    return done
