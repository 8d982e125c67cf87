"""`companion sheets`, `sheet show`, `export`, `verify` and `backup`: races that were kept, read from their logs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from companion.options import in_folder, in_language

if TYPE_CHECKING:
    from companion.sheets.entry import Entry
    from companion.sheets.verify import VerifyResult
    from companion.wording import Words

PAGE: Final = 50
"""How many races are listed unless all are asked for."""


@click.command()
@click.option(
    "--search",
    metavar="WORDS",
    default="",
    help="Races whose name, circuit, rulebook or drivers have all of these words.",
)
@click.option("--track", metavar="NAME", default="", help="Races on this circuit.")
@click.option("--driver", metavar="NAME", default="", help="Races in which this driver had a car.")
@click.option("--json", "as_json", is_flag=True, help="Print them as JSON, for a program.")
@click.option("--deleted", is_flag=True, help="Those that were deleted; companion sheet restore brings one back.")
@click.option("--all", "every", is_flag=True, help=f"Every race, not only the last {PAGE}.")
@in_folder
@in_language
def sheets(
    folder: Path, words: Words, search: str, track: str, driver: str, as_json: bool, deleted: bool, every: bool
) -> None:
    """List the stored races, the last one first.

    Capitals and accents make no difference to what is searched for, and a part of a name will do.
    """
    import msgspec

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
    wide = max(width - short_wide - 49 - len(mark), 12)

    def row(*cells: str) -> str:
        short, name, begun, last, cars, round_ = cells
        name = name if len(name) <= wide else name[: wide - 1] + "…"
        return f"{short:<{short_wide}} {name:<{wide}} {begun:<16} {last:<16} {cars:>5} {round_:>5}"

    begun, last, cars = words.say("races_begun"), words.say("races_last"), words.say("races_cars")
    click.secho(row("id", words.say("races_race"), begun, last, cars, words.say("round_head")), bold=True)
    for race in listed:
        round_ = words.say("over") if race.over else str(race.round)
        line = row(race.short, race.name, moment(race.begun), moment(race.last), str(race.cars), round_)
        click.echo(line.rstrip() + (mark if race.log_id in wrong else ""))
    if count > len(listed):
        click.secho(words.say("races_older", count=count - len(listed)), dim=True)
    for said in wrong.values():
        click.echo(words.error(said), err=True)


@click.group()
def sheet() -> None:
    """The sheet of a race: show, rename, note, delete and restore; blank ones to print. RACE is a name, an id, or
    "last"."""


@sheet.command()
@click.argument("race")
@in_folder
@in_language
def delete(race: str, folder: Path, words: Words) -> None:
    """Take RACE from the list; its log stays, and `companion sheet restore` brings it back."""
    from companion.sheets import stored_race

    click.echo(words.say("race_deleted", race=stored_race.delete(folder, race)))


@sheet.command()
@click.argument("race")
@in_folder
@in_language
def restore(race: str, folder: Path, words: Words) -> None:
    """Bring RACE back to the list, by its name or id, or the last deleted one: `companion sheets --deleted`."""
    from companion.sheets import stored_race

    click.echo(words.say("race_restored", race=stored_race.restore(folder, race)))


@sheet.command()
@click.argument("race")
@click.argument("name")
@in_folder
@in_language
def rename(race: str, name: str, folder: Path, words: Words) -> None:
    """Give RACE another NAME; it is found by that from then on."""
    from companion.sheets import stored_race

    before, now = stored_race.rename(folder, race, name)
    click.echo(words.say("race_renamed", race=before, name=now))


@sheet.command()
@click.argument("race")
@click.argument("text")
@click.option("--by", default="table", metavar="NAME", help="Who notes it (default: the table).")
@in_folder
@in_language
def note(race: str, text: str, by: str, folder: Path, words: Words) -> None:
    """Add a note to RACE; its sheet shows it."""
    from companion.sheets import stored_race

    click.echo(words.say("race_noted", race=stored_race.annotate(folder, race, text, by=by)))


@sheet.command()
@click.argument("race", default="last")
@click.option("--car", type=int, help="One car's sheet.")
@in_folder
@in_language
def show(race: str, car: int | None, folder: Path, words: Words) -> None:
    """Show the sheet of RACE, or of one of its cars."""
    from companion.sheets.build_sheet import race_sheet
    from companion.sheets.history import History
    from companion.terminal.screen import Screen
    from companion.terminal.sheet import show_sheet

    show_sheet(Screen(words), race_sheet(History.of(entries_of(race, folder))), car)


@click.command()
@click.argument("race", default="last")
@click.option("--json", "forms", flag_value="json", multiple=True, help="The sheet and the whole log, with its hashes.")
@click.option("--csv", "forms", flag_value="csv", multiple=True, help="What is in force, one row a ruling.")
@click.option("--pdf", "forms", flag_value="pdf", multiple=True, help="The race sheet, to print.")
@click.option(
    "--svg", "forms", flag_value="svg", multiple=True, help="What the race was, as a picture: curves and tables."
)
@click.option("--analysis", is_flag=True, help="In the PDF also who was lucky, and what each mistake cost.")
@click.option("--out", type=click.Path(path_type=Path, dir_okay=False), help="A file (default: standard output).")
@in_folder
@in_language
def export(race: str, forms: tuple[str, ...], analysis: bool, out: Path | None, folder: Path, words: Words) -> None:
    """Write RACE as PDF, SVG, CSV or JSON."""
    from companion.printing.forms import in_form
    from companion.whole_file import write_out

    if len(set(forms)) != 1:
        raise click.UsageError(words.say("export_form"))
    form = forms[0]
    entries, found = entries_of(race, folder), None
    if analysis:
        from companion.analysis import analysed
        from companion.sheets.history import History

        found = analysed(History.of(entries))
    made = in_form(form, entries, words.lang, found)
    if out is None:
        click.echo(made, nl=False)
        return
    write_out(out, made)
    click.echo(words.say("export_written", path=str(out)), err=True)


@click.command()
@click.argument("race", default="last")
@click.option("--sheet", "code", help="Instead: the code of a tournament's or season's printed sheet.")
@in_folder
@in_language
def verify(race: str, code: str | None, folder: Path, words: Words) -> None:
    """Check RACE: its chain, and every ruling by refereeing it again. Exit status 1 if anything is wrong.

    A tournament, season or session of trials is checked the same way, by its name or id: its chain, every act done
    again, and the races that its results were read from.
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
        click.echo(f"  {words.translated(found.otherwise.what)}")
    for problem in found.problems:
        click.echo(f"  {words.translated(problem.what)}", err=True)
    if not found.sound or _wrong_results(found, folder, words):
        raise SystemExit(1)
    click.echo(words.say("verify_sound"))


