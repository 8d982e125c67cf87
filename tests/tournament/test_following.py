"""The board of a trial followed silently: what it finds, and what follows once the commissioner accepts it."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest
from click.testing import CliRunner

from companion import circuits
from companion.commands.main import companion
from companion.desk.trial_desk import TrialDesk
from companion.rules.circuit.track import Track
from companion.rules.conversation.errors import BadEntry
from companion.rules.conversation.faces import FACES
from companion.tournament.following import FollowedLap, findings, open_findings, start_of
from companion.tournament.trial import Finding, Throw, Trial, Tyres


def track() -> Track:
    board = circuits.board("monaco")
    assert isinstance(board, Track)
    return board


def lap(rng: Random, trial: Trial) -> Trial:
    """A lap driven by the rules, gears as the next corner wants them, each throw counted and seen."""
    board = FollowedLap(track(), trial)
    while not board.home:
        gears = [gear for gear in FACES if board.book.gears.may_shift(board.car, gear) and gear < 5]
        gear = rng.choice(gears)
        kept = board.car.gear
        board.car.gear = gear
        face = rng.choice(FACES[gear])
        board.book.race.move = board.book.turn.new_move(board.car)
        stops = board._reached(face)
        board.car.gear = kept
        best = min(one.missing for one in stops)
        stop = rng.choice([one for one in stops if one.missing == best])
        throw = Throw(gear, face, board.track.spaces[stop.space].name)
        trial = trial.count_tap("throw").add_throw(throw)
        for _ in range(stop.overshot):
            trial = trial.count_tap("over")
        board.throw(throw)
        if best >= 2:
            return trial
    return trial


def followed(*throws: tuple[int, int, str], taps: int = -1, tyres: Tyres = "hard", sky: Any = "sun") -> Trial:
    """A trial of which these throws were seen, and as many (or `taps`) counted."""
    trial = Trial(driver=7, tyres=tyres, sky=sky)
    for throw in throws:
        trial = trial.add_throw(Throw(*throw))
    for _ in range(len(throws) if taps < 0 else taps):
        trial = trial.count_tap("throw")
    return trial.stopped(4000)


def opened(trial: Trial) -> list[Finding]:
    """The open findings of a lap, but for its end where it was not driven to it."""
    return [one for one in open_findings(track(), trial) if one.what != "line"]


def whats(trial: Trial) -> list[tuple[str, int]]:
    return [(one.what, one.throw) for one in opened(trial)]


@pytest.mark.article("competition", "1-2-2", "1-1-3")
def test_the_car_begins_on_the_first_whole_space_of_the_middle_lane() -> None:
    assert track().spaces[start_of(track())].name == "20:middle:16"
    assert whats(followed((1, 2, "0:middle:1"))) == []
    assert whats(followed((1, 2, "0:middle:2"))) == [("misplaced", 1)]
    assert whats(followed((1, 2, "0:middle:2"), tyres="soft")) == []  # the extra space of soft tyres
    assert whats(followed((1, 2, "0:middle:2"), tyres="soft", sky="rain")) == [("misplaced", 1)]
    assert whats(followed((2, 2, "0:middle:1"))) == [("gear", 1)]
    assert whats(followed((1, 3, "0:middle:2"))) == [("die", 1)]
    assert whats(followed((1, 0, "20:right:18"))) == []  # nobody saw the face, and one of the die's goes there


@pytest.mark.article("competition", "1-2-2", "1-0-1")
def test_a_lap_by_the_rules_has_nothing_to_be_found() -> None:
    ended = 0
    for seed in range(12):
        tyres: Tyres = ("hard", "soft", "rain")[seed % 3]  # type: ignore[assignment]
        trial = lap(Random(seed), Trial(driver=7, tyres=tyres, sky="rain" if seed % 2 else "sun"))
        found = [one.what for one in findings(track(), trial)]
        ended += found == ["stops"]
        assert found in ([], ["stops"]), (seed, found)
    assert ended < 12


CLEAN = ((1, 2, "0:middle:1"), (2, 4, "0:middle:5"))


@pytest.mark.article("competition", "1-2-2", "1-1-11")
def test_a_misplaced_car_costs_ten_once_it_is_accepted() -> None:
    trial = followed(*CLEAN, (3, 4, "0:left:4"))
    finding = opened(trial)[0]
    assert (finding.what, finding.throw, finding.article) == ("misplaced", 3, "1-1-11")
    assert trial.time().total == 3
    assert trial.decided(finding, accepted=True).time().total == 13
    assert whats(trial.decided(finding, accepted=True)) == []
    assert trial.decided(finding, accepted=False).time().total == 3
    assert whats(trial.decided(finding, accepted=False)) == []
    with pytest.raises(BadEntry, match="answer already"):
        trial.decided(finding, accepted=True).decided(finding, accepted=False)
    assert whats(trial.count_tap("misplaced")) == []  # a steward has seen it too


FAST = ((1, 2, "0:middle:1"), (2, 4, "0:middle:5"), (3, 8, "2:right:4"))
"""The third throw ends four spaces beyond a corner in which one stop was due."""


@pytest.mark.article("competition", "1-2-2", "1-1-12")
@pytest.mark.parametrize(("tyres", "each"), [("hard", 1), ("soft", 2), ("rain", 2)])
def test_overshot_spaces_cost_the_tyres_factor(tyres: Tyres, each: int) -> None:
    trial = followed(*FAST, tyres=tyres)
    (finding,) = opened(trial)
    assert (finding.what, finding.throw, finding.more) == ("over", 3, 4)
    assert trial.decided(finding, accepted=True).time().total == 3 + 4 * each
    counted = Trial(driver=7, tyres=tyres, followed=trial.followed, throws=3, overshot=1, clock=4000)
    (rest,) = opened(counted)
    assert rest.more == 3  # one of the four a steward had counted
    assert opened(counted.decided(rest, accepted=True)) == []


@pytest.mark.article("competition", "1-2-2", "1-1-14")
def test_two_stops_missed_make_it_last_and_end_what_is_to_be_found() -> None:
    seen = Trial(driver=7, tyres="hard")
    for seed in range(60):
        seen = lap(Random(seed), Trial(driver=7, tyres="hard"))
        if (found := findings(track(), seen)) and found[-1].what == "stops":
            break
    trial = seen.stopped(4000)
    (finding,) = open_findings(track(), trial)
    assert finding.article == "1-1-14"
    assert not trial.time().last
    last = trial.decided(finding, accepted=True)
    assert last.time().last
    assert open_findings(track(), last) == ()


@pytest.mark.article("competition", "1-2-2", "1-1-10")
def test_throws_are_told_once_the_car_is_home_if_they_were_counted_otherwise() -> None:
    whole = next(
        one for one in (lap(Random(seed), Trial(driver=7, tyres="hard")) for seed in range(60))
        if not findings(track(), one)
    )  # fmt: skip
    for counted, more in ((whole.throws - 2, 2), (whole.throws + 1, -1)):
        trial = Trial(driver=7, tyres="hard", followed=whole.followed, overshot=whole.overshot, throws=counted)
        trial = trial.stopped(4000)
        assert open_findings(track(), trial) == (Finding("throws", 0, "1-1-10", more=more),)
        assert trial.decided(open_findings(track(), trial)[0], accepted=True).throws == whole.throws
    line, seen_to = Finding("line", 0, "1-1-8"), len(whole.followed) - 1
    for counted, more in ((seen_to + 9, 0), (seen_to, 0), (seen_to - 2, 2)):  # it was not followed to the line
        part = Trial(driver=7, tyres="hard", followed=whole.followed[:-1], throws=counted, overshot=9).stopped(4000)
        throws = (Finding("throws", 0, "1-1-10", more=more),) if more else ()
        assert open_findings(track(), part) == (*throws, line), "what was seen was thrown; the rest nobody saw"
    alone = Trial(driver=7, tyres="hard", followed=whole.followed, overshot=whole.overshot).stopped(4000)
    assert (alone.time().throws, whats(alone)) == (whole.throws, [])  # nobody else has counted


@pytest.mark.article("competition", "1-2-2", "1-1-9")
def test_a_ruling_of_the_head_steward_leaves_nothing_to_be_found() -> None:
    trial = followed(*FAST)
    assert whats(trial) == [("over", 3)]
    disputed = Trial(driver=7, tyres="hard", followed=trial.followed, throws=3, clock=4000, disputed=True)
    assert whats(disputed.ruled(3, 0, 0)) == []


@pytest.mark.article("competition", "1-2-2")
@pytest.mark.parametrize("at", ["pit:1", "box:2", "0:middle:99", "corner:3", ""])
def test_only_a_space_of_the_track_can_be_followed_to(at: str) -> None:
    with pytest.raises(BadEntry, match="on its track"):
        FollowedLap(track(), Trial(driver=7, tyres="hard")).throw(Throw(1, 1, at))


def said(folder: Path, *lines: Any, options: tuple[str, ...] = (), lang: str = "en") -> list[dict[str, Any]]:
    text = "".join(json.dumps(line) + "\n" for line in lines)
    words = ["--data", str(folder), "--lang", lang, "trial", *options, "lines"]
    done = CliRunner().invoke(companion, words, input=text)
    assert done.exit_code == 0, done.output
    return [json.loads(line) for line in done.output.splitlines()]


def seen(*throws: tuple[int, int, str]) -> list[dict[str, object]]:
    acts = [{"act": "followed", "gear": gear, "face": face, "at": at} for gear, face, at in throws]
    return [one for act in acts for one in ({"act": "tap", "tap": "throw"}, act)]


NEW = ("--drivers", "14 Vidal, 7 Brun", "--by", "Ada")


@pytest.mark.article("competition", "1-2-2", "1-1-12")
def test_findings_by_lines_are_acts_that_are_undone_and_replayed(tmp_path: Path) -> None:
    told = said(
        tmp_path, {"act": "sky", "sky": "sun"}, {"act": "start", "driver": 14, "tyres": "soft"}, *seen(*FAST),
        {"list": "findings"}, {"accept": 1}, {"act": "stop", "clock": 4000}, {"list": "findings"}, {"accept": 3},
        {"accept": 1}, {"state": True},
        {"undo": True}, {"reject": 1}, {"list": "findings"}, {"undo": True}, {"accept": 1}, {"reject": 1},
        {"act": "enter"}, {"list": "times"}, options=NEW,
    )  # fmt: skip
    line = {"what": "line", "throw": 0, "article": "1-1-8"}
    assert not any("error" in line for line in told[:9])
    assert told[8:10] == [{"rows": []}, {"error": "There is no finding 1; without an answer are 0."}]
    assert told[11]["rows"] == [{"what": "over", "throw": 3, "article": "1-1-12", "more": 4}, line]
    assert told[12]["error"].startswith("There is no finding 3")
    assert (told[13]["act"], told[13]["accepted"], told[14]["trial"]["total"]) == ("judge", True, 3 + 4 * 2)
    assert told[16]["accepted"] is False
    assert told[17] == {"rows": [line]}
    assert told[-1]["rows"][0]["time"]["total"] == 11
    assert said(tmp_path, {"list": "times"})[0] == told[-1]


@pytest.mark.article("competition", "1-1-8", "1-2-2")
def test_a_lap_that_is_not_over_the_line_has_no_time(tmp_path: Path) -> None:
    begun = {"act": "start", "driver": 14, "tyres": "soft"}
    told = said(
        tmp_path, {"weather": 20}, begun, *seen((1, 2, "0:middle:1")), {"act": "stop"}, {"act": "enter"},
        {"act": "dispute"}, {"act": "enter"}, {"undo": True}, {"accept": 1}, {"act": "enter"}, {"list": "times"},
        {"act": "again", "why": "short of the line"}, begun, *seen((1, 2, "0:middle:1")), {"act": "stop"},
        {"reject": 1}, {"act": "enter"}, {"list": "times"}, options=NEW,
    )  # fmt: skip
    open_ = {"error": "Accept or reject each finding of this lap before it is entered; 1 still open."}
    short = {"error": "The car was not over the line; undo back to the running clock, or drive again."}
    assert (told[5], told[7], told[10]) == (open_, open_, short)
    assert [row["time"] for row in told[11]["rows"]] == [None, None]
    assert told[17]["finding"] == {"what": "line", "throw": 0, "article": "1-1-8"}
    assert told[-1]["rows"][0]["time"]["total"] == 1
    assert "errors" not in told[-1]
    french = said(tmp_path, {"act": "start", "driver": 7, "tyres": "soft"}, *seen((1, 2, "0:middle:1")),
                  {"act": "stop"}, {"act": "enter"}, {"accept": 1}, {"act": "enter"}, lang="fr")  # fmt: skip
    assert (
        french[4]["error"]
        == "Acceptez ou rejetez chaque constat de ce tour avant de l’inscrire\u00a0; en attente\u00a0: 1."
    )
    assert french[6]["error"].startswith("La voiture n’avait pas franchi la ligne")


@pytest.mark.article("competition", "1-1-8", "1-1-9")
def test_a_lap_whose_end_was_not_seen_is_told_driven_again_or_ruled(tmp_path: Path) -> None:
    lines = ["sun", "soft", "", "1 2 0:middle:1", ".", "", "+1", "", "a", "hard", "", "1 2 0:middle:1", ".", "+1", "d",
             "rule 18 0 0 seen over the line", "", "l"]  # fmt: skip
    words = ["--data", str(tmp_path), "--lang", "en", "trial", *NEW]
    done = CliRunner().invoke(companion, words, input="\n".join(lines) + "\n")
    assert done.exit_code == 0, done.output
    assert "What counts? > " in done.output
    assert "a to drive again" in done.output
    assert "Drive again? > " in done.output
    assert said(tmp_path, {"list": "times"})[0]["rows"][0]["time"]["total"] == 18


def test_what_cannot_be_followed_is_one_sentence(tmp_path: Path) -> None:
    told = said(
        tmp_path, {"act": "followed", "gear": 1, "face": 1, "at": "0:middle:1"}, {"weather": 1},
        {"act": "start", "driver": 14, "tyres": "soft"}, {"act": "followed", "gear": 7, "face": 1, "at": "0:middle:1"},
        {"act": "followed", "gear": 1, "face": 31, "at": "0:middle:1"}, {"act": "followed", "gear": 1, "at": "pit:1"},
        {"act": "judge", "finding": {"what": "stops", "throw": 1, "article": "1-1-14"}, "accepted": True},
        {"state": True}, options=NEW,
    )  # fmt: skip
    assert [("error" in line) for line in told] == [True, False, False, True, True, True, True, False]
    assert told[-1]["trial"]["followed"] == []
    nearer = tmp_path / "corners"
    sheet = said(
        nearer, {"act": "sky", "sky": "sun"}, {"act": "start", "driver": 14, "tyres": "soft"},
        {"act": "followed", "gear": 1, "face": 1, "at": "after:0"}, options=("--track", "spa", *NEW), lang="fr",
    )  # fmt: skip
    assert "case par case" in sheet[-1]["error"]


def test_the_terminal_follows_and_shows_what_it_found(tmp_path: Path) -> None:
    lines = [
        "sun",
        "soft",
        "1 2 0:middle:1",
        "2 4 0:middle:5",
        "3 8 2:right:4",
        "+1",
        ".",
        "",
        "+1",
        "-1",
        "",
        "l",
    ]
    words = ["--data", str(tmp_path), "--lang", "en", "trial", *NEW]
    done = CliRunner().invoke(companion, words, input="\n".join(lines) + "\n")
    before, _, after = done.output.partition("Followed to throw 3: 2 found")
    assert "overshot" not in before.replace("spaces overshot", "")
    assert "1 Throw 3: 4 overshot: gear 3, die 8, on 2:right:4 · 1-1-12  +8" in after
    assert "2 Not over the line: gear 3, die 8, on 2:right:4 · 1-1-8  no time" in after
    assert "before it is entered; 2 still open." in after
    assert "Vidal" in after
    assert said(tmp_path, {"list": "times"})[0]["rows"][0]["time"]["total"] == 11


@pytest.mark.article("competition", "1-2-2")
def test_nothing_is_said_before_the_lap_is_over() -> None:
    running = Trial(driver=7, tyres="hard").add_throw(Throw(2, 2, "0:middle:1"))
    assert findings(track(), running)
    assert open_findings(track(), running) == ()
    assert running.count_tap("throw").stopped(100).add_throw(Throw(2, 2, "0:middle:3")).followed[-1].at == "0:middle:3"


@pytest.mark.article("competition", "1-2-2", "1-1-11")
@pytest.mark.parametrize(("at", "moved"), [("0:middle:3", 4), ("0:middle:4", 0)])
def test_a_misplaced_car_is_looked_for_three_spaces_too_far_and_no_farther(at: str, moved: int) -> None:
    """One space was thrown: four are a miscount, five are no way at all."""
    stop = FollowedLap(track(), Trial(driver=7, tyres="hard")).throw(Throw(1, 1, at))
    assert (stop.placed, stop.moved) == (False, moved)
    assert FollowedLap(track(), Trial(driver=7, tyres="hard")).throw(Throw(1, 2, "0:middle:1")).moved == 2


@pytest.mark.article("competition", "1-1-9", "1-2-2", "1-3-1")
def test_what_is_ruled_has_no_more_throws_and_a_clock_that_stands_is_the_time() -> None:
    """While it runs the time is that of the clock as it is read."""
    running = Trial(driver=7, throws=3)
    assert running.time(1234).clock == 1234
    assert running.stopped(4000).time(1234).clock == 4000
    with pytest.raises(BadEntry, match="over"):
        Trial(driver=7, throws=3, clock=4000, settled=True).add_throw(Throw(1, 2, "0:middle:1"))


# -- a throw counts once, however it is entered

MIXED = ("1 2 0:middle:1", "2 4 0:middle:5", "", "", "3 5 5:left:1")
"""Five throws: two seen, two that nobody saw, one seen."""


def typed(folder: Path, *lines: str, rulebook: str = "competition", drivers: str = "14 Vidal") -> str:
    """What the terminal's trial says to these lines, after the sky and the tyres of the competition."""
    first = ("sun", "hard") if rulebook == "competition" else ("",)
    words = ["--data", str(folder), "--lang", "en", "trial", "--drivers", drivers, "--rulebook", rulebook]
    done = CliRunner().invoke(companion, words, input="\n".join((*first, *lines)) + "\n")
    assert done.exit_code == 0, done.output
    return " ".join(done.output.split())


