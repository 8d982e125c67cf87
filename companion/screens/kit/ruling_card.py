"""The ruling card: what happened, the sum written out, the effect, and the way on."""

from __future__ import annotations

from functools import partial
from typing import Any, Final

import msgspec

from companion.screens.kit import plate, wear, weather
from companion.screens.kit.compose import Area, Composed, Ui
from companion.screens.kit.key import Face
from companion.screens.kit.motion import CARD, SEGMENT, SLIDE, arrive, movements
from companion.screens.kit.pen import BOLD, SEMIBOLD, Pen
from companion.screens.kit.theme import BODY, CAPTION, CLOCK, NAME, QUESTION, SMALL, SUM, TITLE, TONES, VALUE, theme
from companion.screens.kit.touch import Target
from companion.view.race import intents
from companion.view.race.intents import Emit
from companion.view.shown import Card, CardLine, Loss, Term

HEADER: Final = 44.0
HEADER_LOW: Final = 36.0
PAD: Final = 16.0
ACCEPT: Final = 88.0
DISPUTE: Final = 54.0
FOOT: Final = 12.0
PLATE: Final = 34.0
LOW: Final = 300.0
"""Height below which a card has its keys side by side and lower rows, in dp: title, die and sum, pools and one sentence
while they fit."""
ROW: Final = 30.0
HEXAGON: Final = 24.0
"""Half the height of a die, in dp; its row is taller by as much."""
SEGMENT_HIGH: Final = 13.0
MIN_SIGN: Final = 14.0
"""Minimum size of a sign between figures, in dp."""
SUM_PITCH: Final = 26.0
"""Pitch of several sums, in dp."""
MAX_POOL_HEIGHT: Final = 42.0
MIN_POOL_HEIGHT: Final = 31.0
"""Maximum and minimum height of one of several pools with its segments, in dp; with less room it has none."""
POOL_LINE: Final = 25.0
"""Height of a pool's line with its points before and after, in dp."""
ARTICLE_LINE: Final = 17.0
"""Height of a line of an article, in dp."""
HALF: Final = 9.0
"""Half the height of a line of words, in dp."""
LINE: Final = 28.0
"""Height of a line of consequences, in dp."""


def article(pen: Pen, said: str, right: float, middle: float, room: float) -> None:
    """Write an article at the right of a header, in two lines if it is long."""
    more = len(pen.broken(said, CAPTION, SEMIBOLD, room)) - 1
    pen.paragraph(
        said, right, middle - more * ARTICLE_LINE / 2, CAPTION, room, "mid", align="right", pitch=ARTICLE_LINE / CAPTION
    )


class Header(Target):
    """The header of a card, with the article; a tap opens the article."""

    joined = True
    high = HEADER

    def paint(self, pen: Pen) -> None:
        card: Card | None = self.shown
        if card is None:
            return
        pen.fill(3, 0, pen.w - 3, self.high, "bg4" if self.pressed else "bg2")
        token, middle = TONES[card.tone], self.high / 2
        left = PAD + 2
        if card.icon:
            pen.icon(card.icon, left + 9, middle, 19, token)
            left += 27
        said = card.title if card.sky is not None else theme.say("ruling")
        left += pen.text(said, left, middle, BODY, "hi") + 8
        room = pen.w - 12 - left
        article(pen, card.cited or card.article, pen.w - 12, middle, room)
        pen.fill(3, self.high - 1, pen.w - 3, 1, "line")


