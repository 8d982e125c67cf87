"""Sounds by event and level; a machine without a sound device is silent."""

from __future__ import annotations

import os
import subprocess
import sys
import wave
from pathlib import Path
from typing import Any

import pytest

from companion.screens.app import sound
from companion.screens.app.sound import CLOCK, NOTES, Event, Speaker, best_card, write


class Heard:
    """A sound of a device, which notes what it is told."""

    length, volume = 0.1, 1.0

    def __init__(self, path: str, told: list[str]) -> None:
        assert Path(path).stat().st_size > 100
        self.name, self.told = Path(path).stem, told

    def stop(self) -> None:
        self.told.append(f"stop {self.name}")

    def play(self) -> None:
        self.told.append(f"{self.name} {self.volume:.0%}")


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
    assert {event for event in NOTES if Speaker("all").is_audible(event)} == set(NOTES)
    assert {event for event in NOTES if Speaker("clock").is_audible(event)} == set(CLOCK)
    assert not any(Speaker("off").is_audible(event) for event in NOTES)
    monkeypatch.setattr(sound, "best_card", lambda: pytest.fail("nothing is made for what is not heard"))
    Speaker("off").play("over")
    Speaker("clock").play("accepted")


def test_without_a_device_it_is_silent(monkeypatch: pytest.MonkeyPatch) -> None:
    from kivy.core.audio import SoundLoader

    monkeypatch.setattr(sound, "best_card", lambda: None)
    monkeypatch.setattr(SoundLoader, "load", staticmethod(lambda _: pytest.fail("nothing can be heard")))
    Speaker().play("over")


def test_a_loudspeaker_that_is_plugged_in_later_is_heard(monkeypatch: pytest.MonkeyPatch) -> None:
    from kivy.core.audio import SoundLoader

    there: list[str] = []
    made: dict[str, Any] = {}
    load = SoundLoader.load
    monkeypatch.setattr(sound, "best_card", lambda: there[-1] if there else None)
    monkeypatch.setattr(SoundLoader, "load", staticmethod(lambda path: made.setdefault(Path(path).stem, load(path))))
    monkeypatch.setenv("SDL_AUDIODRIVER", "dummy")
    speaker = Speaker()
    speaker.play("over")
    assert made == {}
    there.append("")
    speaker.play("over")
    assert set(made) == set(NOTES)
    assert made["over"].state == "play"


LATER = """
import os, sys
from companion.screens.app import sound
cards = sys.argv[1:]
sound.best_card = lambda: cards[0]
speaker = sound.Speaker()
while cards:
    speaker.play("over")
    played = speaker._ready["over"].state if speaker._ready else "-"
    print(os.environ["ALSA_CARD"], len(speaker._ready or ()), played)
    cards.pop(0)
"""
ALSA = """
pcm.!default {
    @func refer
    name { @func concat strings [ "pcm.card_" { @func getenv vars [ ALSA_CARD ] default "none" } ] }
}
pcm.card_Headphones { type null }
pcm.card_UACDemoV10 { type null }
"""


def test_a_card_that_takes_nothing_gives_no_other_up(tmp_path: Path) -> None:
    """HDMI without a loudspeaker takes nothing, and Kivy would try no card again; one that comes is changed to. With
    the real ALSA, and cards that play into nothing."""
    (tmp_path / "alsa.conf").write_text(ALSA)
    env = {**os.environ, "SDL_VIDEODRIVER": "offscreen", "SDL_AUDIODRIVER": "alsa", "KIVY_NO_ARGS": "1"}
    env |= {"KIVY_HOME": str(tmp_path), "ALSA_CONFIG_PATH": str(tmp_path / "alsa.conf")}
    words = [sys.executable, "-c", LATER, "vc4hdmi0", "Headphones", "UACDemoV10"]
    done = subprocess.run(words, env=env, capture_output=True, text=True, check=True, timeout=120)
    whole = f"{len(NOTES)} play"
    assert done.stdout.splitlines() == ["vc4hdmi0 0 -", f"Headphones {whole}", f"UACDemoV10 {whole}"], done.stderr


