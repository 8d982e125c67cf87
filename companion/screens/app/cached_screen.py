"""A screen with few changes, cached as a picture."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from kivy.core.window import Window
from kivy.graphics import Callback, ClearBuffers, ClearColor, Color, Fbo, Rectangle
from kivy.graphics.opengl import GL_BLEND, glDisable, glEnable
from kivy.uix.widget import Widget

from companion.screens.app.screen import Screen
from companion.screens.kit.theme import theme

if TYPE_CHECKING:
    from companion.screens.app.app import CompanionApp


class CachedScreen(Screen):
    """A screen that caches its picture and redraws it only when something changes.

    The picture is as large as the window. Widgets of the classes in `lively` lie on top and are drawn by themselves:
    a clock that ticks beside a board of a thousand strokes costs what it would cost alone.
    """

    lively: tuple[type[Widget], ...] = ()

    def __init__(self, app: CompanionApp, given: Mapping[str, object]) -> None:
        super().__init__(app, given)
        self._kept, self._sheet = Fbo(size=Window.size, with_stencilbuffer=True), Rectangle()
        self._cleared = ClearColor(*theme.rgba("bg0"))
        own = self.canvas.before.children[:]
        self.canvas.before.clear()
        for instruction in (self._cleared, ClearBuffers(clear_stencil=True), *own):
            self._kept.add(instruction)
        # Nothing shines through the picture: to mix it with what is beneath would be most of its price.
        plainly, mixing = Callback(lambda _: glDisable(GL_BLEND)), Callback(lambda _: glEnable(GL_BLEND))
        for instruction in (self._kept, Color(1, 1, 1, 1), plainly, self._sheet, mixing):
            self.canvas.add(instruction)
        self._spread()
        Window.bind(size=self._spread)
        theme.bind(on_look=self._recolour)

    def _spread(self, *_: object) -> None:
        """Resize the picture to the window."""
        if tuple(self._kept.size) != tuple(Window.size):
            self._kept.size = Window.size
        picture = self._kept.texture
        picture.mag_filter = picture.min_filter = "nearest"  # each of its pixels is one of the window
        self._sheet.texture, self._sheet.size = picture, Window.size

    def on_parent(self, _: Widget, parent: Widget | None) -> None:
        """Skip clearing the window while here: the picture covers all of it."""
        (Window.bind if parent is not None else Window.unbind)(on_draw=self._redraw)

    def _redraw(self, *_: object) -> bool:
        Window.render_context.draw()
        return True

    def _recolour(self, *_: object) -> None:
        self._cleared.rgba = theme.rgba("bg0")

    def add_widget(self, child: Widget, *where: Any, **how: Any) -> None:
        super().add_widget(child, *where, **how)
        if not isinstance(child, self.lively):
            self.canvas.remove(child.canvas)
            self._kept.add(child.canvas)

    def remove_widget(self, child: Widget) -> None:
        super().remove_widget(child)
        if child.canvas in self._kept.children:
            self._kept.remove(child.canvas)
