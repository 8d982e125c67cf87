"""The broker's own certificate, where the hall is encrypted: race control makes it once, and every table keeps it when
it joins. Nobody else vouches for it, and it has no end: a table goes by what it has, not by what its clock says."""

from __future__ import annotations

import ssl
import subprocess
from pathlib import Path
from typing import Final

from companion import whole_file
from companion.hall.broker import NoBroker

FILE: Final = "hall.pem"
"""The secret half of its key, and the certificate, beside the broker's file."""
_MADE: Final = (
    "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "36500",
    "-subj", "/CN=hall", "-addext", "subjectAltName=DNS:hall", "-keyout", "-", "-out", "-",
)  # fmt: skip
_BEGINS: Final = "-----BEGIN CERTIFICATE-----"
_ANY_TIME: Final = 0x200000
"""OpenSSL's word for it: a Raspberry Pi that wakes in 1970 comes into the hall all the same."""


def make(folder: Path) -> None:
    """Makes one where there is none. Raises NoBroker."""
    path = folder / FILE
    if path.exists():
        return
    try:
        made = subprocess.run(_MADE, capture_output=True, timeout=60, check=True).stdout
    except (OSError, subprocess.SubprocessError):
        raise NoBroker("The hall's certificate is made by openssl: sudo apt-get install openssl.", "openssl") from None
    try:
        whole_file.write(path, made, mode=0o600)
    except OSError as wrong:
        raise NoBroker(f"{folder} cannot be written: {wrong.strerror}.") from wrong


def pin(folder: Path) -> str:
    """The certificate, "" where the hall has none. Raises NoBroker for a file that holds none: what was encrypted once
    is not sent in the clear."""
    path = folder / FILE
    try:
        _, begins, rest = path.read_text(encoding="ascii").partition(_BEGINS)
    except FileNotFoundError:
        return ""
    except (OSError, ValueError):
        begins = rest = ""
    if not begins:
        raise NoBroker(f"{path} holds no certificate; put back a copy, or move it away and let every table join again.")
    return begins + rest


def settings(folder: Path) -> dict[str, object]:
    """What the broker's file says of it."""
    path = str(folder.absolute() / FILE)
    return {"cert_file": path, "key_file": path, "timeout": 5}


def trusting(pinned: str) -> ssl.SSLContext:
    """Whoever shows that certificate, and nobody else. Raises ssl.SSLError for what is none."""
    trust = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    trust.minimum_version = ssl.TLSVersion.TLSv1_2
    trust.check_hostname = False
    trust.verify_flags |= _ANY_TIME
    trust.load_verify_locations(cadata=pinned)
    return trust
