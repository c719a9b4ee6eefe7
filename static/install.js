/* Registers the service worker once the page is there, and tells it the reader's language. */
addEventListener("load", async () => {
  try {
    await navigator.serviceWorker.register("/sw.js", { updateViaCache: "none" });
    const { active } = await navigator.serviceWorker.ready;
    const installed = matchMedia("(display-mode: standalone)").matches;
    active.postMessage({ language: root.lang, installed });
    if (user) await Promise.all([keepDevice(), showDevice(), withdraw()]);
  } catch {
    // No service workers here: the site needs none.
  }
});

// --- Notices on this device -----------------------------------------------------------------------

const root = document.documentElement;
const { user, pushKey } = root.dataset;
const DEVICE = "device"; // in localStorage: what the site was told of this device last, and when
const DAY = 86_400_000; // ms after which it is told again, for it may have lost it

async function pushes() {
  return (await navigator.serviceWorker.ready).pushManager;
}

const inBase64 = (bytes) =>
  btoa(String.fromCharCode(...new Uint8Array(bytes))).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");

async function subscribe() {
  return (await pushes()).subscribe({ userVisibleOnly: true, applicationServerKey: pushKey });
}

/* A device that shows notices goes on doing so: for whoever is signed in, by the key that the site has now. */
async function keepDevice() {
  const device = await (await pushes())?.getSubscription();
  if (!device) return;
  if (inBase64(device.options.applicationServerKey) !== pushKey) {
    await device.unsubscribe();
    return tell(await subscribe(), { isNew: true, before: device.endpoint });
  }
  const told = JSON.parse(localStorage.getItem(DEVICE) ?? "{}");
  if (told.user === user && told.endpoint === device.endpoint && Date.now() - told.at < DAY) return;
  if ((await tell(device, {})) === 410) await device.unsubscribe(); // it was removed, elsewhere
}

/* Tell the site of this device; return the status of its answer. */
async function tell(device, { isNew = false, before = "" }) {
  const { endpoint, keys } = device.toJSON();
  const token = document.querySelector("[name=csrfmiddlewaretoken]")?.value ?? "";
  const body = new URLSearchParams({ ...keys, endpoint, before, key: pushKey, csrfmiddlewaretoken: token });
  if (isNew) body.set("new", "1");
  const { status } = await fetch(`/${root.lang}/accounts/notices/devices/`, { method: "POST", body, redirect: "error" });
  if (status === 204) localStorage.setItem(DEVICE, JSON.stringify({ user, endpoint, at: Date.now() }));
  return status;
}

/* On the page about notices: what this device can do. */
async function showDevice() {
  const section = document.getElementById("devices");
  if (!section) return;
  const state = await stateOfDevice();
  for (const each of section.querySelectorAll("[data-when]")) each.hidden = each.dataset.when !== state;
  section.querySelector("[data-subscribe]").onclick = async ({ target }) => {
    target.disabled = true;
    const added = (await Notification.requestPermission()) === "granted" && (await addDevice());
    if (added) return location.reload();
    target.disabled = false;
    section.querySelector("[data-when=failed]").hidden = Notification.permission === "denied";
    section.querySelector("[data-when=denied]").hidden = Notification.permission !== "denied";
  };
  const own = section.querySelector("form[data-this]");
  own?.addEventListener("submit", async (event) => {
    event.preventDefault();
    await (await (await pushes())?.getSubscription())?.unsubscribe();
    own.submit();
  });
}

async function addDevice() {
  try {
    return (await tell(await subscribe(), { isNew: true })) === 204;
  } catch {
    return false; // its push service cannot be reached, or there is no line
  }
}

async function stateOfDevice() {
  if (!("PushManager" in window)) return navigator.standalone === false ? "install" : "none";
  if (Notification.permission === "denied") return "denied";
  const shown = document.querySelector("#devices form[data-this]") && (await (await pushes()).getSubscription());
  return shown ? "on" : "off";
}

/* What the reader now sees needs no notice on the device any more. */
async function withdraw() {
  const waiting = document.querySelector("#notices:not([hidden])")?.textContent.trim();
  const { pathname } = location;
  for (const each of await (await navigator.serviceWorker.ready).getNotifications())
    if (!waiting || pathname.endsWith(each.data?.url) || pathname.endsWith("/inbox/")) each.close();
  await navigator.setAppBadge?.(waiting ? Number(waiting) : 0);
}

// --------------------------------------------------------------------------------------------------

// Deadlines are shown by the reader's clock; the device knows where that is.
const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
if (zone && !document.cookie.includes(`zone=${zone}`))
  document.cookie = `zone=${zone}; path=/; max-age=31536000; samesite=lax`;

// A page that is long in coming shows already where it will stand: empty lines instead of the old page.
const LONG = 400; // ms
const GIVE_UP = 10_000; // ms after which the old page is shown again: the press may have been in vain
let timers = [];

function hereAgain() {
  timers.forEach(clearTimeout);
  root.classList.remove("waits");
}

addEventListener("click", (event) => {
  const link = event.target.closest?.("a[href]");
  const otherwise = event.defaultPrevented || event.button || event.ctrlKey || event.metaKey || event.shiftKey;
  if (otherwise || !link || link.target || link.hasAttribute("download") || link.origin !== location.origin) return;
  if (link.hash && link.pathname === location.pathname && link.search === location.search) return;
  hereAgain();
  timers = [setTimeout(() => root.classList.add("waits"), LONG), setTimeout(hereAgain, GIVE_UP)];
});
for (const each of ["pageshow", "pagehide"]) addEventListener(each, hereAgain);
