"""Fill in the sentences of a locale.

A sentence is text with fields in braces, `{fact}` or `{fact:form}`, where `form` says how to write the fact:

    {spaces:n|space|spaces}    the number with its noun, in the singular or plural of the language
    {gear:gear}                4 as 4th or 4e; `car`, `cars`, `cost`, `place`, `list` likewise
    {answer:codes}             race cards as they are written, or how many there are
    {answer:face}              what a die showed, a band of faces as 5–20; a fact called face is always written so
    {at:to| on }               a space after the word, a corner, the pit lane or a box after a colon; or these after
                               a second word: {at:to| to | to }
    {loses_to:fails}           the lowest faces of a die: fails on 1–4, or no face fails; `hits`, `needs` likewise;
                               `span` the faces alone
    {size:decimal}             a number with places that came as an English sentence writes it
    {corner:turn|corner|corners}  a corner by its number and noun, or by its name alone where the circuit's are known;
                               several as a list; with |noun at the end the noun stays before the name
    {name:corner}              a corner by its name, or a stretch by its two; several as a list
    {card:card}                a card of the death race by its name; `tokens` several with their tokens
    {built:points}             points by pool, as tyres 6, brakes 3; `short` as ty 6 br 3
    {sky:sky}                  a word of the table [sky]; so with every table that has a name of its own
    {known:keys}               names as a setup or a line of the protocol has them, each in quotes; of a list any one
    {pools:each|word|pool}     several with commas, each as the form says; a word of a table, or as it is if it has none
    {wrong:error}              an error as its sentence; `clause` the same without a full stop
    {why:phrase}               what a library or the system says, translated if the locale knows it
    {slid:?|and slides}        the text after ? if there is such a fact and it is not 0, none or empty; text|else
    {face:=20|a twenty}        the text if the fact is just that

A sentence may also be a table: `by` names a fact, and its value (yes, no for switches; `else` for all others) the
sentence.
"""

from __future__ import annotations

import functools
import re
import string
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final, TypeAlias, cast

from companion.rules.conversation.errors import CompanionError
from companion.rules.conversation.kinds import Pool, in_order
from companion.rules.conversation.text import printable
from companion.wording import locales

if TYPE_CHECKING:
    from fractions import Fraction

    from companion.rules.conversation.asking import Json
    from companion.rules.conversation.changes import Change

# -- the locales, as they lie in `locale/*.toml`: all that a language has to say

Entry: TypeAlias = "str | dict[str, Entry]"
"""Value of a key of a table: a sentence, sentences among which a fact chooses, or a table within it."""
Tables: TypeAlias = dict[str, dict[str, Entry]]
"""Tables of a locale."""


@functools.cache
def locale(name: str) -> Tables:
    """Return the tables of a locale."""
    return cast("Tables", locales.read(name))


# -- sentences with fields in braces: how they are cut, and how they are found in an entry of a locale


@functools.cache
def pieces(template: str) -> tuple[tuple[str, str | None, str], ...]:
    """Cut a sentence at its fields: (text before, fact or None, form)."""
    return tuple((text, field, form or "") for text, field, form, _ in string.Formatter().parse(template))


@functools.cache
def split(form: str) -> tuple[str, ...]:
    """Split a form at each | outside braces."""
    parts, depth = [""], 0
    for sign in form:
        depth += (sign == "{") - (sign == "}")
        if sign == "|" and not depth:
            parts.append("")
        else:
            parts[-1] += sign
    return tuple(parts)


def leaves(entry: Entry) -> Iterator[str]:
    """Yield every sentence of an entry of a locale, whichever fact chooses it."""
    if isinstance(entry, str):
        yield entry
    else:
        for key, inner in entry.items():
            if key != "by":
                yield from leaves(inner)


_UNNAMED_CORNER = re.compile(r"(?:Corner )?(\d+)")
"""Name of a corner in a circuit's file that does not know its real name."""

Names = Mapping[int, str]
"""Drivers' names by car."""


class MissingWords(LookupError):
    """A sentence that the locale lacks, or a fact that the sentence wants and was not given."""


