"""The broker's own certificate, where the hall is encrypted.

Race control makes it once and tables pin it when they join. No authority vouches for it and it does not expire, because
a table's clock may be wrong.
"""

from __future__ import annotations

import ssl
import subprocess
from pathlib import Path
from typing import Final

from companion import whole_file
from companion.hall.broker import NoBroker

FILE: Final = "hall.pem"
"""Name of the file with the secret half of its key, and the certificate, beside the broker's file."""
_MADE: Final = (
    "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "36500",
    "-subj", "/CN=hall", "-addext", "subjectAltName=DNS:hall", "-keyout", "-", "-out", "-",
)  # fmt: skip
_BEGINS: Final = "-----BEGIN CERTIFICATE-----"
_ANY_TIME: Final = 0x200000
"""OpenSSL flag that ignores the time: a Raspberry Pi that wakes in 1970 comes into the hall all the same."""


def make(folder: Path) -> None:
    """Make the certificate unless there is one.

    Raises NoBroker.
    """
    path = folder / FILE
    if path.exists():
        return
    try:
        made = subprocess.run(_MADE, capture_output=True, timeout=60, check=True).stdout
    except (OSError, subprocess.SubprocessError):
        raise NoBroker("openssl") from None
    try:
        whole_file.write(path, made, mode=0o600)
    except OSError as wrong:
        raise NoBroker("not_written.output", out=folder, wrong=wrong.strerror) from wrong


def pin(folder: Path) -> str:
    """Return the certificate, "" where the hall has none.

    Raises NoBroker for a file without one: a hall that was encrypted never falls back to clear text.
    """
    path = folder / FILE
    try:
        _, begins, rest = path.read_text(encoding="ascii").partition(_BEGINS)
    except FileNotFoundError:
        return ""
    except (OSError, ValueError):
        begins = rest = ""
    if not begins:
        raise NoBroker("no_certificate", path=path)
    return begins + rest


def settings(folder: Path) -> dict[str, object]:
    """Return the broker's settings for the certificate."""
    path = str(folder.absolute() / FILE)
    return {"cert_file": path, "key_file": path, "timeout": 5}


def trusting(pinned: str) -> ssl.SSLContext:
    """Return a TLS context that trusts that certificate alone.

    Raises ssl.SSLError for a malformed one.
    """
    trust = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    trust.minimum_version = ssl.TLSVersion.TLSv1_2
    trust.check_hostname = False
    trust.verify_flags |= _ANY_TIME
    trust.load_verify_locations(cadata=pinned)
    return trust
