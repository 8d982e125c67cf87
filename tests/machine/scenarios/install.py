"""The installer, in a machine that runs."""

from __future__ import annotations

import shutil
import time

from tests.machine import image
from tests.machine.bench import Bench
from tests.machine.guest import SCREEN, Guest, over


def install(bench: Bench) -> None:
    """A bare Debian, booted, becomes a table's referee by the commands of the appliance's README, without a network."""
    folder = bench.room / "luggage"
    image.carry(folder, bench.suite)
    luggage = image.file_system(bench.room / "luggage.img", "256M", "luggage", folder)
    shutil.rmtree(folder)
    races = image.file_system(bench.room / "races.img", "192M", "races")
    bare = image.base(bench.suite)
    disk = over(bare / "root.img", bench.room / "disk.qcow2")
    with bench.switched_on(Guest(bench.room, bare, disk, races, luggage)) as guest:
        bench.say(f"booted {guest.booted():.0f} s after power-on")
        guest.run("mount --mkdir -o ro LABEL=luggage /run/luggage && cp -r /run/luggage/* /root")
        began = time.monotonic()
        said = guest.run(image.INSTALL, 3600)
        bench.say(f"{said.splitlines()[-1]} It took {time.monotonic() - began:.0f} s")
        guest.ready()
        bench.say(f"its first page is there {time.monotonic() - began:.0f} s after the installing began")
        assert guest.show(SCREEN, "NRestarts") == "0", guest.journal(SCREEN)
        bench.shown(guest, "installed")
