"""The number of the program, as pyproject.toml has it: asking the installed package takes longer than most commands."""

from typing import Final

VERSION: Final = "0.1.0"
