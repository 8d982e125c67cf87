"""A person at the touchscreen: reads what is drawn, and touches what is read.

    ui = Ui(rig, folder)
    ui.tap("New race")
    ui.tap("Formula D, beginner")
    ui.tap(space="a12")
    assert ui.sees("Overshoot by 2")

Nothing here knows a screen's attributes. What is touched is found by its words, as they are drawn; where it is not on
the screen, the lists are scrolled. A touch that would go wrong at the table fails here: a target that is covered, too
small for a finger, or one of several of the same words. The failure says all that is on the screen, and why it cannot
be touched.
"""

from __future__ import annotations

import functools
import math
import time
import unicodedata
from bisect import bisect_right
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple, TypeVar, cast

from kivy.clock import Clock
from kivy.core.window import Window
from kivy.graphics import Callback
from kivy.uix.scrollview import ScrollView
from kivy.uix.textinput import TextInput
from kivy.uix.widget import Widget

from companion.screens.app.app import CompanionApp
from companion.screens.app.settings import SettingsFile
from companion.screens.board.map import Map
from companion.screens.board.marked import lettered
from companion.screens.board.whole import Whole
from companion.screens.kit.pen import Mark
from companion.screens.kit.theme import NAME, theme
from companion.screens.kit.toast import ToastView
from companion.screens.kit.touch import Target, ears
from tests.screens.audit import ROW, Box, audit, in_both_looks, place, walk
from tests.screens.recorded import recorded
from tests.screens.rig import Rig, place_of

SMALLEST = 48.0
"""How large a target is at least, in dp."""
KEYBOARD = 240.0
"""How high the keys of the keyboard are together, in dp."""
LONGEST_WORK = 20.0
"""Seconds that a thread's work is waited for."""
HOLD_SECONDS = 1.2
"""Seconds that something is held: a list hears a finger a moment late."""
LINE = 8.0
"""How far apart in height the middles of words of one line are at most, in dp."""
SCREENFULS = 60
"""How often a list is scrolled on, at most."""
CALM_FRAMES = 4
"""For so many frames nothing works any more when all is done."""


T = TypeVar("T")


class Word(NamedTuple):
    """Words that can be read: where, how large they are written, and on what they stand."""

    text: str
    box: Box
    size: float
    widget: Widget


class Part(NamedTuple):
    """Something that hears a finger: the words on it, where it is, whether it explains itself when it is held, and as
    which part that many screens have, if so."""

    text: str
    box: Box
    is_explained: bool
    kind: str


class Control(NamedTuple):
    """Something that can be touched, the words on it, and why it cannot be touched now, if so."""

    widget: Target
    box: Box
    text: str
    why: str


def once_a_frame(read: Callable[[Ui], list[T]]) -> Callable[[Ui], list[T]]:
    """Read the window once for each frame: nothing that is seen changes without one."""

    @functools.wraps(read)
    def reading(ui: Ui) -> list[T]:
        last, now = vars(ui).setdefault("last_read", {}), (Clock.time(), *Window.children)
        if last.get(read.__name__, ((),))[0] != now:
            last[read.__name__] = now, read(ui)
        return last[read.__name__][1][:]

    return reading


