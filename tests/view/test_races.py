"""Whole races through the seat: whatever is asked has a usable question, and a plain turn takes three taps at most."""

from __future__ import annotations

from statistics import mean

import pytest

from companion import circuits
from companion.drivers.chance import RandomDriver
from companion.drivers.sensible import HeuristicDriver
from companion.rules.conversation.asking import Json
from companion.view.race.steps import LABEL
from companion.view.race.titles import ROOM
from companion.view.shown import AnswerKey, Prompt
from companion.view.shown_race import RaceShown
from companion.wording import LANGUAGES
from tests.view.watched import Watched, a_desk


def usable(shown: RaceShown, lang: str) -> None:
    """Everything that can be said of a picture without knowing the race."""
    prompt = shown.prompt
    assert 0 < len(prompt.title) <= ROOM[lang], prompt.title
    assert len(prompt.unit) <= 16, prompt.unit
    assert len(prompt.undo.label) <= LABEL
    assert all(len(step.label) <= LABEL for step in prompt.trail)
    assert [step.state for step in prompt.trail].count("now") == bool(prompt.trail)
    assert prompt.chosen < len(prompt.keys)
    assert len({row.code for row in shown.order}) == len(shown.order)
    placed = [row for row in shown.order if row.position or prompt.layout != "none"]
    assert [row.position for row in placed] == list(range(1, len(placed) + 1))
    assert all(row.out for row in shown.order if row not in placed), "only who is out has no place in the end"
    spaces = [mark.space for mark in shown.board.spaces if mark.state != "danger"]
    assert len(spaces) == len(set(spaces))
    for key in prompt.keys:
        assert key.label
        assert all(price.text for price in key.prices)
        if key.why:  # a gear, and its legend costs nothing but says so
            assert prompt.ask in ("gear", "box")
            assert isinstance(key.answer, int)
            assert all(len(price.text) <= 8 for price in key.prices)
            assert bool(key.prices) == (key.plate is None)
            assert key.article
    if shown.card is not None:
        assert 0 < len(shown.card.title) <= 18, shown.card.title
        assert len(shown.card.act) <= 32, shown.card.act
        assert shown.card.article
        assert shown.card.sums or shown.card.lines or shown.card.sky
        assert bool(shown.card.accept) == (shown.card.seq == 0)
    if shown.toast is not None and shown.toast.tone != "bad":
        assert len(shown.toast.text) <= 120, shown.toast.text  # the sentence of the log, in three lines at most
    if shown.dashboard is not None:
        for column in shown.dashboard.columns:
            assert 0 <= column.cost <= column.left <= column.built


def lettered(prompt: Prompt) -> None:
    """A letter for each space, in the order in which they are shown, and each answer once."""
    letters: dict[str, str] = {}
    for key in prompt.keys:
        if key.space:
            assert letters.setdefault(key.space, key.label) == key.label
    assert list(letters.values()) == sorted(set(letters.values()), key=lambda label: (len(label), label))
    rows = [row for page in prompt.pages for row in page.rows]
    assert not prompt.pages or tuple(key for row in rows for key in row.keys) == prompt.keys
    assert not any(row.free and (row.risky or row.keys[0].accept) for row in rows)


def taps(prompt: Prompt, key: AnswerKey | None) -> int:
    """The taps for an answer, by touch: a costly one is selected, unless it was, and accepted."""
    if key is None or not key.accept:
        return 1
    return 1 if prompt.chosen >= 0 and prompt.keys[prompt.chosen] == key else 2


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_whole_race_is_asked_in_usable_pictures(lang: str) -> None:
    track = circuits.load("monaco")
    table = Watched(a_desk, lang=lang)
    driver = HeuristicDriver(track, 1)
    asks: set[str] = set()
    chips: set[str] = set()
    turns: dict[tuple[int, int], list[tuple[str, int]]] = {}
    while (asked := table.desk.asked) is not None:
        prompt, race = table.prompt, table.desk.rulebook.race
        asks.add(asked.ask)
        chips |= {row.chip for row in table.last.order}
        usable(table.last, lang)
        lettered(prompt)
        answer: Json = driver.answer(asked, race)
        key = table.key(answer)
        assert key is not None or prompt.layout == "form", (prompt.title, answer)
        if race.move is not None:
            turns.setdefault((asked.round, race.move.car), []).append((asked.ask, taps(prompt, key)))
        before = table.desk.n
        table.answer(answer)
        assert table.desk.n > before
    assert table.prompt.layout == "none"
    usable(table.last, lang)
    assert asks >= {"box", "setup", "tyres", "start", "gear", "roll", "landing", "test"}
    assert len(chips) >= 5
    counted(list(turns.values()))
    table.seat.close()


