"""`companion hall`: race control's ledger of every table's log, and its own words to the tables."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import TYPE_CHECKING

import click

from companion.options import in_folder, in_language

if TYPE_CHECKING:
    from companion.hall.ledger import Ledger
    from companion.hall.members import Members
    from companion.tournament.record import Act
    from companion.wording import Words


class Said:
    """What was said before the command: who speaks, where the data lie, and the language."""

    def __init__(self, by: str, folder: Path, words: Words) -> None:
        self.by, self.folder, self.words = by, folder, words

    def ledger(self) -> Ledger:
        """The ledger of that data folder. Raises LogError, NotSaved."""
        from companion.hall.ledger import FOLDER, Ledger

        return Ledger(self.folder / FOLDER)

    def members(self) -> Members:
        """Who is in that folder's hall. Raises LogError."""
        from companion.hall.broker import FOLDER
        from companion.hall.members import Members

        return Members(self.folder / FOLDER)

    def speak(self, word: Act) -> None:
        """Race control says something to the tables. Raises CompanionError."""
        from companion.desk.record_desk import RecordDesk
        from companion.terminal.prompts import must_last
        from companion.tournament.control import Control

        must_last(self.folder, self.words)
        with RecordDesk.resume(self.folder, Control) as desk:
            done = desk.act(word, by=self.by)
        click.echo(self.words.say("hall_said", seq=done.seq))


@click.group(invoke_without_command=True)
@click.option("--by", default="race control", metavar="NAME", help="Who speaks, as the log will say.")
@in_folder
@in_language
@click.pass_context
def hall(ctx: click.Context, by: str, folder: Path, words: Words) -> None:
    """Race control: its copies of the tables' logs, and what it says to the tables.

    Without a command it opens the hall, as serve does. The copies lie in the folder "hall" of the data folder, as races
    like any others: companion --data DATA/hall reads them.
    """
    ctx.obj = Said(by, folder, words)
    if ctx.invoked_subcommand is None:
        ctx.invoke(serve)


@hall.command()
@click.option("--name", default="", help="What the hall is called.")
@click.option("--on", "host", default="0.0.0.0", metavar="ADDRESS", show_default=True, help="The address to answer at.")
@click.option("--nats", default=4222, show_default=True, type=click.IntRange(1, 65535), help="The port of the broker.")
@click.option("--port", default=8019, show_default=True, type=click.IntRange(0, 65535), help="The port of the pages.")
@click.option("--encrypted", is_flag=True, help="Encrypt what tables send: those that join from now on keep the key.")
@click.option(
    "--halls",
    default=0,
    show_default=True,
    type=click.IntRange(0, 65535),
    help="The port at which other halls come into this one, a championship (0: none).",
)
@click.option("--api", is_flag=True, help="Other programs may follow each table's race, at /api/v1: it is read only.")
@click.pass_obj
def serve(said: Said, name: str, host: str, nats: int, port: int, encrypted: bool, halls: int, api: bool) -> None:
    """Open the hall until you stop it with Ctrl+C: a broker of its own, the ledger, the pages.

    It prints the address of the wall, and that of race control's page with your own code in it: who has that address
    speaks for race control.
    """
    import time

    from companion.hall.broker import SAFE, program
    from companion.hall.found import Said as Announced
    from companion.hall.running import RaceControl
    from companion.web.networks import addresses

    words, (_, version) = said.words, program()
    control = RaceControl(
        said.folder, name=name, host=host, port=nats, pages=port, encrypted=encrypted, halls=halls, api=api
    )
    ending = _heard_signals()
    try:
        control.begin()
        own = addresses() if host == "0.0.0.0" else [host]
        at = f"http://{next(iter(own), '127.0.0.1')}:{control.pages}/"
        if version < SAFE:
            click.echo(words.say("hall_old_nats", version=_dotted(version), safe=_dotted(SAFE)), err=True)
        click.echo(words.say("hall_wall", address=at))
        click.echo(words.say("hall_control", address=f"{at}control#{control.members.speaker(said.by)}"))
        if api:
            click.echo(words.say("phones_api", address=f"{at}api/v1/tables"))
        with Announced(control.members.hall, own, control.pages):
            while not ending:
                time.sleep(0.2)
    finally:
        control.end()
    raise KeyboardInterrupt


