"""What is told lies on no key and no question, however the screen of a race is divided."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import pytest
from kivy.core.window import Window

from companion.desk import RaceDesk
from companion.rules.conversation.asking import Asked
from companion.screens.app.pictures import MOMENTS, ScenePoint, race_at
from companion.screens.kit.confirm import Confirmation
from companion.screens.kit.pane import Pane
from companion.screens.kit.rows import Rows, RowView
from companion.screens.kit.toast import make_room
from companion.screens.kit.touch import ears
from companion.screens.race.race import LAYOUTS
from companion.screens.race.state import Keypad
from companion.view.race.intents import Choose, OpenForm, Override
from companion.view.shown import Toast
from tests.screens.audit import audit, marks, place, targets
from tests.screens.panels import PANELS
from tests.screens.rig import Rig
from tests.screens.table import Table, a_race
from tests.screens.test_wrong_by_touch import desk_of
from tests.test_bad_input_of_dice import WRONG

TOLD: Final = {
    "short": Toast(text="Stop made"),
    "long": Toast(
        text="Élodie de la Fontaine-Dubois must stop next turn at the latest, for there is fuel in the tank of the car "
        "to the end of turn 7 and no further; whoever runs dry is out of the race at once, and all its cards go back.",
        tone="warn", icon="triangle", action="log", action_label="Log",
    ),
}  # fmt: skip


def asks(ask: str, what: str = "", least: int = 0) -> Callable[[Asked], bool]:
    return lambda asked: asked.ask == ask and (not what or asked.what == what) and len(asked.options or ()) >= least


def moment(*given: Any) -> Callable[[Path], RaceDesk]:
    return lambda folder: race_at(ScenePoint(*given), folder)


def costs(asked: Asked) -> bool:
    """A gear that costs something."""
    return asked.ask == "gear" and any(option.wear for option in asked.options or [])


def typed(folder: Path) -> RaceDesk:
    car = {"car": 1, "driver": "Ada", "at": "section:8", "lap": 1, "fuel": 30, "strategy": "balance", "check": "D2 50"}
    rival = {"car": 2, "driver": "Bo", "at": "section:1", "lap": 1, "fuel": 30}
    return a_race(folder, "saltmarsh", rulebook="ninety", laps=12, cars=[car, rival], round=5, to_play=[1, 2])


def whole(table: Table) -> None:
    """The whole form instead of what is offered."""
    table.emit(OpenForm())


def parted(at: int) -> Callable[[Table], object]:
    """One part of what was seen."""
    return lambda table: table.touch(table.prompt.seen.groups[at].label)  # type: ignore[union-attr]


def carded(table: Table) -> None:
    """An answer that costs something is touched, and its card is there."""
    seat = table.app.playing.seat
    assert seat is not None
    seat.select(next(key for key in table.prompt.keys if key.accept).answer)
    table.calm()
    assert table.controller.card is not None


def nothing(table: Table) -> None:
    """It is as it comes."""


def keypad(table: Table) -> None:
    """The queue is held where no key is."""
    left, top = place(table.screen.queue)[:2]
    table.until(lambda: ears.open)
    table.rig.hold(left + 4, top + 4)
    table.calm()
    assert table.controller.question.view == Keypad()


DIVIDED: Final[dict[str, tuple[Callable[[Path], RaceDesk], Callable[[Table], object]]]] = {
    "race": (moment(asks("gear"), 30), nothing),
    "race, die": (moment(asks("roll", "gear_4"), 6), nothing),
    "race, black die": (moment(asks("roll", "gear_6")), nothing),
    "race, card": (moment(costs, 2), carded),
    "landing": (moment(asks("landing", least=7)), nothing),
    "race, why": (moment(asks("roll", "gear_4"), 6), lambda table: table.emit(Override(table.prompt.keys[1]))),
    "race, sections": (moment(*MOMENTS["race-sections"][:4]), nothing),
    "race, contest": (moment(*MOMENTS["race-contest"][:4]), nothing),
    "overview": (moment(asks("gear"), 30), lambda table: table.emit(Choose("overview"))),
    "race, sections alone": (moment(*MOMENTS["race-sections"][:4]), lambda table: table.emit(Choose("overview"))),
    "queue": (moment(asks("test", "collision"), 2), nothing),
    "race, keypad": (moment(asks("test", "collision"), 2), keypad),
    "pools": (lambda _: desk_of(WRONG["a repair beyond the column"]), nothing),
    "form": (moment(asks("saw"), 12, "competition", "spa"), whole),
    "form, part 1": (moment(asks("saw"), 12, "competition", "spa"), parted(0)),
    "form, part 2": (moment(asks("saw"), 12, "competition", "spa"), parted(1)),
    "seen": (moment(asks("saw"), 12, "competition", "spa"), nothing),
    "seen, card": (moment(asks("saw"), 12, "competition", "spa"), carded),
    "typing": (typed, nothing),
    "attack": (moment(*MOMENTS["race-attack"][:4]), nothing),
    "over": (moment(asks("nothing")), nothing),
}
"""Every division of the screen, and what may be otherwise in one: the race, and what is touched."""


def covered(table: Table) -> list[str]:
    """What the toast covers of the question and of what is filled in."""
    screen, toast = table.screen, place(table.app.toast)
    asking = (
        screen.band,
        screen.bare_band,
        screen.pools,
        screen.attack_band,
        screen.seen,
        screen.outcomes,
    )
    return [
        f"The toast covers the {type(one).__name__}." for one in asking if one.parent and place(one).meets(toast, 2)
    ]


@pytest.fixture
def divided(rig: Rig, folder: Path, division: str) -> Iterator[Table]:
    make, then = DIVIDED[division]
    table = Table.at_race(rig, folder, lambda: make(folder), prices="always")
    then(table)
    table.calm()
    assert table.controller.layout == division.partition(",")[0]
    yield table
    table.close()


@pytest.mark.parametrize("division", DIVIDED)
def test_a_toast_lies_on_no_key_and_no_question_of_a_division(divided: Table, division: str) -> None:
    wrong = []
    for size, _ in PANELS:
        Window.size = size
        for language in ("en", "fr"):
            divided.app.choose(language=language)
            divided.calm()
            for name, toast in TOLD.items():
                divided.app.hush()
                divided.app.tell(toast)
                divided.calm()
                assert divided.app.toast.parent is not None
                found = [said for said in audit(divided.app.stage) if "toast" in said or "apart" in said]
                wrong += [f"{size[0]} {language} {name}: {said}" for said in (*found, *covered(divided))]
                if shown := os.environ.get("PICTURES"):
                    divided.rig.screenshot(Path(shown) / f"toast-{division}-{size[0]}-{language}-{name}.png")
    assert wrong == []


@pytest.mark.parametrize("size", [size for size, _ in PANELS], ids=["7-inch", "display-2"])
@pytest.mark.parametrize("first", ["toast", "question"])
def test_a_toast_makes_way_for_what_is_being_confirmed(table: Table, size: tuple[int, int], first: str) -> None:
    """Whichever came first, each key of the question can be touched; then the toast goes back to where it was."""
    Window.size = size
    table.calm()
    done: list[str] = []
    asked = Confirmation(title="Is this USB stick yours?", note="Races are copied onto it.", act="It is ours")
    for toast in TOLD.values():
        acts = [lambda: table.app.tell(toast), lambda: table.app.ask(asked, lambda: done.append("it is"))]  # noqa: B023
        for act in acts if first == "toast" else reversed(acts):
            act()
            table.calm()
        over = table.app.over
        assert over is not None
        assert audit(over) == []
        told = place(table.app.toast)
        assert not any(told.meets(box, -8) for _, box in targets(over))
        assert not any(told.meets(one.box) for one in marks(over) if one.mark.kind == "text")
        table.tap(over.made["act"])
        assert table.app.over is None
        table.calm()
        assert [said for said in audit(table.app.stage) if "toast" in said or "apart" in said] == []
    assert done == ["it is", "it is"]


@pytest.mark.parametrize("division", ["over"])
def test_a_list_gives_up_its_foot_for_a_toast_and_takes_it_back(divided: Table) -> None:
    rows = divided.screen.result.rows
    whole = place(rows)
    for toast in TOLD.values():
        divided.app.tell(toast)
        divided.calm()
        told = place(divided.app.toast)
        assert told.y + told.h <= whole.y + whole.h
        assert place(rows).y + place(rows).h <= told.y
        rows.scroll_y = 0  # all rows are still to be had
        divided.calm()
        assert any(one.mark.text == divided.shown.order[-1].name for one in marks(rows))
        divided.app.hush()
        divided.calm()
        assert place(rows) == whole


class Listed(Pane):
    """A list over the whole of a screen; how often it was laid."""

    def __init__(self) -> None:
        self.laid = 0
        super().__init__()
        self.rows = Rows(RowView)
        self.rows.show(range(40))

    def arrange(self) -> None:
        self.laid += 1
        self.put(self.rows, 0, 0, self.w, self.h)


@pytest.mark.parametrize("scale", [11 / 12, 0.8, 1.0, 1.1, 1.37, 1.5, 2.25])
def test_a_list_gives_up_its_foot_once_where_a_dp_is_no_whole_pixel(rig: Rig, scale: float) -> None:
    """Rounded anew each time it is laid, it would move the toast and the toast it, for ever."""
    rig.window((800, 480), scale)
    screen: Listed = rig.show(Listed())
    rig.settle(2)
    for above in range(0, 110, 7):
        top = screen.h - above
        make_room(screen, top)
        rig.settle(1)
        laid = screen.laid
        for _ in range(9):  # as often as something else is laid meanwhile
            make_room(screen, top)
            rig.settle(1)
        assert screen.laid - laid <= 1, above
        assert place(screen.rows).h <= top + 2


def test_no_division_is_left_out() -> None:
    assert {name.partition(",")[0] for name in DIVIDED} == set(LAYOUTS)


def test_what_was_told_in_one_language_goes_with_it(rig: Rig, folder: Path) -> None:
    table = Table.at_race(rig, folder, lambda: a_race(folder))
    try:
        table.app.tell(TOLD["short"])
        table.app.choose(theme="daylight")
        assert table.app.toast.parent is not None
        table.app.choose(language="fr")
        assert table.app.toast.parent is None
    finally:
        table.close()


@pytest.mark.parametrize("page", ["hall", "new_race", "rules"])
@pytest.mark.parametrize("told", TOLD)
def test_a_toast_lies_on_no_line_to_write(rig: Rig, folder: Path, page: str, told: str) -> None:
    table = Table.at_race(rig, folder, lambda: a_race(folder))
    try:
        table.app.go(page)
        table.app.tell(TOLD[told])
        table.calm()
        assert [said for said in audit(table.app.stage) if "toast" in said] == []
    finally:
        table.close()
