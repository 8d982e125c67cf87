"""An image for a Raspberry Pi's card: Debian for arm64 with the appliance in it, by its own installer.

On it are a partition that the Pi's firmware and any computer reads, with the kernel and `table.toml` on it, and the
system's root, which takes the whole card at its first start (systemd/card/first-start.py).
"""

from __future__ import annotations

import re
import shutil
import urllib.request
from collections.abc import Iterable
from pathlib import Path

from tests.machine import shelf
from tests.machine.host import PLAIN, TOOLS, equip, mmdebstrap, run
from tests.machine.image import APPLIANCE, BESIDE, INSTALL, PROJECT, bootstrapped, carry, inside, unpacked

SUITE = "trixie"
PACKAGES = [
    *("linux-image-arm64", "raspi-firmware", "firmware-brcm80211", "wireless-regdb", "initramfs-tools", "zstd"),
    *("systemd-sysv", "systemd-timesyncd", "udev", "dbus", "kmod", "iproute2", "fdisk", "sudo", "tzdata", "locales"),
    *("console-setup", "keyboard-configuration", "kbd", "openssh-server", "avahi-daemon", "network-manager"),
    *("e2fsprogs", "wpasupplicant", "dnsmasq-base", "ca-certificates", "git", "python3", "python3-venv", "python3-pip"),
    *("libegl1", "libgl1", "libgles2", "libgbm1", "libgl1-mesa-dri", "libmtdev1t64", "libfribidi0"),
    *("fonts-wqy-microhei", "fonts-freefont-ttf", "gcc", "libc6-dev", "python3-dev", "python3-setuptools", "swig"),
]
"""A Debian as bare as Raspberry Pi OS Lite, with what the installer would fetch: none of it needs a network."""
BESIDE_IT = PROJECT / "systemd/card"
"""What is on a card beside the appliance."""

FIRMWARE = "FIRMWARE"
"""The name of the partition that any computer reads."""
BEGINS, FIRMWARE_SIZE, ROOM = 4 << 20, 512 << 20, 512 << 20
"""Bytes: where the first partition begins, how large it is, and what the root has free before its first start."""
SECTOR = 512

ARM64 = {
    "qemu-aarch64-static": "qemu-user-static",
    "update-binfmts": "binfmt-support",
    "qemu-system-aarch64": "qemu-system-arm",
    "sfdisk": "fdisk",
    "fdtput": "device-tree-compiler",
    "depmod": "kmod",
    "cpio": "cpio",
    "xz": "xz-utils",
}
"""What is run here for arm64, and the Debian package that has it."""

LENT = [
    *("dpkg-deb", "xz", "zstd", "gzip", "cpio", "cp", "mv", "rm", "rmdir", "ln", "mkdir", "install", "chmod", "touch"),
    *("cat", "head", "tail", "cut", "tr", "sort", "uniq", "wc", "find", "xargs", "grep", "sed", "readlink", "dirname"),
]
"""Programs that do the same whatever they run on, and that a Debian is made with from its first package to its last."""

INITRD = "etc/initramfs-tools/conf.d"
"""What makes the initrd reads its settings there, once it has set its own PATH."""

SETTLE = f"""
cd /
rm -f etc/apt/apt.conf.d/99mmdebstrap etc/dpkg/dpkg.cfg.d/99mmdebstrap etc/apt/sources.list etc/resolv.conf
cat > etc/apt/sources.list.d/debian.sources <<'.'
Types: deb
URIs: http://deb.debian.org/debian
Suites: {SUITE} {SUITE}-updates
Components: main non-free-firmware
Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg

Types: deb
URIs: http://security.debian.org/debian-security
Suites: {SUITE}-security
Components: main non-free-firmware
Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg
.
echo LANG=C.UTF-8 > etc/locale.conf
rm -rf var/cache/apt/archives/*.deb var/lib/apt/lists/*
"""
OWN = f"""
cd /
rm -f etc/ssh/ssh_host_* var/lib/dbus/machine-id var/log/*.log
rm -f var/lib/companion/{APPLIANCE["KNOWN"]} etc/NetworkManager/system-connections/{APPLIANCE["PROFILE"]}
: > etc/machine-id
echo table > etc/hostname
printf '127.0.0.1 localhost\\n127.0.1.1 table\\n' > etc/hosts
cat > etc/fstab <<'.'
LABEL=table       /               ext4  defaults,noatime         0  1
LABEL={FIRMWARE}  /boot/firmware  vfat  defaults,noatime,nofail  0  2
.
cat > etc/default/raspi-firmware <<'.'
# One card for a Pi 3 and a Pi 4: each takes the memory for its display from its own device tree.
CMA=0
CONSOLES=tty0
ROOTPART=LABEL=table
.
echo quiet > etc/default/raspi-extra-cmdline
DEB_MAINT_PARAMS=configure etc/kernel/postinst.d/z50-raspi-firmware
install -D -m 755 root/card/first-start.py usr/local/lib/companion/first-start.py
install -m 644 root/card/table-first-start.service etc/systemd/system
install -m 644 root/card/table.toml boot/firmware
systemctl enable -q table-first-start.service
rm -r root/card
"""
"""What makes it a card: what the Pi's firmware is told, and nothing in it that should be one table's alone."""


