"""What race control rules goes into the race at the table: as the referee's word, under the name of who said it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from companion.desk import RaceDesk
from companion.rules.conversation.errors import CompanionError
from companion.sheets.entry import Entry, Overridden
from companion.sheets.records import act_of
from companion.tournament.control import Control, Penalty, Ruled
from companion.tournament.record import Signed


def signed_of(entries: Iterable[Entry]) -> list[Signed]:
    """Race control's words, as they came; the beginning of its day is none."""
    return [act_of(one, Control) for one in entries if one.seq > 1]


def obeying(said: Sequence[Signed]) -> Callable[[RaceDesk], None]:
    """Has a desk obey all of that."""

    def do(desk: RaceDesk) -> None:
        for one in said:
            obey(desk, one)

    return do


def obey(desk: RaceDesk, said: Signed) -> bool:
    """Enters a ruling or a penalty, if it is for this race and was not entered before, even if the table has taken it
    back since; whether it was. A change that makes no sense as the race stands by now is noted in words."""
    act = said.act
    if not isinstance(act, Ruled | Penalty) or act.log_id != desk.history.log_id:
        return False
    text = act.text if isinstance(act, Ruled) else f"{act.car}: {act.text} ({act.why})"
    noted = f"{text} [{said.seq}]"  # its number in race control's log: the same word again is no second one
    if any(one.text == noted for one in desk.history.said) or any(one.why == noted for one in desk.history.items):
        return False
    words = [one.read() for one in desk.log.entries if one.kind == "override"] if desk.log is not None else []
    if any(isinstance(one, Overridden) and one.why == noted for one in words):
        return False
    if isinstance(act, Ruled) and act.change:
        try:
            desk.override(act.change, by=said.by, why=noted)
        except CompanionError:
            desk.note(noted, by=said.by)
        return True
    desk.note(noted, by=said.by)
    if isinstance(act, Ruled) and any(about == act.about for about, _ in desk.open_disputes()):
        desk.uphold(act.about, by=said.by)
    return True
