"""What goes wrong, in the reader's language.

It comes as an English sentence; a locale knows it by its kind (table [error], with the facts), or by the sentence
itself ([[sentence]], with fields for what varies). What is said of a file begins with the file and the place in it, and
then a colon; only what follows is looked up, and a field that begins a sentence does not reach over a colon unless it
is itself a sentence (`{complaint:error}`). A part of a sentence that varies by more than a name or number is a
[[phrase]], looked up for `{what:phrase}`.
"""

from __future__ import annotations

import contextlib
import functools
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from companion.rules.conversation.errors import CompanionError, short
from companion.wording.filling import Filling, MissingWords, Names, circuits, locale, pieces

if TYPE_CHECKING:
    from companion.rules.conversation.asking import Json


class Translating(Filling):
    """What came in English and is found in the locale."""

    def error(self, wrong: CompanionError) -> str:
        """What is wrong, in one sentence; in the words it came with where the locale has none for it."""
        entry = self.table["error"].get(wrong.kind) if wrong.kind else None
        try:
            if entry is not None:
                return short(self._fill(self._chosen(entry, wrong.facts), wrong.facts, None))
        except (MissingWords, ValueError, TypeError):
            pass
        return self.translated(str(wrong))

    def translated(self, sentence: str) -> str:
        """A sentence of the program that came in English, in this language; as it is if the locale does not know it."""
        for where, said in _cuts(sentence) if locale(self.lang).get("sentence") else ():
            found = self._found("sentence", said)
            if found is not None:
                return self._where(where) + found
        return sentence

    def _found(self, table: str, said: str) -> str | None:
        """What [[sentence]] or [[phrase]] has for something said in English; None if nothing."""
        for pattern, template in _sentences(self.lang, table):
            if found := pattern.fullmatch(said):
                with contextlib.suppress(MissingWords):
                    return self._fill(template, found.groupdict(), None)
        return None

    def _where(self, where: str) -> str:
        """Where in a file something is said of it: the file's name, then section, lane and space."""
        file, *spots = where.split(", ")
        words = circuits(self.lang)["spot"]
        for at, spot in enumerate(spots):
            known = max((word for word in words if spot.startswith(word)), key=len, default="")
            spots[at] = str(words.get(known, "")) + spot[len(known) :]
        return ", ".join([file, *spots]) + self.say("colon") if where else ""

    def _form(self, value: Json, form: str, names: Names | None) -> str:
        if form == "error":
            return self.translated(str(value))
        if form == "phrase":
            said = self._found("phrase", str(value))
            return str(value) if said is None else said
        kind, *tables = form.split("|")
        if (
            kind == "listed"
        ):  # a list that came in English: "A, B and C", "tyres 6, brakes 3", with words of these tables
            words = {
                **circuits(self.lang)["listed"],
                **{k: v for name in tables for k, v in self.words_of(name).items()},
            }
            return re.sub(r"[a-z_]+", lambda word: str(words.get(word[0], word[0])), str(value))
        return super()._form(value, form, names)


@functools.cache
def _sentences(lang: str, table: str) -> tuple[tuple[re.Pattern[str], str], ...]:
    """The English sentences (or phrases) that a locale knows, each as the pattern of what it may say, with its
    translation."""
    known = []
    entries = [*locale(lang).get(table, ()), *circuits(lang).get(table, ())]
    # the one that says most in words of its own comes first: "{name} is no {kind}." would take much else for its own
    for entry in sorted(entries, key=lambda entry: -sum(len(text) for text, _, _ in pieces(entry["en"]))):
        wanted = ""
        for text, field, form in pieces(entry["en"]):
            anything = ".*?" if wanted or text or form else "(?:(?!: ).)*?"
            wanted += re.escape(text) + (f"(?P<{field}>{anything})" if field else "")
        known.append((re.compile(wanted, re.DOTALL), entry[lang]))
    return tuple(known)


def _cuts(sentence: str) -> Iterator[tuple[str, str]]:
    """A sentence whole, then cut at each colon: where in a file it speaks of, and what it says."""
    yield "", sentence
    for colon in re.finditer(": ", sentence):
        yield sentence[: colon.start()], sentence[colon.end() :]
