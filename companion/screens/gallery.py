"""The gallery: every component once, in all of its states, on one sheet of 1280 by 1600 dp."""

from __future__ import annotations

from typing import Any, Final

from companion.rules.race import POOLS
from companion.screens.pane import Pane
from companion.screens.pen import BOLD, Pen
from companion.screens.theme import CAPTION, QUESTION, VALUE, theme
from companion.screens.view.shown import (
    Card,
    Column,
    Dashboard,
    Extra,
    GearCell,
    Line,
    Loss,
    Plate,
    Price,
    Prompt,
    Row,
    Step,
    Term,
    Toast,
    TopBar,
    Undo,
)
from companion.screens.view.shown import Key as Answer
from companion.screens.widgets import dashboard, order_strip, plate, wear
from companion.screens.widgets.confirm import HIGH, WIDE, Confirm, Question
from companion.screens.widgets.dashboard import Dashboard as DashboardView
from companion.screens.widgets.empty import Empty, Nothing
from companion.screens.widgets.key import Face, Key
from companion.screens.widgets.order_strip import OrderStrip
from companion.screens.widgets.prompt_band import PromptBand
from companion.screens.widgets.ruling_card import RulingCard
from companion.screens.widgets.shot_clock import ShotClock, ShotLine, ShotTime
from companion.screens.widgets.toast import Toast as ToastView
from companion.screens.widgets.top_bar import TopBar as TopBarView
from companion.screens.widgets.trail import Trail

SHEET: Final = (1280.0, 1600.0)

NUMBERS: Final = (7, 14, 31, 40, 22, 18, 27, 3, 5, 9)
CODES: Final = ("BRU", "VID", "HAS", "DAL", "OKO", "FER", "KEL", "LIN", "SOU", "NOV")


def say(key: str) -> str:
    """A word of the gallery."""
    return theme.say(key, "gallery")


def car(place: int) -> Plate:
    """The plate of the car at a place."""
    return Plate(number=NUMBERS[place], place=place)


def free() -> Price:
    return Price(icon="check", text=say("stop"), tone="ok")


def cost(points: int) -> Price:
    return Price(icon="tyres", text=f"−{points}", tone="warn")


def spin() -> Price:
    return Price(icon="triangle", text=say("spin"), tone="bad")


def faces(low: int, high: int, priced: bool = True) -> tuple[Answer, ...]:
    """The faces of a die, the best ones free, the middle ones at a cost, the last ones a spin."""

    def prices(face: int) -> tuple[Price, ...]:
        over = face - low - 2
        return (free() if over < 1 else cost(2 * over) if over < 3 else spin(),)

    return tuple(
        Answer(answer=face, label=str(face), prices=prices(face) if priced else ()) for face in range(low, high + 1)
    )


def trail(now: int) -> tuple[Step, ...]:
    """The steps of a turn, one of them now."""
    labels = (say("gear_4"), "11", say("land"), say("draft"))
    waiting = (say("gear"), say("roll"), say("land"), say("draft"))
    return tuple(
        Step(
            label=labels[place] if place < now else waiting[place],
            state="done" if place < now else "now" if place == now else "to_come",
            back=max(0, now - place),
        )
        for place in range(4)
    )