COMMAND: Final = re.compile(r"\bcompanion (?=[a-z])")
"""The beginning of a command in a sentence."""


class Filling:
    """Sentences whose facts are written as their forms say."""

    lang: str
    rulebook: str
    table: Tables
    corner_names: Mapping[int, str] = {}
    """Corners of the circuit by number, those that have a name."""
    options = ""
    """Global options of the command line, --data and --lang, which the suggested commands need as well; else empty."""

    def say(self, key: str, /, names: Names | None = None, **facts: Json) -> str:
        """Return a text of the table [text]."""
        return self._sentence("text", key, facts, names)

    def decimal(self, value: float, places: int = 1) -> str:
        """Return a number with `places` decimals, in the language's notation."""
        return f"{value:.{places}f}".replace(".", self.say("decimal"))

    def percent(self, value: int) -> str:
        """Return a number of per cent with its sign."""
        return self.say("percent", value=value)

    def chance(self, share: float | Fraction) -> str:
        """Return a chance, 0 to 1, in whole per cent."""
        return self.percent(round(100 * share))

    def chances(self, shares: Mapping[int, float]) -> dict[int, str]:
        """Return the chances of cars or places in per cent.

        Exactly one of them happens: with what is left to others they add up to a hundred.
        """
        percents = hundred([*shares.values(), max(0.0, 1 - sum(shares.values()))])
        return {of: self.percent(wins) for of, wins in zip(shares, percents[:-1], strict=True)}

    def screen(self, where: str, /, names: Names | None = None, **facts: Json) -> str:
        """Return a text of the touchscreen by its place in [screen], such as "home.resume"."""
        entry = _at(self._own("screen"), where)
        entry = _at(self.table["screen"], where) if entry is None else entry
        if entry is None:
            raise MissingWords(f"{self.lang}: screen.{where}")
        return self._fill(self._select(entry, facts), facts, names)

    def maybe(self, where: str, /, names: Names | None = None, **facts: Json) -> str:
        """Return the sentence of a screen, or "" if it or one of its facts is missing."""
        try:
            return self.screen(where, names, **facts)
        except MissingWords:
            return ""

    def words_of(self, table: str) -> Mapping[str, str]:
        """Return a table of single words; the rulebook's own where it has them."""
        return {key: word for key, word in {**self.table[table], **self._own(table)}.items() if isinstance(word, str)}

    def signer(self, by: str) -> str:
        """Return who signed, in words; the program signs by names that the locale knows."""
        return self.words_of("signer").get(by, by)

    def word(self, table: str, key: Json) -> str:
        """Return a word of a table, such as "rain" of the table "sky"."""
        return str(self._entry(table, _key(key)))

    def _sentence(self, table: str, kind: str, facts: Mapping[str, Json], names: Names | None) -> str:
        return self._fill(self._select(self._entry(table, kind), facts), facts, names)

    def _entry(self, table: str, key: str) -> Entry:
        """Return the entry of a table; the rulebook's own where it has one."""
        own = self._own(table)
        try:
            return own[key] if key in own else self.table[table][key]
        except KeyError:
            raise MissingWords(f"{self.lang}: {table}.{key}") from None

    def _own(self, table: str) -> dict[str, Entry]:
        """Return the rulebook's own part of a table."""
        own = self.table["rulebook"].get(self.rulebook)
        return _table(own if isinstance(own, dict) else _outside_words(self.lang, self.rulebook), table)

    def _select(self, entry: Entry, facts: Mapping[str, Json]) -> str:
        while not isinstance(entry, str):
            by = str(entry["by"])
            key = _key(facts.get(by, ""))
            if key not in entry and "else" not in entry:
                raise MissingWords(f"{self.lang}: nothing for {by} = {key}")
            entry = entry[key] if key in entry else entry["else"]
        return entry

    def _fill(self, template: str, facts: Mapping[str, Json], names: Names | None) -> str:
        said = []
        for text, field, form in pieces(template):
            said.append(self._with_options(text) if self.options else text)
            if field is None:
                continue
            if form[:1] in ("?", "="):
                parts = split(form)
                holds = bool(facts.get(field)) if form[0] == "?" else _key(facts.get(field)) == parts[0][1:]
                if holds or len(parts) > 2:
                    said.append(self._fill(parts[1] if holds else parts[2], facts, names))
            elif field in facts:
                said.append(self._form(facts[field], form or ("face" if field == "face" else ""), names))
            else:
                raise MissingWords(f"{self.lang}: no {field} for {template!r}")
        return "".join(said)

    def _with_options(self, text: str) -> str:
        """Give the commands that a sentence suggests the global options of the command line."""
        return COMMAND.sub(lambda _: f"companion {self.options} ", text)

    def _form(self, value: Json, form: str, names: Names | None) -> str:
        name, *rest = form.split("|")
        if name == "":
            return self._plain(value)
        if name == "face":
            return face(value) if isinstance(value, list) else self._plain(value)
        if name in ("n", "noun"):
            noun = rest[0] if self._is_one(value) else rest[1]
            return f"{value} {noun}" if name == "n" else noun
        if name == "gear":
            return self._ordinal(value)
        if name in self.table["faces"]:
            return self._sentence("faces", name, {"to": value}, names)
        if name == "decimal":
            return str(value).replace(".", self.say("decimal"))
        if name == "car":
            return self.number(value, names)
        if name == "cars":
            return self._list([self.number(car, names) for car in value])
        if name == "turn":
            return self._turns(value if isinstance(value, list) else [value], *rest)
        if name == "nouns":
            return f"{rest[0] if len(value) < 2 else rest[1]} {self._plain(value)}"
        if name == "cost":
            return self._cost(value)
        if name == "points":
            told = {pool: count for pool, count in in_order(value).items() if count or pool != "stand"}
            return ", ".join(f"{self.word('pool_short', pool)} {count}" for pool, count in told.items())
        if name == "keys" and isinstance(value, list):
            return self._list([f'"{key}"' for key in value], "or")
        if name == "keys":
            return ", ".join(f'"{key}"' for key in re.split(", | or | and ", str(value)))
        if name == "short":
            return " ".join(f"{self.word('pool_two', pool)} {count}" for pool, count in in_order(value).items())
        if name == "place":
            return self.place(value) if isinstance(value, str | None) else self._plain(value)
        if name == "spot":
            return self.spot(value)
        if name == "to":
            where = value.split(":")[0]
            named = rest[1] if rest[1:] and where != "after" else self.say("colon")
            return f"{named if where in self.table['where'] else rest[0]}{self.place(value)}"
        if name == "card":
            return self.card(value)
        if name == "tokens":
            return ", ".join(f"{self.card(key)} {count}" for key, count in value.items())
        if name == "titles":
            return self._list([self.article_title(article) for article in value])
        if name == "tests":
            return self._list([self._test(test) for test in value])
        if name == "seen":
            return self.place(value.replace(" ", ":"))
        if name == "codes":
            if isinstance(value, int):
                return f"{value} {self.word('pool_one' if self._is_one(value) else 'pool', 'cards')}"
            return value if isinstance(value, str) else self._list(value)
        if name == "plain_list":
            return self._list([self._plain(part) for part in value])
        if name == "corner":
            return self.corner(value) if isinstance(value, str) else self._list([self.corner(one) for one in value])
        if name == "change":
            return self.change(value, names)
        if name == "each":
            return ", ".join(self._form(one, "|".join(rest), names) for one in value.split(", "))
        if name == "word":
            return self.words_of(rest[0]).get(value, value)
        if name == "words":
            return self._list([self.words_of(rest[0]).get(one, one) for one in value], "or")
        return self.word(name, value)

    def number(self, car: int | None, names: Names | None = None) -> str:
        """Return a car with its driver: "14 Vidal", or "14" if nobody has a name for it."""
        if car is None:
            return ""
        name = (names or {}).get(car, "")
        return str(car) if name in ("", str(car)) else f"{car} {printable(name)}"

    def article_title(self, article: str) -> str:
        """Return the title of an article of the rulebook whose terms are used, or its number where it has none."""
        from companion.articles import load

        try:
            return load(self.rulebook).get(article).title(self.lang)
        except CompanionError:
            return article

    def card(self, key: str) -> str:
        """Return the name of a card, or of an allowance with its lap ("top:2")."""
        from companion.articles import load
        from companion.rules.death.cards import CARDS

        allowance, _, lap = key.partition(":")
        if allowance in self.table["allowance"]:
            return self.say("used_in_lap", what=self.word("allowance", allowance), lap=lap)
        return load("death").get(CARDS[key].article).title(self.lang) if key in CARDS else key

    def _test(self, test: str) -> str:
        space = test.removeprefix("wall:")
        return self.place(space) if space == test else f"{self.say('wall')} {self.place(space)}"

    def change(self, change: Mapping[str, Json], names: Names | None = None) -> str:
        """Return what the referee sets: "3 Ada: tyres 4, gear 2, soft tyres"."""
        change = dict(change)
        cars = [*change.pop("cars", []), *([change] if "car" in change else [])]
        said = [] if "car" in change else [self._values(change)] if change else []
        for values in cars:
            values = dict(values)
            car = self.number(values.pop("car", None), names)
            said.append(f"{car}{self.say('colon')}{self._values(values)}")
        return "; ".join(said)

    def changed(self, change: Change, names: Names | None = None) -> str:
        """Return a value and what it becomes: "5 Noe: body 2 → 3"."""
        what, car = change.what, self.number(change.car, names)
        facts: dict[str, Json] = {"comes": bool(change.now), "at": change.now or change.was, "car": change.car}
        if what == "danger":
            return self.say("changed_danger", names, **facts)
        if what == "due":
            return self.say("changed_due", names, **facts)
        was, now = (self._value_text(what, value) for value in (change.was, change.now))
        if (card := self.card(what)) != what:
            called = card
        elif what in self.table["pool"]:
            called = self.word("pool", what)
        else:
            called = "" if what in ("status", "sky", "surface") else self.word("value", what)
        said = " ".join(filter(None, (called, was, "→", now)))
        return f"{car}{self.say('colon')}{said}" if car else said

    def skipped_change(self, entry: Mapping[str, Json], names: Names | None = None) -> str:
        """Return a change that a correction does not make."""
        if "moved" in entry:
            return self.say("left_move", names, car=entry["car"])
        if "weather" in entry:
            return self.say("left_weather", names, cars=entry["weather"])
        if "queue" in entry:
            return self.say("left_queue", names, cars=entry["queue"])
        if "mines" in entry:
            return self.say("left_mines")
        return self.say("left", names, change=dict(entry))

    def _value_text(self, name: str, value: Json) -> str:
        if name == "at":
            return self.place(value)
        if name in ("defence", "utility"):
            return self.card(value) or self.word("plain", None)
        if name == "started":
            return self.word("sky", value)
        if name in self.table and isinstance(value, str) and value in self.table[name]:
            return self.word(name, value)
        return "–" if value in ("", None) else self._plain(value)

    def _values(self, values: Mapping[str, Json]) -> str:
        said, as_said = [], self.words_of("set_as")
        for name, value in values.items():
            if name in as_said and value not in ("", None):
                said.append(self._fill(as_said[name], {"value": value}, None))
                continue
            if value is True:
                said.append(self.word("value", name))
                continue
            if isinstance(value, dict):
                shown = self._form(value, "points" if name in ("wear", "built") else "tokens", None)
            elif name in ("defence", "utility", "started") or (name in self.table and isinstance(value, str)):
                shown = self._value_text(name, value)
            elif value in ("", []):
                shown = self.word("plain", None)
            else:
                places = value if name == "dangers" and isinstance(value, list) else None
                shown = self._list([self.place(place) for place in places]) if places else self._plain(value)
                shown = self.place(value) if name == "at" else shown
            between = ", " if name in ("cut_short", "red_flag") else " "
            said.append(f"{self.word('value', name)}{between}{shown}")
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
        return f"−{-value}" if isinstance(value, int) and value < 0 else printable(str(value))

    def _list(self, parts: Sequence[str], last: str = "and") -> str:
        if len(parts) < 2:
            return "".join(parts)
        return f"{', '.join(parts[:-1])} {self.table['text'][last]} {parts[-1]}"

    def _cost(self, wear: Mapping[Pool, int]) -> str:
        said = []
        for pool, points in in_order(wear).items():
            if points:
                table = "pool_one" if abs(points) == 1 else "pool"
                sign = "−" if points < 0 else "+"
                said.append(f"{sign}{abs(points)} {self.word(table, pool)}")
        return ", ".join(said)

    def place(self, place: str | None) -> str:
        """Return the name of a space, with its lane in the reader's language."""
        if not place:
            return self.word("plain", None)
        first, *rest = place.split(":")
        if len(rest) == 2 and first.isdigit():
            return f"{first}:{self.table['lane'].get(rest[0], rest[0])}:{rest[1]}"
        if (first, *rest) == ("after", "0"):
            return self.say("past_line")
        if first in self.table["where"]:
            return " ".join([self.word("where", first), *rest[-1:]])
        return place

    def _turns(self, numbers: list[int], one: str, several: str, keep: str = "") -> str:
        """Return corners by number, or by name where the circuit's names are known."""
        noun = one if len(numbers) < 2 else several
        named = [self.corner_names.get(number, "") for number in numbers]
        if keep or not any(named):
            return f"{noun} {self._list([name or str(number) for name, number in zip(named, numbers, strict=True)])}"
        return self._list([name or f"{one} {number}" for name, number in zip(named, numbers, strict=True)])

    def corner(self, name: str) -> str:
        """Return a corner by its name, or a stretch by those of its two.

        A corner that has only its number ("7", "Corner 7") is called so in the reader's language.

        >>> from companion.wording import Words
        >>> Words("fr").corner("Corner 7"), Words("fr").corner("Casino – 8")
        ('virage 7', 'Casino – virage 8')
        """
        from companion.rules.circuit.zones import STRETCH

        return STRETCH.join(
            self.place(f"corner:{bare[1]}") if (bare := _UNNAMED_CORNER.fullmatch(one)) else one
            for one in name.split(STRETCH)
        )

    def spot(self, place: str | None) -> str:
        """Return a space where the sentence has said that it is one; on a corner sheet its corner."""
        said = self.place(place)
        return self.say("spot_in", corner=said) if place and place.startswith("corner:") else said


