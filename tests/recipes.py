"""The recipes of the map: the code blocks of companion/README.md, each with the name of the file that it is."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parent.parent
MAP = ROOT / "companion" / "README.md"


def write_recipes(folder: Path) -> list[Path]:
    """Every recipe as its file."""
    found = re.findall(r"`(\w+\.py)`:\n\n```python\n(.*?)```\n", MAP.read_text(encoding="utf-8"), re.DOTALL)
    for name, code in found:
        (folder / name).write_text(code, encoding="utf-8")
    return [folder / name for name, _ in found]
