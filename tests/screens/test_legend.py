"""What is held says what it means, in all five books: keys, cars and places of the board, with the article."""

from __future__ import annotations

from typing import Any

import pytest
from kivy.core.window import Window

from companion import circuits
from companion.articles import load
from companion.drivers import Driver
from companion.drivers.cards import RandomCardDriver
from companion.drivers.chance import RandomDriver
from companion.rules.circuit.track import Track
from companion.rules.ninety.circuit import SectionTrack
from companion.rules.rulebooks import RULEBOOKS
from companion.screens.kit.theme import theme
from companion.screens.kit.touch import ears
from companion.view.citing import cited
from companion.view.pages.legend import MEANT, MEANT_BY_CARDS
from companion.view.race.intents import CloseCard
from tests.screens.rig import Rig
from tests.screens.table import NAMES, Table, driver_on, skip

MIXES = {"beginner": ("dark", "fr"), "formula-d": ("daylight", "en"), "competition": ("dark", "fr"),
         "cup": ("daylight", "en"), "league": ("daylight", "fr"), "death": ("dark", "en"),
         "ninety": ("daylight", "fr")}  # fmt: skip


@pytest.mark.parametrize("book", RULEBOOKS)
def test_what_is_held_says_what_it_means(panel: Rig, book: str, at_race: Any) -> None:
    board = circuits.board("quarry-hill" if book == "ninety" else "monaco")
    sections = isinstance(board, SectionTrack)
    more: dict[str, Any] = {"deck": 3, "laps": 6} if sections else {}
    made = at_race(board.key, 3, rulebook=book, **more)
    by = driver_on(board.key, 5)
    look, language = MIXES[book]
    made.app.choose(theme=look, language=language)
    skip(made, by, lambda asked: asked.ask in ("landing", "play") and asked.round > 1)
    ui, card = made.ui, made.shown.card
    if card is not None and ui.sees(card.cited):
        shown(made, card.cited)
    made.emit(CloseCard())
    made.calm()
    key = (made.prompt.parts or made.prompt.keys)[0]
    shown(made, key.label, below=made.prompt.title if sections else "")
    if isinstance(board, SectionTrack):
        shown(made, theme.words.word("pool", "tyres").capitalize())
        shown(made, "Ordre")
        late = next(at for at, one in enumerate(board.sections) if one.late is not None)
        ui.hold(space=f"section:{late + 1}")
        assert ui.sees(cited("end.late-braking", theme.words), str(board.sections[late].late.value))  # type: ignore[union-attr]
        ui.tap(theme.say("close"))
    else:
        ui.hold(space=key.space)
        assert ui.sees(f"{key.label} · ")
        ui.tap(theme.say("close"))
        shown(made, "", car=made.shown.order[0].plate.number)
    n = made.prompt.n
    ui.hold("Coup" if sections else {"en": "Lap", "fr": "Tour"}[language])
    made.audited()
    ui.tap(theme.words.screen("legend.article"))
    assert made.app.visits[-1].name == "rules"
    made.app.back()
    made.calm()
    assert made.prompt.n == n, "nothing is answered by looking"


def shown(table: Table, words: str, **where: Any) -> None:
    """Hold a key: its legend is sound, of this race's rules, and goes by a touch beside it."""
    ui, legend = table.ui, theme.words.screen("legend.head")
    ui.hold(words, **where)
    said = " ".join(word.text for word in ui.words())
    rules = {cited(article.id, theme.words) for article in load(table.see(lambda desk: desk.rulebook.name))}
    assert ui.sees(legend)
    assert any(rule in said for rule in rules)
    table.audited()
    table.tap(Window.width / theme.scale / 2, 20)
    assert not ui.sees(legend)


@pytest.mark.parametrize("book", RULEBOOKS)
def test_every_article_of_a_legend_is_there(book: str) -> None:
    kind = RULEBOOKS[book]
    told = [what for what in MEANT if what != "top" or "sky" in kind.race_values]
    meant = MEANT_BY_CARDS.values() if book == "ninety" else [kind.article(MEANT[what]) for what in told]
    assert all(article in load(book) for article in meant)