class RulingCard(Composed):
    """The ruling card. Without `keys` it only tells the ruling: it is neither accepted, disputed nor closed."""

    def __init__(self, emit: Emit, keys: bool = True, **properties: Any) -> None:
        self.emit, self.has_keys = emit, keys
        super().__init__(**properties)
        self.spent = 0
        """Number of the points taken by the ruling that are already drawn as spent."""

    def show(self, card: Card | None) -> None:
        """Show a card, or none; animate the points lost by a new ruling."""
        given = card is not None and card.seq and (self.shown is None or self.shown.seq != card.seq)
        if card is not None and not card.seq:
            movements.finish((self, "wear"))
            self.spent = 0
        super().show(card)
        if card is not None and given:
            lost = max((loss.before - loss.after for loss in card.losses), default=0)
            movements.begin((self, "wear"), CARD + lost * SEGMENT, partial(self._spend, max(0, lost)))

    def _spend(self, lost: int, part: float) -> None:
        spent = lost if part >= 1 else max(0, int((part * (CARD + lost * SEGMENT) - CARD) / SEGMENT))
        if spent != self.spent:
            self.spent = spent
            self.look_again()

    def on_parent(self, _: RulingCard, parent: Any) -> None:
        """Slide in from the right when added."""
        if parent is not None:
            arrive(self, right=SLIDE)

    def on_touch_down(self, touch: Any) -> bool:
        covered = self.shown is not None and bool(self.collide_point(*touch.pos))
        return bool(super().on_touch_down(touch)) or covered

    def compose(self, ui: Ui) -> None:
        card: Card | None = self.shown
        if card is None:
            return
        pen, low = ui.pen, self.h < LOW
        ui.fill(ui.area, "bg2")
        ui.fill(Area(0, 0, 3, self.h), TONES[card.tone])
        explain = partial(self.emit, intents.Explain(card)) if self.has_keys else None
        to_article = partial(self.emit, intents.OpenArticle("card"))
        header = ui.target(Area(0, 0, self.w, 52), "header", Header, card, to_article, explain)
        header.high = HEADER_LOW if low else HEADER
        ui.area.cut_bottom(FOOT)
        if self.has_keys:
            ui.area.cut_left(13)
            ui.area.cut_right(12)
            self._compose_keys(ui, ui.area, card, low)
        room, end = self.w - 2 * PAD, ui.area.bottom - 6
        if card.sky is not None:
            weather.draw(pen, card.sky, PAD, header.high + 6, room)
            return
        if low:
            self._low(pen, card, room, end)
            return
        y = self._title(pen, card, room)
        y = self._sums(pen, card, y, room)
        y = self._losses(pen, card, y, room, end) + 10
        for line in card.lines:
            token = theme.toned(line.tone, "mid")
            left, size = PAD, float(SMALL)
            lines = len(pen.broken(line.text, size, SEMIBOLD, room - (22 if line.icon else 0)))
            if y + (min(lines, 3) - 1) * 18 + HALF > end:
                break
            if line.icon:
                pen.icon(line.icon, left + 8, y, 16, token)
                left += 22
            y = pen.paragraph(line.text, left, y, size, room - left + PAD, token, SEMIBOLD, 3) + 3

    def _compose_keys(self, ui: Ui, area: Area, card: Card, low: bool) -> None:
        """Compose the keys at the foot of an area, side by side on a low card."""
        if low:
            dispute, accept = area.cut_bottom(DISPUTE).columns(2)
        else:
            accept = area.cut_bottom(ACCEPT if card.accept else DISPUTE)
            area.cut_bottom(8)
            dispute = area.cut_bottom(DISPUTE)
        if card.accept:
            size = NAME if low else QUESTION if len(card.accept) <= 10 and not card.prices else TITLE
            face = Face(label=card.accept, note=card.act, prices=() if low else card.prices, size=size)
            ui.button(accept, "accept", face, partial(self.emit, intents.Accept()), means="accept")
        else:
            face = Face(label=theme.say("close"), look="quiet")
            ui.button(accept, "close", face, partial(self.emit, intents.CloseCard()), means="close")
        face = Face(label=theme.say("dispute"), icon="" if low else "triangle", look="quiet")
        ui.button(dispute, "dispute", face, partial(self.emit, intents.Dispute()), means="dispute")

    def _title(self, pen: Pen, card: Card, room: float) -> float:
        """Write the car and the title; return the y below."""
        left, right, middle = PAD, PAD + room, HEADER + 27
        if card.plate is not None:
            plate.draw(pen, card.plate, left + PLATE / 2, middle, PLATE)
            left += PLATE + 8
        return pen.paragraph(card.title, left, middle, TITLE, right - left, "hi", BOLD, 2, floor=NAME) + (
            2 if card.sums else -6
        )

    def _sums(self, pen: Pen, card: Card, y: float, room: float) -> float:
        """Write the sums, a single one in large type; return the y below."""
        crowded = len(card.losses) > 1 or len(card.lines) > 1
        if len(card.sums) == 1:
            largest = SUM if not crowded else QUESTION if len(card.losses) < 3 else TITLE
            return _sum(pen, card.sums[0], PAD, y, room, largest)
        for terms in card.sums:
            _sum_line(pen, terms, PAD, y, room)
            y += SUM_PITCH
        return y + 6

    def _low(self, pen: Pen, card: Card, room: float, end: float) -> None:
        """Draw a low card above a band.

        Title, die and sum, pools, and the first sentence that fits. On the lowest card the sum is behind the title.
        """
        left, right, y = PAD, PAD + room, HEADER_LOW
        middle, amount = y + 4 + ROW / 2, _amount(card)
        tall = end - y >= ROW + 4 + 2 * HEXAGON + 6 + (SEGMENT_HIGH + 6 if card.losses else 0)
        if card.plate is not None:
            plate.draw(pen, card.plate, left + 13, middle, 26)
            left += 34
        said = right
        if not tall and amount is not None:
            said -= _few(pen, amount, right, middle, TITLE) + 10
        pen.text(card.title, left, middle, VALUE, "hi", BOLD, room=said - left, cut=True, floor=CAPTION)
        y += 4 + ROW
        if tall and len(card.sums) > 1:
            for terms in card.sums:
                if y + SUM_PITCH + (SEGMENT_HIGH + 7) * len(card.losses) <= end:
                    _sum_line(pen, terms, PAD, y, room)
                    y += SUM_PITCH
        elif tall:
            y = self._thrown(pen, card, amount, y, right)
        for loss in card.losses:
            if y + SEGMENT_HIGH + 6 > end:
                return
            y = self._changed(pen, loss, y, right)
        self._sentence(pen, card, y + 2, room, end)

    def _thrown(self, pen: Pen, card: Card, amount: Term | None, y: float, right: float) -> float:
        """Draw the deciding die and the loss, or the sum without a die; return the y below."""
        middle = y + HEXAGON + 2
        if card.die is None or amount is None:
            if not card.sums:
                return y
            _sum(pen, card.sums[0], PAD, y + 2, right - PAD, QUESTION, 11)
            return y + 2 * HEXAGON + 6
        x = PAD + HEXAGON * 0.9
        corners = ((0.87, -0.5), (0.87, 0.5), (0, 1), (-0.87, 0.5), (-0.87, -0.5), (0, -1))
        pen.polygon([(x + HEXAGON * a, middle + HEXAGON * b) for a, b in corners], "hi", 2)
        pen.text(card.die.face, x, middle, CLOCK, "hi", BOLD, "centre", room=HEXAGON * 1.5)
        wide = _few(pen, amount, right, middle, QUESTION)
        left, room = x + HEXAGON + 8, right - wide - 30 - (x + HEXAGON + 8)
        said = max(pen.width(text, CAPTION, SEMIBOLD) for text in (card.die.rolled, card.die.loses))
        if said <= room:
            pen.text("=", right - wide - 16, middle, VALUE, "low", BOLD, "centre")
        else:  # the words go before the sign
            room += 24
        pen.text(card.die.rolled, left, middle - 10, CAPTION, "mid", SEMIBOLD, room=room)
        pen.text(card.die.loses, left, middle + 9, CAPTION, "mid", SEMIBOLD, room=room)
        return y + 2 * HEXAGON + 6

    def _changed(self, pen: Pen, loss: Loss, y: float, right: float) -> float:
        """Draw a pool with its segments, before and after; return the y below."""
        middle, token = y + SEGMENT_HIGH / 2 + 3, TONES[loss.tone]
        wide = 24 + sum(pen.width(str(count), BODY, BOLD) for count in (loss.before, loss.after))
        pen.icon(loss.pool, PAD + 9, middle, 18, "mid")
        if loss.built:
            room = right - wide - 12 - PAD - 24
            wear.bar(pen, loss, PAD + 24, y + 3, min(room, 30.0 * loss.built), self.spent, SEGMENT_HIGH)
        pen.text(str(loss.before), right - wide, middle, BODY, "mid", BOLD)
        pen.icon("arrow-right", right - pen.width(str(loss.after), BODY, BOLD) - 12, middle, 14, "low")
        pen.text(str(loss.after), right, middle, BODY, token, BOLD, "right")
        return y + SEGMENT_HIGH + 7

    def _sentence(self, pen: Pen, card: Card, y: float, room: float, end: float) -> None:
        """Write the first sentence that fits whole, if any."""
        count = int((end - y) / 18)
        for line in (*card.lines, CardLine(text=card.brief, tone="bad")):
            if len(pen.broken(line.text, SMALL, SEMIBOLD, room)) <= count:
                token = theme.toned(line.tone, "mid")
                pen.paragraph(line.text, PAD, y + 9, SMALL, room, token, SEMIBOLD, count)
                return

    def _losses(self, pen: Pen, card: Card, y: float, room: float, end: float) -> float:
        """Write every pool that changes; return the y below."""
        count = len(card.losses)
        if count == 1 and y + 44 <= end:
            return _loss(pen, card.losses[0], PAD, y, room, self.spent)
        each = min(MAX_POOL_HEIGHT, (end - y - (LINE if card.lines else 0)) / max(1, count))
        for place, loss in enumerate(card.losses):
            if each >= MIN_POOL_HEIGHT and loss.built:
                high = 6 + (each - MIN_POOL_HEIGHT) / 2
                wear.bar(pen, loss, PAD, y, room, self.spent, high)
                _write_loss(pen, loss, PAD, y + high + 12, room, BODY)
                y += each
            elif y + POOL_LINE <= end:
                _write_loss(pen, loss, PAD, y + 12, room, BODY)
                y += POOL_LINE
            else:
                more = f"+{count - place}" if place else ""
                pen.text(more, PAD + room, y - POOL_LINE / 2, CAPTION, "mid", align="right")
                return y
        return y


