"""The `companion phones` command: a race on the phones at the table, without a touchscreen."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING

import click

from companion.options import in_folder, in_language
from companion.web import PORT

if TYPE_CHECKING:
    from companion.wording import Words


@click.command()
@click.option("--race", default="last", show_default=True, help="Name or id of the race.")
@click.option("--on", "host", metavar="ADDRESS", help="Listen at this address (default: that of this network).")
@click.option(
    "--port", type=click.IntRange(0, 65535), default=PORT, show_default=True, help="Listen at this port; 0: any."
)
@click.option("--odds", is_flag=True, help="Show each car's chance to win on the wall.")
@click.option("--api", is_flag=True, help="Let other programs read the race, at /api/v1.")
@in_folder
@in_language
def phones(race: str, host: str | None, port: int, odds: bool, api: bool, folder: Path, words: Words) -> None:
    """Take a race to the phones at the table, until Ctrl+C.

    It prints an address for spectators, one for each driver, who answers for that car, and one for the table, which
    answers everything.
    """
    from companion.desk import RaceDesk
    from companion.hall.membership import in_hall
    from companion.web.networks import addresses
    from companion.web.running import Alone, Phones

    table = Alone(lambda: RaceDesk.resume(folder, race), odds=odds)
    found = host or next(iter(addresses()), "127.0.0.1")
    try:
        names, log_id = table.see(
            lambda desk: ({car: desk.names[car] for car in desk.driver_cars}, desk.history.log_id)
        ).result()
        driven = [car for car in names if car not in table.programs.by]
        pages = Phones(table, folder, log_id, found, port, in_hall(folder))
        pages.tokens.api = api
        pages.begin()
        if pages.tokens.complaint is not None:
            click.echo(words.error(pages.tokens.complaint), err=True)
        try:
            click.echo(words.say("phones_watch", address=pages.address))
            click.echo(words.say("phones_wall", address=f"{pages.address}wall"))
            for number in driven:
                click.echo(words.say("phones_driver", names, car=number, address=pages.drive(number)))
            click.echo(words.say("phones_table", address=pages.drive("referee")))
            if api:
                click.echo(words.say("phones_api", address=f"{pages.address}api/v1/race"))
                if pages.feed_barred:
                    click.echo(words.screen("phone.refused", code="feed_barred"))
            if odds and not table.has_odds:
                click.echo(words.say("phones_no_odds"))
            while True:
                time.sleep(3600)
        finally:
            pages.end()
    finally:
        table.close()
