"""Reading locales: written in TOML, read from JSON that is made of it once.

The JSON lies in `locale/__pycache__`, made by the wheel or by the first program that finds none of this very text and
may write there. It needs nothing but Python, for the wheel's build uses it as well.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
import zlib
from pathlib import Path
from typing import Final

FOLDER: Final = Path(__file__).resolve().parent.parent / "locale"


def read(name: str, folder: Path = FOLDER) -> dict[str, object]:
    """Return the tables of a locale's file."""
    written = (folder / f"{name}.toml").read_bytes()
    kept = made_for(folder, name)
    with contextlib.suppress(OSError, ValueError):
        of, _, tables = kept.read_bytes().partition(b"\n")
        if of == _mark(written):
            found: dict[str, object] = json.loads(tables)
            return found
    import tomllib  # few programs have to

    found = tomllib.loads(written.decode())
    if not sys.dont_write_bytecode:
        _keep(kept, compiled(written))
    return found


def made_for(folder: Path, name: str) -> Path:
    """Return where the JSON of a locale's file lies."""
    return folder / "__pycache__" / f"{name}.json"


def compiled(written: bytes) -> bytes:
    """Return the JSON of a locale's text: on its first line which text it was made of."""
    import tomllib

    return _mark(written) + b"\n" + json.dumps(tomllib.loads(written.decode()), ensure_ascii=False).encode()


def _mark(written: bytes) -> bytes:
    return b"%08x %d" % (zlib.crc32(written), len(written))


def _keep(path: Path, made: bytes) -> None:
    """Write a file whole or not at all; where nothing can be written each program makes it again."""
    beside = path.with_name(f"{path.name}.{os.getpid()}")
    with contextlib.suppress(OSError):
        path.parent.mkdir(exist_ok=True)
        try:
            beside.write_bytes(made)
            beside.replace(path)
        finally:
            beside.unlink(missing_ok=True)