def _amount(card: Card) -> Term | None:
    """Return the loss of a card, or None if it is not a single figure."""
    found = [term for term in (card.sums[0] if card.sums else ()) if term.tone != "plain"]
    return found[0] if len(found) == 1 else None


def _few(pen: Pen, term: Term, right: float, middle: float, size: float) -> float:
    """Write a figure and its word, right-aligned; return the width in dp.

    The word is below a large figure and beside a small one.
    """
    token, figure, word = TONES[term.tone], pen.width(term.value, size, BOLD), pen.width(term.word, CAPTION, SEMIBOLD)
    if size < QUESTION:
        pen.text(term.word, right, middle, CAPTION, token, SEMIBOLD, "right")
        pen.text(term.value, right - word - 6, middle, size, token, BOLD, "right")
        return figure + word + 6
    pen.text(term.value, right, middle - 8, size, token, BOLD, "right")
    pen.text(term.word, right, middle + 18, CAPTION, token, SEMIBOLD, "right")
    return max(figure, word)


def _sum(pen: Pen, terms: tuple[Term, ...], x: float, y: float, room: float, size: float, apart: float = 16) -> float:
    """Write a sum, its words `apart` dp below the figures; return the y below."""

    def widths(size: float) -> list[float]:
        found = []
        for term in terms:
            sign = not term.word
            figure = pen.width(term.value, max(MIN_SIGN, size * 0.6) if sign else size, BOLD)
            found.append(max(figure, pen.width(term.word, CAPTION) if term.word else 0))
        return found

    while size > BODY and sum(widths(size)) + 8 * (len(terms) - 1) > room:
        size -= 2
    wide = widths(size)
    gap = min(18.0, max(4.0, (room - sum(wide)) / max(1, len(terms) - 1)))
    left = x + max(0.0, (room - sum(wide) - gap * (len(terms) - 1)) / 2)
    middle = y + size * 0.42
    for term, each in zip(terms, wide, strict=True):
        sign = not term.word
        token = theme.toned(term.tone, "low" if sign else "hi")
        pen.text(
            term.value, left + each / 2, middle, max(MIN_SIGN, size * 0.6) if sign else size, token, BOLD, "centre"
        )
        below = theme.toned(term.tone, "mid")
        pen.text(
            term.word, left + each / 2, middle + size * 0.4 + apart, CAPTION, below, SEMIBOLD, "centre", room=each + gap
        )
        left += each + gap
    return middle + size * 0.4 + 32


