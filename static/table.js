/* The table, kept right without reloading the page. Everything works without this file: it posts
   the same forms, takes the same fragments, and treats the socket as a hint only.
   It holds no text: sentences come from the server, in data attributes and in the fragment. */

const game = document.getElementById("game");
const link = document.getElementById("link");
const live = document.getElementById("live");
const POLL = 10_000; // ms between looks at the server while there is no socket
const SILENCE = 35_000; // ms without a word after which a socket is taken for dead
const PATIENCE = 15_000; // ms that a request may take
const AGAIN = 3_000; // ms until a move that did not get through is sent again
const SETTLE = 400; // ms in which a second tap still means what was there before

const table = () => document.getElementById("table");
const version = (fragment) => Number(fragment.dataset.version);
const text = (node) => node?.textContent.trim() ?? "";
const token = () => document.querySelector("[name=csrfmiddlewaretoken]").value;

document.documentElement.classList.add("js");

/* ---- The fragment ---- */

function take(html, mine = false) {
  const next = new DOMParser().parseFromString(html, "text/html").getElementById("table");
  if (!next) return;
  // Late and doubled messages are dropped; only the answer to a move of mine says more
  // (a refusal) about a version that is already shown.
  const newer = version(next) - version(table());
  if (newer < 0 || (newer === 0 && !mine)) return;
  const told = text(table().querySelector(".log li:last-child"));
  morph(next);
  document.title = [text(table().querySelector(".headline")), table().getAttribute("aria-label"), "Ikarita"].join(" · ");
  // What has just been read out stays, if the answer brings nothing but the same table again.
  if (newer > 0 || table().querySelector(".refusal")) announce(told);
  if (newer > 0) catchUp();
}

function morph(next) {
  const focused = document.activeElement;
  const inside = table().contains(focused);
  Idiomorph.morph(table(), next, {
    callbacks: {
      // What the reader has opened or ticked is his: the server does not know of it.
      beforeAttributeUpdated: (name, node) => !(name === "open" && node.localName === "details"),
      beforeNodeMorphed: (now, then) => {
        if (now.type === "checkbox" && then.type === "checkbox") then.checked = now.checked;
        return true;
      },
    },
  });
  // The card that was played is gone: its place in the page is not.
  if (inside && !focused.isConnected) document.getElementById("hand")?.focus({ preventScroll: true });
}

function announce(told) {
  const log = [...table().querySelectorAll(".log li")].map(text);
  const fresh = log.slice(log.lastIndexOf(told) + 1);
  const words = [text(table().querySelector(".refusal")), ...fresh, text(table().querySelector(".headline"))];
  say(...words.filter(Boolean));
}

function say(...words) {
  // A line each: run together they are read out as one sentence.
  const lines = words.map((word) => Object.assign(document.createElement("p"), { textContent: word }));
  live.replaceChildren(...lines);
}

/* ---- The link ---- */

function show(state) {
  if (link.dataset.state === state) return;
  link.dataset.state = state;
  link.textContent = link.dataset[state];
}

async function ask(address, options = {}) {
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(), PATIENCE);
  const headers = { "X-Fragment": "1", ...options.headers };
  try {
    const answer = await fetch(address, { cache: "no-store", signal: stop.signal, ...options, headers });
    return { status: answer.status, html: await answer.text() };
  } catch {
    return null; // no line: the caller decides
  } finally {
    clearTimeout(timer);
  }
}

/* ---- Leaving ---- */

let leaving = false; // by a form whose answer is another page: nothing may be quicker than it

// Where to go when the answer is that there is no reader or no table any more.
function ended(status) {
  const next = { 403: game.dataset.login, 404: game.dataset.gone }[status];
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

let busy = false;
let waiting = null; // a move that did not get through, to be sent again

document.addEventListener("submit", (event) => {
  if (event.target.method !== "post") return;
  if (!event.target.matches("[data-move]")) return leave(event);
  event.preventDefault();
  if (busy) return;
  const body = new URLSearchParams(new FormData(event.target));
  const button = event.submitter;
  if (button?.name) body.append(button.name, button.value);
  button?.closest("details.choice")?.removeAttribute("open");
  send({ address: event.target.getAttribute("action"), body });
});

async function send(move) {
  waiting = null;
  hold(true);
  const headers = { "X-CSRFToken": token() };
  const answer = await ask(move.address, { method: "POST", body: move.body, headers });
  if (answer) settle(answer);
  else keep(move);
  setTimeout(hold, answer ? SETTLE : 0, false);
}

// The page shows it while it takes no press.
function hold(on) {
  busy = on;
  game.toggleAttribute("data-busy", on);
}

function settle({ status, html }) {
  if (status === 429 || status >= 500) return show("lost");
  if (ended(status)) return;
  show("on");
  take(html, true);
}

// Sending it again is harmless: the server knows a repeat by its version.
function keep(move) {
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
  const answer = await ask(game.dataset.url);
  reading = false;
  if (!answer || answer.status >= 500) return waiting || show("off");
  if (ended(answer.status)) return;
  take(answer.html);
  if (waiting || busy) return resend();
  if (link.dataset.state !== "lost") show("on");
}

/* ---- The socket ---- */

let socket = null;
let heard = 0;
let tries = 0;
let retry = 0;

function connect() {
  clearTimeout(retry);
  if (socket || document.hidden) return;
  socket = new WebSocket(location.origin.replace(/^http/, "ws") + game.dataset.socket);
  socket.onopen = () => {
    heard = Date.now();
    if (waiting) resend();
    else show("on");
  };
  socket.onmessage = ({ data }) => {
    heard = Date.now();
    tries = 0;
    if (data !== "pong") take(JSON.parse(data).html);
  };
  socket.onclose = ({ code }) => {
    socket = null;
    if (ended(code - 4000)) return;
    // Everybody comes back after a restart, but not everybody at once.
    retry = setTimeout(connect, Math.min(30_000, 1000 * 2 ** tries++) * (0.5 + Math.random()));
    read();
  };
}

function beat() {
  if (document.hidden) return;
  if (socket?.readyState !== WebSocket.OPEN) return read();
  if (Date.now() - heard > SILENCE) return socket.close();
  socket.send("ping");
}

function wake() {
  if (document.hidden) return;
  tries = 0;
  read();
  connect();
}

setInterval(beat, POLL);
for (const name of ["focus", "pageshow", "online"]) addEventListener(name, wake);
document.addEventListener("visibilitychange", wake);
addEventListener("offline", () => waiting || show("off"));
connect();

/* ---- Small comforts ---- */

document.addEventListener("change", ({ target }) => {
  if (!target.matches("[data-mau]")) return;
  for (const box of document.querySelectorAll("[data-mau]")) box.checked = target.checked;
});

document.addEventListener("click", async ({ target }) => {
  for (const open of document.querySelectorAll("details.choice[open], details.menu[open]"))
    if (!open.contains(target)) open.open = false;
  const copy = target.closest("[data-copy]");
  if (!copy) return;
  if (!(await copied(document.getElementById(copy.dataset.copy)))) return;
  copy.textContent = copy.dataset.done;
  say(copy.dataset.done);
});

async function copied(field) {
  field.select();
  try {
    await navigator.clipboard.writeText(field.value);
    return true;
  } catch {
    return document.execCommand("copy"); // the clipboard is for https alone
  }
}

document.addEventListener("keydown", ({ key }) => {
  const open = key === "Escape" && document.querySelector("details.choice[open], details.menu[open]");
  if (!open) return;
  open.open = false;
  open.querySelector("summary").focus();
});
