"""The dialogue of a race at the terminal: questions, answers, what follows, and what else may be said."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeVar

from companion.desk import Correction, RaceDesk, Told
from companion.rules.conversation import Asked, Json, Ruling
from companion.rules.errors import BadAnswer, BadOverride, CompanionError, NotSaved
from companion.terminal.answers import is_number, plain, pools_named, space_named, typed, value
from companion.terminal.screen import Screen
from companion.terminal.sheet import result_rows, show_sheet
from companion.wording import Names, Words

T = TypeVar("T")

COMMANDS: Final = ("undo", "redo", "correct", "override", "note", "dispute", "show", "rules", "more", "help", "quit")
"""What may be said instead of an answer; each has its names in every language."""
SHOWN: Final = ("board", "order", "sheet", "log", "question")
PAGE: Final = 14
"""How many more answers or entries are shown at once."""
BEGINS: Final = ("gear", "declare", "start", "setup", "saw", "test", "box", "tyres", "practice", "attack")
"""Questions before which it is said whose turn it is, if that is another car's."""


class Session:
    """Runs a race with the people at the terminal, until it is left. `person` is who answers."""

    def __init__(self, desk: RaceDesk, screen: Screen, person: str = "table") -> None:
        self.desk, self.screen, self.person = desk, screen, person
        self.words: Words = screen.words
        self.referee = ""
        self._fresh: list[Ruling] = []
        self._scene: tuple[int | None, int] | None = None
        self._shown = 0
        self._names = self._commands()
        desk.listen(self._hear)

    @property
    def names(self) -> Names:
        return {car.number: car.driver for car in self.desk.rulebook.race.cars}

    # -- the loop

    def run(self) -> None:
        """Asks until the race is left; what was answered is kept."""
        for ruling in self.desk.conversation.opening if self.desk.n == 0 else ():
            self.screen.ruling(ruling, self.names)
        anew = True
        while True:
            asked = self.desk.asked
            if asked is not None and self._by_itself(asked):
                anew = True
                continue
            if anew:
                self._show(asked)
            said = self._read(asked)
            if said is None:
                return
            try:
                done = self._obey(said, asked)
            except NotSaved as wrong:
                done = self._not_saved(wrong)
            except CompanionError as wrong:
                self.screen.complaint(self.words.error(wrong))
                done = False
            if done is None:
                return
            self._rulings()
            anew = done

    def _read(self, asked: Asked | None) -> str | None:
        mark = f"{self.words.say('unsaved', count=self.desk.unsaved)} " if self.desk.unsaved else ""
        prompt = f"{mark}{asked.n} > " if asked is not None else f"{mark}{self.words.say('over')} > "
        try:
            return self.screen.ask(prompt)
        except KeyboardInterrupt:
            self.screen.line()
            return None

    def _hear(self, told: Told) -> None:
        self._fresh += told.rulings

    def _rulings(self) -> None:
        for ruling in self._fresh:
            self.screen.ruling(ruling, self.names)
            if ruling.kind == "round":
                self.screen.order(self.desk, self.names)
        self._fresh.clear()

    def _by_itself(self, asked: Asked) -> bool:
        """A single free landing is taken by itself, unless something has just been taken back."""
        options = asked.options or []
        if asked.ask != "landing" or len(options) != 1 or options[0].wear or self.desk.held:
            return False
        if options[0].facts.keys() & {"out", "spin", "tests"}:
            return False
        try:
            self.desk.answer(options[0].answer, n=asked.n, by="program")
        except CompanionError:
            return False
        self._rulings()
        return True

    def _show(self, asked: Asked | None) -> None:
        screen, race = self.screen, self.desk.rulebook.race
        if asked is None:
            self._result()
            return
        scene = (asked.car, race.round)
        if scene != self._scene and asked.ask in BEGINS:
            car = next((car for car in race.cars if car.number == asked.car), None)
            whole = asked.ask in ("gear", "declare", "start", "saw", "attack") or race.phase == "setup"
            if whole:
                screen.scene(self.desk, car, self.names)
                self._scene = scene
        suggested = self.desk.suggested
        said = self.words.option(asked.ask, suggested, self.names) if suggested is not None else ""
        self._shown = screen.question(asked, self.names, suggested=said)

    def _result(self) -> None:
        screen, words = self.screen, self.words
        screen.line()
        screen.rule(words.say("classification"))
        result_rows(screen, self.desk.rulebook.result(), self.names)
        screen.line((f"  {words.say('over_hint')}", "dim"))

    # -- what was said

    def _commands(self) -> dict[str, str]:
        names: dict[str, str] = {}
        for name in COMMANDS:
            for said in (name, *str(self.words.table["command"][name]).split()):
                names[said] = name
        return names

    def _obey(self, said: str, asked: Asked | None) -> bool | None:
        """Does what was said. True: ask anew; False: the question stands as it was shown; None: leave."""
        word, _, rest = said.partition(" ")
        name = self._names.get(plain(word) or word)
        if not said:
            return self._nothing(asked)
        if name is None:
            return self._answer(said, asked)
        do: Callable[[str, Asked | None], bool | None] = getattr(self, f"_do_{name}")
        return do(rest.strip(), asked)

    def _nothing(self, asked: Asked | None) -> bool:
        """An empty line gives the suggested answer again, if there is one."""
        if asked is not None and self.desk.suggested is not None:
            self.desk.answer(self.desk.suggested, n=asked.n, by=self.person)
            return True
        return False

    def _answer(self, said: str, asked: Asked | None) -> bool:
        if asked is None:
            raise BadAnswer(self.words.say("over_hint"))
        answer = typed(said, asked, self.words)
        if asked.ask == "saw" and isinstance(answer, dict) and set(answer) <= {"in", "line"} and said[:1] != "{":
            answer |= self._besides()
        self._kept(lambda: self.desk.answer(answer, n=asked.n, by=self.person))
        return True

    def _besides(self) -> dict[str, Json]:
        from companion.terminal.answers import details

        said = self.screen.ask(f"  {self.words.say('besides')} > ")
        return details(said or "", self.words)

    def _kept(self, write: Callable[[], T]) -> T:
        """Writes; on a full card asks once whether to stop or to go on in memory."""
        try:
            return write()
        except NotSaved as wrong:
            self.screen.complaint(self.words.error(wrong))
            said = plain(self.screen.ask(f"  {self.words.say('stop_or_memory')} > ") or "")
            if not said or said not in self.words.say("memory_words").split():
                raise
            self.desk.go_on_in_memory()
            return write()

    def _not_saved(self, wrong: NotSaved) -> bool | None:
        """The table chose to stop."""
        self.screen.complaint(self.words.say("stopped"))
        return None

    # -- the commands

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

    def _do_correct(self, rest: str, asked: Asked | None) -> bool:
        """correct N [ANSWER]: tried both ways first, then the table chooses."""
        words, screen, desk = self.words, self.screen, self.desk
        number, _, said = rest.partition(" ")
        if not is_number(number):
            screen.log(desk, self.names, PAGE)
            raise BadAnswer(words.say("correct_how"))
        n = int(number)
        old = self._question_at(n)
        if not said.strip():
            screen.question(old, self.names)
            said = screen.ask(f"  {words.say('instead')} > ") or ""
            if not said:
                return False
        force = plain(said.split()[0]) in ("force", "forcer")
        said = said.split(maxsplit=1)[-1] if force else said
        answer = value(said, old.ask) if force else typed(said, old, words)
        by, why = self._signed() if force else (self.person, "")
        replay = desk.try_correction(n, answer, force=force)
        screen.wrapped(self._outcome(replay), first="  r  ")
        board: Correction | None = None
        try:
            board = desk.try_correction(n, answer, keep="board", force=force)
            screen.wrapped(self._outcome(board, board=True), first=f"  {words.say('board_key')}  ")
        except CompanionError as wrong:
            screen.wrapped(words.error(wrong), "dim", first=f"  {words.say('board_key')}  ")
        choice = words.say("replay_or_board") if board is not None else words.say("replay_only")
        chosen = plain(screen.ask(f"  {choice} > ") or "")
        if chosen.startswith("r"):
            self._kept(lambda: desk.correct(n, answer, by=by, force=force, why=why))
        elif chosen.startswith(("b", "p")) and board is not None:
            then = self._asked_beside(n, answer, force=force, board=board)
            self._kept(lambda: desk.correct(n, answer, keep="board", by=by, force=force, why=why, then=then))
        else:
            return False
        self._scene = None
        return True

    def _question_at(self, n: int) -> Asked:
        """The question that answer `n` answered, as it was."""
        desk = self.desk
        done = desk.answers()
        if not 0 <= n < len(done):
            raise BadAnswer(self.words.say("no_answer_there", n=n, last=len(done) - 1))
        asked = desk.conversation.fork(desk.rulebook.spare(), n).asked
        if asked is None or done[n].kind != "answer":
            raise BadAnswer(self.words.say("set_not_answered", n=n))
        return asked

    def _outcome(self, done: Correction, *, board: bool = False) -> str:
        words = self.words
        if board:
            change = self.words.change(done.change, self.names) if done.change else words.say("nothing_changes")
            return words.say("board_stands", change=change, fell=len(done.fell))
        asks = words.question(done.asks, self.names) if done.asks is not None else words.say("over")
        return words.say("replays", kept=done.kept, all=done.kept + done.dropped, asks=asks)

    def _asked_beside(self, n: int, answer: Json, *, force: bool, board: Correction) -> list[Json]:
        """What the corrected step asks that the old answers do not fit: asked here, until nothing is left open."""
        then: list[Json] = []
        while board.asks is not None:
            self.screen.question(board.asks, self.names)
            said = self.screen.ask(f"  {self.words.say('then')} > ")
            if not said:
                break
            try:
                then.append(typed(said, board.asks, self.words))
                board = self.desk.try_correction(n, answer, keep="board", force=force, then=then)
            except CompanionError as wrong:
                self.screen.complaint(self.words.error(wrong))
                then = then[:-1]
        return then

    def _do_override(self, rest: str, asked: Asked | None) -> bool:
        """override ANSWER, or override car 3 tyres 4, override sky rain."""
        words = self.words
        parts = rest.split()
        if not parts:
            raise BadOverride(words.say("override_how"))
        change = self._change(parts)
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

    def _change(self, parts: list[str]) -> dict[str, Json] | None:
        """A value to set, as it was typed; None if it is an answer that is meant."""
        words = self.words
        names = {plain(name): key for key, name in words.table["value"].items()}
        names |= {plain(key): key for key in words.table["value"]}
        first = plain(parts[0])
        if first in ("car", "voiture") and len(parts) > 1 and is_number(parts[1]):
            return {"car": int(parts[1]), **self._values(parts[2:], names)}
        if names.get(first) in ("sky", "surface", "order", "dangers", "cut_short", "wet_conditions") and len(parts) > 1:
            return self._values(parts, names)
        return None

    def _values(self, parts: list[str], names: dict[str, str]) -> dict[str, Json]:
        words, pools = self.words, pools_named(self.words)
        change: dict[str, Json] = {}
        at = 0
        while at < len(parts):
            name = plain(parts[at])
            key = names.get(name, "")
            said = parts[at + 1] if at + 1 < len(parts) else ""
            if key in ("order", "dangers"):
                rest = parts[at + 1 :]
                change[key] = [int(part) if is_number(part) else space_named(part, words) or part for part in rest]
                return change
            if (pool := pools.get(name)) is not None and is_number(said):
                change.setdefault("wear", {})[pool] = int(said)
            elif key and said:
                change[key] = self._value(key, said)
            else:
                raise BadOverride(words.say("override_how"))
            at += 2
        if not change:
            raise BadOverride(words.say("override_how"))
        return change

    def _value(self, key: str, said: str) -> Json:
        if key == "at":
            return space_named(said, self.words) or said
        if key in self.words.table:
            known = {plain(word): name for name, word in self.words.table[key].items()}
            return known.get(plain(said), said)
        switch = {"true": True, "false": False}
        switch |= {self.words.word("plain", one): one for one in (True, False)}
        return int(said) if is_number(said) else switch.get(said, said)

    def _signed(self) -> tuple[str, str]:
        """Who says so, and why; the name is remembered."""
        words = self.words
        if not self.referee:
            self.referee = self.screen.ask(f"  {words.say('who')} > ") or ""
        why = self.screen.ask(f"  {words.say('why')} > ") or ""
        if not self.referee or not why:
            self.referee = self.referee if why else ""
            raise BadOverride(words.say("unsigned"), "unsigned")
        return self.referee, why

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
            seq, why = done[int(number)].seq, text
        else:
            seq, why = (done[-1].seq if done else self.desk.seq), rest
        self._kept(lambda: self.desk.dispute(seq, by=self.person, why=why))
        self.screen.line((f"  {self.words.say('disputed')}", "cyan"))
        return False

    def _do_show(self, rest: str, asked: Asked | None) -> bool:
        screen, words = self.screen, self.words
        named = {said: name for name in SHOWN for said in (name, *words.table["shown"][name].split())}
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


def _count(said: str) -> Any:
    if not said:
        return 1
    if not is_number(said):
        raise BadAnswer(f"{said[:20]} is not a number.", "number_wanted", said=said[:20])
    return int(said)
