"""What `companion tournament` and `companion season` have in common: whose act it is, the record, and its tables."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

import click

from companion.options import in_folder, in_language, in_memory

if TYPE_CHECKING:
    from companion.desk.organising import OrganisedDesk
    from companion.house_rules import HouseRules
    from companion.rules.conversation.errors import CompanionError
    from companion.tournament.entrants import Entrant
    from companion.tournament.organised import Organised
    from companion.tournament.record import Act
    from companion.tournament.results import Line, Result
    from companion.wording import Words

F = TypeVar("F", bound=Callable[..., Any])


class Said:
    """What was said before the command: the record's name or id, who acts, where the database lies, the language, and
    that what is lost with the power may be written."""

    def __init__(self, kind: str, word: str, by: str, folder: Path, words: Words, memory: bool) -> None:
        self.kind, self.word, self.by, self.folder = kind, word, by, folder
        self.words, self.memory = words, memory

    def open(self) -> OrganisedDesk:
        """The record, to be written. Raises LogError."""
        from companion.desk.record_desk import RecordDesk
        from companion.sheets.records import kinds

        self.must_last()
        return RecordDesk.resume(self.folder, kinds()[self.kind], self.word)  # type: ignore[return-value]

    def must_last(self) -> None:
        """Ask once whether to go on where all is lost with the power. Raises NotSaved, SystemExit."""
        from companion.terminal.prompts import must_last

        must_last(self.folder, self.words, memory=self.memory)

    def act(self, make: Callable[[Any], Act]) -> None:
        """Does what `make` says of the record, and tells it."""
        with self.open() as desk:
            done = desk.act(make(desk.record), by=self.by)
            click.echo(self.words.say("org_done", seq=done.seq, act=_tag(done.act)))

    def ends_with(self, wrong: Sequence[CompanionError]) -> None:
        """Tells what is wrong, and ends the command if anything is."""
        for one in wrong:
            click.echo(self.words.error(one), err=True)
        if wrong:
            raise SystemExit(1)

    def show(self, kind: str, of: str = "", *, form: str = "text", out: Path | None = None, paper: str = "A4") -> None:
        """Writes one of the record's tables, in a form."""
        made = self.made(kind, of, form, paper)
        if out is not None:
            from companion.whole_file import write_out

            write_out(out, made)
            click.echo(self.words.say("export_written", path=str(out)), err=True)
        else:
            click.echo(made, nl=False)

    def made(self, kind: str, of: str, form: str, paper: str) -> bytes:
        """One of the record's tables in a form."""
        from companion.printing.forms import listing_in_form
        from companion.view.commissioner.listings import kept_listing

        listing, at = kept_listing(self.folder, self.word, self.kind, kind, of, self.words)
        return listing_in_form(form, listing, self.words.lang, letter=paper == "letter", at=at)


def _tag(act: Act) -> str:
    return str(act.__struct_config__.tag)


SETTLED_BY: Final[Mapping[str, str]] = {
    "needs_reason": "--why", "seeds_changed": "--why", "seeds_unconfirmed": "--why", "round_open": "--again",
    "which_weather": "--round", "correction": "correct", "withdrawal": "withdraw",
}  # fmt: skip
"""The option, or the command, that settles a refusal, by its kind: named where there is one."""


class Commands(click.Group):
    """Commands whose refusals name the option that would settle them."""

    def invoke(self, ctx: click.Context) -> object:
        """Run a command; a refusal has the option in a note of its own."""
        from companion.rules.conversation.errors import CompanionError

        try:
            return super().invoke(ctx)
        except CompanionError as wrong:
            command = self.commands.get(ctx.invoked_subcommand or "")
            there = {*self.commands, *(name for one in (command.params if command else ()) for name in one.opts)}
            if SETTLED_BY.get(wrong.kind) in there:
                wrong.add_note(ctx.obj.words.word("settle", wrong.kind))
            raise


def group(kind: str, help_: str) -> click.Group:
    """The group of commands of a kind of record."""

    @click.group(name=kind, help=help_, cls=Commands)
    @click.option("--name", "word", default="last", show_default=True, help="Which one: its name or id.")
    @click.option("--by", default="race control", show_default=True, help="Who does it, as the log will say.")
    @in_memory
    @in_folder
    @in_language
    @click.pass_context
    def commands(ctx: click.Context, word: str, by: str, memory: bool, folder: Path, words: Words) -> None:
        ctx.obj = Said(kind, word, by, folder, words, memory)

    return commands


