"""A race on phones and a wall: web pages that need no network beyond the local one.

`running` opens and closes them, on one of the `networks`, which may be the device's own (`access_point`). `server` is
what is asked and what is refused, `tokens` who may drive; `hub` has what is shown made once for all pages alike, each
`channel` for those that show the same, and `packed` compresses it once. `feed` is the race as JSON, for programs that
follow it; `api` answers them. `pages` writes the parts of the pages from what the view shows (`view/phones/phone.py`),
with `board` and `art` as SVG; `replay` those of a race that is over, `race_context` what it counts for. `phone.js`
keeps a page as the race is, `phone.css` is how it looks.

Spectators write nothing; a car's token answers that car's questions. Nothing is open until somebody opens it.
"""

from typing import Final

PORT: Final = 8017
"""Default port of the pages."""