@functools.cache
def _outside_words(lang: str, rulebook: str) -> dict[str, Entry]:
    """Return the words of a rulebook from outside, with those of the rulebooks it derives from."""
    from companion.rules.rulebooks import RULEBOOKS  # a short command says a sentence without all the rules

    found: dict[str, Entry] = {}
    for kind in reversed(RULEBOOKS.line(rulebook)):
        for own in (_table(locale(lang)["rulebook"], kind.name), kind.words.get(lang, {})):
            for table in own:
                found[table] = {**_table(found, table), **_table(own, table)}
    return found


def _table(of: Mapping[str, Entry], name: str) -> dict[str, Entry]:
    found = of.get(name)
    return found if isinstance(found, dict) else {}


def face(shown: Json) -> str:
    """Return what a die showed: a face, or the band in which it lay."""
    if not isinstance(shown, list):
        return str(shown)
    return "–".join(str(one) for one in dict.fromkeys(shown))


def _at(table: dict[str, Entry], where: str) -> Entry | None:
    """Return the entry at a place of a table, such as "home.resume", or None."""
    entry: Entry | None = table
    for key in where.split("."):
        entry = entry.get(key) if isinstance(entry, dict) else None
    return entry


def corner_names(corners: Iterable[tuple[int, str]]) -> dict[int, str]:
    """Return corners by number, without those that are called by their number only."""
    return {number: name for number, name in corners if not _UNNAMED_CORNER.fullmatch(name)}


def _key(value: Json) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "none" if value is None else str(value)


def hundred(shares: Sequence[float | Fraction]) -> list[int]:
    """Return shares as whole per cents that add up to a hundred."""
    whole = sum(shares) or 1
    exact = [100 * share / whole for share in shares]
    found = [int(share) for share in exact]
    by_rest = sorted(range(len(found)), key=lambda at: found[at] - exact[at])
    for at in by_rest[: 100 - sum(found)]:
        found[at] += 1
    return found
