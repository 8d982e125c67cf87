"""The web server: pages, their events, acts and refusals.

Nothing is trusted that comes in: sizes, rates, where it came from, who says it. Only a bearer of a car's token can
write, and only that car's answers.
"""

from __future__ import annotations

import asyncio
import contextlib
import ipaddress
import json
import logging
import socket
import time
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from importlib import resources
from pathlib import Path
from typing import Final

from starlette.applications import Starlette
from starlette.datastructures import MutableHeaders
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, JSONResponse, Response, StreamingResponse
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from companion.desk.session import Seat, code_of
from companion.protocol.messages import TableMessage
from companion.rules.conversation.asking import Json
from companion.rules.conversation.errors import CompanionError
from companion.strict_json import read
from companion.view.listing import Listing
from companion.web.art import icon, typeface
from companion.web.feed import FeedChannel
from companion.web.hub import Hub, PageVariant, ShotClockState
from companion.web.packed import Packed, pack
from companion.web.pages import BESIDE, PARTS, STARTS, sentence_page
from companion.web.replay import replay_page
from companion.web.tokens import is_typed
from companion.wording import LANGUAGES, Words

BODY: Final = 4096
"""Maximum size of a request's body, in bytes."""
PATIENCE: Final = 5.0
"""Time limit for sending it, in seconds."""
PING: Final = 2.0
"""Interval of the message that tells a page that nothing is new, in seconds."""
STREAMS, STREAMS_OF_ONE = 400, 40
"""Maximum number of open pages, in total and for one address."""
RATES: Final = {
    "write": (8.0, 16.0), "read": (40.0, 160.0), "made": (4.0, 20.0), "wrong": (1.0, 10.0), "guess": (1.0, 10.0),
}  # fmt: skip
"""Limits for one address, as requests a second and burst: answers ("write"), anything else ("read"), what is made for
it alone ("made"), invalid tokens ("wrong") and wrong joining codes ("guess"). They are independent: flooding the pages
shuts out nobody else."""
RETRY_SECONDS: Final = "1"
"""Seconds after which a limit of one request a second or more, as all are, lets the next one in."""
KNOWN: Final = 1024
"""Number of addresses that are remembered."""
NAMED: Final = 40
"""Maximum number of letters of an address that a sentence repeats."""
SCALES: Final = (0.25, 8.0)
"""Minimum and maximum scale of an overlay, as in `phone.js`."""

ACTS: Final = {
    "answer": {"n", "answer"}, "look": {"n", "answer"}, "undo": {"n"}, "table": {"n"}, "pushed": {"n"},
    "seat": {"n", "car", "driver", "roll"},
    "dispute": {"n", "answer"}, "doubt": {"n", "seq"},
}  # fmt: skip
"""Fields that a driver's page sends, by path."""

HEADERS: Final = {
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; "
    "img-src 'self'; connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
    "cache-control": "no-store",
}
API: Final = "/api"
"""Root of the addresses that any program or page may read."""
API_METHODS: Final = ("GET", "HEAD", "OPTIONS")
API_HEADERS: Final = {
    **HEADERS, "access-control-allow-origin": "*", "cross-origin-resource-policy": "cross-origin",
    "access-control-allow-methods": ", ".join(API_METHODS), "access-control-allow-headers": "*",
}  # fmt: skip


class RequestRefused(Exception):
    """Raised for a refused request, with its status, code, and the facts of its sentence."""

    def __init__(self, status: int, code: str, **facts: Json) -> None:
        super().__init__(code)
        self.status, self.code, self.facts = status, code, facts


