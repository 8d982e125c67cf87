"""A race refereed in JSON lines: the commands and their replies."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec

from companion.desk import Correction, EntryWritten, RaceDesk
from companion.desk.auto_answer import go_alone
from companion.desk.session import code_of
from companion.drivers import DRIVERS, Driver
from companion.protocol.fields import Line, plain, switch, text, who, whole
from companion.protocol.messages import question_message, ruling_message
from companion.protocol.session_lines import SESSION_COMMANDS, SessionLines
from companion.rules.conversation.asking import Asked, Json, Ruling
from companion.rules.conversation.errors import (
    BadAnswer,
    BadSetup,
    CompanionError,
    LogError,
    NothingToDo,
    NotSaved,
)
from companion.strict_json import NotJson, read
from companion.wording import LANGUAGES, Words

if TYPE_CHECKING:
    from companion.view.seats.programs import Programs

COMMANDS: Final[Mapping[str, tuple[tuple[str, ...], str]]] = {
    "setup": (
        ("memory",),
        'start a race; it comes first: {"setup": {"track": "monaco", "cars": [{"car": 1, "driver": "Ada"}]}}',
    ),
    "answer": (
        ("n", "force", "by", "why", "memory"),
        'answer the open question; an answer that was not offered with "force"',
    ),
    "undo": (("memory",), "take back this number of answers of people"),
    "redo": (("memory",), "give this number of answers again"),
    "correct": (
        ("answer", "try", "keep", "then", "force", "by", "why", "memory"),
        'what another answer to question n would do ("try": true), or do it ("keep": "replay" or "board"; "then" lists '
        "the answers to what the board alone leaves to be asked)",
    ),
    "override": (
        ("by", "why", "memory"),
        "set a car's wear, gear, at (its place; over the line its lap goes with it, unless it is set too), lap, "
        "stops, tyres, tyre_laps, status, stand or driver (the name), or sky, surface, order or dangers, by the "
        "referee's word: "
        '{"override": {"car": 3, "wear": {"tyres": 4}}, "by": "Ada", '
        '"why": "misread"}',
    ),
    "lang": ((), f"language of every text from here on: {' or '.join(LANGUAGES)}"),
    "show": (
        ("of", "look"),
        "state, sheet, order, question, odds (by car the chance of each place) or "
        "consequences: what each answer to the question may bring, or that named by "
        '"of", likelihoods as [1, 20]; with "look" also the cheapest option of what is asked then',
    ),
    "drive": (
        ("roll",),
        f'have a driver of the program answer the open question: {", ".join(DRIVERS)}; a die only with "roll": true',
    ),
    "hint": ((), "what a champion would answer (true), noted in the log: answer, turns, other, gain and text"),
    "pushed": ((), "the table has pushed the program's car (true): the next one drives"),
    "hand_over": (
        ("driver", "roll", "by", "why", "memory"),
        'the program takes a car\'s seat, or with "driver": "" a person does; with "roll": true it rolls for its '
        'drivers: {"hand_over": 7, "driver": "club"}',
    ),
    "quit": ((), "end (true)"),
}
"""Commands by name: the keys allowed with them, and their help."""

_FIRST: Final = ("setup", "correct", "answer", "undo", "redo", "override", "lang", "show", "drive", "hint", "pushed",
          "hand_over", "quit")  # fmt: skip
"""Order in which keys name the command; `correct` comes with an `answer` too."""


class LineReferee:
    """One race in JSON lines.

    `say(line)` returns the lines of the reply; `open` becomes False on quit. `rulebook` is the default for setups;
    `memory` agrees in advance to continue in memory if the disk is full.
    """

    def __init__(
        self, lang: str = "en", folder: Path | None = None, rulebook: str = "", *, memory: bool = False
    ) -> None:
        self.words = Words(lang)
        self.rulebook = rulebook
        self.folder = folder
        self.memory = memory
        self.desk: RaceDesk | None = None
        self.open = True
        self.session = SessionLines(self)
        self._told: list[Ruling] = []
        self._programs: Programs | None = None
        """Drivers of the program's cars, if any."""
        self._drivers: dict[str, Driver] = {}

    def resume(self, race: str) -> None:
        """Resume a stored race. Raises LogError."""
        from companion.sheets.place import data_folder

        self._sit(RaceDesk.resume(data_folder(self.folder), race, memory=self.memory))

    def say(self, line: bytes) -> list[Line]:
        """Return the lines that reply to a line.

        The last one has `unsaved`, the number of entries not yet on disk, if there are any.
        """
        said = self.session.marked(self._reply_to(line))
        if said and (waiting := self.waiting()):
            said[-1]["unsaved"] = waiting
        return said

    def waiting(self) -> int:
        """Try to save; return the number of entries not yet on disk."""
        if self.desk is None:
            return 0
        with contextlib.suppress(LogError):
            self.desk.save()
        return self.desk.unsaved

    def _reply_to(self, line: bytes) -> list[Line]:
        self._told = []
        try:
            asked = read(line)
            if not isinstance(asked, dict):
                raise NotJson("line_object", example='{"answer": 4}')
            asked = self.session.identified(asked)
            shown = self._do(asked)
            if not self.open:
                return []
            pushed = self._go_alone(switch(asked, "memory"))
            return [*shown, *self.session.happened(self._told), *pushed, self.session.question_line()]
        except NotSaved as wrong:
            return [self._not_saved(wrong)]
        except CompanionError as wrong:
            return [self._error(wrong)]
        except Exception as failure:  # the table must be able to go on, whatever failed here
            return [self._error(CompanionError("failed", failure=f"{type(failure).__name__}: {failure}"))]

    def _not_saved(self, wrong: NotSaved) -> Line:
        return {**self._error(wrong), "choices": list(wrong.choices)}

    def _in_memory(self) -> None:
        """Continue in memory for the rest of the race."""
        self.memory = True
        if self.desk is not None:
            self.desk.go_on_in_memory()

    def _go_alone(self, memory: bool) -> list[Line]:
        """Play the program's cars; return the push for the table, if any.

        If the disk is full, the result of the line itself stands: the error follows it, and the next line continues.
        """
        desk, programs = self.desk, self._programs
        if desk is None or programs is None:
            return []
        from companion.view.sight import Sight

        try:
            go_alone(desk, programs)
        except NotSaved as wrong:
            if not memory:
                return [self._not_saved(wrong)]
            self._in_memory()
            go_alone(desk, programs)
        push = programs.push(Sight(desk, self.words))
        if push is None or push.plate is None:
            return []
        waits = desk.asked is not None and programs.holds(desk.asked)
        return [{"push": {"car": push.plate.number, "text": push.sentence, "waits": waits}}]

    def _error(self, wrong: CompanionError) -> Line:
        """Return an error as a line, with its code."""
        return {"error": self.words.error(wrong), "code": code_of(wrong)}

    # -- what a line asks for

    def _do(self, asked: Line) -> list[Line]:
        known = {**COMMANDS, **SESSION_COMMANDS}
        name = next((name for name in ("hello", *_FIRST, *SESSION_COMMANDS) if name in asked), None)
        if name is None:
            raise NotJson("line_command", commands=", ".join(known))
        allowed = {name, *known[name][0]}
        if unknown := sorted(set(asked) - allowed):
            raise NotJson("line_key", key=unknown[0], command=name, allowed=", ".join(sorted(allowed)))
        do: Callable[[Line], list[Line]] = getattr(self, f"_{name}", self._do_of_session)
        self.session.permits(name)
        memory = switch(asked, "memory")
        try:
            return do(asked)
        except NotSaved:
            if not memory:
                raise
        self._in_memory()
        return do(asked)

    @property
    def race(self) -> RaceDesk:
        """The open race. Raises BadSetup without one."""
        if self.desk is None:
            raise BadSetup("no_race.open", example='{"setup": {"track": "monaco", "cars": [...]}}')
        return self.desk

    def _setup(self, asked: Line) -> list[Line]:
        if self.desk is not None:
            raise BadSetup("race_open")
        setup = asked["setup"]
        if not isinstance(setup, dict):
            raise BadSetup("setup_object", example='{"track": "monaco", "cars": [{"car": 1}]}')
        if self.rulebook:
            setup = {"rulebook": self.rulebook, **setup}
        words = Words(text(setup, "lang")) if "lang" in setup else self.words
        track = text(setup, "track")
        if not track:
            raise BadSetup("no_track")
        desk = self._begin_race(setup, track)
        self.words = words
        self._sit(desk)
        self._told = list(desk.conversation.opening)
        return []

    def _begin_race(self, setup: Mapping[str, Json], track: str) -> RaceDesk:
        from companion.desk.beginning import begin_race

        return begin_race(setup, track, self.folder, memory=self.memory)

    def _sit(self, desk: RaceDesk) -> None:
        self.desk, self.words.rulebook = desk, desk.rulebook.name
        desk.listen(self._hear)
        if desk.history.programs:
            self._has_programs(desk)
        self.session.sit(desk)

    def _has_programs(self, desk: RaceDesk) -> None:
        from companion.view.seats.programs import Programs

        self._programs = self._programs or Programs(desk)

    def _hear(self, told: EntryWritten) -> None:
        self._told += told.rulings

    def _do_of_session(self, asked: Line) -> list[Line]:
        return self.session.do(next(name for name in SESSION_COMMANDS if name in asked), asked)

    def _answer(self, asked: Line) -> list[Line]:
        force = switch(asked, "force")
        if self.session.answers(asked):
            return []
        self.race.answer(
            asked["answer"],
            n=whole(asked, "n") if "n" in asked else None,
            by=who(asked, force),
            force=force,
            why=text(asked, "why"),
        )
        return []

    def _undo(self, asked: Line) -> list[Line]:
        if self.session.answers(asked):
            return []
        self.race.undo(whole(asked, "undo"))
        return []

    def _redo(self, asked: Line) -> list[Line]:
        self.race.redo(whole(asked, "redo"))
        return []

    def _correct(self, asked: Line) -> list[Line]:
        desk, n = self.race, whole(asked, "correct")
        if "answer" not in asked:
            raise NotJson("no_answer")
        keep = text(asked, "keep") or "replay"
        force = switch(asked, "force")
        then = asked.get("then", [])
        if not isinstance(then, list):
            raise BadAnswer("line_list", key="then")
        if switch(asked, "try"):
            done = desk.try_correction(n, asked["answer"], keep=keep, force=force, then=then)
        else:
            by, why = who(asked, force), text(asked, "why")
            done = desk.correct(n, asked["answer"], keep=keep, by=by, force=force, why=why, then=then)
        return [{"correction": self._correction(done)}]

    def _override(self, asked: Line) -> list[Line]:
        change = asked["override"]
        if not isinstance(change, dict):
            raise NotJson("override_object", example='{"car": 3, "gear": 2}')
        self.race.override(change, by=text(asked, "by"), why=text(asked, "why"))
        return []

    def _lang(self, asked: Line) -> list[Line]:
        words = Words(text(asked, "lang"))
        self.race  # noqa: B018 - there must be one
        self.words = words
        return []

    def _show(self, asked: Line) -> list[Line]:
        desk, what = self.race, asked["show"]
        if what == "state":
            state, whole = desk.state()
            return [{"state": state} if whole else {"state": state, "whole": False}]
        if what == "sheet":
            return [{"sheet": msgspec.to_builtins(desk.sheet())}]
        if what == "order":
            return [{"order": desk.rulebook.running_order()}]
        if what == "question":
            return []
        if what == "odds":
            from companion.drivers.odds import chances

            return [{"odds": chances(desk.conversation, desk.history.programs)}]
        if what == "consequences":
            return [{"consequences": self._consequences(asked)}]
        raise NotJson("line_show")

    def _consequences(self, asked: Line) -> Json:
        """Return the consequences of answers to the open question: of one, or of all."""
        from companion.desk.ahead import Ahead

        ahead, look = Ahead(self.race), switch(asked, "look")
        if "of" in asked and self.race.asked is None:
            raise BadAnswer("race_over")
        found = [ahead.record(asked["of"], look=look)] if "of" in asked else ahead.records(look=look)
        return plain(found)

    def _drive(self, asked: Line) -> list[Line]:
        from companion.drivers.registry import answered, driver_named

        desk, name = self.race, text(asked, "drive")
        question = desk.asked
        if question is None:
            raise BadAnswer("race_over")
        if name not in self._drivers:
            self._drivers[name] = driver_named(name, desk.rulebook, desk.n)
        if question.faces is not None and not switch(asked, "roll"):
            raise BadAnswer("table_rolls")
        answer = answered(self._drivers[name], question, desk.rulebook)
        desk.answer(answer, n=question.n, by=f"driver:{name}")
        return []

    def _hint(self, asked: Line) -> list[Line]:
        from companion.drivers.hint import hint
        from companion.view.seats.hint import hint_sentence

        desk, question = self.race, self.race.asked
        found = hint(question, desk.rulebook)
        assert question is not None
        said = hint_sentence(self.words, question, found, self._names)
        desk.note(said)
        shown: Line = {"answer": found.answer, "text": said}
        if found.turns is not None:
            shown |= {"turns": round(found.turns, 2), "other": found.other, "gain": round(found.gain, 2)}
        return [{"hint": shown}]

    def _pushed(self, asked: Line) -> list[Line]:
        if asked["pushed"] is not True:
            raise NotJson("line_pushed", example='{"pushed": true}')
        if self._programs is None:
            raise NothingToDo("no_program")
        self._programs.done()
        return []

    def _hand_over(self, asked: Line) -> list[Line]:
        from companion.view.seats.programs import hand_over, handed_over

        desk, car = self.race, whole(asked, "hand_over")
        rolls = switch(asked, "roll") if "roll" in asked else None
        driver = hand_over(desk, car, text(asked, "driver"), rolls=rolls, by=who(asked, False), why=text(asked, "why"))
        self._has_programs(desk)
        said = handed_over(self.words, car, driver, desk.history.program_rolls, self._names)
        return [{"hand_over": {"car": car, "driver": driver, "roll": desk.history.program_rolls, "text": said}}]

    def _quit(self, asked: Line) -> list[Line]:
        if asked["quit"] is not True:
            raise NotJson("line_quit", example='{"quit": true}')
        self.open = False
        return []

    # -- what goes out

    @property
    def _names(self) -> dict[int, str]:
        return self.race.names

    def question(self, asked: Asked) -> Line:
        """Return a question as a line."""
        return dict(plain(question_message(asked, self.words, self._names)))

    def ruling(self, ruling: Ruling) -> Line:
        """Return a ruling as a line."""
        return {"ruling": plain(ruling_message(ruling, self.words, self._names))}

    def _correction(self, done: Correction) -> Line:
        shown: Line = {"kept": done.kept, "dropped": done.dropped}
        shown["asks"] = None if done.asks is None else self.question(done.asks)
        if done.changes:
            shown["changes"] = [
                {**msgspec.to_builtins(one), "text": self.words.changed(one, self._names)} for one in done.changes
            ]
        if done.change is not None:
            shown["change"] = done.change
        if done.left:
            shown["left"] = done.left
        return shown
