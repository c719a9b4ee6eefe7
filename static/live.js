/* The part of a page that changes (a table, the list of open tables), kept right without reloading.
   Everything works without this file: it posts the same forms, takes the same fragments, and treats
   the socket as a hint only. It holds no text: sentences come from the server, in data attributes
   and in the fragment. */

const root = document.querySelector("[data-live]");
const link = document.getElementById("link");
const live = document.getElementById("live");
const POLL = 1000 * (root.dataset.every ?? 10); // ms between looks at the server while there is no socket
const SILENCE = 20_000; // ms without a word after which a socket is taken for dead
const PATIENCE = 15_000; // ms that a request may take
const SLOW = 1_000; // ms after which the page says that an answer takes its time
const DOUBLE = 400; // ms between the two taps of a double tap
const AGAIN = 3_000; // ms until a move that did not get through is sent again
const SETTLE = 400; // ms in which a second tap still means what was there before

const part = () => root.firstElementChild;
const version = (fragment) => Number(fragment.dataset.version); // NaN where nothing counts versions
const text = (node) => node?.textContent.trim() ?? "";
const token = () => document.querySelector("[name=csrfmiddlewaretoken]").value;

// By this the server knows whom the answer to a move has told.
const MARK = Math.random().toString(36).slice(2, 18);

document.documentElement.classList.add("js");

/* ---- The fragment ---- */

function take(html, mine = false) {
  const next = new DOMParser().parseFromString(html, "text/html").getElementById(part().id);
  if (!next) return;
  if (next.dataset.go) return location.replace(next.dataset.go);
  // Late and doubled messages are dropped; only the answer to a move of mine says more
  // (a refusal) about a version that is already shown.
  const newer = version(next) - version(part());
  if (newer < 0 || (newer === 0 && !mine)) return;
  const told = text(part().querySelector(".log ol:last-child li:last-child"));
  const turn = !mine && isMine() ? headline() : "";
  const before = newer > 0 ? scene() : null;
  const was = signals();
  morph(next);
  dress();
  if (before) play(before, scene());
  if (newer > 0) tell(was, signals());
  // What has just been read out stays, if the answer brings nothing but the same table again.
  if (live && (newer > 0 || part().querySelector(".refusal"))) announce(told, turn);
  if (newer > 0) catchUp();
}

/* What the page says beside the fragment, or what the browser knows better than the server. */
function dress() {
  for (const name of ["turns", "notices"]) {
    const badge = document.getElementById(name);
    if (!badge) continue;
    badge.firstElementChild.textContent = part().dataset[name];
    badge.hidden = part().dataset[name] === "0";
  }
  const title = part().dataset.title ?? document.title.replace(/^\(\d+\) /, "");
  document.title = (part().dataset.turns > 0 ? `(${part().dataset.turns}) ` : "") + title;
  for (const box of document.querySelectorAll("[data-mau]")) box.checked = habit();
  wind();
}

function morph(next) {
  const place = placeOf(document.activeElement);
  Idiomorph.morph(part(), next, {
    callbacks: {
      // What the reader has opened, ticked or typed is his: the server does not know of it.
      beforeAttributeUpdated: (name, node) => !(name === "open" && node.localName === "details"),
      beforeNodeMorphed: (now, then) => {
        if (now.type === "checkbox" && then.type === "checkbox") then.checked = now.checked;
        if (now.type === "text" && then.type === "text" && !then.readOnly) then.setAttribute("value", now.value);
        return true;
      },
    },
  });
  if (place) restore(place);
}

/* Where the focus is, by what outlasts an update: the element, the next thing around it that has an
   id, its place in the hand. */
function placeOf(node) {
  if (!part().contains(node)) return null;
  const card = node.closest(".hand > li");
  return { node, id: node.closest("[id]").id, index: card ? cards().indexOf(card) : -1 };
}

const cards = () => [...part().querySelectorAll(".hand > li")];
const control = (within) => within?.querySelector("summary, button, a");

/* The card that was played is gone, its place in the hand is not; without a hand there is a result. */
function restore({ node, id, index }) {
  if (document.activeElement === node && node.checkVisibility()) return;
  const same = [part().id, "hand"].includes(id) ? null : control(byId(id));
  const near = index < 0 ? null : control(cards()[index] ?? cards().at(-1));
  const places = [node, same, near, ...["hand", "result", "main"].map(byId)];
  places.find((each) => each?.isConnected && each.checkVisibility()).focus({ preventScroll: true });
}

const byId = (id) => document.getElementById(id);
const headline = () => text(part().querySelector(".headline"));
const isMine = () => part().matches(".mine");

