"""Commands that every prompt accepts, and examples of answers."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

from companion.rules.conversation.asking import Asked
from companion.rules.conversation.errors import BadSetup
from companion.rules.conversation.text import check_text
from companion.sheets.storage import is_known, must_be_told
from companion.terminal.answers import is_by_value, plain
from companion.terminal.lines import Lines
from companion.wording import Words

COMMANDS: Final = (
    "undo",
    "redo",
    "correct",
    "override",
    "end",
    "redflag",
    "note",
    "dispute",
    "uphold",
    "show",
    "rules",
    "more",
    "hint",
    "seat",
    "rename",
    "help",
    "quit",
)
"""Commands in place of an answer; each has its names in every language."""


class Command(NamedTuple):
    """A command and the text after it."""

    name: str
    rest: str


def command_in(said: str, words: Words, *, free: bool = False) -> Command | None:
    """Return the command that a line begins with, if any.

    Where names are typed (`free`) it must be the whole line, or be followed by numbers alone ("undo 2", "rules 13-4").
    """
    word, _, rest = said.partition(" ")
    name = command_names(words).get(plain(word) or word)
    return None if name is None or (free and re.search(r"[^\d .-]", rest)) else Command(name, rest.strip())


def command_names(words: Words) -> dict[str, str]:
    """Return the commands by each of their names."""
    return {said: name for name in COMMANDS for said in (name, *str(words.table["command"][name]).split())}


def check_name(name: str, words: Words) -> None:
    """Raise BadSetup for a driver's name that is also a command, or has control characters.

    Single letters are allowed.
    """
    check_text(name, BadSetup)
    if len(name) > 1 and command_in(name, words, free=True):
        raise BadSetup("no_name", said=name)


def examples(asked: Asked, words: Words) -> Iterator[str]:
    """Yield examples of answers to a question, most informative first.

    The rules may refuse some.
    """
    options, fields = asked.options or [], asked.fields or {}
    if asked.faces is not None:
        yield str(asked.faces[len(asked.faces) // 2])
    elif asked.ask == "saw":
        past = (fields.get("past") or {}).get("answer", {})
        for place in filter(None, (past.get("in"), *(option.answer["in"] for option in options))):
            yield from (f"{words.option('saw', {'in': place})} {happened}" for happened in happenings(asked, words))
        yield from (words.offered("saw", option) for option in options)
    elif is_by_value(asked):
        yield next(str(option.answer) for option in options if option.answer is not None)
    else:
        yield "S3 45 TT" if "cards" in fields and not options else "1"


def happenings(asked: Asked, words: Words) -> Iterator[str]:
    """Yield examples of details of a stop on a corner sheet.

    The rules may refuse some.
    """
    seen, near = words.words_of("seen"), (asked.fields or {}).get("beside", [])
    told = [
        f"{seen['overshot']} {spaces}" for spaces in (2, 1, 3, 6)
    ]  # 3 is the least beyond two corners, 6 beyond three
    told += [f"{seen['brakes']} 1", f"{seen['blocked']} 1"]
    told += [f"{seen['beside']} {number}" for number in near]
    for happened in told:
        yield happened
        yield f"{happened} {seen['line']}"
    yield seen["line"]


def goes_on_in_memory(screen: Lines) -> bool:
    """Ask whether to continue in memory when the disk takes no more entries."""
    words = screen.words
    while True:
        said = screen.ask(f"  {words.say('stop_or_memory')} > ")
        if said is None or plain(said) in words.say("stop_words").split():
            return False
        if plain(said) in words.say("memory_words").split():
            return True
        command = command_in(said, words)
        if command is not None and command.name == "quit":
            return False
        screen.complaint(words.say("stop_or_memory_how"))


def must_last(folder: Path, words: Words, *, memory: bool = False) -> None:
    """Warn once, before writing, if a power cut would erase the record.

    Asks whether to continue; `memory` agrees in advance. Raises NotSaved if nobody can be asked, SystemExit if the
    table stops.
    """
    wrong = must_be_told(folder)
    if wrong is None:
        return
    if not memory:
        if not is_asked():
            raise wrong
        screen = Lines(words)
        screen.complaint(words.error(wrong))
        if not goes_on_in_memory(screen):
            raise SystemExit(1)
    is_known(folder)


def is_asked() -> bool:
    """Return True if the input is a terminal, so that a person can be asked."""
    return sys.stdin.isatty()
