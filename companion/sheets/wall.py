"""The clock on the wall: the log keeps its times in UTC, people read them as they are here."""

from __future__ import annotations

from datetime import datetime


def moment(at: str) -> str:
    """A time of the log to the minute, as it is here: "2026-11-21 21:04"."""
    return _here(at).strftime("%Y-%m-%d %H:%M")


def hour(at: str) -> str:
    """A time of the log as the time of day here: "21:04"."""
    return _here(at).strftime("%H:%M")


def _here(at: str) -> datetime:
    return datetime.fromisoformat(at).astimezone()
