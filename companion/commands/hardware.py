"""The `companion hardware` command: checks of the machine, and its accessories.

Buttons, lamps and a die-roller can be tested and simulated.
"""

from __future__ import annotations

import contextlib
import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final, TextIO

import click

from companion.commands.doctor import check
from companion.commands.groups import CommandGroup
from companion.commands.tracks import complaining
from companion.options import in_folder, in_language

if TYPE_CHECKING:
    from companion.wording import Words
    from hardware.debounce import Name, Press
    from hardware.fairness import DieVerdict
    from hardware.lights import Lit
    from hardware.wiring import Wiring

FINGERS: Final[dict[str, Name]] = {"u": "up", "d": "down", "c": "confirm", "z": "undo", "n": "next", "p": "clock"}
"""Keyboard key of each button; its capital holds the button."""
EVENTS: Final = ("idle", "waiting", "accepted", "cost", "out", "refused", "tick", "over", "weather", "leader")
"""Events that the lamps show for each digit."""
QUIT: Final = ("q", "\x04", "")


@click.group(cls=CommandGroup)
def hardware() -> None:
    """Check the machine; try, simulate and judge buttons, lamps and a die-roller."""


hardware.add_command(check)

# -- buttons


@hardware.group(cls=CommandGroup)
@in_folder
@in_language
@click.pass_context
def buttons(ctx: click.Context, folder: Path, words: Words) -> None:
    """Try or simulate the buttons and lamps."""
    ctx.obj = words, folder


@buttons.command("test")
@click.option("--seconds", type=click.FloatRange(0, 86400), default=None, help="Stop after this many seconds.")
@click.option("--record", type=click.File("w", encoding="utf-8"), help="Record each edge of the contacts in this file.")
@click.pass_obj
def test_buttons(said: tuple[Words, Path], seconds: float | None, record: TextIO | None) -> None:
    """Print each press as it is heard, with all lamps lit."""
    from hardware.box import ButtonBox
    from hardware.gpio import factory
    from hardware.traces import Recorder
    from hardware.wiring import wiring

    words, folder = said

    def on_press(press: Press) -> None:
        recorder.press(press)
        click.echo(words.say("pressed", means=press.means))

    with complaining(words):
        wired = wiring(folder)
        recorder = Recorder(lambda line: None if record is None else record.write(line), words.say("trace"))
        box = ButtonBox(wired, factory(wired.chip), on_press, recorder.edge)
        if record is not None:
            record.write("")  # only now it is opened: without pins what was recorded before stays
        click.echo(words.say("buttons_test"))
        for event in EVENTS:
            box.happen(event)
        box.start(True)
        box.wet(True)
        with contextlib.closing(box), contextlib.suppress(KeyboardInterrupt):
            time.sleep(seconds if seconds is not None else 1e8)
        recorder.end()


@buttons.command("simulate")
@click.pass_obj
def simulate_buttons(said: tuple[Words, Path]) -> None:
    """Simulate buttons with keys, lamps in the terminal.

    Where chip in wiring.toml is a path, the buttons are the touchscreen's, and the lamps show its race.
    """
    from hardware.simulate import SimulatedBox
    from hardware.wiring import wiring

    words, folder = said
    with complaining(words):
        wired = wiring(folder)
    if isinstance(wired.chip, str):
        _drive_touchscreen(wired, Path(wired.chip), words)
        return
    with contextlib.closing(SimulatedBox(wired)) as simulated:
        click.echo(words.say("buttons_simulate"))
        shown = ""
        starting = wet = False
        for key in _keys():
            if key in QUIT:
                break
            if key.lower() in FINGERS:
                simulated.finger(FINGERS[key.lower()], held=key.isupper())
            elif key == "s":
                starting = not starting
                simulated.box.start(starting)
            elif key == "w":
                wet = not wet
                simulated.box.wet(wet)
            elif key in "0123456789":
                simulated.box.happen(EVENTS[int(key)])
            for press in simulated.take_presses():
                click.echo(f"\r\x1b[K{words.say('pressed', means=press.means)}")
                shown = ""
            now = lamps_line(simulated.lit, words)
            if now != shown:
                shown = now
                click.echo(f"\r\x1b[K{now}", nl=False)
    click.echo()


