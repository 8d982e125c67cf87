"""The `companion hall` command: race control of many tables, and a table's part in it."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import TYPE_CHECKING

import click

from companion.commands.groups import RecordCommands
from companion.options import in_folder, in_language

if TYPE_CHECKING:
    from companion.hall.ledger import Ledger
    from companion.hall.members import Members
    from companion.tournament.record import Act, Signed
    from companion.wording import Words


class HallOptions:
    """Options typed before the command: author, data folder and language."""

    def __init__(self, by: str, folder: Path, words: Words) -> None:
        self.by, self.folder, self.words = by, folder, words

    def ledger(self) -> Ledger:
        """Return the ledger of the data folder. Raises LogError or NotSaved."""
        from companion.hall.ledger import Ledger
        from companion.sheets.place import LEDGER

        return Ledger(self.folder / LEDGER)

    def members(self) -> Members:
        """Return the members of the data folder's hall. Raises LogError."""
        from companion.hall.broker import FOLDER
        from companion.hall.members import Members

        return Members(self.folder / FOLDER)

    def speak(self, word: Act) -> None:
        """Record an act of race control for the tables. Raises CompanionError."""
        from companion.desk.record_desk import RecordDesk
        from companion.terminal.prompts import must_last
        from companion.tournament.control import Control

        must_last(self.folder, self.words)
        with RecordDesk.resume(self.folder, Control) as desk:
            done = desk.act(word, by=self.by)
        click.echo(self.sentence(done))

    def open_day(self, name: str) -> None:
        """Begin a day of race control. Raises CompanionError."""
        from companion.desk.record_desk import RecordDesk
        from companion.terminal.prompts import must_last
        from companion.tournament.control import Control, DayOpened

        must_last(self.folder, self.words)
        RecordDesk.begin(self.folder, Control, DayOpened(name=name), by=self.by).close()

    def has_day(self) -> bool:
        """Return True if race control has a day here, or would have it elsewhere because this table is in a hall."""
        from companion.hall.membership import in_hall
        from companion.rules.conversation.errors import LogError
        from companion.sheets.reading import reading
        from companion.sheets.records import records
        from companion.tournament.control import Control

        if in_hall(self.folder) is not None:
            return True
        with contextlib.suppress(LogError), reading(self.folder) as db:
            return bool(records(db, Control.KIND))
        return False

    def sentence(self, done: Signed) -> str:
        """Return an act of race control as a sentence, with its time and its author."""
        import msgspec

        from companion.sheets.wall_clock import moment
        from companion.tournament.control import Trialled

        facts = {"act": done.act.__struct_config__.tag, "log_id": "", **msgspec.structs.asdict(done.act)}
        facts |= {"at": moment(done.at), "by": done.by, "log": str(facts["log_id"])[:8]}
        facts["count"] = len(done.act.opened.drivers) if isinstance(done.act, Trialled) else 0
        return self.words.say("hall_word", **facts)


@click.group(
    cls=RecordCommands,
    sections={
        "Hall": "serve new official code revoke",
        "Tables": "assign trials message penalty confirm feed log",
        "Copies": "tables alarms import",
        "At a table": "join start carry takeover leave",
    },
    old={
        "open": "new",
        "speaker": "official",
        "go": "assign",
        "words": "log",
        "ingest": "import",
        "succeed": "takeover",
    },
    invoke_without_command=True,
)
@click.option("--by", default="race control", metavar="NAME", help="Who acts, for the log.")
@in_folder
@in_language
@click.pass_context
def hall(ctx: click.Context, by: str, folder: Path, words: Words) -> None:
    """Run race control of many tables, or take part as a table.

    Without a command, serve. The copies of the tables' logs are in the folder "hall" of the data folder, and are races
    like others: companion --data DATA/hall races list.
    """
    ctx.obj = HallOptions(by, folder, words)
    if ctx.invoked_subcommand is None:
        ctx.invoke(serve)


