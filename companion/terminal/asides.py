"""What may be said instead of an answer: undo and redo, the referee's word, notes, a look at the race, help."""

from __future__ import annotations

from typing import Final

from companion.desk import RaceDesk
from companion.rules.conversation.asking import Asked
from companion.rules.conversation.errors import BadAnswer, BadOverride
from companion.terminal.answers import is_number, plain, space_named, typed, value
from companion.terminal.correcting import PAGE, Correcting
from companion.terminal.screen import Screen
from companion.terminal.setting import change_typed
from companion.terminal.sheet import show_sheet

COMMANDS: Final = ("undo", "redo", "correct", "override", "note", "dispute", "show", "rules", "more", "help", "quit")
"""What may be said instead of an answer; each has its names in every language."""
SHOWN: Final = ("board", "order", "sheet", "log", "question")


class Asides(Correcting):
    """The commands. True: the question is asked anew; False: it stands as it was shown; None: the race is left."""

    def __init__(self, desk: RaceDesk, screen: Screen, person: str = "table") -> None:
        super().__init__(desk, screen, person)
        self._shown = 0
        self._names = self._commands()

    def _commands(self) -> dict[str, str]:
        names: dict[str, str] = {}
        for name in COMMANDS:
            for said in (name, *str(self.words.table["command"][name]).split()):
                names[said] = name
        return names

    def _do_undo(self, rest: str, asked: Asked | None) -> bool:
        for one in self._kept(lambda: self.desk.undo(_count(rest), by=self.person)):
            self.screen.wrapped(self.screen.done(one, self.names), "cyan", first=f"  {self.words.say('undone')} ")
        self._scene = None
        return True

    def _do_redo(self, rest: str, asked: Asked | None) -> bool:
        for one in self._kept(lambda: self.desk.redo(_count(rest), by=self.person)):
            self.screen.wrapped(self.screen.done(one, self.names), "cyan", first=f"  {self.words.say('redone')} ")
        self._scene = None
        return True

    def _do_override(self, rest: str, asked: Asked | None) -> bool:
        """override ANSWER, or override car 3 tyres 4, override sky rain."""
        words = self.words
        parts = rest.split()
        if not parts:
            raise BadOverride(words.say("override_how"))
        change = change_typed(parts, words)
        if change is not None:
            by, why = self._signed()
            self._kept(lambda: self.desk.override(change, by=by, why=why))
        elif asked is None:
            raise BadAnswer(words.say("over_hint"))
        else:
            answer = value(rest, asked.ask)
            if isinstance(answer, str):
                answer = typed(rest, asked, words)
            elif isinstance(answer, dict) and (space := space_named(str(answer.get("space", "")), words)):
                answer["space"] = space
            by, why = self._signed()
            self._kept(lambda: self.desk.answer(answer, n=asked.n, by=by, force=True, why=why))
        self._scene = None
        return True

    def _do_note(self, rest: str, asked: Asked | None) -> bool:
        self._kept(lambda: self.desk.note(rest, by=self.person))
        self.screen.line((f"  {self.words.say('noted')}", "cyan"))
        return False

    def _do_dispute(self, rest: str, asked: Asked | None) -> bool:
        """dispute [N] TEXT: the ruling on answer N, else the last one."""
        number, _, text = rest.partition(" ")
        done = self.desk.answers()
        if is_number(number) and text:
            if int(number) >= len(done):
                raise BadAnswer(self.words.say("no_answer_there", n=int(number), last=len(done) - 1))
            seq = done[int(number)].seq
            self._kept(lambda: self.desk.dispute(seq, by=self.person, why=text))
        else:
            self._kept(lambda: self.desk.dispute_last(by=self.person, why=rest))
        self.screen.line((f"  {self.words.say('disputed')}", "cyan"))
        return False

    def _do_show(self, rest: str, asked: Asked | None) -> bool:
        screen, words = self.screen, self.words
        named = {said: name for name in SHOWN for said in (name, *words.words_of("shown")[name].split())}
        what, _, more = rest.partition(" ")
        name = named.get(plain(what)) if what else "question"
        if name == "board":
            screen.board(self.desk, None)
        elif name == "order":
            screen.order(self.desk, self.names)
        elif name == "sheet":
            show_sheet(screen, self.desk.sheet(), int(more) if is_number(more) else None)
        elif name == "log":
            screen.log(self.desk, self.names, int(more) if is_number(more) else PAGE)
        elif name == "question":
            return True
        else:
            raise BadAnswer(words.say("show_how"))
        return False

    def _do_rules(self, rest: str, asked: Asked | None) -> bool:
        wanted = rest or (asked.article if asked is not None else "")
        self.screen.articles(wanted, self.desk.rulebook.name)
        return False

    def _do_more(self, rest: str, asked: Asked | None) -> bool:
        if asked is None or not asked.options or self._shown >= len(asked.options):
            raise BadAnswer(self.words.say("no_more"))
        self._shown = self.screen.options(asked, self.names, self._shown, PAGE)
        return False

    def _do_help(self, rest: str, asked: Asked | None) -> bool:
        for line in self.words.say("help").splitlines():
            self.screen.line(f"  {line}")
        return False

    def _do_quit(self, rest: str, asked: Asked | None) -> None:
        return None


def _count(said: str) -> int:
    if not said:
        return 1
    if not is_number(said):
        raise BadAnswer(f"{said[:20]} is not a number.", "number_wanted", said=said[:20])
    return int(said)
