"""What may be said instead of an answer: undo and redo, the referee's word, notes, a look at the race, help."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeVar

from companion.desk import Correction, RaceDesk
from companion.rules.conversation.asking import Asked, Json
from companion.rules.conversation.errors import BadAnswer, BadOverride, CompanionError, NotSaved
from companion.terminal.answers import is_number, plain, pools_named, space_named, typed, value
from companion.terminal.screen import Screen
from companion.terminal.sheet import show_sheet
from companion.view.seats.programs import hand_over, handed_over
from companion.wording import Words
from companion.wording.filling import Names

COMMANDS: Final = (
    "undo",
    "redo",
    "correct",
    "override",
    "note",
    "dispute",
    "show",
    "rules",
    "more",
    "hint",
    "seat",
    "help",
    "quit",
)
"""What may be said instead of an answer; each has its names in every language."""
SHOWN: Final = ("board", "order", "sheet", "log", "question")
PAGE: Final = 14
"""How many more answers or entries are shown at once."""
T = TypeVar("T")


class Asides:
    """The commands, by the people of one desk; `person` is who answers. True: the question is asked anew; False: it
    stands as it was shown; None: the race is left."""

    def __init__(self, desk: RaceDesk, screen: Screen, person: str = "table") -> None:
        self.desk, self.screen, self.person = desk, screen, person
        self.words: Words = screen.words
        self.referee = ""
        self._scene: tuple[int | None, int] | None = None
        """Whose turn in which round was shown last; None if it is to be shown anew."""
        self._shown = 0
        self._names = self._commands()

    @property
    def names(self) -> Names:
        return self.desk.names

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

    def _do_hint(self, rest: str, asked: Asked | None) -> bool:
        """What a champion would answer; the log has it that it was asked."""
        from companion.drivers.hint import hint, ready
        from companion.view.seats.hint import hint_sentence

        if not ready(self.desk.rulebook):
            self.screen.line((f"  {self.words.say('hint_wait')}", "dim"))
        found = hint(asked, self.desk.rulebook)
        assert asked is not None
        said = hint_sentence(self.words, asked, found, self.names)
        self._kept(lambda: self.desk.note(said, by=self.person))
        self.screen.wrapped(said, "cyan", first="  ")
        return False

    def _do_seat(self, rest: str, asked: Asked | None) -> bool:
        """seat CAR DRIVER [rolls]: the program takes a driver's seat; seat CAR gives it back to a person."""
        words = self.words
        named = {one: name for name, more in words.words_of("seat").items() for one in (name, *more.split())}
        car, *said = rest.split() or [""]
        ways = [named.get(plain(one), "") for one in said]
        if not is_number(car) or "" in ways or "rolls" in ways[:1] or len(ways) > 2:
            raise BadAnswer(words.say("seat_how"))
        number, rolls = int(car), "rolls" in ways
        program = self._kept(lambda: hand_over(self.desk, number, "".join(ways[:1]), rolls=rolls, by=self.person))
        self.screen.line((f"  {handed_over(words, number, program, rolls, self.names)}", "cyan"))
        return True

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
        self.screen.articles(wanted, self.desk.rulebook)
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

    # -- correcting: tried both ways first, then the table chooses

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
        self._consequences(replay)
        board: Correction | None = None
        try:
            board = desk.try_correction(n, answer, keep="board", force=force)
            screen.wrapped(self._outcome(board, board=True), first=f"  {words.say('board_key')}  ")
            self._consequences(board)
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
            count = len(done.changes)
            change = words.say("some_changes", count=count) if count else words.say("nothing_changes")
            return words.say("board_stands", change=change, fell=len(done.fell))
        asks = words.question(done.asks, self.names) if done.asks is not None else words.say("over")
        return words.say("replays", kept=done.kept, all=done.kept + done.dropped, asks=asks)

    def _consequences(self, done: Correction) -> None:
        """What becomes otherwise and what stays, a line each."""
        words = self.words
        for change in done.changes:
            self.screen.wrapped(words.changed(change, self.names), first="       ")
        for entry in done.left:
            self.screen.wrapped(words.left(entry, self.names), "dim", first="       ")

    def _asked_beside(self, n: int, answer: Json, *, force: bool, board: Correction) -> list[Json]:
        """What the corrected step asks that the old answers do not fit: asked here, until nothing is left open."""
        then: list[Json] = []
        while board.asks is not None:
            self.screen.question(board.asks, self.names)
            said = self.screen.ask(f"  {self.words.say('then')} > ")
            stands = [option.answer for option in board.asks.options or [] if option.facts.get("stands")]
            if not said and not stands:
                break
            try:
                then.append(typed(said, board.asks, self.words) if said else stands[0])
                board = self.desk.try_correction(n, answer, keep="board", force=force, then=then)
            except CompanionError as wrong:
                self.screen.complaint(self.words.error(wrong))
                then = then[:-1]
        return then


def _count(said: str) -> int:
    if not said:
        return 1
    if not is_number(said):
        raise BadAnswer(f"{said[:20]} is not a number.", "number_wanted", said=said[:20])
    return int(said)


# -- from what a referee types to the values it sets: car 3 tyres 4, sky rain, order 2 1 3


def change_typed(parts: list[str], words: Words) -> dict[str, Json] | None:
    """A value to set, as it was typed; None if it is an answer that is meant."""
    names = {plain(name): key for key, name in words.words_of("value").items()}
    names |= {plain(key): key for key in words.words_of("value")}
    first = plain(parts[0])
    if first in ("car", "voiture") and len(parts) > 1 and is_number(parts[1]):
        return {"car": int(parts[1]), **_values(parts[2:], names, words)}
    if names.get(first) in ("sky", "surface", "order", "dangers", "cut_short", "wet_conditions") and len(parts) > 1:
        return _values(parts, names, words)
    return None


def _values(parts: list[str], names: dict[str, str], words: Words) -> dict[str, Json]:
    pools = pools_named(words)
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
            change[key] = _value(key, said, words)
        else:
            raise BadOverride(words.say("override_how"))
        at += 2
    if not change:
        raise BadOverride(words.say("override_how"))
    return change


def _value(key: str, said: str, words: Words) -> Json:
    if key == "at":
        return space_named(said, words) or said
    if key in words.table:
        known = {plain(word): name for name, word in words.words_of(key).items()}
        return known.get(plain(said), said)
    switch = {"true": True, "false": False}
    switch |= {words.word("plain", one): one for one in (True, False)}
    return int(said) if is_number(said) else switch.get(said, said)
