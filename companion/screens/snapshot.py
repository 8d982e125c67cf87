"""Pictures of what the window shows, as PNG files."""

from __future__ import annotations

import struct
import zlib
from pathlib import Path

from kivy.core.window import Window
from kivy.graphics import ClearBuffers, ClearColor, Fbo


def pixels() -> tuple[int, int, bytes]:
    """The window's width and height in pixels, and its pixels in rows from the top, three bytes each."""
    width, height = (int(side) for side in Window.size)
    shown = [widget.canvas for widget in reversed(Window.children)]
    # A window without a display keeps the surface of its first size, so it is drawn into a surface of our own.
    surface = Fbo(size=(width, height), with_stencilbuffer=True)
    with surface:
        ClearColor(*Window.clearcolor)
        ClearBuffers(clear_stencil=True)
    for canvas in shown:
        Window.canvas.remove(canvas)
        surface.add(canvas)
    surface.draw()
    data = bytes(surface.texture.pixels)
    for canvas in shown:
        surface.remove(canvas)
        Window.canvas.add(canvas)
    rows = [data[at : at + 4 * width] for at in range(0, 4 * width * height, 4 * width)]
    rows.reverse()
    plain = bytearray(3 * width * height)
    whole = b"".join(rows)
    for part in range(3):
        plain[part::3] = whole[part::4]
    return width, height, bytes(plain)


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
