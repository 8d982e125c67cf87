"""Whole short races by touch under every other rulebook, and their own moments seen by the audit."""

from __future__ import annotations

from typing import Any

import pytest
from kivy.core.window import Window

from companion.rules.death.cards import of_kind
from companion.rules.rulebooks import RULEBOOKS
from companion.screens.kit.theme import theme
from companion.screens.race.attack import LEFT as ARMS
from companion.screens.race.attack import RIGHT as AIM
from companion.screens.race.attack import ROW, TEXT, WeaponRow, WeaponText
from companion.view.race.attack import does, reach
from companion.view.race.extras import called
from companion.view.race.titles import ROOM
from companion.view.shown import Toast
from companion.view.shown_race import Weapon
from companion.view.sight import Sight
from companion.wording import Words
from tests.screens.audit import audit, marks
from tests.screens.rig import Rig
from tests.screens.table import driver_on, skip
from tests.view.watched import a_desk

BUILDS = ("setup", "build")
OVAL = "indianapolis-oval"
LOOKS = [("dark", "en"), ("daylight", "fr"), ("dark", "fr"), ("daylight", "en")]


@pytest.mark.parametrize(("book", "at"), [("cup", OVAL), ("league", OVAL), ("death", "porto-sereno")])
def test_a_whole_race_is_refereed_by_touch(at_race: Any, book: str, at: str) -> None:
    """Every answer of two drivers, from the first question to the classification."""
    made, by = at_race(at, 2, rulebook=book), driver_on(at, 3)
    skip(made, by, lambda asked: asked.ask in ("gear", "start", "card"))
    made.play(by, most=500)
    assert made.see(lambda desk: desk.asked) is None
    made.audited()


@pytest.mark.parametrize("book", RULEBOOKS)
def test_the_rules_open_at_those_of_the_race_questions_and_cards_at_their_article(at_race: Any, book: str) -> None:
    at, laps = ("quarry-hill", 6) if book == "ninety" else ("monaco", 1)
    made = at_race(at, 4, rulebook=book, laps=laps)

    def open_at() -> tuple[str, str]:
        visit = made.app.visits[-1]
        return str(visit.name), str(visit.given["rulebook"])

    skip(
        made,
        driver_on(at, 5),
        lambda asked: any(option.wear for option in asked.options or ()) and asked.ask not in BUILDS,
    )
    if made.ui.offers("?"):
        made.looks_up()
        made.touch("?")
        assert open_at() == ("rules", book)
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
        assert open_at() == ("rules", book)
        assert made.app.visits[-1].given["article"] == card.article
        made.app.back()
        made.calm()
    made.menu("rules")
    assert open_at() == ("rules", book)


@pytest.mark.parametrize("book", ["cup", "league", "death"])
def test_its_own_moments_pass_the_audit(panel: Rig, at_race: Any, book: str) -> None:
    """Each kind of question once, in two looks and languages; no title is cut or begins with a sign."""
    made, seen = at_race(many=4, rulebook=book), set[tuple[str, str]]()
    for _ in range(60):
        skip(made, driver_on("monaco", 5), lambda asked: (asked.ask, asked.what.rstrip("0123456789")) not in seen)
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


def test_what_a_weapon_does_has_room_in_its_line_and_itself_in_its_row(panel: Rig, language: str) -> None:
    """The line over the board, whole; the row loaded, with as many tokens as it can have, and out of reach; beside one
    other and beside two."""
    sight = Sight(a_desk("porto-sereno", 2, rulebook="death"), Words(language, "death"))
    text = panel.show(WeaponText(), w=Window.width / theme.scale - ARMS - AIM, h=TEXT)
    for card in of_kind("weapon"):
        text.show(does(sight, card.key))
        panel.settle()
        assert audit(text) == []
        assert [seen.mark.text for seen in marks(text) if seen.mark.text] == [does(sight, card.key)]
    for high in (ROW, 2 * ROW / 3):
        row = panel.show(WeaponRow(), w=ARMS, h=high)
        for card in of_kind("weapon"):
            for tokens, note in ((0, "loaded"), (card.reload, "tokens"), (0, "nobody")):
                name, where = called(sight, card.key), reach(sight, card.key)
                said, can = sight.say(f"attack.{note}", tokens=tokens), note != "nobody"
                row.show(Weapon(name=name, reach=where, note=said, tokens=tokens, most=card.reload, can=can))
                panel.settle(1)
                assert audit(row) == [], (card.key, note)


def test_what_a_card_does_is_read_whole_where_few_are_left(panel: Rig, at_race: Any, language: str) -> None:
    """They stand below each other as the many do: in a row what they do would be cut off."""
    made, words = at_race("porto-sereno", 10, rulebook="death", app={"language": language}), Words(language, "death")
    skip(made, driver_on("porto-sereno", 5), lambda asked: asked.what == "defence" and len(asked.options or ()) == 6)
    (x, y), (other, lower) = (made.ui.places(words.card(card))[0] for card in ("bravado", "light-armour"))
    assert (x, y + 52) == (other, lower)
    made.audited()


def test_a_toast_keeps_who_fires_and_who_is_fired_at_in_sight(at_race: Any) -> None:
    made = at_race("porto-sereno", 4, rulebook="death")
    for n in (0, 46, 47):  # it has to make way for the third
        skip(made, driver_on("porto-sereno", 5), lambda asked, n=n: "target" in (asked.fields or {}) and asked.n >= n)
        made.app.tell(Toast(tone="info", icon="flag", text="Dropping the clutch costs points. " * 3))
        made.calm()
        cars = made.see(lambda desk: (desk.asked.car, desk.asked.fields["target"]))
        spaces = made.see(lambda desk, cars=cars: {desk.rulebook.car(car).at for car in cars})
        assert len(spaces) == 2
        assert spaces <= set(made.ui.spaces())
