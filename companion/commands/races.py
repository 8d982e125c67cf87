"""The `companion races` command: stored races, copies of them, and repair of the database."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from companion.commands.analyse import analyse
from companion.commands.groups import CommandGroup
from companion.commands.odds import odds
from companion.commands.output import write_made
from companion.options import as_rulebook, in_folder, in_language

if TYPE_CHECKING:
    from companion.sheets.verify import VerifyResult
    from companion.wording import Words

PAGE: Final = 50
"""Number of races listed by default."""


@click.group(
    cls=CommandGroup,
    sections={
        "Read": "list show export analyse odds",
        "Edit": "rename note delete restore",
        "Keep": "verify backup salvage",
        "Print": "form",
    },
)
def races() -> None:
    """Find, show, export, copy and repair stored races. RACE is a name, an id, or "last"."""


@races.command("list")
@click.option(
    "--search",
    metavar="WORDS",
    default="",
    help="Only races with all these words in name, circuit, rulebook or drivers.",
)
@click.option("--track", metavar="NAME", default="", help="Only races on this circuit.")
@click.option("--driver", metavar="NAME", default="", help="Only races of this driver.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON, for programs.")
@click.option("--deleted", is_flag=True, help="List deleted races; companion races restore restores one.")
@click.option("--all", "every", is_flag=True, help=f"List all races, not only the last {PAGE}.")
@in_folder
@in_language
def list_races(
    folder: Path, words: Words, search: str, track: str, driver: str, as_json: bool, deleted: bool, every: bool
) -> None:
    """List the stored races, the last one first.

    A search ignores capitals and accents, and finds parts of names.
    """
    import msgspec

    from companion.commands.tracks import TABLE_COLUMNS
    from companion.rules.conversation.text import printable
    from companion.sheets.high_water import there
    from companion.sheets.reading import count_races, harmed, races, reading
    from companion.sheets.wall_clock import moment
    from companion.terminal.lines import window

    listed, wrong, count = [], {}, 0
    if there(folder):
        with reading(folder) as db:
            wrong = harmed(folder, db)
            if search or track or driver:
                found = races(db, deleted=deleted, matching=lambda race: race.matches(search, track, driver))
                listed, count = found if every else found[:PAGE], len(found)
            else:
                listed = races(db, deleted=deleted, most=None if every else PAGE)
                count = count_races(db, deleted=deleted)
    if as_json:
        click.echo(msgspec.json.format(msgspec.json.encode([race._asdict() for race in listed])))
        return
    if not listed:
        if search or track or driver:
            click.echo(words.say("races_none_match"))
        else:
            click.echo(words.say("races_none_deleted") if deleted else words.say("races_none"))
        return
    width, _ = window()
    short_wide = max(len(race.short) for race in listed) + 1
    mark = f" {words.say('races_damaged')}" if wrong else ""
    narrow = width < TABLE_COLUMNS
    wide = width - short_wide - 1 if narrow else max(width - short_wide - 49 - len(mark), 12)

    def row(*cells: str) -> str:
        short, name, begun, last, cars, round_ = cells
        name = name if len(name) <= wide else name[: wide - 1] + "…"
        if narrow:
            return f"{short:<{short_wide}} {name}\n{'':{short_wide}} {last:<16} {cars:>5} {round_:>5}"
        return f"{short:<{short_wide}} {name:<{wide}} {begun:<16} {last:<16} {cars:>5} {round_:>5}"

    begun, last, cars = words.say("races_begun"), words.say("races_last"), words.say("races_cars")
    click.secho(row("id", words.say("races_race"), begun, last, cars, words.say("round_head")), bold=True)
    for race in listed:
        round_ = words.say("over") if race.over else str(race.round)
        line = row(race.short, printable(race.name), moment(race.begun), moment(race.last), str(race.cars), round_)
        click.echo(line.rstrip() + (mark if race.log_id in wrong else ""))
    if count > len(listed):
        click.secho(words.say("races_older", count=count - len(listed)), dim=True)
    for said in wrong.values():
        click.echo(words.error(said), err=True)


@races.command()
@click.argument("race")
@in_folder
@in_language
def delete(race: str, folder: Path, words: Words) -> None:
    """Delete RACE from the list.

    Its log stays, and companion races restore brings it back.
    """
    from companion.sheets import stored_race

    click.echo(words.say("race_deleted", race=stored_race.delete(folder, race)))


@races.command()
@click.argument("race")
@in_folder
@in_language
def restore(race: str, folder: Path, words: Words) -> None:
    """Restore a deleted RACE to the list.

    "last" is the one that was deleted last; companion races list --deleted lists all.
    """
    from companion.sheets import stored_race

    click.echo(words.say("race_restored", race=stored_race.restore(folder, race)))


@races.command()
@click.argument("race")
@click.argument("name")
@in_folder
@in_language
def rename(race: str, name: str, folder: Path, words: Words) -> None:
    """Rename RACE to NAME."""
    from companion.sheets import stored_race

    before, now = stored_race.rename(folder, race, name)
    said = words.say("race_named", name=now) if now == before else words.say("race_renamed", race=before, name=now)
    click.echo(said)


@races.command()
@click.argument("race")
@click.argument("text")
@click.option("--by", default="table", metavar="NAME", help="Who writes the note (default: the table).")
@in_folder
@in_language
def note(race: str, text: str, by: str, folder: Path, words: Words) -> None:
    """Add a note to RACE, for its sheet."""
    from companion.sheets import stored_race

    click.echo(words.say("race_noted", race=stored_race.annotate(folder, race, text, by=by)))


@races.command()
@click.argument("race", default="last")
@click.option("--car", type=int, help="Show one car only.")
@in_folder
@in_language
def show(race: str, car: int | None, folder: Path, words: Words) -> None:
    """Show the sheet of RACE, or of one of its cars."""
    from companion.sheets.build_sheet import race_sheet
    from companion.sheets.history import History
    from companion.sheets.stored_race import read_log
    from companion.terminal.screen import RacePrinter
    from companion.terminal.sheet import show_sheet
    from companion.view.worded import corners_of

    history = History.of(read_log(folder, race))
    sheet = race_sheet(history)
    words.corner_names = corners_of(history, sheet)
    show_sheet(RacePrinter(words), sheet, car)


@races.command()
@click.argument("race", default="last")
@click.option(
    "--json", "forms", flag_value="json", multiple=True, help="Write the sheet and the whole log, with its hashes."
)
@click.option("--csv", "forms", flag_value="csv", multiple=True, help="Write the rulings in force, one a row.")
@click.option("--pdf", "forms", flag_value="pdf", multiple=True, help="Write the race sheet, to print.")
@click.option("--svg", "forms", flag_value="svg", multiple=True, help="Write a picture of the race: curves and tables.")
@click.option("--analysis", is_flag=True, help="Add luck and mistakes to the PDF.")
@click.option(
    "--out", type=click.Path(path_type=Path, dir_okay=False), help="Write to this file (default: standard output)."
)
@in_folder
@in_language
def export(race: str, forms: tuple[str, ...], analysis: bool, out: Path | None, folder: Path, words: Words) -> None:
    """Export RACE as PDF, SVG, CSV or JSON."""
    from companion.printing.forms import in_form
    from companion.sheets.stored_race import read_log

    if len(set(forms)) != 1:
        raise click.UsageError(words.say("export_form"))
    form = forms[0]
    entries, found = read_log(folder, race), None
    if analysis:
        from companion.analysis import analysed
        from companion.sheets.history import History

        found = analysed(History.of(entries))
    write_made(out, in_form(form, entries, words.lang, found), words)


@races.command()
@click.argument("race", default="last")
@click.option("--sheet", "code", help="Verify a printed sheet of a tournament or season by its code instead.")
@in_folder
@in_language
def verify(race: str, code: str | None, folder: Path, words: Words) -> None:
    """Verify the log of RACE, and referee it again.

    A tournament, season or session of trials is verified too, by its name or id: its chain, each act once more, and the
    races that its results were read from. The exit status is 1 if anything is wrong.
    """
    from companion.sheets.replay import rulebook_of
    from companion.sheets.verify import verify as check

    if code is not None:
        _verify_sheet(code, folder, words)
        return
    found = check(folder, race, rulebook_of)
    called = _called(found.name, found.log_id, words)
    click.echo(words.say("verify_entries", called=called, count=found.entries))
    click.echo(f"  {words.say('verify_chained', count=found.chained)}")
    if found.record:
        click.echo(f"  {words.say('verify_acts', count=found.replayed)}")
    else:
        click.echo(f"  {words.say('verify_again', count=found.replayed, was=found.was)}")
    if found.otherwise is not None:
        click.echo(f"  {words.error(found.otherwise.what)}")
    for problem in found.problems:
        click.echo(f"  {words.error(problem.what)}", err=True)
    if not found.sound or _wrong_results(found, folder, words):
        raise SystemExit(1)
    click.echo(words.say("verify_sound"))


def _called(name: str, log_id: str, words: Words) -> str:
    """Return a race's name and id for a sentence; either may be missing in a damaged log."""
    id_ = f"({log_id[:8]})" if log_id else ""
    return " ".join(filter(None, (name, id_))) or words.say("nameless")


