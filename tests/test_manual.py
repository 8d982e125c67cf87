"""The manual page and the completions that a build makes of the commands: as `man` and the shells read them."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import click
import pexpect
import pytest

from companion.commands.main import companion
from companion.commands.manual import write


@pytest.fixture(scope="module")
def share(tmp_path_factory: pytest.TempPathFactory) -> Path:
    share = tmp_path_factory.mktemp("prefix") / "share"
    write(share)
    return share


def every_command(command: click.Command = companion, path: str = "companion") -> list[str]:
    below = command.commands if isinstance(command, click.Group) and command is not companion else {}
    if isinstance(command, click.Group) and command is companion:
        ctx = click.Context(command)
        below = {name: one for name in command.list_commands(ctx) if (one := command.get_command(ctx, name))}
    return [path, *(one for name, inner in below.items() for one in every_command(inner, f"{path} {name}"))]


def test_the_page_tells_of_every_command_and_reads_without_a_complaint(share: Path) -> None:
    groff = shutil.which("groff")
    assert groff is not None
    page = share / "man/man1/companion.1"
    done = subprocess.run(
        [groff, "-man", "-ww", "-Tutf8", "-P-cbou", "-rLL=200n", page], capture_output=True, text=True, check=True
    )
    assert done.stderr == ""
    told = " ".join(done.stdout.replace("‐", "-").split())
    for command in every_command():
        assert command in told
    for said in ("--search WORDS", "settings.toml", "STATE_DIRECTORY", "EXIT STATUS", '"Ada, Bob, Cleo"'):
        assert said in told


def test_bash_completes_from_the_file_that_is_shipped(share: Path) -> None:
    bash = shutil.which("bash")
    assert bash is not None
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    shell = pexpect.spawn(bash, ["--norc", "--noprofile"], env={**os.environ, "PATH": path, "PS1": "$ "}, timeout=60)
    shell.sendline(f". {share}/bash-completion/completions/companion")
    shell.send("companion conf\t")
    shell.expect("companion config ")
    shell.sendline("")
    shell.expect("brightness")
    shell.close()
