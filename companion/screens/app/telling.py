"""The app's toast: one line over any screen, clear of its keys."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kivy.clock import Clock

from companion.rules.conversation.errors import CompanionError
from companion.screens.kit.pane import laid
from companion.screens.kit.theme import theme
from companion.screens.kit.toast import NARROW, WIDE, Covered, Place, ToastView, free_place, make_room
from companion.screens.kit.touch import Explains, Means
from companion.view.shown import Toast

if TYPE_CHECKING:
    from companion.screens.app.app import CompanionApp


class AppToast(ToastView):
    """The toast, as near as possible to where the screen wants it.

    It moves as soon as a key appears beneath it, and makes way for a confirmation.
    """

    def __init__(self, app: CompanionApp) -> None:
        super().__init__(on_action=self._acted, on_gone=self._silent)
        self.app = app
        self._lay_soon = Clock.create_trigger(self._once_calm, -1)
        self._stirred = False
        """True if something was laid out since the last round of drawing."""

    def tell(self, what: Toast | CompanionError) -> None:
        """Show a toast, or an error as a toast."""
        if isinstance(what, CompanionError):
            what = Toast(text=theme.words.error(what), tone="bad", icon="triangle")
        if self.parent is None:
            self.app.stage.add_widget(self)
            laid.fbind("on_laid", self.place)
        self.show(what)
        self.place()

    def explain(self, means: Means) -> None:
        """Explain the toast's key when held, if the screen explains anything."""
        if isinstance(self.app.screen, Explains):
            self.app.screen.explain(means)

    def hush(self) -> None:
        """Dismiss the toast early, because the user has gone on."""
        if self.parent is not None:
            self.show(None)
            self._silent()

    def place(self, *_: object) -> None:
        """Look for a free place once everything new is laid out."""
        if self.parent is not None:
            self._stirred = True
            self._lay_soon()

    def _once_calm(self, *_: object) -> None:
        """Look for the place after a round in which nothing was laid out: panes draw each other in several rounds."""
        if self._stirred:
            self._stirred = False
            self._lay_soon()
        else:
            self._lay()

    def _lay(self) -> None:
        dp, screen, canvas = theme.dp, self.app.screen, self.app.canvas
        over = self.app.over
        usual = WIDE if screen is None or over is not None else screen.toast_wide
        (x, y), covered = self._free_place(usual)
        if any(covered):
            narrow, covered = self._free_place(min(usual, NARROW))
            if any(covered):
                self.wide = usual
            else:
                x, y = narrow
        high = self.high
        self.size = (dp(self.wide), dp(high))
        if screen is not None:
            make_room(screen, y if over is None else None, x, self.wide)
        self.pos = (canvas.x + dp(x), canvas.y + canvas.height - dp(y + high))

    def _free_place(self, wide: float) -> tuple[Place, Covered]:
        """Return the best place of a toast of this width, and what it covers there."""
        screen, over = self.app.screen, self.app.over
        self.wide = wide
        if over is not None:
            return free_place(over, ((over.w - wide) / 2, over.h - 72), self.high, wide)
        if screen is None:
            return (0.0, 0.0), ()
        x, y = screen.toast_at
        wanted = x + (screen.toast_wide - wide) / 2, y
        return free_place(screen, wanted, self.high, wide, screen.kept_in_sight)

    def _acted(self, action: str) -> None:
        if action == "export":
            self.app.go("sheet", page="export")
        elif self.app.screen is not None:
            self.app.screen.act(action)

    def _silent(self) -> None:
        laid.funbind("on_laid", self.place)
        self._lay_soon.cancel()
        if self.app.screen is not None:
            make_room(self.app.screen, None)
        self.app.stage.remove_widget(self)
