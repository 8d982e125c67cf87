"""A rulebook's articles as data: what each one says, in English and French, found by id or by word.

Two files a rulebook: its articles, and how it is ruled here where they leave a question open. One file has the
articles of the variants, which count in every rulebook in which they mean something. An id such as
`13-4` names an article, `ruling 15` an open question.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import resources
from typing import Final, Literal

import msgspec

from companion.rules.conversation.errors import CompanionError
from companion.rules.conversation.text import folded
from companion.rules.conversation.typed import converted
from companion.rules.dice.formula_de import FormulaDe
from companion.rules.rulebooks import RULEBOOKS, USUAL

SEASON_WEAR: Final = "season.wear"
"""The article on wear that is carried from race to race, in every rulebook of dice."""
By = Literal["program", "table"]
Moment = Literal["trials", "setup", "start", "round", "gear", "roll", "move", "tests", "pit", "finish"]


class Words(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The same words in each language."""

    en: str
    fr: str


PROPOSED: Final = Words(
    en="Proposed here: the book does not give this.", fr="Proposé ici\u00a0: le livre ne le donne pas."
)
"""What an article says besides where a figure that it stands on is proposed."""
PROPOSED_MARK: Final = Words(en="proposed", fr="proposé")
"""The same in a list of titles."""


class _Entry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What articles and open questions share; `lang` is "en" or "fr", and anything else reads English."""

    id: str
    en: str
    fr: str

    def text(self, lang: str) -> str:
        """What it says, whole: figures and exceptions included."""
        return self.fr if lang == "fr" else self.en

    def mark(self, lang: str) -> str:
        """Return what a list of titles says behind one of them, " · proposed", or nothing."""
        return ""


class Article(_Entry, frozen=True, forbid_unknown_fields=True):
    """One article. `by` says who referees it: the program, or the table (a reminder for people, shown at its
    `moment`). `proposed` marks one with a figure that no source gives, as the figures say. `twins` are the articles of
    other rulebooks that it restates, by rulebook."""

    by: By
    moment: Moment
    titles: Words = msgspec.field(name="title")
    proposed: bool = False
    twins: Mapping[str, tuple[str, ...]] = {}

    def text(self, lang: str) -> str:
        """What it says, whole, and that it is proposed where it is."""
        said = super().text(lang)
        return f"{said} {PROPOSED.fr if lang == 'fr' else PROPOSED.en}" if self.proposed else said

    def mark(self, lang: str) -> str:
        """Return " · proposed" where a figure that it stands on is."""
        return f" · {PROPOSED_MARK.fr if lang == 'fr' else PROPOSED_MARK.en}" if self.proposed else ""

    def title(self, lang: str) -> str:
        """A few words for the head of a ruling card."""
        return self.titles.fr if lang == "fr" else self.titles.en


class OpenQuestion(_Entry, frozen=True, forbid_unknown_fields=True):
    """A question that the articles leave open, and how it is ruled here. `switch` names the figure of the
    setup by which a table may rule otherwise, `switch_en` and `switch_fr` what it means when on."""

    question: Words
    switch: str | None = None
    switch_en: str = ""
    switch_fr: str = ""

    def title(self, lang: str) -> str:
        """The question."""
        return self.question.fr if lang == "fr" else self.question.en

    def switch_text(self, lang: str) -> str:
        """What holds instead when the switch is on; empty without a switch."""
        return self.switch_fr if lang == "fr" else self.switch_en


Entry = Article | OpenQuestion


class Articles:
    """All articles of one rulebook in its own order, then its open questions.

    >>> load("competition").get("18-0-3").title("en")
    'Three more spaces'
    >>> [entry.id for entry in load("cup").find("kers.points", "en")]
    ['kers.points']
    """

    def __init__(self, rulebook: str, articles: tuple[Article, ...], questions: tuple[OpenQuestion, ...]) -> None:
        self.rulebook = rulebook
        self.articles = articles
        self.questions = questions
        self._by_id: dict[str, Entry] = {entry.id: entry for entry in self}

    def __iter__(self) -> Iterator[Entry]:
        yield from self.articles
        yield from self.questions

    def __len__(self) -> int:
        return len(self.articles) + len(self.questions)

    def __contains__(self, entry_id: object) -> bool:
        return entry_id in self._by_id

    def get(self, entry_id: str) -> Entry:
        """The article or open question of exactly this id; raises CompanionError if there is none."""
        try:
            return self._by_id[entry_id]
        except KeyError:
            raise CompanionError(f"The {self.rulebook} rulebook has no article {entry_id}.") from None

    def find(self, word_or_id: str, lang: str) -> list[Entry]:
        """What `under` gives for it as ids, else what `having` gives for it as words; for ids and words together what
        each of these gives."""
        if found := self.under(word_or_id) or self.having(word_or_id, lang):
            return found
        named = self.named(word_or_id)
        words = " ".join(part for part in _parts(word_or_id) if not self._below(part))
        return list({entry.id: entry for entry in (*named, *self.having(words, lang))}.values()) if named else []

    def under(self, ids: str) -> list[Entry]:
        """Everything under an id (`13` is chapter 13) or under several; empty if one of them is none."""
        return self.named(ids) if all(map(self._below, _parts(ids))) else []

    def named(self, said: str) -> list[Entry]:
        """Everything under those of some words that are ids."""
        parts = map(self._below, _parts(said))
        return list({entry.id: entry for part in parts for entry in part}.values())

    def having(self, words: str, lang: str) -> list[Entry]:
        """Everything that has all the words, or words that begin so, in title or text, best first; case and
        accents do not matter, nor does a plural s."""
        asked = _words(words)
        scored = [(_score(entry, asked, lang), entry) for entry in self] if asked else []
        return [entry for score, entry in sorted(scored, key=lambda pair: -pair[0]) if score]

    def _below(self, stem: str) -> list[Entry]:
        stem = stem.rstrip("-.")
        below = re.compile(re.escape(stem) + r"(?![0-9a-z])")
        return [entry for entry in self if below.match(entry.id)] if stem else []


def _parts(said: str) -> list[str]:
    """The ids and words of what was asked for; `ruling 15` is one id."""
    return re.findall(r"ruling \d+|\S+", " ".join(said.lower().split()))


def _words(text: str) -> list[str]:
    return re.findall(r"[^\W_]+", folded(text))


def _score(entry: Entry, asked: list[str], lang: str) -> int:
    """0 unless every word is there; the title outweighs the text, a whole word one that only begins so, and a
    title of no other words all that."""
    title, text = _words(entry.title(lang)), _words(entry.text(lang))
    total = 4 if title == asked else 0
    for word in asked:
        stem = word[:-1] if len(word) > 3 and word.endswith("s") else word
        best = max(
            (
                2 * (found in (word, stem)) + weight
                for weight, place in ((4, title), (1, text))
                for found in place
                if found.startswith(stem)
            ),
            default=0,
        )
        if not best:
            return 0
        total += best
    return total


def rulebooks() -> list[str]:
    """The rulebooks whose articles are here."""
    files = resources.files("companion.rules").joinpath("articles").iterdir()
    names = {file.name.removesuffix(".toml") for file in files if file.name.endswith(".toml")}
    return sorted(name for name in names if f"{name}-rulings" in names)


def places_of(said: str, lang: str) -> list[str]:
    """The rulebooks that have an article of exactly this id, else those in which something is found by it; the
    competition comes first."""
    names = sorted(rulebooks(), key=lambda name: (name != USUAL, [*RULEBOOKS].index(name)))
    exact = [name for name in names if said.lower() in load(name)]
    return exact or [name for name in names if load(name).find(said, lang)]


@cache
def load(rulebook: str) -> Articles:
    """The articles of a rulebook, read once, of one's own those of the one that it is a kind of; raises CompanionError
    for a rulebook that is not here."""
    known = rulebooks()
    if rulebook not in known:
        rulebook = RULEBOOKS.nearest(rulebook, known) or rulebook
    if rulebook not in known:
        raise CompanionError(f"There is no rulebook called {rulebook}; the ones here are {', '.join(known)}.")
    written = converted(_toml(f"{rulebook}.toml")["article"], tuple[Article, ...])
    kind = RULEBOOKS[rulebook]
    figures = list(kind.listed(kind.figure_table(())()))  # of the house: an installed variant has no article here
    own = {figure.article for figure in figures}
    variants = converted(_toml("variants.toml")["article"], tuple[Article, ...])
    known_here = own | {SEASON_WEAR} if issubclass(kind, FormulaDe) else own
    written = (*written, *(one for one in variants if one.id in known_here))
    proposed = {place for one in figures if one.proposed for place in (one.article, *one.also)}
    articles = tuple(msgspec.structs.replace(one, proposed=one.id in proposed) for one in written)
    questions = converted(_toml(f"{rulebook}-rulings.toml")["ruling"], tuple[OpenQuestion, ...])
    return Articles(rulebook, articles, questions)


def _toml(name: str) -> dict[str, object]:
    return tomllib.loads(resources.files("companion.rules").joinpath("articles", name).read_text("utf-8"))
