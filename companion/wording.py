"""Sentences, in the reader's language, from what the rules say in plain data.

The rules speak in kinds and facts; the sentences for them lie in `locale/*.toml`, and this module fills them in. A
sentence is text with fields in braces, `{fact}` or `{fact:form}`, where `form` says how to write the fact:

    {spaces:n|space|spaces}    the number with its noun, in the singular or plural of the language
    {gear:gear}                4 as 4th or 4e; `car`, `cars`, `cost`, `place`, `list` likewise
    {at:to| to }               a space after the word; a corner, the pit lane or a box after a colon
    {card:card}                a card of the death race by its name; `tokens` several with their tokens
    {sky:sky}                  a word of the table [sky]; so with every table that has a name of its own
    {slid:?|and slides}        the text after ? if there is such a fact and it is not 0, none or empty; text|else
    {face:=20|a twenty}        the text if the fact is just that

A sentence may also be a table: `by` names a fact, and its value (yes, no for switches; `else` for all others) the
sentence.

What goes wrong comes as an English sentence; a locale knows it by its kind (table [error], with the facts), or by the
sentence itself ([[sentence]], with fields for what varies). What is said of a file begins with the file and the place
in it, and then a colon; only what follows is looked up, and a field that begins a sentence does not reach over a colon
unless it is itself a sentence (`{complaint:error}`). A part of a sentence that varies by more than a name or number is
a [[phrase]], looked up for `{what:phrase}`.
"""

from __future__ import annotations

import contextlib
import functools
import re
import string
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from importlib import resources
from typing import Any, Final

from companion.rules.cards import CARDS
from companion.rules.conversation import Asked, Json, Option, Ruling
from companion.rules.errors import CompanionError, short
from companion.rules.race import POOLS

LANGUAGES: Final = ("en", "fr")

Names = Mapping[int, str]
"""The drivers' names by car."""


class MissingWords(LookupError):
    """The locale has no sentence for something that the rules say, or lacks a fact that the sentence wants."""