def _wrong_results(found: VerifyResult, folder: Path, words: Words) -> bool:
    """Return True if a record took a result from a race that has changed since.

    Prints each such race to standard error.
    """
    if found.record not in ("tournament", "season"):
        return False
    from companion.desk.organising import check_references
    from companion.sheets.records import kept_record
    from companion.tournament.organised import Organised

    record = kept_record(folder, found.log_id, found.record).record
    assert isinstance(record, Organised)
    wrong = check_references(folder, record)
    for one in wrong:
        click.echo(f"  {words.error(one)}", err=True)
    return bool(wrong)


def _verify_sheet(code: str, folder: Path, words: Words) -> None:
    """Check a printed sheet by its code.

    Prints the right sheet and exits with status 1 if it was changed.
    """
    from companion.view.events.listings import check_sheet
    from companion.view.formats import as_text

    found = check_sheet(folder, code)
    if found.true:
        click.echo(
            words.say("sheet_true", sheet=found.right.heading, entries=found.entries, more=found.now - found.entries)
        )
        if found.outdated:
            click.echo(words.say("sheet_outdated"))
            click.echo("\n".join(as_text(found.newer)) if found.newer is not None else "", nl=found.newer is not None)
        return
    click.echo(words.say("sheet_changed", sheet=found.right.heading, entries=found.entries), err=True)
    click.echo("\n".join(as_text(found.right)))
    raise SystemExit(1)