def written(command: F) -> F:
    """The options of a command that writes a table."""
    form = click.option(
        "--form",
        type=click.Choice(["text", "csv", "json", "html", "pdf"]),
        default="text",
        show_default=True,
        help="In which form.",
    )
    out = click.option("--out", type=click.Path(path_type=Path, dir_okay=False), help="A file (else standard output).")
    paper = click.option(
        "--paper", type=click.Choice(["A4", "letter"]), default="A4", show_default=True, help="Size of the paper."
    )
    return form(out(paper(command)))


_LINES: Final = """The same by JSON lines on standard input and output, for other programs.

A line is an act as the log keeps it, with who does it: {act}; or {{"list": "standings"}}, {{"list": "table", "of":
"{race}"}}, {seed}{{"setup": "{race}"}}, {{"result": "{race}", "race": "last"}}, {{"collect": true}}, {{"undo": true}},
{{"quit": true}}. An error changes nothing.
"""
_EXAMPLES: Final[Mapping[str, Mapping[str, str]]] = {
    "tournament": {
        "act": '{"act": "timed", "driver": 3, "session": 1, "time": {"throws": 17, "clock": 7556}, "by": "Ada"}',
        "seed": '{"seed": {"tables": 5}}, ',
        "race": "1.3",
    },
    "season": {"act": '{"act": "missed", "race": 3, "number": 7, "by": "Ada"}', "seed": "", "race": "3"},
}
"""What may be said in a tournament, and in a season."""


