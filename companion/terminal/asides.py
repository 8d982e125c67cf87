"""What may be said instead of an answer: undo and redo, the referee's word, notes, a look at the race, help."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from typing import TYPE_CHECKING, Final, TypeVar

from companion.desk import Correction, RaceDesk
from companion.desk.ahead import Ahead
from companion.rules.conversation.asking import Asked, Json
from companion.rules.conversation.conversation import Conversation
from companion.rules.conversation.errors import BadAnswer, BadOverride, CompanionError, NotSaved
from companion.terminal.answers import forced, is_number, plain, pools_named, space_named, typed
from companion.terminal.prompts import Command, check_name, command_in, examples, goes_on_in_memory
from companion.terminal.screen import Screen
from companion.terminal.sheet import show_sheet
from companion.view.seats.programs import hand_over, handed_over
from companion.wording import Words
from companion.wording.filling import Names

if TYPE_CHECKING:
    from companion.rules.rulebooks import Book

SHOWN: Final = ("board", "order", "sheet", "log", "question")
PAGE: Final = 14
"""How many more answers or entries are shown at once."""
LOOKED_AT: Final = ("note", "dispute", "show", "rules", "more", "hint", "help")
"""The commands that leave a question as it is."""
T = TypeVar("T")


class Dropped(Exception):
    """What was begun has been taken back before it was done: a place without what happened there, a correction."""


class Instead(Exception):
    """In the middle of something else was said: that is dropped, and `command` obeyed."""

    def __init__(self, command: Command) -> None:
        super().__init__(command)
        self.command = command


class Asides:
    """The commands, by the people of one desk; `person` is who answers. True: the question is asked anew; False: it
    stands as it was shown; None: the race is left."""

    def __init__(self, desk: RaceDesk, screen: Screen, person: str = "table") -> None:
        self.desk, self.screen, self.person = desk, screen, person
        self.words: Words = screen.words
        self.referee = ""
        self._ahead = Ahead(desk)
        self._hinted = -1, ""
        """The last entry of the log when a hint was noted last, and that hint."""
        self._scene: tuple[int | None, int] | None = None
        """Whose turn in which round was shown last; None if it is to be shown anew."""
        self._shown = 0

    @property
    def names(self) -> Names:
        return self.desk.names

    def _kept(self, write: Callable[[], T]) -> T:
        """Writes; on a full card asks once whether to stop or to go on in memory."""
        try:
            return write()
        except NotSaved as wrong:
            self.screen.complaint(self.words.error(wrong))
            if not goes_on_in_memory(self.screen):
                raise
            self.desk.go_on_in_memory()
            return write()

    def _signed(self) -> tuple[str, str]:
        """Who says so, and why; the name is remembered."""
        words, asked = self.words, self.desk.asked
        if not self.referee:
            self.referee = self._ask(words.say("who"), asked, free=True)
        why = self._ask(words.say("why"), asked, free=True)
        if not self.referee or not why:
            self.referee = self.referee if why else ""
            raise BadOverride(words.say("unsigned"), "unsigned")
        return self.referee, why

    # -- prompts between a question and its answer

    def _ask(self, wanted: str, asked: Asked | None, *, free: bool = False) -> str:
        """Ask for what is wanted besides, until that is typed: a look or a note in between leaves it open. Raises
        Dropped for undo, and Instead for any other command."""
        while True:
            try:
                said = self.screen.ask(f"  {wanted} > ")
            except KeyboardInterrupt:
                self.screen.line()
                said = None
            command = Command("quit", "") if said is None else command_in(said, self.words, free=free)
            if command is None:
                return said or ""
            if command.name == "undo":
                raise Dropped
            if command.name not in LOOKED_AT:
                raise Instead(command)
            try:
                if command.name == "help":
                    self.screen.wrapped(self.words.say("wanted_here", wanted=wanted), "bold", first="  ")
                    self._do_help(command.rest, None)  # what is wanted here has its own example
                elif self._do(command, asked) and asked is not None:
                    self.screen.question(asked, self.names)
            except CompanionError as wrong:
                self.screen.complaint(self.words.error(wrong))

    def _do(self, command: Command, asked: Asked | None) -> bool | None:
        do: Callable[[str, Asked | None], bool | None] = getattr(self, f"_do_{command.name}")
        return do(command.rest, asked)

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
            raise BadOverride(self._override_how())
        change = change_typed(parts, words, self._override_how(), self.desk.rulebook)
        if change is not None:
            return self._set(change)
        if asked is None:
            raise BadAnswer(words.say("over_hint"))
        answer = forced(rest, asked, words)
        self._spare_race().answer(answer, forced=True)
        by, why = self._signed()
        self._kept(lambda: self.desk.answer(answer, n=asked.n, by=by, force=True, why=why))
        self._scene = None
        return True

    def _do_end(self, rest: str, asked: Asked | None) -> bool:
        """end [half|none]: the race is over as it stands."""
        words = self.words
        named = words.words_of("cut_short").items()
        ways = [how for how, said in named if how and (how == rest or plain(said).startswith(plain(rest)))]
        if not ways:
            raise BadOverride(words.say("end_how"))
        return self._set({"cut_short": ways[0]})

    def _do_redflag(self, rest: str, asked: Asked | None) -> bool:
        """red flag: the race stops and starts again from the grid."""
        return self._set({"red_flag": "now"})

    def _set(self, change: dict[str, Json]) -> bool:
        """Set values by the referee's word, once it is known that the rules accept them."""
        self._spare_race().override(change)
        by, why = self._signed()
        self._kept(lambda: self.desk.override(change, by=by, why=why))
        self._scene = None
        return True

    def _override_how(self) -> str:
        """Return what may be typed for the referee's word, with a car of this race and values that it has."""
        words, book, race = self.words, self.desk.rulebook, self.desk.public()
        first, pool = race.cars[0], race.pools[0]
        order = book.to_play() if "order" in book.race_values else []
        return words.say(
            "override_how", car=first.number, pool=words.word("pool", pool), left=first.wear.get(pool, 1),
            gear="gear" in book.car_values, sky="sky" in book.race_values and race.sky != "", order=bool(order),
            listed=" ".join(map(str, order[1:] + order[:1])),
        )  # fmt: skip

    def _spare_race(self) -> Conversation:
        """Return a copy of the race in which to try what needs a name and a reason, before these are asked."""
        return self.desk.conversation.fork(self.desk.rulebook.clone(), self.desk.n)

    def _do_note(self, rest: str, asked: Asked | None) -> bool:
        self._kept(lambda: self.desk.note(rest, by=self.person))
        self.screen.line((f"  {self.words.say('noted')}", "cyan"))
        return False

    def _do_hint(self, rest: str, asked: Asked | None) -> bool:
        """What a champion would answer; the log has it that it was asked."""
        from companion.drivers.hint import hint, ready
        from companion.view.seats.hint import hint_sentence

        if self.desk.over:
            raise BadAnswer(self.words.say("over_hint"))
        if not ready(self.desk.rulebook):
            self.screen.line((f"  {self.words.say('hint_wait')}", "dim"))
        asked = self.desk.asked
        found = hint(asked, self.desk.rulebook)
        assert asked is not None
        said = hint_sentence(self.words, asked, found, self.names)
        if (self.desk.seq, said) != self._hinted:  # the log has it once
            self._kept(lambda: self.desk.note(said, by=self.person))
            self._hinted = self.desk.seq, said
        self.screen.wrapped(said, "cyan", first="  ")
        return False

    def _do_seat(self, rest: str, asked: Asked | None) -> bool:
        """seat CAR DRIVER [rolls]: the program takes a driver's seat; seat CAR gives it back to a person."""
        words = self.words
        if self.desk.over:
            raise BadAnswer(words.say("over_hint"))
        named = {one: name for name, more in words.words_of("seat").items() for one in (name, *more.split())}
        car, *said = rest.split() or [""]
        ways = [named.get(plain(one), "") for one in said]
        if not is_number(car) or "" in ways or "rolls" in ways[:1] or len(ways) > 2:
            raise BadAnswer(words.say("seat_how", car=next(iter(self.names))))
        number, rolls = int(car), "rolls" in ways
        program = self._kept(lambda: hand_over(self.desk, number, "".join(ways[:1]), rolls=rolls, by=self.person))
        self.screen.line((f"  {handed_over(words, number, program, rolls, self.names)}", "cyan"))
        return True

    def _do_rename(self, rest: str, asked: Asked | None) -> bool:
        """rename CAR NAME: the driver of a car has another name from here on; without one he has none."""
        words = self.words
        car, _, name = rest.partition(" ")
        if not is_number(car):
            raise BadAnswer(words.say("rename_how", car=next(iter(self.names))))
        check_name(name, words)
        change: dict[str, Json] = {"car": int(car), "driver": name}
        why = words.screen("override.renamed")
        self._kept(lambda: self.desk.override(change, by=self.person, why=why))
        self.screen.line((f"  {words.change(change, self.names)}", "cyan"))
        self._scene = None
        return True

    def _do_dispute(self, rest: str, asked: Asked | None) -> bool:
        """dispute [N] TEXT: the ruling on answer N, else the last one."""
        number, _, text = rest.partition(" ")
        done = self.desk.answers()
        if is_number(number) and text:
            if int(number) >= len(done):
                raise BadAnswer(
                    self.words.say("no_answer_there", n=int(number), last=len(done) - 1, answered=bool(done))
                )
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
        self.screen.articles(wanted, self.desk.rulebook.name, self.desk.rulebook)
        return False

    def _do_more(self, rest: str, asked: Asked | None) -> bool:
        if asked is None or not asked.options or self._shown >= len(asked.options):
            raise BadAnswer(self.words.say("no_more"))
        self._shown = self.screen.options(asked, self.names, self._shown, PAGE)
        return False

    def _do_help(self, rest: str, asked: Asked | None) -> bool:
        if asked is not None and (example := self._example(asked, self._foresee)):
            self.screen.line(f"  {self.words.say('for_example', example=example)}")
        words, book, race = self.words, self.desk.rulebook, self.desk.public()
        of_car, of_race = book.car_values, book.race_values
        typed = f"{words.word('pool', race.pools[0])} 4".ljust(14)
        gear, tyres, sky = "gear" in of_car, "tyres" in of_car, "sky" in of_race
        if self.desk.over:
            said = words.say("help_over", typed=typed, gear=gear, tyres=tyres)
        else:
            said = words.say("help", typed=typed, gear=gear, tyres=tyres, sky=sky, order="order" in of_race)
        for line in said.splitlines():
            if line:
                self.screen.line(f"  {line}")
        return False

    def _example(self, asked: Asked, accept: Callable[[Json], object]) -> str:
        """Return the most telling example that a question accepts, by what `accept` raises CompanionError for."""
        return first_accepted(examples(asked, self.words), lambda said: accept(typed(said, asked, self.words)))

    def _foresee(self, answer: Json) -> None:
        """Raise CompanionError where the open question would refuse an answer."""
        if (wrong := self._ahead.foresee([answer])[0].wrong) is not None:
            raise wrong

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
            example = self._example(old, lambda answer: desk.try_correction(n, answer))
            said = self._ask(words.say("instead", example=example), old)
            if not said:
                return False
        force = plain(said.split()[0]) in ("force", "forcer")
        said = said.split(maxsplit=1)[-1] if force else said
        answer = (forced if force else typed)(said, old, words)
        replay = desk.try_correction(n, answer, force=force)
        by, why = self._signed() if force else (self.person, "")
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
        chosen = plain(self._ask(choice, old))
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
            raise BadAnswer(self.words.say("no_answer_there", n=n, last=len(done) - 1, answered=bool(done)))
        asked = desk.conversation.fork(desk.rulebook.clone(), n).asked
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

        def accept(more: Json) -> Correction:
            return self.desk.try_correction(n, answer, keep="board", force=force, then=[*then, more])

        while board.asks is not None:
            self.screen.question(board.asks, self.names)
            said = self._ask(self.words.say("then", example=self._example(board.asks, accept)), board.asks)
            stands = [option.answer for option in board.asks.options or [] if option.facts.get("stands")]
            if not said and not stands:
                break
            try:
                more = typed(said, board.asks, self.words) if said else stands[0]
                board = accept(more)
            except CompanionError as wrong:
                self.screen.complaint(self.words.error(wrong))
            else:
                then.append(more)
        return then


