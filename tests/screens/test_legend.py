"""What is held says what it means, in all five books: keys, cars and places of the board, with the article."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from kivy.core.window import Window

from companion import circuits
from companion.articles import load
from companion.drivers import Driver
from companion.drivers.cards import HeuristicCardDriver, RandomCardDriver
from companion.drivers.chance import RandomDriver
from companion.drivers.sensible import HeuristicDriver
from companion.rules.circuit.track import Track
from companion.rules.ninety.circuit import SectionTrack
from companion.rules.rulebooks import RULEBOOKS
from companion.screens.board.sections import places
from companion.screens.kit.key import Face
from companion.screens.kit.theme import theme
from companion.screens.kit.top_bar import HIGH as BAR
from companion.screens.kit.touch import ears
from companion.view.pages.legend import MEANT, MEANT_BY_CARDS
from companion.view.race.intents import CloseCard
from tests.screens.audit import marks, targets
from tests.screens.rig import Rig, place_of
from tests.screens.table import NAMES, Table, a_race, skip

MIXES = {"beginner": ("dark", "fr"), "formula-d": ("daylight", "en"), "competition": ("dark", "fr"),
         "cup": ("daylight", "en"), "league": ("daylight", "fr"), "death": ("dark", "en"),
         "ninety": ("daylight", "fr")}  # fmt: skip


def held(table: Table, x: float, y: float) -> None:
    """A place of the window is held, in dp from the top left."""
    ears.listen()
    table.rig.hold(x, y)
    table.calm()


@pytest.mark.parametrize("book", RULEBOOKS)
def test_what_is_held_says_what_it_means(panel: Rig, folder: Path, book: str) -> None:
    board = circuits.board("quarry-hill" if book == "ninety" else "monaco")
    sections = isinstance(board, SectionTrack)
    more: dict[str, Any] = {"deck": 3, "laps": 6} if sections else {}
    made = Table.at_race(panel, folder, lambda: a_race(folder, board.key, 3, rulebook=book, **more))
    by: Driver = HeuristicCardDriver(board, 5) if isinstance(board, SectionTrack) else HeuristicDriver(board, 5)
    try:
        look, language = MIXES[book]
        made.app.choose(theme=look, language=language)
        skip(made, by, lambda asked: asked.ask in ("landing", "play") and asked.round > 1)
        if made.controller.given_card is not None:
            shown(made, made.screen.given_card.header)
        made.emit(CloseCard())
        made.calm()
        shown(made, made.screen.pick.keys[0] if sections else made.screen.outcomes.keys[0])
        key = made.prompt.keys[0]
        if isinstance(board, SectionTrack):
            shown(made, made.screen.dashboard)
            shown(made, made.screen.bare_band.order)
            late = next(at for at, one in enumerate(board.sections) if one.late is not None)
            tiles = places(len(board.sections), made.screen.board.width / theme.scale,
                           made.screen.board.height / theme.scale)  # fmt: skip
            held(made, tiles[late].x + tiles[late].w / 2, BAR + tiles[late].y + tiles[late].h / 2)
            assert read(made).article == "end.late-braking"
            assert str(board.sections[late].late.value) in read(made).lines[0].text  # type: ignore[union-attr]
        else:
            x, y = place_of(made.screen.board.picture, key.space)
            held(made, x / theme.scale, (Window.height - y) / theme.scale)
            assert read(made).title.startswith(f"{key.label} · ")
            made.tap(made.screen.legend.close)
            shown(made, made.screen.order)
        made.hold(made.screen.bar)
        assert read(made).lines
        made.audited()
        n = made.prompt.n
        made.tap(made.screen.legend.article)
        assert made.app.visits[-1].name == "rules"
        made.app.back()
        made.calm()
        assert made.prompt.n == n, "nothing is answered by looking"
    finally:
        made.close()


def read(table: Table) -> Any:
    """The legend that is there."""
    assert table.controller.explanation is not None
    return table.controller.explanation.legend


def shown(table: Table, target: Any) -> None:
    """A key is held: its legend is sound, of this race's rules, and goes by a touch beside it."""
    table.hold(target)
    legend, rules = read(table), load(table.see(lambda desk: desk.rulebook.name))
    assert legend.title
    assert legend.article.split()[0] in rules
    assert legend.text or legend.lines
    table.audited()
    table.tap(table.screen.w / 2, 20)
    assert table.controller.explanation is None