def common(commands: click.Group) -> None:
    """The commands that tournaments and seasons share."""

    @commands.command()
    @click.argument("file", type=click.Path(path_type=Path, allow_dash=True))
    @click.pass_obj
    def entrants(said: Said, file: Path) -> None:
        """Enter everybody in FILE (- for typed or pasted), or nobody if a line is bad.

        A line is number, name, team and home circuits, with commas, semicolons or tabs between: 14, Vidal, Lyon,
        monaco. A name with a comma in it stands in quotes: 14, "Smith, John", Lyon. Without a number the lowest that is
        free is given; team and home may be missing, and several home circuits have a / between: monaco/spa. A first
        line may name the columns: number, name, team, home.
        """
        from companion.desk.organising import entry_list, list_text
        from companion.tournament.entrants import Entered, faults, in_its_line, read_entrants

        typed = str(file) == "-"
        text = list_text(sys.stdin.buffer.read(), "-") if typed else entry_list(file)

        def entered(record: Organised) -> Entered:
            wrong = [in_its_line(*fault) for fault in faults(text, record.field)]
            for one in wrong[:-1]:
                click.echo(said.words.error(one), err=True)
            if wrong:
                raise wrong[-1]
            return Entered(entrants=tuple(read_entrants(text, record.field.entrants)))

        said.act(entered)

    @commands.command()
    @click.argument("name")
    @click.option("--number", type=int, help="Else the lowest that is free.")
    @click.option("--team", default="", help="Team or club.")
    @click.option("--home", multiple=True, metavar="TRACK", help="A home track.")
    @click.pass_obj
    def enter(said: Said, name: str, number: int | None, team: str, home: tuple[str, ...]) -> None:
        """Enter one driver."""
        from companion.tournament.entrants import Entered

        said.act(lambda record: Entered(entrants=(_entrant(record, number, name, team, home),)))

    @commands.command()
    @click.argument("number", type=int)
    @click.option("--to", type=int, help="Another number, before anybody has driven.")
    @click.option("--driver", help="The name as it is right.")
    @click.option("--team", help="The team as it is right.")
    @click.pass_obj
    def change(said: Said, number: int, to: int | None, driver: str | None, team: str | None) -> None:
        """Write an entrant otherwise."""
        from companion.tournament.entrants import Changed, Entrant
        from companion.tournament.record import one_line

        def act(record: Any) -> Act:
            old = record.field[number]
            new = Entrant(
                to or number, one_line(driver or old.name), one_line(old.team if team is None else team), old.home
            )
            return Changed(number=number, entrant=new)

        said.act(act)

    @commands.command()
    @click.argument("number", type=int)
    @click.pass_obj
    def remove(said: Said, number: int) -> None:
        """Delete an entry, before anybody has driven."""
        from companion.tournament.entrants import Removed

        said.act(lambda _: Removed(number=number))

    @commands.command()
    @click.argument("number", type=int)
    @click.option("--why", default="", help="The reason.")
    @click.pass_obj
    def withdraw(said: Said, number: int, why: str) -> None:
        """An entrant takes part no longer."""
        from companion.tournament.entrants import Withdrawn

        said.act(lambda _: Withdrawn(number=number, why=why))

    @commands.command()
    @click.argument("key", metavar="TABLE|RACE")
    @click.option("--race", help="A race that was kept here: its name, id, or last.")
    @click.option("--file", type=click.Path(path_type=Path, exists=True), help="A race in a file, as export --json.")
    @click.option(
        "--stick", type=click.Path(path_type=Path, file_okay=False), help="Where --race lies: a stick's folder."
    )
    @click.option(
        "--paper",
        help='Typed from paper: "3 1 2 out 4 engine 12, 5": the finishers, then who is out, with cause and round, who '
        "came furthest first. A rulebook that places retired drivers, such as the league's, gives them their points.",
    )
    @click.pass_obj
    def result(
        said: Said, key: str, race: str | None, file: Path | None, stick: Path | None, paper: str | None
    ) -> None:
        """Enter the result of a table or a race: from its log, from a file, or from paper."""
        with said.open() as desk:
            act = _result(said, key, race, file, stick, paper)
            done = desk.act(act, by=said.by)
            click.echo(said.words.say("org_done", seq=done.seq, act="result"))
            _not_official(said, [key])

    @commands.command()
    @click.option("--stick", type=click.Path(path_type=Path, file_okay=False), help="The folder of a stick.")
    @click.pass_obj
    def collect(said: Said, stick: Path | None) -> None:
        """Take the results of all races that were started from here and are over, also at the tables of a hall."""
        from companion.desk.organising import collect as from_stick
        from companion.hall.receiving import Received, collected

        with said.open() as desk:
            found = collected(desk) if stick is None else Received(0, *from_stick(desk, stick))
            if found.times:
                click.echo(said.words.say("org_times", count=found.times))
            click.echo(said.words.say("org_came", keys=", ".join(found.results)))
            said.ends_with(found.wrong)

    @commands.command()
    @click.argument("key", metavar="TABLE|RACE")
    @click.pass_obj
    def confirm(said: Said, key: str) -> None:
        """Make a result official: another person than who entered it."""
        from companion.tournament.results import Confirmed

        said.act(lambda _: Confirmed(race=key))

    @commands.command()
    @click.argument("key", metavar="TABLE|RACE")
    @click.option("--paper", required=True, help='As it is right: "3 1=7 2 out 4 engine, 5"; =7 are points by hand.')
    @click.option("--why", default="", help="The reason.")
    @click.option("--show", is_flag=True, help="Only say whose place it would change.")
    @click.pass_obj
    def correct(said: Said, key: str, paper: str, why: str, show: bool) -> None:
        """Put a result right, with a reason; whose place it changes is said."""
        from companion.tournament.results import Corrected, given
        from companion.tournament.season import Season
        from companion.tournament.standings import climbed
        from companion.tournament.tournament import Tournament

        with said.open() as desk:
            record = desk.record
            before = record.results[key].lines
            known = {line.driver: line for line in before}
            bots = iter([line for line in before if not line.driver])
            lines = [_kept(line, known if line.driver else {0: next(bots, line)}) for line in typed_result(paper)]
            act = record.completed(Corrected(race=key, lines=tuple(lines), why=why))
            assert isinstance(act, Corrected)
            _check(record, act)
            for move in record.changes(act):
                name = f"{move.driver} {record.names[move.driver]}"
                click.echo(said.words.say("org_changes", driver=name, was=move.was or 0, now=move.now or 0))
            scored = [{line.driver: line.scored(record.scale(key)) for line in of} for of in (before, act.lines)]
            for driver in (move.driver for move in given(before, act.lines)):
                name = f"{driver} {record.names[driver]}"
                click.echo(said.words.say("org_gives", driver=name, was=scored[0][driver], now=scored[1][driver]))
            tried = Corrected(race=key, lines=act.lines, why=why or "?")  # what would follow is told without one too
            for who, was, now in climbed(record.standings(), record.after(tried).standings()):
                click.echo(said.words.say("org_climbs", driver=f"{who} {record.names[int(who)]}", was=was, now=now))
            if isinstance(record, Season) and record.turns_grid(act):
                click.echo(said.words.say("org_turns_grid"))
            if isinstance(record, Season) and record.leaves_grid(act):
                click.echo(said.words.say("org_leaves_grid"))
            if isinstance(record, Tournament) and (dealt := record.dealt_otherwise(tried)) is not None:
                published = dealt.published is not None
                click.echo(said.words.say("org_dealt_otherwise", round=dealt.number, published=published))
            if not show:
                done = desk.act(act, by=said.by)
                click.echo(said.words.say("org_done", seq=done.seq, act="corrected"))
                _not_official(said, [key])

    @commands.command()
    @click.option("--why", default="", help="The reason.")
    @click.pass_obj
    def undo(said: Said, why: str) -> None:
        """Take the last act back; what is published or official is corrected instead."""
        with said.open() as desk:
            taken = desk.undo(by=said.by, why=why)
            click.echo(said.words.say("org_undone", seq=taken.seq, act=_tag(taken.act)))

    @commands.command()
    @click.argument("text")
    @click.pass_obj
    def note(said: Said, text: str) -> None:
        """Note something."""
        from companion.tournament.record import Noted

        said.act(lambda _: Noted(text=text))

    @commands.command()
    @click.pass_obj
    def check(said: Said) -> None:
        """Check the record's chain, and the logs that results were read from."""
        from companion.desk.organising import check_references
        from companion.sheets.records import kept_record

        kept = kept_record(said.folder, said.word, said.kind)
        wrong = check_references(said.folder, kept.record)  # type: ignore[arg-type]  # of a kind that has results
        click.echo(said.words.say("org_checked", name=kept.record.name, count=len(kept.record.log), digest=kept.digest))
        said.ends_with(wrong)

    @commands.command()
    @click.argument("key", metavar="TABLE|RACE")
    @click.option("--out", type=click.Path(path_type=Path, dir_okay=False), help="A file (else standard output).")
    @click.option("--why", default="", help="The reason, where the seats of the round are no longer true.")
    @click.pass_obj
    def setup(said: Said, key: str, out: Path | None, why: str) -> None:
        """Write the setup of a race, for companion race --setup; collect takes its result when it is over."""
        import json

        from companion.desk.organising import race_setup

        with said.open() as desk:
            made = json.dumps(race_setup(desk, key, by=said.by, why=why), ensure_ascii=False) + "\n"
        if out is None:
            click.echo(made, nl=False)
        else:
            from companion.whole_file import write_out

            write_out(out, made.encode())

    @commands.command()
    @click.argument("key", metavar="TABLE|RACE")
    @click.option("--why", default="", help="The reason, where the seats of the round are no longer true.")
    @click.pass_obj
    def start(said: Said, key: str, why: str) -> None:
        """Begin the race of a table or of the season; collect takes its result when it is over."""
        from companion.desk.organising import start_race

        with said.open() as desk, start_race(desk, key, by=said.by, why=why) as race:
            assert race.log is not None
            click.echo(said.words.say("org_started", name=race.log.name, id=race.log.log_id[:8]))

    @commands.command(help=_LINES.format(**_EXAMPLES[str(commands.name)]))
    @click.pass_obj
    def lines(said: Said) -> None:
        from companion.hall.receiving import collected
        from companion.protocol.command import converse
        from companion.protocol.records import RecordLines

        with said.open() as desk:
            converse(RecordLines(desk, said.words, said.by, collected))

    @commands.command("list")
    @click.pass_obj
    def list_all(said: Said) -> None:
        """All that were kept, the last one first."""
        from companion.sheets.reading import reading
        from companion.sheets.records import explain_missing, none_yet, records
        from companion.sheets.wall_clock import moment

        with explain_missing(said.kind), reading(said.folder) as db:
            listed = records(db, said.kind)
            if not listed:
                raise none_yet(said.kind)
            for one in listed:
                click.echo(f"{one.short}  {moment(one.begun)}  {moment(one.last)}  {one.name}")

    for kind, help_ in (
        ("entries", "The entry list."), ("standings", "The drivers' table."), ("teams", "The teams' table."),
        ("log", "What was done, by whom, when and why."),
    ):  # fmt: skip
        shows(commands, kind, help_)
    shows(commands, "classification", "The result of a table or race.", "TABLE|RACE")
    shows(commands, "table", "The sheet of a table or race, to be filled in.", "TABLE|RACE")
    shows(commands, "blank", "A sheet for a table of so many, to be filled in.", "ROWS")
    shows(commands, "driver", "A driver, race by race and in figures.", "NUMBER")


