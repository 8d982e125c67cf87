"""axe-core in the pages of a test: what it finds serious. npm fetches it, once, to a folder outside the project."""

from __future__ import annotations

import os
import shutil
import subprocess
import tarfile
import tempfile
from functools import cache
from pathlib import Path
from typing import Final

from tests.web.browser import Page

VERSION: Final = "4.14.1"
FOLDER: Final = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "companion-tests"
LEFT_OUT: Final = "axe-core is not here and npm did not bring it; `npm pack axe-core` does, where there is a network."
GRAVE: Final = ("serious", "critical")
RUN: Final = """
    const [light, done] = arguments;
    const only = light === "light" ? { runOnly: ["color-contrast"] } : {};  // all else is as it was in the dark
    axe.run(document, { resultTypes: ["violations"], ...only }).then((found) => done(found.violations.map((one) =>
        `${one.impact} ${one.id}: ${one.nodes.slice(0, 3).map((node) => node.html.slice(0, 120)).join(" | ")}`)));
"""


@cache
def source() -> str:
    """Its source; "" where it is not to be had."""
    kept = FOLDER / f"axe-core-{VERSION}.js"
    if not kept.exists() and (npm := shutil.which("npm")) is not None:
        with tempfile.TemporaryDirectory() as made:
            words = [npm, "pack", "--silent", f"axe-core@{VERSION}", "--pack-destination", made]
            done = subprocess.run(words, cwd=made, capture_output=True, timeout=60, check=False)
            packed = Path(made) / f"axe-core-{VERSION}.tgz"
            if done.returncode == 0 and packed.exists():
                with tarfile.open(packed) as archive:
                    file = archive.extractfile("package/axe.min.js")
                    assert file is not None
                    FOLDER.mkdir(parents=True, exist_ok=True)
                    kept.write_bytes(file.read())
    return kept.read_text(encoding="utf-8") if kept.exists() else ""


def violations(page: Page) -> list[str]:
    """What it finds on a page, as it is now, that is serious or worse: in the dark and by daylight, as it is left."""
    page.devtools("Runtime.evaluate", expression=source())
    found = []
    for look in ("dark", "light"):
        page.light(look)
        found += [f"{look}: {one}" for one in page.later(RUN, look) if one.startswith(GRAVE)]
    return found