class Ui:
    """The app over a data folder, in a window, and a finger. `settings` are the table's choices."""

    def __init__(self, rig: Rig, folder: Path, **settings: object) -> None:
        self.rig, self.folder = rig, folder
        kept = SettingsFile(folder)
        kept.change(**{"language": "en", "reduced_motion": True, "shot_clock": 0, **settings})
        self.app = CompanionApp(folder, kept)
        self.app.open()
        self.calm()

    @classmethod
    def over(cls, rig: Rig | None, app: CompanionApp | None = None) -> Ui:
        """A person at an app that is open, or before a window in which a test shows widgets; one who only reads needs
        no rig."""
        made = cls.__new__(cls)
        made.rig, made.app = cast(Rig, rig), app
        if app is not None:
            made.folder = app.folder
        return made

    def close(self) -> None:
        """Close the app."""
        self.app.close()

    # -- reading

    @once_a_frame
    def words(self) -> list[Word]:
        """Return all that can be read, from top to bottom; a paragraph by its lines."""
        drawn = list(_drawn())
        fills = [at for at, (_, mark, _, opacity) in enumerate(drawn) if _is_opaque(mark, opacity)]
        found = [
            Word(mark.text, box, mark.size, widget)
            for at, (widget, mark, box, _) in enumerate(drawn)
            if mark.kind == "text"
            and not any(_lies_on(drawn[later][2], box) for later in fills[bisect_right(fills, at) :])
        ]
        lines = [
            (widget, clip)
            for widget, clip, *_ in _walk()
            if isinstance(widget, TextInput) and (not widget.text or widget.foreground_color[3] > 0)
        ]
        seen = ((line, _written(line)) for line, clip in lines if clip.meets(place(line)))
        found += [Word(text, place(line), NAME, line) for line, text in seen if text]
        return sorted(found, key=lambda word: (round(word.box.y / 4), word.box.x))

    def text(self) -> str:
        """Return all that can be read as one text."""
        return " ".join(word.text for word in self.words())

    def lines(self) -> set[str]:
        """Return every line that can be read while the lists are scrolled to their ends."""
        found = {word.text for word in self.words()}
        while self.scroll():
            found |= {word.text for word in self.words()}
        return found

    def box(self, words: str) -> Box:
        """Return where these words stand; of equal words, those written largest."""
        found = self._matching(words)
        assert found, f"Nothing here says {words!r}.\n{self.screen()}"
        return max(found, key=lambda word: word.size).box

    def sees(self, *texts: str) -> bool:
        """Return whether each text can be read, also where it is broken into lines."""
        words = self.words()
        lines: dict[int, list[str]] = {}
        for word in words:
            lines.setdefault(id(word.widget), []).append(word.text)
        read = [_plain(" ".join(said)) for said in lines.values()] + [_plain(" ".join(word.text for word in words))]
        return all(any(_plain(text) in said for said in read) for text in texts)

    def right_of(self, words: str) -> str:
        """Return what is read at the right of these words, in their row."""
        near = self._near(words)[0].box
        read = [
            one.text for one in self.words() if one.box.x > near.x + near.w and abs(_lower(one.box, near)) < ROW / 2
        ]
        return " ".join(read)

    def row(self, words: str, *, below: str = "") -> str:
        """Return all that is written on the row or key on which these words stand, line by line; the list is scrolled
        to it. Of equal words as in `tap`."""
        found = next(filter(None, (self._matching(words, below, needed=False) for _ in self._screenfuls())), [])
        assert found, f"Nothing here says {words!r}.\n{self.screen()}"
        widget = max(found, key=lambda word: word.size).widget
        lines: list[list[Word]] = []
        for word in sorted((word for word in self.words() if word.widget is widget), key=_middle):
            if lines and _middle(word) - _middle(lines[-1][0]) < LINE:
                lines[-1].append(word)
            else:
                lines.append([word])
        return " ".join(word.text for line in lines for word in sorted(line, key=lambda one: one.box.x))

    def in_order(self, *texts: str) -> bool:
        """Return whether these words can be read one after the other, from top to bottom."""
        rest = map(_plain, (word.text for word in self.words()))
        return all(_plain(text) in rest for text in texts)

    def offers(self, words: str = "", *, icon: str = "", beside: str = "", below: str = "") -> bool:
        """Return whether a finger can touch what these words or a pictogram stand on, without scrolling; a pictogram
        `beside` words is in their row."""
        if icon:
            top = self._top(below)
            found = [one.box for one in self._controls() if not one.why and one.box.y > top and _pictures(one, icon)]
            row = self._near(beside)[0].box if beside else None
            return any(row is None or abs(_lower(box, row)) < ROW / 2 for box in found)
        under = [self._under(word) for word in self._matching(words, below)]
        return any(one is not None and not one.why for one in under)

    def places(self, words: str = "", *, also: str = "", below: str = "") -> list[tuple[float, float]]:
        """Return the middles of all that can be touched and begins with these words, and says others `also` in any
        order, from top to bottom, then from left to right."""
        top = self._top(below)
        found = sorted(
            (round(one.box.y), one.box.x, one)
            for one in self._controls()
            if one.box.y > top and not one.why
            if not words or f"{_plain(one.text)} ".startswith(f"{_plain(words)} ")
            if set(_plain(also).split()) <= set(_plain(one.text).split())
        )
        return [one.box.middle for *_, one in found]

    def targets(self) -> list[tuple[str, Box]]:
        """Return what hears a finger, also what is disabled: the words on it and where it is."""
        lines = [(_written(widget), place(widget)) for widget, *_ in _walk() if isinstance(widget, TextInput)]
        return [(one.text, one.box) for one in self._controls()] + lines

    def parts(self) -> list[Part]:
        """Return what can be touched, and whether it explains itself when it is held; of what counts on while it is
        held, whether the name beside it does."""
        there = [one for one in self._controls() if one.why != "is disabled"]
        named = {id(one.widget.parent) for one in there if one.widget.explains}
        return [
            Part(
                one.text,
                one.box,
                one.widget.held_for is not None or (one.widget.repeats and id(one.widget.parent) in named),
                one.widget.means if isinstance(one.widget.means, str) and one.widget.on_hold is None else "",
            )
            for one in there
        ]

    def is_chosen(self, words: str, *, below: str = "") -> bool:
        """Return whether what these words stand on has the outline of a selection; of equal words as in `tap`."""
        found = self._matching(words, below)
        largest = [word for word in found if word.size == max(one.size for one in found)]
        (control,) = {one.widget: one for word in largest if (one := self._under(word))}.values()
        return _is_outlined(control)

    def chosen(self) -> list[str]:
        """Return the words of all that has the outline of a selection."""
        return [one.text for one in self._controls() if _is_outlined(one)]

    def pointed(self) -> str:
        """Return the words of the key that the guide has put a frame around; "" without one."""
        frames = [box for _, mark, box, _ in _drawn() if mark.kind == "rim" and mark.colour == theme.hex("info")]
        return next((one.text for one in self._controls() if any(frame.holds(one.box) for frame in frames)), "")

    def spaces(self) -> list[str]:
        """Return the spaces of the board that are seen and on which nothing lies, in alphabetical order."""
        board = self._board()
        over = [box for box in _over(board) if place(board).meets(box)]
        names = board.stage.track.ids if isinstance(board, Map) and board.stage is not None else _parts(board)
        places = {name: self.space(name) for name in names}
        return sorted(
            name for name, at in places.items() if place(board).has(*at) and not any(box.has(*at) for box in over)
        )

    def drawings_of_board(self) -> list[object]:
        """Return a list that is longer by one whenever the board is drawn."""
        drawn: list[object] = []
        self._board().canvas.add(Callback(drawn.append))
        return drawn

    def board_size(self) -> tuple[float, float]:
        """Return the width and height of the board, in dp."""
        box = place(self._board())
        return box.w, box.h

    def space(self, name: str) -> tuple[float, float]:
        """Return where the middle of a space of the board is drawn, also where that is out of sight."""
        board = self._board()
        if isinstance(board, Map):
            x, y = place_of(board, name)
            return x / theme.scale, (Window.height - y) / theme.scale
        inside = _parts(board).get(name, [])
        assert inside, f"The board has no {name!r}.\n{self.screen()}"
        box = place(board)
        (left, _), (right, _) = min(inside), max(inside)
        top, foot = min(y for _, y in inside), max(y for _, y in inside)
        return box.x + (left + right) / 2, box.y + (top + foot) / 2

    def cars(self) -> dict[int, tuple[float, float]]:
        """Return where each car on the board is drawn, by its number."""
        drawn = ((one.mark.plate.number, *one.place.xy) for one in self._map().upright.sprites)
        return {number: (x / theme.scale, (Window.height - y) / theme.scale) for number, x, y in drawn}

    def letters(self) -> dict[str, str]:
        """Return what is written on spaces of the board, by their names."""
        board = self._map()
        assert board.stage is not None
        drawing, written = board.stage.drawing, {sign.at for sign in board.upright.signs}
        meant = {mark.space: mark.text for mark in lettered(drawing, board.scene, board.frame) if mark.text}
        middles = {name: drawing.cells[board.stage.track.ids[name]].middle for name in meant}
        return {name: text for name, text in meant.items() if (middles[name].x, middles[name].y) in written}

    def is_marked(self, space: str, text: str) -> bool:
        """Return whether a space of the board is marked with a text."""
        return any((mark.space, mark.text) == (space, text) for mark in self._map().scene.spaces)

    def value(self, label: str) -> str:
        """Return what stands between the − and + of a figure."""
        less, more = self._figure(label)
        return next(
            (word.text for word in self.words() if less.x < word.box.x < more.x and abs(_lower(word.box, less)) < 12),
            "",
        )

    def plate(self, car: int) -> str:
        """Return the colour of the plate that has a car's number."""
        drawn = list(_drawn())
        for at, (widget, mark, box, _) in enumerate(drawn):
            if mark.text == str(car):
                under = [
                    body.colour
                    for one, body, over, _ in drawn[:at]
                    if one is widget and body.kind == "fill" and body.w < SMALLEST and over.holds(box)
                ]
                if under:
                    return under[-1]
        raise AssertionError(f"There is no plate {car}.\n{self.screen()}")

    def written(self, label: str) -> str:
        """Return what is written in the line with a label."""
        return str(self._line(label).text)

    def focused(self) -> str:
        """Return what the ring of the focus lies around: the words of that control or line, "" without a ring."""
        ring = self._ring()
        return "" if ring is None else self._ringed(ring)

    def is_at(self, words: str, icon: str = "", beside: str = "") -> bool:
        """Return whether the focus is on what these words or a pictogram stand on, where several do, on the one that
        is nearest to the words `beside`."""
        ring = self._ring()
        if ring is None:
            return False
        if icon:
            x, y = self._by_icon(icon, beside)
            return ring.has(x, y)
        if _plain(words) not in _plain(self._ringed(ring)):
            return False
        exact = [word for word in self.words() if _plain(word.text) == _plain(words)]
        return not exact or any(ring.holds(word.box) for word in exact)

    def _ring(self) -> Box | None:
        """Return the box of the ring, if one is drawn over all else."""
        over = Window.children[0] if Window.children else None
        marks = getattr(over, "marks", ())
        if over is None or not marks or any(mark.kind != "rim" for mark in marks):
            return None
        return place(over)

    def _ringed(self, ring: Box) -> str:
        x, y = ring.middle
        inside = [one.text for one in self._controls() if ring.holds(one.box) and one.box.has(x, y)]
        lines = [
            _written(widget) for widget, *_ in _walk() if isinstance(widget, TextInput) and place(widget).has(x, y)
        ]
        return next(iter([*inside[-1:], *lines]), "")

    def wait_for(self, *texts: str) -> None:
        """Wait until each text can be read."""
        try:
            self.rig.until(lambda: self.sees(*texts))
        except AssertionError:
            raise AssertionError(f"{' / '.join(texts)} never came.\n{self.screen()}") from None
        self.calm()

    def cut(self) -> set[str]:
        """Return the words of which not all is drawn."""
        return {mark.text for _, mark, *_ in _drawn() if mark.kind == "text" and not mark.whole}

    def toasts(self) -> list[Box]:
        """Return where toasts are: there is never more than one."""
        return [place(widget) for widget, *_ in _walk() if isinstance(widget, ToastView) and widget.shown]

    def toast_box(self) -> Box:
        """Return where the toast is."""
        (found,) = self.toasts()
        return found

    def wrong(self) -> list[str]:
        """Return what is wrong with what is seen, as sentences of the audit."""
        return [said for root in self._roots() for said in audit(root)]

    def audit(self) -> None:
        """Fail if words are cut off, overlap or cannot be read, or a target is too small."""
        wrong = self.wrong()
        assert wrong == [], "\n".join([*wrong, self.screen()])

    def audit_both(self) -> None:
        """The same in the dark and by daylight."""
        wrong = [said for root in self._roots() for said in in_both_looks(root)]
        assert wrong == [], "\n".join([*wrong, self.screen()])

    def screen(self) -> str:
        """Return what is on the screen: each key with its box, its words, why it cannot be touched; then the rest."""
        controls = self._controls()
        said = [f"  {_said(one.box)}  {one.text!r}{f': {one.why}' if one.why else ''}" for one in controls]
        on_keys = {id(inner) for one in controls for inner in one.widget.walk(restrict=True)}
        rest = [f"  {_said(one.box)}  {one.text}" for one in self.words() if id(one.widget) not in on_keys]
        return "\n".join(["On the screen can be touched:", *said, "and read:", *rest])

    # -- touching

    def tap(
        self, *words: str, icon: str = "", car: int = 0, space: str = "", beside: str = "", below: str = ""
    ) -> None:
        """Tap what these words or a pictogram stand on, a car's plate in a list, or a space of the board; then what
        further words stand on, one after the other.

        Of equal words those written largest are meant, or those nearest to the words `beside`; all of them lie `below`
        others where that is given.
        """
        for said in words or ("",):
            self._touch(*self.where(said, icon=icon, car=car, space=space, beside=beside, below=below))

    def tap_first(self, words: str = "", *, also: str = "", below: str = "") -> None:
        """Tap the first of what `places` finds, once the lists are scrolled to it from their tops."""
        self.scroll(start=True)
        while not (found := self.places(words, also=also, below=below)):
            assert self.scroll(), f"Nothing here says {words or also!r}.\n{self.screen()}"
        self._touch(*found[0])

    def where(
        self, words: str = "", *, icon: str = "", car: int = 0, space: str = "", beside: str = "", below: str = ""
    ) -> tuple[float, float]:
        """Return where `tap` would tap, once what was changed is drawn and touches are heard."""
        self.rig.settle(2)
        self.rig.until(lambda: ears.open)
        return self._by_icon(icon, beside) if icon else self._find(words, car, space, beside, below)

    def hold(self, words: str = "", *, car: int = 0, space: str = "", beside: str = "", below: str = "") -> None:
        """Press and hold it, until its legend is there."""
        self.rig.hold(*self.where(words, car=car, space=space, beside=beside, below=below), seconds=HOLD_SECONDS)
        self.calm()

    def type(self, text: str, *, done: bool = True) -> None:
        """Type on the screen's keyboard, into the field that is open; then end it if that is to be `done`."""
        for letter in text:
            self._type(letter)
        if done:
            self._key(theme.words.screen("keyboard.done"))

    def write(self, label: str, text: str, *, done: bool = True, anew: bool = False) -> None:
        """Touch the line with a label and type into it; first erase what it says if it is written `anew`."""
        line = self._line(label)
        letters, box = len(line.text), place(line)
        self._touch(box.x + box.w - 8, box.y + box.h / 2)  # behind its text
        for _ in range(letters if anew else 0):
            self.tap(icon="erase")
        self.type(text, done=done)

    def step(self, label: str, by: int = 1) -> None:
        """Tap the + of a figure with a label so many times, or its − where `by` is negative."""
        for _ in range(abs(by)):
            x, y = self._figure(label)[by > 0].middle
            assert any(not one.why and one.box.has(x, y) and one.box.w < 2 * SMALLEST for one in self._controls()), (
                f"{label!r} ends there.\n{self.screen()}"
            )
            self._touch(x, y)

    def go_on(self) -> None:
        """Tap the great key, in the corner at the right foot."""
        there = [one for one in self._controls() if not one.why]
        assert there, f"There is nothing to touch.\n{self.screen()}"
        self._touch(*max(there, key=lambda one: one.box.x + one.box.w + one.box.y + one.box.h).box.middle)

    def back(self) -> None:
        """Tap the way back, at the top left."""
        found = [one for one in self._controls() if one.box.x < 16 and one.box.y < 16 and not one.why]
        assert found, f"There is no way back.\n{self.screen()}"
        self._touch(*found[0].box.middle)

    def scroll(self, *, start: bool = False) -> bool:
        """Scroll every list on by a screenful, from its top where it is the `start`; return whether any has moved."""
        moved = False
        for widget, _, _, _ in list(_walk()):
            if not isinstance(widget, ScrollView) or widget.viewport_size[1] <= widget.height + 1:
                continue
            page = widget.height / (widget.viewport_size[1] - widget.height)
            to = 1.0 if start else max(0.0, widget.scroll_y - page * 0.8)
            moved = moved or start or not math.isclose(to, widget.scroll_y, abs_tol=1e-6)
            widget.scroll_y = to
        self.rig.settle(6)
        return moved

    def calm(self) -> None:
        """Let the program do what it was told and draw it, until touches are heard."""
        if self.app is not None:
            recorded(self.rig, self.app)
        end, still = time.monotonic() + LONGEST_WORK, 0
        while still < CALM_FRAMES or not ears.open:
            loads = self.app is not None and self.app.screen is not None and not self.app.screen.is_loaded
            working = (loads or self.rig.at_work()) and time.monotonic() < end
            time.sleep(0.002 if working else 0.0002)  # a thread that has just taken its work has a moment to show it
            self.rig.settle(1)
            still = 0 if working else still + 1

    # -- how

    def _touch(self, x: float, y: float) -> None:
        self.rig.tap(x, y)
        self.calm()

    def _roots(self) -> list[Widget]:
        return [self.app.stage] if self.app is not None else list(Window.children)

    def _type(self, letter: str) -> None:
        if letter == " ":
            self._key(theme.words.screen("keyboard.space"))
            return
        for turn in ("", "letters", "figures", "accents"):
            if turn and not self._key(theme.words.screen(f"keyboard.{turn}"), needed=False):
                continue
            if self._key(letter, needed=False):
                return
            if self._key(letter.swapcase(), needed=False, dry=True):
                self.tap(icon="up")
                self._key(letter)
                return
        raise AssertionError(f"The keyboard has no {letter!r}.\n{self.screen()}")

    def _key(self, label: str, *, needed: bool = True, dry: bool = False) -> bool:
        """Tap a key of the keyboard by its label; return whether it is there."""
        there = self._controls()
        low = max((one.box.y for one in there), default=0) - KEYBOARD
        keys = [one for one in there if one.text == label and one.box.y > low]
        if not keys and needed:
            raise AssertionError(f"The keyboard has no key {label!r}.\n{self.screen()}")
        if keys and not dry:
            self._touch(*keys[-1].box.middle)
        return bool(keys)

    def _by_icon(self, icon: str, beside: str) -> tuple[float, float]:
        """Return the middle of the control that has a pictogram; of several the one that is nearest to the words or the
        pictogram `beside`, first from top to bottom, then at their right."""
        found = [one for one in self._controls() if _pictures(one, icon)]
        if beside and found:
            pictured = [box for _, mark, box, _ in _drawn() if mark.icon == beside]
            near = pictured[0] if pictured else self._near(beside)[0].box

            def far(one: Control) -> tuple[float, bool, float]:
                across = one.box.x + one.box.w / 2 - near.x - near.w / 2 if pictured else one.box.x - near.x
                return abs(one.box.y - near.y), one.box.x + one.box.w < near.x, abs(across)

            found = [min(found, key=far)]
        assert len(found) == 1, f"{len(found)} controls have the pictogram {icon!r}.\n{self.screen()}"
        (control,) = found
        assert not control.why, f"{icon!r} {control.why}.\n{self.screen()}"
        return control.box.middle

    def _find(self, words: str, car: int, space: str, beside: str, below: str) -> tuple[float, float]:
        if space:
            return self.space(space)
        wanted = words or str(car)
        for _ in self._screenfuls():
            if found := self._matching(wanted, below, needed=False):
                return self._touchable(wanted, found, beside)
        raise AssertionError(f"Nothing here says {wanted!r}.\n{self.screen()}")

    def _matching(self, wanted: str, below: str = "", *, needed: bool = True) -> list[Word]:
        """Return the words that are wanted, as they are written at once, else as all that one control says."""
        words, top = self.words(), self._top(below, needed=needed)
        found = [word for word in words if _plain(word.text) == _plain(wanted)]
        if not found:
            controls = [one for one in self._controls() if _plain(wanted) in _plain(one.text)]
            smallest = min((len(one.text) for one in controls), default=0)
            found = [_first(words, one) for one in controls if len(one.text) == smallest]
        return [word for word in found if word.box.y > top]

    def _top(self, below: str, *, needed: bool = True) -> float:
        """Return the height under which things are `below` words: all without any, nothing where they are not seen."""
        if not below:
            return -math.inf
        return min((word.box.y for word in self._near(below, needed=needed)), default=math.inf)

    def _screenfuls(self) -> Iterator[None]:
        """Yield for what is seen now, then for each screenful of the lists from their tops."""
        yield
        for turned in range(SCREENFULS):
            if not self.scroll(start=turned == 0):
                return
            yield

    def _near(self, words: str, *, needed: bool = True) -> list[Word]:
        near = [word for word in self.words() if _plain(words) in _plain(word.text)]
        assert near or not needed, f"Nothing here says {words!r}.\n{self.screen()}"
        return near

    def _line(self, label: str) -> TextInput:
        """Return the line that is nearest to a label."""
        over = self._near(label)[0].box
        lines = [widget for widget, *_ in _walk() if isinstance(widget, TextInput)]
        assert lines, f"There is no line to write in.\n{self.screen()}"
        return min(lines, key=lambda one: math.dist((place(one).x, place(one).y), (over.x, over.y)))

    def _figure(self, label: str) -> tuple[Box, Box]:
        """Return where the − and + of a figure are: behind its label or below it; the lists are scrolled to it."""
        for _ in self._screenfuls():
            drawn = [(mark.icon, box) for _, mark, box, _ in _drawn() if mark.icon in ("minus", "plus")]
            pairs = [
                (
                    less,
                    min(
                        (box for icon, box in drawn if icon == "plus" and box.x > less.x),
                        key=lambda box: _distance(box, less),
                    ),
                )
                for at, less in drawn
                if at == "minus"
            ]
            near = [
                (_distance(word.box, less), less, more)
                for word in self.words()
                if _plain(word.text) == _plain(label)
                for less, more in pairs
                if (abs(_lower(less, word.box)) < 24 and word.box.x < less.x)
                or (0 < _lower(less, word.box) < 60 and less.x - 40 < word.box.x < more.x)
            ]
            if near:
                return min(near)[1:]
        raise AssertionError(f"There is no figure {label!r} to be changed.\n{self.screen()}")

    def _touchable(self, wanted: str, found: list[Word], beside: str) -> tuple[float, float]:
        """Return where to touch; fail where nothing of that can be touched, or several."""
        there = [(word, control) for word in found for control in [self._under(word)] if control is not None]
        if not there:
            raise AssertionError(f"{wanted!r} stands on nothing that can be touched.\n{self.screen()}")
        there = [one for one in there if one[1].why != "is disabled"] or there
        if beside:
            near = self._near(beside)
            there = [min(there, key=lambda one: min(_distance(one[0].box, word.box) for word in near))]
        largest = max(word.size for word, _ in there)
        targets = {id(control.widget): (word, control) for word, control in there}
        if len(targets) > 1:
            targets = {key: one for key, one in targets.items() if one[0].size == largest}
        if len(targets) != 1:
            places = ", ".join(_said(control.box) for _, control in targets.values())
            raise AssertionError(f"{wanted!r} can be touched at {places}: say beside what.\n{self.screen()}")
        word, control = next(iter(targets.values()))
        if control.why:
            raise AssertionError(f"{wanted!r} {control.why}.\n{self.screen()}")
        x, y = word.box.middle
        spots = [(x, y), (control.box.x + 10, y), (control.box.x + control.box.w - 10, y)]
        for spot in spots:
            if self._top_at(*spot) is control.widget:
                return spot
        raise AssertionError(f"{wanted!r} is covered.\n{self.screen()}")

    def _under(self, word: Word) -> Control | None:
        """Return the control that words stand on: the innermost that holds their middle."""
        x, y = word.box.middle
        holding = [one for one in self._controls() if one.box.has(x, y)]
        return holding[-1] if holding else None

    @once_a_frame
    def _controls(self) -> list[Control]:
        """Return what can be touched, in the order of drawing."""
        words = self.words()
        found = []
        for widget, clip, _, _ in _walk():
            if not isinstance(widget, Target) or not widget.heard or not clip.meets(home := place(widget), 4):
                continue
            box = home.within(clip)
            inner = {id(child) for child in widget.walk(restrict=True)}
            said = " ".join(word.text for word in words if id(word.widget) in inner)
            why = ""
            if widget.disabled:
                why = "is disabled"
            elif min(home.w, home.h) < SMALLEST - 0.5:
                why = "is smaller than a finger"
            found.append(Control(widget, box, said, why))
        return found

    def _top_at(self, x: float, y: float) -> Widget | None:
        """Return what a finger at a place touches, None where something lies on it."""
        top: Widget | None = None
        covered = False
        for widget, clip, _, opacity in _walk():
            if not clip.has(x, y):
                continue
            home = place(widget)
            if isinstance(widget, Target) and widget.heard and home.has(x, y):
                top, covered = widget, False
            elif top is not None and not _holds(top, widget):
                boxes = (_box(home, mark) for mark in getattr(widget, "marks", ()) if _is_opaque(mark, opacity))
                covered = covered or any(box.has(x, y) for box in boxes)
        return None if covered else top

    def _board(self) -> Map | Whole:
        boards = [widget for widget, _, _, _ in _walk() if isinstance(widget, Map | Whole)]
        assert boards, f"There is no board.\n{self.screen()}"
        return boards[-1]

    def _map(self) -> Map:
        board = self._board()
        assert isinstance(board, Map), f"The board has no spaces.\n{self.screen()}"
        return board


