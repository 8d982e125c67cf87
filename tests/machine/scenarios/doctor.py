"""`companion hardware check` on a machine with five things broken."""

from __future__ import annotations

from tests.machine.bench import Bench
from tests.machine.guest import DATA, SCREEN
from tests.machine.racing import at_a_gear, begun

DOCTOR = "/usr/local/bin/companion hardware check"
REPORT = "/run/companion-report.txt"
BROKEN = {
    "Die-roller": (
        "/dev/companion-roller is there, but companion is not in its group dialout",
        "ln -s ttyS0 /dev/companion-roller && chgrp dialout /dev/ttyS0 && chmod 660 /dev/ttyS0"
        f" && sed -i s/dialout// /etc/systemd/system/{SCREEN}",
    ),
    "Disk": (
        f"{DATA} lies in memory",
        f"systemctl stop {SCREEN} && mount -t tmpfs -o size=8M,mode=755 tmpfs {DATA}",
    ),
    "Room on the disk": ("Only 8.4 MB free", "true"),
    "Clock": ("is wrong: there are files here of", "date -s @3600"),
    "Power": (
        "The voltage is too low",
        "printf '#!/bin/sh\\necho throttled=0x50005\\n' > /usr/bin/vcgencmd && chmod 755 /usr/bin/vcgencmd",
    ),
}
"""What is told of each thing, and how it is broken."""


def doctor(bench: Bench) -> None:
    """Of an appliance as it is installed the command says that nothing is wrong; then five things are broken, and it
    tells each, ends with status 1, and writes the report."""
    with bench.machine(bench.races(begun(bench.room / "data", at_a_gear))) as guest:
        guest.ready()
        well = guest.run(DOCTOR, must=False)
        assert "✗" not in well, well
        assert "Nothing is wrong" in well
        bench.say(" | ".join(line for line in well.splitlines() if line.startswith(("✓ Screen", "✓ Touch", "✓ Disk"))))
        for _, breaking in BROKEN.values():
            guest.run(breaking)
        told = guest.run(f"{DOCTOR} --report {REPORT}; echo status $?", must=False)
        for name, (wrong, _) in BROKEN.items():
            line = next((line for line in told.splitlines() if line.startswith(f"✗ {name} ")), told)
            assert wrong in line, line
        assert "5 things are wrong" in told, told
        assert told.endswith("status 1"), told
        assert "power low" in guest.run(f"cat {REPORT}")
        french = guest.run(f"{DOCTOR} --lang fr", must=False)
        assert "5 problèmes" in french, french
        bench.say("five things broken, five told, in both languages")
