"""The session of the line protocol: ids, events and seats.

A reply has the `id` of its line, errors have a code, and a subscriber receives events in place of bare rulings, as seen
from its seat.
"""

from __future__ import annotations

import base64
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Final, Protocol

import msgspec

from companion.desk import RaceDesk
from companion.desk.session import VERSION, Event, Seat, Session, hello
from companion.protocol.fields import Line, plain, switch, text, who, whole
from companion.protocol.messages import event_message
from companion.rules.conversation.asking import Asked, Json, Ruling
from companion.rules.conversation.errors import BadAnswer, NothingToDo
from companion.strict_json import NotJson
from companion.wording import Words

if TYPE_CHECKING:
    from pathlib import Path

SESSION_COMMANDS: Final[Mapping[str, tuple[tuple[str, ...], str]]] = {
    "hello": ((), f'be told who speaks, and which version ({VERSION}): {{"hello": {VERSION}}}; may come first'),
    "subscribe": (
        ("seat", "consequences"),
        'be told every event after that entry of the log (0: all): {"subscribe": 0}; the "seat" is "referee", '
        '"spectator" or the number of a car, which answers its own questions only (and takes its last answer back by '
        '"undo" with the number of the open question); with "consequences" every question '
        "says what its answers may bring",
    ),
    "note": (("by", "memory"), "keep a remark on the sheet"),
    "dispute": (("by", "why", "memory"), "dispute the ruling of that entry (0: the last one)"),
    "uphold": (("by", "memory"), "the disputed ruling of that entry stands"),
    "export": ((), 'the race as "csv", "json", "svg" or "pdf" (in base64)'),
    "list": ((), "races, tracks or rulebooks"),
    "rules": (("rulebook",), "articles by id or by words"),
    "board": ((), "a circuit as data, by its name, or that of the race (true)"),
}
"""Commands of the session by name: the keys allowed with them, and their help."""

FROM_A_SEAT: Final = frozenset({"hello", "subscribe", "answer", "undo", "lang", "list", "rules", "board", "quit"})
"""Commands allowed from a seat other than the referee's."""


class Talker(Protocol):
    """The parts of the referee that the session uses."""

    words: Words
    desk: RaceDesk | None
    folder: Path | None
    rulebook: str

    @property
    def race(self) -> RaceDesk: ...
    def question(self, asked: Asked) -> Line: ...
    def ruling(self, ruling: Ruling) -> Line: ...


