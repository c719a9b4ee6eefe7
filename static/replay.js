/* A replay without loading the page anew: a scrubber, arrow keys, and playing back.
   Works without this file: every step is a link, the scrubber a form. */

const KEPT = new Map(); // steps that were shown once, as HTML
const PACE = 1_500; // ms a step is shown while the game plays back
const still = matchMedia("(prefers-reduced-motion: reduce)");
const stage = () => document.getElementById("replay");
const at = () => Number(stage().dataset.step);
const last = () => Number(stage().dataset.last);
const run = () => document.getElementById("run");

let wanted = at(); // the step asked for last: an answer about another one comes too late
let timer = 0; // while the game plays back

document.documentElement.classList.add("js");
KEPT.set(at(), stage().outerHTML);

function address(step) {
  const url = new URL(location.href);
  url.searchParams.set("step", step);
  url.hash = "";
  return url;
}

async function html(step) {
  if (!KEPT.has(step)) {
    const answer = await fetch(address(step), { headers: { "X-Fragment": "1" } });
    if (!answer.ok) throw new Error(answer.status);
    KEPT.set(step, await answer.text());
  }
  return KEPT.get(step);
}

async function show(step) {
  wanted = Math.min(Math.max(step, 0), last());
  const target = wanted;
  try {
    const next = await html(target);
    if (target === wanted) put(next);
  } catch {
    stop(); // no line: what is shown stays, and pressing again asks again
    wanted = at();
  }
}

function put(next) {
  Idiomorph.morph(stage(), new DOMParser().parseFromString(next, "text/html").getElementById("replay"));
  document.getElementById("step").value = at();
  history.replaceState(null, "", address(at()));
  dress();
  mark();
}

// In the list of all steps, which moves under nobody's finger: it scrolls by itself, the page does not.
function mark() {
  const list = document.getElementById("steps");
  for (const each of list.querySelectorAll("a")) {
    if (Number(each.dataset.step) !== at()) {
      each.removeAttribute("aria-current");
      continue;
    }
    each.setAttribute("aria-current", "step");
    list.scrollTop = each.offsetTop - list.clientHeight / 2;
  }
}

function dress() {
  document.querySelector("#scrub button").hidden = true;
  // Nothing moves by itself for people who want no motion.
  run().hidden = still.matches || last() === 0;
  run().textContent = timer ? run().dataset.stop : run().dataset.run;
}

function stop() {
  clearTimeout(timer);
  timer = 0;
  dress();
}

async function advance() {
  if (at() >= last()) return stop();
  await show(at() + 1);
  if (timer) timer = setTimeout(advance, PACE);
}

function start() {
  timer = setTimeout(advance, at() === last() ? PACE : 0);
  if (at() === last()) show(0);
  dress();
}

document.addEventListener("click", (event) => {
  if (event.target.closest("#run")) return timer ? stop() : start();
  const link = event.target.closest("a[data-step]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  stop();
  show(Number(link.dataset.step));
});

document.addEventListener("input", ({ target }) => {
  if (target.id !== "step") return;
  stop();
  show(Number(target.value));
});

document.addEventListener("submit", (event) => {
  if (event.target.id === "scrub") event.preventDefault();
});

document.addEventListener("keydown", ({ key, target, altKey, ctrlKey, metaKey }) => {
  if (altKey || ctrlKey || metaKey || target.matches("input, textarea, summary")) return;
  const step = { ArrowLeft: at() - 1, ArrowRight: at() + 1 }[key];
  if (step === undefined) return;
  stop();
  show(step);
});

still.addEventListener("change", stop);
dress();
mark();
