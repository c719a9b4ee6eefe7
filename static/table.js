/* The table, kept right without reloading the page. Everything works without this file: it posts
   the same forms, takes the same fragments, and treats the socket as a hint only.
   It holds no text: sentences come from the server, in data attributes and in the fragment. */

const game = document.getElementById("game");
const link = document.getElementById("link");
const live = document.getElementById("live");
const POLL = 10_000; // ms between looks at the server while there is no socket
const SILENCE = 35_000; // ms without a word after which a socket is taken for dead
const PATIENCE = 15_000; // ms that a request may take

const table = () => document.getElementById("table");
const version = (fragment) => Number(fragment.dataset.version);
const text = (node) => node?.textContent.trim() ?? "";

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
  announce(told);
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
  live.textContent = words.filter(Boolean).join(" ");
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

/* ---- Moves ---- */

let busy = false;
let waiting = null; // a move that did not get through, to be sent once more

document.addEventListener("submit", (event) => {
  if (!event.target.matches("form[data-move]")) return;
  event.preventDefault();
  if (busy) return;
  const body = new URLSearchParams(new FormData(event.target));
  const button = event.submitter;
  if (button?.name) body.append(button.name, button.value);
  button?.closest("details.choice")?.removeAttribute("open");
  waiting = null;
  send({ address: event.target.getAttribute("action"), body, again: false });
});

async function send(move) {
  busy = true;
  game.dataset.busy = "";
  const token = document.querySelector("[name=csrfmiddlewaretoken]").value;
  const answer = await ask(move.address, { method: "POST", body: move.body, headers: { "X-CSRFToken": token } });
  busy = false;
  delete game.dataset.busy;
  if (!answer && !move.again) {
    // Sending it twice is harmless: the server knows a repeat by its version.
    waiting = { ...move, again: true };
    return show("unsent");
  }
  if (!answer || answer.status === 429 || answer.status >= 500) return show("lost");
  if (answer.status === 403) return location.assign(game.dataset.login);
  if (answer.status === 404) return location.reload();
  show("on");
  take(answer.html, true);
}

function resend() {
  if (!waiting || busy) return;
  const move = waiting;
  waiting = null;
  send(move);
}

/* ---- Looking again ---- */

let reading = false;

async function read() {
  if (reading) return;
  reading = true;
  const answer = await ask(game.dataset.url);
  reading = false;
  if (!answer || answer.status >= 500) return waiting || show("off");
  if (answer.status === 403) return location.assign(game.dataset.login);
  if (answer.status === 404) return location.reload();
  take(answer.html);
  if (waiting) return resend();
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
    if (code === 4403) return location.assign(game.dataset.login);
    if (code === 4404) return location.reload();
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
  const field = document.getElementById(copy.dataset.copy);
  field.select();
  await navigator.clipboard?.writeText(field.value);
  live.textContent = copy.dataset.done;
});

document.addEventListener("keydown", ({ key }) => {
  const open = key === "Escape" && document.querySelector("details.choice[open], details.menu[open]");
  if (!open) return;
  open.open = false;
  open.querySelector("summary").focus();
});
