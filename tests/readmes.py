"""The commands that the manuals show: every line of their indented blocks, and every command between backquotes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

ROOT = Path(__file__).parent.parent
PAGES: Final = (
    "README.md",
    "companion/README.md",
    "companion/commands/README.md",
    "companion/drivers/README.md",
    "companion/protocol/README.md",
    "companion/sheets/README.md",
    "companion/terminal/README.md",
    "companion/tournament/README.md",
    "companion/web/README.md",
    "hardware/README.md",
    "systemd/README.md",
    "systemd/HALL.md",
    "tracks/README.md",
    "tests/README.md",
    "tests/machine/README.md",
)
PROGRAMS: Final = (
    "apt-get", "cd", "companion", "companion-appliance", "echo", "eval", "findmnt", "git", "grep", "journalctl", "ls",
    "mpremote", "nmcli", "pip", "pytest", "python", "python3", "scp", "sh", "ssh", "sudo", "systemctl",
    "systemd-analyze",
)  # fmt: skip
"""What a line begins with that is a command."""
NO_COMMANDS: Final = (
    ("companion/README.md", "commands -> screens.pages"),
    ("companion/README.md", "rules:  cup, league, death"),
    ("companion/README.md", "[project.entry-points"),
    ("hardware/README.md", "[roller]"),
    ("hardware/README.md", "|    3V3  1 o o 2  5V"),
    ("hardware/README.md", "3V3 (inside the Pi)"),
    ("hardware/README.md", "5V ──┬──"),
    ("hardware/README.md", "$12,FACE,7,4,11*01"),
    ("hardware/README.md", "referee                      device"),
    ("hardware/README.md", "Pico                    GP15"),
    ("systemd/README.md", "dtoverlay="),
    ("systemd/HALL.md", "[Service]"),
)
"""How the blocks begin that show something else: files, wiring, what is on a line."""


class Command(NamedTuple):
    page: str
    section: str
    text: str
    """As printed, without what is said about it."""

    @property
    def words(self) -> str:
        """Without the folder of the program, and without sudo before it: this test asks for no rights."""
        return re.sub(r"^(sudo )?(\.venv/bin/)?(?=companion\b)", "", self.text)


def sections(page: str) -> Iterator[tuple[str, str]]:
    """The sections of a page, each with its text; code between fences is left out."""
    text = re.sub(r"^```.*?^```$", "", (ROOT / page).read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
    for part in re.split(r"^#+ ", text, flags=re.MULTILINE)[1:]:
        heading, _, rest = part.partition("\n")
        yield heading, rest


def commands(page: str) -> list[Command]:
    """The commands of a page, in its order; each once in a section. Raises AssertionError for a line of which nobody
    knows what it is."""
    found: list[Command] = []
    for section, text in sections(page):
        for block in re.split(r"\n(?:[ \t]*\n)+", text):
            if block.strip("\n").startswith("    "):
                lines = list(_lines(page, block.strip("\n")))
            else:
                spans = (" ".join(span.split()) for span in re.findall(r"`([^`]+)`", block))
                lines = [span for span in spans if " " in span and _is_command(span)]  # one word is a program's name
            found += [Command(page, section, line) for line in lines]
    return list(dict.fromkeys(found))


def _lines(page: str, block: str) -> Iterator[str]:
    lines = [line.strip() for line in block.splitlines()]
    if any(page == of and lines[0].startswith(begin) for of, begin in NO_COMMANDS):
        return
    for line in lines:
        if not line or line.startswith("#"):
            continue
        command = re.split(r"\s{3,}|\s+# ", line)[0]
        assert _is_command(command), f"{page}: what is this line? {line}"
        yield command


def _is_command(text: str) -> bool:
    first = re.sub(r"^(\w+=\S+ )*", "", text).partition(" ")[0].removeprefix(".venv/bin/")
    return first in PROGRAMS or text.startswith(". .venv")