class Rates:
    """A rate limit by address and kind of request, as buckets that refill with time."""

    def __init__(self) -> None:
        self._left: OrderedDict[tuple[str, str], tuple[float, float]] = OrderedDict()

    def take(self, kind: str, who: str) -> None:
        """Take one request.

        Raises RequestRefused if it is one too many.
        """
        if not self.allows(kind, who):
            raise RequestRefused(429, "too_many")

    def allows(self, kind: str, who: str) -> bool:
        """Take one request; return False if none is left."""
        left, now = self._refill(kind, who)
        self._left.pop((kind, who), None)
        self._left[kind, who] = (left - 1 if left >= 1 else left, now)
        if len(self._left) > KNOWN:
            self._left.popitem(last=False)
        return left >= 1

    def has(self, kind: str, who: str) -> bool:
        """Return True if a request is left, without taking it."""
        return self._refill(kind, who)[0] >= 1

    def _refill(self, kind: str, who: str) -> tuple[float, float]:
        rate, most = RATES[kind]
        now = time.monotonic()
        left, at = self._left.get((kind, who), (most, now))
        return min(most, left + (now - at) * rate), now


class Guard:
    """Middleware that checks the host, origin and rate of requests, and sets security headers."""

    def __init__(self, app: ASGIApp, rates: Rates) -> None:
        self.app, self.rates = app, rates
        self._names = {"localhost", socket.gethostname().lower(), f"{socket.gethostname().lower()}.local"}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return

        async def sent(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(raw=list(message["headers"]))
                for name, value in (API_HEADERS if _is_open(Request(scope)) else HEADERS).items():
                    headers.setdefault(name, value)
                if "vary" in headers:  # by who made the response, and again by who compresses it
                    headers["vary"] = ", ".join(dict.fromkeys(headers["vary"].split(", ")))
                if message["status"] == 405:
                    headers["allow"] = ", ".join(API_METHODS)
                message = {**message, "headers": headers.raw}
            await send(message)

        if _is_open(Request(scope)):  # /api/v1/race/ is /api/v1/race
            scope = {**scope, "path": scope["path"].rstrip("/")}
        try:
            self._check(Request(scope))
        except RequestRefused as why:
            await refusal(Request(scope), why)(scope, receive, sent)
            return
        if _is_open(Request(scope)) and scope["method"] == "OPTIONS":  # a browser asks what a page may ask
            await Response(status_code=204, headers={"allow": ", ".join(API_METHODS)})(scope, receive, sent)
            return
        with contextlib.suppress(asyncio.CancelledError):  # closed before it took the last word
            await self.app(scope, receive, sent)

    def _check(self, request: Request) -> None:
        who = address_of(request)
        self.rates.take("write" if request.method == "POST" else "read", who)
        if _is_open(request):
            if request.method not in API_METHODS:
                raise RequestRefused(405, "read_only")
            return
        host = request.headers.get("host", "")
        if not self._ours(host):
            raise RequestRefused(421, "host")
        origin = request.headers.get("origin")
        if origin is not None and origin.partition("://")[2] != host:
            raise RequestRefused(403, "origin")
        if request.method == "POST" and origin is None:
            raise RequestRefused(403, "origin")
        if request.headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
            raise RequestRefused(403, "origin")

    def _ours(self, host: str) -> bool:
        """Return True for a name or any address of this machine.

        A name that somebody else gave it is rejected.
        """
        name = host.rpartition(":")[0] if host.rpartition(":")[2].isdecimal() and not host.endswith("]") else host
        if name.lower() in self._names:
            return True
        try:
            ipaddress.ip_address(name.strip("[]"))
        except ValueError:
            return False
        return True


def _is_open(request: Request) -> bool:
    """Return True for what pages of any origin may request: the read-only API."""
    return request.url.path.startswith(f"{API}/") or request.url.path == API


Query = Mapping[str, Callable[[str], bool]]
"""Parameters that a request may have, each with the check of its value."""


def check_query(request: Request, allowed: Query) -> None:
    """Raise RequestRefused for an unknown parameter, a bad value, or two of them."""
    for name, value in request.query_params.multi_items():
        if name not in allowed:
            raise RequestRefused(400, "query", name=_repeated(name), known=", ".join(allowed))
        if len(request.query_params.getlist(name)) > 1:
            raise RequestRefused(400, "query_twice", name=name)
        if not allowed[name](value):
            raise RequestRefused(400, f"query_{name}", value=_repeated(value))


def _repeated(text: str) -> str:
    """Return what an address says as a sentence repeats it: cut, and in quotes if it is blank."""
    return text[:NAMED] if text.strip() else f'"{text[:NAMED]}"'


def is_language(value: str) -> bool:
    """Return True for a language in which there are sentences."""
    return value in LANGUAGES


def _are_parts(value: str) -> bool:
    return set(value.split(",")) <= set(PARTS["overlay"])


def _is_scale(value: str) -> bool:
    try:
        return SCALES[0] <= float(value) <= SCALES[1]
    except ValueError:
        return False


OVERLAY: Final[Query] = {"show": _are_parts, "lang": is_language, "scale": _is_scale}
"""Query parameters of the overlay, each with its check; the page's script reads them."""


def event_stream(request: Request, stream: AsyncIterator[bytes]) -> Response:
    """Respond with server-sent events, or only the headers to a HEAD request."""
    if request.method == "HEAD":
        head = Response(media_type="text/event-stream")
        del head.headers["content-length"]  # of a stream nobody knows it
        return head
    return StreamingResponse(stream, media_type="text/event-stream", headers={"x-accel-buffering": "no"})


def address_of(request: Request) -> str:
    """Return the address that a request comes from."""
    return request.client.host if request.client is not None else ""


def language(request: Request) -> str:
    """Return the language of a page: the one in the query, else the browser's."""
    if (asked := request.query_params.get("lang")) in LANGUAGES:
        return str(asked)
    wanted: list[tuple[float, int, str]] = []
    for place, part in enumerate(request.headers.get("accept-language", "")[:200].split(",")):
        name, _, quality = part.strip().partition(";q=")
        try:
            wanted.append((-float(quality or 1), place, name[:2].lower()))
        except ValueError:
            continue
    return next((name for quality, _, name in sorted(wanted) if name in LANGUAGES and quality), "en")


class Server:
    """The requests to one race's pages."""

    def __init__(self, hub: Hub) -> None:
        self.hub, self.rates = hub, Rates()
        self._streams: dict[str, int] = {}
        self._sheets: dict[str, tuple[int, bytes]] = {}
        self._files = _files()
        self._replaying, self._setting = asyncio.Lock(), asyncio.Lock()

    def app(self, more: Sequence[Route] = ()) -> Starlette:
        """Return the ASGI application, with `more` routes."""
        routes = [*more,
            Route("/", self.page, name="watch"), Route("/drive", self.page, name="drive"),
            Route("/wall", self.page, name="wall"), Route("/overlay", self.page, name="overlay"),
            *(Route(f"/{kind}", self.beside, name=kind) for kind in BESIDE),
            Route("/events", self.events), Route("/sheet.pdf", self.sheet), Route("/replay", self.replay),
            *(Route(f"/{act}", self.act, methods=["POST"], name=act) for act in ACTS),
            Route("/join", self.join, methods=["POST"]),
            *(Route(f"/{kind}.webmanifest", self.manifest, name=f"{kind}_manifest") for kind in STARTS),
            *(Route(path, self.file) for path in self._files),
        ]  # fmt: skip
        guard = Middleware(Guard, rates=self.rates)
        return Starlette(
            routes=routes, middleware=[guard, Middleware(GZipMiddleware, minimum_size=600)],
            exception_handlers=HANDLERS,
        )  # fmt: skip

    async def page(self, request: Request) -> Response:
        """Serve a whole page."""
        kind = request.url.path[1:] or "watch"
        if kind == "overlay":
            check_query(request, OVERLAY)
        return (await self.hub.page(kind, language(request))).response(request)

    async def beside(self, request: Request) -> Response:
        """Serve a list of the race's tournament or season."""
        found = await self.hub.beside(request.url.path[1:], language(request))
        if found is None:
            raise RequestRefused(404, "not_there")
        return found.response(request)

    async def replay(self, request: Request) -> Response:
        """Serve a turn of a finished race."""
        lang, at = language(request), request.query_params.get("at", "0")
        self.rates.take("made", address_of(request))
        try:
            async with self._replaying:  # it takes a while to drive a race again: once for all who look
                turns = await self.hub.replay(lang)
        except CompanionError as wrong:  # an older version has ruled otherwise
            return sentence_response(request, 409, code_of(wrong), self.hub.error_text(wrong, lang))
        if not turns or not (at.isdecimal() and len(at) < 7):
            raise RequestRefused(404, "not_there")
        place = min(int(at), len(turns) - 1)
        return HTMLResponse(replay_page(self.hub.writer(lang), turns, place, plays="play" in request.query_params))

    async def file(self, request: Request) -> Response:
        """Serve a file that is constant while the program runs."""
        made, kind = self._files[request.url.path]
        return made.response(request, kind, cache_control="max-age=3600")

    async def manifest(self, request: Request) -> Response:
        """Serve the manifest with which a phone adds the page to its home screen."""
        kind = request.url.path[1:].partition(".")[0]
        name = Words(language(request)).screen(f"phone.title.{kind}")
        shown = {"name": name, "short_name": "Companion", "start_url": STARTS[kind], "display": "standalone",
                 "background_color": "#0E1216", "theme_color": "#0E1216",
                 "icons": [{"src": "/icon.svg", "sizes": "any", "type": "image/svg+xml"}]}  # fmt: skip
        return JSONResponse(shown, media_type="application/manifest+json")

    async def sheet(self, request: Request) -> Response:
        """Serve the race sheet as PDF."""
        from companion.printing.forms import in_form

        lang = language(request)
        shown, _ = await self.hub.shown(PageVariant("watch", "spectator", lang))
        if not shown.export:
            raise RequestRefused(404, "not_there")
        async with self._setting:  # it takes a while to set: once for all who want it
            seq, made = self._sheets.get(lang, (-1, b""))
            if seq != shown.seq:
                self.rates.take("made", address_of(request))
                made = await asyncio.to_thread(in_form, "pdf", await self.hub.entries(), lang)
                self._sheets[lang] = shown.seq, made
        return Response(made, media_type="application/pdf")

    # -- what is sent to a page

    async def events(self, request: Request) -> Response:
        """Stream the parts of a page whenever they change."""
        kind, who = request.query_params.get("page", "watch"), address_of(request)
        if kind not in PARTS:
            raise RequestRefused(404, "not_there")
        seat: Seat = self._seat(request) if kind == "drive" else "spectator"
        self.must_have_room(who)
        key = PageVariant(kind, seat, language(request))
        stream = self._stream(key, request.headers.get("last-event-id", ""), who, _bearer(request))
        return event_stream(request, stream)

    async def _stream(self, key: PageVariant, last: str, who: str, token: str) -> AsyncIterator[bytes]:
        with self.count_stream(who), (await self.hub.channel(key)).listened() as channel:
            have = channel.version if last == channel.mark and key.kind != "drive" else -1
            shot: ShotClockState | None = None
            yield b": here\n\n"
            while not self.hub.closing:
                if key.kind == "drive":
                    if self.hub.tokens.seat(token) != key.seat:
                        yield b"event: gone\ndata: {}\n\n"
                        return
                    for seat in await self.hub.held(key.seat):
                        self.hub.tokens.hear(seat)
                if channel.version != have:
                    message = channel.change if channel.version == have + 1 else channel.whole
                    have = channel.version
                    yield message
                if self.hub.shot is not shot:
                    shot = self.hub.shot
                    yield _clock(shot)
                await channel.wait(PING)
                if channel.version == have:
                    yield b": still\n\n"

    def must_have_room(self, who: str) -> None:
        """Raise RequestRefused if an address, or all together, have too many pages open already."""
        if sum(self._streams.values()) >= STREAMS or self._streams.get(who, 0) >= STREAMS_OF_ONE:
            raise RequestRefused(503, "full")

    @contextlib.contextmanager
    def count_stream(self, who: str) -> Iterator[None]:
        """Count a page while it is open, even if it leaves before anything was shown."""
        self._streams[who] = self._streams.get(who, 0) + 1
        try:
            yield
        finally:
            self._streams[who] -= 1
            if not self._streams[who]:
                del self._streams[who]

    # -- what other programs read, see `api`

    @property
    def closing(self) -> bool:
        """True while the pages are being closed."""
        return self.hub.closing

    @property
    def feed_refused(self) -> str:
        """The code of the reason why there is no live feed, "" if there is one."""
        return self.hub.feed_refused

    @property
    def folder(self) -> Path | None:
        """The folder of the race."""
        return self.hub.stored.folder if self.hub.stored is not None else None

    async def feed(self, table: str, lang: str) -> FeedChannel:
        """Return the live feed of this table's race."""
        return await self.hub.feed(lang)

    def standings(self, lang: str) -> Listing | None:
        """Return the standings of the race's event, else of the last one here, or None."""
        return self.hub.stored.standings(lang) if self.hub.stored is not None else None

    def tables(self) -> list[TableMessage]:
        """Return no tables: only a hall knows the others."""
        return []

    # -- what a driver does

    async def act(self, request: Request) -> Response:
        """Serve an act: an answer, an undo, a return to the table, a dispute, or a preview."""
        seat, said = self._seat(request), await body_of(request)
        act, n, seq = request.url.path[1:], said.get("n"), said.get("seq", 0)
        if set(said) != ACTS[act] or type(n) is not int or type(seq) is not int:
            raise RequestRefused(400, "bad_request")
        lang, told, seen = language(request), dict[str, Json](), _last_seq(request)
        try:
            if act == "answer":
                told["n"] = await self.hub.answer(seat, n, said["answer"], seen)
            elif act == "undo":
                await self.hub.undo(seat, n, seen)
            elif act == "table":
                await self.hub.give_back(seat, n, seen)
            elif act == "seat":
                await self._hand_over(seat, said)
            elif act == "pushed":
                await self.hub.pushed(n, seen)
            elif act == "dispute":
                await self.hub.dispute(seat, n, said["answer"], lang, seen)
            elif act == "doubt":
                await self.hub.doubt(seat, seq, lang)
            else:
                told |= await self.hub.look(seat, n, said["answer"], lang)
        except CompanionError as wrong:
            return JSONResponse({"error": self.hub.error_text(wrong, lang), "code": code_of(wrong)}, 409)
        return JSONResponse(told)

    async def _hand_over(self, seat: Seat, said: Mapping[str, Json]) -> None:
        """Give a car to the program or to a person, by the referee only."""
        car, driver, rolls = said["car"], said["driver"], said["roll"]
        if seat != "referee":
            raise RequestRefused(403, "not_yours")
        if type(car) is not int or not isinstance(driver, str) or not isinstance(rolls, bool):
            raise RequestRefused(400, "bad_request")
        await self.hub.hand_over(car, driver, rolls)

    async def join(self, request: Request) -> Response:
        """Join a phone with the code on the table's screen; return its car's token."""
        said = await body_of(request)
        code = said.get("code")
        if set(said) != {"code"} or not isinstance(code, str):
            raise RequestRefused(400, "bad_request")
        who = address_of(request)
        if is_typed(code) and not self.rates.has("guess", who):  # a code that is read can be guessed by nobody
            raise RequestRefused(429, "too_many")
        if not (token := self.hub.tokens.join(code)):
            self.rates.take("guess", who)
            raise RequestRefused(401, "token")
        return JSONResponse({"token": token})

    def _seat(self, request: Request) -> Seat:
        """Return the seat whose token a request bears.

        Raises RequestRefused for an invalid token.
        """
        seat = self.hub.tokens.seat(_bearer(request))
        if seat is None:
            self.rates.take("wrong", address_of(request))
            raise RequestRefused(401, "token")
        return seat


def _clock(shot: ShotClockState | None) -> bytes:
    """Return the shot clock as a page receives it."""
    said = None
    if shot is not None:
        left = shot.left - (0 if shot.paused else time.monotonic() - shot.at)
        said = {"left": round(left, 1), "of": shot.of, "paused": shot.paused}
    return f"event: clock\ndata: {json.dumps(said)}\n\n".encode()


def _bearer(request: Request) -> str:
    kind, _, token = request.headers.get("authorization", "")[:200].partition(" ")
    return token if kind == "Bearer" else ""


def _last_seq(request: Request) -> int | None:
    """Return the last entry shown by the page that sent this, if it says."""
    seq = request.headers.get("last-event-id", "").partition("-")[0]
    return int(seq) if seq.isdecimal() and len(seq) < 10 else None


async def body_of(request: Request) -> Mapping[str, Json]:
    """Return the body of a request as an object.

    Raises RequestRefused.
    """
    if request.headers.get("content-type", "").partition(";")[0].strip() != "application/json":
        raise RequestRefused(415, "json")
    body = b""
    try:
        async with asyncio.timeout(PATIENCE):
            async for part in request.stream():
                body += part
                if len(body) > BODY:
                    raise RequestRefused(413, "too_long")
    except (ClientDisconnect, TimeoutError):
        raise RequestRefused(408, "cut_off") from None
    try:
        said = read(body)
    except CompanionError:
        raise RequestRefused(400, "json") from None
    if not isinstance(said, dict):
        raise RequestRefused(400, "json")
    return said


def refusal(request: Request, why: RequestRefused) -> Response:
    """Respond to a refused request with a sentence."""
    facts = {**why.facts, "code": why.code, "address": _at(request)}
    return sentence_response(request, why.status, why.code, Words(language(request)).screen("phone.refused", **facts))


def sentence_response(request: Request, status: int, code: str, error: str) -> Response:
    """Respond with a sentence, as a page in a browser, else as data."""
    headers = None
    if status == 429:
        headers = {"connection": "close", "retry-after": RETRY_SECONDS}  # who floods a line has to open another
    if request.method in ("GET", "HEAD") and "text/html" in request.headers.get("accept", ""):
        return HTMLResponse(sentence_page(language(request), error, _at(request)), status, headers)
    return JSONResponse({"error": error, "code": code}, status, headers)


def _at(request: Request) -> str:
    """Return the address at which a request arrived, whatever name it used."""
    host, port = request.scope.get("server") or ("", 0)
    return f"http://{f'[{host}]' if ':' in host else host}:{port}/"


async def _refused(request: Request, why: Exception) -> Response:
    assert isinstance(why, RequestRefused)
    return refusal(request, why)


async def _gone(request: Request, _: Exception) -> Response:
    return refusal(request, RequestRefused(404, "no_address" if _is_open(request) else "not_there"))


async def _failed(request: Request, why: Exception) -> Response:
    logging.getLogger(__name__).error("a request failed", exc_info=why)
    return refusal(request, RequestRefused(500, "failed"))


HANDLERS: Final = {RequestRefused: _refused, 404: _gone, 405: _gone, 500: _failed}
"""Handlers of requests that fail, by status or error."""


def _files() -> dict[str, tuple[Packed, str]]:
    """Return the static files by path."""
    own = resources.files("companion.web")
    drawn = icon("logo").replace('<svg class="i"', '<svg xmlns="http://www.w3.org/2000/svg"')
    drawn = drawn.replace('class="f"', 'fill="#D4101C"')
    made = {
        "/phone.js": (own.joinpath("phone.js").read_bytes(), "text/javascript"),
        "/phone.css": (own.joinpath("phone.css").read_bytes(), "text/css"),
        "/icon.svg": (drawn.encode(), "image/svg+xml"),
        "/500.woff": (typeface(500), "font/woff"),
        "/700.woff": (typeface(700), "font/woff"),
    }
    return {path: (pack(one), kind) for path, (one, kind) in made.items()}