def counted(turns: list[list[tuple[str, int]]]) -> None:
    """A plain turn: a gear, a roll, and a space that was free or selected beforehand."""
    driven = [turn for turn in turns if [ask for ask, _ in turn] in (["gear", "roll", "landing"], ["gear", "roll"])]
    plain = [turn for turn in driven if all(count == 1 for _, count in turn)]
    by_hand = [sum(count for _, count in turn) for turn in plain]
    with_roller = [sum(count for ask, count in turn if ask != "roll") for turn in plain]
    assert max(by_hand) <= 3
    assert max(with_roller) <= 2
    assert len(plain) > len(driven) / 2
    everyone = [sum(count for _, count in turn) for turn in driven]
    print(f"{len(plain)} plain turns: {mean(by_hand):.2f} taps, with the die-roller {mean(with_roller):.2f}")
    print(f"{len(driven)} turns of a gear, a roll and a space: {mean(everyone):.2f} taps")


def test_what_chance_brings_about_is_shown_too() -> None:
    """A wild race meets what a sensible one does not: spins, blockings, repairs, pits, danger spaces, retirements."""
    asks: set[str] = set()
    chips: set[str] = set()
    for seed in range(3):
        table = Watched(lambda: a_desk("monaco", 6))
        driver = RandomDriver(circuits.load("monaco"), seed)
        while table.desk.asked is not None:
            usable(table.last, "en")
            asks.add(table.prompt.ask)
            chips |= {row.chip for row in table.last.order}
            table.answer(driver.answer(table.desk.asked, table.desk.rulebook.race))
        table.seat.close()
    assert {"Out", "Spin", "Stall"} <= chips
    assert {"test", "landing", "start"} <= asks


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_race_on_a_corner_sheet_asks_by_form(lang: str) -> None:
    """Where the spaces are not known there is no close-up, and what was seen is a form."""
    track = circuits.load("spa")
    table = Watched(lambda: a_desk("spa", 4, laps=1), lang=lang)
    driver = HeuristicDriver(track, 2)
    seen = company = 0
    while table.desk.asked is not None:
        usable(table.last, lang)
        assert table.last.board.close == "overview"
        assert not table.last.board.spaces
        assert all(not row.gap.startswith("+") for row in table.last.order)
        if table.prompt.ask == "saw":
            seen += 1
            fields = {field.name: field for field in table.prompt.fields}
            assert {"in", "line"} <= set(fields)
            past = (table.desk.asked.fields or {})["past"]
            assert ("overshot" in fields) is (past is not None), "it is asked where a corner can be overshot"
            assert past is None or fields["overshot"].kind == "stepper"
            assert "beside" not in fields or fields["beside"].kind == "many"
            company += "beside" in fields and "ahead" in fields
            assert "spaces" not in fields
        if seen == 5 and table.prompt.ask == "saw":
            first = table.prompt.keys[0].answer
            whole = {field.name: field.value for field in table.prompt.fields} | first
            n = table.desk.n
            table.answer(whole)
            assert table.desk.n > n, table.last.toast
            seen += 1
            continue
        table.answer(driver.answer(table.desk.asked, table.desk.rulebook.race))
    assert seen > 5
    assert company
    table.seat.close()
