"""The referee's line protocol: one JSON object a line in, one or more a line out. `companion referee`.

For every line in come zero or more rulings and views, and then exactly one question, result or error. What is wrong is
an error line, and nothing has changed then.
"""

from __future__ import annotations

import contextlib
import json
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import IO, Any, Final

import click
import msgspec

from companion.desk import Correction, RaceDesk, Told
from companion.rules.conversation import Asked, Json, Option, Ruling
from companion.rules.errors import BadAnswer, BadSetup, CompanionError, LogError, NotSaved
from companion.rules.figures import Figure
from companion.rules.questions import ALL_ASKS
from companion.rules.race_cards import FORM
from companion.rules.section_asks import SECTION_ASKS
from companion.strict_json import LONGEST, NotJson, read
from companion.wording import LANGUAGES, Words

Line = dict[str, Json]
"""One line of the protocol, in or out."""

COMMANDS: Final[Mapping[str, tuple[tuple[str, ...], str]]] = {
    "setup": (
        ("memory",),
        'start a race; it comes first: {"setup": {"track": "monaco", "cars": [{"car": 1, "driver": "Ada"}]}}',
    ),
    "answer": (
        ("n", "force", "by", "why", "memory"),
        'answer the open question; an answer that was not offered with "force"',
    ),
    "undo": (("memory",), "take back so many answers of people"),
    "redo": (("memory",), "give so many answers again"),
    "correct": (
        ("answer", "try", "keep", "then", "force", "by", "why", "memory"),
        'what another answer to question n would do ("try": true), or do it ("keep": "replay" or "board"; "then" lists '
        "the answers to what the board alone leaves to be asked)",
    ),
    "override": (
        ("by", "why", "memory"),
        "set a car's wear, gear, at (its place), lap, stops, tyres, tyre_laps, status or stand, or sky, surface, order "
        'or dangers, by the referee\'s word: {"override": {"car": 3, "wear": {"tyres": 4}}, "by": "Ada", '
        '"why": "misread"}',
    ),
    "lang": ((), f"language of every text from here on: {' or '.join(LANGUAGES)}"),
    "show": ((), "state, sheet, order or question"),
    "quit": ((), "end"),
}
"""What a line may ask for, by the key that names it: the keys that may go with it, and what it does."""

_FIRST: Final = ("setup", "correct", "answer", "undo", "redo", "override", "lang", "show", "quit")
"""Which key names the command; `correct` comes with an `answer` too."""


