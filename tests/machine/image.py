"""The guest's disks: a Debian bootstrapped from the host's own mirror, and the appliance installed in it.

No loop device is needed: `mke2fs -d` writes a folder as a file system.
"""

from __future__ import annotations

import contextlib
import runpy
import shlex
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

from tests.machine import shelf
from tests.machine.guest import PARTS, WORDS, Guest, over, switched_on
from tests.machine.host import PLAIN, mmdebstrap, run
from tests.machine.racing import at_a_gear, begun

PROJECT = Path(__file__).parents[2]
MOUNT = PROJECT / "systemd/var-lib-companion.mount"
APPLIANCE = runpy.run_path(str(PROJECT / "systemd/appliance.py"))
BESIDE = (PROJECT / "README.md", PROJECT / ".ci/setup")
"""What an installation reads of a clone beside the sources of a version."""
PYTHON = {"bookworm": "3.11", "trixie": "3.13"}
"""The Python of each Debian that the appliance knows."""

PACKAGES = [
    *("systemd-sysv", "udev", "dbus", "kmod", "zstd", "iproute2", "linux-image-amd64", "initramfs-tools"),
    *("busybox", "e2fsprogs", "overlayroot"),
    *("qemu-guest-agent", "python3-evdev", "python3", "python3-venv", "python3-pip", "libegl1", "libgl1", "libgles2"),
    *("libgbm1", "libgl1-mesa-dri", "libmtdev1", "libfribidi0", "fonts-wqy-microhei", "fonts-freefont-ttf"),
]
"""A Debian as bare as Raspberry Pi OS Lite, with a way in for us, and with what `.ci/setup packages` would fetch over
the network: the guest has none."""

SETTLE = r"""
cd /
echo table > etc/hostname
printf '127.0.0.1 localhost table\n' > etc/hosts
cat > etc/fstab <<'.'
LABEL=root   /                   ext4  defaults,noatime           0  1
.
mkdir -p var/lib/companion etc/systemd/system/local-fs.target.wants
ln -s ../var-lib-companion.mount etc/systemd/system/local-fs.target.wants
mkdir -p etc/systemd/system/companion-screen.service.d
printf '[Service]\nWatchdogSec=4\nTimeoutStartSec=15min\n' > etc/systemd/system/companion-screen.service.d/guest.conf
for unit in apt-daily.timer apt-daily-upgrade.timer dpkg-db-backup.timer e2scrub_all.timer fstrim.timer; do
    ln -sf /dev/null "etc/systemd/system/$unit"
done
ln -sf /dev/null etc/systemd/system/serial-getty@ttyS0.service
printf 'virtio_pci\nvirtio_blk\next4\n' >> etc/initramfs-tools/modules
echo MODULES=list > etc/initramfs-tools/conf.d/guest
update-initramfs -u
passwd -d root
rm -rf var/cache/apt/archives/*.deb var/lib/apt/lists/* usr/share/doc/* usr/share/man/*
"""
"""What makes it this guest: the races have a disk of their own, as the appliance's README offers, and the serial port
belongs to the kernel's words alone. The screen says each second that it lives, where it would each five: a finger waits
for that; and its first picture is given more than three minutes."""


def contained(suite: str) -> list[str]:
    """The packages by the names that they have there."""
    return [f"{one}t64" if one == "libmtdev1" and suite != "bookworm" else one for one in PACKAGES]


def at_hand(suite: str) -> bool:
    """Whether that Debian was bootstrapped: all else is made of it in minutes."""
    return shelf.there(f"packages-{suite}", contained(suite)).exists()


def bootstrapped(suite: str) -> Path:
    """`root.tar`, a Debian as its packages make it."""
    packages = contained(suite)

    def make(place: Path) -> None:
        mmdebstrap(suite, packages, place / "root.tar")

    return shelf.kept(f"packages-{suite}", packages, make)


INSTALL = """
cd /root/companion
PIP_NO_INDEX=1 PIP_FIND_LINKS=/root/wheels HOME=/root python3 systemd/appliance.py install
rm -r /root/companion /root/wheels
"""
"""What the appliance's README says for a machine without internet."""


def base(suite: str) -> Path:
    """`root.img`, `kernel` and `initrd` of a Debian, with nothing of ours in it."""
    packages = bootstrapped(suite)

    def make(place: Path) -> None:
        with unpacked(packages / "root.tar", place) as root:
            settle(root)
            for name, file in {"kernel": "vmlinuz", "initrd": "initrd.img"}.items():
                shutil.copyfile(next((root / "boot").glob(f"{file}-*")), place / name)
            file_system(place / "root.img", "4G", "root", root)

    return shelf.kept(f"debian-{suite}", [packages.name, SETTLE, MOUNT], make)


def settle(root: Path) -> None:
    """Make a Debian this guest; the unit that mounts the races' disk is the appliance's own."""
    shutil.copyfile(MOUNT, root / "etc/systemd/system" / MOUNT.name)
    inside(root, SETTLE)


@contextlib.contextmanager
def unpacked(tar: Path, place: Path) -> Iterator[Path]:
    """The folder of a system, for as long as something is done to it."""
    root = place / "root"
    root.mkdir()
    run("tar", "-x", "--numeric-owner", "-f", tar, "-C", root)
    yield root
    shutil.rmtree(root)


