"""Pictures of the window, as PNG files."""

from __future__ import annotations

from pathlib import Path

from kivy.core.window import Window
from kivy.graphics import ClearBuffers, ClearColor, Fbo
from PIL import Image


def picture() -> Image.Image:
    """Return the content of the window as an image."""
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
    return Image.frombytes("RGBA", (width, height), data).transpose(Image.Transpose.FLIP_TOP_BOTTOM).convert("RGB")


def pixels() -> tuple[int, int, bytes]:
    """Return width, height and pixels of the window.

    Rows from the top, three bytes per pixel.
    """
    shown = picture()
    return *shown.size, shown.tobytes()


def png(path: Path) -> None:
    """Write the content of the window to a file."""
    picture().save(path, "PNG")