def _called(name: str, log_id: str, words: Words) -> str:
    """Return how a race is called in a sentence, also where a damaged log has no name or id."""
    id_ = f"({log_id[:8]})" if log_id else ""
    return " ".join(filter(None, (name, id_))) or words.say("nameless")


def _wrong_results(found: VerifyResult, folder: Path, words: Words) -> bool:
    """Whether a race is not as it was when a record took its result from it, which is told."""
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
    """Tells a true sheet from a changed one, and shows what it should say."""
    from companion.view.commissioner.listings import as_text, check_sheet

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


@click.command()
@click.argument("into", metavar="[DIR]", required=False, type=click.Path(path_type=Path, file_okay=False))
@click.option("--keep", type=click.IntRange(min=1), help="How many copies stay there (default: the newest 10).")
@click.option("--ours", is_flag=True, help="Only onto a stick that somebody has called this table's.")
@in_folder
@in_language
def backup(into: Path | None, keep: int | None, ours: bool, folder: Path, words: Words) -> None:
    """Copy all races, checked, into a new folder in DIR, or onto every USB stick that is there.

    It disturbs no race that goes on. Exit status 1 if something is wrong with the races or the copy.
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
            click.echo(words.translated(problem), err=True)
        bad = bad or bool(copy.problems)
    if bad:
        raise SystemExit(1)


@click.command()
@click.argument("there", metavar="[STICK]", required=False, type=click.Path(path_type=Path, exists=True))
@in_folder
@in_language
def stick(there: Path | None, folder: Path, words: Words) -> None:
    """Say that a USB stick is this table's, once: from then on it gets copies of all races by itself.

    STICK is the folder it is mounted at; without it, the one stick that is there. The touchscreen asks the same.
    """
    from companion.rules.conversation.errors import CompanionError
    from companion.sheets.place import sticks
    from companion.sheets.sticks import make_ours

    found = [there] if there is not None else sticks()
    if len(found) != 1:
        raise CompanionError(
            f"There are {len(found)} USB sticks; name the folder of the one that is meant."
            if found
            else "There is no USB stick; plug it in first."
        )
    make_ours(folder, found[0])
    click.echo(words.say("stick_ours", stick=str(found[0])))


@click.command()
@in_folder
@in_language
def salvage(folder: Path, words: Words) -> None:
    """Take all that is sound out of a damaged database, entry by entry, into a new one in its place.

    The old one is kept beside it as it was found. Where nothing is damaged nothing is done.
    """
    from companion.sheets.salvage import salvage as salvaged

    done = salvaged(folder, lambda seq: words.say("salvage_note", seq=seq))
    if done.old is None:
        click.echo(words.say("salvage_nothing"))
        return
    for race in done.races:
        called = _called(race.name, race.log_id, words)
        click.echo(words.say("salvage_race", called=called, count=race.entries, lost=race.lost))
    click.echo(words.say("salvage_done", folder=str(done.old)))


@sheet.command()
@click.argument("what", type=click.Choice(["race", "table", "trials"]), default="race")
@click.argument("many", type=int, default=6)
@click.option("--rulebook", default="competition", show_default=True, help="Whose cars a race sheet is for.")
@click.option(
    "--paper", type=click.Choice(["A4", "letter"]), default="A4", show_default=True, help="Size of the paper."
)
@click.option("--out", type=click.Path(path_type=Path, dir_okay=False), help="A file (default: standard output).")
@in_language
def blank(what: str, many: int, rulebook: str, paper: str, out: Path | None, words: Words) -> None:
    """Sheets to print for a table without a screen, as PDF: of a race, with boxes of wear for MANY cars, of a table or
    of its trials, with MANY rows."""
    from companion.printing.blank import blank_sheets
    from companion.printing.listing import as_pdf
    from companion.view.commissioner import listings
    from companion.whole_file import write_out

    if what == "race":
        made = blank_sheets(rulebook, many, words.lang, letter=paper == "letter")
    else:
        listing = listings.blank("table" if what == "table" else "trials", many, words)
        made = as_pdf([listing], words.lang, letter=paper == "letter")
    if out is None:
        click.echo(made, nl=False)
        return
    write_out(out, made)
    click.echo(words.say("export_written", path=str(out)), err=True)


sheet.add_command(export)
sheet.add_command(verify)


def entries_of(race: str, folder: Path) -> list[Entry]:
    """The log of a race, its chain checked."""
    from companion.sheets.chain import chained
    from companion.sheets.high_water import read_mark, whole
    from companion.sheets.reading import entries, reading, sought

    with reading(folder) as db:
        found = sought(folder, db, race)
        mark = read_mark(folder, found.log_id)  # before the log: the race may be going on
        log = list(chained(entries(db, found.log_id), found.head))
    whole(found.name, log, mark)
    return log
