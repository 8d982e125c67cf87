"""What is told lies on no key and no question, however the screen of a race is divided."""

from __future__ import annotations

from collections.abc import Callable
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
from companion.screens.kit.toast import NARROW, WIDE, make_room
from companion.screens.kit.touch import ears
from companion.screens.race.race import LAYOUTS
from companion.view.race.intents import Choose, OpenForm, Override
from companion.view.shown import Toast
from tests.screens.audit import audit, marks, place, targets
from tests.screens.faulty import FullScreen
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
    assert table.shown.card is not None
    assert table.ui.offers(table.shown.card.accept)


def nothing(table: Table) -> None:
    """It is as it comes."""


def keypad(table: Table) -> None:
    """The queue is held where no key is."""
    table.until(lambda: ears.open)
    table.rig.hold(4, 52)
    table.calm()
    assert table.ui.offers("20")


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


@pytest.fixture
def laid(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The divisions that the screen of a race had, one after the other."""
    seen: list[str] = []
    for name, lay in list(LAYOUTS.items()):
        noted = lambda *given, name=name, lay=lay: (seen.append(name), lay(*given))  # noqa: E731
        monkeypatch.setitem(LAYOUTS, name, noted)  # type: ignore[arg-type]
    return seen


@pytest.fixture
def divided(at_race: Any, folder: Path, division: str, laid: list[str]) -> Table:
    make, then = DIVIDED[division]
    table: Table = at_race(make=lambda: make(folder), app={"prices": "always"})
    then(table)
    table.calm()
    assert laid[-1] == division.partition(",")[0]
    return table


def misplaced(table: Table) -> list[str]:
    """What is wrong with the place of a toast."""
    return [said for said in table.ui.wrong() if "toast" in said or "apart" in said]


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
                assert divided.ui.sees(toast.text)
                wrong += [f"{size[0]} {language} {name}: {said}" for said in misplaced(divided)]
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
        over, told = table.app.over, table.ui.toast_box()
        assert over is not None
        assert audit(over) == []
        assert not any(told.meets(box, -8) for _, box in targets(over))
        assert not any(told.meets(one.box) for one in marks(over) if one.mark.kind == "text")
        table.touch("It is ours")
        assert table.app.over is None
        assert misplaced(table) == []
    assert done == ["it is", "it is"]


def test_a_toast_that_would_lie_on_keys_is_narrow(table: Table) -> None:
    table.show(FullScreen)
    told = Toast(text="Bo is 2nd", action="log", action_label="Log")
    table.app.tell(told)
    table.calm()
    assert table.ui.toast_box().w == NARROW
    assert [said for said in table.ui.wrong() if "toast" in said] == []
    table.app.back()
    table.app.tell(told)
    table.calm()
    assert table.ui.toast_box().w == WIDE, "where it has room"


@pytest.mark.parametrize("division", ["over"])
def test_a_list_gives_up_its_foot_for_a_toast_and_takes_it_back(divided: Table) -> None:
    ui = divided.ui
    whole, below = ui.words(), divided.shown.order[-1].name
    for toast in TOLD.values():
        divided.app.tell(toast)
        divided.calm()
        assert any(word.box.meets(ui.toast_box()) for word in whole), "it is where rows were"
        assert misplaced(divided) == []
        assert below in ui.lines(), "all rows are still to be had"
        divided.app.hush()
        ui.scroll(start=True)
        divided.calm()
        assert [word[:2] for word in ui.words()] == [word[:2] for word in whole]


@pytest.mark.parametrize("scale", [11 / 12, 0.8, 1.0, 1.1, 1.37, 1.5, 2.25])
def test_a_list_gives_up_its_foot_once_where_a_dp_is_no_whole_pixel(rig: Rig, scale: float) -> None:
    """Rounded anew each time it is laid, it would move the toast and the toast it, for ever."""
    rows, laid = Rows(RowView), list[float]()
    rows.show(range(40))

    class Listed(Pane):
        """A list over the whole of a screen; how often it was laid."""

        def arrange(self) -> None:
            laid.append(self.h)
            self.put(rows, 0, 0, self.w, self.h)

    rig.window((800, 480), scale)
    screen = rig.show(Listed())
    rig.settle(2)
    for above in range(0, 110, 7):
        top = laid[-1] - above
        make_room(screen, top)
        rig.settle(1)
        before = len(laid)
        for _ in range(9):  # as often as something else is laid meanwhile
            make_room(screen, top)
            rig.settle(1)
        assert len(laid) - before <= 1, above
        assert place(rows).h <= top + 2


def test_no_division_is_left_out() -> None:
    assert {name.partition(",")[0] for name in DIVIDED} == set(LAYOUTS)


def test_what_was_told_in_one_language_goes_with_it(at_race: Any) -> None:
    table = at_race()
    for change, stays in (({"theme": "daylight"}, True), ({"language": "fr"}, False)):
        table.app.tell(TOLD["short"])
        table.app.choose(**change)
        table.calm()
        assert table.ui.sees("Stop made") == stays


@pytest.mark.parametrize("page", ["hall", "new_race", "rules"])
@pytest.mark.parametrize("told", TOLD)
def test_a_toast_lies_on_no_line_to_write(page: str, told: str, at_race: Any) -> None:
    table = at_race()
    table.app.go(page)
    table.app.tell(TOLD[told])
    table.calm()
    assert misplaced(table) == []
