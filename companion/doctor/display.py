"""Checks of screens, backlight, touchscreens and sound."""

from __future__ import annotations

import re
from pathlib import Path

from companion import whole_file
from companion.doctor.findings import CheckResult, State
from companion.doctor.machine import Machine
from companion.screens.app.connectors import choose_connector, find_connectors
from companion.screens.app.devices import plugged
from companion.screens.app.settings import FILE, settings_of


def wanted_connector(folder: Path) -> str:
    """Return the connector that the settings of a data folder name, "" for none."""
    try:
        return settings_of(whole_file.text(folder / FILE))[0].connector
    except (OSError, ValueError):
        return ""


def check_screen(machine: Machine, wanted: str) -> CheckResult:
    """Find the screen that is drawn on, of those that are connected the one at the connector `wanted`."""
    found = find_connectors(machine.path("/sys/class/drm"))
    chosen = choose_connector(found, wanted)
    missing: State = "bad" if machine.is_table else "absent"
    if chosen is None and not found:
        return CheckResult("screen", missing, "no_card")
    empty = ", ".join(one.name for one in found if not one.is_connected)
    if chosen is None:
        return CheckResult("screen", missing, "none", {"empty": empty})
    others = [one.name for one in found if one.is_connected and one != chosen and one.card == chosen.card]
    modes = machine.read(f"/sys/class/drm/{chosen.device}-{chosen.name}/modes").splitlines()
    facts = {"at": chosen.name, "mode": modes[0] if modes else "", "empty": empty, "other": ", ".join(others)}
    if wanted not in ("", chosen.name):
        return CheckResult("screen", "warn", "elsewhere", facts | {"wanted": wanted})
    return CheckResult("screen", "warn" if others else "ok", "shared" if others else "well", facts)


def check_panel(machine: Machine) -> CheckResult:
    """Find out whether the panel's light is on and lets itself be set."""
    for light in machine.glob("/sys/class/backlight/*"):
        folder = f"/sys/class/backlight/{light.name}"
        now, most = (machine.read(f"{folder}/{name}") for name in ("brightness", "max_brightness"))
        if not now.isdecimal() or not most.isdecimal() or int(most) == 0:
            continue
        facts = {
            "name": light.name, "percent": round(100 * int(now) / int(most)), "user": machine.user.name,
        }  # fmt: skip
        if int(now) == 0 or machine.read(f"{folder}/bl_power") not in ("", "0"):
            return CheckResult("panel", "warn", "dark", facts)
        if not machine.user.may(light / "brightness"):
            return CheckResult("panel", "warn", "locked", facts)
        return CheckResult("panel", "ok", "well", facts)
    return CheckResult("panel", "absent", "none")


def check_touch(machine: Machine) -> CheckResult:
    """Find what people touch and point with, and whether the program may read it."""
    system = machine.path("/sys/class/input")
    hands = {path.rpartition("/")[2]: hand for path, hand in plugged(system, system).items()}
    touched = [event for event, hand in hands.items() if hand in ("touchscreen", "one finger")]
    names = ", ".join(machine.read(f"/sys/class/input/{event}/device/name") or event for event in touched)
    locked = [event for event in touched if not _readable(machine, event)]
    if locked:
        return CheckResult("touch", "bad", "locked", {"devices": names, "user": machine.user.name})
    if touched:
        return CheckResult("touch", "ok", "well", {"devices": names})
    if "mouse" in hands.values():
        return CheckResult("touch", "ok", "mouse")
    return CheckResult("touch", "warn" if machine.is_table else "absent", "none")


def _readable(machine: Machine, event: str) -> bool:
    try:
        return machine.user.may(machine.path(f"/dev/input/{event}"), write=False)
    except OSError:
        return False


def check_sound(machine: Machine) -> CheckResult:
    """Find the sound cards that play."""
    names = dict(re.findall(r"^ *(\d+) \[[^]]*\]: .* - (.+)$", machine.read("/proc/asound/cards"), re.MULTILINE))
    playing = sorted({path.name.removeprefix("pcmC").partition("D")[0] for path in machine.glob("/dev/snd/pcmC*D*p")})
    if not playing:
        return CheckResult("sound", "absent", "none")
    return CheckResult("sound", "ok", "well", {"cards": ", ".join(names.get(card, card) for card in playing)})
