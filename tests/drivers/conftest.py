"""One course of Monaco for all tests that need one: working it out takes seconds."""

from __future__ import annotations

import pytest

from companion import circuits
from companion.drivers.course import Course, Scene


@pytest.fixture(scope="session")
def monaco() -> Course:
    course = Course(circuits.load("monaco"), Scene("competition", "dry", "hard"))
    course.work_out()
    return course
