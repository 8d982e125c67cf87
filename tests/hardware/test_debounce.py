"""Presses out of bouncing contacts: by traces of edges, and by random ones."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.debounce import GUARD, HELD, LATE, MEANS, SETTLES, Contact, Name, Press, Presses

# Times in milliseconds at which a contact changed, down first; written after what contacts are known to do.
CLEAN = (1000, 1120)
BOUNCES = (1000, 1001, 1002, 1004, 1005, 1120, 1121, 1123)
WORN = (1000, 1003, 1009, 1018, 1030, 1180, 1186, 1190, 1192, 1201)
"""Bounces for thirty milliseconds at either end."""
SPARK = (1000, 1004)
"""A lamp was switched beside it."""
SPARK_WHILE_HELD = (1000, 1300, 1303, 1900)
LONG = (1000, 1001, 1002, 1900, 1901, 1902)
JUST_SHORT = (1000, 1000 + HELD - 1)
JUST_LONG = (1000, 1000 + HELD)


def heard(trace: tuple[int, ...], name: Name = "confirm", late: int = 1) -> list[str]:
    """What a trace means, if the clock is looked at every `late` milliseconds."""
    contact, found, edges = Contact(name), list[Press](), list(trace)
    for now in range(900, 3000, late):
        while edges and edges[0] <= now:
            found += contact.edge((len(trace) - len(edges)) % 2 == 0, edges.pop(0))
        found += contact.settle(now)
    return [press.means for press in found]


@pytest.mark.parametrize("late", [1, 7, 20, 250])
@pytest.mark.parametrize(
    ("trace", "means"),
    [
        (CLEAN, ["confirm"]),
        (BOUNCES, ["confirm"]),
        (WORN, ["confirm"]),
        (SPARK, []),
        (SPARK_WHILE_HELD, ["override"]),
        (LONG, ["override"]),
        (JUST_SHORT, ["confirm"]),
        (JUST_LONG, ["override"]),
        ((*CLEAN, *(at + 400 for at in CLEAN)), ["confirm", "confirm"]),
    ],
)
def test_a_trace_of_edges_is_one_press_or_none(trace: tuple[int, ...], means: list[str], late: int) -> None:
    assert heard(trace, late=late) == means


def test_a_button_whose_hold_means_nothing_is_heard_as_soon_as_it_rests() -> None:
    contact = Contact("clock")
    contact.edge(True, 1000)
    assert contact.settle(1000 + SETTLES - 1) == []
    assert contact.settle(1000 + SETTLES) == [Press("clock", "pause", 1000)]
    assert heard(LONG, "clock") == ["pause"]


def test_it_is_known_when_there_will_be_something_to_say() -> None:
    contact = Contact("up")
    assert contact.due is None
    contact.edge(True, 1000)
    assert contact.due == 1000 + SETTLES
    contact.settle(1000 + SETTLES)
    assert contact.due == 1000 + HELD
    assert contact.settle(1000 + HELD) == [Press("up", "last", 1000)]
    assert contact.due is None


@given(st.lists(st.integers(1, 900), max_size=40), st.sampled_from(sorted(MEANS)), st.integers(1, 90))
def test_no_trace_brings_more_presses_than_it_has_rests(gaps: list[int], name: Name, late: int) -> None:
    """Each press needs the contact to rest down, and each but the last to rest up after it."""
    at, trace = 1000, []
    for gap in gaps:
        trace.append(at)
        at += gap
    if len(trace) % 2:
        trace.append(at)
    rests = sum(later - before >= SETTLES for before, later in zip(trace[::2], trace[1::2], strict=True))
    contact, found, edges = Contact(name), list[Press](), list(trace)
    for now in range(1000, at + 2000, late):
        while edges and edges[0] <= now:
            found += contact.edge((len(trace) - len(edges)) % 2 == 0, edges.pop(0))
        found += contact.settle(now)
    assert len(found) <= rests
    assert bool(found) == bool(rests)
    assert not contact.down


def pressed(presses: Presses, name: Name, at: int) -> list[str]:
    return [
        press.means
        for found in (presses.edge(name, True, at), presses.edge(name, False, at + 80), presses.settle(at + 200))
        for press in found
    ]


def test_the_second_of_two_taps_does_not_answer_the_next_question() -> None:
    presses = Presses()
    assert pressed(presses, "confirm", 1000) == ["confirm"]
    presses.question(1130)
    assert pressed(presses, "confirm", 1180) == [], "a double tap"
    assert pressed(presses, "undo", 1180 + 100) == []
    assert pressed(presses, "up", 1180 + 120) == ["up"], "a selection answers nothing"
    assert pressed(presses, "confirm", 1130 + GUARD + 300) == ["confirm"]


def test_what_was_pressed_before_the_question_was_read_is_not_meant_for_it() -> None:
    """The roller answered while a finger was on its way."""
    presses = Presses()
    presses.edge("confirm", True, 1000)
    presses.question(1050)
    assert presses.edge("confirm", False, 1400) == []
    assert presses.settle(1500) == []


def test_buttons_that_were_pressed_together_come_in_the_order_in_which_they_went_down() -> None:
    presses = Presses()
    for name, at in (("up", 1000), ("down", 1001), ("confirm", 990)):
        presses.edge(name, True, at)  # type: ignore[arg-type]
    for name in ("up", "down", "confirm"):
        presses.edge(name, False, 1100)  # type: ignore[arg-type]
    assert [press.name for press in presses.settle(1200)] == ["confirm", "up", "down"]
    assert presses.due is None


def test_an_edge_that_never_comes_is_waited_for_no_longer_than_it_may_be_late() -> None:
    presses = Presses()
    presses.edge("confirm", True, 1000)
    up = dict.fromkeys(MEANS, False).__getitem__
    assert presses.settle(1000 + SETTLES + LATE - 1, up) == []
    assert [press.means for press in presses.settle(1000 + HELD + LATE, up)] == ["override"]
