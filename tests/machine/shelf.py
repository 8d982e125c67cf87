"""What was made once and is kept: each thing in a folder named for it and for the digest of all that went into it."""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
import time
from collections.abc import Callable, Iterable
from pathlib import Path

SHELF = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "companion-machine"


def digest(*ingredients: str | bytes | Path) -> str:
    """Of words, and of files by what is in them."""
    made = hashlib.sha256()
    for one in ingredients:
        data = one.read_bytes() if isinstance(one, Path) else one.encode() if isinstance(one, str) else one
        made.update(len(data).to_bytes(8, "big") + data)
    return made.hexdigest()[:16]


def there(name: str, ingredients: Iterable[str | bytes | Path]) -> Path:
    """Where a thing made of these lies, or would."""
    return SHELF / f"{name}-{digest(*ingredients)}"


def kept(name: str, ingredients: Iterable[str | bytes | Path], make: Callable[[Path], None]) -> Path:
    """The folder of a thing, made if it is not there; whole, or not at all. Others of its name go: they were made of
    what is no more."""
    SHELF.mkdir(parents=True, exist_ok=True)
    place = there(name, ingredients)
    with open(SHELF / f"{name}.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # who comes second takes what the first makes
        if place.exists():
            return place
        print(f"{name}: being made ...", flush=True)
        began, making = time.monotonic(), place.with_name(f".{place.name}.making")
        for left in SHELF.glob(f".{name}-*.making"):
            shutil.rmtree(left)
        making.mkdir()
        make(making)
        for old in SHELF.glob(f"{name}-*"):
            shutil.rmtree(old)
        making.rename(place)
        print(f"{name}: made in {time.monotonic() - began:.0f} s, {size(place) >> 20} MB, {place}", flush=True)
    return place


def size(folder: Path) -> int:
    """Bytes on the disk."""
    return sum(path.lstat().st_blocks * 512 for path in folder.rglob("*"))