@hall.command()
@click.option("--name", default="", help="Name of the hall.")
@click.option("--on", "host", default="0.0.0.0", metavar="ADDRESS", show_default=True, help="Listen at this address.")
@click.option("--nats", default=4222, show_default=True, type=click.IntRange(1, 65535), help="Port of the broker.")
@click.option("--port", default=8019, show_default=True, type=click.IntRange(0, 65535), help="Port of the pages.")
@click.option("--encrypted", is_flag=True, help="Encrypt what tables send, if they join from now on.")
@click.option(
    "--halls",
    default=0,
    show_default=True,
    type=click.IntRange(0, 65535),
    help="Port at which other halls join this championship; 0: none.",
)
@click.option("--api", is_flag=True, help="Let other programs read each table's race, at /api/v1.")
@click.pass_obj
def serve(
    said: HallOptions, name: str, host: str, nats: int, port: int, encrypted: bool, halls: int, api: bool
) -> None:
    """Serve the hall until Ctrl+C: broker, ledger, pages.

    It prints the address of the wall, and the address of race control's page with your code in it: anyone
    with that address speaks for race control.
    """
    import time

    from companion.hall.broker import SAFE, program
    from companion.hall.discovery import NetworkAnnouncement
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
        with NetworkAnnouncement(control.members.hall, own, control.pages):
            while not ending:
                time.sleep(0.2)
    finally:
        control.end()
    raise KeyboardInterrupt


def _heard_signals() -> list[int]:
    """Return a list that collects the signals to end from now on.

    They no longer interrupt anything: the broker is a separate process, and would outlive a hall cut short while
    starting or stopping it.
    """
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
def code(said: HallOptions, table: str) -> None:
    """Make a code with which a machine joins as TABLE.

    It works once, and the machine replaces the one that was that table before.
    """
    from companion.hall.members import table_name
    from companion.wording import Words

    words, members, table = Words(said.words.lang), said.members(), table_name(table)
    replaces = table in members.names()
    click.echo(words.say("hall_code", table=table, code=members.code(table)))  # no folder of this machine in it
    if replaces:
        click.echo(words.say("hall_code_replaces", table=table))


@hall.command()
@click.argument("name")
@click.pass_obj
def official(said: HallOptions, name: str) -> None:
    """Make a code with which NAME speaks for race control.

    An older code of that person no longer works.
    """
    made = said.members().speaker(name)
    click.echo(said.words.say("hall_speaker", name=name, address=f"/control#{made}"))


@hall.command()
@click.argument("table")
@click.pass_obj
def revoke(said: HallOptions, table: str) -> None:
    """Shut TABLE out of the hall.

    What race control has of it stays.
    """
    from companion.hall.members import table_name
    from companion.rules.conversation.errors import LogError

    members, table = said.members(), table_name(table)
    for one, member in members.all().items():
        if member.name == table:
            members.revoke(one)
            click.echo(said.words.say("hall_revoked", table=table))
            return
    raise LogError("no_table", table=table)


@hall.command()
@click.argument("code")
@click.option("--at", default="", metavar="ADDRESS", help="Race control's address (default: found on the network).")
@click.option("--port", default=8019, show_default=True, type=click.IntRange(1, 65535), help="Port of its pages.")
@click.pass_obj
def join(said: HallOptions, code: str, at: str, port: int) -> None:
    """Join a hall with the CODE that race control shows."""
    from companion.hall import joining
    from companion.hall.discovery import discover
    from companion.hall.joining import NotJoined

    if not at:
        halls = discover()
        if not halls:
            raise NotJoined("no_hall_heard")
        if len(halls) > 1:
            heard = ", ".join(f"{one.hall} {one.host}" for one in halls)
            raise NotJoined("several_halls", heard=heard)
        at, port = halls[0].host, halls[0].port
    place = joining.join(said.folder, at, port, code, said.words.lang)
    click.echo(said.words.say("hall_joined", table=place.table, hall=place.hall or at))


