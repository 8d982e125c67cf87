"""Commands shared by `companion tournament` and `companion season`."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

import click

from companion.commands.groups import RecordCommands
from companion.commands.output import write_made
from companion.options import in_folder, in_language, in_memory

if TYPE_CHECKING:
    from companion.desk.organising import OrganisedDesk
    from companion.house_rules import HouseRules
    from companion.rules.conversation.errors import CompanionError
    from companion.tournament.entrants import Entrant
    from companion.tournament.organised import Organised
    from companion.tournament.record import Act, Signed
    from companion.tournament.results import Result, ResultLine
    from companion.wording import Words

F = TypeVar("F", bound=Callable[..., Any])


class RecordOptions:
    """Options typed before the command: the record's name or id, author, data folder, language.

    `memory` agrees to write a record that a power cut would erase.
    """

    def __init__(self, kind: str, word: str, by: str, folder: Path, words: Words, memory: bool) -> None:
        self.kind, self.word, self.by, self.folder = kind, word, by, folder
        self.words, self.memory = words, memory

    def open(self) -> OrganisedDesk:
        """Open the record for writing. Raises LogError."""
        from companion.desk.record_desk import RecordDesk
        from companion.sheets.records import kinds

        self.must_last()
        return RecordDesk.resume(self.folder, kinds()[self.kind], self.word)  # type: ignore[return-value]

    def must_last(self) -> None:
        """Ask once whether to continue if a power cut would erase the record.

        Raises NotSaved or SystemExit.
        """
        from companion.terminal.prompts import must_last

        must_last(self.folder, self.words, memory=self.memory)

    def act(self, make: Callable[[Any], Act]) -> None:
        """Record the act that `make` returns for the record, and confirm it."""
        with self.open() as desk:
            self.tell(desk, desk.act(make(desk.record), by=self.by))

    def tell(self, desk: OrganisedDesk, done: Signed) -> None:
        """Print what an act has done."""
        facts = {name: getattr(done.act, name) for name in done.act.__struct_fields__}
        many = next((facts[name] for name in ("entrants", "numbers", "tables") if name in facts), ())
        facts |= {"act": _tag(done.act), "count": len(many), "tables": self.kind == "tournament"}
        click.echo(self.words.say("org_done", desk.record.names, seq=done.seq, **facts))

    def ends_with(self, wrong: Sequence[CompanionError]) -> None:
        """Print the errors; exit with status 1 if there are any."""
        for one in wrong:
            click.echo(self.words.error(one), err=True)
        if wrong:
            raise SystemExit(1)

    def show(self, kind: str, of: str = "", *, form: str = "text", out: Path | None = None, paper: str = "A4") -> None:
        """Write one of the record's tables, in a format, to a file or standard output."""
        write_made(out, self.render(kind, of, form, paper), self.words)

    def render(self, kind: str, of: str, form: str, paper: str) -> bytes:
        """Return one of the record's tables in a format."""
        from companion.printing.forms import listing_in_form
        from companion.view.events.listings import kept_listing

        listing, at = kept_listing(self.folder, self.word, self.kind, kind, of, self.words)
        return listing_in_form(form, listing, self.words.lang, letter=paper == "letter", at=at)


def _tag(act: Act) -> str:
    return str(act.__struct_config__.tag)


SECTIONS: Final = {
    "Begin": "new list",
    "Entrants": "import enter edit remove checkin withdraw",
    "Calendar": "move abandon revive",
    "Trials": "time times weather",
    "Tables": "seed swap prices seat publish steward",
    "Grid": "grid missing substitute",
    "Races": "setup start collect result confirm correct",
    "Show": "entries trials tables table calendar classification standings teams driver circuits log",
    "Print": "trialsheet form",
    "Record": "undo note verify lines",
}
"""Commands of tournaments and seasons, in the order of an event."""
OLD: Final = {
    "entrants": "import", "change": "edit", "blank": "form", "check": "verify",
}  # fmt: skip
"""Names of version 0.1, to be removed in 0.3."""


def group(kind: str, help_: str, old: Mapping[str, str] = OLD) -> click.Group:
    """Return the group of commands of a kind of record."""

    @click.group(name=kind, help=help_, cls=RecordCommands, sections=SECTIONS, old=old)
    @click.option("--name", "word", default="last", show_default=True, help="Name or id of the one that is meant.")
    @click.option("--by", default="race control", show_default=True, help="Who acts, for the log.")
    @in_memory
    @in_folder
    @in_language
    @click.pass_context
    def commands(ctx: click.Context, word: str, by: str, memory: bool, folder: Path, words: Words) -> None:
        ctx.obj = RecordOptions(kind, word, by, folder, words, memory)

    return commands


