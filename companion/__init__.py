"""Companion, the referee for racing board games; README.md here is the map."""

from companion.rules.conversation.errors import CompanionError, speak


def _english(wrong: CompanionError) -> str:
    from companion.wording import Words  # only a program that says an error needs the locale

    return Words("en").error(wrong)


speak(_english)