@hall.command()
@click.option(
    "--from", "path", type=click.Path(path_type=Path, dir_okay=False), help="Read the log from this file instead."
)
@click.pass_obj
def takeover(said: HallOptions, path: Path | None) -> None:
    """Take over the race of a machine that is dead.

    It goes on as far as race control has it, in a new log that names the old one. This machine has to join under the
    same name first. If a copy of the races exists, restore that instead.
    """
    from companion.hall.carrier import Carrier
    from companion.hall.membership import joined
    from companion.hall.takeover import succeed
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
def leave(said: HallOptions) -> None:
    """Leave the hall; the races of this machine stay here."""
    from companion.hall import membership
    from companion.hall.carrier import Carrier
    from companion.rules.conversation.errors import LogError

    with contextlib.suppress(LogError):  # a file that names no hall goes all the same
        if (place := membership.joined(said.folder)) is None:
            click.echo(said.words.say("hall_none"))
            return
        Carrier(said.folder, place).leave()
    membership.leave(said.folder)
    click.echo(said.words.say("hall_left"))


@hall.command()
@click.pass_obj
def carry(said: HallOptions) -> None:
    """Send this machine's races to race control.

    It runs until Ctrl+C. The touchscreen does this by itself; this is for a table without one.
    """
    import time

    from companion.hall.carrier import Carrier
    from companion.hall.membership import joined

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
                line += f" {said.words.stored_error(stand.why)}"
            if line != told:
                click.echo(line)
            told = line
            time.sleep(1)
    finally:
        carrier.end()