def _heard_signals() -> list[int]:
    """Return a list that gets every signal to end from now on. None interrupts anything: the broker is a process of its
    own, and would be left behind by a hall that is cut short while it starts or ends it."""
    import signal

    heard: list[int] = []
    for one in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(one) is not signal.SIG_IGN:  # as nohup has it
            signal.signal(one, lambda number, _: heard.append(number))
    return heard


def _dotted(version: tuple[int, ...]) -> str:
    return ".".join(map(str, version))


@hall.command()
@click.argument("table")
@click.pass_obj
def code(said: Said, table: str) -> None:
    """Make a code by which a machine joins as TABLE, once; whichever was that table before is replaced."""
    click.echo(said.words.say("hall_code", table=table, code=said.members().code(table)))


@hall.command()
@click.argument("name")
@click.pass_obj
def speaker(said: Said, name: str) -> None:
    """Give NAME a code of his own, with which he speaks for race control; the one that he had is void."""
    made = said.members().speaker(name)
    click.echo(said.words.say("hall_speaker", name=name, address=f"/control#{made}"))


@hall.command()
@click.argument("table")
@click.pass_obj
def revoke(said: Said, table: str) -> None:
    """Shut TABLE out of the hall; what race control has of it stays."""
    from companion.hall.members import table_name
    from companion.rules.conversation.errors import LogError

    members, table = said.members(), table_name(table)
    for one, member in members.all().items():
        if member.name == table:
            members.revoke(one)
            click.echo(said.words.say("hall_revoked", table=table))
            return
    raise LogError(f"There is no table {table} in this hall.", "no_table", table=table)


@hall.command()
@click.argument("code")
@click.option("--at", default="", metavar="ADDRESS", help="Race control's address (default: the one that is heard).")
@click.option("--port", default=8019, show_default=True, type=click.IntRange(1, 65535), help="The port of its pages.")
@click.pass_obj
def join(said: Said, code: str, at: str, port: int) -> None:
    """Join a hall by the CODE that race control shows: this machine is its table from then on."""
    from companion.hall import joining
    from companion.hall.found import found
    from companion.hall.joining import NotJoined

    if not at:
        halls = found()
        if not halls:
            raise NotJoined("No hall is heard here; name its address with --at.")
        if len(halls) > 1:
            heard = ", ".join(f"{one.hall} {one.host}" for one in halls)
            raise NotJoined(f"Several halls are heard here ({heard}); name the address of one with --at.")
        at, port = halls[0].host, halls[0].port
    place = joining.join(said.folder, at, port, code, said.words.lang)
    click.echo(said.words.say("hall_joined", table=place.table, hall=place.hall or at))


@hall.command()
@click.option(
    "--from", "path", type=click.Path(path_type=Path, dir_okay=False), help="A file of its log, in place of it."
)
@click.pass_obj
def succeed(said: Said, path: Path | None) -> None:
    """Go on with the race of a machine that is dead and left no copy, as far as race control has it.

    This machine has joined in the same name. It begins a new log, which says whose successor it is.
    """
    from companion.hall.carrier import Carrier
    from companion.hall.joined import joined
    from companion.hall.succeeding import succeed
    from companion.sheets.lines import filed

    if path is not None:
        log = filed(path)
    elif (place := joined(said.folder)) is not None:
        log = Carrier(said.folder, place).fetch()
    else:
        click.echo(said.words.say("hall_none"), err=True)
        raise SystemExit(1)
    with succeed(said.folder, log) as race:
        assert race.log is not None
        click.echo(said.words.say("hall_succeeded", name=race.log.name, log=log[0].log_id[:8], seq=log[-1].seq))


@hall.command()
@click.pass_obj
def leave(said: Said) -> None:
    """Leave the hall: what this machine races stays here."""
    from companion.hall import joined
    from companion.hall.carrier import Carrier
    from companion.rules.conversation.errors import LogError

    with contextlib.suppress(LogError):  # a file that names no hall goes all the same
        if (place := joined.joined(said.folder)) is None:
            click.echo(said.words.say("hall_none"))
            return
        Carrier(said.folder, place).leave()
    joined.leave(said.folder)
    click.echo(said.words.say("hall_left"))