@functools.cache
def _locale(name: str) -> dict[str, Any]:
    text = resources.files("companion").joinpath("locale", f"{name}.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


@functools.cache
def _circuits(lang: str) -> dict[str, Any]:
    """What a locale knows of the sentences about circuit files, which few readers ever see."""
    return {} if lang == "en" else _locale(f"{lang}-circuits")


@functools.cache
def _sentences(lang: str, table: str) -> tuple[tuple[re.Pattern[str], str], ...]:
    """The English sentences (or phrases) that a locale knows, each as the pattern of what it may say, with its
    translation."""
    known = []
    entries = [*_locale(lang).get(table, ()), *_circuits(lang).get(table, ())]
    # the one that says most in words of its own comes first: "{name} is no {kind}." would take much else for its own
    for entry in sorted(entries, key=lambda entry: -sum(len(text) for text, _, _ in pieces(entry["en"]))):
        wanted = ""
        for text, field, form in pieces(entry["en"]):
            anything = ".*?" if wanted or text or form else "(?:(?!: ).)*?"
            wanted += re.escape(text) + (f"(?P<{field}>{anything})" if field else "")
        known.append((re.compile(wanted, re.DOTALL), entry["fr"]))
    return tuple(known)


def _at(table: Mapping[str, Any], where: str) -> Any:
    """What stands in a table at a place such as "home.resume", or None."""
    entry: Any = table
    for key in where.split("."):
        entry = entry.get(key) if isinstance(entry, dict) else None
    return entry


def _cuts(sentence: str) -> Iterator[tuple[str, str]]:
    """A sentence whole, then cut at each colon: where in a file it speaks of, and what it says."""
    yield "", sentence
    for colon in re.finditer(": ", sentence):
        yield sentence[: colon.start()], sentence[colon.end() :]


@functools.cache
def pieces(template: str) -> tuple[tuple[str, str | None, str], ...]:
    """A sentence cut at its fields: (text before, fact or None, form)."""
    return tuple((text, field, form or "") for text, field, form, _ in string.Formatter().parse(template))


def split(form: str) -> list[str]:
    """The parts of a form, cut at each | outside braces."""
    parts, depth = [""], 0
    for sign in form:
        depth += (sign == "{") - (sign == "}")
        if sign == "|" and not depth:
            parts.append("")
        else:
            parts[-1] += sign
    return parts


def leaves(entry: Any) -> Iterator[str]:
    """Every sentence of an entry of the locale, whichever fact chooses it."""
    if isinstance(entry, str):
        yield entry
    else:
        for key, inner in entry.items():
            if key != "by":
                yield from leaves(inner)


class Words:
    """One language's sentences; where a rulebook has another word than the others, `rulebook` says which one speaks.

    Raises CompanionError for a language that there is none of.
    """

    def __init__(self, lang: str = "en", rulebook: str = "competition") -> None:
        if lang not in LANGUAGES:
            raise CompanionError(
                f"There is no language {lang}; there are {', '.join(LANGUAGES)}.", "no_language", lang=lang
            )
        self.lang, self.rulebook = lang, rulebook
        self.table: Mapping[str, Any] = _locale(lang)

    # -- what the rules say

    def ruling(self, ruling: Ruling, names: Names | None = None) -> str:
        """The sentence of a ruling, with the numbers of its sum."""
        facts = {**ruling.facts, "car": ruling.car, "wear": ruling.wear, "paid": bool(ruling.wear)}
        facts["article"] = ruling.article
        if ruling.kind == "reminder":
            facts["text"] = self.article(ruling.article)
        return self._sentence("ruling", ruling.kind, facts, names)

    def article(self, number: str) -> str:
        """What an article or ruling says; its number alone where the rulebook has none of that number."""
        from companion.articles import load

        try:
            return load(self.rulebook).get(number).text(self.lang)
        except CompanionError:
            return number

    def question(self, asked: Asked, names: Names | None = None) -> str:
        """What is asked, as a sentence that begins with the car whose question it is."""
        matter, _, number = asked.what.rpartition("_")
        facts = {**(asked.fields or {}), "car": asked.car, "what": asked.what, "round": asked.round}
        if matter and number.isdigit():
            facts["number"] = int(number)
        return self._sentence("ask", asked.ask, facts, names)

    def option(self, ask: str, answer: Json, names: Names | None = None) -> str:
        """An answer as people say it, without what it costs and brings."""
        facts = {**(answer if isinstance(answer, dict) else {}), "answer": answer}
        return self._sentence("option", ask, facts, names)

    def offered(self, ask: str, option: Option, names: Names | None = None) -> str:
        """An offered answer as people say it; on a corner sheet also that it is past the line."""
        if ask == "saw" and isinstance(option.answer, dict):
            return self.option(ask, {**option.answer, **option.facts}, names)
        return self.option(ask, option.answer, names)

    def note(self, ask: str, option: Option, names: Names | None = None) -> str:
        """What an answer brings besides its cost: spaces, stops, tests, the end of the race."""
        answer = option.answer if isinstance(option.answer, dict) else {}
        if -option.wear.get("brakes", 0) == answer.get("brakes"):
            answer = {**answer, "brakes": 0}  # its price says so already
        table = self.table["note"]
        key = "landing" if ask in ("landing", "slipstream", "kers") else ask if ask in table else "other"
        said = self._fill(table[key], {**option.facts, **answer}, names)
        if option.facts.get("spin"):
            said += " · " + self.word("status", "spun")
        if out := option.facts.get("out"):
            said += f" · {self.word('status', 'out')}{self.say('colon')}{self.word('cause', out)}"
        return said.removeprefix(" · ")

    def cost(self, wear: Mapping[str, int]) -> str:
        """Points gained and lost: "−2 tyres, −1 brake", or "free"."""
        return self._cost(wear) or self.say("free")

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
        for where, said in _cuts(sentence) if _locale(self.lang).get("sentence") else ():
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
        words = _circuits(self.lang)["spot"]
        for at, spot in enumerate(spots):
            known = max((word for word in words if spot.startswith(word)), key=len, default="")
            spots[at] = words.get(known, "") + spot[len(known) :]
        return ", ".join([file, *spots]) + self.say("colon") if where else ""

    def undo_label(self, ask: str, car: int | None, answer: Json, names: Names | None = None) -> str:
        """What an undo takes back: an answer, by what it answered."""
        try:
            said = self.option(ask, answer, names)
        except (MissingWords, TypeError, AttributeError, ValueError):
            said = self._plain(answer)
        about = self._sentence("about", ask, {}, names)
        return self.say("undo_label", names, about=about, car=car, answer=said)

    def say(self, key: str, /, names: Names | None = None, **facts: Json) -> str:
        """A text of the program itself, from the table [text]."""
        own = self.table.get("rulebook", {}).get(self.rulebook, {}).get("text", {})
        try:
            entry = own[key] if key in own else self.table["text"][key]
        except KeyError:
            raise MissingWords(f"{self.lang}: text.{key}") from None
        return self._fill(self._chosen(entry, facts), facts, names)

    def screen(self, where: str, /, names: Names | None = None, **facts: Json) -> str:
        """A text of the touchscreen by its place in the table [screen], such as screen("home.resume")."""
        own = self.table.get("rulebook", {}).get(self.rulebook, {}).get("screen")
        entry = _at(own, where) if own else None
        entry = _at(self.table["screen"], where) if entry is None else entry
        if entry is None:
            raise MissingWords(f"{self.lang}: screen.{where}")
        return self._fill(self._chosen(entry, facts), facts, names)

    def word(self, table: str, key: Json) -> str:
        """One word of a table of words, such as word("sky", "rain"); the rulebook's own where it has one."""
        own = self.table.get("rulebook", {}).get(self.rulebook, {}).get(table, {})
        try:
            return str(own[_key(key)] if _key(key) in own else self.table[table][_key(key)])
        except KeyError:
            raise MissingWords(f"{self.lang}: {table}.{key}") from None

    def number(self, car: int | None, names: Names | None = None) -> str:
        """A car as it is called: "14 Vidal", "14" if nobody has a name for it."""
        if car is None:
            return ""
        name = (names or {}).get(car, "")
        return f"{car} {name}" if name else str(car)

    # -- filling in

    def _sentence(self, table: str, kind: str, facts: Mapping[str, Json], names: Names | None) -> str:
        own = self.table.get("rulebook", {}).get(self.rulebook, {}).get(table, {})
        try:
            entry = own[kind] if kind in own else self.table[table][kind]
        except KeyError:
            raise MissingWords(f"{self.lang}: {table}.{kind}") from None
        return self._fill(self._chosen(entry, facts), facts, names)

    def _chosen(self, entry: Any, facts: Mapping[str, Json]) -> str:
        while not isinstance(entry, str):
            key = _key(facts.get(entry["by"], ""))
            if key not in entry and "else" not in entry:
                raise MissingWords(f"{self.lang}: nothing for {entry['by']} = {key}")
            entry = entry.get(key, entry.get("else"))
        return entry

    def _fill(self, template: str, facts: Mapping[str, Json], names: Names | None) -> str:
        said = []
        for text, field, form in pieces(template):
            said.append(text)
            if field is None:
                continue
            if form[:1] in ("?", "="):
                parts = split(form)
                holds = bool(facts.get(field)) if form[0] == "?" else _key(facts.get(field)) == parts[0][1:]
                if holds or len(parts) > 2:
                    said.append(self._fill(parts[1] if holds else parts[2], facts, names))
            elif field in facts:
                said.append(self._form(facts[field], form, names))
            else:
                raise MissingWords(f"{self.lang}: no {field} for {template!r}")
        return "".join(said)

    def _form(self, value: Json, form: str, names: Names | None) -> str:
        name, *rest = form.split("|")
        if name == "":
            return self._plain(value)
        if name in ("n", "noun"):
            noun = rest[0] if self._is_one(value) else rest[1]
            return f"{value} {noun}" if name == "n" else noun
        if name == "gear":
            return self._ordinal(value)
        if name == "car":
            return self.number(value, names)
        if name == "error":
            return self.translated(str(value))
        if name == "phrase":
            said = self._found("phrase", str(value))
            return str(value) if said is None else said
        if name == "nodes":
            words = _circuits(self.lang)["listed"]
            return re.sub(r"[a-z]+", lambda word: words.get(word[0], word[0]), str(value))
        if name == "cars":
            return self._list([self.number(car, names) for car in value])
        if name == "nouns":
            return f"{rest[0] if len(value) < 2 else rest[1]} {self._plain(value)}"
        if name == "cost":
            return self._cost(value)
        if name == "points":
            return ", ".join(f"{self.word('pool_short', pool)} {count}" for pool, count in value.items())
        if name == "place":
            return self.place(value)
        if name == "to":
            named = value.split(":")[0] in self.table["where"]
            return f"{self.say('colon') if named else rest[0]}{self.place(value)}"
        if name == "card":
            return self.card(value)
        if name == "tokens":
            return ", ".join(f"{self.card(key)} {count}" for key, count in value.items())
        if name == "tests":
            return self._list([self._test(test) for test in value])
        if name == "seen":
            return self.place(value.replace(" ", ":"))
        if name == "codes":
            return value if isinstance(value, str) else " + ".join(value)
        if name == "plain_list":
            return self._list([self._plain(part) for part in value])
        if name == "change":
            return self.change(value, names)
        return self.word(name, value)

    def card(self, key: str) -> str:
        """The name of a card; what is no card as it is."""
        from companion.articles import load

        return load("death").get(CARDS[key].article).title(self.lang) if key in CARDS else key

    def _test(self, test: str) -> str:
        space = test.removeprefix("wall:")
        return self.place(space) if space == test else f"{self.say('wall')} {self.place(space)}"

    def change(self, change: Mapping[str, Json], names: Names | None = None) -> str:
        """What the referee sets: "3 Ada: wear tyres 4, gear 2"."""
        change = dict(change)
        cars = [*change.pop("cars", []), *([change] if "car" in change else [])]
        said = [] if "car" in change else [self._values(change)] if change else []
        for values in cars:
            values = dict(values)
            car = self.number(values.pop("car", None), names)
            said.append(f"{car}{self.say('colon')}{self._values(values)}")
        return "; ".join(said)

    def _values(self, values: Mapping[str, Json]) -> str:
        said = []
        for name, value in values.items():
            if isinstance(value, dict):
                shown = self._form(value, "points" if name == "wear" else "tokens", None)
            elif name in ("defence", "utility"):
                shown = self.card(value) or self.word("plain", None)
            elif name in self.table and isinstance(value, str):
                shown = self.word(name, value)
            else:
                places = value if name == "dangers" and isinstance(value, list) else None
                shown = self._list([self.place(place) for place in places]) if places else self._plain(value)
                shown = self.place(value) if name == "at" else shown
            said.append(f"{self.word('value', name)} {shown}")
        return ", ".join(said)

    def _is_one(self, count: int) -> bool:
        return abs(count) < 2 if self.lang == "fr" else abs(count) == 1

    def _ordinal(self, number: int) -> str:
        endings = self.table["ordinal"]
        return f"{number}{endings.get(str(number), endings['else'])}"

    def _plain(self, value: Json) -> str:
        if isinstance(value, bool) or value is None:
            return self.word("plain", value)
        if isinstance(value, dict):
            return ", ".join(f"{key} {self._plain(inner)}" for key, inner in value.items())
        if isinstance(value, list):
            return self._list([self._plain(part) for part in value])
        return f"−{-value}" if isinstance(value, int) and value < 0 else str(value)

    def _list(self, parts: Sequence[str]) -> str:
        if len(parts) < 2:
            return "".join(parts)
        return f"{', '.join(parts[:-1])} {self.table['text']['and']} {parts[-1]}"

    def _cost(self, wear: Mapping[str, int]) -> str:
        said = []
        for pool in (*POOLS, *(pool for pool in wear if pool not in POOLS)):
            if points := wear.get(pool, 0):
                table = "pool_one" if abs(points) == 1 else "pool"
                sign = "−" if points < 0 else "+"
                said.append(f"{sign}{abs(points)} {self.word(table, pool)}")
        return ", ".join(said)

    def place(self, place: str | None) -> str:
        """A space by its name, with the lane (or the pits) in the reader's language."""
        if not place:
            return self.word("plain", None)
        first, *rest = place.split(":")
        if len(rest) == 2 and first.isdigit():
            return f"{first}:{self.table['lane'].get(rest[0], rest[0])}:{rest[1]}"
        if (first, *rest) == ("after", "0"):
            return self.say("past_line")
        if first in self.table["where"]:
            return " ".join([self.table["where"][first], *rest[-1:]])
        return place


def _key(value: Json) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "none" if value is None else str(value)
