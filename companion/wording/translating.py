"""Errors, and what libraries and the system say, in the reader's language.

An error has its sentence in the table [error], by its kind, which its facts fill in. The place in a file that an error
is about stands before it. What comes in English from outside, such as the reasons of the operating system and the
complaints of click, is a [[phrase]]: its English, with fields for what varies, and its translation.
"""

from __future__ import annotations

import contextlib
import functools
import json
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, cast

from companion.rules.conversation.errors import CompanionError, error_of, short
from companion.wording.filling import Filling, MissingWords, Names, locale, pieces

if TYPE_CHECKING:
    from companion.rules.conversation.asking import Json


class Translating(Filling):
    """Errors and phrases from outside."""

    def error(self, wrong: CompanionError) -> str:
        """Return an error as one sentence, after its place in a file.

        If an error of an external rulebook has no text in this language, its English text is used, or at worst its
        name.
        """
        if " " in wrong.kind:
            return self.phrase(wrong.kind)
        try:
            said = self._sentence("error", wrong.kind, _as_typed(wrong.facts), None)
        except (MissingWords, ValueError, TypeError, AttributeError):
            return wrong.kind if self.lang == "en" else str(wrong)
        return short(self._where(str(wrong.facts.get("where", ""))) + said)

    def stored_error(self, text: str) -> str:
        """Say an error that another program wrote down, or a phrase from outside."""
        return self.error(error_of(text))

    def phrase(self, said: str) -> str:
        """Translate what a library or the system says; as it came if the locale does not know it."""
        for pattern, template in _phrases(self.lang):
            if found := pattern.fullmatch(said):
                with contextlib.suppress(MissingWords):
                    return self._fill(template, found.groupdict(), None)
        return said

    def _where(self, where: str) -> str:
        """Return the translated place in a file with a colon, to precede an error."""
        if not where or self.lang == "en":
            return where and f"{where}: "
        words, spots = self.words_of("spot"), where.split(", ")
        for at, spot in enumerate(spots):
            known = max((word for word in words if f"{spot} ".startswith(f"{word} ")), key=len, default="")
            spots[at] = words.get(known, "") + spot[len(known) :]
        return ", ".join(spots) + self.say("colon")

    def _form(self, value: Json, form: str, names: Names | None) -> str:
        if form in ("error", "clause"):
            said = self.error(value if isinstance(value, CompanionError) else error_of(str(value)))
            return said if form == "error" else said.rstrip(".")
        if form == "phrase":
            return self.phrase(str(value))
        kind, *tables = form.split("|")
        if kind == "listed":  # "A, B and C", "tyres 6, brakes 3", joined by the program, with words of these tables
            words = {**self.words_of("listed"), **{k: v for name in tables for k, v in self.words_of(name).items()}}
            return re.sub(r"[a-z_]+", lambda word: words.get(word[0], word[0]), str(value))
        return super()._form(value, form, names)


class _Typed(str):
    """A fact as it is typed, such as true or ""; in the condition of a text it counts as what it means."""

    __slots__ = ()

    def __bool__(self) -> bool:
        return self not in ("false", '""')


def _as_typed(facts: Mapping[str, object]) -> dict[str, Json]:
    """Return the facts of an error as they are typed: switches, numbers below 0, and blank texts in quotes."""
    return {name: _typed(fact) for name, fact in facts.items()}


def _typed(fact: object) -> Json:
    if isinstance(fact, bool):
        return _Typed(json.dumps(fact))
    if isinstance(fact, str) and not fact.strip():
        return _Typed(f'"{fact}"')
    return str(fact) if isinstance(fact, int) and fact < 0 else cast("Json", fact)


@functools.cache
def _phrases(lang: str) -> tuple[tuple[re.Pattern[str], str], ...]:
    """Return the English phrases that a locale knows, as patterns, with their translations."""
    phrases = cast("list[dict[str, str]]", locale(lang).get("phrase", []))
    known = []
    # One that begins with words of its own comes first, such as a frame about another phrase; then the one that says
    # most in words of its own: "{one} or null" would take much else for its own.
    for phrase in sorted(
        phrases,
        key=lambda one: (one["en"].startswith("{"), -sum(len(text) for text, _, _ in pieces(one["en"]))),
    ):
        wanted = "".join(
            re.escape(text) + (f"(?P<{field}>.*?)" if field else "") for text, field, _ in pieces(phrase["en"])
        )
        known.append((re.compile(wanted, re.DOTALL), phrase[lang]))
    return tuple(known)