@hall.command()
@click.pass_obj
def carry(said: Said) -> None:
    """Send what is raced on this machine to race control, until you stop it with Ctrl+C.

    The touchscreen does this by itself; this is for a table without one.
    """
    import time

    from companion.hall.carrier import Carrier
    from companion.hall.joined import joined

    if (place := joined(said.folder)) is None:
        click.echo(said.words.say("hall_none"), err=True)
        raise SystemExit(1)
    carrier, told = Carrier(said.folder, place), ""
    carrier.begin()
    try:
        while True:
            stand = carrier.stand
            line = said.words.say("hall_stand", line=stand.line, behind=stand.behind)
            if stand.why:
                line += f" {said.words.translated(stand.why)}"
            if line != told:
                click.echo(line)
            told = line
            time.sleep(1)
    finally:
        carrier.end()


@hall.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE...", type=click.Path(path_type=Path, dir_okay=False))
@click.option("--table", default="", help="Whose they are; the logs are then only that table's to send.")
@click.pass_obj
def ingest(said: Said, files: tuple[Path, ...], table: str) -> None:
    """Bring in logs from FILES, as companion export --json writes them or as they lie in a copy of all races.

    What is here already is compared, and what is new is added. Exit status 1 if anything is wrong with one of them.
    """
    from companion.rules.conversation.errors import CompanionError
    from companion.sheets.lines import filed

    words, bad = said.words, False
    with said.ledger() as ledger:
        for path in files:
            try:
                answer = ledger.take(filed(path), table)
            except CompanionError as wrong:
                why = words.error(wrong)
                click.echo(why if why.startswith(str(path)) else f"{path}: {why}", err=True)
                bad = True
                continue
            if answer.why:
                click.echo(f"{path}: {words.translated(answer.why)}", err=True)
                bad = True
            else:
                click.echo(words.say("hall_ingested", path=str(path), new=answer.new, head=answer.head.seq))
    if bad:
        raise SystemExit(1)


@hall.command()
@click.pass_obj
def tables(said: Said) -> None:
    """List the logs, with the number and the first signs of the hash that each table's own screen shows for its end."""
    from companion.sheets.wall_clock import moment
    from companion.terminal.screen import Screen

    words, screen = said.words, Screen(said.words)
    with said.ledger() as ledger:
        logs = ledger.logs()
    if not logs:
        click.echo(words.say("hall_empty"))
        return
    heads = [
        words.say("hall_table"),
        words.say("hall_log"),
        words.say("hall_entries"),
        words.say("hall_hash"),
        words.say("hall_written"),
    ]
    rows = [
        [log.sender or "-", f"{log.log_id[:8]} {log.name}", str(log.head.seq), log.head.hash[:6], moment(log.at)]
        for log in logs
    ]
    wide = [max(len(row[at]) for row in (heads, *rows)) for at in range(len(heads))]

    def line(row: list[str]) -> str:
        return "  ".join(f"{cell:<{width}}" for cell, width in zip(row, wide, strict=True)).rstrip()

    screen.line((line(heads), "bold"))
    for log, row in zip(logs, rows, strict=True):
        screen.line(line(row) + (f"  {words.say('hall_second')}" if log.second else ""))


@hall.command()
@click.pass_obj
def alarms(said: Said) -> None:
    """List second histories, and what was refused of which table. Exit status 1 if there is anything."""
    from companion.sheets.wall_clock import moment

    words = said.words
    with said.ledger() as ledger:
        found = ledger.alarms()
    for alarm in found:
        why, at = words.translated(alarm.why), moment(alarm.at)
        click.echo(words.say("hall_alarm", at=at, table=alarm.sender or "-", why=why, times=alarm.times))
    if found:
        raise SystemExit(1)
    click.echo(words.say("hall_no_alarm"))


@hall.command()
@click.argument("name")
@click.pass_obj
def open(said: Said, name: str) -> None:
    """Begin race control's day, called NAME."""
    from companion.desk.record_desk import RecordDesk
    from companion.terminal.prompts import must_last
    from companion.tournament.control import Control, Opened

    must_last(said.folder, said.words)
    with RecordDesk.begin(said.folder, Control, Opened(name=name), by=said.by) as desk:
        click.echo(said.words.say("hall_said", seq=desk.record.log[-1].seq))


