"""Commands in place of an answer: undo and redo, overrides, notes, views of the race, help."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import TYPE_CHECKING, Final, NoReturn, TypeVar

from companion.desk import Correction, RaceDesk
from companion.desk.ahead import Ahead
from companion.desk.events import Done
from companion.rules.conversation.asking import Asked, Json
from companion.rules.conversation.conversation import Conversation
from companion.rules.conversation.errors import BadAnswer, BadOverride, CompanionError, NothingToDo, NotSaved
from companion.rules.rulebooks import pools_of
from companion.sheets.acts import person
from companion.terminal.answers import (
    car_at_head,
    cars_named,
    forced,
    is_number,
    number_of,
    place_at_head,
    plain,
    pools_named,
    same_driver,
    typed,
    which_car,
)
from companion.terminal.prompts import Command, check_name, command_in, examples, goes_on_in_memory
from companion.terminal.screen import RacePrinter
from companion.terminal.sheet import show_sheet
from companion.view.pages.override import turns_changed
from companion.view.pages.sheet import overridden
from companion.view.seats.programs import hand_over, handed_over
from companion.wording import Words
from companion.wording.filling import Names

if TYPE_CHECKING:
    from companion.rules.rulebooks import Book

SHOWN: Final = ("board", "order", "sheet", "log", "question")
PAGE: Final = 14
"""Rows printed at a time by "more" answers and by the log."""
HELP_COLUMN: Final = 32
"""Width of the column of commands in help, at most."""
LOOKED_AT: Final = ("note", "dispute", "uphold", "show", "rules", "more", "hint", "help")
"""Commands that leave the question open."""
T = TypeVar("T")


class Dropped(Exception):
    """Raised when an unfinished action is withdrawn.

    For example a place without its details, or a correction.
    """


class Instead(Exception):
    """Raised when another command is typed in the middle of an action; run `command` instead."""

    def __init__(self, command: Command) -> None:
        super().__init__(command)
        self.command = command


class Asides:
    """The commands of the people at one desk; `person` is the name in the log.

    A command returns True to ask the question again, False to leave it as printed, None to leave the race.
    """

    def __init__(self, desk: RaceDesk, screen: RacePrinter, person: str = "table") -> None:
        self.desk, self.screen, self.person = desk, screen, person
        self.words: Words = screen.words
        self.referee = ""
        self._ahead = Ahead(desk)
        self._hinted = -1, ""
        """Last log entry when a hint was last noted, and that hint."""
        self._scene: tuple[int | None, int] | None = None
        """Car and round of the last scene printed; None to print it again."""
        self._shown = 0
        self._logged = 0
        """Answers of the log printed since the question; `more` prints those before."""

    @property
    def names(self) -> Names:
        return self.desk.names

    def _save(self, write: Callable[[], T]) -> T:
        """Write to the log.

        If the disk is full, ask once whether to stop or to continue in memory; raises NotSaved to stop.
        """
        try:
            return write()
        except NotSaved as wrong:
            self.screen.complaint(self.words.error(wrong))
            if not goes_on_in_memory(self.screen):
                raise
            self.desk.go_on_in_memory()
            return write()

    def _signed(self) -> tuple[str, str]:
        """Return the referee's name and reason, asking for what is missing.

        The name is remembered. Raises Dropped without a name or a reason, BadOverride for a name that is no person's.
        """
        words = self.words
        if not self.referee:
            name = self._text(words.say("who"))
            if not name:
                raise Dropped
            if not person(name):
                raise BadOverride("unsigned")
            self.referee = name
        why = self._text(words.say("why"))
        if not why:
            raise Dropped
        return self.referee, why

    def _must_be_sure(self, wanted: str) -> None:
        """Ask for confirmation of a rare or final action. Raises Dropped unless it is a yes."""
        if plain(self._ask(wanted, self.desk.asked)) not in self.words.say("yes_words").split():
            raise Dropped

    # -- prompts between a question and its answer

    def _text(self, wanted: str) -> str:
        """Prompt for a text, a name, a reason or a note, and return it; "" if there is to be none.

        Whatever is typed is the text: no command is read in it. Raises Instead at the end of the input.
        """
        said = self._typed(wanted)
        if said is None:
            raise Instead(Command("quit", ""))
        return said

    def _typed(self, wanted: str) -> str | None:
        """Prompt for a line and return it; None at the end of the input or after Ctrl-C."""
        try:
            return self.screen.ask(f"  {wanted} > ")
        except KeyboardInterrupt:
            self.screen.line()
            return None

    def _ask(self, wanted: str, asked: Asked | None, *, explain: bool = False) -> str:
        """Prompt for one more detail until it is typed; help explains the words of a stop if `explain`.

        Looking at the race or a note leaves the prompt open. Raises Dropped for undo, Instead for any other command.
        """
        while True:
            said = self._typed(wanted)
            command = Command("quit", "") if said is None else command_in(said, self.words)
            if command is None:
                return said or ""
            if command.name not in LOOKED_AT and command.name != "undo":
                raise Instead(command)
            try:
                if command.name == "undo":
                    self._drop(_count(command.rest))
                if command.name == "help":
                    self.screen.wrapped(self.words.say("wanted_here", wanted=wanted), "bold", first="  ")
                    if explain and asked is not None:
                        self.screen.details(asked)
                    self._do_help(command.rest, None)  # what is wanted here has its own example
                elif self._do(command, asked) and asked is not None:
                    self.screen.question(asked, self.names)
            except CompanionError as wrong:
                self.screen.complaint(self.words.error(wrong))

    def _drop(self, steps: int) -> NoReturn:
        """Withdraw the unfinished action, which counts as the first step of an undo.

        Raises Dropped, or Instead for the steps before it.
        """
        if steps > 1:
            self.screen.line((f"  {self.words.say('dropped')}", "cyan"))
            raise Instead(Command("undo", str(steps - 1)))
        raise Dropped

    def _do(self, command: Command, asked: Asked | None) -> bool | None:
        do: Callable[[str, Asked | None], bool | None] = getattr(self, f"_do_{command.name}")
        return do(command.rest, asked)

    def _do_undo(self, rest: str, asked: Asked | None) -> bool:
        moved = self._save(lambda: self.desk.undo(_count(rest), by=self.person))
        self.screen.wrapped(self.words.say("undone", **self._moved(moved)), "cyan", first="  ")
        self._scene = None
        return True

    def _do_redo(self, rest: str, asked: Asked | None) -> bool:
        moved = self._save(lambda: self.desk.redo(_count(rest), by=self.person))
        self.screen.wrapped(self.words.say("redone", **self._moved(moved)), "cyan", first="  ")
        self._scene = None
        return True

    def _moved(self, moved: Sequence[Done]) -> dict[str, Json]:
        """Return how many answers were undone or redone, and the one furthest back or on, for one sentence."""
        furthest = self.screen.done(moved[-1], self.names)
        return {"count": len(moved), "what": furthest if len(moved) == 1 else furthest.rstrip(".")}

    def _do_override(self, rest: str, asked: Asked | None) -> bool:
        """Force an answer, or set values of the race.

        Typed as `override ANSWER`, `override car 3 tyres 4` or `override sky rain`.
        """
        words = self.words
        parts = rest.split()
        if not parts:
            raise BadOverride(self._override_how())
        change = change_typed(parts, words, self._override_how, self.desk.rulebook, self.names)
        if change is not None:
            return self._set(change)
        try:
            if asked is None:
                raise BadAnswer("over_hint")
            answer = forced(rest, asked, words, self.names)
        except BadAnswer:
            found = car_at_head(rest, self.names, whole=True)
            if found is None and (nobody := self._before_value(parts)):
                raise which_car(nobody, self.names, words) from None
            if found is None or not found[1]:
                raise
            if is_number(parts[0]) and not names_value(parts[1:], words, self.desk.rulebook):
                raise  # the number may be a space's
            return self._do_override(f"{words.say('override_car')} {rest}", asked)
        self._spare_race().answer(answer, forced=True)
        by, why = self._signed()
        self._save(lambda: self.desk.answer(answer, n=asked.n, by=by, force=True, why=why))
        self._scene = None
        return True

    def _before_value(self, parts: list[str]) -> str:
        """Return the words before a value of a car, in the place of its driver; "" for none, or for a space's."""
        for length in range(1, len(parts)):
            if any(sign.isdecimal() for sign in parts[length - 1]):
                return ""
            if names_value(parts[length:], self.words, self.desk.rulebook):
                return " ".join(parts[:length])
        return ""

    def _do_end(self, rest: str, asked: Asked | None) -> bool:
        """End the race as it stands.

        Typed as `end`, `end half` or `end none`.
        """
        words = self.words
        named = words.words_of("cut_short").items()
        ways = [how for how, said in named if how and (how == rest or plain(said).startswith(plain(rest)))]
        if not ways:
            raise BadOverride("end_how")
        return self._set({"cut_short": ways[0]})

    def _do_redflag(self, rest: str, asked: Asked | None) -> bool:
        """Stop the race and restart it from the grid.

        Typed as `red flag`; its first word alone might be a slip.
        """
        if plain(rest) not in self.words.say("flag_words").split():
            raise BadOverride("red_flag_how")
        return self._set({"red_flag": "now"})

    def _set(self, change: dict[str, Json]) -> bool:
        """Set values by an override, after trying them on a copy of the race.

        Ending or stopping the race needs a confirmation, and so do an order by which cars lose or gain a turn and a
        place by which a car changes its lap. Raises Dropped, or BadOverride if the rules refuse the values.
        """
        self.desk.rulebook.check_effect(change)
        said, change = change, self.desk.rulebook.with_laps(change)
        self._spare_race().override(change)
        if not {"cut_short", "red_flag"}.isdisjoint(change):
            self._must_be_sure(self.words.say("sure", what=self.words.change(change, self.names)))
        if told := turns_changed(self.desk.rulebook, change, self.words, self.names):
            self._must_be_sure(self.words.say("sure", what=told))
        if change != said:
            self._must_be_sure(self.words.say("sure", what=self.words.change(change, self.names)))
        by, why = self._signed()
        self._save(lambda: self.desk.override(change, by=by, why=why))
        self._tell_same_driver(change)
        self._scene = None
        return True

    def _override_how(self) -> str:
        """Return the help on overrides, with examples that the race takes now."""
        return self.words.say("override_how", **self._override_examples())

    def _override_examples(self) -> dict[str, Json]:
        """Return overrides of a car, the sky and the order that the race takes now, as they are typed; "" for none."""
        words, book, race = self.words, self.desk.rulebook, self.desk.public()
        mover = self.desk.asked.car if self.desk.asked is not None else None
        cars = sorted(race.cars, key=lambda car: (car.number != mover, not car.alive))
        pool, gear = race.pools[0], f" {words.word('value', 'gear')} 2"
        wear = [f"{words.say('override_car')} {car.number} {words.word('pool', pool)} " for car in cars]
        points = [car.wear.get(pool, 0) or 1 for car in cars]
        plain_ones = [f"{said}{count}" for said, count in zip(wear, points, strict=True)]
        geared = [f"{said}{gear}" for said in plain_ones] if "gear" in book.car_values else []
        order = book.to_play() if "order" in book.race_values else []
        listed = " ".join(map(str, order[1:] + order[:1]))
        sky, rain = words.word("value", "sky"), words.word("sky", "rain")

        def accept(said: str) -> None:
            change = change_typed(said.split(), words, str, book, self.names)
            assert change is not None
            self._spare_race().override(change)

        return {
            "car": first_accepted(plain_ones, accept),
            "geared": first_accepted([*geared, *plain_ones], accept),
            "sky": first_accepted([f"{sky} {rain}"] if "sky" in book.race_values and race.sky else [], accept),
            "order": first_accepted([f"{words.word('value', 'order')} {listed}"] if order else [], accept),
        }

    def _spare_race(self) -> Conversation:
        """Return a copy of the race for trying a change before asking for name and reason."""
        return self.desk.conversation.fork(self.desk.rulebook.clone(), self.desk.n)

    def _do_note(self, rest: str, asked: Asked | None) -> bool:
        """Keep a remark, typed as `note TEXT`; without a text ask for it."""
        if text := rest or self._text(self.words.say("note_text")):
            self._save(lambda: self.desk.note(text, by=self.person))
        said = self.words.say("noted") if text else self.words.say("dropped")
        self.screen.line((f"  {said}", "cyan"))
        return False

    def _do_hint(self, rest: str, asked: Asked | None) -> bool:
        """Print a champion's answer, and note in the log that it was asked for."""
        from companion.drivers import chooses
        from companion.drivers.hint import hint, ready
        from companion.view.seats.hint import hint_sentence

        if self.desk.over:
            raise BadAnswer("over_hint")
        asked = self.desk.asked
        if asked is not None and chooses(asked) and not ready(self.desk.rulebook):
            self.screen.line((f"  {self.words.say('hint_wait')}", "dim"))
        found = hint(asked, self.desk.rulebook)
        assert asked is not None
        said = hint_sentence(self.words, asked, found, self.names)
        if (self.desk.seq, said) != self._hinted:  # the log has it once
            self._save(lambda: self.desk.note(said, by=self.person))
            self._hinted = self.desk.seq, said
        self.screen.wrapped(said, "cyan", first="  ")
        return False

    def _do_seat(self, rest: str, asked: Asked | None) -> bool:
        """Give a seat to the program, or back to a person.

        Typed as `seat CAR DRIVER [rolls]`, or `seat CAR` to give it back; the car by number or driver.
        """
        words = self.words
        if self.desk.over:
            raise BadAnswer("over_hint")
        named = {one: name for name, more in words.words_of("seat").items() for one in (name, *more.split())}
        number, said = self._car_first(rest, "seat_how")
        ways = [named.get(plain(one), "") for one in said.split()]
        if "" in ways or "rolls" in ways[:1] or len(ways) > 2:
            raise BadAnswer("seat_how", car=next(iter(self.names)))
        if not ways and number in self.names and number not in self.desk.history.programs:
            raise BadAnswer("seat_of_person", car=number)
        rolls = "rolls" in ways
        program = self._save(lambda: hand_over(self.desk, number, "".join(ways[:1]), rolls=rolls, by=self.person))
        self.screen.line((f"  {handed_over(words, number, program, rolls, self.names)}", "cyan"))
        return True

    def _do_rename(self, rest: str, asked: Asked | None) -> bool:
        """Rename the driver of a car from now on.

        Typed as `rename CAR NAME`, the car by number or driver.
        """
        words = self.words
        number, name = self._car_first(rest, "rename_how")
        if not name:
            raise BadAnswer("rename_how", car=number)
        check_name(name, words)
        change: dict[str, Json] = {"car": number, "driver": name}
        why = words.screen("override.renamed")
        self._save(lambda: self.desk.override(change, by=self.person, why=why))
        self._tell_same_driver(change)
        self._scene = None
        return True

    def _tell_same_driver(self, change: dict[str, Json]) -> None:
        """Print which cars have a driver of the name that was set, if there are several."""
        if told := same_driver(self.words, str(change.get("driver", "")), self.names):
            self.screen.wrapped(told, "cyan", first="  ")

    def _car_first(self, said: str, how: str) -> tuple[int, str]:
        """Return the car that a text begins with, by number or driver, and the rest of the text.

        Raises BadAnswer: `how` without any text, or that the text names no car.
        """
        if not said:
            raise BadAnswer(how, car=next(iter(self.names)))
        if (found := car_at_head(said, self.names)) is None:
            raise which_car(said.split()[0], self.names, self.words)
        return found

    def _do_dispute(self, rest: str, asked: Asked | None) -> bool:
        """Dispute a ruling.

        Typed as `dispute [N] TEXT`: the ruling on answer N, by default the last one. Without a text ask for it.
        """
        words, seq = self.words, self.desk.history.standing[-1]
        number, _, text = rest.partition(" ")
        if is_number(number):
            seq = self._entry_of(number)
            self.desk.must_stand(seq)
        else:
            text = rest
        what = self._disputed(seq)
        if why := text.strip() or self._text(words.say("dispute_why", what=what)):
            self._save(lambda: self.desk.dispute(seq, by=self.person, why=why))
        self.screen.wrapped(words.say("disputed", what=what) if why else words.say("dropped"), "cyan", first="  ")
        return False

    def _do_uphold(self, rest: str, asked: Asked | None) -> bool:
        """End the disputes of a ruling, which stands.

        Typed as `uphold [N]`: the ruling on answer N, by default the one that has been disputed the longest.
        """
        disputed = [seq for seq, _ in self.desk.open_disputes()]
        if rest and not is_number(rest):
            raise BadAnswer("number_wanted", said=rest[:40])
        if not disputed:
            raise NothingToDo("undisputed.none")
        seq = self._entry_of(rest) if rest else disputed[0]
        if seq not in disputed:
            raise NothingToDo("undisputed.answer", n=int(rest))
        self._save(lambda: self.desk.uphold(seq, by=self.person))
        self.screen.wrapped(self.words.say("upheld", what=self._disputed(seq)), "cyan", first="  ")
        return self.desk.over

    def _entry_of(self, number: str) -> int:
        """Return the entry of an answer by its number. Raises BadAnswer if there is none."""
        n, done = int(number), self.desk.answers()
        if n >= len(done):
            raise BadAnswer("no_answer_there", n=n, last=len(done) - 1, answered=len(done))
        return done[n].seq

    def _disputed(self, seq: int) -> str:
        """Return what brought the ruling of an entry: an answer, an override, or the beginning of the race."""
        done = next((one for one in self.desk.answers() if one.seq == seq), None)
        return self.words.screen("sheet.beginning") if done is None else overridden(done, self.names, self.words)

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
            show_sheet(screen, self.desk.sheet(), self._car_first(more, "")[0] if more else None)
        elif name == "log":
            whole = plain(more) in words.say("all_words").split()
            self._logged = screen.log(self.desk, self.names, int(more) if is_number(more) else None if whole else PAGE)
        elif name == "question":
            return True
        else:
            raise BadAnswer("show_how")
        return False

    def _do_rules(self, rest: str, asked: Asked | None) -> bool:
        wanted = rest or (asked.article if asked is not None else "")
        self.screen.articles(wanted, self.desk.rulebook.name, self.desk.rulebook)
        return False

    def _do_more(self, rest: str, asked: Asked | None) -> bool:
        if self._logged:
            self._logged = self.screen.log(self.desk, self.names, PAGE, self._logged)
            return False
        if asked is None or not asked.options or self._shown >= len(asked.options):
            raise BadAnswer("no_more")
        self._shown = self.screen.options(asked, self.names, self._shown, PAGE)
        return False

    def _do_help(self, rest: str, asked: Asked | None) -> bool:
        if asked is not None and (example := self._example(asked, self._foresee)):
            self.screen.wrapped(self.words.say("for_example", example=example), first="  ")
        if asked is not None and asked.ask == "saw":
            self.screen.details(asked)
        words, book = self.words, self.desk.rulebook
        of_car = [words.word("value", one) for one in book.car_values if one not in UNNAMED]
        shown = self._override_examples()
        values = [words.word("value", "wear"), *of_car]
        if self.desk.over:
            said = words.say("help_over", values=values, **shown)
        else:
            said = words.say("help", values=values, **shown)
        lines = [line.partition("\t") for line in said.splitlines() if line]
        column = max(len(command) for command, tab, _ in lines if tab and len(command) <= HELP_COLUMN)
        for command, tab, about in lines:
            if tab:
                self.screen.explained(command, about, column)
            else:
                self.screen.wrapped(command, first="  ")
        return False

    def _example(self, asked: Asked, accept: Callable[[Json], object]) -> str:
        """Return the most informative example that a question accepts.

        `accept` raises CompanionError for answers that are refused.
        """
        return first_accepted(
            examples(asked, self.words), lambda said: accept(typed(said, asked, self.words, self.names))
        )

    def _foresee(self, answer: Json) -> None:
        """Raise CompanionError if the open question would refuse an answer."""
        if (wrong := self._ahead.foresee([answer])[0].wrong) is not None:
            raise wrong

    def _do_quit(self, rest: str, asked: Asked | None) -> None:
        return None

    # -- correcting: tried both ways first, then the table chooses

    def _do_correct(self, rest: str, asked: Asked | None) -> bool:
        """Correct an answer, after trying both ways of doing it.

        Typed as `correct N [ANSWER]`. The table then chooses between replaying the later answers and keeping the board.
        """
        words, screen, desk = self.words, self.screen, self.desk
        number, _, said = rest.partition(" ")
        if not is_number(number):
            screen.log(desk, self.names, PAGE)
            raise BadAnswer("correct_how")
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
        answer = (forced if force else typed)(said, old, words, self.names)
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
            self._save(lambda: desk.correct(n, answer, by=by, force=force, why=why))
        elif chosen.startswith(("b", "p")) and board is not None:
            then = self._asked_beside(n, answer, force=force, board=board)
            self._save(lambda: desk.correct(n, answer, keep="board", by=by, force=force, why=why, then=then))
        else:
            screen.line((f"  {words.say('nothing_changes')}", "dim"))
            return False
        self._scene = None
        return True

    def _question_at(self, n: int) -> Asked:
        """Return the question that answer `n` answered.

        Raises BadAnswer if there is no such answer, or an override in its place.
        """
        desk = self.desk
        done = desk.answers()
        if not 0 <= n < len(done):
            raise BadAnswer("no_answer_there", n=n, last=len(done) - 1, answered=len(done))
        asked = desk.conversation.fork(desk.rulebook.clone(), n).asked
        if asked is None or done[n].kind != "answer":
            raise BadAnswer("set_not_answered", n=n)
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
        """Print what a correction changes and what it leaves, one per line."""
        words = self.words
        for change in done.changes:
            self.screen.wrapped(words.changed(change, self.names), first="       ")
        for entry in done.left:
            self.screen.wrapped(words.skipped_change(entry, self.names), "dim", first="       ")

    def _asked_beside(self, n: int, answer: Json, *, force: bool, board: Correction) -> list[Json]:
        """Ask the questions of the corrected step that no old answer fits.

        Returns the answers, in order.
        """
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
                more = typed(said, board.asks, self.words, self.names) if said else stands[0]
                board = accept(more)
            except CompanionError as wrong:
                self.screen.complaint(self.words.error(wrong))
            else:
                then.append(more)
        return then


