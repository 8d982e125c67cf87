"""Content of the gallery: a question, an order, a dashboard and a ruling."""

from __future__ import annotations

from typing import Any, Final

from companion.rules.circuit.track import Track
from companion.rules.conversation.kinds import POOLS
from companion.screens.kit.theme import theme
from companion.view.shown import (
    AnswerKey,
    Card,
    CardLine,
    Column,
    Dashboard,
    Extra,
    GearCell,
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
from companion.view.shown_board import BoardScene, CarMark, CornerNote, SpaceMark

NUMBERS: Final = (7, 14, 31, 40, 22, 18, 27, 3, 5, 9)
CODES: Final = ("BRU", "VID", "HAS", "DAL", "OKO", "FER", "KEL", "LIN", "SOU", "NOV")


def say(key: str) -> str:
    """Return a text of the gallery."""
    return theme.say(key, "gallery")


def car(place: int) -> Plate:
    """Return the plate of the car at a place."""
    return Plate(number=NUMBERS[place], place=place)


def free() -> Price:
    return Price(icon="check", text=say("stop"), tone="ok")


def cost(points: int) -> Price:
    return Price(icon="tyres", text=f"−{points}", tone="warn")


def spin() -> Price:
    return Price(icon="triangle", text=say("spin"), tone="bad")


def faces(low: int, high: int, priced: bool = True) -> tuple[AnswerKey, ...]:
    """Return the faces of a die: the best free, the middle at a cost, the last a spin."""

    def prices(face: int) -> tuple[Price, ...]:
        over = face - low - 2
        return (free() if over < 1 else cost(2 * over) if over < 3 else spin(),)

    return tuple(
        AnswerKey(answer=face, label=str(face), prices=prices(face) if priced else ()) for face in range(low, high + 1)
    )


def trail(now: int) -> tuple[Step, ...]:
    """Return the steps of a turn, `now` being the current one."""
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
    """Return a question for each layout that fits the race frame."""
    undo = Undo(label=say("gear_4"))
    common: dict[str, Any] = {"n": 1, "plate": car(1), "undo": undo}
    gears = (
        AnswerKey(label="1", note="1–2", why="1", prices=(Price(icon="cross", text=f"{say('engine')} 1", tone="bad"),)),
        AnswerKey(answer=2, label="2", note="2–4", prices=(Price(icon="gearbox", text="−1", tone="warn"), cost(1))),
        AnswerKey(answer=3, label="3", note="4–8", prices=(Price(icon="gearbox", text="−1", tone="warn"),)),
        AnswerKey(answer=4, label="4", note="7–12", prices=(Price(text=say("free"), tone="ok"),)),
        AnswerKey(answer=5, label="5", note="11–20", prices=(Price(text=say("free"), tone="ok"),)),
        AnswerKey(answer=6, label="6", note="21–30", prices=(Price(text=say("free"), tone="ok"),)),
    )
    landings = (
        AnswerKey(
            answer="a",
            label="A",
            note=say("stop_made"),
            note_tone="ok",
            prices=(Price(icon="brakes", text="−2", tone="warn"),),
        ),
        AnswerKey(
            answer="b",
            label="B",
            note=say("over_1"),
            prices=(Price(icon="brakes", text="−1", tone="warn"), cost(2)),
            accept=True,
        ),
        AnswerKey(answer="c", label="C", note=say("over_2"), prices=(cost(4),), accept=True),
    )
    words = tuple(AnswerKey(answer=word, label=say(word)) for word in ("take", "leave"))
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
    """Return a running order of ten cars."""
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
    """Return a gear gate in fourth."""
    return (
        GearCell(gear=1, state="allowed", word="−2", tone="warn"),
        GearCell(gear=2, state="allowed", word="−1", tone="warn"),
        GearCell(gear=3, state="allowed", word=say("free"), tone="ok"),
        GearCell(gear=4, state="now", word=say("now")),
        GearCell(gear=5, state="allowed", word=say("free"), tone="ok"),
        GearCell(gear=6, state="barred"),
    )


def board() -> Dashboard:
    """Return a dashboard."""
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
    """Return a ruling that costs points."""
    return Card(
        title=say("overshoot"),
        article=f"{say('art')} 10-0-1",
        icon="flag",
        tone="warn",
        sums=(
            (
                Term(value="2", word=say("spaces")),
                Term(value="×"),
                Term(value="2", word=say("soft_word")),
                Term(value="="),
                Term(value="−4", word=say("tyres"), tone="warn"),
            ),
        ),
        losses=(Loss(pool="tyres", name=say("tyres").capitalize(), built=6, before=5, after=1),),
        lines=(CardLine(text=say("one_left"), tone="warn"),),
        accept=say("accept"),
        act=say("land_c"),
    )


def on_the_board(track: Track) -> BoardScene:
    """Return spaces and cars in all states, on a straight and in its corner."""

    def from_here(name: str, spaces: int) -> str:
        space = track.ids[name]
        for _ in range(spaces):
            space = track.ahead[space]
        return track.name_of(space)

    middle, side = "19:middle:16", "19:right:16"
    states: tuple[tuple[Any, str, tuple[Price, ...]], ...] = (
        ("free", "9", (free(),)), ("cost", "10", (cost(2),)), ("bad", "12", (spin(),)), ("choice", "B", ()),
        ("chosen", "C", ()), ("danger", "", ()),
    )  # fmt: skip
    marks = tuple(
        SpaceMark(space=from_here(middle, 2 * at), state=state, text=text, prices=prices)
        for at, (state, text, prices) in enumerate(states)
    )
    standing: tuple[tuple[int, Any], ...] = ((1, "playing"), (8, "spun"), (3, "out"), (4, "plain"))
    cars = tuple(
        CarMark(plate=car(place), space=from_here(side, 3 * at + 1), state=state)
        for at, (place, state) in enumerate(standing)
    )
    corner = track.corner[track.ids[from_here(middle, 11)]]
    stops, name = track.corners[corner].stops, track.corners[corner].name
    note = CornerNote(corner=corner, stops=stops, name=name)
    return BoardScene(around=cars[0].space, cars=cars, spaces=marks, corners=(note,))


def bar() -> TopBar:
    """Return the top bar of a race."""
    return TopBar(lap="2", laps="3", round="14", sky=say("rain"), sky_icon="rain", surface=say("wet"))


def toast(tone: Any, icon: str, text: str, action: str) -> Toast:
    """Return a toast with a key."""
    return Toast(text=say(text), tone=tone, icon=icon, action=action, action_label=say(action))
