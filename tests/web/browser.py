"""A real Chromium, headless, driven by the WebDriver protocol; each page is a phone of its own."""

from __future__ import annotations

import base64
import json
import shutil
import subprocess
import time
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal

CHROMIUM, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")
MISSING = "There is no Chromium here; apt-get install chromium chromium-driver brings it."
FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-quic",
    "--disable-component-update", "--disable-sync", "--disable-extensions", "--no-first-run", "--hide-scrollbars",
    "--disable-dev-shm-usage", "--mute-audio", "--force-device-scale-factor=1",
)  # fmt: skip
WAIT = 45.0
LISTENS = """addEventListener("DOMContentLoaded", () => {
    window.said = []; window.meanwhile = "";
    const told = document.getElementById("told");
    if (told) new MutationObserver(() => {
        if (!told.textContent) return;
        said.push(told.textContent);
        const key = meanwhile && document.querySelector(meanwhile);
        if (key) { meanwhile = ""; key.click(); }
    }).observe(told, { childList: true });
})"""


class Page:
    """One page in a browser of its own."""

    def __init__(self, at: str, width: int, height: int, lang: str) -> None:
        self._at = at
        options = {"args": [*FLAGS, f"--window-size={width},{height}", f"--lang={lang}"],
                   "prefs": {"intl.accept_languages": lang}}  # fmt: skip
        capabilities = {"alwaysMatch": {"browserName": "chrome", "goog:chromeOptions": options}}
        made = self._ask("POST", "", {"capabilities": capabilities})
        self._at = f"{at}/{made['sessionId']}"
        self.screen(width, height)
        self.devtools("Page.addScriptToEvaluateOnNewDocument", source=LISTENS)

    def _ask(self, method: str, path: str, given: Any = None) -> Any:
        data = json.dumps(given).encode() if given is not None else None
        request = urllib.request.Request(self._at + path, data, {"Content-Type": "application/json"}, method=method)
        with urllib.request.urlopen(request, timeout=60) as reply:
            return json.loads(reply.read())["value"]

    def devtools(self, command: str, **given: Any) -> Any:
        return self._ask("POST", "/goog/cdp/execute", {"cmd": command, "params": given})

    def screen(self, width: int, height: int) -> None:
        """Make the page that large, in CSS pixels."""
        screen = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 700}
        self.devtools("Emulation.setDeviceMetricsOverride", **screen)

    def light(self, look: Literal["dark", "light"]) -> None:
        """What the machine is set to: it is dark around it, or day."""
        self.devtools("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": look}])

    def open(self, address: str) -> None:
        self._ask("POST", "/url", {"url": address})

    def run(self, script: str, *given: Any) -> Any:
        return self._ask("POST", "/execute/sync", {"script": script, "args": list(given)})

    def later(self, script: str, *given: Any) -> Any:
        """What a script hands over, some time later, to the last of its arguments."""
        return self._ask("POST", "/execute/async", {"script": script, "args": list(given)})

    def text(self, selector: str = "main") -> str:
        return str(self.run("const e = document.querySelector(arguments[0]); return e ? e.innerText : ''", selector))

    def state(self) -> str:
        return str(self.run("const p = document.getElementById('page'); return p.dataset.state || ''"))

    def wait(self, holds: Callable[[], Any], seconds: float = WAIT) -> Any:
        """What holds, once it does."""
        end = time.monotonic() + seconds
        while not (found := holds()):
            assert time.monotonic() < end, (self.state(), self.text())
            time.sleep(0.05)
        return found

    def tap(self, selector: str) -> bool:
        """A tap on the first of these, once the page has ears for it; False if there is none."""
        time.sleep(0.3)
        script = "const e = document.querySelector(arguments[0]); if (e) e.click(); return !!e"
        return bool(self.run(script, selector))

    def said(self) -> list[str]:
        """What the page has told in its four seconds each, also while nobody looked."""
        return list(self.run("return said"))

    def meanwhile(self, selector: str) -> None:
        """A tap on this the moment the page tells something next, before it can tell anything else."""
        self.run("meanwhile = arguments[0]", selector)

    def picture(self, path: Path) -> None:
        path.write_bytes(base64.b64decode(self._ask("GET", "/screenshot")))

    def close(self) -> None:
        self._ask("DELETE", "")


def started() -> tuple[subprocess.Popen[str], str]:
    """A driver and its port. It ends at once if its port of IPv4 is taken in IPv6: then the next one is tried."""
    assert DRIVER is not None
    for _ in range(5):
        driver = subprocess.Popen([DRIVER, "--port=0"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        assert driver.stdout is not None
        for line in driver.stdout:
            if "successfully" in line:
                return driver, line.strip().rstrip(".").rpartition(" ")[2]
        driver.wait(10)
    raise RuntimeError(f"{DRIVER} ended five times before it listened")


class Browsers:
    """A driver for as many pages as are wanted."""

    def __init__(self) -> None:
        self._driver, port = started()
        self._at = f"http://127.0.0.1:{port}/session"
        self.pages: list[Page] = []

    def page(self, width: int = 390, height: int = 844, lang: str = "en") -> Page:
        self.pages.append(Page(self._at, width, height, lang))
        return self.pages[-1]

    def close(self) -> None:
        for page in self.pages:
            page.close()
        self._driver.terminate()
        self._driver.wait(10)


WIDTHS = (320, 360, 390, 430)
"""Of phones, in pixels of a page."""
WIDER = """
    const wide = arguments[0], found = [], keys = "button, a, input, select, summary, .key";
    const all = Math.max(document.documentElement.scrollWidth, document.body.scrollWidth, innerWidth);
    if (all > wide) found.push(`the page is ${all} wide`);
    for (const one of document.querySelectorAll("body *")) {
        if (!one.checkVisibility()) continue;
        const key = one.matches(keys), { left, right } = one.getBoundingClientRect();
        const moves = key || /auto|scroll/.test(getComputedStyle(one).overflowX);
        const what = (one.innerText || one.outerHTML).slice(0, 60);
        if (moves && one.scrollWidth > one.clientWidth) found.push(`wider inside: ${what}`);
        if (key && (left < 0 || right > wide)) found.push(`from ${Math.round(left)} to ${Math.round(right)}: ${what}`);
    }
    return found.slice(0, 4)"""


def too_wide(page: Page) -> dict[int, list[str]]:
    """Return what reaches beyond a page by the width of the phone: the page itself, a key, the words of one."""
    found = {}
    for width in WIDTHS:
        page.screen(width, 844)
        if wrong := page.run(WIDER, width):
            found[width] = list(wrong)
    return found


CUT = """
    const head = document.getElementById("top"), { bottom, right } = head.getBoundingClientRect();
    return [...head.querySelectorAll("*")].filter((one) => {
        const at = one.getBoundingClientRect(), cut = one.matches("h1, p") && one.scrollHeight > one.clientHeight + 2;
        return one.checkVisibility() && (cut || at.top < 0 || at.bottom > bottom + 1 || at.right > right + 1);
    }).map((one) => one.innerText || one.outerHTML.slice(0, 60))"""


def too_high(page: Page) -> list[str]:
    """Return what the head of a wall has no room for."""
    return list(page.run(CUT))