def _walk() -> Iterator[tuple[Widget, Box, bool, float]]:
    """Yield every widget of the window in the order of drawing, as `walk` does."""
    for root in reversed(Window.children):
        yield from walk(root)


def _drawn() -> Iterator[tuple[Widget, Mark, Box, float]]:
    """Yield every mark that is seen, in the order of drawing, with its widget, its box and its widget's opacity."""
    for widget, clip, _, opacity in _walk():
        marks = getattr(widget, "marks", ())
        home = place(widget) if marks else clip
        for mark in marks:
            if clip.meets(box := _box(home, mark)):
                yield widget, mark, box.within(clip), opacity


def _box(home: Box, mark: Mark) -> Box:
    return Box(home.x + mark.x, home.y + mark.y, mark.w, mark.h)


def _parts(board: Map | Whole) -> dict[str, list[tuple[float, float]]]:
    """Return the places of a board that is always seen whole, each with the points that are in it, every 4 dp."""
    found: dict[str, list[tuple[float, float]]] = {}
    if isinstance(board, Whole):
        across, down = (range(0, round(size / theme.scale), 4) for size in board.size)
        for x, y in ((x, y) for x in across for y in down):
            found.setdefault(board.space_at(x, y), []).append((x, y))
    found.pop("", None)
    return found