def table_options(command: F) -> F:
    """Add the options of a command that writes a table."""
    form = click.option(
        "--form",
        type=click.Choice(["text", "csv", "json", "html", "pdf"]),
        default="text",
        show_default=True,
        help="Format.",
    )
    out = click.option(
        "--out", type=click.Path(path_type=Path, dir_okay=False), help="Write to this file (default: standard output)."
    )
    paper = click.option(
        "--paper", type=click.Choice(["A4", "letter"]), default="A4", show_default=True, help="Size of the paper."
    )
    return form(out(paper(command)))


_LINES: Final = """Read and write JSON lines, for other programs.

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
"""Examples of lines in a tournament, and in a season."""


def common(commands: click.Group) -> None:
    """Add the commands that tournaments and seasons share."""

    @commands.command("import")
    @click.argument("file", type=click.Path(path_type=Path, allow_dash=True))
    @click.pass_obj
    def import_entrants(said: RecordOptions, file: Path) -> None:
        """Enter all drivers listed in FILE, or - for input.

        If a line is wrong, nobody is entered.

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
    @click.option("--number", type=int, help="Number (default: the lowest free one).")
    @click.option("--team", default="", help="Team or club.")
    @click.option("--home", multiple=True, metavar="TRACK", help="Home track; repeat it for several.")
    @click.pass_obj
    def enter(said: RecordOptions, name: str, number: int | None, team: str, home: tuple[str, ...]) -> None:
        """Enter one driver."""
        from companion.tournament.entrants import Entered

        with said.open() as desk:
            entrant = _entrant(desk.record, number, name, team, home)
            desk.act(Entered(entrants=(entrant,)), by=said.by)
            click.echo(said.words.say("org_one_entered", name=entrant.name, number=entrant.number))

    @commands.command()
    @click.argument("number", type=int)
    @click.option("--to", type=int, help="New number, before anybody has driven.")
    @click.option("--driver", help="New name.")
    @click.option("--team", help="New team.")
    @click.pass_obj
    def edit(said: RecordOptions, number: int, to: int | None, driver: str | None, team: str | None) -> None:
        """Edit an entrant."""
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
    def remove(said: RecordOptions, number: int) -> None:
        """Remove an entrant, before anybody has driven."""
        from companion.tournament.entrants import Removed

        said.act(lambda _: Removed(number=number))

    @commands.command()
    @click.argument("number", type=int)
    @click.option("--why", default="", help="The reason.")
    @click.pass_obj
    def withdraw(said: RecordOptions, number: int, why: str) -> None:
        """Withdraw an entrant."""
        from companion.tournament.entrants import Withdrawn

        said.act(lambda _: Withdrawn(number=number, why=why))

    @commands.command()
    @click.argument("key", metavar="TABLE|RACE")
    @click.option("--race", help="A stored race: its name, id, or last.")
    @click.option(
        "--file", type=click.Path(path_type=Path, exists=True), help="A file that companion races export --json wrote."
    )
    @click.option(
        "--stick", type=click.Path(path_type=Path, file_okay=False), help="The folder of the stick that holds --race."
    )
    @click.option(
        "--paper",
        help='Typed from paper: "3 1 2 out 4 engine 12, 5": the finishers, then who is out, with cause and round, who '
        "came furthest first. A rulebook that places retired drivers, such as the league's, gives them their points.",
    )
    @click.pass_obj
    def result(
        said: RecordOptions, key: str, race: str | None, file: Path | None, stick: Path | None, paper: str | None
    ) -> None:
        """Enter a result from a log, a file or paper."""
        with said.open() as desk:
            act = _result(said, key, race, file, stick, paper)
            said.tell(desk, desk.act(act, by=said.by))
            _not_official(said, [key])

    @commands.command()
    @click.option(
        "--stick", type=click.Path(path_type=Path, file_okay=False), help="Collect from the folder of a stick."
    )
    @click.pass_obj
    def collect(said: RecordOptions, stick: Path | None) -> None:
        """Collect the results of all races that are over.

        These are races that were started from here, also at the tables of a hall.
        """
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
    def confirm(said: RecordOptions, key: str) -> None:
        """Make a result official, by a second person."""
        from companion.tournament.results import Confirmed

        said.act(lambda _: Confirmed(race=key))

    @commands.command()
    @click.argument("key", metavar="TABLE|RACE")
    @click.option("--paper", required=True, help='The right result: "3 1=7 2 out 4 engine, 5"; =7 sets points by hand.')
    @click.option("--why", default="", help="The reason.")
    @click.option("--show", is_flag=True, help="Only show whose place would change.")
    @click.pass_obj
    def correct(said: RecordOptions, key: str, paper: str, why: str, show: bool) -> None:
        """Correct a result, with a reason."""
        from companion.tournament.results import ResultCorrected, points_changes
        from companion.tournament.season import Season
        from companion.tournament.standings import climbed
        from companion.tournament.tournament import Tournament

        with said.open() as desk:
            record = desk.record
            before = record.results[key].lines
            known = {line.driver: line for line in before}
            bots = iter([line for line in before if not line.driver])
            lines = [
                _merge_facts(line, known if line.driver else {0: next(bots, line)}) for line in typed_result(paper)
            ]
            act = record.completed(ResultCorrected(race=key, lines=tuple(lines), why=why))
            assert isinstance(act, ResultCorrected)
            _check(record, act)
            for move in record.changes(act):
                name = f"{move.driver} {record.names[move.driver]}"
                click.echo(said.words.say("org_changes", driver=name, was=move.was or 0, now=move.now or 0))
            scored = [{line.driver: line.scored(record.scale(key)) for line in of} for of in (before, act.lines)]
            for driver in (move.driver for move in points_changes(before, act.lines)):
                name = f"{driver} {record.names[driver]}"
                click.echo(said.words.say("org_gives", driver=name, was=scored[0][driver], now=scored[1][driver]))
            # what would follow is told without a reason too
            tried = ResultCorrected(race=key, lines=act.lines, why=why or "?")
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
                said.tell(desk, desk.act(act, by=said.by))
                _not_official(said, [key])

    @commands.command()
    @click.option("--why", default="", help="The reason.")
    @click.pass_obj
    def undo(said: RecordOptions, why: str) -> None:
        """Undo the last act.

        What is published or official cannot be undone: correct it.
        """
        with said.open() as desk:
            taken = desk.undo(by=said.by, why=why)
            click.echo(said.words.say("org_undone", seq=taken.seq, act=_tag(taken.act)))

    @commands.command()
    @click.argument("text")
    @click.pass_obj
    def note(said: RecordOptions, text: str) -> None:
        """Add a note to the log."""
        from companion.tournament.record import Noted

        said.act(lambda _: Noted(text=text))

    @commands.command()
    @click.pass_obj
    def verify(said: RecordOptions) -> None:
        """Verify the log, and those that results came from."""
        from companion.desk.organising import check_references
        from companion.sheets.records import kept_record

        kept = kept_record(said.folder, said.word, said.kind)
        wrong = check_references(said.folder, kept.record)  # type: ignore[arg-type]  # of a kind that has results
        click.echo(said.words.say("org_checked", name=kept.record.name, count=len(kept.record.log), digest=kept.digest))
        said.ends_with(wrong)

    @commands.command()
    @click.argument("key", metavar="TABLE|RACE")
    @click.option(
        "--out", type=click.Path(path_type=Path, dir_okay=False), help="Write to this file (default: standard output)."
    )
    @click.option("--why", default="", help="The reason, if the seats no longer follow from what they were dealt by.")
    @click.pass_obj
    def setup(said: RecordOptions, key: str, out: Path | None, why: str) -> None:
        """Write the setup of a race as a file.

        companion race --setup begins it, collect takes its result when it is over.
        """
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
    @click.option("--why", default="", help="The reason, if the seats no longer follow from what they were dealt by.")
    @click.pass_obj
    def start(said: RecordOptions, key: str, why: str) -> None:
        """Start the race of a table or of the season.

        collect takes its result when it is over.
        """
        from companion.desk.organising import start_race

        with said.open() as desk, start_race(desk, key, by=said.by, why=why) as race:
            assert race.log is not None
            click.echo(said.words.say("org_started", name=race.log.name, id=race.log.log_id[:8]))

    @commands.command(help=_LINES.format(**_EXAMPLES[str(commands.name)]))
    @click.pass_obj
    def lines(said: RecordOptions) -> None:
        from companion.hall.receiving import collected
        from companion.protocol.command import converse
        from companion.protocol.records import RecordLines

        with said.open() as desk:
            converse(RecordLines(desk, said.words, said.by, collected))

    @commands.command("list")
    @click.pass_obj
    def list_all(said: RecordOptions) -> None:
        """List all, the last one first."""
        from companion.sheets.reading import reading
        from companion.sheets.records import explain_missing, none_yet, records
        from companion.sheets.wall_clock import moment
        from companion.terminal.lines import window

        with explain_missing(said.kind), reading(said.folder) as db:
            listed = records(db, said.kind)
            if not listed:
                raise none_yet(said.kind)
            width, _ = window()
            for one in listed:
                dates = f"{moment(one.begun)}  {moment(one.last)}"
                line = f"{one.short}  {dates}  {one.name}"
                click.echo(line if len(line) <= width else f"{one.short}  {one.name}\n  {dates}")

    for kind, help_ in (
        ("entries", "Show the entry list."), ("standings", "Show the drivers' standings."),
        ("teams", "Show the teams' standings."),
        ("log", "Show what was done, by whom, when and why."),
    ):  # fmt: skip
        shows(commands, kind, help_)
    shows(commands, "classification", "Show the result of a table or race.", "TABLE|RACE")
    shows(commands, "table", "Show one table, or print its sheet to fill in.", "TABLE|RACE")
    shows(commands, "blank", "Print an empty sheet with ROWS rows.", "ROWS", name="form")
    shows(commands, "driver", "Show a driver, race by race and in figures.", "NUMBER")


