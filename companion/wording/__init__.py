"""Sentences, in the reader's language, from what the rules say in plain data.

The rules speak in kinds and facts; the sentences for them lie in `locale/*.toml`, and this package fills them in:
`filling` says how, `translating` what becomes of a sentence that comes in English; `locales` reads them quickly.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final, Literal

from companion.rules.conversation.errors import CompanionError
from companion.rules.conversation.kinds import is_payable
from companion.wording.filling import MissingWords, Names, locale
from companion.wording.translating import Translating

if TYPE_CHECKING:
    from companion.rules.conversation.asking import Asked, Json, Option, Ruling
    from companion.rules.conversation.kinds import Ask, Pool

LANGUAGES: Final = ("en", "fr")


def capital(said: str) -> str:
    """Return a text with its first letter as a capital."""
    return said[:1].upper() + said[1:]


class Words(Translating):
    """The sentences of one language.

    `rulebook` selects the rulebook whose own terms are used. Raises CompanionError for an unknown language.

    >>> from companion.rules.conversation.asking import Ruling
    >>> ruling = Ruling("gear_down", "13-4", 1, {"gearbox": -1}, {"before": 3, "gear": 1, "skipped": 1})
    >>> Words("en").ruling(ruling, {1: "Ada"})
    '1 Ada down from 3rd to 1st, 1 gear skipped: −1 gearbox.'
    >>> Words("fr").option("gear", 1)
    '1re'
    """

    def __init__(self, lang: str = "en", rulebook: str = "competition") -> None:
        if lang not in LANGUAGES:
            raise CompanionError("no_language", lang=lang, known=", ".join(LANGUAGES))
        self.lang, self.rulebook = lang, rulebook
        self.table = locale(lang)

    def ruling(self, ruling: Ruling, names: Names | None = None) -> str:
        """Return the sentence of a ruling, with the numbers of its sum."""
        facts = {**ruling.facts, "car": ruling.car, "wear": ruling.wear, "paid": bool(ruling.wear)}
        facts["article"] = ruling.article
        if ruling.kind == "overshoot":
            facts["unpayable"] = not is_payable(ruling.facts.get("factor", 0))
        if ruling.kind == "blocked":
            owed = sum(int(ruling.facts.get(pool) or 0) for pool in ("brakes", "tyres"))
            facts["unpaid"] = owed > -sum(ruling.wear.values())
        change = ruling.facts.get("change")
        if ruling.kind == "override" and isinstance(change, dict):
            if how := change.get("cut_short"):
                return self.say("sets_cut_short", how=how)
            if how := change.get("red_flag"):
                return self.say("sets_red_flag", how=how)
            if set(change) == {"car", "driver"}:
                return self.say("sets_driver", **change)
        if ruling.kind == "reminder":
            facts["text"] = self.article(ruling.article)
        return self._sentence("ruling", ruling.kind, facts, names)

    def article(self, number: str) -> str:
        """Return the text of an article or ruling, or its number where the rulebook has none."""
        from companion.articles import load

        try:
            return load(self.rulebook).get(number).text(self.lang)
        except CompanionError:
            return number

    def question(self, asked: Asked, names: Names | None = None) -> str:
        """Return a question as a sentence that begins with the car that has to answer."""
        matter, _, number = asked.what.rpartition("_")
        facts = {**(asked.fields or {}), "car": asked.car, "what": asked.what, "round": asked.round}
        if matter and number.isdigit():
            facts["number"] = int(number)
        return self._sentence("ask", asked.ask, facts, names)

    def option(self, ask: Ask, answer: Json, names: Names | None = None) -> str:
        """Return an answer in words, without what it costs and brings."""
        return self._sentence("option", ask, _spread(answer), names)

    def offered(self, ask: Ask, option: Option, names: Names | None = None) -> str:
        """Return an offered answer in words; on a corner sheet also that it is past the line."""
        if ask == "saw" and isinstance(option.answer, dict):
            return self.option(ask, {**option.answer, **option.facts}, names)
        return self.option(ask, option.answer, names)

    def note(self, ask: Ask, option: Option, names: Names | None = None) -> str:
        """Return what an answer brings besides its cost: spaces, stops, tests, the end."""
        answer = option.answer if isinstance(option.answer, dict) else {}
        if -option.wear.get("brakes", 0) == answer.get("brakes"):
            answer = {**answer, "brakes": 0}  # its price says so already
        table = self.words_of("note")
        key = "landing" if ask in ("landing", "slipstream", "kers") else ask if ask in table else "other"
        said = self._fill(table[key], {**option.facts, **answer}, names)
        if option.facts.get("stands"):
            said += f" · {self.say('as_it_stands')}"
        if option.facts.get("spin"):
            said += " · " + self.word("status", "spun")
        if out := option.facts.get("out"):
            said += f" · {self.word('status', 'out')}{self.say('colon')}{self.word('cause', out)}"
        return said.removeprefix(" · ")

    def cost(self, wear: Mapping[Pool, int]) -> str:
        """Return points gained and lost: "−2 tyres, −1 brake", or "free"."""
        return self._cost(wear) or self.say("free")

    def undo_label(self, ask: Ask | Literal[""], car: int | None, answer: Json, names: Names | None = None) -> str:
        """Return what an undo takes back: an answer, and what it answered."""
        try:
            said = self._sentence("option", ask, _spread(answer), names)
        except (MissingWords, TypeError, AttributeError, ValueError):
            said = self._plain(answer)
        about = self._sentence("about", ask, {}, names)
        return self.say("undo_label", names, about=about, car=car, answer=said)


def _spread(answer: Json) -> dict[str, Json]:
    """Return an answer as the facts of a sentence: its parts, and all of it as `answer`."""
    return {**(answer if isinstance(answer, dict) else {}), "answer": answer}