class SessionLines:
    """The session of one referee: the seat in use, and the events since the last line."""

    def __init__(self, talker: Talker) -> None:
        self.talker = talker
        self.session: Session | None = None
        self.seat: Seat = "referee"
        self._subscribed = self._consequences = False
        self._heard: list[Event] = []
        self._id: Json = None
        if talker.desk is not None:
            self.sit(talker.desk)

    def sit(self, desk: RaceDesk) -> None:
        """Attach to a race that was opened."""
        self.session = Session(desk)
        self.session.listen(self._heard.append)

    def do(self, name: str, asked: Line) -> list[Line]:
        """Run one of the session's commands."""
        doing: dict[str, Callable[[Line], list[Line]]] = {
            "hello": self.hello, "subscribe": self.subscribe, "note": self.note, "dispute": self.dispute,
            "uphold": self.uphold, "export": self.export, "list": self.listed, "rules": self.rules,
            "board": self.board,
        }  # fmt: skip
        return doing[name](asked)

    def permits(self, name: str) -> None:
        """Raise BadAnswer if the seat may not use a command."""
        if self.seat != "referee" and name not in FROM_A_SEAT:
            raise BadAnswer("not_yours.referee", name=name)

    # -- what goes round each line

    def identified(self, asked: Line) -> Line:
        """Remember the id of a line for its reply; return the line without it.

        Raises NotJson for a malformed id.
        """
        self._id = asked.get("id")
        if isinstance(self._id, bool) or not isinstance(self._id, int | str | None) or len(str(self._id)) > 64:
            self._id = None
            raise NotJson("line_id")
        return {name: value for name, value in asked.items() if name != "id"}

    def marked(self, said: list[Line]) -> list[Line]:
        """Return the lines of the reply with the id of their line."""
        marked, self._id = self._id, None
        return said if marked is None else [{**line, "id": marked} for line in said]

    def happened(self, told: Sequence[Ruling]) -> list[Line]:
        """Return the effects of a line: events for a subscriber, otherwise rulings."""
        heard = list(self._heard)
        self._heard.clear()
        if not self._subscribed or self.session is None:
            return [self.talker.ruling(ruling) for ruling in told]
        return [self._event(self.session.event_for(event, self.seat)) for event in heard]

    def question_line(self) -> Line:
        """Return the last line of a reply: the open question, or the result.

        The question is as the seat may see it; None without a race.
        """
        if self.session is None:
            return {"question": None}
        standing = self.session.standing(self.seat, consequences=self._consequences)
        if standing.asked is None:
            return {"result": list(standing.result)}
        question = self.talker.question(standing.asked)
        if standing.consequences:
            question["consequences"] = plain(standing.consequences)
        if self.session.desk.suggested is not None and self.seat == "referee":
            question["suggested"] = self.session.desk.suggested
        return {"question": question}

    def _event(self, event: Event) -> Line:
        return {"event": plain(event_message(event, self.talker.words, self.talker.race.names))}

    # -- what a line asks for

    def hello(self, asked: Line) -> list[Line]:
        """Return the greeting. Raises BadAnswer for another version."""
        if whole(asked, "hello") != VERSION:
            raise BadAnswer("version.protocol", version=asked["hello"], known=VERSION)
        return [{"hello": msgspec.to_builtins(hello())}]

    def subscribe(self, asked: Line) -> list[Line]:
        """Subscribe a seat; return the events since an entry, and the race's state for the seat.

        Raises BadAnswer for an unknown seat, or an entry below 0.
        """
        after, seat = whole(asked, "subscribe"), asked.get("seat", "referee")
        race = self.talker.race
        assert self.session is not None
        if after < 0:
            raise BadAnswer("subscribe_from", seq=after)
        number = isinstance(seat, int) and not isinstance(seat, bool) and seat in race.names
        if not number and seat not in ("referee", "spectator"):
            raise BadAnswer("seat")
        self.seat = seat  # type: ignore[assignment]
        self._subscribed, self._consequences = True, switch(asked, "consequences")
        self._heard.clear()
        standing = self.session.standing(self.seat)
        shown = {"race": standing.race, "seq": standing.seq, "known": plain(standing.known)}
        lines: list[Line] = [self._event(event) for event in self.session.events(self.seat, after)]
        return [*lines, {"standing": {**shown, "saved": plain(standing.saved)}}]

    def answers(self, asked: Line) -> bool:
        """Answer the seat's own question, or undo it; return False for the referee.

        Raises BadAnswer for other keys.
        """
        if self.seat == "referee" or self.session is None:
            return False
        if "undo" in asked:
            self.session.undo(self.seat, whole(asked, "undo"))
            return True
        if set(asked) != {"answer", "n"}:
            raise BadAnswer("seat_answer")
        self.session.answer(self.seat, whole(asked, "n"), asked["answer"])
        return True

    def note(self, asked: Line) -> list[Line]:
        """Add a note to the log."""
        self.talker.race.note(text(asked, "note"), by=who(asked, False))
        return []

    def dispute(self, asked: Line) -> list[Line]:
        """Dispute the ruling of an entry."""
        race, seq, why, by = self.talker.race, whole(asked, "dispute"), text(asked, "why"), who(asked, False)
        race.dispute(seq or race.history.standing[-1], by=by, why=why)
        return []

    def uphold(self, asked: Line) -> list[Line]:
        """Uphold a disputed ruling."""
        self.talker.race.uphold(whole(asked, "uphold"), by=who(asked, False))
        return []

    def export(self, asked: Line) -> list[Line]:
        """Return the race in a format; PDF in base64.

        Raises BadAnswer for an unknown format, NothingToDo if the race is not stored.
        """
        from companion.printing.forms import FORMS, in_form

        form, log = text(asked, "export"), self.talker.race.log
        if form not in FORMS:
            raise BadAnswer("form", forms=", ".join(FORMS))
        if log is None:
            raise NothingToDo("not_kept")
        made = in_form(form, list(log.entries), self.talker.words.lang)
        written = {"base64": base64.b64encode(made).decode()} if form == "pdf" else {"text": made.decode()}
        return [{"export": {"form": form, **written}}]

    def listed(self, asked: Line) -> list[Line]:
        """Return a list of races, circuits or rulebooks."""
        return [{"list": plain(self._there_are(text(asked, "list")))}]

    def _there_are(self, what: str) -> Sequence[Json]:
        from companion import circuit_index
        from companion.rules.rulebooks import RULEBOOKS
        from companion.sheets.place import data_folder
        from companion.sheets.reading import races, reading

        if what == "rulebooks":
            return [{"rulebook": name, "version": kind.VERSION} for name, kind in RULEBOOKS.items()]
        if what == "tracks":
            rows = [*circuit_index.listed(sections=False), *circuit_index.listed(sections=True)]
            rows = [row if row.checked else circuit_index.read(row.key) for row in rows]
            return [{"track": row.key, "name": row.name, "known": row.known} for row in rows if not row.wrong]
        if what == "races":
            with reading(data_folder(self.talker.folder)) as db:
                return [race._asdict() for race in races(db)]
        raise BadAnswer("line_list_of")

    def rules(self, asked: Line) -> list[Line]:
        """Return articles by id or words."""
        from companion.articles import load

        race = self.talker.desk
        name = text(asked, "rulebook") or (race.rulebook.name if race is not None else self.talker.rulebook)
        lang, said = self.talker.words.lang, text(asked, "rules")
        book = load(name or "competition")
        found = book.find(said, lang) if said else list(book)
        return [{"rules": [{"id": one.id, "title": one.title(lang), "text": one.text(lang)} for one in found]}]

    def board(self, asked: Line) -> list[Line]:
        """Return a circuit as data."""
        from companion import circuits
        from companion.protocol.board_lines import board_lines

        wanted = asked["board"]
        board = self.talker.race.rulebook.track if wanted is True else circuits.board(text(asked, "board"))
        return [{"board": board_lines(board)}]
