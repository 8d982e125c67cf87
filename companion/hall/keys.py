"""Keys of tables, as NATS has them (nkeys: Ed25519).

The table keeps the secret half; the broker has the public half and admits those who sign with the other.
"""

from __future__ import annotations

import base64
import binascii
from typing import Final

from nacl.signing import SigningKey

_USER_PREFIX: Final = bytes([20 << 3])
"""First byte of a user's public key, which makes it read U..."""


def new_seed() -> str:
    """Return the secret half of a new key."""
    return bytes(SigningKey.generate()).hex()


def public(seed: str) -> str:
    """Return the public half of a key, as the broker's file has it.

    >>> public("00" * 32)
    'UA5WUJ54Z23KILLCUOUNAKTPBVZWKMQVO4O6EQ5GHLAERIMLLHNCTYM5'
    """
    key = _USER_PREFIX + bytes(SigningKey(bytes.fromhex(seed)).verify_key)
    return base64.b32encode(key + binascii.crc_hqx(key, 0).to_bytes(2, "little")).decode()


def is_seed(seed: str) -> bool:
    """Return True for the secret half of a key.

    >>> is_seed(new_seed()), is_seed("00"), is_seed("Z" * 64)
    (True, False, False)
    """
    try:
        return len(bytes.fromhex(seed)) == 32
    except ValueError:
        return False


def is_public(key: str) -> bool:
    """Return True for the public half of a user's key.

    >>> is_public(public(new_seed())), is_public("U" * 56)
    (True, False)
    """
    try:
        raw = base64.b32decode(key)
    except (binascii.Error, ValueError):
        return False
    return (
        len(raw) == 35 and raw[:1] == _USER_PREFIX and binascii.crc_hqx(raw[:33], 0).to_bytes(2, "little") == raw[33:]
    )


def signed(seed: str, nonce: str) -> bytes:
    """Return the broker's nonce, signed."""
    return base64.b64encode(SigningKey(bytes.fromhex(seed)).sign(nonce.encode()).signature)
