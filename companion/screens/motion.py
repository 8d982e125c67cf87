"""What moves, and for how long; nothing does where the theme is to be still."""

from __future__ import annotations

from typing import Final

from kivy.animation import Animation
from kivy.uix.widget import Widget

from companion.screens.theme import theme

QUESTION: Final = 0.12
CARD: Final = 0.16


def appear(widget: Widget, seconds: float = CARD) -> None:
    """Lets a widget that has something new to show come out of the dark. It is touched as if it were there already."""
    Animation.cancel_all(widget, "opacity")
    widget.opacity = 1.0
    if taken := theme.time(seconds):
        widget.opacity = 0.25
        Animation(opacity=1.0, duration=taken, transition="out_quad").start(widget)
