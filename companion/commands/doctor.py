"""The `companion hardware check` command: check the table's machine, and give advice."""

from __future__ import annotations

import shutil
import textwrap
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from companion.options import in_folder, in_language

if TYPE_CHECKING:
    from companion.doctor.findings import Wired
    from companion.wording import Words

MARKS: Final = {"bad": "✗", "warn": "!", "ok": "✓", "absent": "–"}
REPORT: Final = "companion-report.txt"
NAMES: Final = 18
"""Width of the column of names, in characters."""


@click.command()
@click.option(
    "--report",
    type=click.Path(path_type=Path, dir_okay=False),
    is_flag=False,
    flag_value=REPORT,
    help=f"Write a report that you can send, without secrets (default: {REPORT}).",
)
@click.option(
    "--root",
    type=click.Path(path_type=Path, file_okay=False, exists=True),
    default=Path("/"),
    hidden=True,
    help="Read the system's files below this folder.",
)
@in_folder
@in_language
def check(report: Path | None, root: Path, folder: Path, words: Words) -> None:
    """Check the machine, and say what to do.

    It looks at screen, touch, buttons, die-roller, disk, radio, clock and power; it changes nothing and opens no port.
    The exit status is 1 if something is wrong.
    """
    from companion import whole_file
    from companion.doctor.examination import examine
    from companion.doctor.findings import is_well, worst_first
    from companion.doctor.machine import this_machine
    from companion.doctor.report import write_report
    from companion.doctor.text import advice, name, sentence, summary

    machine = this_machine(root)
    found = worst_first(examine(machine, folder, wired(folder)))
    width = min(120, shutil.get_terminal_size((100, 24)).columns)
    margin = " " * (NAMES + 2)
    for one in found:
        head = f"{MARKS[one.state]} {name(one, words):{NAMES}}"
        for said in (sentence(one, words), advice(one, words)):
            if said:
                for line in textwrap.wrap(said, width - len(margin), break_long_words=False, break_on_hyphens=False):
                    click.echo(f"{head}{line}")
                    head = margin
    click.echo(summary(found, words))
    if report is not None:
        whole_file.write_out(report, write_report(found, machine, words).encode())
        click.echo(words.screen("doctor.written", path=str(report)))
    if not is_well(found):
        raise SystemExit(1)


def wired(folder: Path) -> Wired:
    """Return the wiring of a data folder, or the errors that make it unreadable."""
    from companion.doctor.findings import Wired
    from companion.rules.conversation.errors import CompanionError
    from hardware.wiring import box_wiring, roller_port, tables

    port, wrong_port = "", None
    try:
        read = tables(folder)
    except CompanionError as wrong:
        return Wired(error=wrong, port_error=wrong)
    except OSError as wrong:
        refused = CompanionError("system_refuses", path=wrong.filename, why=wrong.strerror)
        return Wired(error=refused, port_error=refused)
    try:
        port = roller_port(read)
    except CompanionError as wrong:
        wrong_port = wrong
    try:
        box = box_wiring(read)
    except CompanionError as wrong:
        return Wired(port=port, error=wrong, port_error=wrong_port)
    needs_pins, chip, _ = box.on_pi
    return Wired(needs_pins, chip, port, port_error=wrong_port)
