"""Sounds by event and level; a machine without a sound device is silent."""

from __future__ import annotations

import wave
from pathlib import Path
from typing import Any

import pytest

from companion.screens.app import sound
from companion.screens.app.sound import CLOCK, NOTES, Event, Speaker, write


@pytest.mark.parametrize("event", NOTES)
def test_every_sound_is_short_and_clean(event: Event, tmp_path: Path) -> None:
    write(event, tmp_path / "sound.wav")
    with wave.open(str(tmp_path / "sound.wav")) as file:
        assert file.getnchannels() == 1
        length = file.getnframes() / file.getframerate()
        samples = memoryview(file.readframes(file.getnframes())).cast("h")
    assert length == pytest.approx(sum(note.ms for note in NOTES[event]) / 1000, abs=0.001)
    assert length <= 0.7
    assert 3000 < max(samples) < 32767
    assert abs(samples[0]) < 400
    assert abs(samples[-1]) < 400


def test_levels(monkeypatch: pytest.MonkeyPatch) -> None:
    assert {event for event in NOTES if Speaker("all").heard(event)} == set(NOTES)
    assert {event for event in NOTES if Speaker("clock").heard(event)} == set(CLOCK)
    assert not any(Speaker("off").heard(event) for event in NOTES)
    monkeypatch.setattr(Speaker, "_load", lambda _: pytest.fail("nothing is made for what is not heard"))
    Speaker("off").play("over")
    Speaker("clock").play("accepted")


def test_without_a_device_it_is_silent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sound, "_device", lambda: False)
    speaker = Speaker()
    speaker.play("over")
    assert speaker._ready is None


def test_a_loudspeaker_that_is_plugged_in_later_is_heard(monkeypatch: pytest.MonkeyPatch) -> None:
    there: list[bool] = []
    monkeypatch.setattr(sound, "_device", lambda: bool(there))
    monkeypatch.setenv("SDL_AUDIODRIVER", "dummy")
    speaker = Speaker()
    speaker.play("over")
    there.append(True)
    speaker.play("over")
    assert speaker._ready is not None
    assert set(speaker._ready) == set(NOTES)


def test_a_device_that_takes_nothing_is_silent_too(monkeypatch: pytest.MonkeyPatch) -> None:
    from kivy.core.audio import SoundLoader

    monkeypatch.setattr(sound, "_device", lambda: True)
    monkeypatch.setattr(SoundLoader, "load", staticmethod(lambda _: None))
    speaker = Speaker()
    speaker.play("over")
    assert speaker._ready == {}


def test_a_sound_begins_anew_each_time(monkeypatch: pytest.MonkeyPatch) -> None:
    from kivy.core.audio import SoundLoader

    played: list[str] = []

    class Heard:
        length = 0.1

        def __init__(self, path: str) -> None:
            assert Path(path).stat().st_size > 100
            self.name = Path(path).stem

        def stop(self) -> None:
            played.append(f"stop {self.name}")

        def play(self) -> None:
            played.append(self.name)

    def load(path: str) -> Any:
        return Heard(path)

    monkeypatch.setattr(sound, "_device", lambda: True)
    monkeypatch.setattr(SoundLoader, "load", staticmethod(load))
    speaker = Speaker("clock")
    speaker.play("tick")
    speaker.play("accepted")
    speaker.play("tick")
    assert played == ["stop tick", "tick", "stop tick", "tick"]