@hall.command()
@click.argument("table")
@click.argument("race")
@click.option("--why", default="", help="The reason, where what its tables were dealt from has changed.")
@click.pass_obj
def go(said: Said, table: str, race: str, why: str) -> None:
    """Let TABLE begin RACE: the table of a tournament such as 1.3, or the number of a season's race.

    It is told who drives, the grid, the weather that was drawn, the circuit and the laps; its result comes back by
    itself.
    """
    from companion.hall.starting import start

    said.speak(start(said.folder, table, race, by=said.by, why=why))


@hall.command()
@click.argument("tables", nargs=-1, metavar="[TABLE...]")
@click.pass_obj
def trials(said: Said, tables: tuple[str, ...]) -> None:
    """Let TABLES, or else all tables of the hall, hold the trials of the tournament: each has its part of the drivers
    who have come, in turn by number, and all have the same sky. Their times come back by themselves.

    Said again, it seats who has come since, and tells the skies that were drawn since.
    """
    from companion.hall.members import table_name
    from companion.hall.timing import trials as words_of

    for word in words_of(said.folder, [table_name(one) for one in tables] or said.members().names()):
        said.speak(word)


@hall.command("start")
@click.pass_obj
def start_here(said: Said) -> None:
    """Begin the race, or begin or go on with the trials, that race control has given to this table; what they come to
    goes there by itself."""
    from companion.hall.starting import begin, sent
    from companion.hall.timing import given, hold
    from companion.terminal.prompts import must_last

    must_last(said.folder, said.words)
    if sent(said.folder) is None and given(said.folder) is not None:
        with hold(said.folder, said.by) as held:
            click.echo(said.words.say("hall_trials", name=held.record.name, id=held.desk.log_id[:8]))
        return
    with begin(said.folder) as race:
        assert race.log is not None
        click.echo(said.words.say("org_started", name=race.log.name, id=race.log.log_id[:8]))


@hall.command()
@click.argument("text")
@click.option("--table", default="", help="For one table; else for all.")
@click.pass_obj
def message(said: Said, text: str, table: str) -> None:
    """Say TEXT to the tables."""
    from companion.tournament.control import Message

    said.speak(Message(table=table, text=text))


@hall.command()
@click.argument("allowed", metavar="on|off", type=click.Choice(["on", "off"]))
@click.option("--table", default="", help="For one table; else for all.")
@click.pass_obj
def feed(said: Said, allowed: str, table: str) -> None:
    """Allow the tables to offer the live feed of their races in the tournament, or forbid it again."""
    from companion.tournament.control import FeedAllowed

    said.speak(FeedAllowed(table=table, allowed=allowed == "on"))


@hall.command()
@click.argument("log")
@click.argument("car", type=int)
@click.argument("text")
@click.option("--why", required=True, help="The reason.")
@click.pass_obj
def penalty(said: Said, log: str, car: int, text: str, why: str) -> None:
    """Impose TEXT on CAR of the race whose log begins with LOG."""
    from companion.tournament.control import Penalty

    with said.ledger() as ledger:
        known = ledger.find(log)
    said.speak(Penalty(table=known.sender, log_id=known.log_id, car=car, text=text, why=why))


@hall.command()
@click.argument("log")
@click.pass_obj
def confirm(said: Said, log: str) -> None:
    """Confirm the result of the race whose log begins with LOG, as it stands here. It takes two people."""
    from companion.tournament.control import Result

    with said.ledger() as ledger:
        known = ledger.find(log)
    said.speak(Result(table=known.sender, log_id=known.log_id, seq=known.head.seq, hash=known.head.hash))


@hall.command()
@click.option("--table", default="", help="Only what one table is told.")
@click.pass_obj
def words(said: Said, table: str) -> None:
    """List what race control has said."""
    import msgspec

    from companion.sheets.records import last_record
    from companion.sheets.wall_clock import moment
    from companion.tournament.control import Control, Trialled, Word

    record = last_record(said.folder, Control)
    for one in record.words(table) if table else record.signed[1:]:
        if isinstance(one.act, Word):
            facts = {"act": one.act.__struct_config__.tag, "log_id": "", **msgspec.structs.asdict(one.act)}
            facts |= {"at": moment(one.at), "by": one.by, "log": str(facts["log_id"])[:8]}
            facts["count"] = len(one.act.opened.drivers) if isinstance(one.act, Trialled) else 0
            click.echo(said.words.say("hall_word", **facts))