def prompts() -> dict[str, Prompt]:
    """A question of each layout that fits the race frame."""
    undo = Undo(label=say("gear_4"))
    common: dict[str, Any] = {"n": 1, "plate": car(1), "undo": undo}
    gears = (
        Answer(label="1", note="1–2", why="1", prices=(Price(icon="cross", text=f"{say('engine')} 1", tone="bad"),)),
        Answer(answer=2, label="2", note="2–4", prices=(Price(icon="gearbox", text="−1", tone="warn"), cost(1))),
        Answer(answer=3, label="3", note="4–8", prices=(Price(icon="gearbox", text="−1", tone="warn"),)),
        Answer(answer=4, label="4", note="7–12", prices=(Price(text=say("free"), tone="ok"),)),
        Answer(answer=5, label="5", note="11–20", prices=(Price(text=say("free"), tone="ok"),)),
        Answer(answer=6, label="6", note="21–30", prices=(Price(text=say("free"), tone="ok"),)),
    )
    landings = (
        Answer(
            answer="a",
            label="A",
            note=say("stop_made"),
            note_tone="ok",
            prices=(Price(icon="brakes", text="−2", tone="warn"),),
        ),
        Answer(
            answer="b",
            label="B",
            note=say("over_1"),
            prices=(Price(icon="brakes", text="−1", tone="warn"), cost(2)),
            accept=True,
        ),
        Answer(answer="c", label="C", note=say("over_2"), prices=(cost(4),), accept=True),
    )
    words = tuple(Answer(answer=word, label=say(word)) for word in ("take", "leave"))
    return {
        "gear": Prompt(
            key="gear", title=say("ask_gear"), unit=say("now_5"), layout="keys", keys=gears, trail=trail(0), **common
        ),
        "roll": Prompt(
            key="roll", title=say("ask_roll"), unit="7–12", layout="die", keys=faces(7, 12), trail=trail(1), **common
        ),
        "ten": Prompt(
            key="ten", title=say("ask_roll"), unit="11–20", layout="die", keys=faces(11, 20), trail=trail(1), **common
        ),
        "black": Prompt(
            key="black", title=say("ask_black"), unit="1–20", layout="black", keys=faces(1, 20, False), **common
        ),
        "landing": Prompt(
            key="landing", title=say("ask_land"), layout="landing", keys=landings, chosen=2, trail=trail(2), **common
        ),
        "words": Prompt(key="words", title=say("ask_take"), layout="keys", keys=words, trail=trail(3), **common),
    }


def order() -> tuple[Row, ...]:
    """A running order of ten cars."""
    places = (0, 4, 1, 7, 2, 9, 5, 6, 8, 3)
    chips = {6: (say("pit"), "info"), 8: (say("spin_chip"), "warn"), 3: (say("out"), "plain")}
    gaps = ("", "+5", "+13", "+14", "+15", "+24", "+27", "", "", "")
    return tuple(
        Row(
            position=position,
            plate=car(place),
            code=CODES[place],
            name=CODES[place].capitalize(),
            gear=f"{say('g')}{'–' if place in chips else 4}",
            lap=f"{say('l')}{1 if place in (8, 3) else 2}",
            gap=say("leader") if position == 1 else gaps[position - 1],
            chip=chips.get(place, ("", "plain"))[0],
            chip_tone=chips.get(place, ("", "plain"))[1],  # type: ignore[arg-type]
            played=position < 3,
            playing=position == 3,
            out=place == 3,
        )
        for position, place in enumerate(places, 1)
    )


def gears() -> tuple[GearCell, ...]:
    """A gear gate in fourth."""
    return (
        GearCell(gear=1, state="allowed", word="−2", tone="warn"),
        GearCell(gear=2, state="allowed", word="−1", tone="warn"),
        GearCell(gear=3, state="allowed", word=say("free"), tone="ok"),
        GearCell(gear=4, state="now", word=say("now")),
        GearCell(gear=5, state="allowed", word=say("free"), tone="ok"),
        GearCell(gear=6, state="barred"),
    )


def board() -> Dashboard:
    """A dashboard."""
    built, left = (6, 3, 3, 3, 3, 2), (5, 2, 3, 2, 1, 2)
    return Dashboard(
        plate=car(1),
        name="Vidal",
        position="P3",
        gears=gears(),
        columns=tuple(
            Column(pool=pool, name=pool, built=most, left=now)
            for pool, most, now in zip(POOLS, built, left, strict=True)
        ),
        extras=(
            Extra(icon="tyres", label=say("soft"), value=say("age"), tone="bad"),
            Extra(icon="bolt", label="KERS", filled=2, of=3),
        ),
    )


def card() -> Card:
    """A ruling that costs points."""
    return Card(
        title=say("overshoot"),
        article=f"{say('art')} 10-0-1",
        icon="flag",
        tone="warn",
        sum=(
            Term(value="2", word=say("spaces")),
            Term(value="×"),
            Term(value="2", word=say("soft_word")),
            Term(value="="),
            Term(value="−4", word=say("tyres"), tone="warn"),
        ),
        losses=(Loss(pool="tyres", name=say("tyres").capitalize(), built=6, before=5, after=1),),
        lines=(Line(text=say("one_left"), tone="warn"),),
        accept=say("accept"),
        act=say("land_c"),
    )


def bar() -> TopBar:
    """The top of the race."""
    return TopBar(lap="2", laps="3", round="14", sky=say("rain"), sky_icon="rain", surface=say("wet"))


