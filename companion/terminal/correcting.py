"""Correcting an answer at the terminal: tried both ways first, then the table chooses."""

from __future__ import annotations

from typing import Final

from companion.desk import Correction
from companion.rules.conversation.asking import Asked, Json
from companion.rules.conversation.errors import BadAnswer, CompanionError
from companion.terminal.answers import is_number, plain, typed, value
from companion.terminal.writing import Writing

PAGE: Final = 14
"""How many more answers or entries are shown at once."""


class Correcting(Writing):
    """What `correct` does."""

    def _do_correct(self, rest: str, asked: Asked | None) -> bool:
        """correct N [ANSWER]: tried both ways first, then the table chooses."""
        words, screen, desk = self.words, self.screen, self.desk
        number, _, said = rest.partition(" ")
        if not is_number(number):
            screen.log(desk, self.names, PAGE)
            raise BadAnswer(words.say("correct_how"))
        n = int(number)
        old = self._question_at(n)
        if not said.strip():
            screen.question(old, self.names)
            said = screen.ask(f"  {words.say('instead')} > ") or ""
            if not said:
                return False
        force = plain(said.split()[0]) in ("force", "forcer")
        said = said.split(maxsplit=1)[-1] if force else said
        answer = value(said, old.ask) if force else typed(said, old, words)
        by, why = self._signed() if force else (self.person, "")
        replay = desk.try_correction(n, answer, force=force)
        screen.wrapped(self._outcome(replay), first="  r  ")
        self._consequences(replay)
        board: Correction | None = None
        try:
            board = desk.try_correction(n, answer, keep="board", force=force)
            screen.wrapped(self._outcome(board, board=True), first=f"  {words.say('board_key')}  ")
            self._consequences(board)
        except CompanionError as wrong:
            screen.wrapped(words.error(wrong), "dim", first=f"  {words.say('board_key')}  ")
        choice = words.say("replay_or_board") if board is not None else words.say("replay_only")
        chosen = plain(screen.ask(f"  {choice} > ") or "")
        if chosen.startswith("r"):
            self._kept(lambda: desk.correct(n, answer, by=by, force=force, why=why))
        elif chosen.startswith(("b", "p")) and board is not None:
            then = self._asked_beside(n, answer, force=force, board=board)
            self._kept(lambda: desk.correct(n, answer, keep="board", by=by, force=force, why=why, then=then))
        else:
            return False
        self._scene = None
        return True

    def _question_at(self, n: int) -> Asked:
        """The question that answer `n` answered, as it was."""
        desk = self.desk
        done = desk.answers()
        if not 0 <= n < len(done):
            raise BadAnswer(self.words.say("no_answer_there", n=n, last=len(done) - 1))
        asked = desk.conversation.fork(desk.rulebook.spare(), n).asked
        if asked is None or done[n].kind != "answer":
            raise BadAnswer(self.words.say("set_not_answered", n=n))
        return asked

    def _outcome(self, done: Correction, *, board: bool = False) -> str:
        words = self.words
        if board:
            count = len(done.changes)
            change = words.say("some_changes", count=count) if count else words.say("nothing_changes")
            return words.say("board_stands", change=change, fell=len(done.fell))
        asks = words.question(done.asks, self.names) if done.asks is not None else words.say("over")
        return words.say("replays", kept=done.kept, all=done.kept + done.dropped, asks=asks)

    def _consequences(self, done: Correction) -> None:
        """What becomes otherwise and what stays, a line each."""
        words = self.words
        for change in done.changes:
            self.screen.wrapped(words.changed(change, self.names), first="       ")
        for entry in done.left:
            self.screen.wrapped(words.left(entry, self.names), "dim", first="       ")

    def _asked_beside(self, n: int, answer: Json, *, force: bool, board: Correction) -> list[Json]:
        """What the corrected step asks that the old answers do not fit: asked here, until nothing is left open."""
        then: list[Json] = []
        while board.asks is not None:
            self.screen.question(board.asks, self.names)
            said = self.screen.ask(f"  {self.words.say('then')} > ")
            stands = [option.answer for option in board.asks.options or [] if option.facts.get("stands")]
            if not said and not stands:
                break
            try:
                then.append(typed(said, board.asks, self.words) if said else stands[0])
                board = self.desk.try_correction(n, answer, keep="board", force=force, then=then)
            except CompanionError as wrong:
                self.screen.complaint(self.words.error(wrong))
                then = then[:-1]
        return then