@hall.command("import")
@click.argument("files", nargs=-1, required=True, metavar="FILE...", type=click.Path(path_type=Path, dir_okay=False))
@click.option("--table", default="", help="Table that they belong to; no other may send them then.")
@click.pass_obj
def import_logs(said: HallOptions, files: tuple[Path, ...], table: str) -> None:
    """Import logs from files.

    They are files that companion races export --json wrote, or that lie in a copy of all races. Known entries are
    compared, new ones added. The exit status is 1 if anything is wrong with one of them.
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
                click.echo(f"{path}: {words.stored_error(answer.why)}", err=True)
                bad = True
            else:
                click.echo(words.say("hall_ingested", path=str(path), new=answer.new, head=answer.head.seq))
    if bad:
        raise SystemExit(1)


@hall.command()
@click.pass_obj
def tables(said: HallOptions) -> None:
    """List the logs that race control has.

    Each has the number and the beginning of the hash that the table's own screen shows.
    """
    from companion.sheets.wall_clock import moment
    from companion.terminal.screen import RacePrinter

    words, screen = said.words, RacePrinter(said.words)
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
def alarms(said: HallOptions) -> None:
    """List second histories, and what was refused.

    The exit status is 1 if there are any.
    """
    from companion.sheets.wall_clock import moment

    words = said.words
    with said.ledger() as ledger:
        found = ledger.alarms()
    for alarm in found:
        why, at = words.stored_error(alarm.why), moment(alarm.at)
        click.echo(words.say("hall_alarm", at=at, table=alarm.sender or "-", why=why, times=alarm.times))
    if found:
        raise SystemExit(1)
    click.echo(words.say("hall_no_alarm"))


@hall.command()
@click.argument("name")
@click.pass_obj
def new(said: HallOptions, name: str) -> None:
    """Begin a new day of race control, called NAME."""
    said.open_day(name)
    click.echo(said.words.say("hall_day", name=name))


@hall.command()
@click.argument("table")
@click.argument("race")
@click.option("--why", default="", help="The reason, if the seats no longer follow from what they were dealt by.")
@click.pass_obj
def assign(said: HallOptions, table: str, race: str, why: str) -> None:
    """Assign RACE to TABLE, which may then begin it.

    RACE is a table of the tournament, such as 1.3, or the number of a season's race. TABLE gets drivers, grid, weather,
    circuit and laps; its result is sent here by itself.
    """
    from companion.hall.starting import start

    said.speak(start(said.folder, table, race, by=said.by, why=why))


@hall.command()
@click.argument("tables", nargs=-1, metavar="[TABLE...]")
@click.pass_obj
def trials(said: HallOptions, tables: tuple[str, ...]) -> None:
    """Assign the tournament's trials to tables, or to all.

    Each table gets its share of the drivers who have checked in, in turn by number; all have the same weather. Times
    come back by themselves. Run it again for drivers and weather that came since.
    """
    from companion.hall.members import table_name
    from companion.hall.timing import trials as words_of

    for word in words_of(said.folder, [table_name(one) for one in tables] or said.members().names()):
        said.speak(word)


@hall.command("start")
@click.pass_obj
def start_here(said: HallOptions) -> None:
    """Start what race control has assigned to this table.

    That is a race, or trials; results go back by themselves.
    """
    from companion.hall.starting import assigned_race, begin
    from companion.hall.timing import assigned_trials, hold
    from companion.terminal.prompts import must_last

    must_last(said.folder, said.words)
    if assigned_race(said.folder) is None and assigned_trials(said.folder) is not None:
        with hold(said.folder, said.by) as held:
            click.echo(said.words.say("hall_trials", name=held.record.name, id=held.desk.log_id[:8]))
        return
    with begin(said.folder) as race:
        assert race.log is not None
        click.echo(said.words.say("org_started", name=race.log.name, id=race.log.log_id[:8]))


@hall.command()
@click.argument("text")
@click.option("--table", default="", help="One table (default: all).")
@click.pass_obj
def message(said: HallOptions, text: str, table: str) -> None:
    """Send TEXT to the tables."""
    from companion.tournament.control import Message

    said.speak(Message(table=table, text=text))


@hall.command()
@click.argument("allowed", metavar="on|off", type=click.Choice(["on", "off"]))
@click.option("--table", default="", help="One table (default: all).")
@click.pass_obj
def feed(said: HallOptions, allowed: str, table: str) -> None:
    """Allow or forbid live feeds in the tournament.

    On one device, without a hall, this begins the day of race control that it takes.
    """
    import time

    from companion.tournament.control import FeedAllowed

    if not said.has_day():
        day = time.strftime("%Y-%m-%d")
        said.open_day(day)
        click.echo(said.words.say("hall_day", name=day))
    said.speak(FeedAllowed(table=table, allowed=allowed == "on"))


@hall.command()
@click.argument("log")
@click.argument("car", type=int)
@click.argument("text")
@click.option("--why", required=True, help="The reason.")
@click.pass_obj
def penalty(said: HallOptions, log: str, car: int, text: str, why: str) -> None:
    """Impose the penalty TEXT on CAR.

    LOG is how the log of the race begins.
    """
    from companion.tournament.control import Penalty

    with said.ledger() as ledger:
        known = ledger.find(log)
    said.speak(Penalty(table=known.sender, log_id=known.log_id, car=car, text=text, why=why))


@hall.command()
@click.argument("log")
@click.pass_obj
def confirm(said: HallOptions, log: str) -> None:
    """Confirm the result of a race; it takes two people.

    LOG is how the log of the race begins.
    """
    from companion.tournament.control import LogConfirmed

    with said.ledger() as ledger:
        known = ledger.find(log)
    said.speak(LogConfirmed(table=known.sender, log_id=known.log_id, seq=known.head.seq, hash=known.head.hash))


@hall.command()
@click.option("--table", default="", help="Only this table.")
@click.pass_obj
def log(said: HallOptions, table: str) -> None:
    """List what race control has told the tables."""
    from companion.sheets.records import last_record
    from companion.tournament.control import Control, ControlAct

    record = last_record(said.folder, Control)
    for one in record.words(table) if table else record.signed[1:]:
        if isinstance(one.act, ControlAct):
            click.echo(said.sentence(one))