def first_accepted(texts: Iterable[str], accept: Callable[[str], object]) -> str:
    """Return the first text that `accept` takes without a CompanionError, or ""."""
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
    if (count := int(said) if is_number(said) else number_of(said)) is None:
        raise BadAnswer("number_wanted", said=said[:20])
    return count


# -- from what a referee types to the values it sets: car 3 tyres 4, sky rain, order 2 1 3


_OF_RACE: Final = ("sky", "surface", "order", "dangers", "wet_conditions", "cut_short", "red_flag")
_SEVERAL: Final = frozenset({"wear", "built", "hand", "frozen", "weapons", "stock", "raced"})
"""Values of a car with several parts, which one word cannot set; wear is set by pool."""
UNNAMED: Final = _SEVERAL | {"uses"}
"""Values of a car that help does not list, since no single word sets them."""
_SWITCHES: Final = ("wet_conditions", "waived", "turned", "used", "busy")
_AT_ONCE: Final = ("cut_short", "red_flag")
"""Values that mean "now" where nothing is said of them."""
_SHORTEST: Final = 3
"""The least letters that a beginning of a value's name has."""


def change_typed(
    parts: list[str], words: Words, how: Callable[[], str], book: Book, names: Names
) -> dict[str, Json] | None:
    """Return the values that an override sets; None if the text is an answer.

    `how` returns the help for the error, `names` are the drivers that cars may be called by. Raises BadOverride, or
    BadAnswer for a car that is not there.
    """
    of_race = [name for name in (*book.race_values, *book.race_endings) if name in _OF_RACE]
    if plain(parts[0]) in ("car", "voiture"):
        if len(parts) == 1:
            raise BadOverride(how())
        if (found := car_at_head(" ".join(parts[1:]), names)) is None:
            raise which_car(parts[1], names, words)
        car, rest = found
        of_car = [name for name in (*book.car_values, *book.car_details) if name not in _SEVERAL]
        return {"car": car, **_values(rest.split(), ["driver", *of_car], words, how, book, names)}
    if _value_at_head(parts, of_race, words)[0] in _OF_RACE:
        return _values(parts, of_race, words, how, book, names)
    return None


