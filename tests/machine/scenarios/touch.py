"""Fingers on a display that no desktop draws on."""

from __future__ import annotations

import time

from tests.machine.bench import SEVEN, Bench, Fingers
from tests.machine.guest import DATA, SCREEN, Guest
from tests.machine.racing import begun, carried_out, kept, nearly_over
from tests.screens.appliance import Appliance


def turn(bench: Bench) -> None:
    """A turn of a race by fingers, question by question.

    After each answer the display shows, pixel by pixel, what the same app shows without one."""
    with bench.at_home() as (guest, twin):
        fingers = Fingers(bench, guest, twin)
        fingers.resume()
        bench.same(guest, twin, "turn-0")
        first = twin.see()["title"]
        for at in range(1, 9):
            fingers.answer()
            bench.same(guest, twin, f"turn-{at}")
            if twin.see()["title"] == first:
                break


def race(bench: Bench) -> None:
    """A whole race of two cars by fingers, from the first page to the flag: every picture on the display is the one
    that the same app shows without one, and what is kept is the same to the last entry."""
    with bench.at_home() as (guest, twin):
        to_the_flag(bench, guest, twin, "race")


def flag(bench: Bench) -> None:
    """The last rounds of that race by fingers, to the flag: a tenth of it, where time is short."""
    with bench.at_home(begun(bench.room / "data", nearly_over)) as (guest, twin):
        guest.run(f"systemctl restart {SCREEN}")
        to_the_flag(bench, guest, twin, "flag")


def to_the_flag(bench: Bench, guest: Guest, twin: Appliance, name: str) -> None:
    """From the first page to the end of a race, by fingers."""
    fingers = Fingers(bench, guest, twin)
    fingers.resume()
    at, since = 0, time.monotonic()
    while twin.see()["n"] is not None:
        fingers.answer()
        at += 1
        bench.same(guest, twin, f"{name}-{at:03}")
    took = time.monotonic() - since
    guest.run("sync")
    guest.plug_pulled()
    entries = kept(carried_out(bench.room / "races.img", bench.room / "after"))
    assert entries == kept(twin.folder)
    bench.say(f"{at} answers in {took:.0f} s, {len(entries)} entries, all the same")


def late(bench: Bench) -> None:
    """A touchscreen that comes when the screen is already there is heard; one that goes is missed in words."""
    with bench.at_home() as (guest, twin):
        fingers = Fingers(bench, guest, twin)  # there was none until now, and it is heard
        bench.shown(guest, "touch-came")
        fingers.resume()
        bench.same(guest, twin, "late-touch")
        fingers.away()
        guest.wait(lambda: "gone: [('/dev/input/" in guest.run(f"cat {DATA}/companion.log"), 60)
        bench.shown(guest, "touch-gone")
        bench.say("one that came late was heard, one that went was missed")


def mouse(bench: Bench) -> None:
    """A mouse that comes late is heard, has a pointer, and resumes the race by a click."""
    with bench.at_home() as (guest, twin):
        guest.qmp.do("device_add", driver="usb-mouse", id="mouse", bus="usb.0")
        guest.wait(lambda: "'mouse')]" in guest.run(f"cat {DATA}/companion.log"), 120)
        x, y = twin.until(lambda: twin.do("place", label="Resume"))
        for _ in range(20):  # into the corner, wherever it is
            move(guest, -100, -100)
        for _ in range(20):
            move(guest, round(x * SEVEN[0] / 20), round(y * SEVEN[1] / 20))
        bench.shown(guest, "mouse-there")
        for down in (True, False):
            guest.qmp.do("input-send-event", events=[{"type": "btn", "data": {"down": down, "button": "left"}}])
            time.sleep(0.2)
        twin.tap("Resume")
        twin.until(lambda: twin.see()["n"] is not None)
        bench.same(guest, twin, "mouse-clicked")


def move(guest: Guest, right: int, down: int) -> None:
    """Moves the mouse by so many of its steps."""
    by = {"x": right, "y": down}
    events = [{"type": "rel", "data": {"axis": axis, "value": value}} for axis, value in by.items()]
    guest.qmp.do("input-send-event", events=events)
    time.sleep(0.05)