@pytest.mark.parametrize("book", RULEBOOKS)
def test_every_article_of_a_legend_is_there(book: str) -> None:
    kind = RULEBOOKS[book]
    told = [what for what in MEANT if what != "top" or "sky" in kind.race_values]
    meant = MEANT_BY_CARDS.values() if book == "ninety" else [kind.article(MEANT[what]) for what in told]
    assert all(article in load(book) for article in meant)


def test_a_touch_beside_the_legend_answers_the_question(rig: Rig, folder: Path) -> None:
    """The question stays beneath; on a test only the faces are for the referee's word."""
    made = Table.at_race(rig, folder, lambda: a_race(folder, many=6))
    try:
        skip(made, HeuristicDriver(circuits.load("monaco"), 3), lambda asked: asked.ask == "test" and asked.round > 0)
        n, key = made.prompt.n, made.screen.band.keys[0]
        made.hold(made.screen.dashboard)
        made.tap(made.screen.legend.close)
        assert made.controller.explanation is None
        made.hold(key)
        assert made.controller.explanation is not None
        assert made.controller.explanation.override is None
        made.audited()
        made.looks_up(made.screen.band.asked)
        made.hold(made.screen.dashboard)
        assert read(made).plate == made.shown.dashboard.plate  # type: ignore[union-attr]
        made.tap(made.screen.band.keys[-1])
        assert made.prompt.n > n
    finally:
        made.close()


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
def test_whatever_can_be_held_says_what_it_means(rig: Rig, folder: Path, book: str) -> None:
    """At the first question of each kind every key, head and chip has something that comes when it is held; of those
    that count on while they are held, that is the name beside them. Nothing but names is cut."""
    seen: set[tuple[str, str]] = set()
    silent, told, cut = set(), set(), set()
    for at, many, seed, more in RACES[book]:
        board = circuits.board(at)
        by: Driver = RandomCardDriver(board, seed) if isinstance(board, SectionTrack) else RandomDriver(board, seed)
        made = Table.at_race(rig, folder, lambda: a_race(folder, at, many, rulebook=book, **more))  # noqa: B023
        kind = lambda asked: (asked.ask, asked.what.rstrip("0123456789_"))  # noqa: E731
        try:
            while True:
                skip(made, by, lambda asked: kind(asked) not in seen, 1600)  # noqa: B023
                if (asked := made.see(lambda desk: desk.asked)) is None or kind(asked) in seen:
                    break
                seen.add(kind(asked))
                heard = [widget for widget, _ in targets(made.app.stage)]
                silent |= {(asked.ask, *name) for name in unexplained(heard)}
                cut |= {one.mark.text for one in marks(made.app.stage) if not one.mark.whole} - named_on(board)
                if asked.ask == "saw":
                    made.tap(made.screen.seen.groups[-1])
                    silent |= unexplained([widget for widget, _ in targets(made.app.stage)])
                    made.tap(made.screen.form.back)
                for one in heard:
                    if isinstance(one.means, str) and one.means and one.on_hold is None and one.means not in told:
                        told.add(one.means)
                        made.hold(one)
                        legend = made.app.screen.legend
                        assert legend.parent is made.app.screen, one.means
                        made.audited()
                        made.tap(legend.close)
                        assert legend.parent is None
        finally:
            made.close()
    assert not silent
    assert not cut


def named_on(board: Track | SectionTrack) -> set[str]:
    """The names of a circuit's corners and of those who drive on it."""
    places = board.sections if isinstance(board, SectionTrack) else board.corners
    return {*(one.name for one in places), *NAMES}


def unexplained(heard: list[Any]) -> set[tuple[str, str]]:
    """The kind and the label of each thing that can be touched and says nothing when it is held."""
    return {
        (type(one).__name__, one.shown.label if isinstance(one.shown, Face) else "")
        for one in heard
        if one.held_for is None and not (one.repeats and named(one, heard))
    }


def named(key: Any, heard: list[Any]) -> bool:
    """Whether the name of what a key counts explains itself, beside it."""
    return any(one.explains and one.parent is key.parent for one in heard)
