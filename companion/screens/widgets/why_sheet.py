"""The override sheet: why the table sets something, or what becomes of a disputed ruling; it replaces the band."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from companion.rules.conversation import Json
from companion.screens.motion import SLIDE, arrive
from companion.screens.theme import TONES
from companion.screens.view.override import Why
from companion.screens.view.shown import Price, Prompt
from companion.screens.widgets.prompt_band import PromptBand


class WhySheet(PromptBand):
    """Shows a `Why`; `on_reason(answer)` is called for a reason, `on_cancel()` for the way back."""

    def __init__(
        self,
        on_reason: Callable[[Json], object] | None = None,
        on_cancel: Callable[[], object] | None = None,
        **properties: Any,
    ) -> None:
        super().__init__(
            on_answer=(lambda key: on_reason(key.answer)) if on_reason else None, on_undo=on_cancel, **properties
        )

    def on_parent(self, _: Any, parent: Any) -> None:
        """It slides up when it takes the band's place."""
        if parent is not None:
            arrive(self, below=SLIDE)

    def ask(self, why: Why) -> None:
        """Shows what is asked."""
        self.edge, self.cancel = TONES[why.tone], (why.cancel, why.keep)
        icon = "triangle" if why.tone == "warn" else "flag"
        self.aside = Price(text=why.instead, icon=icon, tone=why.tone) if why.instead else None
        self.show(Prompt(key=why.ask, n=0, plate=why.plate, title=why.ask, layout="keys", keys=why.keys))
