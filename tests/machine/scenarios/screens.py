"""Which screen is drawn on, where one has come loose and where there are two."""

from __future__ import annotations

from tests.machine import image
from tests.machine.bench import CLOCK, Bench
from tests.machine.guest import DATA, SCREEN, Guest, over
from tests.machine.racing import at_a_gear, begun


def loose_ribbon(bench: Bench) -> None:
    """A screen that has come loose is told by its connector in the journal, and drawn on when it is there again."""
    with bench.at_home() as (guest, twin):
        status = guest.run("echo /sys/class/drm/card*-Virtual-1/status")
        guest.run(f"echo off > {status} && systemctl restart --no-block {SCREEN}")
        guest.wait(lambda: "No screen is connected (Virtual-1 disconnected)" in guest.journal(SCREEN))
        guest.run(f"echo detect > {status}")
        guest.wait(lambda: guest.show(SCREEN, "ActiveState") == "active")
        bench.same(guest, twin, "ribbon-back", most=CLOCK)


def two_cards(bench: Bench) -> None:
    """Of two graphics cards the one with the connector that the settings name is drawn on; else one that is there."""
    folder = begun(bench.room / "data", at_a_gear)
    with open(folder / "settings.toml", "a") as settings:
        settings.write('connector = "Virtual-2"\n')
    disk = over(image.installed(bench.suite) / "root.img", bench.room / "disk.qcow2")
    races = bench.races(folder)
    second = ("-device", "virtio-gpu-pci,id=second,xres=1280,yres=720")
    with bench.switched_on(Guest(bench.room, image.base(bench.suite), disk, races, more=second)) as guest:
        guest.ready()
        log = f"{DATA}/companion.log"
        assert "with 1280 by 720 pixels" in guest.run(f"grep 'touchscreen is open' {log} | tail -n 1")
        status = guest.run("echo /sys/class/drm/card*-Virtual-2/status")
        guest.run(f"echo off > {status} && systemctl restart {SCREEN}")
        assert "with 800 by 480 pixels" in guest.run(f"grep 'touchscreen is open' {log} | tail -n 1")
        assert "no screen is connected to Virtual-2: drawing on Virtual-1" in guest.run(f"cat {log}")