class Race(Pane):
    """The race frame without its board: bar, order, dashboard or card, and a question."""

    def __init__(self, question: str, ruling: bool = False, **properties: Any) -> None:
        super().__init__(**properties)
        self.question, self.ruling = question, ruling
        self.top_bar, self.strip, self.dashboard = (
            TopBarView(on_menu=_nothing),
            OrderStrip(on_tap=_nothing),
            DashboardView(),
        )
        more = None if ruling else _nothing
        self.band = PromptBand(_nothing, _nothing, _nothing, _nothing, _nothing, _nothing, more, _nothing)
        self.card = RulingCard(_nothing, _nothing, _nothing)

    def arrange(self) -> None:
        prompt = prompts()[self.question]
        high = 192.0 if prompt.layout == "black" else 160.0
        wide = self.w - 252 if self.ruling else self.w
        self.top_bar.show(bar())
        self.top_bar.tell(ShotTime(left=38, of=60))
        self.put(self.top_bar, 0, 0, self.w, 48)
        self.strip.show(order())
        self.put(self.strip, 0, 48, 60 if self.ruling else 200, self.h - 48 - high)
        self.band.show(prompt)
        self.put(self.band, 0, self.h - high, wide, high)
        if self.ruling:
            self.card.show(card())
            self.put(self.card, self.w - 252, 48, 252, self.h - 48)
        else:
            self.dashboard.show(board())
            self.put(self.dashboard, self.w - 214, 48, 214, self.h - 48 - high)

    def paint(self, pen: Pen) -> None:
        pen.fill(0, 0, pen.w, pen.h, "bg0")
        pen.fill(0, 0, pen.w, pen.h, "ground")


def _nothing(*_: object) -> None:
    """What the keys of the gallery do."""


