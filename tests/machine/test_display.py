"""What two pictures may differ by and be the same."""

from __future__ import annotations

from pathlib import Path

from PIL import Image, ImageDraw

from tests.machine.bench import SAME
from tests.machine.display import ROUNDING, apart

QUESTION = Path(__file__).parent / "seen/question.png"


def test_another_key_chosen_is_another_picture_and_a_renderers_rounding_is_none(tmp_path: Path) -> None:
    """A button that was not heard moved no ring; at 0.4 % of the pixels that passed for the same."""
    with Image.open(QUESTION) as shown:
        chosen = shown.convert("RGB")
    rounded = chosen.point(lambda value: min(255, value + ROUNDING))
    ImageDraw.Draw(chosen).rounded_rectangle((106, 344, 166, 408), 10, outline="white", width=3)
    for name, picture in {"chosen": chosen, "rounded": rounded}.items():
        picture.save(tmp_path / f"{name}.png")
    assert SAME < apart(tmp_path / "chosen.png", QUESTION).pixels < 0.004
    assert apart(tmp_path / "rounded.png", QUESTION).pixels <= SAME
