"""What can go wrong, as one small tree. Every message is one sentence for the people at the table."""


class CompanionError(Exception):
    """Anything the program has to tell people: one sentence, what is wrong and what would be right."""


class BadAnswer(CompanionError):
    """An answer that the open question does not allow; the question stays open."""


class BadSetup(CompanionError):
    """A setup or position from which no race can begin."""


class BadTrack(CompanionError):
    """A circuit that cannot be read or ruled on; the message names file, section, lane and space."""


class BadOverride(CompanionError):
    """A referee's word that makes no sense, such as a car on a space that does not exist."""


class NothingToDo(CompanionError):
    """An undo, redo or correction where there is nothing to take back, repeat or correct."""


class LogError(CompanionError):
    """A race's log that is damaged, held by another program, too new, or cannot be written."""


class RulebookError(CompanionError):
    """The rulebook itself failed; the race stands where it was before the answer."""
