"""The styles of Kivy's that are read at the start: those of all widgets that the screens are made of, word for word."""

from __future__ import annotations

import importlib
import pkgutil
import re
from pathlib import Path

import kivy
from kivy.uix.widget import Widget

import companion.screens
from companion.screens.app import launch

RULE = re.compile(r"^<([^>@]+)>:?\n((?:[ \t]+.*\n|\n)+)", re.MULTILINE)
OURS = dict(RULE.findall((Path(launch.__file__).parent / "style.kv").read_text(encoding="utf-8")))
KIVYS = dict(RULE.findall((Path(kivy.kivy_data_dir) / "style.kv").read_text(encoding="utf-8")))


def kinds(kind: type) -> set[type]:
    return {kind}.union(*(kinds(one) for one in kind.__subclasses__()))


def test_each_widget_of_the_screens_has_its_style_and_no_other_is_read() -> None:
    for module in pkgutil.walk_packages(companion.screens.__path__, "companion.screens."):
        importlib.import_module(module.name)
    made = [kind for kind in kinds(Widget) if kind.__module__.startswith("companion.")]
    names = {base.__name__ for kind in made for base in kind.__mro__}
    styled = {rule for rule in KIVYS if names & {name.strip(" -") for name in rule.split(",")}}
    assert set(OURS) == styled
    assert {name: OURS[name].strip() for name in OURS} == {name: KIVYS[name].strip() for name in OURS}
