"""`companion doctor`: check the machine that the table runs on, and say what to do."""

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
"""How wide the column of names is, in characters."""


@click.command()
@click.option(
    "--report",
    type=click.Path(path_type=Path, dir_okay=False),
    is_flag=False,
    flag_value=REPORT,
    help=f"Also write all of it to a file that you can send (default: {REPORT}). No secrets are in it.",
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
def doctor(report: Path | None, root: Path, folder: Path, words: Words) -> None:
    """Check screen, touch, buttons, die-roller, disk, radio, clock and power, and say what to do.

    It changes nothing, and opens no port. Exit status 1: something is wrong.
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
    """Return what the wiring of a data folder says, or why it cannot be read."""
    from companion.doctor.findings import Wired
    from companion.rules.conversation.errors import CompanionError
    from hardware.wiring import box_wiring, roller_port, tables

    port, wrong_port = "", None
    try:
        read = tables(folder)
    except CompanionError as wrong:
        return Wired(error=wrong, port_error=wrong)
    except OSError as wrong:
        refused = CompanionError(f"The system refuses {wrong.filename}: {wrong.strerror}.")
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