def inside(root: Path, script: str) -> str:
    """What lines of shell say below a root, with /proc there for as long as they run."""
    mounted = f"mount -t proc proc {root}/proc && exec chroot {root} sh -euc {shlex.quote(script)}"
    return run("unshare", "--mount", "--pid", "--fork", "--kill-child", "sh", "-euc", mounted, env=PLAIN)


def file_system(image: Path, size: str, label: str, folder: Path | None = None, kind: str = "ext4") -> Path:
    """A file with a file system of that size in it, which holds what is in a folder."""
    full: list[str | Path] = ["-d", folder] if folder is not None else []
    run("mke2fs", "-q", "-F", "-t", kind, "-L", label, "-E", "lazy_itable_init=0", *full, image, size)
    return image


# -- what is carried into the guest


def wheels(suite: str, processor: str = "x86_64") -> Path:
    """The packages that the appliance's lock names, fetched as its README says for a machine without internet."""
    lock = PROJECT / "systemd/requirements.txt"

    def make(place: Path) -> None:
        glibc = [word for minor in (17, 27, 28, 34, 36) for word in ("--platform", f"manylinux_2_{minor}_{processor}")]
        pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "download", "-q", "-d", str(place)]
        tags = ["--python-version", PYTHON[suite], *glibc, "--platform", f"manylinux2014_{processor}"]
        run(*pip, "--no-deps", "--only-binary=:all:", "--require-hashes", *tags, "-r", lock)

    return shelf.kept(f"wheels-{processor}-{suite}", [lock, suite], make)


def carry(into: Path, suite: str, processor: str = "x86_64") -> None:
    """The project as a clone has it, as far as the appliance takes it, and the wheels."""
    for path in (*APPLIANCE["sources"](PROJECT), *BESIDE):
        target = into / "companion" / path.relative_to(PROJECT)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, target)
    shutil.copytree(wheels(suite, processor), into / "wheels")


def installed(suite: str) -> Path:
    """`root.img`: that Debian with the appliance in it, installed by its own installer below the guest's root. In the
    booted guest, which the scenario "install" does, an emulated processor takes many times as long."""
    packages, system = bootstrapped(suite), base(suite)
    project = [*APPLIANCE["sources"](PROJECT), *BESIDE]

    def make(place: Path) -> None:
        with unpacked(packages / "root.tar", place) as root:
            settle(root)
            carry(root / "root", suite)
            inside(root, INSTALL)
            file_system(place / "root.img", "4G", "root", root)

    return shelf.kept(f"appliance-{suite}", [system.name, INSTALL, *project], make)


STARTS_NOT = "companion/screens/app/launch.py"
"""A version whose copy of this says that there is no display is whole, and its screen never comes."""
BUILT = """
cd /root/companion
PIP_NO_INDEX=1 PIP_FIND_LINKS=/root/wheels HOME=/root python3 - <<'.'
import runpy, pathlib
made = runpy.run_path("systemd/appliance.py")
print(made["build"](made["Machine"](pathlib.Path("/")), pathlib.Path.cwd()))
.
"""


def versions(suite: str) -> Path:
    """`versions.img`: two versions more, `next` and one that does not start, `broken`; of each the folder that an
    upgrade begins from and, as `next-built` and `broken-built`, what it builds, which an emulated processor would be
    long about."""
    packages, system = bootstrapped(suite), base(suite)
    project = [*APPLIANCE["sources"](PROJECT), *BESIDE]

    def make(place: Path) -> None:
        luggage = place / "luggage"
        with unpacked(packages / "root.tar", place) as root:
            for name in ("next", "broken"):
                carry(root / "root", suite)
                source, wheelhouse = root / "root/companion", root / "root/wheels"
                with open(source / STARTS_NOT, "a") as file:
                    file.write(f'\n\nNAME: Final = "{name}"\n')
                    if name == "broken":
                        file.write('\n\ndef display() -> Display:\n    raise NoDisplay("It does not start.")\n')
                inside(root, BUILT)
                shutil.rmtree(wheelhouse)
                luggage.mkdir(exist_ok=True)
                source.rename(luggage / name)
                shutil.move(root / "opt/companion/versions", luggage / f"{name}-built")
            file_system(place / "versions.img", "2G", "versions", luggage)
        shutil.rmtree(luggage)

    return shelf.kept(f"versions-{suite}", [system.name, STARTS_NOT, BUILT, "apart", *project], make) / "versions.img"


def ready(suite: str) -> Path:
    """A machine at its first page: `disk.qcow2`, `races.img`, and in `memory` all else of it. It saves a scenario the
    minutes of a boot; `folder` is what its races' disk began with."""
    system, appliance = base(suite), installed(suite)

    def make(place: Path) -> None:
        folder = begun(place / "folder", at_a_gear)
        races = file_system(place / "races.img", "192M", "races", folder)
        with switched_on(Guest(place, system, over(appliance / "root.img", place / "disk.qcow2"), races)) as guest:
            took = guest.ready()
            print(f"  first page {took:.0f} s after power-on", flush=True)
            guest.run("sync")
            guest.saved(place / "memory")

    return shelf.kept(f"ready-{suite}", [appliance.name, WORDS, *PARTS], make)
