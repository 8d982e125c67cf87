"""What every screen of a tournament or a season is: it looks at the record that is open, and acts on it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, Literal, TypeVar

from companion.desk.record_desk import RecordDesk
from companion.rules.conversation.errors import CompanionError
from companion.screens.app.screen import Screen
from companion.screens.app.visits import OfRecord
from companion.screens.widgets.empty import Empty, Nothing
from companion.screens.widgets.key import Face, Key
from companion.screens.widgets.pen import Pen
from companion.screens.widgets.theme import theme
from companion.screens.widgets.title_bar import HIGH as BAR
from companion.screens.widgets.title_bar import Title, TitleBar
from companion.sheets.records import kinds
from companion.tournament.record import Act
from companion.view.shown import Undo
from companion.wording import Words

if TYPE_CHECKING:
    from companion.screens.app.app import CompanionApp

T = TypeVar("T")
Kind = Literal["tournament", "season"]

BAND: Final = 104.0
BOTTOM: Final = 64.0
KEYS: Final = 84.0


class RecordScreen(Screen):
    """Shows a record of `kind`, by its id in `given["record"]` (else the last one). A subclass says in `look` what is
    to be shown, and in `place` where everything is; `now` is what was seen last, `main` the key
    that the button beside the screen confirms with."""

    kind: Kind = "season"
    given: OfRecord

    def __init__(self, app: CompanionApp, given: OfRecord) -> None:
        super().__init__(app, given)
        self.now: Any = None
        self.wrong: CompanionError | None = None
        self.bar = TitleBar(app.back)
        self.empty = Empty()
        self.undo, self.main = Key(on_tap=self._undo), Key()
        kind, folder, word = self.record_kind, app.folder, self.record
        app.recording.open(
            f"{kind} {word}", lambda: RecordDesk.resume(folder, kinds()[kind], word), self.again, self._refused
        )

    @property
    def record_kind(self) -> Kind:
        """The kind of record: a tournament or a season."""
        return self.given.get("kind", self.kind)

    @property
    def record(self) -> str:
        """The record's id, or "last"."""
        return self.given.get("record", "last")

    def look(self, desk: RecordDesk[Any], words: Words) -> Any:
        """What is to be shown, looked at in the desk's thread."""
        raise NotImplementedError

    def place(self) -> list[Any]:
        """Puts everything in its place; what is seen."""
        raise NotImplementedError

    # -- looking and acting

    def again(self, *_: object) -> None:
        """Looks anew."""
        words = theme.words
        self.app.recording.do(lambda desk: self.look(desk, words), self._seen, self._refused)

    def _seen(self, found: Any) -> None:
        if self.app.screen is self:
            self.now, self.wrong = found, None
            self.look_again()

    def _refused(self, wrong: CompanionError) -> None:
        if self.app.screen is self:
            self.wrong = wrong
            self.look_again()

    def do(self, make: Callable[[Any], Act], then: Callable[[], object] | None = None, by: str = "table") -> None:
        """Has an act done; what is refused is told, and nothing has changed then."""

        def done(_: object) -> None:
            self.app.playing.signals.happen("accepted")
            if then is not None:
                then()
            self.again()

        self.app.recording.do(lambda desk: desk.act(make(desk.record), by=by), done, self.told)

    def told(self, wrong: CompanionError) -> None:
        """Tells what was refused."""
        self.app.playing.signals.happen("refused")
        self.app.tell(wrong)
        self.again()

    def _undo(self) -> None:
        self.app.recording.do(lambda desk: desk.undo(by="table"), self.again, self.told)

    @property
    def filled(self) -> bool:
        return self.now is not None or self.wrong is not None

    def press(self, name: str) -> None:
        if name == "undo" and self.undo.parent is self and self.undo.on_tap is not None:
            self._undo()
        elif name == "confirm" and self.main.on_tap is not None:
            self.main.on_tap()
        else:
            super().press(name)

    # -- where everything is

    def arrange(self) -> None:
        self.put(self.bar, 0, 0, self.w, BAR)
        seen: list[Any] = [self.bar]
        if self.now is None:
            self.bar.show(Title(text=self.say(f"season.kind.{self.record_kind}")))
        if self.now is not None:
            seen += self.place()
        elif self.wrong is not None:
            wrong = self.wrong
            none = wrong.kind in ("no_record", "no_races")
            title = self.say(f"season.none_{self.record_kind}") if none else self.say("season.unreadable")
            note = self.say(f"season.none_{self.record_kind}_note") if none else theme.words.error(wrong)
            tone: Any = "plain" if none else "bad"
            self.empty.show(Nothing(icon="trophy" if none else "triangle", title=title, note=note, tone=tone))
            self.put(self.empty, 60, BAR + 40, self.w - 120, self.h - BAR - 80)
            seen.append(self.empty)
        self.only(seen, of=[*self.children])

    def put_undo(self, undo: Undo) -> Key:
        """The key that takes back, in its corner."""
        label = theme.say("undo")
        can = bool(undo.label)
        self.undo.show(Face(look="quiet" if can else "barred", icon="undo", label=label, note=undo.label))
        self.undo.on_tap = self._undo if can else None
        self.put(self.undo, 20, self.h - BAND + 8, 92, KEYS)
        return self.undo

    def paint(self, pen: Pen) -> None:
        pen.fill(0, 0, pen.w, pen.h, "bg1")
        if self.now is not None:
            self.draw(pen)

    def draw(self, pen: Pen) -> None:
        """Draws what lies beneath the keys."""
