/* Registers the service worker once the page is there, and tells it the reader's language. */
addEventListener("load", async () => {
  try {
    await navigator.serviceWorker.register("/sw.js", { updateViaCache: "none" });
    const { active } = await navigator.serviceWorker.ready;
    const installed = matchMedia("(display-mode: standalone)").matches;
    active.postMessage({ language: document.documentElement.lang, installed });
  } catch {
    // No service workers here: the site needs none.
  }
});

// Deadlines are shown by the reader's clock; the device knows where that is.
const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
if (zone && !document.cookie.includes(`zone=${zone}`))
  document.cookie = `zone=${zone}; path=/; max-age=31536000; samesite=lax`;

// A page that is long in coming shows already where it will stand: empty lines instead of the old page.
const LONG = 400; // ms
const GIVE_UP = 10_000; // ms after which the old page is shown again: the press may have been in vain
const root = document.documentElement;
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