def counted(folder: Path) -> int:
    """The throws of the trial under way, or of the only one that was entered."""
    with TrialDesk.resume(folder) as desk:
        trial = desk.record.trial
        return trial.throw_count if trial is not None else next(iter(desk.record.runs[14].values())).throws


@pytest.mark.article("competition", "1-1-10", "1-2-2")
@pytest.mark.article("formula-d", "option.trial")
@pytest.mark.parametrize("rulebook", ["competition", "formula-d"])
def test_every_line_with_a_throw_is_one_throw_at_the_terminal(tmp_path: Path, rulebook: str) -> None:
    zero = "0:00 0 + 0 + 0 + 0 = 0" if rulebook == "competition" else "0:00 0 + 0 + 0 = 0"
    told = typed(tmp_path, *MIXED, "", rulebook=rulebook)
    for throws in range(7):
        assert zero.replace(" 0 ", f" {throws} ", 1)[:-1] + f"{throws} >" in told
    assert counted(tmp_path) == 6
    for lines in (("1 2 0:middle:1", ""), ("", "1 2 0:middle:1")):
        folder = tmp_path / lines[0][:1]
        typed(folder, *lines, rulebook=rulebook)
        assert counted(folder) == 2


@pytest.mark.article("competition", "1-1-10", "1-2-1-1")
@pytest.mark.parametrize("rulebook", ["competition", "formula-d"])
def test_undo_and_a_throw_played_again_take_one_throw_with_its_space(tmp_path: Path, rulebook: str) -> None:
    typed(tmp_path, "1 2 0:middle:1", "2 4 0:middle:5", "u", "2 2 0:middle:3", "r", "2 4 0:middle:5", "", "r",
          rulebook=rulebook)  # fmt: skip
    with TrialDesk.resume(tmp_path) as desk:
        trial = desk.record.trial
        assert trial is not None
        assert trial.throw_count == 2
        assert [throw.at for throw in trial.followed] == ["0:middle:1", "0:middle:5"]


