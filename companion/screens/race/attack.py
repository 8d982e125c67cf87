"""The attack phase: weapons, the shot, targets and Fire."""

from __future__ import annotations

from functools import partial
from typing import Any, Final

import msgspec

from companion.screens.kit import plate, wear
from companion.screens.kit.key import Face, Key
from companion.screens.kit.pane import Pane
from companion.screens.kit.pen import BOLD, Pen
from companion.screens.kit.prompt_band import PromptBand
from companion.screens.kit.theme import BODY, CAPTION, DIE, NAME, QUESTION, theme
from companion.screens.kit.touch import Target
from companion.view.race import intents
from companion.view.race.intents import Emit
from companion.view.shown import Loss, Plate, Prompt
from companion.view.shown_race import ActionOutcome, AttackChoice, Weapon

LEFT: Final = 190.0
RIGHT: Final = 264.0
TEXT: Final = 34.0
"""Height of the line that tells what the chosen weapon does, in dp."""
ROW: Final = 91.0
ORDER_HEIGHT: Final = 90.0
"""Height of the order of the attacks beneath the weapons, in dp: two rows of plates."""
PLATE_PITCH: Final = 35.0
PLATE_HEIGHT: Final = 26.0
"""Pitch and height of the plates in that order, in dp."""
TALL: Final = 84.0
"""Height below which a row has no line for its weapon's range, in dp."""
SKIP: Final = 82.0
FIRE: Final = 126.0
HEAD: Final = 38.0
MAX_FACTS: Final = 5
"""Maximum number of facts of a shot."""
MIN_SEGMENTS_HEIGHT: Final = 30.0
"""Height below which segments are left out, in dp."""


class WeaponRow(Target):
    """A row that shows a `Weapon`: name, range or tokens; a tap chooses it."""

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
    """A list that shows (weapons, plates of the cars still to attack); a tap selects a weapon's first action."""

    def __init__(self, emit: Emit, **properties: Any) -> None:
        self.emit = emit
        super().__init__(**properties)
        self.rows: list[WeaponRow] = []

    def arrange(self) -> None:
        weapons: tuple[Weapon, ...] = self.shown[0] if self.shown is not None else ()
        self.as_many(self.rows, len(weapons), WeaponRow)
        for row, weapon in zip(self.rows, weapons, strict=True):
            row.on_tap = partial(self.emit, intents.Select(weapon.answer)) if weapon.can else None
            row.on_hold = partial(self.emit, intents.Explain(weapon))
            row.show(weapon)
        self.put_rows(self.rows, 0, 0, self.w, self._high, across=1, gap=0)

    @property
    def _high(self) -> float:
        """The height of a row in dp, leaving room for the order of the attacks."""
        return min(ROW, (self.h - ORDER_HEIGHT) / max(1, len(self.rows)))

    def paint(self, pen: Pen) -> None:
        pen.fill(0, 0, pen.w, pen.h, "bg1")
        if self.shown is not None:
            weapons, attackers = self.shown
            self._order(pen, attackers, len(weapons) * self._high + 12)
        pen.fill(pen.w - 1, 0, 1, pen.h, "line")

    @staticmethod
    def _order(pen: Pen, attackers: tuple[Plate, ...], y: float) -> None:
        """Draw the order of the attacks in this phase, the current attacker first."""
        pen.text(theme.words.screen("attack.order"), 12, y, CAPTION, "mid", room=pen.w - 24)
        across = int((pen.w - 12) // PLATE_PITCH)
        for place, one in enumerate(attackers):
            row, column = divmod(place, across)
            x, middle = 27.0 + PLATE_PITCH * column, y + 25 + PLATE_PITCH * row
            if middle + PLATE_HEIGHT / 2 > pen.h:
                return
            if not place:
                pen.rim(x - PLATE_PITCH / 2, middle - PLATE_PITCH / 2, PLATE_PITCH, PLATE_PITCH, "hi", 2, 8)
            plate.draw(pen, one, x, middle, PLATE_HEIGHT)


class WeaponText(Pane):
    """A line above the board that shows what the chosen weapon does."""

    def paint(self, pen: Pen) -> None:
        pen.fill(0, 0, pen.w, pen.h, "bg1")
        pen.text(self.shown or "", 12, pen.h / 2, BODY, "mid", room=pen.w - 24)
        pen.fill(0, pen.h - 1, pen.w, 1, "line")


class AimPanel(Pane):
    """A panel that shows an `ActionOutcome`.

    It has the target, the facts of the shot, the faces that hit, and what the target has left.
    """

    def paint(self, pen: Pen) -> None:
        pen.fill(0, 0, pen.w, pen.h, "bg1")
        aim: ActionOutcome | None = self.shown
        if aim is not None:
            self._head(pen, aim)
            room = pen.w - 50
            brief = pen.width(aim.defences, CAPTION) <= room
            y = HEAD + 14.0
            for line in aim.lines[:MAX_FACTS]:
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
                high = min(wear.HIGH, space) if space >= MIN_SEGMENTS_HEIGHT else 0
                wear.columns(pen, aim.columns, 9, pen.h - 56 - high, pen.w - 18, high)
        pen.fill(0, 0, 1, pen.h, "line")

    @staticmethod
    def _loss(pen: Pen, aim: ActionOutcome, loss: Loss) -> None:
        """Draw what a hit leaves of the target, and what a miss does."""
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
    def _head(pen: Pen, aim: ActionOutcome) -> None:
        pen.fill(0, 0, pen.w, HEAD, "bg2")
        left = 14.0
        if aim.plate is not None:
            plate.draw(pen, aim.plate, 29, 20, 28)
            left = 55.0
        wide = pen.text(aim.where, pen.w - 12, 20, CAPTION, "mid", align="right")
        pen.text(aim.name, left, 20, NAME, "hi", room=pen.w - 20 - wide - left, cut=True, floor=BODY)


class AttackBand(Pane):
    """A band that shows (prompt, attack): the chosen weapon's targets, Pass and Fire."""

    def __init__(self, emit: Emit, **properties: Any) -> None:
        super().__init__(**properties)
        self.emit, self.band = emit, PromptBand(emit, offers=["undo"])
        self.skip, self.act = Key(), Key(on_tap=partial(emit, intents.Accept()), means="accept")

    def arrange(self) -> None:
        if self.shown is None:
            return
        prompt: Prompt = self.shown[0]
        attack: AttackChoice = self.shown[1]
        asked = msgspec.structs.replace(prompt, layout="landing", keys=attack.keys, chosen=attack.chosen)
        self.band.show(asked)
        end = self.w - 12 - FIRE - 8 - SKIP - 8
        self.put(self.band, 0, 0, end + 12, self.h)
        top = self.h - 100
        skip, act = attack.skip, attack.act
        self.skip.on_tap = partial(self.emit, intents.Tap(skip)) if skip is not None else None
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
