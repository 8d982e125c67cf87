"""A question at the terminal: its answers, cheapest first, each with what it brings and what it costs."""

from __future__ import annotations

from typing import Final

from companion.rules.conversation.asking import Asked, Option
from companion.terminal.answers import BY_VALUE
from companion.terminal.lines import Lines
from companion.wording.filling import Names, face

ROWS: Final = 8
"""How many answers are shown before "more"."""


class Offering(Lines):
    """Shows a question and what is offered as its answer."""

    def question(self, asked: Asked, names: Names, *, suggested: str = "") -> int:
        """A question with its answers, cheapest first, and their prices; returns how many answers were shown."""
        shown = 0
        text, article = self.words.question(asked, names), f"[{asked.article}]"
        gap = self.width - len(text) - len(article)
        if gap > 1:
            self.line((text, "bold"), " " * gap, (article, "dim"))
        else:
            self.wrapped(f"{text}  {article}", "bold")
        if asked.faces is not None:
            if len(asked.faces) <= 10:
                self.line("  " + "  ".join(str(face) for face in asked.faces))
            else:
                low, high, bands = asked.faces[0], asked.faces[-1], [face(band) for band in asked.bands or ()]
                self.wrapped(self.words.say("faces", low=low, high=high, bands=bands[1:] and bands), first="  ")
        elif asked.ask == "box" and asked.options:
            self.wrapped("  ".join(str(option.answer) for option in asked.options), first="  ")
        elif asked.options:
            shown = self.options(asked, names)
        if asked.ask == "setup":
            self.line((f"  {self.words.say('setup_hint', stand='stand' in (asked.fields or {}))}", "dim"))
        elif asked.ask == "chart":
            self.line((f"  {self.words.say('chart_hint')}", "dim"))
        elif "card" in (asked.fields or {}):
            self.wrapped(self.words.say("card_hint"), "dim", first="  ")
        elif asked.ask == "saw":
            self.wrapped(self.words.say("saw_hint"), "dim", first="  ")
        if suggested:
            self.line((f"  {self.words.say('suggested', answer=suggested)}", "cyan"))
        return shown

    def options(self, asked: Asked, names: Names, start: int = 0, rows: int = ROWS) -> int:
        """So many answers from one on, in groups of one price; returns how many have been shown by now."""
        options = asked.options or []
        end = start + rows if len(options) > start + rows + 2 else len(options)
        before = None
        for place, option in enumerate(options[start:end], start + 1):
            price = self.price(option)
            if before is not None and price != before and asked.ask in ("landing", "slipstream", "kers"):
                self.line((f"      {'·' * 3}", "dim"))
            before = price
            self.option(place, asked, option, names)
        if rest := options[end:]:
            first, last = self.price(rest[0]), self.price(rest[-1])
            said = self.words.say("more", count=len(rest), price=first, last="" if last == first else last)
            self.line((f"   m  {said}", "cyan"))
        return end

    def option(self, place: int, asked: Asked, option: Option, names: Names) -> None:
        """One answer: what to type, what it is, what it brings, what it costs; in one line, and what it brings goes on
        in the next where it must."""
        words = self.words
        number = str(option.answer) if asked.ask in BY_VALUE else str(place)
        name = words.offered(asked.ask, option, names)
        brings = {name: fact for name, fact in option.facts.items() if name not in ("out", "spin")}  # in the price
        note = words.note(asked.ask, Option(option.answer, option.wear, brings), names)
        free = asked.ask in ("gear", "landing", "slipstream", "kers")
        price = self.price(option) if option.wear or option.facts.get("out") or free else ""
        if asked.ask == "repair":
            price = ""
        style = "red" if "out" in option.facts else "yellow" if option.wear and asked.ask != "repair" else "green"
        if option.facts.get("spin"):
            style = "red"
        room = self.width - 6 - len(price) - 2
        text, rest = f"{name:<15} {note}".rstrip() if note else name, ""
        if len(text) > room:
            cut = text.rfind(" · ", 0, room)
            text, rest = (text[:cut], text[cut + 3 :]) if cut > 0 else (text[: room - 1] + "…", "")
        self.line((f"{number:>4}  ", "bold cyan"), f"{text:<{room}}  ", (price, style))
        if rest:
            self.wrapped(rest, first=" " * 22)

    def price(self, option: Option) -> str:
        """What an answer costs, out and spin included."""
        words = self.words
        if out := option.facts.get("out"):
            return f"{words.word('status', 'out')} ({words.word('cause', out)})"
        cost = words.cost(option.wear)
        return f"{cost}, {words.word('status', 'spun')}" if option.facts.get("spin") else cost