def _drive_touchscreen(wired: Wiring, path: Path, words: Words) -> None:
    """Press the buttons of the touchscreen that looks for them at `path`, and show its lamps.

    Raises click.BadParameter if another file is there.
    """
    from companion.rules.conversation.errors import CompanionError
    from hardware.distant_pins import DistantBox

    if path.exists() and not path.is_socket():
        raise click.BadParameter(words.say("buttons_path_taken", path=str(path)), param_hint="chip")
    try:
        opened = DistantBox(wired, path)
    except OSError as wrong:  # which names no path
        raise CompanionError("system_refuses", path=path, why=wrong.strerror or wrong) from None
    with contextlib.closing(opened) as box:
        click.echo(words.say("buttons_drive", path=str(path)))
        shown = ""
        for key in _keys():
            if key in QUIT:
                break
            if key.lower() in FINGERS:
                box.finger(FINGERS[key.lower()], held=key.isupper())
            now = lamps_line(box.lit, words) if box.is_heard else words.say("buttons_unheard")
            if now != shown:
                shown = now
                click.echo(f"\r\x1b[K{now}", nl=False)
    click.echo()


def lamps_line(lit: Lit, words: Words) -> str:
    """Return the lamps as one line: status, start lamps, wet track, tone."""
    colour = words.word("lamp", "".join(sign for sign, on in zip("rgb", lit.status, strict=True) if on))
    five = " ".join("●" if one else "○" for one in lit.start)
    tone = f"♪ {lit.tone} Hz" if lit.tone else ""
    return f"[{colour:^8}]  {five}  {words.word('surface', 'wet')} {'●' if lit.wet else '○'}  {tone}"


def _keys() -> Iterator[str]:
    """Yield each key as it is pressed; "-" fifty times a second without one, "" at the end."""
    from select import select

    if not sys.stdin.isatty():
        yield from (*sys.stdin.read(), "")
        return
    import termios
    import tty

    before = termios.tcgetattr(sys.stdin)
    try:
        tty.setcbreak(sys.stdin, termios.TCSADRAIN)  # what was typed before is kept
        with contextlib.suppress(KeyboardInterrupt):
            while True:
                if not select([sys.stdin], [], [], 0.02)[0]:
                    yield "-"
                    continue
                # sys.stdin itself would keep the second key of two that are pressed at once
                yield from os.read(sys.stdin.fileno(), 64).decode(errors="replace") or ("",)
    finally:
        termios.tcsetattr(sys.stdin, termios.TCSADRAIN, before)


# -- the die-roller


@hardware.group(cls=CommandGroup)
@in_folder
@in_language
@click.pass_context
def roller(ctx: click.Context, folder: Path, words: Words) -> None:
    """Test or simulate a die-roller; judge dice."""
    ctx.obj = words, folder


@roller.command("simulate")
@click.argument("port", type=click.Path(path_type=Path), default=Path("companion-roller"))
@click.option("--faults", is_flag=True, help="Make every fourth reply a fault.")
@click.option("--by-hand", is_flag=True, help="Roll when you press Enter.")
@click.option("--seed", type=int, help="Repeat the rolls of this seed.")
@click.option("--seconds", type=click.FloatRange(0, 86400), help="Stop after this many seconds.")
@click.pass_obj
def simulate_roller(
    said: tuple[Words, Path], port: Path, faults: bool, by_hand: bool, seed: int | None, seconds: float | None
) -> None:
    """Simulate a die-roller at PORT, a link to a pseudo-terminal."""
    from companion.rules.conversation.errors import CompanionError
    from hardware.simulate import Simulated

    words, _ = said
    if port.exists() and not port.is_symlink():
        raise click.BadParameter(words.say("roller_port_taken", port=str(port)), param_hint="PORT")

    def show(text: str) -> None:
        if text.strip("- "):
            click.echo(words.say("roller_shows", text=text))

    try:
        simulated = Simulated(port.absolute(), seed=seed, faults=faults, by_hand=by_hand, show=show)
    except OSError as wrong:  # which names a file beside it
        raise CompanionError("system_refuses", path=port, why=wrong.strerror) from None
    click.echo(words.say("roller_simulate", port=str(port.absolute()), by_hand=by_hand))
    simulated.begin()
    with contextlib.closing(simulated), contextlib.suppress(KeyboardInterrupt):
        lasts = seconds if seconds is not None else 1e8
        if by_hand:
            for _ in _enters(lasts):
                simulated.press()
        else:
            time.sleep(lasts)


