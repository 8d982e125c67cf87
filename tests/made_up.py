"""A made-up machine for the doctor: the files that Linux would have, below a folder."""

from __future__ import annotations

import os
from pathlib import Path


class MadeUp:
    """A Raspberry Pi 4 with the appliance, on which all is well: a panel with touch, a roller, pins, radio, sound."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.file("proc/device-tree/model", "Raspberry Pi 4 Model B Rev 1.5\0")
        self.file("proc/meminfo", "MemTotal:        3882980 kB\nMemFree: 1 kB\nMemAvailable:    3000000 kB\n")
        self.file("proc/sys/kernel/osrelease", "6.12.25+rpt-rpi-v8\n")
        self.file("proc/cmdline", "console=tty1 root=PARTUUID=secret-1 video=DSI-1:800x480 systemd.password=secret-2\n")
        self.file("boot/firmware/config.txt", "# secret-3\n[all]\ndtoverlay=vc4-kms-v3d\ninitramfs secret-4\n")
        self.file("etc/os-release", 'PRETTY_NAME="Debian GNU/Linux 13 (trixie)"\nID=debian\n')
        self.file(
            "etc/passwd", f"root:x:0:0::/:/bin/sh\ncompanion:x:4990:{os.getgid()}::/var/lib/companion:/bin/false\n"
        )
        self.groups("video", "render", "input", "gpio", "dialout", "audio")
        self.file("etc/systemd/system/companion-screen.service", "[Service]\nSupplementaryGroups=video\n")
        self.connector("card1-HDMI-A-1", "disconnected")
        self.connector("card1-DSI-1", "connected", "800x480\n")
        self.file("dev/dri/card1", mode=0o660)
        for name, said in {"brightness": "128", "max_brightness": "255", "bl_power": "0"}.items():
            self.file(f"sys/class/backlight/10-0045/{name}", said, 0o664)
        self.touchscreen("event0", "10-0038 generic ft5x06 (79)")
        self.file("dev/gpiochip0", mode=0o660)
        self.file("dev/ttyACM0", mode=0o660)
        self.link("dev/companion-roller", "ttyACM0")
        self.file("dev/snd/pcmC0D0p", mode=0o660)
        self.file("proc/asound/cards", " 0 [Headphones     ]: bcm2835_headpho - bcm2835 Headphones\n")
        self.file("sys/class/net/wlan0/phy80211/index", "0")
        self.rfkill(soft=0, hard=0)
        self.file("sys/module/cfg80211/parameters/ieee80211_regdom", "FR\n")
        self.command("vcgencmd", "echo throttled=0x0")
        self.command("timedatectl", "echo yes")

    def file(self, name: str, text: str = "", mode: int = 0o644) -> Path:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        path.chmod(mode)
        return path

    def link(self, name: str, target: str) -> None:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.symlink_to(target)

    def groups(self, *members: str, others: str = "") -> None:
        """Have the devices, whose group is this program's own, belong to `others`; the user is in none of them."""
        if others:
            self.file("etc/group", f"{others}:x:{os.getgid()}:\n")
            self.file("etc/passwd", "companion:x:4990:4991::/var/lib/companion:/bin/false\n")
        else:
            self.file("etc/group", "".join(f"{name}:x:{6000 + at}:companion\n" for at, name in enumerate(members)))

    def connector(self, name: str, status: str, modes: str = "") -> None:
        self.file(f"sys/class/drm/{name}/status", status)
        self.file(f"sys/class/drm/{name}/modes", modes)

    def touchscreen(self, event: str, name: str) -> None:
        folder = f"sys/class/input/{event}/device"
        self.file(f"{folder}/name", name)
        self.file(f"{folder}/properties", "2")
        self.file(f"{folder}/capabilities/abs", "260000000000003")
        self.file(f"{folder}/capabilities/rel", "0")
        self.file(f"{folder}/capabilities/key", "0")
        self.file(f"dev/input/{event}", mode=0o660)

    def rfkill(self, *, soft: int, hard: int) -> None:
        for name, said in {"type": "wlan", "soft": str(soft), "hard": str(hard)}.items():
            self.file(f"sys/class/rfkill/rfkill1/{name}", said)

    def command(self, name: str, script: str) -> None:
        self.file(f"usr/bin/{name}", f"#!/bin/sh\n{script}\n", 0o755)
