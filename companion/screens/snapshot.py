"""Pictures of what the window shows, as PNG files."""

from __future__ import annotations

import struct
import zlib
from pathlib import Path

from kivy.core.window import Window
from kivy.graphics.opengl import GL_RGB, GL_UNSIGNED_BYTE, glReadPixels


def pixels() -> tuple[int, int, bytes]:
    """The window's width and height in pixels, and its pixels in rows from the top, three bytes each."""
    Window.dispatch("on_draw")
    width, height = (int(side) for side in Window.size)
    padded = (3 * width + 3) // 4 * 4
    data = bytes(glReadPixels(0, 0, width, height, GL_RGB, GL_UNSIGNED_BYTE))
    row = padded if len(data) == padded * height else 3 * width
    return width, height, b"".join(data[at * row : at * row + 3 * width] for at in range(height - 1, -1, -1))


def png(path: Path) -> None:
    """Writes what the window shows."""
    width, height, data = pixels()
    row = 3 * width
    lines = b"".join(b"\0" + data[at : at + row] for at in range(0, row * height, row))
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    parts = ((b"IHDR", head), (b"IDAT", zlib.compress(lines, 6)), (b"IEND", b""))
    path.write_bytes(
        b"\x89PNG\r\n\x1a\n"
        + b"".join(
            struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))
            for name, body in parts
        )
    )
