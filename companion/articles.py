"""The articles of the rulebooks as data, in English and French, by id or by word.

A rulebook has two files: its articles, and the rulings on questions that they leave open. One more file holds the
articles of the variants, which apply in every rulebook that has the variant. An id such as `13-4` names an article,
`ruling 15` an open question.
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
from companion.rules.dice.variants import Variant
from companion.rules.rulebooks import RULEBOOKS, USUAL, variants_of

SEASON_WEAR: Final = "season.wear"
"""The article on wear that is carried from race to race, in every rulebook of dice."""
By = Literal["program", "table"]
Moment = Literal["trials", "setup", "start", "round", "gear", "roll", "move", "tests", "pit", "finish"]


class Translations(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A text in every language."""

    en: str
    fr: str


PROPOSED: Final = Translations(
    en="Proposed here: the book does not give this.", fr="Proposé ici\u00a0: le livre ne le donne pas."
)
"""Note on an article that rests on a proposed figure."""
INSTALLED: Final = Translations(en="A variant of an installed package.", fr="Une variante d’un paquet installé.")
"""Text about a variant that has a title, and no article here."""
PROPOSED_MARK: Final = Translations(en="proposed", fr="proposé")
"""Same note, in a list of titles."""


class _Entry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Base of articles and open questions.

    `lang` is "en" or "fr"; any other value reads English.
    """

    id: str
    en: str
    fr: str

    def text(self, lang: str) -> str:
        """Return the full text, with figures and exceptions."""
        return self.fr if lang == "fr" else self.en

    def mark(self, lang: str) -> str:
        """Return the mark that follows the title in a list, " · proposed" or nothing."""
        return ""


class Article(_Entry, frozen=True, forbid_unknown_fields=True):
    """An article of a rulebook.

    `by` says who referees it: the program, or the table (a reminder for people, shown at its `moment`). `proposed`
    marks an article with a figure that no source gives. `twins` are the articles of other rulebooks that it restates,
    by rulebook.
    """

    by: By
    moment: Moment
    titles: Translations = msgspec.field(name="title")
    proposed: bool = False
    twins: Mapping[str, tuple[str, ...]] = {}

    def text(self, lang: str) -> str:
        """Return the full text, with a note if a figure in it is proposed."""
        said = super().text(lang)
        return f"{said} {PROPOSED.fr if lang == 'fr' else PROPOSED.en}" if self.proposed else said

    def mark(self, lang: str) -> str:
        """Return " · proposed" if a figure of the article is proposed, else nothing."""
        return f" · {PROPOSED_MARK.fr if lang == 'fr' else PROPOSED_MARK.en}" if self.proposed else ""

    def title(self, lang: str) -> str:
        """Return a short title for the head of a ruling card."""
        return self.titles.fr if lang == "fr" else self.titles.en


class OpenQuestion(_Entry, frozen=True, forbid_unknown_fields=True):
    """A question that the articles leave open, with the ruling used here.

    `switch` names the figure of the setup with which a table rules otherwise; `switch_en` and `switch_fr` describe that
    other ruling.
    """

    question: Translations
    switch: str | None = None
    switch_en: str = ""
    switch_fr: str = ""

    def title(self, lang: str) -> str:
        """Return the question."""
        return self.question.fr if lang == "fr" else self.question.en

    def switch_text(self, lang: str) -> str:
        """Return the ruling that applies when the switch is on; empty without a switch."""
        return self.switch_fr if lang == "fr" else self.switch_en


Entry = Article | OpenQuestion

STEM: Final = 5
"""The least letters of a word that stands for longer ones."""

OPTION_WORDS: Final = (["option"], ["options"])
"""What people type, in every language, to find what can be switched on."""


class Articles:
    """The articles of one rulebook in its own order, then its open questions.

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
        """Return the article or open question with exactly this id.

        Raises CompanionError if there is no such entry.
        """
        try:
            return self._by_id[entry_id]
        except KeyError:
            raise CompanionError("no_article", rulebook=self.rulebook, number=entry_id) from None

    def find(self, word_or_id: str, lang: str) -> list[Entry]:
        """Find entries by ids, by words, or by both.

        Ids alone are looked up with `under`, words alone with `having`; a mix returns the matches of both, and words
        that nothing has return what is `near` them. The word "options" finds what a table can switch on: the options of
        the box and the variants.
        """
        options = self.named("option variant") if folded(word_or_id).split() in OPTION_WORDS else []
        if found := self.under(word_or_id) or options or self.having(word_or_id, lang):
            return found
        named = self.named(word_or_id)
        words = " ".join(part for part in _parts(word_or_id) if not self._below(part))
        if not named:
            return self.near(word_or_id, lang)
        return list({entry.id: entry for entry in (*named, *self.having(words, lang))}.values())

    def under(self, ids: str) -> list[Entry]:
        """Return all entries under one or several ids (`13` is chapter 13).

        Empty if any of the ids is unknown.
        """
        return self.named(ids) if all(map(self._below, _parts(ids))) else []

    def named(self, said: str) -> list[Entry]:
        """Return all entries under those words that are ids."""
        parts = map(self._below, _parts(said))
        return list({entry.id: entry for part in parts for entry in part}.values())

    def having(self, words: str, lang: str) -> list[Entry]:
        """Return the entries whose title or text has all the words, best match first.

        A word also matches the beginning of a longer one. Case, accents and a plural s are ignored.
        """
        asked = _words(words)
        scored = [(_score(entry, asked, lang), entry) for entry in self] if asked else []
        return [entry for score, entry in sorted(scored, key=lambda pair: -pair[0]) if score]

    def near(self, words: str, lang: str) -> list[Entry]:
        """Return the entries that have all the words in their title, text or id, or the longer word of each.

        "construction" is only in the id of an option, and "slipstreaming" is a longer "slipstream".
        """
        asked = _words(words)
        return [entry for entry in self if asked and all(_is_near(word, entry, lang) for word in asked)]

    def _below(self, stem: str) -> list[Entry]:
        stem = stem.rstrip("-.")
        below = re.compile(re.escape(stem) + r"(?![0-9a-z])")
        return [entry for entry in self if below.match(entry.id)] if stem else []