def _over(beneath: Widget) -> list[Box]:
    """Return what lies on a widget: all that is opaque or can be touched and is drawn after it."""
    drawn = list(_walk())
    later = drawn[next(at for at, (widget, *_) in enumerate(drawn) if widget is beneath) + 1 :]
    found = [place(widget) for widget, *_ in later if isinstance(widget, Target) and widget.heard]
    for widget, _, _, opacity in later:
        found += [_box(place(widget), mark) for mark in getattr(widget, "marks", ()) if _is_opaque(mark, opacity)]
    return found


def _pictures(control: Control, icon: str) -> bool:
    return any(mark.icon == icon for mark in control.widget.marks)


def _is_outlined(control: Control) -> bool:
    return any(mark.kind == "rim" and mark.colour == theme.hex("pri") for mark in control.widget.marks)


def _written(line: TextInput) -> str:
    """Return what can be read in a line: its text, or its hint where that is drawn."""
    return str(line.text or (line.hint_text if line.hint_text_color[3] > 0 else ""))


def _is_opaque(mark: Mark, opacity: float) -> bool:
    return mark.kind == "fill" and mark.alpha * opacity >= 0.6


def _lies_on(over: Box, box: Box) -> bool:
    """Return whether something opaque covers the middle of words."""
    return over.has(*box.middle) and over.w * over.h > box.w * box.h


def _holds(outer: Widget, inner: Widget) -> bool:
    return any(one is inner for one in outer.walk(restrict=True))


def _first(words: list[Word], control: Control) -> Word:
    inner = {id(child) for child in control.widget.walk(restrict=True)}
    return max((word for word in words if id(word.widget) in inner), key=lambda word: word.size)


def _middle(word: Word) -> float:
    return word.box.middle[1]


def _plain(text: str) -> str:
    """Return a text as it is compared: spaces of every kind alike."""
    return " ".join(unicodedata.normalize("NFC", text).split())


def _said(box: Box) -> str:
    return f"{box.x:.0f},{box.y:.0f} {box.w:.0f}x{box.h:.0f}"


def _lower(one: Box, other: Box) -> float:
    """Return how much lower the middle of one is than that of the other."""
    return one.middle[1] - other.middle[1]


def _distance(one: Box, other: Box) -> float:
    return math.dist(one.middle, other.middle)
