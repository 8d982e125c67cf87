"""Whether what the program says in French is French to its last word."""

import re

from companion.rules.conversation.errors import CompanionError, error_of
from companion.wording import Words

ENGLISH = re.compile(r"\b(the|is|are|has|have|it|its|of|and|which|would|from|there|every|each|more|this|that|by|not)\b")
PATH = re.compile(r"(?<!\w)/[^\s;,()]+")


def told_in_french(wrong: CompanionError | str) -> str:
    """The error, or one that another program wrote down, in French, in which no English word is left but in paths."""
    wrong = error_of(wrong) if isinstance(wrong, str) else wrong
    french = Words("fr").error(wrong)
    assert french != str(wrong), f"not told in French: {wrong}"
    assert not ENGLISH.search(PATH.sub("/x", french)), french
    return french