/* All that happened, what concerns the reader, or his turn alone: as he has set it. `turn` is the
   headline of a turn that he has been told of. */
function announce(told, turn) {
  const wanted = root.dataset.voice;
  const log = [...part().querySelectorAll(".log li")];
  const fresh = log.slice(log.map(text).lastIndexOf(told) + 1);
  const heard = fresh.filter((line) => wanted === "all" || (wanted === "mine" && "mine" in line.dataset));
  const words = [part().querySelector(".refusal"), ...heard].map(text);
  const due = isMine() || part().matches(".finished");
  if (wanted === "all" || (due && headline() !== turn)) words.push(headline());
  if (isMine() && headline() !== turn) words.push(...duties(wanted));
  if (words.some(Boolean)) say(...words.filter(Boolean));
}

// What is to be answered: the card that lies there, to whom nobody has told it, and what is owed.
function duties(wanted) {
  const told = wanted === "all" ? [] : [part().querySelector(".discards ~ small .vh")];
  return [...told, part().querySelector(".duty")].map(text);
}

function say(...words) {
  // A line each: run together they are read out as one sentence.
  const lines = words.map((word) => Object.assign(document.createElement("p"), { textContent: word }));
  live.replaceChildren(...lines);
}

/* ---- Motion ---- */

/* What has happened is seen as well: cards fly from where they were. Nothing waits for it: the table is
   the new one already, no flight takes a press, and the next update ends them all. A card that the
   reader may not know flies as a back. */

const STILL = matchMedia("(prefers-reduced-motion: reduce)");
const FLIGHT = 200; // ms
const LATEST = 100; // ms after which the last of several sets out
const MOST_SEEN = 4; // cards that fly to one seat
const SIGNS = ".mau, .plus, .asked, .duty, .direction, #result";
let landings = []; // what ends a motion at once

/* What is on the table and where, as far as something may move; null where nothing is to. */
function scene() {
  for (const land of landings.splice(0)) land();
  const still = STILL.matches || document.documentElement.matches(".light") || document.hidden;
  if (still || !part().matches("#table")) return null;
  const all = (selector, entry) => new Map([...part().querySelectorAll(selector)].map(entry));
  return {
    top: topCard(),
    mover: part().querySelector(".seats [aria-current]")?.id,
    hand: all(".hand > li", (card) => [card.id, place(card.querySelector(".card"))]),
    counts: all(".seats .seat", (seat) => [seat.id, Number(text(seat.querySelector(".count span")))]),
    signs: all(SIGNS, (sign) => [(sign.closest("[id]").id + sign.className + text(sign)), sign]),
  };
}

const topCard = () => text(part().querySelector(".discards ~ small .vh"));
const place = (node) => node.getBoundingClientRect();

function play(before, now) {
  for (const [key, sign] of now.signs) if (!before.signs.has(key)) arrive(sign);
  const stock = part().querySelector(".stock .card");
  if (!stock) return;
  if (now.top !== before.top) layDown(before, now);
  const drawn = [...now.hand].filter(([id]) => !before.hand.has(id));
  for (const [n, [id, to]] of drawn.entries()) {
    const card = byId(id).querySelector(".card");
    fly(card, place(stock), to, { after: (n * LATEST) / drawn.length, hides: card });
  }
  for (const [id, count] of now.counts) dealTo(id, count - (before.counts.get(id) ?? count), stock);
}

// From the hand it has left, else from the seat whose turn it was.
function layDown(before, now) {
  const laid = [...before.hand.keys()].find((id) => !now.hand.has(id));
  const seat = byId(before.mover)?.querySelector(".mini");
  const from = before.hand.get(laid) ?? (seat && place(seat));
  const top = part().querySelector(".discards .card");
  if (from && top) fly(top, from, place(top), { hides: top });
}

function dealTo(id, number, stock) {
  const seat = byId(id).querySelector(".mini");
  const seen = Math.min(number, MOST_SEEN);
  const back = Object.assign(stock.cloneNode(), { className: "card back" }); // the last one is gone from there
  for (let n = 0; n < seen; n += 1) {
    fly(back, place(stock), place(seat), { after: (n * LATEST) / seen });
  }
}

