"""Cards on the table by touch: each is typed once as it is shown, and picked after that."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import pytest

from companion import circuits
from companion.desk import RaceDesk
from companion.rules.ninety.cards import TYPES
from companion.screens.kit.theme import theme
from companion.screens.kit.touch import ears
from companion.view.citing import cited
from companion.view.race.form import cards_of, others
from tests.screens.rig import Rig
from tests.screens.table import Table, a_race, driver_on, race_open
from tests.screens.test_new_race import go_on

CAR = {"car": 1, "driver": "Ada", "at": "section:8", "lap": 1, "fuel": 30, "strategy": "balance", "check": "D2 50"}
BESIDE_DONE = (132, 376)
"""Where the codes of cards are written: their left in dp, and what they are below."""
RIVAL = {"car": 2, "driver": "Bo", "at": "section:1", "lap": 1, "fuel": 30}


def race(folder: Path, cars: list[dict[str, Any]]) -> RaceDesk:
    """A turn in the middle of a race of two drivers, with their cards on the table."""
    return a_race(folder, "saltmarsh", rulebook="ninety", laps=12, cars=cars, round=5, to_play=[1, 2])


@pytest.fixture
def table(panel: Rig, at_race: Any, folder: Path, language: str) -> Table:
    made: Table = at_race(make=partial(race, folder, [CAR, RIVAL]), app={"language": language})
    return made


def codes(table: Table) -> list[str]:
    """Return the cards typed and picked so far, as they stand beside Done; of one that is begun what there is."""
    line = [word.text for word in table.ui.words() if word.box.y > BESIDE_DONE[1] and word.box.x == BESIDE_DONE[0]]
    return [code for code in " ".join(line).split(" + ") if code != "–"]


def written(code: str) -> str:
    """Return what is written in the list of a card that was seen."""
    head, factor = code.split()[:2]
    return f"{theme.words.word('colour', TYPES[head[0]]).capitalize()} · {factor} {head[1]}"


def done(table: Table) -> None:
    """Tap the key at the right foot: it says Done, or the answer that is offered."""
    labels = {theme.say("done"), *(key.label for key in table.prompt.keys)}
    below, right = table.ui.places(theme.say("undo"))[0][1], 300
    places = [place for label in labels for place in table.ui.places(label) if place[1] >= below and place[0] > right]
    table.tap(*places[0])


def say(text: str) -> str:
    return theme.words.screen(f"typed.{text}")


def asked(table: Table) -> Any:
    return table.see(lambda desk: desk.asked)


def given(table: Table) -> Any:
    """The last answer."""
    return table.see(lambda desk: desk.history.items[-1].event.answer)


def test_a_card_is_typed_and_played(table: Table) -> None:
    assert asked(table).ask == "declare"
    table.type_card("D1 20 C")
    table.looks_up()
    table.ui.audit_both()
    top = table.prompt.title
    words = theme.words
    for place, article in (
        (table.ui.places(say("symbol.T"))[0], "symbols.pay"),
        (table.ui.places(words.word("colour", "speeding").capitalize())[0], "track.trajectories"),
        (table.ui.places("2", below=top)[0], "move.points"),
        (table.ui.places("7", below=top)[0], "symbols.check"),
    ):
        ears.listen()
        table.rig.hold(*place)
        table.calm()
        assert table.ui.sees(cited(article, words))
        table.audited()
        table.touch(theme.say("close"))
    table.touch(say("more"))
    assert codes(table) == ["D1 20 C"]
    table.type_card("G3 71")
    table.ui.audit_both()
    done(table)
    assert given(table) == ["D1 20 C", "G3 71"]
    assert asked(table).ask == "check"


def test_a_check_takes_a_word_or_a_card(table: Table) -> None:
    table.type_card("D1 20 CC")
    done(table)
    ui, blind = table.ui, table.prompt.keys[0].label
    seen = written("D1 20 CC")
    for words, title in ((blind, blind), (seen, "D1")):
        ui.hold(words, below=table.prompt.title)
        assert sum(title in word.text for word in ui.words()) > (title == blind), "the legend has it as its title"
        table.touch(theme.say("close"))
    ui.tap(blind)
    assert given(table) == "blind"
    assert asked(table).ask == "drawn"
    assert not ui.places(seen)
    assert not ui.sees(say("value"))
    assert not ui.sees(say("symbols"))
    table.type_signs("9")
    ui.audit_both()
    done(table)
    assert given(table) == "9"
    assert (asked(table).ask, asked(table).what) == ("check", "symbol_2")
    table.type_signs("7")
    ui.tap(seen, below=table.prompt.title)  # in the place of the one that was begun
    done(table)
    assert given(table) == "D1 20 CC"


def test_a_card_that_there_is_not_is_refused_and_nothing_is_lost(table: Table) -> None:
    table.type_card("S3 101 T")
    before = table.see(lambda desk: (desk.seq, desk.conversation.digest))
    done(table)
    assert table.see(lambda desk: (desk.seq, desk.conversation.digest)) == before
    assert table.ui.sees({"en": "101 is on no card", "fr": "ne porte 101"}[theme.language])
    assert codes(table) == ["S3 101 T"], "the toast does not lie on it"
    table.audited()
    for code in ("S3 101", "S3 10"):
        table.touch(say("rub"))
        assert codes(table) == [code]
    table.touch(say("more"))
    table.type_card("G4 7")
    done(table)  # a 3 and a 4 do not go together
    assert table.see(lambda desk: (desk.seq, desk.conversation.digest)) == before
    table.touch(say("wipe"))
    done(table)
    assert given(table) == ["S3 10"]


def test_what_is_begun_has_to_be_ended_or_wiped(table: Table) -> None:
    before = table.see(lambda desk: desk.seq)
    table.tap(*table.ui.places("2", below=table.prompt.title)[0])
    table.tap(*table.ui.places("0", below=table.prompt.title)[0])
    assert codes(table) == ["?2 ?"], "no factor begins with 0"
    assert not table.ui.places(theme.say("done"))
    assert table.see(lambda desk: desk.seq) == before
    table.touch(say("wipe"))
    assert not codes(table)


def test_cards_that_were_seen_are_picked_again(folder: Path, at_race: Any) -> None:
    cars = [{**CAR, "hand": ["D1 20", "G1 30", "S4 5"]}, RIVAL]
    table = at_race(make=partial(race, folder, cars))
    ui = table.ui
    for card in ("S4 5", "D1 20", "G1 30"):
        ui.tap(written(card))
        if card == "S4 5":
            assert ui.offers("Play 4"), "what is offered says on Done what it is"
    assert codes(table) == ["D1 20", "G1 30"]  # the one picked first made room
    table.type_card("D2 44")
    assert codes(table) == ["G1 30", "D2 44"]
    assert ui.offers("Done")
    ui.tap(written("D1 20"))
    assert codes(table) == ["D1 20", "D2 44"]
    ui.tap(written("G1 30"))
    done(table)
    assert given(table) == ["G1 30", "D2 44"]


def at_a_race_of_cards(table: Table) -> None:
    """From home to the first question: the rulebook, a circuit, three turns, two drivers, no bots."""
    table.ui.tap("A race")
    ui = table.ui
    ui.tap("Cards")
    ui.tap("All the rest")
    go_on(ui)
    ui.tap(circuits.board("quarry-hill").name)
    while not ui.sees("Quarry Hill · 3 turns"):
        ui.tap(icon="minus")
    go_on(ui)
    for _ in range(2):
        ui.tap("New driver")
    go_on(ui)
    for _ in range(3):
        ui.tap(icon="minus")
    go_on(ui)
    go_on(ui)
    table.until(lambda: race_open(table.app))
    table.calm()


def test_a_whole_race_with_cards_on_the_table_from_home_to_the_flag(rig: Rig, folder: Path) -> None:
    table = Table(rig, folder)
    table.ui.wait_for("A race")
    try:
        at_a_race_of_cards(table)
        assert (asked(table).ask, asked(table).round) == ("chart", 0)
        driver = driver_on("quarry-hill")
        for _ in range(120):
            if asked(table) is None:
                break
            if table.prompt.typed == (0, 0):
                table.one(driver)
                continue
            answer = table.wanted(driver)
            before = table.see(lambda desk: desk.seq)
            key = next((key for key in others(table.prompt) if key.answer == answer), None)
            if key is not None:
                table.choose(key)
            elif isinstance(answer, int):
                table.type_signs(str(answer))
                done(table)
            else:
                for code in cards_of(answer):
                    if codes(table) and table.ui.places(say("more")):
                        table.touch(say("more"))
                    if seen := table.ui.places(written(code)):
                        table.tap(*seen[0])
                    elif table.prompt.by:
                        table.type_signs(code.split()[1])
                    else:
                        table.type_card(code)
                done(table)
            assert table.see(lambda desk: desk.seq) > before, (table.prompt.title, answer, codes(table))
        assert asked(table) is None
        table.audited()
        assert [row.position for row in table.shown.order] == [1, 2]
    finally:
        table.close()


def test_who_must_stop_is_told_in_time(folder: Path, at_race: Any) -> None:
    """Fuel to turn 7: at the beginning of turn 6 by a toast; in turn 7 there is nothing else, and nobody is asked."""
    table = at_race(make=partial(race, folder, [{**CAR, "fuel": 7}, RIVAL]))
    for turn in (6, 7):
        for _ in range(2):
            table.choose(table.prompt.keys[1])
            assert given(table) == "skip"
            table.answer(table.prompt.keys[0])
        assert asked(table).round == turn
        said = "must stop next turn" if turn == 6 else "makes a pit stop"
        assert any(said in text for text in table.texts())
        assert turn == 7 or table.prompt.unit == "stop next turn"
    assert (given(table), asked(table).ask, asked(table).car) == ("stop", "strategy", 1)


def test_buttons_pick_among_the_cards_that_were_seen(folder: Path, at_race: Any) -> None:
    cars = [{**CAR, "hand": ["D1 20", "G1 30"]}, RIVAL]
    table = at_race(make=partial(race, folder, cars))
    for name in ("last", "down", "down"):
        table.app.press(name)
        table.calm()
    assert codes(table) == ["D1 20", "G1 30"]
    table.app.press("confirm")
    table.calm()
    assert given(table) == ["D1 20", "G1 30"]
