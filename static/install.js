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