/* A copy of the card flies; what it comes to be shows when it has come. */
function fly(card, from, to, { after = 0, hides = null }) {
  const copy = card.cloneNode(true);
  const width = Math.max(from.width, to.width);
  copy.classList.add("flight");
  Object.assign(copy.style, { left: `${to.left}px`, top: `${to.top}px` });
  copy.style.setProperty("--w", `${width}px`);
  document.body.append(copy);
  const begin = `${from.left - to.left}px ${from.top - to.top}px`;
  const path = { translate: [begin, "0 0"], scale: [from.width / width, to.width / width] };
  const flight = copy.animate(path, { duration: FLIGHT, delay: after, fill: "both", easing: "ease-out" });
  const hidden = hides?.animate({ opacity: [0, 0] }, FLIGHT + after);
  const land = () => {
    copy.remove();
    hidden?.cancel();
  };
  flight.onfinish = land;
  landings.push(land);
}

function arrive(sign) {
  const turn = sign.matches(".direction") ? { rotate: ["-180deg", "0deg"] } : { scale: [0.7, 1] };
  const motion = sign.animate({ opacity: [0, 1], ...turn }, FLIGHT);
  landings.push(() => motion.cancel());
}

/* What may be heard or felt (sounds.js), by the states of the table before and after. */
const signals = () => ({
  over: part().matches(".finished"),
  turn: isMine(),
  top: topCard(),
  owed: text(part().querySelector(".plus")),
  mau: part().querySelectorAll(".mau").length,
});

function tell(was, now) {
  const happened = {
    over: now.over && !was.over,
    turn: now.turn && !was.turn,
    laid: now.top && now.top !== was.top,
    penalty: now.owed && now.owed !== was.owed,
    mau: now.mau > was.mau,
  };
  const detail = Object.keys(happened).filter((name) => happened[name]);
  if (detail.length) dispatchEvent(new CustomEvent("ikarita:happened", { detail }));
}

/* ---- The link ---- */

function show(state) {
  if (!link || link.dataset.state === state) return;
  link.dataset.state = state;
  link.textContent = link.dataset[state];
}

async function ask(address, options = {}) {
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(), PATIENCE);
  const slow = setTimeout(drag, SLOW);
  const headers = { "X-Fragment": "1", ...options.headers };
  try {
    const answer = await fetch(address, { cache: "no-store", signal: stop.signal, ...options, headers });
    return { status: answer.status, html: await answer.text() };
  } catch {
    return null; // no line: the caller decides
  } finally {
    clearTimeout(timer);
    clearTimeout(slow);
  }
}

// What is worse than slow has been said already.
function drag() {
  if ([undefined, "on"].includes(link?.dataset.state)) show(busy ? "sending" : "slow");
}

/* ---- Leaving ---- */

let leaving = false; // by a form whose answer is another page: nothing may be quicker than it

// Where to go when the answer is that there is no reader or no table any more.
function ended(status) {
  const next = { 403: root.dataset.login, 404: root.dataset.gone }[status];
  if (next && !leaving) location.replace(next);
  return Boolean(next);
}

function leave(event) {
  if (leaving) return event.preventDefault();
  lend(event.target);
  leaving = true;
  setTimeout(stay, PATIENCE); // the answer never came, and the reader is still here
}

// What the socket pushed knows no token.
function lend(form) {
  if (form.elements.csrfmiddlewaretoken) return;
  const field = { type: "hidden", name: "csrfmiddlewaretoken", value: token() };
  form.append(Object.assign(document.createElement("input"), field));
}

function stay() {
  leaving = false;
}

addEventListener("pageshow", stay);

/* ---- Moves ---- */

let busy = false; // while a request is on its way
let settling = false; // and a moment after its answer has moved the page under the finger
let waiting = null; // a move that did not get through, to be sent again

document.addEventListener("submit", (event) => {
  if (event.target.method !== "post") return;
  if (!event.target.matches("[data-move]")) return leave(event);
  event.preventDefault();
  if (busy || (settling && !isCall(event))) return;
  const body = new URLSearchParams(new FormData(event.target));
  const button = event.submitter;
  if (button?.name) body.append(button.name, button.value);
  shut(button?.closest("details.choice"));
  send({ address: event.target.getAttribute("action"), body });
});

// The focus stays on the card: what is hidden would lose it.
function shut(choice) {
  if (!choice) return;
  choice.open = false;
  choice.querySelector("summary").focus({ preventScroll: true });
}

// A call or a catch is a matter of moments and hits no card.
const isCall = ({ target, submitter }) => submitter?.value === "mau" || target.id === "accuse";

async function send(move) {
  waiting = null;
  busy = true;
  root.toggleAttribute("data-busy", true);
  const headers = { "X-CSRFToken": token(), "X-Page": MARK };
  const answer = await ask(move.address, { method: "POST", body: move.body, headers });
  busy = false;
  settling = Boolean(answer);
  if (answer) settle(answer);
  else park(move);
  setTimeout(rest, answer ? SETTLE : 0);
}

