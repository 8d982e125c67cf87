"""The dialogue of a race at the terminal: questions, answers, and what follows."""

from __future__ import annotations

from typing import Final

from companion.desk import EntryWritten, RaceDesk
from companion.desk.auto_answer import go_alone
from companion.rules.conversation.asking import Asked, Json, Ruling
from companion.rules.conversation.errors import BadAnswer, CompanionError, NotSaved
from companion.terminal.answers import details, plain, typed
from companion.terminal.asides import Asides, Dropped, Instead, first_accepted
from companion.terminal.prompts import command_in, happenings
from companion.terminal.screen import Screen
from companion.terminal.sheet import result_rows
from companion.view.seats.programs import Programs
from companion.view.sight import Sight

BEGINS: Final = ("gear", "declare", "start", "setup", "saw", "test", "box", "tyres", "practice", "attack")
"""Questions before which it is said whose turn it is, if that is another car's."""


class Session(Asides):
    """Runs a race with the people at the terminal, until it is left. `person` is who answers."""

    def __init__(self, desk: RaceDesk, screen: Screen, person: str = "table") -> None:
        super().__init__(desk, screen, person)
        self._fresh: list[Ruling] = []
        self._programs = Programs(desk)
        desk.listen(self._hear)

    # -- the loop

    def run(self) -> None:
        """Asks until the race is left; what was answered is kept."""
        for ruling in self.desk.conversation.opening if self.desk.n == 0 else ():
            self.screen.ruling(ruling, self.names)
        self._study()
        anew = True
        while True:
            try:
                if self._kept(lambda: go_alone(self.desk, self._programs)):
                    self._rulings()
                    anew = True
            except NotSaved:  # the table chose to stop
                self.screen.complaint(self.words.say("stopped"))
                return
            asked = self.desk.asked
            if anew:
                self._show(asked)
            said = self._read(asked)
            if said is None:
                return
            try:
                done = self._obey(said, asked)
            except NotSaved:  # the table chose to stop
                self.screen.complaint(self.words.say("stopped"))
                return
            except CompanionError as wrong:
                self.screen.complaint(self.words.error(wrong))
                done = False
            if done is None:
                return
            self._rulings()
            anew = done

    def _study(self) -> None:
        """Says so where a driver of the program studies the circuit first."""
        if not self.desk.over and self._programs.studies(self.desk):
            self.screen.line((f"  {self.words.say('hint_wait')}", "dim"))

    def _do_seat(self, rest: str, asked: Asked | None) -> bool:
        done = super()._do_seat(rest, asked)
        self._study()
        return done

    def _read(self, asked: Asked | None) -> str | None:
        mark = f"{self.words.say('unsaved', count=self.desk.unsaved)} " if self.desk.unsaved else ""
        prompt = f"{mark}{asked.n} > " if asked is not None else f"{mark}{self.words.say('over')} > "
        try:
            return self.screen.ask(prompt)
        except KeyboardInterrupt:
            self.screen.line()
            return None

    def _hear(self, told: EntryWritten) -> None:
        self._fresh += told.rulings

    def _rulings(self) -> None:
        for ruling in self._fresh:
            self.screen.ruling(ruling, self.names)
            if ruling.kind == "round":
                self.screen.order(self.desk, self.names)
        self._fresh.clear()

    def _show(self, asked: Asked | None) -> None:
        screen = self.screen
        if asked is None:
            self._result()
            return
        if (push := self._programs.push(Sight(self.desk, self.words))) is not None:
            screen.push(push)
            if self._programs.holds(asked):
                screen.line((f"  {self.words.say('pushed_how')}", "dim"))
                return
        scene = (asked.car, asked.round)
        if scene != self._scene and asked.ask in BEGINS:
            whole = asked.ask in ("gear", "declare", "start", "saw", "attack") or self.desk.public().phase == "setup"
            if whole:
                screen.scene(self.desk, asked.car, self.names)
                self._scene = scene
        suggested = self.desk.suggested
        said = self.words.option(asked.ask, suggested, self.names) if suggested is not None else ""
        screen.sight = Sight(self.desk, self.words, ahead=self._ahead)
        self._shown = screen.question(asked, self.names, suggested=said)

    def _result(self) -> None:
        screen, words = self.screen, self.words
        screen.line()
        screen.rule(words.say("classification"))
        result_rows(screen, self.desk.rulebook.result(), self.names)
        screen.line((f"  {words.say('over_hint')}", "dim"))

    # -- what was said

    def _obey(self, said: str, asked: Asked | None) -> bool | None:
        """Does what was said. True: ask anew; False: the question stands as it was shown; None: leave."""
        command = command_in(said, self.words)
        while True:
            try:
                if command is not None:
                    return self._do(command, asked)
                return self._answer(said, asked) if said else self._nothing(asked)
            except Dropped:
                self.screen.line((f"  {self.words.say('dropped')}", "cyan"))
                return True
            except Instead as other:
                command = other.command

    def _nothing(self, asked: Asked | None) -> bool:
        """An empty line gives the suggested answer again, if there is one; or says that the program's car is pushed."""
        if asked is not None and self._programs.holds(asked):
            self._programs.done()
            return True
        if asked is not None and self.desk.suggested is not None:
            self.desk.answer(self.desk.suggested, n=asked.n, by=self.person)
            return True
        return False

    def _answer(self, said: str, asked: Asked | None) -> bool:
        if asked is None:
            raise BadAnswer(self.words.say("over_hint"))
        answer = typed(said, asked, self.words)
        if asked.ask == "saw" and isinstance(answer, dict) and said[:1] != "{":
            self._confirm_far(answer, asked)
        if asked.ask == "saw" and isinstance(answer, dict) and set(answer) <= {"in", "line"} and said[:1] != "{":
            self._seen(answer, asked)
        else:
            self._give(answer, asked)
        return True

    def _give(self, answer: Json, asked: Asked) -> None:
        self._kept(lambda: self.desk.answer(answer, n=asked.n, by=self.person))

    def _confirm_far(self, answer: dict[str, Json], asked: Asked) -> None:
        """Ask once more about a place beyond those listed and the corner after them, which is rarely meant. Raises
        Dropped."""
        past = (asked.fields or {}).get("past") or {"answer": {}}
        near = [*(option.answer["in"] for option in asked.options or []), past["answer"].get("in")]
        if answer["in"] in near:
            return
        where = self.words.option("saw", {"in": answer["in"]})
        if plain(self._ask(self.words.say("far", place=where), asked)) not in self.words.say("yes_words").split():
            raise Dropped

    def _seen(self, place: dict[str, Json], asked: Asked) -> None:
        """Ask what happened besides at a place on a corner sheet; the place stands until that can be taken."""
        where = self.words.option("saw", {"in": place["in"]})
        example = first_accepted(
            happenings(asked, self.words), lambda said: self._foresee({**place, **details(said, self.words)})
        )
        while True:
            said = self._ask(self.words.say("besides", place=where, example=example), asked)
            try:
                self._give({**place, **details(said, self.words)}, asked)
            except NotSaved:
                raise
            except CompanionError as wrong:
                if not said:  # then it is the place that cannot be
                    raise
                self.screen.complaint(self.words.error(wrong))
            else:
                return