def _sum_line(pen: Pen, terms: tuple[Term, ...], x: float, y: float, room: float) -> None:
    """Write one of several sums in a line, the words beside the figures."""

    def wide(size: float, terms: tuple[Term, ...]) -> float:
        words = sum(pen.width(term.word, CAPTION) + 5 for term in terms if term.word)
        return words + sum(pen.width(term.value, size, BOLD) for term in terms) + 7 * (len(terms) - 1)

    if wide(BODY, terms) > room:  # the last word says what the sum is about
        terms = (*(msgspec.structs.replace(term, word="") for term in terms[:-1]), terms[-1])
    size = float(VALUE)
    while size > CAPTION and wide(size, terms) > room:
        size -= 1
    middle, end = y + SUM_PITCH / 2, x + room
    for term in terms:
        token = theme.toned(term.tone, "hi" if term.value[0].isdigit() else "low")
        x += pen.text(term.value, x, middle, size, token, BOLD)
        if term.word:
            below = theme.toned(term.tone, "mid")
            x += 5 + pen.text(term.word, x + 5, middle + 1, CAPTION, below, SEMIBOLD, room=max(1.0, end - x - 5))
        x += 7


def _loss(pen: Pen, loss: Loss, x: float, y: float, room: float, spent: int) -> float:
    """Write the only pool that changes, with its segments; return the y below."""
    y += 12
    if loss.built:
        wear.bar(pen, loss, x, y - 12, room, spent)
        y += 24
    _write_loss(pen, loss, x, y, room, NAME)
    return y + 14


def _write_loss(pen: Pen, loss: Loss, x: float, y: float, room: float, size: float) -> None:
    """Write a pool's points before and after."""
    token = TONES[loss.tone]
    pen.icon(loss.pool, x + 10, y, 20, "mid")
    left, said = x + 26, f"{loss.name} {loss.before}"
    beside = 34 + pen.width(str(loss.after), size, BOLD)
    left += pen.text(said, left, y, size, "hi", room=room - 26 - beside) + 9
    pen.icon("arrow-right", left + 7, y, 15, "low")
    pen.text(str(loss.after), left + 24, y, size, token, BOLD)
