"""The audit itself finds what is wrong."""

from __future__ import annotations

from typing import Any

import pytest

from companion.screens.kit.key import Face, Key
from companion.screens.kit.pane import Pane
from companion.screens.kit.toast import ToastView
from companion.view.shown import Toast as Shown
from tests.screens.audit import audit
from tests.screens.rig import Rig


def found(rig: Rig, *drawn: Any) -> str:
    """What the audit says of a pane on which something is drawn."""

    class Drawn(Pane):
        def paint(self, pen: Any) -> None:
            pen.fill(0, 0, pen.w, pen.h, "bg2")
            for draw in drawn:
                draw(pen)

    return " ".join(audit(rig.show(Drawn(), 100, 100, 200, 100)))


FAULTS = {
    "is cut off": (lambda pen: pen.text("Gearbox of the car", 5, 50, 18, room=60),),
    "leaves its widget": (lambda pen: pen.text("Gearbox of the car", 150, 50, 18),),
    "under 15": (lambda pen: pen.text("Gearbox", 5, 50, 14),),
    "under 14": (lambda pen: pen.text("12", 5, 50, 13),),
    "overlap": (lambda pen: pen.text("Gearbox", 5, 50, 18), lambda pen: pen.text("Body", 20, 55, 18)),
    "a contrast of": (lambda pen: pen.text("Gearbox", 5, 50, 18, "rim"),),
    "the rim at": (lambda pen: pen.rim(5, 5, 40, 40, "bg4"),),
    "the icon at": (lambda pen: pen.icon("flag", 20, 20, 24, "bg4"),),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_found(rig: Rig, fault: str) -> None:
    assert fault in found(rig, *FAULTS[fault])


def test_what_is_well_is_not_found(rig: Rig) -> None:
    assert not found(
        rig,
        lambda pen: pen.text("Gearbox of the car", 5, 30, 18),
        lambda pen: pen.text("14", 5, 60, 14),
        lambda pen: pen.text("A name that is far too long for it", 5, 85, 18, room=60, cut=True),
        lambda pen: pen.icon("flag", 160, 60, 24, "hi"),
    )


def test_a_toast_on_a_key_is_found(rig: Rig) -> None:
    toast = ToastView()
    toast.show(Shown(text="Stop made"))

    class Both(Pane):
        def arrange(self) -> None:
            self.put(key, 300, 300, 92, 88)
            self.put(toast, 206, *lies)

    key, lies = Key(Face(label="9"), on_tap=print), (248, 388, 60)
    shown = rig.show(Both(size=(800, 480)))
    assert "covers the Key" in " ".join(audit(shown))
    lies = (238, 388, 60)
    rig.show(shown, 0, 0, 800, 479)
    assert not audit(shown)


def test_what_is_covered_is_not_seen(rig: Rig) -> None:
    assert not found(
        rig,
        lambda pen: pen.text("Gearbox", 5, 50, 18, "rim"),
        lambda pen: pen.fill(0, 0, pen.w, pen.h, "bg3"),
        lambda pen: pen.text("Body", 5, 50, 18),
    )


@pytest.mark.parametrize(
    ("first", "second", "fault"),
    [
        ((100, 100, 90, 88), (198, 100, 90, 88), ""),
        ((100, 100, 90, 88), (195, 100, 90, 88), "less than 8 dp apart"),
        ((100, 100, 90, 44), (300, 100, 90, 88), "too small for a finger"),
        ((100, 100, 51, 51), (300, 100, 90, 88), "too small for a finger"),
        ((100, 100, 56, 48), (300, 100, 90, 88), ""),
        ((100, 100, 90, 88), (750, 100, 90, 88), "leaves the window"),
    ],
)
def test_targets(rig: Rig, first: Any, second: Any, fault: str) -> None:
    class Two(Pane):
        def arrange(self) -> None:
            for key, place in zip(keys, (first, second), strict=True):
                self.put(key, *place)

    keys = [Key(Face(label="9"), on_tap=print) for _ in range(2)]
    said = " ".join(audit(rig.show(Two())))
    assert fault in said if fault else not said