def names_value(parts: list[str], words: Words, book: Book) -> bool:
    """Return True if a text begins with a pool or a value of a car."""
    pools = pools_named(words)
    return _longest(parts, pools)[0] in pools or bool(_value_at_head(parts, book.car_values, words)[0])


def _values(
    parts: list[str], known: Sequence[str], words: Words, how: Callable[[], str], book: Book, names: Names
) -> dict[str, Json]:
    """Return the values in a text, of which those in `known` can be set."""
    pools = pools_named(words)
    change: dict[str, Json] = {}
    while parts:
        pool, long = _longest(parts, pools)
        said = parts[long] if len(parts) > long else ""
        if pool in pools and (points := number_of(said)) is not None:
            change.setdefault("wear", {})[pools[pool]] = points
            parts = parts[long + 1 :]
            continue
        if "uses" in known and ":" in parts[0] and is_number(said):
            change.setdefault("uses", {})[parts[0].lower()] = int(said)
            parts = parts[2:]
            continue
        key, named = _value_at_head(parts, known, words)
        if pool in pools and (not key or (key not in known and named <= long)):
            raise _no_points(parts[:long], pools[pool], said)
        if key not in known and key != "wear":
            raise BadOverride("not_set", said=" ".join(parts[:named])[:40], known=_typed_names(known, words, book))
        rest = parts[named:]
        if key in _AT_ONCE and not rest:
            return change | {key: "now"}
        if key == "wear":  # its points follow
            if not rest or _longest(rest, pools)[0] not in pools:
                raise BadOverride("wear_by_pool", example=f"{words.word('pool', pools_of(book.name)[0])} 4")
            parts = rest
            continue
        if not rest:
            raise BadOverride("value_wanted", said=" ".join(parts)[:40])
        if key == "driver":  # a name may have several words, and nothing comes after it
            check_name(driver := " ".join(rest), words)
            return change | {key: driver}
        if key == "order":
            return change | {key: cars_named(" ".join(rest), names, words)}
        if key == "dangers":
            change[key] = []
            while rest:
                place, several = _place_said(rest, words, book)
                change[key].append(place)
                rest = rest[several:]
            return change
        if key == "at":
            change[key], long = _place_said(rest, words, book)
        else:
            change[key], long = _said_of(key, rest, words, book)
        parts = rest[long:]
    if not change:
        raise BadOverride(how())
    return change