def _enters(seconds: float) -> Iterator[None]:
    """Yield for each press of Enter, for `seconds` or until the end of the input."""
    from select import select

    end = time.monotonic() + seconds
    while (left := end - time.monotonic()) > 0:
        if select([sys.stdin], [], [], min(left, 3600))[0]:
            read = os.read(sys.stdin.fileno(), 1024)
            if not read:
                return
            yield from [None] * read.count(b"\n")


@roller.command("test")
@click.argument("port")
@click.option("--patience", type=click.FloatRange(1, 600), default=30.0, help="Wait this many seconds for the button.")
@click.pass_obj
def test_roller(said: tuple[Words, Path], port: str, patience: float) -> None:
    """Test the die-roller at PORT, line by line."""
    from hardware.conformance import Bench
    from hardware.port import Bare

    words, _ = said

    def press(die: str) -> None:
        click.echo(words.say("roller_press", die=words.say("the_die", die=int(die))))

    with complaining(words):
        wire = Bare(port)
    made, wrong = 0, 0
    with contextlib.closing(wire):
        try:
            for check in Bench(wire, patience=round(patience * 1000), press=press).run():
                made, wrong = made + 1, wrong + (not check.passed)
                die = words.say("the_die", die=int(check.die)) if check.die else ""
                sentence = words.say("roller_check", name=check.name, die=die)
                mark = words.say("roller_instead", came=check.came) if not check.passed and check.came else ""
                click.echo(f"{'✓' if check.passed else '✗'} {sentence}{mark}")
        except OSError:
            wrong += 1
            click.echo(f"✗ {words.say('roller_gone')}")
    if not wrong:
        click.echo(words.say("roller_passed", made=made))
    else:
        click.echo(words.say("roller_failed", wrong=wrong, made=made))
        raise SystemExit(1)


@roller.command("fairness")
@click.option("--by", default="", metavar="NAME", help="Count only the rolls of this one, such as roller.")
@click.option("--port", help="Roll with the die-roller at this port instead.")
@click.option("--die", type=click.Choice(["1", "2", "3", "4", "5", "6", "20"]), default="20", show_default=True)
@click.option("--rolls", type=click.IntRange(1, 100000), default=200, show_default=True)
@click.pass_obj
def fairness(said: tuple[Words, Path], by: str, port: str | None, die: str, rolls: int) -> None:
    """Judge whether dice are fair, by stored races or by rolls."""
    from companion.sheets.dice_statistics import rolled
    from companion.sheets.place import database_exists
    from hardware.fairness import judge_all
    from hardware.rolls import of_device

    words, folder = said
    banded = 0
    with complaining(words):
        if port is not None:
            shown = {die: of_device(port, die, rolls, lambda face: click.echo(f"{face} ", nl=False))}
            click.echo()
        else:
            shown, banded = rolled(folder, by) if database_exists(folder) else ({}, 0)
    for judged in judge_all(shown):
        click.echo(verdict(judged, words))
    if banded:
        click.echo(words.say("fairness_bands", count=banded))
    elif not shown:
        click.echo(words.say("fairness_none"))


def verdict(judged: DieVerdict, words: Words) -> str:
    """Return the judgement of a die in words."""
    chi = words.decimal(judged.chi)
    flaw = words.say(
        "fairness_flaw",
        flaw=judged.flaw,
        chi=chi,
        freedom=judged.freedom,
        changes=words.decimal(judged.changes / 10),
        face=judged.face,
        share=words.decimal(judged.share / 10),
        fair=words.decimal(judged.fair / 10),
    )
    return words.say(
        "fairness",
        verdict="foreign" if judged.foreign else judged.verdict,
        die=words.say("the_die", die=int(judged.die)),
        rolls=judged.rolls,
        wanted=judged.wanted,
        flaw=flaw,
        chi=chi,
        freedom=judged.freedom,
        p=words.decimal(judged.p * 100) if judged.p >= 0.0005 else words.say("hardly"),
        foreign=judged.foreign,
    )
