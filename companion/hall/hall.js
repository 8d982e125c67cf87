// Keeps race control's pages as the hall is, counts ages and clocks up, and sends what race control says.
// Without it the pages can be read all the same.

const body = document.body, told = document.getElementById("told"), kind = body.dataset.page;
const lang = document.documentElement.lang, STALE = 10000, TURN = 12000, ON_PAGE = 8;
let heard = Date.now(), ahead = 0, shownAt = 0, code = "";

// Whoever speaks for race control has his code behind the # of the address, also of one that is opened over this page.
function sign() {
  if (location.hash.length > 1) {
    code = location.hash.slice(1);
    try { sessionStorage.setItem("code", code); } catch { /* a private window forgets it */ }
    history.replaceState(null, "", location.pathname + location.search);
  } else {
    try { code = sessionStorage.getItem("code") || code; } catch { /* it is not kept there */ }
  }
  body.classList.toggle("signed", code !== "");
}
addEventListener("hashchange", sign);
sign();

const live = document.getElementById("top") !== null, source = live ? new EventSource(`/events?page=${kind}&lang=${lang}`) : {};
const waiting = new Map(); // parts in which somebody is typing: they come once that is sent, or with the next change
source.onmessage = (event) => {
  const shown = JSON.parse(event.data);
  ahead = shown.at * 1000 - Date.now();
  for (const [name, html] of Object.entries(shown.parts)) put(name, html);
  tick();
};

function put(name, html) {
  const typed = document.activeElement, part = document.getElementById(name), at = part?.contains(typed) ? typed : null;
  waiting.delete(name);
  if (!part) return;
  if (at?.value) { waiting.set(name, html); return; }
  if (part.tagName === "SECTION") part.innerHTML = html;
  else part.outerHTML = html; // one table of many
  if (at?.href) document.querySelector(`#page a[href="${at.getAttribute("href")}"]`)?.focus();
}
source.onopen = () => { heard = Date.now(); };

// A comment in a stream wakes nobody, so a page asks now and then whether anybody is there.
if (live) setInterval(async () => {
  try { if ((await fetch("/icon.svg", { cache: "no-store" })).ok) heard = Date.now(); } catch { /* not live */ }
}, 3000);

function long(seconds) {
  for (const [unit, size] of [["days", 86400], ["hours", 3600], ["minutes", 60]])
    if (seconds >= 2 * size) return body.dataset[unit].replace("#", Math.floor(seconds / size));
  return body.dataset.seconds.replace("#", Math.max(0, Math.floor(seconds)));
}

function tick() {
  const now = Date.now() + ahead;
  for (const one of document.querySelectorAll("time[data-at]")) one.textContent = long(now / 1000 - Number(one.dataset.at));
  const clock = document.querySelector("time[data-clock]");
  if (clock) clock.textContent = new Date(now).toLocaleTimeString("fr", kind === "wall" ? { hour: "2-digit", minute: "2-digit" } : {});
  const lost = Date.now() - heard > STALE;
  if (lost && !body.classList.contains("lost")) document.querySelector(".lost time").textContent = new Date(heard).toLocaleTimeString("fr");
  body.classList.toggle("lost", lost);
  const tiles = [...document.querySelectorAll("#tiles > .tile")], calm = tiles.filter((tile) => !tile.classList.contains("s-call"));
  const room = Math.max(1, ON_PAGE - (tiles.length - calm.length)), pages = Math.ceil(calm.length / room);
  if (tiles.length > ON_PAGE) calm.forEach((tile, at) => { tile.hidden = Math.floor(at / room) !== Math.floor(Date.now() / TURN) % pages; });
}
if (live) { setInterval(tick, 1000); tick(); }

// -- what race control says

async function send(path, said, key) {
  key.disabled = true;
  try {
    const headers = { "Content-Type": "application/json" };
    if (code) headers.Authorization = `Bearer ${code}`;
    const reply = await fetch(path, { method: "POST", headers, body: JSON.stringify(said) });
    const answer = await reply.json();
    say(answer.told || (reply.ok ? "" : answer.error), answer.stays);
    return reply.ok;
  } catch {
    say(told.dataset.late);
  } finally {
    key.disabled = false;
  }
  return false;
}

function say(text, stays) {
  told.textContent = text;
  if (!stays) setTimeout(() => { if (told.textContent === text) told.textContent = ""; }, 6000);
}

function given(from) {
  const { post, ...said } = from.dataset;
  for (const input of from.querySelectorAll("input, select")) said[input.name] = input.value;
  return said;
}

body.addEventListener("click", (event) => {
  const key = event.target.closest("button[data-post]");
  if (key) send(key.dataset.post, given(key), key);
});

body.addEventListener("submit", async (event) => {
  event.preventDefault();
  const form = event.target;
  const taken = await send(form.dataset.post, given(form), form.querySelector("button"));
  if (taken) form.reset();
  document.activeElement.blur();
  if (taken) for (const [name, html] of [...waiting]) put(name, html);
});

body.addEventListener("keydown", (event) => {
  if (event.target.matches("input, select") || kind !== "control" || event.ctrlKey || event.metaKey || event.altKey) return;
  const links = [...document.querySelectorAll("#tables tbody a")], at = links.indexOf(document.activeElement);
  if (event.key === "ArrowDown" && links.length) links[Math.min(at + 1, links.length - 1)].focus();
  else if (event.key === "ArrowUp" && links.length) links[Math.max(at - 1, 0)].focus();
  else if (event.key === "c") document.querySelector("#calls .key")?.focus();
  else return;
  event.preventDefault();
});