class Referee:
    """One race by lines. `say(line)` gives the lines that answer it; `open` is False once it was told to quit.

    `rulebook` is that of a setup which names none; `memory` says in advance to go on in memory when the disk takes
    nothing.
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
        self._told: list[Ruling] = []

    def resume(self, race: str) -> None:
        """Goes on with a race that was kept; raises LogError."""
        from companion.sheets.place import data_folder

        self._sit(RaceDesk.resume(data_folder(self.folder), race, memory=self.memory))

    def say(self, line: bytes) -> list[Line]:
        """The lines that answer a line; the last of them is marked with the entries that the disk did not take yet."""
        said = self._said(line)
        if said and self.unsaved:
            said[-1]["unsaved"] = self.unsaved
        return said

    @property
    def unsaved(self) -> int:
        """How many entries wait for room on the disk, which is tried once more."""
        if self.desk is None:
            return 0
        with contextlib.suppress(LogError):
            self.desk.save()
        return self.desk.unsaved

    def _said(self, line: bytes) -> list[Line]:
        self._told = []
        try:
            asked = read(line)
            if not isinstance(asked, dict):
                raise NotJson('A line is one object, such as {"answer": 4}.', "line_object")
            shown = self._do(asked)
            if not self.open:
                return []
            return [*shown, *map(self._ruling, self._told), self._open()]
        except NotSaved as wrong:
            return [{"error": self.words.error(wrong), "choices": list(wrong.choices)}]
        except CompanionError as wrong:
            return [{"error": self.words.error(wrong)}]
        except RecursionError:
            return [{"error": self.words.error(NotJson("The line is too deep to be read.", "line_deep", most=20))}]
        except Exception as failure:  # the table must be able to go on, whatever failed here
            sentence = f"The referee failed on that line ({type(failure).__name__}: {failure})."
            return [{"error": self.words.translated(sentence)}]

    # -- what a line asks for

    def _do(self, asked: Line) -> list[Line]:
        name = next((name for name in _FIRST if name in asked), None)
        if name is None:
            raise NotJson(f"A line has one of {', '.join(COMMANDS)}.", "line_command", commands=", ".join(COMMANDS))
        allowed = {name, *COMMANDS[name][0]}
        if unknown := sorted(set(asked) - allowed):
            raise NotJson(
                f'"{unknown[0]}" does not go with "{name}"; {", ".join(sorted(allowed))} may.',
                "line_key",
                key=unknown[0],
                command=name,
                allowed=", ".join(sorted(allowed)),
            )
        do: Callable[[Line], list[Line]] = getattr(self, f"_{name}")
        memory = _switch(asked, "memory")
        try:
            return do(asked)
        except NotSaved:
            if not memory:
                raise
        self.memory = True  # the table's word, for the rest of the race
        if self.desk is not None:
            self.desk.go_on_in_memory()
        return do(asked)

    @property
    def _race(self) -> RaceDesk:
        if self.desk is None:
            raise BadSetup('No race is open; begin with {"setup": {"track": "monaco", "cars": [...]}}.', "no_race")
        return self.desk

    def _setup(self, asked: Line) -> list[Line]:
        from companion import circuits
        from companion.rules.rulebooks import begin

        if self.desk is not None:
            raise BadSetup("A race is open already; a program referees one race.", "race_open")
        setup = asked["setup"]
        if not isinstance(setup, dict):
            raise BadSetup('A setup is an object, such as {"track": "monaco", "cars": [{"car": 1}]}.', "setup_object")
        if self.rulebook:
            setup = {"rulebook": self.rulebook, **setup}
        words = Words(_text(setup, "lang")) if "lang" in setup else self.words
        track = _text(setup, "track")
        if not track:
            raise BadSetup('A setup names its track, such as "monaco"; companion tracks list shows all.', "no_track")
        rulebook = begin(setup, circuits.board(track))
        if self.folder is None:
            desk = RaceDesk(rulebook, setup=setup)
        else:
            text = circuits.find(track).read_text(encoding="utf-8")
            desk = RaceDesk.begin(rulebook, setup=setup, track=text, folder=self.folder, memory=self.memory)
        self.words = words
        self._sit(desk)
        self._told = list(desk.conversation.opening)
        return []

    def _sit(self, desk: RaceDesk) -> None:
        self.desk, self.words.rulebook = desk, desk.rulebook.name
        desk.listen(self._hear)

    def _hear(self, told: Told) -> None:
        self._told += told.rulings

    def _answer(self, asked: Line) -> list[Line]:
        force = _switch(asked, "force")
        self._race.answer(
            asked["answer"],
            n=_whole(asked, "n") if "n" in asked else None,
            by=_who(asked, force),
            force=force,
            why=_text(asked, "why"),
        )
        return []

    def _undo(self, asked: Line) -> list[Line]:
        self._race.undo(_whole(asked, "undo"))
        return []

    def _redo(self, asked: Line) -> list[Line]:
        self._race.redo(_whole(asked, "redo"))
        return []

    def _correct(self, asked: Line) -> list[Line]:
        desk, n = self._race, _whole(asked, "correct")
        if "answer" not in asked:
            raise NotJson('A correction says what the answer should have been: "answer".', "no_answer")
        keep = _text(asked, "keep") or "replay"
        force = _switch(asked, "force")
        then = asked.get("then", [])
        if not isinstance(then, list):
            raise BadAnswer('"then" is a list.', "line_list", key="then")
        if _switch(asked, "try"):
            done = desk.try_correction(n, asked["answer"], keep=keep, force=force, then=then)
        else:
            by, why = _who(asked, force), _text(asked, "why")
            done = desk.correct(n, asked["answer"], keep=keep, by=by, force=force, why=why, then=then)
        return [{"correction": self._correction(done)}]

    def _override(self, asked: Line) -> list[Line]:
        change = asked["override"]
        if not isinstance(change, dict):
            raise NotJson('An override is an object, such as {"car": 3, "gear": 2}.', "override_object")
        self._race.override(change, by=_text(asked, "by"), why=_text(asked, "why"))
        return []

    def _lang(self, asked: Line) -> list[Line]:
        words = Words(_text(asked, "lang"))
        self._race  # noqa: B018 - there must be one
        self.words = words
        return []

    def _show(self, asked: Line) -> list[Line]:
        desk, what = self._race, asked["show"]
        rulebook: Any = desk.rulebook
        if what == "state":
            return [{"state": rulebook.state()}]
        if what == "sheet":
            return [{"sheet": msgspec.to_builtins(desk.sheet())}]
        if what == "order":
            return [{"order": rulebook.order()}]
        if what == "question":
            return []
        raise NotJson("What can be shown is state, sheet, order or question.", "line_show")

    def _quit(self, asked: Line) -> list[Line]:
        if asked["quit"] is not True:
            raise NotJson('To end, say {"quit": true}.', "line_quit")
        self.open = False
        return []

    # -- what goes out

    @property
    def _names(self) -> dict[int, str]:
        return {car.number: car.driver for car in self._race.rulebook.race.cars}

    def _open(self) -> Line:
        desk = self._race
        asked = desk.asked
        if asked is None:
            return {"result": desk.rulebook.result()}
        question = self._question(asked)
        if desk.suggested is not None:
            question["suggested"] = desk.suggested
        return {"question": question}

    def _question(self, asked: Asked) -> Line:
        shown: Line = {"n": asked.n, "ask": asked.ask}
        if asked.car is not None:
            shown["car"] = asked.car
        shown |= {"text": self.words.question(asked, self._names), "article": asked.article, "round": asked.round}
        if asked.what:
            shown["what"] = asked.what
        if asked.faces is not None:
            shown["faces"] = asked.faces
        if asked.fields is not None:
            shown["fields"] = asked.fields
        if asked.options is not None:
            shown["options"] = [self._option(option) for option in asked.options]
        return shown

    @staticmethod
    def _option(option: Option) -> Line:
        shown: Line = {"answer": option.answer, "wear": option.wear}
        if option.facts:
            shown["facts"] = option.facts
        return shown

    def _ruling(self, ruling: Ruling) -> Line:
        shown: Line = {} if ruling.car is None else {"car": ruling.car}
        shown |= {"article": ruling.article, "text": self.words.ruling(ruling, self._names), "kind": ruling.kind}
        if ruling.wear:
            shown["wear"] = ruling.wear
        if ruling.facts:
            shown["facts"] = ruling.facts
        return {"ruling": shown}

    def _correction(self, done: Correction) -> Line:
        shown: Line = {"kept": done.kept, "dropped": done.dropped}
        shown["asks"] = None if done.asks is None else self._question(done.asks)
        if done.change is not None:
            shown["change"] = done.change
        if done.left:
            shown["left"] = done.left
        return shown


def _whole(asked: Line, key: str) -> int:
    value = asked[key]
    if isinstance(value, bool) or not isinstance(value, int):
        raise BadAnswer(f'"{key}" is a whole number, such as 1.', "line_whole", key=key)
    return value


def _switch(asked: Line, key: str) -> bool:
    value = asked.get(key, False)
    if not isinstance(value, bool):
        raise BadAnswer(f'"{key}" is true or false.', "line_switch", key=key)
    return value


def _text(asked: Mapping[str, Json], key: str) -> str:
    value = asked.get(key, "")
    if not isinstance(value, str):
        raise BadAnswer(f'"{key}" is text.', "line_text", key=key)
    return value


def _who(asked: Line, force: bool) -> str:
    """Who says it: the table, if nobody is named; the referee's word is nobody's but who is named."""
    return _text(asked, "by") or ("" if force else "table")


# -- the command


def lines(source: IO[bytes]) -> Iterator[bytes]:
    """The lines of a stream, none longer than is needed to see that it is too long."""
    while line := source.readline(LONGEST + 2):
        rest = line
        while rest and not rest.endswith(b"\n") and len(rest) > LONGEST:
            rest = source.readline(LONGEST + 2)
        yield line.removesuffix(b"\n").removesuffix(b"\r")


def write(out: IO[bytes], said: Line) -> None:
    """One line out, in UTF-8."""
    out.write(json.dumps(said, ensure_ascii=False, separators=(", ", ": ")).encode("utf-8") + b"\n")


def documentation() -> str:
    """Every command, question and answer of the protocol, for `companion referee --help`."""
    out = ["In, one JSON object a line:", ""]
    for name, (others, does) in COMMANDS.items():
        keys = f" (with {', '.join(others)})" if others else ""
        out += _paragraph(name, does + keys)
    out += [
        "",
        "Out, for every line in: rulings and what was to be shown, and then exactly one",
        "question, result or error.",
        "",
        '  {"ruling": {"car", "article", "text", "kind", "wear", "facts"}}',
        '  {"state": {...}}  {"sheet": {...}}  {"order": [3, 1, 2]}',
        '  {"correction": {"kept", "dropped", "asks", "change", "left"}}',
        '  {"question": {"n", "ask", "car", "text", "article", "round", "what",',
        '                "options", "faces", "fields", "suggested"}}',
        '  {"result": [{"place", "car", "laps", "status", "points", "cause"}, ...]}',
        '  {"error": "one sentence; nothing has changed", "choices"}',
        "",
        "An option is an answer as it must be written, with what it costs and brings:",
        '  {"answer": 2, "wear": {"gearbox": -1}, "facts": {...}}',
        "The facts of a landing: moved, the spaces driven, slid of them by the slide;",
        "corner, with stops made of its number, or overshot, the spaces beyond; blocked,",
        "the spaces lost; tests, the danger spaces and walls in driving order, such as",
        '["5:left:1", "wall:4:right:5"]; finish, spin or out, with its cause.',
        "Where the answers are a range there are faces instead (a die); where an answer",
        "has several parts, fields say what each may be. What a correction took away and",
        "may be given again is suggested.",
        "",
        "Where the disk takes nothing, because it is full or may not be written, nothing",
        'is accepted, and the error has choices: "stop" (quit) or "memory". To go on in',
        'memory, send the same line again with "memory": true; it is asked once a race.',
        'From then on the last line of every reply has "unsaved", the number of entries',
        "that wait for room on the disk, until they are written.",
        "",
        "Questions (ask), and their answers:",
        "",
    ]
    for name, (asks, answers) in ALL_ASKS.items():
        out += _paragraph(name, f"{asks}: {answers}")
    out += ["", "In ninety, the race of cards, where a card is written " + FORM.partition(":")[0], ""]
    out += _paragraph("a card", FORM.partition(": ")[2])
    for name, (asks, answers) in SECTION_ASKS.items():
        out += _paragraph(name, f"{asks}: {answers}")
    return "\n".join([*out, *_setups()])


def _setups() -> list[str]:
    """How a setup and a position are written."""
    from companion.rules.competition import Competition
    from companion.rules.ninety import Ninety
    from companion.rules.rulebooks import RULEBOOKS

    out = [
        "",
        "A setup; of all but track and cars what is left out is asked, or has a default:",
        "",
        '  {"setup": {"rulebook": "competition", "track": "monaco", "laps": 3, "lang",',
        '             "sky": "sun" | "changeable" | "rain", "surface": "dry" | "wet",',
        '             "cars": [{"car": 1, "driver", "team", "box", "tyres",',
        '                       "wear": {"tyres": 6, "brakes": 3, "gearbox": 3,',
        '                                "body": 3, "engine": 3, "handling": 2},',
        '                       "stand": 2}, ...],',
        '             "options": {"points": [10, 6, 4, 3, 2, 1]}}}',
        "",
        "With to_play, the numbers of the cars that still play this round, in order, it",
        "is a position: the race begins in the middle and nothing of its preparation is",
        "asked. A car may then also have",
        "",
    ]
    where = '"5:left:3", "pit:4", "box:4", null off the board; on a corner sheet "corner:3", "after:3", "after:0"'
    out += _paragraph("at", f"where it stands: {where} (past the line)")
    out += _paragraph("gear, lap", "its gear; how often it has crossed the line")
    out += _paragraph("stops", "those made in its corner")
    out += _paragraph("status", "grid, racing, stalled, spun, wreck, coasting, pit, box, out or finished")
    out += _paragraph("tyre_laps", "the age of its tyres, in laps")
    out += [
        "",
        'and the setup "dangers" (a list of spaces) and "round". {"show": "state"}',
        "prints a position with all else that it takes to go on exactly, such as",
        "built, arrived, coast, stop and due: keep it, mail it, and begin from it.",
        "",
        "Figures and switches (options), their values, articles and rulings:",
        "",
    ]
    usual = list(Competition.listed())
    out += map(_figure, usual)
    for rulebook in RULEBOOKS.values():
        own = [figure for figure in rulebook.listed() if figure not in usual]
        if rulebook is Ninety:
            out += ["", f"In {Ninety.name}, which has its own only; laps are its turns, and deck is the number"]
            out += ["of a deck that the program keeps, 0 with cards on the table:"]
        elif own:
            out += ["", f"In {rulebook.name}:"]
        if own:
            out += ["", *_added(rulebook.race_type), *map(_figure, own)]
    return out


def _added(race: type) -> list[str]:
    """What a rulebook's race and its cars have beside those of the family, as a setup may say it."""
    from msgspec import inspect

    from companion.rules.race import Car, Race

    fields = {field.name: field.type for field in inspect.type_info(race).fields}  # type: ignore[attr-defined]
    cars = {field.name: field.type for field in fields["cars"].item_type.fields}
    out = []
    for whose, own, family in (("setup", fields, Race), ("car", cars, Car)):
        added = [name for name in own if name not in family.__struct_fields__]
        out += _paragraph(whose, "may also have " + ", ".join(added)) if added else []
    return [*out, ""] if out else []