def equipped() -> None:
    """Installs what this machine lacks, and has its kernel run arm64 by qemu."""
    equip(TOOLS | ARM64)
    formats = Path("/proc/sys/fs/binfmt_misc")
    if not (formats / "register").exists():
        run("mount", "-t", "binfmt_misc", "binfmt_misc", formats)
    if not (formats / "qemu-aarch64").exists():
        run("update-binfmts", "--enable", "qemu-aarch64")


def debian() -> Path:
    """`root.tar`, a Debian for arm64 as its packages make it; their scripts are run by qemu, with what is lent."""

    def make(place: Path) -> None:
        lend, take_back = lent(LENT)
        arm64 = {"architecture": "arm64", "components": "main non-free-firmware"}
        mmdebstrap(SUITE, PACKAGES, place / "root.tar", take_back, extracted=lend, **arm64)

    return shelf.kept(f"card-packages-{SUITE}", PACKAGES, make)


def lent(programs: Iterable[str]) -> tuple[str, str]:
    """Lines of shell that let a system of another processor, whose root is `$1`, run programs of this one, before its
    own and with their libraries, also while its initrd is made; and that take them back. All of it lies below /usr, as
    Debian will have it: /lib64 a folder is refused."""
    files: dict[str, str | Path] = {}
    for program in programs:
        files[f"usr/sbin/{program}"] = here = Path(str(shutil.which(program))).resolve()
        files |= {f"usr{library.removeprefix('/usr')}": library for library in re.findall(r"/\S+", run("ldd", here))}
    folders = {str(Path(file).parent) for file in files} - {"usr/sbin"}
    lend = "; ".join(f'install -D "{source}" "$1/{file}"' for file, source in files.items())
    first = f'ln -s usr/lib64 "$1/lib64"; mkdir -p "$1/{INITRD}"; echo \'PATH=/usr/sbin:$PATH\' > "$1/{INITRD}/lent"'
    back = f'cd "$1"; rm {" ".join(files)} {INITRD}/lent lib64; rmdir {" ".join(sorted(folders))}'
    return f"set -e; {lend}; {first}", back


def installed() -> Path:
    """`root.tar`, with the appliance in it."""
    packages = debian()
    pins = APPLIANCE["PINS"]

    def make(place: Path) -> None:
        with unpacked(packages / "root.tar", place) as root:
            inside(root, SETTLE)
            carry(root / "root", SUITE, "aarch64")
            with urllib.request.urlopen(APPLIANCE["PUBLISHED"] + pins) as found:
                (root / "root/wheels" / pins).write_bytes(found.read())
            print(inside(root, f"export PIP_NO_COMPILE=1\n{INSTALL}"), flush=True)
            compiled(root, place)
            run("tar", "-c", "--numeric-owner", "-f", place / "root.tar", "-C", root, ".")

    project = [*APPLIANCE["sources"](PROJECT), *BESIDE]
    return shelf.kept(f"card-appliance-{SUITE}", [packages.name, SETTLE, INSTALL, *project], make)


def compiled(root: Path, place: Path) -> None:
    """Has the same Python of this processor compile the appliance's sources to what any Python of its kind runs: the
    emulated one would be many times as long about it."""
    (apart := place / "here").mkdir()
    with unpacked(bootstrapped(SUITE) / "root.tar", apart) as here:
        (here / "opt/companion").mkdir(parents=True)
        bound = f"mount --bind {root}/opt/companion {here}/opt/companion"
        compiles = f"exec chroot {here} python3 -m compileall -q /opt/companion/versions"
        run("unshare", "--mount", "sh", "-euc", f"{bound} && {compiles}", env=PLAIN)
    apart.rmdir()


def card() -> Path:
    """`card.img`, to be written to a card."""
    equipped()
    appliance = installed()

    def make(place: Path) -> None:
        with unpacked(appliance / "root.tar", place) as root:
            shutil.copytree(BESIDE_IT, root / "root/card")
            inside(root, OWN)
            written(root, place / "card.img")

    return shelf.kept(f"card-{SUITE}", [appliance.name, OWN, *sorted(BESIDE_IT.iterdir())], make)


def written(root: Path, image: Path) -> None:
    """Writes a system as the image of a card, of which `root`'s /boot/firmware becomes a partition of its own."""
    firmware = root / "boot/firmware"
    root_begins = BEGINS + FIRMWARE_SIZE
    root_size = -(-(shelf.size(root) - shelf.size(firmware) + ROOM) >> 20) << 20
    with open(image, "wb") as file:
        file.truncate(root_begins + root_size)
    table = f"label: dos\nstart={BEGINS // SECTOR}, size={FIRMWARE_SIZE // SECTOR}, type=c, bootable\n"
    table += f"start={root_begins // SECTOR}, size={root_size // SECTOR}, type=83\n"
    run("sfdisk", "-q", image, input=table)
    run("mkfs.vfat", "-F", "32", "-n", FIRMWARE, "--offset", str(BEGINS // SECTOR), image, str(FIRMWARE_SIZE >> 10))
    run("mcopy", "-s", "-Q", "-i", f"{image}@@{BEGINS}", *sorted(firmware.iterdir()), "::")
    shutil.rmtree(firmware)
    firmware.mkdir()
    offset = f"offset={root_begins},lazy_itable_init=0"
    run("mke2fs", "-q", "-F", "-t", "ext4", "-L", "table", "-E", offset, "-d", root, image, f"{root_size >> 10}k")
