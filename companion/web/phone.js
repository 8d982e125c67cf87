// Keeps a page as the race is: reads what the table sends, changes the parts that differ, and sends answers.
// Without it the pages of spectators can be read all the same.

const body = document.body, page = document.getElementById("page"), told = document.getElementById("told");
const kind = body.dataset.page, lang = document.documentElement.lang;
const drives = kind === "drive";
const STALE = 4500, AGAIN = 2000, DEAF = 250, UNTOUCHED = 20000, HELD = 500, STAYS = 20000;
let token = "", n = -1, mark = body.dataset.mark || "", heard = Date.now(), deafUntil = 0, looked = null, sent = -1, awake = null;
let hit = -1, until = 0, last = -1, shot = null, covered = false, pending = false, withdrawn = false, touched = Date.now(), held = 0;

if (drives) {
  window.addEventListener("hashchange", () => location.reload());
  document.getElementById("code").addEventListener("keydown", (event) => { if (event.key === "Enter") typed(); });
}

const overlay = kind === "overlay", wanted = new URLSearchParams(location.search);
const chosen = new URLSearchParams(location.search).get("lang");
try {  // the language that was chosen on this phone
  if (overlay) { /* its language is that of its address */ }
  else if (chosen) localStorage.setItem("lang", chosen);
  else if ((localStorage.getItem("lang") || lang) !== lang) location.replace(`?lang=${localStorage.getItem("lang")}${location.hash}`);
} catch { /* a private window forgets it */ }

function kept(now) {
  token = now;
  try { if (now) localStorage.setItem("token", now); else localStorage.removeItem("token"); } catch { /* a private window forgets it */ }
}

async function begin() {
  if (drives) {
    const code = location.hash.slice(1);
    history.replaceState(null, "", location.pathname + location.search);
    try { token = localStorage.getItem("token") || ""; } catch { token = ""; }
    if (code) await join(code);
    if (!token) gone(false);
  }
  follow();
}

async function join(code) {
  const reply = await fetch("/join", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ code }) }).catch(() => null);
  if (reply && reply.ok) kept((await reply.json()).token);
  else say(reply ? told.dataset.wrong : told.dataset.late);
  return !!reply && reply.ok;
}

async function typed() {
  if (!await join(document.getElementById("code").value)) return;
  page.dataset.state = "joining";
  follow();
}

function headers(more) {
  return token ? { Authorization: `Bearer ${token}`, ...more } : more;
}

function gone(drove = true) {
  whose("gone");
  page.dataset.state = "revoked";
  page.dataset.drove = drove;
  kept("");
}

// shows whose car it is where its own part of the page is not seen
function whose(where) {
  const own = document.querySelector("#head .p.large");
  if (own) document.querySelector(`#${where} .own`).replaceChildren(own.cloneNode(true));
}

// -- what the table sends

let control = new AbortController(), tried = Date.now(), again = () => 0;

setInterval(() => {
  if (Date.now() - heard > STALE) lost(true);
  if (Date.now() - Math.max(heard, tried) > STALE) control.abort();
  if (Date.now() - touched > UNTOUCHED) cover(true);
  tick();
}, 250);

async function follow() {
  while (!drives || token) {
    control = new AbortController();
    tried = Date.now();
    try {
      const last = mark === "" ? {} : { "Last-Event-ID": mark };
      const reply = await fetch(`/events?page=${kind}&lang=${lang}`, { headers: headers(last), signal: control.signal, cache: "no-store" });
      if (reply.status === 401) return gone();
      if (reply.ok) await read(reply.body.getReader());
    } catch { /* no signal, or it was quiet too long */ }
    await new Promise((then) => { again = then; setTimeout(then, AGAIN); });
  }
}

async function read(stream) {
  const decoder = new TextDecoder();
  let text = "";
  for (;;) {
    const { done, value } = await stream.read();
    if (done) return;
    heard = Date.now();
    lost(false);
    text += decoder.decode(value, { stream: true });
    for (let end = text.indexOf("\n\n"); end >= 0; end = text.indexOf("\n\n")) {
      take(text.slice(0, end));
      text = text.slice(end + 2);
    }
  }
}

