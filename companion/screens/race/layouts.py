"""How the screen of a race is divided beneath its bar, for each kind of question: every function lays one division."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final

import msgspec

from companion.screens.race import pits as race_pits
from companion.screens.race import pools as race_pools
from companion.screens.race.attack import LEFT as ARMS
from companion.screens.race.attack import RIGHT as AIM
from companion.screens.race.queue import Sky
from companion.screens.race.seen import SHEET
from companion.screens.widgets import band
from companion.screens.widgets.key import Face
from companion.screens.widgets.theme import theme
from companion.screens.widgets.toast import WIDE
from companion.screens.widgets.top_bar import HIGH as BAR
from companion.view.shown import Key
from companion.view.shown_phases import Aim
from companion.view.shown_race import RaceShown

if TYPE_CHECKING:
    from companion.screens.race.race import RaceScreen

ORDER: Final = 200.0
SLIM: Final = 60.0
SIDE: Final = 214.0
CARD: Final = 252.0
TESTS_SIDE: Final = 235.0
SKIES: Final = ("sun", "changeable", "rain")
LOW_BAND: Final = 104.0
SHEET_LEFT: Final = 112.0
SHEET_RIGHT: Final = 212.0
"""What the keys in the foot of a sheet take on either side."""
BOARD_LEAST: Final = 110.0
"""A lower board than this beneath the tests would say nothing."""


def division(screen: RaceScreen, shown: RaceShown) -> str:
    """How the screen is divided for a question: a name of `LAYOUTS`."""
    prompt = shown.prompt
    if screen.word is not None:
        return "race"
    if screen.cover == "overview" and not shown.board.sections:
        return "overview"
    if prompt.layout == "none":
        return "over"
    if shown.attack is not None:
        return "attack"
    if shown.tests and not screen.keypad and screen.app.kept.now.prices == "always":
        return "queue"
    if race_pools.of(prompt, shown.dashboard) is not None:
        return "pools"
    if prompt.typed != (0, 0):
        return "typing"
    if prompt.layout in ("form", "seen") and (screen.whole or not prompt.keys):
        return "form"
    return "seen" if prompt.layout == "seen" else "race"


def race(screen: RaceScreen, shown: RaceShown) -> None:
    """The question beneath the board; the running order on its left, the car to play or a card on its right."""
    if shown.board.sections:
        screen.sections.lay(shown)
        return
    prompt, card = screen.prompt(shown), screen.shown_card
    high = band.BAND if screen.word is not None else band.height(prompt)
    middle = screen.h - BAR - high
    side = CARD if card is not None else SIDE
    strip = SLIM if card is not None else ORDER
    screen.order.show(shown.order)
    screen.lay(screen.order, 0, BAR, strip, middle)
    pits = _pits(screen, shown, strip, screen.w - strip - side)
    screen.lay_board(shown, strip, BAR + pits, screen.w - strip - side, middle - pits)
    if card is not None:
        view = screen.card if screen.word is None else screen.disputed
        view.show(screen.marked(card))
        screen.lay(view, screen.w - CARD, BAR, CARD, screen.h - BAR)
    else:
        _beside(screen, shown, shown.aim, SIDE, middle)
    wide = screen.w - CARD if card is not None else screen.w
    if screen.word is not None:
        screen.ask.show(screen.word)
        screen.lay(screen.ask, 0, screen.h - high, wide, high)
    else:
        screen.band.show(prompt)
        screen.lay(screen.band, 0, screen.h - high, wide, high)


def overview(screen: RaceScreen, shown: RaceShown) -> None:
    """The whole circuit over all but the bar, whatever is asked."""
    screen.lay_board(shown, 0, BAR, screen.w, screen.h - BAR)
    screen.shut.show(Face(label=theme.say("close"), look="option"))
    screen.lay(screen.shut, screen.w - 120, BAR + 8, 112, 52)


def _beside(screen: RaceScreen, shown: RaceShown, aim: Aim | None, wide: float, high: float) -> None:
    """Lays what is at the right of the board: the card of a ruling that was given, else what is aimed at, else the car
    to play."""
    left, given = screen.w - wide, screen.shown_given
    if given is not None:
        screen.given_card.show(screen.marked(given))
        screen.lay(screen.given_card, left, BAR, wide, high)
    elif aim is not None:
        screen.aim.show(aim)
        screen.lay(screen.aim, left, BAR, wide, high)
    elif shown.dashboard is not None:
        screen.dashboard.show(shown.dashboard)
        screen.lay(screen.dashboard, left, BAR, wide, high)


def _pits(
    screen: RaceScreen, shown: RaceShown, x: float, w: float, below: float = 0.0, high: float = race_pits.HIGH
) -> float:
    """Lays what the pits hold beneath the bar, or so far below it, and says how high it is: nothing if they hold
    nothing."""
    strip, held = (screen.boxes, shown.lane) if shown.lane is not None else (screen.pits, shown.pits)
    if not held:
        return 0.0
    strip.show(held)
    screen.lay(strip, x, BAR + below, w, high)
    return high


def queue(screen: RaceScreen, shown: RaceShown) -> None:
    """Tests in a row above the board, each with its bands; the weather, or the car that tests, beside them."""
    middle, left = screen.h - BAR - LOW_BAND, screen.w - TESTS_SIDE
    weather = any(price.icon in SKIES for key in shown.prompt.keys for price in key.prices)
    screen.queue.show(shown.tests)
    rows = screen.queue.high
    if middle - rows < BOARD_LEAST:
        rows = middle
    screen.lay(screen.queue, 0, BAR, left, rows)
    rows += _pits(screen, shown, 0, left, rows) if rows < middle else 0
    screen.lay_board(shown, 0, BAR + rows, left, middle - rows)
    if weather:
        now = next((row for row in shown.tests if row.state == "now"), None)
        title = now.title if now is not None else ""
        screen.sky.show(Sky(title=title, article=shown.prompt.cited, top=shown.top, bands=shown.skies))
        screen.lay(screen.sky, left, BAR, TESTS_SIDE, middle)
    elif shown.dashboard is not None:
        screen.dashboard.show(shown.dashboard)
        screen.lay(screen.dashboard, left, BAR, TESTS_SIDE, middle)
    screen.queue_band.show((shown.prompt, shown.tests))
    screen.lay(screen.queue_band, 0, screen.h - LOW_BAND, screen.w, LOW_BAND)


def attack(screen: RaceScreen, shown: RaceShown) -> None:
    """The weapons, the board and what the chosen one would do."""
    attack, middle = shown.attack, screen.h - BAR - band.BAND
    if attack is None:
        return
    screen.weapons.show((attack.weapons, attack.attackers))
    screen.lay(screen.weapons, 0, BAR, ARMS, middle)
    screen.lay_board(shown, ARMS, BAR, screen.w - ARMS - AIM, middle)
    _beside(screen, shown, attack.aim, AIM, middle)
    screen.attack_band.show((shown.prompt, attack))
    screen.lay(screen.attack_band, 0, screen.h - band.BAND, screen.w, band.BAND)


def pools(screen: RaceScreen, shown: RaceShown) -> None:
    """Columns of points to take back or spend, beneath the pits or the board."""
    pools = race_pools.of(shown.prompt, shown.dashboard)
    high = race_pools.BAND
    room = screen.h - BAR - high
    strip = _pits(screen, shown, 0, screen.w, high=race_pits.HIGH if room - race_pits.HIGH >= BOARD_LEAST else room)
    screen.lay_board(shown, 0, BAR + strip, screen.w, room - strip)
    bare = msgspec.structs.replace(shown.prompt, fields=(), keys=(), layout="none")
    screen.pools_band.show(bare)
    screen.lay(screen.pools_band, 0, screen.h - high, screen.w, high)
    if pools is not None:
        screen.pools.show(pools)
        screen.lay(screen.pools, 196, screen.h - high + 56, screen.w - 208, high - 67)


def seen(screen: RaceScreen, shown: RaceShown) -> None:
    """What the table saw of a move beneath the corners, with the card of the ruling on the right."""
    card = screen.shown_card
    wide = screen.w - (CARD if card is not None else 0)
    _corners(screen, shown, wide)
    screen.seen.show(shown.prompt)
    screen.lay(screen.seen, 0, screen.h - SHEET, wide, SHEET)
    if card is not None:
        screen.card.show(screen.marked(card))
        screen.lay(screen.card, screen.w - CARD, BAR, CARD, screen.h - BAR)
    elif screen.shown_given is not None:
        screen.given_card.show(screen.marked(screen.shown_given))
        screen.lay(screen.given_card, screen.w - CARD, BAR, CARD, screen.h - BAR)


def _corners(screen: RaceScreen, shown: RaceShown, wide: float) -> float:
    """Lays the corners of a corner sheet beneath the bar, and says how high they are."""
    high = screen.h - BAR - SHEET
    if screen.app.playing.track is None:
        return 0.0
    screen.lay(screen.board, 0, BAR, wide, high)
    screen.board.show(screen.app.playing.track, shown.board)
    return high


def form(screen: RaceScreen, shown: RaceShown) -> None:
    """A form with all its fields, or with those of one part."""
    undo, prompt = shown.prompt.undo.label, shown.prompt
    if prompt.seen is not None:
        said = prompt.seen.said
        fields = [field for field in prompt.fields if not screen.part or field.name in screen.part]
        fields = [msgspec.structs.replace(field, value=said.get(field.name, field.value)) for field in fields]
        prompt = msgspec.structs.replace(prompt, fields=tuple(fields))
    back = Face(label=screen.say("keys.back"), icon="arrow-left", look="quiet")
    if not shown.prompt.keys:
        back = Face(label=theme.say("undo"), note=undo, icon="undo", look="quiet" if undo else "barred")
    screen.form.face = back
    screen.form.show(prompt)
    corners = _corners(screen, shown, screen.w) if prompt.seen is not None else 0.0
    screen.lay(screen.form, 0, BAR + corners, screen.w, screen.h - BAR - corners)


def typing(screen: RaceScreen, shown: RaceShown) -> None:
    """A card of the table, typed."""
    undo = shown.prompt.undo.label
    screen.cards.face = Face(label=theme.say("undo"), note=undo, icon="undo", look="quiet" if undo else "barred")
    screen.cards.show(shown.prompt)
    screen.lay(screen.cards, 0, BAR, screen.w, screen.h - BAR)


def over(screen: RaceScreen, shown: RaceShown) -> None:
    """The race is over: the classification, and where to go from there."""
    screen.result.show(("", shown.order))
    screen.lay(screen.result, 0, BAR, screen.w, screen.h - BAR - band.BAND)
    keys = (
        Key(answer="sheet", label=screen.say("more.sheet")),
        Key(answer="leave", label=screen.say("race.home")),
    )
    first = next((row.plate for row in shown.order if row.position == 1), None)
    said = screen.say("race.result")
    prompt = msgspec.structs.replace(shown.prompt, plate=first, unit=said, layout="keys", keys=keys)
    screen.band.show(prompt)
    screen.lay(screen.band, 0, screen.h - band.BAND, screen.w, band.BAND)


def toast_at(screen: RaceScreen) -> tuple[float, float]:
    """In the middle of the board, above what lies beneath it; where there is no board above the question, and on a
    sheet that takes all of the screen in its foot, between its keys."""
    board, now = screen.board, screen.now
    if board in screen.here:
        left, bottom = (board.x - screen.x) / theme.scale, (screen.top - board.y) / theme.scale
        middle = left + board.width / theme.scale / 2
    else:
        name = division(screen, now) if now is not None else ""
        middle, bottom = screen.w / 2, screen.h - {"queue": LOW_BAND, "pools": race_pools.BAND}.get(name, band.BAND)
        if name in ("form", "typing"):
            middle, bottom = (SHEET_LEFT + screen.w - SHEET_RIGHT) / 2, screen.h
    return max(8.0, min(middle - WIDE / 2, screen.w - WIDE - 8)), bottom - 68


LAYOUTS: Final[Mapping[str, Callable[[RaceScreen, RaceShown], None]]] = {
    "race": race,
    "overview": overview,
    "queue": queue,
    "pools": pools,
    "form": form,
    "seen": seen,
    "typing": typing,
    "attack": attack,
    "over": over,
}
"""Every division, by the name that the screen gives it."""