// The page shows as long as it takes no press.
function rest() {
  settling = false;
  root.toggleAttribute("data-busy", busy);
}

function settle({ status, html }) {
  if (status === 429 || status >= 500) {
    show("lost");
    return read(); // it may have been made: no socket tells this page of its own moves
  }
  if (ended(status)) return;
  show("on");
  take(html, true);
}

// Sending it again is harmless: the server knows a repeat by its version.
function park(move) {
  waiting = move;
  show("unsent");
  setTimeout(resend, AGAIN);
}

function resend() {
  if (waiting && !busy) send(waiting);
}

// The table has moved on, perhaps by the very move whose answer was lost: the server can tell.
function catchUp() {
  if (waiting) resend();
  else show("on");
}

/* ---- Looking again ---- */

let reading = false;

async function read() {
  if (reading || leaving) return;
  reading = true;
  const answer = await ask(root.dataset.live);
  reading = false;
  if (!answer || answer.status >= 500) return waiting || show("off");
  if (ended(answer.status)) return;
  take(answer.html);
  if (waiting || busy) return resend();
  if (link?.dataset.state !== "lost") show("on");
}

/* ---- The socket ---- */

const WINDOW = 32_768; // bytes of the message before that a frame may refer to
const INFLATES = canInflate();
let socket = null;
let heard = 0;
let tries = 0;
let retry = 0;

function connect() {
  clearTimeout(retry);
  if (socket || document.hidden || !root.dataset.socket) return;
  heard = Date.now();
  const address = location.origin.replace(/^http/, "ws") + root.dataset.socket;
  const line = new WebSocket(`${address}&page=${MARK}${INFLATES ? "&frames=deflate" : ""}`);
  const unpack = unpacker();
  socket = line;
  socket.binaryType = "arraybuffer";
  socket.onopen = () => {
    heard = Date.now();
    if (waiting) resend();
    else show("on");
  };
  socket.onmessage = async ({ data }) => {
    heard = Date.now();
    tries = 0;
    note(data.byteLength ?? data.length);
    if (data === "pong") return;
    const said = typeof data === "string" ? data : await unpack(data);
    if (line !== socket) return;
    if (said) return take(JSON.parse(said).html);
    hangUp(); // cannot be read: a new socket begins without a dictionary
    comeBack();
  };
  socket.onclose = ({ code }) => {
    socket = null;
    if (!ended(code - 4000)) comeBack();
  };
}

/* A frame is raw deflate with the message before as dictionary (games/frames.py), which for whoever
   inflates is the same as if that message stood in front of it as a stored block. */
function unpacker() {
  let before = Promise.resolve(new ArrayBuffer(0));
  return async (frame) => {
    before = before.then((said) => inflated(frame, new Uint8Array(said).slice(-WINDOW)));
    return before.then((said) => new TextDecoder().decode(said)).catch(() => "");
  };
}

async function inflated(frame, before) {
  const [low, high] = [before.length & 255, before.length >> 8];
  const header = new Uint8Array([0, low, high, ~low, ~high]);
  const stream = new DecompressionStream("deflate-raw");
  const writer = stream.writable.getWriter();
  // Not by a Blob, which browsers keep in another process. What fails here fails below, too.
  for (const piece of [header, before, frame]) writer.write(piece).catch(() => {});
  writer.close().catch(() => {});
  return (await new Response(stream.readable).arrayBuffer()).slice(before.length);
}

function canInflate() {
  try {
    return Boolean(new DecompressionStream("deflate-raw"));
  } catch {
    return false; // an old browser: it is sent text
  }
}

function comeBack() {
  // Everybody comes back after a restart, but not everybody at once.
  retry = setTimeout(connect, Math.min(30_000, 1000 * 2 ** tries++) * (0.5 + Math.random()));
  if (!document.hidden) read();
}

const isSilent = () => socket && Date.now() - heard > SILENCE;

// A line that was cut without a word is closed a minute later, or never opens: nobody waits for it.
function hangUp() {
  socket.onopen = socket.onmessage = socket.onclose = null;
  socket.close();
  socket = null;
}

function beat() {
  if (document.hidden) return;
  if (isSilent()) {
    hangUp();
    if (!waiting) show("off");
    return comeBack();
  }
  if (socket?.readyState !== WebSocket.OPEN) return read();
  socket.send("ping");
  note("ping".length + MASK);
}

