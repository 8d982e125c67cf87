"""The clock on the wall: the log keeps its times in UTC, people read them as they are here."""

from __future__ import annotations

from datetime import datetime


def moment(at: str) -> str:
    """Return a time of the log to the minute, in local time: "2026-11-21 21:04"."""
    return _here(at, "%Y-%m-%d %H:%M")


def hour(at: str) -> str:
    """Return a time of the log as the local time of day: "21:04"."""
    return _here(at, "%H:%M")


def _here(at: str, form: str) -> str:
    """Return a local time in a form, or the text as it is if it is no time, which a damaged database may have."""
    try:
        return datetime.fromisoformat(at).astimezone().strftime(form)
    except (ValueError, OverflowError):
        return at