def _figure(figure: Figure) -> str:
    value = json.dumps(figure.value, separators=(",", ":"))
    said = f"({figure.article}{', proposed' if figure.proposed else ''})"
    line = f"  {figure.name:<24} {value}"
    if len(line) > 79:
        line = f"  {figure.name}\n    {value}"
    return f"{line} {said}" if len(line) + len(said) < 80 else f"{line}\n{' ' * 27}{said}"


def _paragraph(name: str, text: str, width: int = 79) -> list[str]:
    import textwrap

    return textwrap.wrap(
        text,
        width,
        initial_indent=f"  {name:<11} ",
        subsequent_indent=" " * 14,
        break_long_words=False,
        break_on_hyphens=False,
    )


class Documented(click.Command):
    """A command whose help ends with the whole protocol."""

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        formatter.write_paragraph()
        formatter.write(documentation() + "\n")


@click.command(cls=Documented)
@click.option(
    "--data",
    type=click.Path(path_type=Path, file_okay=False),
    help="Keep the race in this folder; without it the race is in memory only.",
)
@click.option("--resume", metavar="RACE", help='Go on with a race that was kept: its name, or "last".')
@click.option("--memory", is_flag=True, help="Go on in memory when the disk takes nothing, without being asked.")
@click.option("--rulebook", metavar="NAME", default="", help="Rulebook of a setup that names none.")
@click.option("--lang", type=click.Choice(LANGUAGES), help="Language of the texts.")
def referee(data: Path | None, resume: str | None, memory: bool, rulebook: str, lang: str | None) -> None:
    """Referee a race over standard input and output, one JSON object a line."""
    out = sys.stdout.buffer
    race = Referee(lang or "en", data, rulebook, memory=memory)
    if resume is not None:
        race.resume(resume)
    try:
        for line in lines(sys.stdin.buffer):
            for said in race.say(line):
                write(out, said)
            out.flush()
            if not race.open:
                break
    finally:
        if left := race.unsaved:
            click.echo(race.words.say("left_unsaved", count=left), err=True)
        if race.desk is not None:
            race.desk.close()