PI_4 = """ 0 [Headphones     ]: bcm2835_headpho - bcm2835 Headphones
                      bcm2835 Headphones
 1 [vc4hdmi0       ]: vc4-hdmi - vc4-hdmi-0
                      vc4-hdmi-0
 2 [vc4hdmi1       ]: vc4-hdmi - vc4-hdmi-1
                      vc4-hdmi-1
"""
PI_5 = """ 0 [vc4hdmi0       ]: vc4-hdmi - vc4-hdmi-0
                      vc4-hdmi-0
 1 [vc4hdmi1       ]: vc4-hdmi - vc4-hdmi-1
                      vc4-hdmi-1
"""
PI_3 = """ 0 [vc4hdmi        ]: vc4-hdmi - vc4-hdmi
                      vc4-hdmi
"""
USB = """ 2 [UACDemoV10     ]: USB-Audio - UACDemoV1.0
                      Jieli Technology UACDemoV1.0 at usb-xhci-hcd.0-1, full speed
"""
HAT = """ 3 [sndrpihifiberry]: HifiberryDacp - snd_rpi_hifiberry_dacplus
                      snd_rpi_hifiberry_dacplus
"""


@pytest.mark.parametrize(
    ("cards", "screens", "best"),
    [
        (PI_4, ["HDMI-A-1"], "Headphones"),
        (PI_4 + USB, ["HDMI-A-1"], "UACDemoV10"),
        (PI_5, ["HDMI-A-1"], "vc4hdmi0"),
        (PI_5, ["HDMI-A-2"], "vc4hdmi1"),
        (PI_5, ["DSI-1"], None),
        (PI_5 + USB, ["DSI-1"], "UACDemoV10"),
        (PI_5 + HAT, ["HDMI-A-1"], "sndrpihifiberry"),
        (PI_3, ["HDMI-A-1"], "vc4hdmi"),
        ("--- no soundcards ---\n", ["HDMI-A-1"], None),
        (None, [], None),
    ],
)
def test_where_sound_comes_out_of_a_pi(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cards: str | None, screens: list[str], best: str | None
) -> None:
    if cards is not None:
        (tmp_path / "cards").write_text(cards)
    for name in ("HDMI-A-1", "HDMI-A-2", "DSI-1"):
        (display := tmp_path / f"drm/card1-{name}").mkdir(parents=True)
        (display / "status").write_text("connected\n" if name in screens else "disconnected\n")
    monkeypatch.delenv("SDL_AUDIODRIVER", raising=False)
    monkeypatch.setenv("SDL_VIDEODRIVER", "kmsdrm")
    places = (tmp_path / "cards", tmp_path / "drm", tmp_path / "asound.conf")
    assert best_card(*places) == best
    (tmp_path / "asound.conf").write_text("defaults.pcm.card 1\n")
    assert not best_card(*places), "what somebody has settled for the system holds"


def test_a_device_that_takes_nothing_is_silent_too(monkeypatch: pytest.MonkeyPatch) -> None:
    from kivy.core.audio import SoundLoader

    monkeypatch.setattr(sound, "best_card", lambda: "")
    asked: list[str] = []
    monkeypatch.setattr(SoundLoader, "load", staticmethod(asked.append))
    speaker = Speaker()
    speaker.play("over")
    speaker.play("over")
    assert len(asked) == 1  # nor is it asked again at every sound


def test_a_sound_begins_anew_each_time(monkeypatch: pytest.MonkeyPatch) -> None:
    from kivy.core.audio import SoundLoader

    played: list[str] = []

    monkeypatch.setattr(sound, "best_card", lambda: "")
    monkeypatch.setattr(SoundLoader, "load", staticmethod(lambda path: Heard(path, played)))
    speaker = Speaker("clock")
    speaker.play("tick")
    speaker.play("accepted")
    speaker.play("tick")
    assert played == ["stop tick", "tick 100%"] * 2