@races.group(cls=CommandGroup, default="copy")
def backup() -> None:
    """Copy all races to a USB stick or a folder.

    The word copy may be left out: companion races backup DIR.
    """


@backup.command()
@click.argument("into", metavar="[DIR]", required=False, type=click.Path(path_type=Path, file_okay=False))
@click.option("--keep", type=click.IntRange(min=1), help="Keep this many copies (default: 10).")
@click.option("--ours", is_flag=True, help="Copy only onto an adopted stick.")
@in_folder
@in_language
def copy(into: Path | None, keep: int | None, ours: bool, folder: Path, words: Words) -> None:
    """Copy all races into DIR, or onto every USB stick.

    Each copy is a new folder, and checked; races may go on meanwhile. The exit status is 1 if something is wrong with
    the races or a copy.
    """
    from companion.rules.conversation.errors import CompanionError
    from companion.sheets import backup as copying
    from companion.sheets.high_water import there
    from companion.sheets.place import COPIES, sticks
    from companion.sheets.sticks import ours as called_ours

    if not there(folder):
        click.echo(words.say("races_none"))
        return
    here = folder.stat().st_dev
    places = [into] if into is not None else [stick / COPIES for stick in sticks() if stick.stat().st_dev != here]
    if not places:
        click.echo(words.say("backup_no_stick"))
    if ours:
        for place in [place for place in places if not called_ours(folder, place.parent)]:
            click.echo(words.say("stick_not_ours", stick=str(place.parent)))
            places.remove(place)
    bad = False
    for place in places:
        try:
            copy = copying.backup(folder, place, keep=keep or copying.KEEP)
        except CompanionError as wrong:
            click.echo(words.error(wrong), err=True)
            bad = True
            continue
        size = words.decimal(copy.size / 1e6)
        click.echo(words.say("backup_done", races=copy.races, entries=copy.entries, size=size, path=str(copy.path)))
        if place.stat().st_dev == here:
            click.echo(words.say("backup_same_disk"))
        for problem in copy.problems:
            click.echo(words.error(problem), err=True)
        bad = bad or bool(copy.problems)
    if bad:
        raise SystemExit(1)


