"""The clock on the wall: the log keeps its times in UTC, people read them as they are here."""

from __future__ import annotations

from datetime import datetime


def moment(at: str) -> str:
    """A time of the log to the minute, as it is here: "2026-11-21 21:04"."""
    return _here(at, "%Y-%m-%d %H:%M")


def hour(at: str) -> str:
    """A time of the log as the time of day here: "21:04"."""
    return _here(at, "%H:%M")


def _here(at: str, form: str) -> str:
    """A time in a form; as it stands there if it is none, which a damaged database may have."""
    try:
        return datetime.fromisoformat(at).astimezone().strftime(form)
    except (ValueError, OverflowError):
        return at