function wake() {
  if (document.hidden) return sleep();
  tries = 0;
  if (isSilent()) hangUp();
  read();
  connect();
}

// Where a turn has days nothing is missed: mails tell, and waking asks.
function sleep() {
  if (socket && "sleeps" in root.dataset) hangUp();
}

setInterval(beat, POLL);
for (const name of ["focus", "pageshow", "online"]) addEventListener(name, wake);
document.addEventListener("visibilitychange", wake);
addEventListener("offline", () => waiting || show("off"));
connect();

/* ---- The bytes that this page has used, for who opens the note about them ---- */

const MASK = 4; // bytes before what a browser says in a frame
const HEADER = 2; // bytes before a frame, two more if it is long
let spent = 0;

function count(bytes) {
  spent += bytes;
  const told = document.getElementById("used");
  if (!told) return;
  const number = new Intl.NumberFormat(document.documentElement.lang, { maximumFractionDigits: 1 });
  told.textContent = told.dataset.words.replace("%(kb)s", number.format(spent / 1000));
  told.closest("details").hidden = false;
}

function note(bytes) {
  count(HEADER + (bytes > 125 ? 2 : 0) + bytes);
}

function watchTransfers(type) {
  const watcher = new PerformanceObserver((list) =>
    count(list.getEntries().reduce((sum, entry) => sum + entry.transferSize, 0)),
  );
  watcher.observe({ type, buffered: true });
}

for (const type of ["navigation", "resource"]) watchTransfers(type);

/* ---- The clock ---- */

let clock = null; // the element that tells the time left
let ends = 0; // on the device's clock that nobody sets

/* The server says how long is left; from then on this device counts. */
function wind() {
  clock = part().querySelector("[data-left]");
  if (!clock) return;
  ends = performance.now() + 1000 * clock.dataset.left;
  tick();
}

function tick() {
  if (!clock) return;
  const left = Math.ceil((ends - performance.now()) / 1000);
  if (left >= 86_400) return; // in days, as the server said it
  clock.textContent = clock.dataset.words.replace("%(time)s", digits(Math.max(left, 0)));
  clock.classList.toggle("soon", left <= 10);
  if (left < 0 && left % 3 === 0) read(); // the server acts now: look what it did
}

function digits(seconds) {
  const two = (number) => String(number).padStart(2, "0");
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const rest = `${hours ? two(minutes) : minutes}:${two(seconds % 60)}`;
  return hours ? `${hours}:${rest}` : rest;
}

setInterval(tick, 1000);

/* ---- Mau: a switch that is remembered, a double tap on a score plate, a key ---- */

function habit() {
  try {
    return localStorage.getItem("mau") === "1";
  } catch {
    return false; // no storage: the switch begins anew on each page
  }
}

function keep(wanted) {
  try {
    localStorage.setItem("mau", wanted ? "1" : "0");
  } catch {
    // see above
  }
}

document.addEventListener("change", ({ target }) => {
  if (!target.matches("[data-mau]")) return;
  keep(target.checked);
  for (const box of document.querySelectorAll("[data-mau]")) box.checked = target.checked;
});

/* The same buttons that anybody can press. */
const call = () => document.querySelector("#hand [value=mau]");
const catches = (seat) => document.querySelector(`[form=accuse][value="${seat}"]`);

let tapped = { plate: null, at: 0 };

document.addEventListener("pointerup", ({ target, timeStamp, isPrimary }) => {
  const plate = target.closest?.("[data-call], [data-catch]");
  const again = plate && isPrimary && plate === tapped.plate && timeStamp - tapped.at < DOUBLE;
  tapped = { plate: again ? null : plate, at: timeStamp };
  if (again) (plate.dataset.catch ? catches(plate.dataset.catch) : call())?.click();
});

document.addEventListener("keydown", ({ key, target, altKey, ctrlKey, metaKey, repeat }) => {
  if (altKey || ctrlKey || metaKey || repeat || target.matches("input:not([type=checkbox]), textarea")) return;
  for (const letter of ["M", "C"])
    if (key.toUpperCase() === letter) document.querySelector(`[aria-keyshortcuts=${letter}]`)?.click();
});

/* ---- Small comforts ---- */

document.addEventListener("click", ({ target }) => {
  for (const open of document.querySelectorAll("details.choice[open], details.menu[open]"))
    if (!open.contains(target)) open.open = false;
});

document.addEventListener("keydown", ({ key }) => {
  const open = key === "Escape" && document.querySelector("details.choice[open], details.menu[open]");
  if (!open) return;
  open.open = false;
  open.querySelector("summary").focus();
});

dress();
