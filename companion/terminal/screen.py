"""What the terminal shows: scenes, questions with their prices, rulings, order and log, in the width there is."""

from __future__ import annotations

from typing import Final

from companion.desk import Done, RaceDesk
from companion.rules.conversation.asking import Ruling
from companion.terminal.offering import Offering
from companion.terminal.standing import Standing
from companion.wording.filling import MissingWords, Names

STYLES: Final = {"out": "bold red", "spin": "red", "weather": "blue", "surface": "blue", "finish": "bold green"}
"""How rulings look that are more than a cost."""


class Screen(Standing, Offering):
    """All that is shown of a race, besides how it stands and what is asked: rulings, what was done, articles."""

    def ruling(self, ruling: Ruling, names: Names) -> None:
        """A ruling with its article before it."""
        style = STYLES.get(ruling.kind, "")
        if not style and any(points < 0 for points in ruling.wear.values()):
            style = "yellow"
        if ruling.kind == "reminder":
            style = "dim"
        self.wrapped(self.words.ruling(ruling, names), style, first=f"  {ruling.article:<9} ")

    def log(self, desk: RaceDesk, names: Names, last: int) -> None:
        """The last answers with their numbers, for corrections."""
        done = desk.answers()
        for one in done[-last:]:
            by = "" if one.by == "table" else f"  ({one.by})"
            self.wrapped(self.done(one, names) + by, first=f"{one.n:>5}  ")

    def done(self, done: Done, names: Names) -> str:
        """One thing that was done, in words."""
        words = self.words
        if done.change is not None:
            try:
                return words.ruling(Ruling("override", "", done.car, {}, {"change": done.change}), names)
            except MissingWords:
                return str(done.change)
        label = words.undo_label(done.ask, done.car, done.answer, names)
        return f"{words.say('corrected')} {label}" if done.kind == "correct" else label

    def articles(self, wanted: str, rulebook: str) -> None:
        """Articles by id or word: up to three of them whole, else their titles."""
        from companion.articles import load

        found = load(rulebook).find(wanted, self.words.lang)
        if not found:
            self.complaint(self.words.say("no_article", said=wanted))
        for entry in found[:3] if len(found) <= 3 else []:
            self.line((f"  {entry.id}  ", "bold cyan"), (entry.title(self.words.lang), "bold"))
            self.wrapped(entry.text(self.words.lang), first="  ")
        if len(found) > 3:
            for entry in found[:15]:
                self.line((f"  {entry.id:<12}", "cyan"), entry.title(self.words.lang)[: self.width - 15])
            if len(found) > 15:
                self.line((f"  {self.words.say('and_more', count=len(found) - 15)}", "dim"))
