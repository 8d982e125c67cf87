"""The attack phase on the race screen: the weapons at the left, the shot at the right, targets and Fire in the band."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Final

import msgspec

from companion.rules.conversation.asking import Json
from companion.screens.widgets import plate, wear
from companion.screens.widgets.key import Face, Key
from companion.screens.widgets.pane import Pane
from companion.screens.widgets.pen import BOLD, Pen
from companion.screens.widgets.prompt_band import PromptBand
from companion.screens.widgets.theme import BODY, CAPTION, DIE, NAME, QUESTION, theme
from companion.screens.widgets.touch import Target
from companion.view.shown import Key as Answer
from companion.view.shown import Loss, Plate, Prompt
from companion.view.shown_race import Aim, Attack, Weapon

LEFT: Final = 190.0
RIGHT: Final = 264.0
TEXT: Final = 34.0
"""The height of the line that says what the chosen weapon does."""
ROW: Final = 91.0
ORDER: Final = 90.0
"""What the order of the attacks takes beneath the weapons: two rows of plates."""
PLATES: Final = 35.0
PLATE: Final = 26.0
"""How far the plates there are from each other, and how high."""
TALL: Final = 84.0
"""A lower row has no line for how far its weapon fires."""
SKIP: Final = 82.0
FIRE: Final = 126.0
HEAD: Final = 38.0
LINES: Final = 5
"""So many facts of a shot have room."""
LOWEST: Final = 30.0
"""Segments that would be lower together are left out."""


class WeaponRow(Target):
    """Shows a `Weapon`: its name, its reach or its tokens; a tap chooses it."""

    joined = True

    def paint(self, pen: Pen) -> None:
        weapon: Weapon | None = self.shown
        if weapon is None:
            return
        pen.fill(0, 0, pen.w, pen.h, "bg4" if self.pressed else "bg3" if weapon.chosen else "bg1")
        if weapon.chosen:
            pen.fill(0, 0, 4, pen.h, "hi")
        middle, ink = pen.h / 2, "hi" if weapon.can else "low"
        pen.icon(weapon.icon, 25, middle, 24, ink)
        tall = pen.h >= TALL and bool(weapon.reach)
        room = pen.w - 58
        size = NAME if pen.width(weapon.name, NAME, BOLD) <= room else BODY if tall else CAPTION
        parted = len(pen.broken(weapon.name, size, BOLD, room)) > 1
        spread = (25 if tall else 12) + 5 * parted
        end, state = pen.w - 12, middle + spread
        loaded = tall and weapon.can and not weapon.tokens
        for place in reversed(range(min(weapon.most, 4) if weapon.tokens or loaded else 0)):
            end -= 14
            if place < weapon.tokens:
                pen.fill(end, state - 6, 12, 12, "warn", 6)
            else:
                pen.rim(end, state - 6, 12, 12, "low", 1.5, 6)
        quiet = "mid" if weapon.can else "low"
        pen.paragraph(weapon.name, 48, middle - spread, size, room, ink, BOLD)
        if tall:
            pen.text(weapon.reach, 48, middle + 10 * parted, CAPTION, quiet, room=room)
        said = weapon.note if tall or not weapon.can or weapon.tokens else weapon.reach or weapon.note
        pen.text(said, 48, state, CAPTION, "ok" if loaded else quiet, room=end - 54)
        pen.fill(0, pen.h - 1, pen.w, 1, "line")


class WeaponList(Pane):
    """Shows (weapons, plates of those that still act); `on_weapon(answer)` for the first thing to do with one,
    `on_hold(weapon)` for one that is held."""

    def __init__(
        self, on_weapon: Callable[[Json], object], on_hold: Callable[[Weapon], object], **properties: Any
    ) -> None:
        self.on_weapon, self.on_hold = on_weapon, on_hold
        super().__init__(**properties)
        self.rows: list[WeaponRow] = []

    def arrange(self) -> None:
        weapons: tuple[Weapon, ...] = self.shown[0] if self.shown is not None else ()
        self.as_many(self.rows, len(weapons), WeaponRow)
        for row, weapon in zip(self.rows, weapons, strict=True):
            row.on_tap = partial(self.on_weapon, weapon.answer) if weapon.can else None
            row.on_hold = partial(self.on_hold, weapon)
            row.show(weapon)
        self.put_rows(self.rows, 0, 0, self.w, self._high, across=1, gap=0)

    @property
    def _high(self) -> float:
        """How high a row is, above the order of the attacks."""
        return min(ROW, (self.h - ORDER) / max(1, len(self.rows)))

    def paint(self, pen: Pen) -> None:
        pen.fill(0, 0, pen.w, pen.h, "bg1")
        if self.shown is not None:
            weapons, attackers = self.shown
            self._order(pen, attackers, len(weapons) * self._high + 12)
        pen.fill(pen.w - 1, 0, 1, pen.h, "line")

    @staticmethod
    def _order(pen: Pen, attackers: tuple[Plate, ...], y: float) -> None:
        """Who acts in this phase, the one that acts now first."""
        pen.text(theme.words.screen("attack.order"), 12, y, CAPTION, "mid", room=pen.w - 24)
        across = int((pen.w - 12) // PLATES)
        for place, one in enumerate(attackers):
            row, column = divmod(place, across)
            x, middle = 27.0 + PLATES * column, y + 25 + PLATES * row
            if middle + PLATE / 2 > pen.h:
                return
            if not place:
                pen.rim(x - PLATES / 2, middle - PLATES / 2, PLATES, PLATES, "hi", 2, 8)
            plate.draw(pen, one, x, middle, PLATE)


class WeaponText(Pane):
    """Shows what the chosen weapon does, in one line over the board."""

    def paint(self, pen: Pen) -> None:
        pen.fill(0, 0, pen.w, pen.h, "bg1")
        pen.text(self.shown or "", 12, pen.h / 2, BODY, "mid", room=pen.w - 24)
        pen.fill(0, pen.h - 1, pen.w, 1, "line")


class AimPanel(Pane):
    """Shows an `Aim`: the target, what is told of the shot, the faces that hit, and what is left of the target."""

    def paint(self, pen: Pen) -> None:
        pen.fill(0, 0, pen.w, pen.h, "bg1")
        aim: Aim | None = self.shown
        if aim is not None:
            self._head(pen, aim)
            room = pen.w - 50
            brief = pen.width(aim.defences, CAPTION) <= room
            y = HEAD + 14.0
            for line in aim.lines[:LINES]:
                wide = pen.text(line.text, pen.w - 12, y, BODY, "hi", BOLD, "right", room=pen.w / 2 - 4)
                pen.text(line.icon, 12, y, CAPTION, "mid", room=pen.w - 34 - wide, cut=True)
                y += 20
            if aim.big:
                pen.fill(12, y - 9, pen.w - 24, 1, "line")
                wide = pen.text(aim.big, 12, y + 20, QUESTION, "hi", BOLD)
                pen.text(aim.chance, 22 + wide, y + 23, CAPTION, "mid", room=pen.w - 34 - wide)
                y += 46
            if aim.defences:
                pen.icon("shield", 22, y + 2, 18, "mid")
                y = pen.paragraph(aim.defences, 38, y + 2, CAPTION, room, "mid") - (0 if brief else 2)
            space = pen.h - y - 56
            if aim.loss is not None and space > -16:
                self._loss(pen, aim, aim.loss)
            elif aim.columns and space > -4:
                high = min(wear.HIGH, space) if space >= LOWEST else 0
                wear.columns(pen, aim.columns, 9, pen.h - 56 - high, pen.w - 18, high)
        pen.fill(0, 0, 1, pen.h, "line")

    @staticmethod
    def _loss(pen: Pen, aim: Aim, loss: Loss) -> None:
        """What a hit leaves of the target, and what a miss does."""
        y = pen.h - 38
        pen.fill(12, y - 16, pen.w - 24, 1, "line")
        pen.icon(loss.pool, 22, y, 18, "mid")
        right = pen.w - 12
        right -= pen.text(str(loss.after), right, y, NAME, "warn" if loss.after > 0 else "bad", BOLD, "right") + 6
        pen.icon("arrow-right", right - 8, y, 15, "mid")
        right -= 22
        right -= pen.text(str(loss.before), right, y, NAME, "mid", BOLD, "right") + 8
        pen.text(aim.name, 38, y, BODY, "hi", room=right - 38, cut=True, floor=CAPTION)
        pen.text(aim.missed, 12, pen.h - 14, CAPTION, "mid", room=pen.w - 24)

    @staticmethod
    def _head(pen: Pen, aim: Aim) -> None:
        pen.fill(0, 0, pen.w, HEAD, "bg2")
        left = 14.0
        if aim.plate is not None:
            plate.draw(pen, aim.plate, 29, 20, 28)
            left = 55.0
        wide = pen.text(aim.where, pen.w - 12, 20, CAPTION, "mid", align="right")
        pen.text(aim.name, left, 20, NAME, "hi", room=pen.w - 20 - wide - left, cut=True, floor=BODY)


class AttackBand(Pane):
    """Shows (prompt, attack): the question with the targets of the weapon that is chosen, Pass, and Fire."""

    def __init__(
        self,
        band: PromptBand,
        on_act: Callable[[], object],
        on_skip: Callable[[Answer], object],
        **properties: Any,
    ) -> None:
        super().__init__(**properties)
        self.band, self.on_skip = band, on_skip
        self.skip, self.act = Key(), Key(on_tap=on_act, means="accept")

    def arrange(self) -> None:
        if self.shown is None:
            return
        prompt: Prompt = self.shown[0]
        attack: Attack = self.shown[1]
        asked = msgspec.structs.replace(prompt, layout="landing", keys=attack.keys, chosen=attack.chosen)
        self.band.show(asked)
        end = self.w - 12 - FIRE - 8 - SKIP - 8
        self.put(self.band, 0, 0, end + 12, self.h)
        top = self.h - 100
        skip, act = attack.skip, attack.act
        self.skip.on_tap = partial(self.on_skip, skip) if skip is not None else None
        self.skip.means = skip or ""
        look: Any = "quiet" if skip is not None else "barred"
        label, prices = (skip.label, skip.prices) if skip is not None else ("–", ())
        chosen = skip is not None and prompt.chosen >= 0 and prompt.keys[prompt.chosen].answer == skip.answer
        self.skip.show(Face(label=label, prices=prices, look=look, chosen=chosen))
        self.put(self.skip, self.w - 12 - FIRE - 8 - SKIP, top, SKIP, 88)
        if act is not None:
            self.act.show(Face(label=act.label, note=act.note, size=DIE - 12))
            self.put(self.act, self.w - 12 - FIRE, top, FIRE, 88)
        else:
            self.remove_widget(self.act)

    def paint(self, pen: Pen) -> None:
        pen.band()
