"""The file that a person sends: the findings in words and as facts, and what else helps to find a fault.

It holds no secret: of the system's files only the lines named here are in it, and no name of a network.
"""

from __future__ import annotations

import json
import re
from importlib import metadata
from typing import Final

from companion.doctor.findings import Found
from companion.doctor.machine import Machine
from companion.doctor.text import advice, name, sentence, summary
from companion.wording import Words

REPORT: Final = "companion-report.txt"
FIRMWARE: Final = ("/boot/firmware/config.txt", "/boot/config.txt")
SETTINGS: Final = re.compile(
    r"(?:dtoverlay|dtparam|display_|camera_|max_framebuffers|arm_|hdmi|gpio|usb|enable_).*|\[.*\]"
)
"""Lines of a Raspberry Pi's config.txt about what is connected and how."""
KERNEL_WORDS: Final = ("video=", "fbcon=", "overlayroot=", "console=", "cfg80211.")
"""Words of the kernel's command line about the same."""


def write_report(found: Found, machine: Machine, words: Words) -> str:
    """Return the report as text."""
    lines = [f"companion hardware check: {summary(found, words)}", ""]
    for one in found:
        facts = json.dumps(one.facts, ensure_ascii=False)
        lines += [f"{one.state:6} {name(one, words)}{words.say('colon')}{sentence(one, words)}"]
        lines += [f"       {said}" for said in (advice(one, words), f"{one.check} {one.case} {facts}") if said]
    config = next((text for path in FIRMWARE if (text := machine.read(path))), "")
    settings = [line for line in config.splitlines() if SETTINGS.fullmatch(line)]
    kernel = [word for word in machine.read("/proc/cmdline").split() if word.startswith(KERNEL_WORDS)]
    packages = sorted({f"{one.metadata['Name']}=={one.version}" for one in metadata.distributions()}, key=str.lower)
    for title, more in (("config.txt", settings), ("cmdline", kernel), ("packages", packages)):
        if more:
            lines += ["", f"{title}:", *more]
    return "\n".join([*lines, ""])
