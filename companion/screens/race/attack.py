"""The attack phase: weapons, the shot, targets and Fire."""

from __future__ import annotations

from functools import partial
from typing import Any, Final

import msgspec

from companion.screens.kit import plate, wear
from companion.screens.kit.compose import Area, Composed, Ui
from companion.screens.kit.key import Face
from companion.screens.kit.pane import Pane
from companion.screens.kit.pen import BOLD, Pen
from companion.screens.kit.prompt_band import PromptBand
from companion.screens.kit.theme import BODY, CAPTION, DIE, NAME, QUESTION, theme
from companion.screens.kit.touch import Target
from companion.view.race import intents
from companion.view.race.intents import Emit
from companion.view.shown import AnswerKey, Loss, Plate, Prompt
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


class WeaponList(Composed):
    """A list that shows (weapons, plates of the cars still to attack); a tap selects a weapon's first action."""

    def __init__(self, emit: Emit, **properties: Any) -> None:
        self.emit = emit
        super().__init__(**properties)

    def compose(self, ui: Ui) -> None:
        area = ui.area
        ui.fill(area, "bg1")
        if self.shown is not None:
            weapons, attackers = self.shown
            high = min(ROW, (area.h - ORDER_HEIGHT) / max(1, len(weapons)))
            for at, (row, weapon) in enumerate(zip(area.rows(len(weapons), high, 0), weapons, strict=True)):
                select = partial(self.emit, intents.Select(weapon.answer)) if weapon.can else None
                ui.target(row, at, WeaponRow, weapon, select, partial(self.emit, intents.Explain(weapon)))
            self._order(ui.pen, attackers, len(weapons) * high + 12)
        ui.fill(area.cut_right(1), "line")

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


class AttackBand(Composed):
    """A band that shows (prompt, attack): the chosen weapon's targets, Pass and Fire."""

    def __init__(self, emit: Emit, **properties: Any) -> None:
        self.emit = emit
        super().__init__(**properties)

    def compose(self, ui: Ui) -> None:
        ui.pen.band()
        if self.shown is None:
            return
        prompt: Prompt = self.shown[0]
        attack: AttackChoice = self.shown[1]
        area = ui.area
        asked = msgspec.structs.replace(prompt, layout="landing", keys=attack.keys, chosen=attack.chosen)
        band = ui.named("band", partial(PromptBand, self.emit, offers=["undo"]))
        ui.place(Area(0, 0, area.w - FIRE - 8 - SKIP - 8, area.h), band).show(asked)
        keys = area.cut_bottom(100).cut_top(88)
        keys.cut_right(12)
        fire = keys.cut_right(FIRE)
        keys.cut_right(8)
        self._skip(ui, keys.cut_right(SKIP), prompt, attack.skip)
        if attack.act is not None:
            face = Face(label=attack.act.label, note=attack.act.note, size=DIE - 12)
            ui.button(fire, "act", face, partial(self.emit, intents.Accept()), means="accept")

    def _skip(self, ui: Ui, area: Area, prompt: Prompt, skip: AnswerKey | None) -> None:
        """Place the key that attacks nobody, barred where the rules leave no choice."""
        if skip is None:
            ui.button(area, "skip", Face(label="–", look="barred"))
            return
        chosen = prompt.chosen >= 0 and prompt.keys[prompt.chosen].answer == skip.answer
        face = Face(label=skip.label, prices=skip.prices, look="quiet", chosen=chosen)
        ui.button(area, "skip", face, partial(self.emit, intents.Tap(skip)), means=skip)
