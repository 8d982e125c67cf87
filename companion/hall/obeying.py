"""Enter race control's rulings in the race at the table, under their author's name."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from companion.desk import RaceDesk
from companion.rules.conversation.errors import CompanionError
from companion.sheets.entry import Entry, Overridden
from companion.sheets.records import act_of
from companion.tournament.control import CallRuled, Control, Penalty
from companion.tournament.record import Signed


def signed_of(entries: Iterable[Entry]) -> list[Signed]:
    """Return race control's words from their entries, without the beginning of its day."""
    return [act_of(one, Control) for one in entries if one.seq > 1]


def obeying(said: Sequence[Signed]) -> Callable[[RaceDesk], None]:
    """Return an act that applies all these rulings to a desk."""

    def do(desk: RaceDesk) -> None:
        for one in said:
            obey(desk, one)

    return do


def obey(desk: RaceDesk, said: Signed) -> bool:
    """Enter a ruling or penalty for this race; return True if it was entered.

    One that was entered before is skipped, even if the table has undone it. A change that no longer makes sense is
    entered as a remark.
    """
    act = said.act
    if not isinstance(act, CallRuled | Penalty) or act.log_id != desk.history.log_id:
        return False
    text = act.text if isinstance(act, CallRuled) else f"{act.car}: {act.text} ({act.why})"
    noted = f"{text} [{said.seq}]"  # its number in race control's log: the same word again is no second one
    if any(one.text == noted for one in desk.history.said) or any(one.why == noted for one in desk.history.items):
        return False
    words = [one.read() for one in desk.log.entries if one.kind == "override"] if desk.log is not None else []
    if any(isinstance(one, Overridden) and one.why == noted for one in words):
        return False
    if isinstance(act, CallRuled) and act.change:
        try:
            desk.override(act.change, by=said.by, why=noted)
        except CompanionError:
            desk.note(noted, by=said.by)
        return True
    desk.note(noted, by=said.by)
    if isinstance(act, CallRuled) and any(about == act.about for about, _ in desk.open_disputes()):
        desk.uphold(act.about, by=said.by)
    return True