def shows(commands: click.Group, kind: str, help_: str, of: str = "", *, name: str = "") -> None:
    """Add a command that shows or writes a table of the record."""
    if of:

        @commands.command(name=name or kind, help=help_)
        @click.argument("of", metavar=of)
        @table_options
        @click.pass_obj
        def show_of(said: RecordOptions, of: str, form: str, out: Path | None, paper: str) -> None:
            said.show(kind, of, form=form, out=out, paper=paper)

        return

    @commands.command(name=kind, help=help_)
    @table_options
    @click.pass_obj
    def show(said: RecordOptions, form: str, out: Path | None, paper: str) -> None:
        said.show(kind, form=form, out=out, paper=paper)


def typed_result(said: str) -> tuple[ResultLine, ...]:
    """Parse a typed result, such as "3 1 2 out 4 engine 12, 5".

    The numbers are in the order of the classification; after `out` come unplaced drivers, each with the cause and, if
    known, the round. A driver who is out but placed, as in the league, has both after colons: "3 1 2 4:engine:12".
    Points by hand follow the number: "3 1=7 2". A bot of the race of cards is 0. Raises BadEntry.
    """
    from companion.rules.conversation.errors import BadEntry
    from companion.tournament.results import ResultLine

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
            raise BadEntry("driver_number_wanted", word=word)
        cause = told.replace(":", " ").split()
        round_ = int(cause.pop()) if cause and cause[-1].isdecimal() else 0
        given = int(points) if points else None
        found.append(ResultLine(int(driver), at, " ".join(cause), round=round_, points=given))
    return tuple(found)