def shows(commands: click.Group, kind: str, help_: str, of: str = "") -> None:
    """A command that shows or writes a table of the record."""
    if of:

        @commands.command(name=kind, help=help_)
        @click.argument("of", metavar=of)
        @written
        @click.pass_obj
        def show_of(said: Said, of: str, form: str, out: Path | None, paper: str) -> None:
            said.show(kind, of, form=form, out=out, paper=paper)

        return

    @commands.command(name=kind, help=help_)
    @written
    @click.pass_obj
    def show(said: Said, form: str, out: Path | None, paper: str) -> None:
        said.show(kind, form=form, out=out, paper=paper)


def typed_result(said: str) -> tuple[Line, ...]:
    """A result as it is typed: numbers in the order of the classification, then out and who is not placed, each with
    the cause and, if it is known, the round: "3 1 2 out 4 engine 12, 5". Who is out and placed all the same, as in the
    league, has them after colons: "3 1 2 4:engine:12". Points by hand stand behind the number: "3 1=7 2". A bot
    of the race of cards is 0. Raises BadEntry."""
    from companion.rules.conversation.errors import BadEntry
    from companion.tournament.results import Line

    home, _, gone = re.sub(r"\b(?:ab|abandons?)\b\.?", "out", said).partition("out")
    placed = [word.partition(":")[::2] for word in home.replace(",", " ").split()]
    out = [part.strip().partition(" ")[::2] for part in gone.split(",") if part.strip()]
    lines: list[tuple[str, int | None, str]] = []
    lines += [(number, place, cause) for place, (number, cause) in enumerate(placed, 1)]
    lines += [(number, None, cause) for number, cause in out]
    found = []
    for word, at, told in lines:
        driver, by_hand, points = word.partition("=")
        if not driver.isdecimal() or (by_hand and not points.isdecimal()):
            raise BadEntry(f"{word} is no number of a driver; a result is typed such as 3 1 2 out 4 engine, 5.")
        cause = told.replace(":", " ").split()
        round_ = int(cause.pop()) if cause and cause[-1].isdecimal() else 0
        given = int(points) if points else None
        found.append(Line(int(driver), at, " ".join(cause), round=round_, points=given))
    return tuple(found)