class Gallery(Pane):
    """All components on one sheet."""

    def __init__(self, **properties: Any) -> None:
        super().__init__(**properties)
        self.parts: list[tuple[Pane, tuple[float, float, float, float]]] = []
        self._made()
        theme.bind(language=self._made)

    def _made(self, *_: object) -> None:
        for part, _place in self.parts:
            self.remove_widget(part)
        self.parts = []
        self._keys()
        self._race_parts()
        self._dice()
        self._cards()
        self.look_again()

    def _add(self, part: Pane, shown: Any, x: float, y: float, w: float, h: float) -> Pane:
        part.show(shown)
        self.parts.append((part, (x, y, w, h)))
        return part

    def arrange(self) -> None:
        for part, place in self.parts:
            self.put(part, *place)

    def _keys(self) -> None:
        stop = (free(),)
        pressed, held = Key(on_tap=_nothing), Key(on_tap=_nothing)
        pressed.pressed, held.held = True, 0.6
        for place, (key, face) in enumerate(
            (
                (Key(on_tap=_nothing), Face(label="9", prices=stop, size=46)),
                (pressed, Face(label="9", prices=stop, size=46)),
                (Key(on_tap=_nothing), Face(label="+10", note=say("misplaced"), look="option", size=VALUE)),
                (Key(on_tap=_nothing), Face(label="C", note=say("over_2"), look="option", size=VALUE, chosen=True)),
                (Key(on_tap=_nothing), Face(label=say("next_car"), note=say("points_left"), look="barred", size=20)),
                (Key(on_tap=_nothing), Face(label=theme.say("undo"), note=say("gear_4"), icon="undo", look="quiet")),
                (Key(on_tap=_nothing), Face(note=theme.say("more"), icon="more", look="quiet")),
                (held, Face(label="9", size=46)),
                (Key(on_tap=_nothing), Face(label="9", prices=stop, size=46, chosen=True)),
            )
        ):
            self._add(key, face, 32 + place * 133, 112, 117, 88)

    def _race_parts(self) -> None:
        self._add(OrderStrip(on_tap=_nothing), order(), 32, 458, 200, 272)
        self._add(DashboardView(on_tap=_nothing), board(), 264, 458, 214, 272)
        for place, left in enumerate((38, 9, -12)):
            time = ShotTime(left=left, of=60)
            self._add(ShotClock(), time, 520 + 182 * place, 660, 170, 45)
            self._add(ShotLine(), time, 520 + 182 * place, 705, 170, 3)
        self._add(Trail(_nothing), trail(2), 1026, 656, 236, 52)

    def _dice(self) -> None:
        for place, answer in enumerate(faces(11, 20)):
            face = Face(label=answer.label, prices=answer.prices, size=32)
            self._add(Key(on_tap=_nothing), face, 32 + 62 * place, 784, 54, 88)
            for row in (0, 1):
                number = str(place + 1 + 10 * row)
                self._add(Key(on_tap=_nothing), Face(label=number, size=28), 660 + 62 * place, 784 + 64 * row, 54, 56)

    def _cards(self) -> None:
        art = say("art")
        cards = (
            card(),
            Card(
                title=say("spin_title"),
                article=f"{art} 10-2",
                icon="triangle",
                tone="bad",
                lines=(Line(text=say("turn_car"), icon="tyres", tone="bad"), Line(text=say("restart"))),
                accept=say("spin_title"),
            ),
            Card(
                title=say("stop_title"),
                article=f"{art} 9-1",
                icon="check",
                tone="ok",
                lines=(Line(text=say("no_cost"), tone="ok"),),
                accept=say("accept"),
            ),
        )
        for place, one in enumerate(cards):
            self._add(RulingCard(_nothing, _nothing, _nothing), one, 32 + 268 * place, 968, 252, 432)
        self._add(ToastView(_nothing, seconds=1e9), _toast("ok", "check", "stop_title", "log"), 852, 968, 388, 60)
        self._add(ToastView(_nothing, seconds=1e9), _toast("warn", "die", "roller_lost", "retry"), 852, 1036, 388, 60)
        self._add(
            ToastView(_nothing, seconds=1e9), _toast("bad", "triangle", "save_failed", "export"), 852, 1104, 388, 60
        )
        question = Question(title=say("retire"), note=say("retire_note"), act=say("retire_act"))
        self._add(Confirm(_nothing, _nothing), question, 852, 1180, WIDE, HIGH)
        nothing = Nothing(icon="flag", title=say("no_race"), note=say("no_race_note"), act=say("new_race"))
        self._add(Empty(_nothing), nothing, 852, 1392, 388, 190)

    def paint(self, pen: Pen) -> None:
        pen.fill(0, 0, pen.w, pen.h, "bg1")
        pen.text(say("title"), 32, 46, QUESTION, "hi", BOLD)
        for key, x, y in (
            ("keys", 32, 92),
            ("plates", 32, 240),
            ("chips", 880, 240),
            ("order", 32, 438),
            ("dashboard", 264, 438),
            ("wear", 520, 438),
            ("clock", 520, 640),
            ("trail", 1086, 640),
            ("ten_faces", 32, 764),
            ("black_die", 660, 764),
            ("card", 32, 944),
            ("toast", 852, 944),
        ):
            pen.text(say(key), x, y, CAPTION, "mid")
        for place in range(len(NUMBERS)):
            plate.draw(pen, car(place), 70 + 80 * place, 290, 40)
            plate.draw(pen, Plate(number=NUMBERS[place] + 50, place=place + 10), 70 + 80 * place, 346, 40)
            plate.draw(pen, car(place), 70 + 80 * place, 396, 24)
        left = 880.0
        for word, token in (("pit", "info"), ("spin_chip", "warn"), ("out", "low"), ("fire", "bad"), ("won", "ok")):
            left += order_strip.chip(pen, say(word), left + pen.width(say(word), CAPTION) + 13, 280, token) + 12
        for place, pool in enumerate(POOLS):
            pen.icon(pool, 894 + 48 * place, 330, 22, "mid")
        columns = (
            (Column(pool="tyres", name=say("full"), built=6, left=6)),
            (Column(pool="tyres", name=say("spent"), built=6, left=3)),
            (Column(pool="tyres", name=say("shown_cost"), built=6, left=5, cost=2)),
            (Column(pool="engine", name=say("last_one"), built=3, left=1)),
            (Column(pool="brakes", name=say("empty"), built=3, left=0)),
            (Column(pool="brakes", name=say("repair"), built=3, left=2, repaired=1)),
        )
        for place, column in enumerate(columns):
            wear.draw(pen, column, 550 + 90 * place, 458, name=True)
        dashboard.gate(pen, gears(), 1066, 480, 198)


def _toast(tone: Any, icon: str, text: str, action: str) -> Toast:
    return Toast(text=say(text), tone=tone, icon=icon, action=action, action_label=say(action))