function take(block) {
  let data = "", id = mark, name = "";
  for (const line of block.split("\n")) {
    if (line.startsWith("data: ")) data += line.slice(6);
    else if (line.startsWith("id: ")) id = line.slice(4);
    else if (line.startsWith("event: ")) name = line.slice(7);
  }
  if (name === "gone") return gone();
  if (!data) return;
  if (name === "clock") {
    shot = JSON.parse(data);
    if (shot) shot.ends = Date.now() + 1000 * shot.left;
    return tick();
  }
  mark = id;
  show(JSON.parse(data));
}

function show(shown) {
  const before = page.dataset.state, was = n, gap = shown.seq > last + 1, ask = document.getElementById("ask"), asked = ask?.written;
  for (const [name, html] of Object.entries(shown.parts)) {
    const part = document.getElementById(name);
    clearTimeout(part.later);
    if (kind === "wall" && name === "card" && !html) part.later = setTimeout(put, STAYS, part, html);
    else put(part, html);
  }
  if (overlay) fit();
  if (last >= 0 && shown.seq > last && kind !== "watch" && (shown.free || shown.state === "over")) say(shown.state === "over" ? "" : shown.free);
  last = shown.seq;
  if (shown.n !== n || (gap && ask?.written !== asked)) deafUntil = Date.now() + DEAF;
  if (shown.n !== n || ask?.written !== asked) looked = null;  // what is highlighted now is what the page came with
  if (drives && before === "asked" && shown.n > was && sent < was) say([told.dataset.answered, shown.last].filter(Boolean).join(": "));
  if (shown.n !== sent || gap) sent = -1;
  n = shown.n;
  page.dataset.n = n;
  page.dataset.seq = shown.seq;
  if (!drives) return;
  body.style.setProperty("--paint", shown.paint);
  page.dataset.state = shown.state;
  if (hit >= 0 && shown.hit > hit) buzz([40, 60, 40]);
  if (shown.state === "waiting" && shown.until === 1 && until > 1) buzz(80);
  hit = shown.hit;
  until = shown.until;
  if (shown.state === "asked" && (before !== "asked" || shown.n !== was)) call();
  if (shown.state !== "asked" && awake) { awake.release().catch(() => 0); awake = null; }
}

// -- what lies over a picture: the parts that were asked for, as large as that, or as large as there is room

function fit() {
  const asked = Math.min(Math.max(Number(wanted.get("scale")) || 1, 0.25), 8), size = (scale) => document.documentElement.style.setProperty("--scale", scale);
  size(asked);
  for (let scale = asked; scale > 0.2 && (page.scrollHeight > innerHeight || page.scrollWidth > innerWidth); scale *= 0.95) size(scale);
}

if (overlay) {
  const parts = (wanted.get("show") || "").split(",").filter(Boolean);
  for (const part of page.querySelectorAll("section")) part.hidden = parts.length > 0 && !parts.includes(part.id);
  addEventListener("resize", fit);
  document.fonts.ready.then(fit);
}

function put(part, html) {
  if (part.written === html) return;
  part.written = html;
  const open = new Set([...part.querySelectorAll("details[open]")].map(called));
  part.innerHTML = html;
  for (const one of part.querySelectorAll("details")) if (open.has(called(one))) one.open = true;
}

function called(details) {
  return details.querySelector("summary").textContent;
}

function lost(is) {
  if (overlay) return;  // on air it stays as it was
  if (page.classList.contains("lost") === is) return;
  page.classList.toggle("lost", is);
  const since = document.querySelector("#lost time");
  if (is && drives) whose("lost");
  if (is && since) since.textContent = new Date(heard).toLocaleTimeString(lang);
  for (const set of document.querySelectorAll("fieldset, .acts button")) {
    if (is) { set.dataset.was = set.disabled; set.disabled = true; } else if ("was" in set.dataset) set.disabled = set.dataset.was === "true";
  }
}