def _kept(line: Line, known: dict[int, Line]) -> Line:
    """A corrected line with what the log said of that driver besides his place, cause and points by hand."""
    import msgspec

    old = known.get(line.driver)
    if old is None:
        return line
    cause = line.cause or (old.cause if line.place is None else "")
    same = cause == old.cause
    return msgspec.structs.replace(
        old,
        place=line.place,
        cause=cause,
        article=old.article if same else "",
        round=line.round or (old.round if same else 0),
        points=line.points,
    )


def _check(record: Organised, act: Any) -> None:
    """Refuses lines that are no result before anything is said of them."""
    from companion.tournament.results import check_lines

    filed = record.results[act.race]
    check_lines(act.lines, filed.order, record.names, len(filed.lines) - len(filed.order))


def _result(said: Said, key: str, race: str | None, file: Path | None, stick: Path | None, paper: str | None) -> Result:
    from companion.desk.organising import filed_log, kept_log, result_act
    from companion.tournament.results import Result

    if sum(one is not None for one in (race, file, paper)) != 1:
        raise click.UsageError(said.words.say("org_one_source"))
    if paper is not None:
        return Result(race=key, lines=typed_result(paper))
    log = filed_log(file) if file is not None else kept_log(stick or said.folder, race or "last")
    return result_act(key, log)


def _not_official(said: Said, keys: Sequence[str]) -> None:
    click.echo(said.words.say("org_unofficial", keys=", ".join(keys)))


def _entrant(record: Any, number: int | None, name: str, team: str, home: tuple[str, ...]) -> Entrant:
    from companion.tournament.entrants import Entrant, free_numbers
    from companion.tournament.record import one_line

    if number is None:
        number = next(iter(free_numbers(record.field.entrants)), 0)
    return Entrant(number, one_line(name), one_line(team), home)


def numbers_of(said: str) -> tuple[int, ...]:
    """Numbers with commas or blanks between; raises BadEntry."""
    from companion.rules.conversation.errors import BadEntry

    words = said.replace(",", " ").split()
    if not words or not all(word.isdecimal() for word in words):
        raise BadEntry(f"{said} are no numbers; they are written such as 14 7 3.")
    return tuple(map(int, words))


def house_rules_of(folder: Path, house: str | None, rulebook: str | None) -> HouseRules | None:
    """Return the house rules of a name, None without one; raises BadSetup where they change another rulebook."""
    if house is None:
        return None
    from companion import house_rules

    rules = house_rules.find(folder, house)
    rules.into({"rulebook": rulebook} if rulebook else {})
    return rules


def points_of(said: str) -> tuple[int, ...]:
    """A points scale, by its name or its figures; raises BadEntry."""
    from companion.tournament.standings import SCALES

    return SCALES[said] if said in SCALES else numbers_of(said)