def _merge_facts(line: ResultLine, known: dict[int, ResultLine]) -> ResultLine:
    """Return a corrected line with the log's other facts about its driver.

    Place and points are the correction's; the article stays if the cause does.
    """
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
    """Raise BadEntry for lines that are no result, before anything is printed about them."""
    from companion.tournament.results import check_lines

    filed = record.results[act.race]
    check_lines(act.lines, filed.order, record.names, len(filed.lines) - len(filed.order))


def _result(
    said: RecordOptions, key: str, race: str | None, file: Path | None, stick: Path | None, paper: str | None
) -> Result:
    from companion.desk.organising import filed_log, kept_log, result_act
    from companion.tournament.results import Result

    if sum(one is not None for one in (race, file, paper)) != 1:
        raise click.UsageError(said.words.say("org_one_source"))
    if paper is not None:
        return Result(race=key, lines=typed_result(paper))
    log = filed_log(file) if file is not None else kept_log(stick or said.folder, race or "last")
    return result_act(key, log)


def _not_official(said: RecordOptions, keys: Sequence[str]) -> None:
    click.echo(said.words.say("org_unofficial", keys=", ".join(keys)))


def _entrant(record: Any, number: int | None, name: str, team: str, home: tuple[str, ...]) -> Entrant:
    from companion.tournament.entrants import Entrant, free_numbers
    from companion.tournament.record import one_line

    if number is None:
        number = next(iter(free_numbers(record.field.entrants)), 0)
    return Entrant(number, one_line(name), one_line(team), home)


def numbers_of(said: str) -> tuple[int, ...]:
    """Return numbers separated by commas or blanks. Raises BadEntry."""
    from companion.rules.conversation.errors import BadEntry

    words = said.replace(",", " ").split()
    if not words or not all(word.isdecimal() for word in words):
        raise BadEntry("numbers_wanted", said=next((word for word in words if not word.isdecimal()), said))
    return tuple(map(int, words))


def house_rules_of(folder: Path, house: str | None, rulebook: str | None) -> HouseRules | None:
    """Return the house rules of a name; None without one.

    Raises BadSetup if they change another rulebook.
    """
    if house is None:
        return None
    from companion import house_rules

    rules = house_rules.find(folder, house)
    rules.into({"rulebook": rulebook} if rulebook else {})
    return rules


def points_of(said: str) -> tuple[int, ...]:
    """Return a points scale by its name or its figures. Raises BadEntry."""
    from companion.tournament.standings import SCALES

    return SCALES[said] if said in SCALES else numbers_of(said)