function tick() {
  const clock = document.getElementById("shot");
  const old = drives && page.classList.contains("lost");
  clock.hidden = !shot && !old;
  for (const age of document.querySelectorAll(".age")) {
    const gone = Math.round((Date.now() - heard) / 1000);
    age.textContent = gone < 60 ? `${gone} s` : `${Math.floor(gone / 60)} min`;
  }
  if (!shot && !old) return;
  const left = old ? (Date.now() - heard) / 1000 : shot.paused ? shot.left : (shot.ends - Date.now()) / 1000, whole = Math.abs(Math.ceil(left));
  const text = `${left <= -1 ? "+" : ""}${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
  if (!old && shot.paused && kind === "wall") clock.querySelector("b").textContent = clock.dataset.paused;
  else if (clock.querySelector("b").textContent !== text) clock.querySelector("b").textContent = text;
  clock.className = old ? "paused" : shot.paused ? "paused" : left < 0 ? "over" : left < 10 ? "late" : "";
  clock.querySelector("i").style.width = old ? "0" : `${100 * Math.min(1, Math.max(0, left / shot.of))}%`;
}

function buzz(pattern) {
  if (navigator.vibrate && document.visibilityState === "visible") navigator.vibrate(pattern);
}

function call() {
  buzz(80);
  if (navigator.wakeLock && (!awake || awake.released)) navigator.wakeLock.request("screen").then((lock) => { awake = lock; }, () => 0);
}

function say(text) {
  told.textContent = text;
  setTimeout(() => { if (told.textContent === text) told.textContent = ""; }, 4000);
}

// -- what a driver does

async function send(path, what) {
  const waits = setTimeout(() => {
    say(told.dataset.late);
    const undo = document.querySelector("[data-undo]");
    if (path === "/answer" && undo) undo.disabled = false;  // it withdraws what the table has not taken yet
  }, 2000);
  try {
    const reply = await fetch(path, { method: "POST", headers: headers({ "Content-Type": "application/json", "Last-Event-ID": mark }), body: JSON.stringify(what) });
    if (reply.status === 401) return gone();
    const said = await reply.json();
    if (!reply.ok) { sent = -1; say(said.code === "stale" ? told.dataset.answered : said.error); }
    return reply.ok ? said : undefined;
  } catch {
    sent = -1;
    say(told.dataset.late);
  } finally {
    clearTimeout(waits);
  }
}

async function answer(value, key) {
  if (sent >= n) return;
  sent = n;
  pending = true;
  if (key) { key.classList.add("sent"); key.dataset.sent = told.dataset.sent; }
  const taken = await send("/answer", { n, answer: value });
  pending = false;
  if (key) key.classList.remove("sent");
  if (taken && withdrawn) {
    sent = taken.n;
    await send("/undo", { n: sent });
  }
  withdrawn = false;
}

// takes the ruling of another answer away, which nobody is to accept for this one
function shut() {
  for (const card of document.querySelectorAll("#ask .card")) card.remove();
}

async function look(value, key) {
  looked = { n, value };
  shut();
  if (key) {
    for (const other of document.querySelectorAll("#ask .key.on")) other.classList.remove("on");
    key.classList.add("on");
  }
  const said = await send("/look", { n, answer: value });
  if (!said || looked === null || looked.value !== value) return;
  shut();
  document.querySelector("#ask fieldset").insertAdjacentHTML("beforeend", said.card);
  document.getElementById("wear").innerHTML = said.wear;
  if (said.board) document.getElementById("board").innerHTML = said.board;
}

function meant() {
  if (looked && looked.n === n) return looked.value;
  const on = document.querySelector("#ask .key.on").dataset;
  return JSON.parse(on.look ?? on.answer);
}

// -- a hand of cards

function picks(card) {
  const box = card.closest("[data-ways]"), there = box.getElementsByClassName("on");
  if (!card.classList.contains("on") && there.length >= Number(box.dataset.most)) return say(told.dataset.many);
  card.classList.toggle("on");
  card.setAttribute("aria-pressed", card.classList.contains("on"));
  const codes = [...there].map((one) => one.dataset.card).sort().join();
  const way = JSON.parse(box.dataset.ways).find((one) => one.length && [...one].sort().join() === codes);
  shut();
  looked = null;
  if (way) look(way);
}

function cover(is) {
  covered = is;
  page.classList.toggle("covered", is);
  if (is) for (const hand of document.querySelectorAll("#hand details")) hand.open = false;
}

body.addEventListener("pointerdown", (event) => {
  touched = Date.now();
  if (!covered || !event.target.closest("[data-cover]")) return;
  cover(false);
  held = Date.now();
});

for (const end of ["pointerup", "pointercancel"]) body.addEventListener(end, () => {
  if (held && Date.now() - held > HELD) cover(true);
});

window.addEventListener("deviceorientation", ({ beta, gamma }) => {
  const up = Math.cos(beta * Math.PI / 180) * Math.cos(gamma * Math.PI / 180);
  if (beta !== null && up < -0.8) cover(true);  // laid face down
});

function form(key) {
  const whole = {};
  for (const field of key.closest(".form").querySelectorAll("[data-field]")) whole[field.dataset.field] = JSON.parse(field.dataset.value);
  return whole;
}

function step(button) {
  const field = button.closest("[data-field]"), value = Number(field.dataset.value) + Number(button.dataset.step);
  const most = Number(button.closest(".form").dataset.most);
  const sum = [...button.closest(".form").querySelectorAll("[data-low]")].reduce((all, one) => all + Number(one.dataset.value) * Number(one.dataset.price), 0);
  if (value < Number(field.dataset.low) || value > Number(field.dataset.high)) return;
  if (most && Number(button.dataset.step) > 0 && sum + Number(field.dataset.price) > most) return;
  field.dataset.value = value;
  field.querySelector("output").textContent = value;
}

function pick(button) {
  const field = button.closest("[data-field]");
  field.dataset.value = button.dataset.pick;
  for (const other of field.querySelectorAll("button")) other.classList.toggle("on", other === button);
}

body.addEventListener("click", (event) => {
  touched = Date.now();
  const all = event.target.closest("#order .order") && document.querySelector("#order .all");
  if (all) all.open = !all.open;
  const space = event.target.closest("[data-space]:not(button)");
  const key = space ? document.querySelector(`#ask button[data-space="${CSS.escape(space.dataset.space)}"]`) : event.target.closest("button");
  if (!key || key.disabled || key.matches("fieldset:disabled *") || Date.now() < deafUntil) return;
  const { dataset } = key;
  if ("join" in dataset) typed();
  else if ("cover" in dataset) {
    if (!held) cover(!covered);
    held = 0;
    window.DeviceOrientationEvent?.requestPermission?.().catch(() => 0);
  } else if (covered && key.closest(".secret .keys")) return;
  else if ("card" in dataset) picks(key);
  else if ("answer" in dataset) answer(JSON.parse(dataset.answer), key);
  else if ("look" in dataset) look(JSON.parse(dataset.look), key);
  else if ("accept" in dataset) answer(meant(), key);
  else if ("try" in dataset) { control.abort(); again(); }
  else if ("rejoin" in dataset) { page.dataset.state = "revoked"; page.dataset.drove = false; }
  else if ("pushed" in dataset) send("/pushed", { n });
  else if ("seat" in dataset) send("/seat", { n, ...JSON.parse(dataset.seat) });
  else if ("dispute" in dataset) send("/dispute", { n, answer: meant() });
  else if ("doubt" in dataset) send("/doubt", { n, seq: Number(dataset.doubt) });
  else if ("send" in dataset) answer(form(key), key);
  else if ("step" in dataset) step(key);
  else if ("pick" in dataset) pick(key);
  else if ("undo" in dataset && pending) { withdrawn = true; key.disabled = true; }
  else if ("undo" in dataset) { sent = n; send("/undo", { n }); }
  else if ("table" in dataset) { sent = n; send("/table", { n }).then(() => { sent = -1; }); }
});

document.addEventListener("visibilitychange", () => {
  if (document.visibilityState !== "visible") cover(true);
  else if (page.dataset.state === "asked") call();
});

begin();