def _place_said(parts: list[str], words: Words, book: Book) -> tuple[str, int]:
    """Return the place that a text begins with, and in how many words; all of a text that the rules will refuse."""
    return place_at_head(parts, words, book.track) or (" ".join(parts)[:40], len(parts))


def _no_points(named: Sequence[str], pool: str, said: str) -> BadOverride:
    """Return the error for a pool that is named without points, or with what are none."""
    if not said:
        return BadOverride("value_wanted", said=" ".join(named)[:40])
    return BadOverride("pool_range", pool=pool, points=said[:40])


def _typed_names(known: Sequence[str], words: Words, book: Book) -> list[str]:
    """Return what the values in `known` are called, and the points of a car; not the details of a correction."""
    pools = [words.word("pool", pool) for pool in pools_of(book.name)] if "driver" in known else []
    values = (words.word("value", one) for one in known if one not in (*UNNAMED, *book.car_details))
    return list(dict.fromkeys((*pools, *values)))


def _value_at_head(parts: list[str], known: Sequence[str], words: Words) -> tuple[str, int]:
    """Return the value that a text names first, and by how many words; "" if it names none.

    A value of `known` is also called by the beginning of its name, another one only by all of it.
    """
    named, others = _names(known, words), _names(words.words_of("value"), words)
    name, long = _longest(parts, named)
    if name in named:
        return named[name], long
    begun = {key for one, key in named.items() if one.startswith(name)} if len(name) >= _SHORTEST else set()
    if len(begun) == 1:
        return begun.pop(), 1
    whole, length = _longest(parts, others)
    return others.get(whole, ""), length