@pytest.mark.article("competition", "1-1-10", "1-1-11", "1-2-2")
def test_what_nobody_saw_on_the_board_is_not_found_fault_with(tmp_path: Path) -> None:
    """A car that was seen again is only put there; faults after that have their throws' own numbers."""
    told = typed(tmp_path, *MIXED, "4 7 5:left:2", ".")
    assert "Followed to throw 6:" in told
    assert "Throw 5" not in told
    assert "Throw 6: misplaced: gear 4, die 7, on 5:left:2" in told


@pytest.mark.article("competition", "1-1-8", "1-1-10", "1-2-2")
@pytest.mark.parametrize("hole", [(3, 6), (0, 3), (0, 12), (0, 0.9), (0.4, 0.8)])
def test_a_lap_of_which_a_part_was_not_seen_comes_home(hole: tuple[float, float]) -> None:
    whole = next(
        one for one in (lap(Random(seed), Trial(driver=7, tyres="hard")) for seed in range(60))
        if not findings(track(), one)
    )  # fmt: skip
    first, after = (at if isinstance(at, int) else int(at * len(whole.followed)) for at in hole)
    trial = Trial(driver=7, tyres="hard")
    for n, throw in enumerate(whole.followed):
        trial = trial.count_tap("throw") if first <= n < after else trial.add_throw(throw, counts=True)
    trial = trial.stopped(4000)
    assert trial.time().throws == whole.throws
    assert {one.what for one in open_findings(track(), trial)} <= {"over"}, "the spaces that nobody has tapped"


@pytest.mark.article("competition", "1-1-10")
def test_by_lines_a_space_belongs_to_the_throw_that_was_tapped_or_is_one(tmp_path: Path) -> None:
    begun = ({"act": "sky", "sky": "sun"}, {"act": "start", "driver": 14, "tyres": "hard"})
    tap = {"act": "tap", "tap": "throw"}
    first, second = (act for act in seen((1, 2, "0:middle:1"), (2, 4, "0:middle:5")) if act != tap)
    for n, (lines, throws) in enumerate((
        ((tap, first, tap, second), 2), ((first, second), 2), ((first, second, tap), 3), ((first, tap, second), 2),
        ((tap, {**first, "counts": True}), 2),
    )):  # fmt: skip
        told = said(tmp_path / str(n), *begun, *lines, {"state": True}, options=NEW)
        assert told[-1]["trial"]["total"] == throws, lines