@backup.command()
@click.argument("there", metavar="[STICK]", required=False, type=click.Path(path_type=Path, exists=True))
@in_folder
@in_language
def adopt(there: Path | None, folder: Path, words: Words) -> None:
    """Adopt a USB stick, which then gets copies by itself.

    STICK is the folder where it is mounted (default: the only stick). The touchscreen asks the same question.
    """
    from companion.rules.conversation.errors import CompanionError
    from companion.sheets.place import sticks
    from companion.sheets.sticks import make_ours

    found = [there] if there is not None else sticks()
    if not found:
        raise CompanionError("no_stick")
    if len(found) > 1:
        raise CompanionError("several_sticks", count=len(found))
    make_ours(folder, found[0])
    click.echo(words.say("stick_ours", stick=str(found[0])))


@races.command()
@in_folder
@in_language
def salvage(folder: Path, words: Words) -> None:
    """Salvage all sound entries of a damaged database.

    They go into a new database, and the list of races is made again from them; the damaged database is kept next to
    it. A sound database is left alone. The exit status is 1 if nothing could be saved.
    """
    from companion.sheets.salvage import salvage as salvaged

    done = salvaged(folder, lambda seq: words.say("salvage_note", seq=seq))
    if done.old is None:
        click.echo(words.say("salvage_nothing"))
        return
    for race in done.races:
        called = _called(race.name, race.log_id, words)
        click.echo(words.say("salvage_race", called=called, count=race.entries, lost=race.lost))
        if race.relisted:
            click.echo(f"  {words.say('salvage_relisted', called=called)}")
    if not done.saved:
        click.echo(words.say("salvage_none"), err=True)
    if not done.list_read:
        click.echo(words.say("salvage_list_unread"), err=True)
    click.echo(words.say("salvage_done", folder=str(done.old)))
    if not done.saved:
        raise SystemExit(1)


@races.command()
@click.argument("what", type=click.Choice(["race", "table", "trials"]), default="race")
@click.argument("many", type=int, default=6)
@click.option(
    "--rulebook", default="competition", callback=as_rulebook, show_default=True, help="Whose cars the form is for."
)
@click.option(
    "--paper", type=click.Choice(["A4", "letter"]), default="A4", show_default=True, help="Size of the paper."
)
@click.option(
    "--out", type=click.Path(path_type=Path, dir_okay=False), help="Write to this file (default: standard output)."
)
@in_language
def form(what: str, many: int, rulebook: str, paper: str, out: Path | None, words: Words) -> None:
    """Print forms to fill in by hand, as PDF.

    A race form has boxes of wear for MANY cars; the forms of a table and of trials have MANY rows.
    """
    from companion.printing.blank import blank_sheets
    from companion.printing.listing import as_pdf
    from companion.view.events import listings

    if what == "race":
        made = blank_sheets(rulebook, many, words.lang, letter=paper == "letter")
    else:
        listing = listings.blank("table" if what == "table" else "trials", many, words)
        made = as_pdf([listing], words.lang, letter=paper == "letter")
    write_made(out, made, words)


races.add_command(analyse)
races.add_command(odds)
