"""Whether what the program says in French is French to its last word."""

import re

from companion.wording import Words

ENGLISH = re.compile(r"\b(the|is|are|has|have|it|its|of|and|which|would|from|there|every|each|more|this|that|by|not)\b")


def told_in_french(sentence: str) -> str:
    """The sentence in French, in which no English word is left."""
    french = Words("fr").translated(sentence)
    assert french != sentence, f"not told in French: {sentence}"
    assert not ENGLISH.search(french), french
    return french
