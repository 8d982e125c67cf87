"""Responses sent to many browsers, compressed once."""

from __future__ import annotations

import gzip
from typing import Final, NamedTuple

from starlette.requests import Request
from starlette.responses import Response

LEVEL: Final = 6


class Packed(NamedTuple):
    """A page or a file, plain and compressed."""

    plain: bytes
    gzipped: bytes

    def response(self, request: Request, media_type: str = "text/html", **headers: str) -> Response:
        """Respond in the encoding that the browser accepts."""
        given = {name.replace("_", "-"): value for name, value in headers.items()} | {"vary": "Accept-Encoding"}
        if "gzip" not in request.headers.get("accept-encoding", ""):
            return Response(self.plain, media_type=media_type, headers=given)
        return Response(self.gzipped, media_type=media_type, headers={**given, "content-encoding": "gzip"})


def pack(made: bytes | str) -> Packed:
    """Compress a page or a file."""
    plain = made.encode() if isinstance(made, str) else made
    return Packed(plain, gzip.compress(plain, LEVEL))