def first_accepted(texts: Iterable[str], accept: Callable[[str], object]) -> str:
    """Return the first of some texts for which `accept` does not raise CompanionError; "" if there is none."""
    for text in texts:
        try:
            accept(text)
        except CompanionError:
            continue
        return text
    return ""


def _count(said: str) -> int:
    if not said:
        return 1
    if not is_number(said):
        raise BadAnswer(f"{said[:20]} is not a number.", "number_wanted", said=said[:20])
    return int(said)


# -- from what a referee types to the values it sets: car 3 tyres 4, sky rain, order 2 1 3


_OF_RACE: Final = ("sky", "surface", "order", "dangers", "wet_conditions", "cut_short", "red_flag")
_SEVERAL: Final = frozenset({"wear", "built", "hand", "frozen", "weapons", "stock", "raced"})
"""Values of a car that hold several of something, which one word does not set; wear is set by pool."""
_SWITCHES: Final = ("wet_conditions", "waived", "turned", "used", "busy")


def change_typed(parts: list[str], words: Words, how: str, book: Book) -> dict[str, Json] | None:
    """A value to set, as it was typed; None if it is an answer that is meant. `how` says what may be typed."""
    names = {plain(name): key for key, name in words.words_of("value").items()}
    names |= {plain(key): key for key in words.words_of("value")}
    first, long = _longest(parts, names)
    of_race = [name for name in (*book.race_values, *book.race_endings) if name in _OF_RACE]
    if first in ("car", "voiture") and len(parts) > 1 and is_number(parts[1]):
        of_car = [name for name in (*book.car_values, *book.car_details) if name not in _SEVERAL]
        return {"car": int(parts[1]), **_values(parts[2:], names, words, how, ["driver", *of_car, *of_race])}
    if names.get(first) in _OF_RACE and len(parts) > long:
        return _values(parts, names, words, how, of_race)
    return None