def _names(keys: Iterable[str], words: Words) -> dict[str, str]:
    """Return values by what they are called: in the reader's language, and as files have them."""
    keys = list(keys)
    return {plain(key): key for key in keys} | {plain(words.word("value", key)): key for key in keys}


def _longest(parts: list[str], known: Collection[str]) -> tuple[str, int]:
    """Return the longest known name at the start of the parts, and its length; else the first word."""
    for long in range(len(parts), 1, -1):
        if (name := plain(" ".join(parts[:long]))) in known:
            return name, long
    return plain(parts[0]), 1


def _said_of(key: str, parts: list[str], words: Words, book: Book) -> tuple[Json, int]:
    """Return what a text says of a value, and in how many words."""
    if key in _SWITCHES:
        switch = {"true": True, "false": False} | {plain(words.word("plain", one)): one for one in (True, False)}
        if plain(parts[0]) not in switch:
            raise BadOverride("yes_or_no_wanted", said=parts[0][:40])
        return switch[plain(parts[0])], 1
    if key not in words.table:
        number = number_of(parts[0])
        return parts[0] if number is None else number, 1
    table = {name: word for name, word in words.words_of(key).items() if name}
    if key == "status":
        table = {name: table[name] for name in book.statuses}
    said = {plain(name): name for name in table} | {plain(word): name for name, word in table.items()}
    word, long = _longest(parts, said)
    if word in said:
        return said[word], long
    if key == "red_flag":
        raise BadOverride("red_flag_how")
    if key == "cut_short":
        raise BadOverride("end_how")
    raise BadOverride("value_word", name=key, said=parts[0][:40], listed=", ".join(table.values()))
