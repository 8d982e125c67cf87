"""Whole short races by touch under every other rulebook, and their own moments seen by the audit."""

from __future__ import annotations

from pathlib import Path

import pytest
from kivy.core.window import Window

from companion import circuits
from companion.drivers import Driver
from companion.drivers.cards import HeuristicCardDriver
from companion.drivers.sensible import HeuristicDriver
from companion.rules.death.cards import of_kind
from companion.rules.ninety.circuit import SectionTrack
from companion.rules.rulebooks import RULEBOOKS
from companion.screens.kit.theme import theme
from companion.screens.race.attack import LEFT as ARMS
from companion.screens.race.attack import RIGHT as AIM
from companion.screens.race.attack import ROW, TEXT, WeaponRow, WeaponText
from companion.view.race.attack import does, reach
from companion.view.race.extras import called
from companion.view.race.titles import ROOM
from companion.view.shown_race import Weapon
from companion.view.sight import Sight
from companion.wording import Words
from tests.screens.audit import audit
from tests.screens.rig import Rig
from tests.screens.table import Table, a_race, skip
from tests.view.watched import a_desk

BUILDS = ("setup", "build")
OVAL = "indianapolis-oval"
LOOKS = [("dark", "en"), ("daylight", "fr"), ("dark", "fr"), ("daylight", "en")]


@pytest.mark.parametrize(("book", "at"), [("cup", OVAL), ("league", OVAL), ("death", "porto-sereno")])
def test_a_whole_race_is_refereed_by_touch(rig: Rig, folder: Path, book: str, at: str) -> None:
    """Every answer of two drivers, from the first question to the classification."""
    made = Table.at_race(rig, folder, lambda: a_race(folder, at, 2, rulebook=book))
    by = HeuristicDriver(circuits.load(at), 3)
    try:
        skip(made, by, lambda asked: asked.ask in ("gear", "start", "card"))
        made.play(by, most=500)
        assert made.see(lambda desk: desk.asked) is None
        made.audited()
    finally:
        made.close()


@pytest.mark.parametrize("book", RULEBOOKS)
def test_the_rules_open_at_those_of_the_race_questions_and_cards_at_their_article(
    rig: Rig, folder: Path, book: str
) -> None:
    at = "quarry-hill" if book == "ninety" else "monaco"
    made = Table.at_race(rig, folder, lambda: a_race(folder, at, 4, rulebook=book, laps=6 if book == "ninety" else 1))
    board = circuits.board(at)
    by: Driver = HeuristicCardDriver(board, 5) if isinstance(board, SectionTrack) else HeuristicDriver(board, 5)
    try:
        skip(made, by, lambda asked: any(option.wear for option in asked.options or ()) and asked.ask not in BUILDS)
        if made.ui.offers("?"):
            made.looks_up()
            made.touch("?")
            assert made.app.visits[-1].given["rulebook"] == book
            made.app.back()
            made.calm()
        costly = [key for key in made.prompt.keys if key.accept and any(one.text.startswith("−") for one in key.prices)]
        made.app.playing.seat.select(costly[0].answer)  # type: ignore[union-attr]
        made.calm()
        card = made.shown.card
        assert card is not None
        assert card.accept
        if made.ui.sees(card.cited):
            made.touch(card.cited)
            visit = made.app.visits[-1]
            assert (visit.name, visit.given["rulebook"], visit.given["article"]) == ("rules", book, card.article)
            made.app.back()
            made.calm()
        made.menu("rules")
        assert (made.app.visits[-1].name, made.app.visits[-1].given["rulebook"]) == ("rules", book)
    finally:
        made.close()


@pytest.mark.parametrize("book", ["cup", "league", "death"])
def test_its_own_moments_pass_the_audit(panel: Rig, folder: Path, book: str) -> None:
    """Each kind of question once, in two looks and languages; no title is cut or begins with a sign."""
    made = Table.at_race(panel, folder, lambda: a_race(folder, "monaco", 4, rulebook=book))
    by = HeuristicDriver(circuits.load("monaco"), 5)
    seen: set[tuple[str, str]] = set()
    try:
        for _ in range(60):
            skip(made, by, lambda asked: (asked.ask, asked.what.rstrip("0123456789")) not in seen)
            asked = made.see(lambda desk: desk.asked)
            if asked is None:
                break
            seen.add((asked.ask, asked.what.rstrip("0123456789")))
            if made.app.visits[-1].name == "build":
                continue
            for look, lang in LOOKS[len(seen) % 2 :: 2]:
                made.app.choose(theme=look, language=lang)
                made.calm()
                assert made.prompt.title[:1].isalnum()
                assert len(made.prompt.title) <= ROOM[lang]
                made.audited()
        assert len(seen) > 9
    finally:
        made.close()


def test_what_a_weapon_does_has_room_in_its_line(panel: Rig, language: str) -> None:
    """Each of them whole, over the board between the weapons and the target."""
    sight = Sight(a_desk("porto-sereno", 2, rulebook="death"), Words(language, "death"))
    text = panel.show(WeaponText(), w=Window.width / theme.scale - ARMS - AIM, h=TEXT)
    for card in of_kind("weapon"):
        text.show(does(sight, card.key))
        panel.settle()
        (mark,) = [mark for mark in text.marks if mark.kind == "text"]
        assert mark.whole, mark.text
        assert mark.text == does(sight, card.key)


def test_a_weapon_has_room_in_its_row(panel: Rig, language: str) -> None:
    """Loaded, with as many tokens as it can have, and out of reach; beside one other and beside two."""
    sight = Sight(a_desk("porto-sereno", 2, rulebook="death"), Words(language, "death"))
    for high in (ROW, 2 * ROW / 3):
        row = panel.show(WeaponRow(), w=ARMS, h=high)
        for card in of_kind("weapon"):
            for tokens, note in ((0, "loaded"), (card.reload, "tokens"), (0, "nobody")):
                row.show(
                    Weapon(
                        name=called(sight, card.key),
                        reach=reach(sight, card.key),
                        note=sight.say(f"attack.{note}", tokens=tokens),
                        tokens=tokens,
                        most=card.reload,
                        can=note != "nobody",
                    )
                )
                panel.settle(1)
                assert audit(row) == [], (card.key, note)


def test_what_a_card_does_is_read_whole_where_few_are_left(panel: Rig, folder: Path, language: str) -> None:
    """They stand below each other as the many do: in a row what they do would be cut off."""
    made = Table.at_race(panel, folder, lambda: a_race(folder, "porto-sereno", 10, rulebook="death"), language=language)
    try:
        skip(
            made,
            HeuristicDriver(circuits.load("porto-sereno"), 5),
            lambda asked: asked.what == "defence" and len(asked.options or ()) == 6,
        )
        assert made.screen.band.rows.parent is made.screen.band
        made.audited()
    finally:
        made.close()


def test_a_toast_keeps_who_fires_and_who_is_fired_at_in_sight(rig: Rig, folder: Path) -> None:
    made = Table.at_race(rig, folder, lambda: a_race(folder, "porto-sereno", 4, rulebook="death"))
    try:
        skip(made, HeuristicDriver(circuits.load("porto-sereno"), 5), lambda asked: "target" in (asked.fields or {}))
        assert len(made.screen.kept_in_sight) == 2
    finally:
        made.close()