def _values(parts: list[str], names: dict[str, str], words: Words, how: str, known: list[str]) -> dict[str, Json]:
    pools = pools_named(words)
    change: dict[str, Json] = {}
    at = 0
    while at < len(parts):
        name, long = _longest(parts[at:], {*names, *pools})
        key = names.get(name, "")
        said = parts[at + long] if at + long < len(parts) else ""
        if (pool := pools.get(name)) is not None and is_number(said):
            change.setdefault("wear", {})[pool] = int(said)
            at += long + 1
            continue
        if "uses" in known and ":" in parts[at] and is_number(said):
            change.setdefault("uses", {})[parts[at].lower()] = int(said)
            at += 2
            continue
        if not key or not said or not known:
            raise BadOverride(how)
        if key not in known:
            called = {one: words.word("value", one) for one in known}
            raise BadOverride(words.say("not_set", said=" ".join(parts[at : at + long])[:40], known=[*called.values()]))
        if key == "driver":  # a name may have several words, and nothing comes after it
            check_name(driver := " ".join(parts[at + long :]), words)
            return change | {key: driver}
        rest = parts[at + long :]
        if key == "order":
            if not all(map(is_number, rest)):
                raise BadOverride(how)
            return change | {key: [int(part) for part in rest]}
        if key == "dangers":
            return change | {key: [space_named(part, words) or part for part in rest]}
        change[key] = _value(key, said, words)
        at += long + 1
    if not change:
        raise BadOverride(how)
    return change


def _longest(parts: list[str], known: Collection[str]) -> tuple[str, int]:
    """Return the longest name of several words with which some parts begin, and its length; else the first word."""
    for long in range(len(parts), 1, -1):
        if (name := plain(" ".join(parts[:long]))) in known:
            return name, long
    return plain(parts[0]), 1


def _value(key: str, said: str, words: Words) -> Json:
    if key == "at":
        return space_named(said, words) or said
    if key in _SWITCHES:
        switch = {"true": True, "false": False} | {plain(words.word("plain", one)): one for one in (True, False)}
        if plain(said) not in switch:
            raise BadOverride(words.say("yes_or_no_wanted", yes=True, no=False, said=said[:40]))
        return switch[plain(said)]
    if key == "red_flag" and said != "now":
        raise BadOverride(words.say("red_flag_how"))
    if key in words.table:
        known = {plain(word): name for name, word in words.words_of(key).items()}
        if key == "cut_short" and said not in words.words_of(key) and plain(said) not in known:
            raise BadOverride(words.say("end_how"))
        return known.get(plain(said), said)
    return int(said) if is_number(said) else said
