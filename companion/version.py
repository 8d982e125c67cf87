"""The versions of the program, its protocol and its database.

They are constants because asking the installed package takes longer than most commands.
"""

from typing import Final

VERSION: Final = "0.2.0"
"""The version of the program, as pyproject.toml has it."""
PROTOCOL: Final = 2
"""The version of the referee's lines, and of their JSON schema."""
DATABASE_FORM: Final = 1
"""The newest form of the database that this program knows (PRAGMA user_version)."""
