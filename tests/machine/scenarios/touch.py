"""Fingers on a display that no desktop draws on."""

from __future__ import annotations

from tests.machine.bench import Bench, Fingers


def turn(bench: Bench) -> None:
    """A turn of a race by fingers, question by question.

    After each answer the display shows, pixel by pixel, what the same app shows without one."""
    with bench.at_home() as (guest, twin):
        fingers = Fingers(guest, twin)
        fingers.resume()
        bench.same(guest, twin, "turn-0")
        first = twin.see()["title"]
        for at in range(1, 9):
            fingers.answer()
            bench.same(guest, twin, f"turn-{at}")
            if twin.see()["title"] == first:
                break


def late(bench: Bench) -> None:
    """A touchscreen that comes when the screen is already there is heard; one that goes is missed in words."""
    log = "cat /var/lib/companion/companion.log 2>/dev/null || :"
    with bench.at_home() as (guest, twin):
        assert "came" not in guest.run(log)
        fingers = Fingers(guest, twin)  # there was none until now
        guest.wait(lambda: "came: [('/dev/input/" in guest.run(log), 60)
        bench.shown(guest, "touch-came")
        fingers.resume()
        bench.same(guest, twin, "late-touch")
        fingers.away()
        guest.wait(lambda: "gone: [('/dev/input/" in guest.run(log), 60)
        bench.shown(guest, "touch-gone")
        bench.say("one that came late was heard, one that went was missed")
