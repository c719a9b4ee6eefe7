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
