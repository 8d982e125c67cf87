"""The dialogue of a race at the terminal."""

from __future__ import annotations

from typing import Final

from companion.desk import EntryWritten, RaceDesk
from companion.desk.auto_answer import go_alone
from companion.rules.conversation.asking import Asked, Json, Ruling
from companion.rules.conversation.errors import BadAnswer, CompanionError, NotSaved
from companion.terminal.answers import details, plain, typed
from companion.terminal.asides import Asides, Dropped, Instead, first_accepted
from companion.terminal.prompts import command_in, happenings
from companion.terminal.screen import RacePrinter
from companion.terminal.sheet import show_result
from companion.view.seats.programs import Programs
from companion.view.sight import Sight

BEGINS: Final = ("gear", "declare", "start", "setup", "saw", "test", "box", "tyres", "practice", "attack")
"""Questions that print whose turn it is, if the car has changed."""


class TerminalSession(Asides):
    """A race played at the terminal; `person` answers in the log."""

    def __init__(self, desk: RaceDesk, screen: RacePrinter, person: str = "table") -> None:
        super().__init__(desk, screen, person)
        self._fresh: list[Ruling] = []
        self._programs = Programs(desk)
        desk.listen(self._hear)

    # -- the loop

    def run(self) -> None:
        """Ask questions until the race is left; every answer is stored."""
        for ruling in self.desk.conversation.opening if self.desk.n == 0 else ():
            self.screen.ruling(ruling, self.names)
        self._study()
        anew = True
        while True:
            try:
                if self._save(lambda: go_alone(self.desk, self._programs)):
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
        """Print a notice if a driver of the program has to study the circuit first."""
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
        self._logged = 0
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
        show_result(screen, self.desk.sheet())
        screen.line((f"  {words.say('over_hint')}", "dim"))

    # -- what was said

    def _obey(self, said: str, asked: Asked | None) -> bool | None:
        """Run a command or give an answer.

        Returns True to ask the question again, False to leave it as printed, None to leave the race.
        """
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
        """Handle an empty line; return True if something was done.

        It confirms that the program's car has been pushed, or gives the suggested answer.
        """
        if asked is not None and self._programs.holds(asked):
            self._programs.done()
            return True
        if asked is not None and self.desk.suggested is not None:
            self._confirm(self.desk.suggested, asked)
            self._give(self.desk.suggested, asked)
            return True
        return False

    def _answer(self, said: str, asked: Asked | None) -> bool:
        """Give a typed answer; a person confirms what it costs, a program writes JSON."""
        if asked is None:
            raise BadAnswer("over_hint")
        answer = typed(said, asked, self.words, self.names)
        if said[:1] not in ("{", "[", '"'):
            if asked.ask == "saw" and isinstance(answer, dict) and set(answer) <= {"in", "line"}:
                answer = self._with_details(answer, asked)
            self._confirm(answer, asked)
        self._give(answer, asked)
        return True

    def _give(self, answer: Json, asked: Asked) -> None:
        self._save(lambda: self.desk.answer(answer, n=asked.n, by=self.person))

    def _confirm(self, answer: Json, asked: Asked) -> None:
        """Ask for confirmation of a cost that has not been printed, and of a place beyond those listed.

        A die or a card is only read. Raises Dropped unless it is a yes, BadAnswer for an answer that is not allowed.
        """
        reads = asked.faces is not None or "cards" in (asked.fields or {})
        if reads or any(one.answer == answer for one in (asked.options or [])[: self._shown]):
            return
        sight = Sight(self.desk, self.words, ahead=self._ahead)
        price = self.screen.full_price(sight, answer)
        far = asked.ask == "saw" and isinstance(answer, dict) and not _is_near(answer, asked)
        if price or far:
            what = ", ".join((self._named(answer, asked), *self.screen.said_with(answer)))
            if far:
                self._must_be_sure(self.words.say("far", what=what, price=price))
            else:
                self._must_be_sure(self.words.say("costs", what=what, price=price))

    def _named(self, answer: Json, asked: Asked) -> str:
        """Return an answer in words; a place on a corner sheet as its list names it, without the details."""
        if asked.ask == "saw" and isinstance(answer, dict):
            place = {name: value for name, value in answer.items() if name in ("in", "line")}
            for option in asked.options or []:
                if option.answer == place:
                    return self.words.offered("saw", option, self.names)
            return self.words.option("saw", place, self.names)
        return self.words.option(asked.ask, answer, self.names)

    def _with_details(self, place: dict[str, Json], asked: Asked) -> dict[str, Json]:
        """Ask for the details of a stop on a corner sheet until they are accepted; return the place with them.

        Raises CompanionError if the place itself is refused.
        """
        where = self._named(place, asked)
        example = first_accepted(
            happenings(asked, self.words),
            lambda said: self._foresee({**place, **details(said, self.words, asked, self.names)}),
        )
        while True:
            said = self._ask(self.words.say("besides", place=where, example=example), asked, explain=True)
            said = "" if plain(said) in self.words.say("no_words").split() else said
            try:
                answer = {**place, **details(said, self.words, asked, self.names)}
                self._foresee(answer)
            except CompanionError as wrong:
                if not said:  # then it is the place that cannot be
                    raise
                self.screen.complaint(self.words.error(wrong))
            else:
                return answer


def _is_near(answer: dict[str, Json], asked: Asked) -> bool:
    """Return True if a place on a corner sheet is listed, or just past the corner after those."""
    past = (asked.fields or {}).get("past") or {"answer": {}}
    return answer["in"] in (*(option.answer["in"] for option in asked.options or []), past["answer"].get("in"))