def test_a_touch_beside_the_legend_answers_the_question(at_race: Any) -> None:
    """The question stays beneath; on a test only the faces are for the referee's word."""
    made = at_race(many=6, until=lambda asked: asked.ask == "test" and asked.round > 0, seed=3)
    n, ui, title = made.prompt.n, made.ui, made.prompt.title
    question, last = ui.where("?"), ui.where(made.prompt.keys[-1].label, below=title)
    ui.hold("P4")
    ui.tap("Close")
    assert not ui.sees("Legend")
    ui.hold("1", below=title)
    assert ui.sees("Legend")
    assert not ui.offers(theme.words.screen("legend.word"))
    made.audited()
    made.tap(*question)
    assert made.app.visits[-1].given["article"] == made.prompt.article
    made.app.back()
    made.calm()
    ui.hold("P4")
    assert ui.sees("Legend", made.shown.dashboard.name)  # type: ignore[union-attr]
    made.tap(*last)
    assert made.prompt.n > n


RACES: dict[str, tuple[tuple[str, int, int, dict[str, Any]], ...]] = {
    "beginner": (("monaco", 6, 2, {"laps": 2}), ("monza", 4, 1, {})),
    "formula-d": (("monaco", 6, 2, {"laps": 2}), ("monza", 4, 1, {})),
    "competition": (("monaco", 6, 3, {"laps": 2}), ("spa", 4, 1, {})),
    "cup": (("porto-sereno", 6, 1, {"laps": 2, "options": {"table_names_zones": True}}), ("monza", 4, 1, {})),
    "league": (("monaco", 6, 0, {}),),
    "death": (("porto-sereno", 6, 1, {}),),
    "ninety": (("quarry-hill", 4, 1, {"deck": 3, "laps": 6}), ("saltmarsh", 4, 1, {"laps": 6})),
}
"""Races in which nearly every question of a rulebook is asked: on a board, on a corner sheet, with cards typed."""


@pytest.mark.parametrize("book", RULEBOOKS)
def test_whatever_can_be_held_says_what_it_means(rig: Rig, book: str, at_race: Any) -> None:
    """At the first question of each kind every key, head and chip has something that comes when it is held; of those
    that count on while they are held, that is the name beside them. Nothing but names is cut."""
    seen: set[tuple[str, str]] = set()
    silent, told, cut = set(), set(), set()
    for at, many, seed, more in RACES[book]:
        board = circuits.board(at)
        by: Driver = RandomCardDriver(board, seed) if isinstance(board, SectionTrack) else RandomDriver(board, seed)
        made = at_race(at, many, rulebook=book, **more)
        kind = lambda asked: (asked.ask, asked.what.rstrip("0123456789_"))  # noqa: E731
        while True:
            skip(made, by, lambda asked: kind(asked) not in seen, 1600)  # noqa: B023
            if (asked := made.see(lambda desk: desk.asked)) is None or kind(asked) in seen:
                break
            seen.add(kind(asked))
            parts = made.ui.parts()
            silent |= {(asked.ask, one.text) for one in parts if not one.is_explained}
            cut |= made.ui.cut() - named_on(board)
            if asked.ask == "saw":
                made.touch(made.prompt.seen.groups[-1].label)  # type: ignore[union-attr]
                silent |= {("seen", one.text) for one in made.ui.parts() if not one.is_explained}
                made.touch("Back")
            for one in parts:
                if one.kind and one.kind not in told:
                    told.add(one.kind)
                    ears.listen()
                    rig.hold(*one.box.middle)
                    made.calm()
                    assert made.ui.sees("Legend"), one.kind
                    made.audited()
                    made.touch("Close")
                    assert not made.ui.sees("Legend"), one.kind
    assert not silent
    assert not cut


def named_on(board: Track | SectionTrack) -> set[str]:
    """The names of a circuit's corners and of those who drive on it."""
    places = board.sections if isinstance(board, SectionTrack) else board.corners
    return {*(one.name for one in places), *NAMES}