def _parts(said: str) -> list[str]:
    """Split a query into ids and words; `ruling 15` is one id."""
    return re.findall(r"ruling \d+|\S+", " ".join(said.lower().split()))


def _words(text: str) -> list[str]:
    return re.findall(r"[^\W_]+", folded(text))


def _is_near(word: str, entry: Entry, lang: str) -> bool:
    known = _words(f"{entry.title(lang)} {entry.text(lang)} {re.sub('[0-9]', ' ', entry.id)}")
    return any(one.startswith(word) or (len(one) >= STEM and word.startswith(one)) for one in known)


def _score(entry: Entry, asked: list[str], lang: str) -> int:
    """Return how well an entry matches, 0 unless it has every word.

    The title counts more than the text, a whole word more than a beginning, and a title of just these words most.
    """
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
    """Return the names of the rulebooks that have articles here."""
    files = resources.files("companion.rules").joinpath("articles").iterdir()
    names = {file.name.removesuffix(".toml") for file in files if file.name.endswith(".toml")}
    return sorted(name for name in names if f"{name}-rulings" in names)


def places_of(said: str, lang: str) -> list[str]:
    """Return the rulebooks that have an article with exactly this id, competition first.

    Without an exact match, returns those in which a search finds anything.
    """
    names = sorted(rulebooks(), key=lambda name: (name != USUAL, [*RULEBOOKS].index(name)))
    books = {name: load_with_installed(name) for name in names}
    exact = [name for name in names if said.lower() in books[name]]
    return exact or [name for name in names if books[name].find(said, lang)]


def load_with_installed(rulebook: str) -> Articles:
    """Return the articles of a rulebook, with one for each variant that an installed package brings.

    Raises CompanionError for an unknown rulebook.
    """
    book = load(rulebook)
    own = [_article_of(one) for one in variants_of(rulebook) if one.article not in book]
    return Articles(book.rulebook, (*book.articles, *own), book.questions) if own else book


def _article_of(variant: Variant) -> Article:
    titles = Translations(variant.title_in("en"), variant.title_in("fr"))
    return Article(variant.article, INSTALLED.en, INSTALLED.fr, by="program", moment="setup", titles=titles)


@cache
def load(rulebook: str) -> Articles:
    """Return the articles of a rulebook, reading them only once.

    A table's own rulebook has the articles of the rulebook it derives from, and those that it has itself. Raises
    CompanionError for an unknown rulebook.
    """
    known, kinds = rulebooks(), RULEBOOKS.line(rulebook)
    if rulebook not in known:
        rulebook = RULEBOOKS.nearest(rulebook, known) or rulebook
    if rulebook not in known:
        raise CompanionError("no_rulebook", name=rulebook, known=", ".join(known))
    written = converted(_toml(f"{rulebook}.toml")["article"], tuple[Article, ...])
    kind = RULEBOOKS[rulebook]
    figures = list(kind.listed(kind.figure_table(())()))  # of the house: an installed variant has no article here
    own = {figure.article for figure in figures}
    variants = converted(_toml("variants.toml")["article"], tuple[Article, ...])
    known_here = own | {SEASON_WEAR} if issubclass(kind, FormulaDe) else own
    for one in reversed(kinds):
        written = (*written, *(_own_article(number, said) for number, said in vars(one).get("articles", {}).items()))
    written = (*written, *(one for one in variants if one.id in known_here))
    proposed = {place for one in figures if one.proposed for place in (one.article, *one.also)}
    articles = tuple(msgspec.structs.replace(one, proposed=one.id in proposed) for one in written)
    questions = converted(_toml(f"{rulebook}-rulings.toml")["ruling"], tuple[OpenQuestion, ...])
    return Articles(rulebook, articles, questions)


def _own_article(number: str, said: Mapping[str, object]) -> Article:
    """Return an article as a rulebook itself has it; raises CompanionError where it lacks something."""
    try:
        return converted({"id": number, "by": "program", **said}, Article)
    except msgspec.ValidationError as wrong:
        raise CompanionError("own_article", number=number, wrong=str(wrong)) from None


def _toml(name: str) -> dict[str, object]:
    return tomllib.loads(resources.files("companion.rules").joinpath("articles", name).read_text("utf-8"))
