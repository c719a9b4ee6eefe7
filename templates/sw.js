/* The service worker, served at /sw.js (config/installable.py puts the first line's values in).

   It keeps three kinds of things, none of which knows who reads: files with a fingerprint in their name,
   pages of rules, and the page for when there is no line. Pages are fetched for keeping without cookies,
   so they are a stranger's: no name, no card of a game, no token is ever kept. Everything else goes to the
   server as if this file were not there. A new version waits until no page of an old one is open. */

const KNOWN = {{ known|safe }};
const FILES = "files-" + KNOWN.version;
const PAGES = "pages-" + KNOWN.version;
const LANGUAGE = "/language"; // under this name the reader's language is noted, among the pages
const SINCE = "X-Kept-Since"; // ms, in a kept page's headers
const WEEK = 7 * 24 * 3600_000; // ms after which a kept page is fetched again when it is read again
const RULES = new RegExp(`^/(${KNOWN.languages.join("|")})/rules/([a-z-]+/)?([a-z_]+/)?$`);
const FINGERPRINT = /\.[0-9a-f]{12}\.\w+$/;

addEventListener("install", (event) => {
  event.waitUntil(caches.open(FILES).then((files) => files.addAll(KNOWN.shell)));
});

addEventListener("activate", (event) => {
  // Claimed are pages that had no worker yet: those of an old version have kept this one waiting.
  event.waitUntil(Promise.all([tidy(), registration.navigationPreload?.enable(), clients.claim()]));
});

async function tidy() {
  const names = await caches.keys();
  return Promise.all(names.filter((name) => ![FILES, PAGES].includes(name)).map((name) => caches.delete(name)));
}

addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== location.origin) return;
  if (request.mode === "navigate") event.respondWith(navigate(event, url));
  else if (url.pathname.startsWith(KNOWN.statics) && FINGERPRINT.test(url.pathname)) event.respondWith(file(request));
});

async function file(request) {
  const files = await caches.open(FILES);
  const kept = await files.match(request);
  if (kept) return kept;
  const answer = await fetch(request);
  if (answer.status === 200) await files.put(request, answer.clone());
  return answer;
}

async function navigate(event, url) {
  try {
    const answer = (await event.preloadResponse) ?? (await fetch(event.request));
    if (answer.ok && RULES.test(url.pathname)) event.waitUntil(keep(url.pathname).catch(() => {}));
    return answer;
  } catch {
    return without(url);
  }
}

/* What to show where there is no line: kept rules, else the page that says so. */
async function without(url) {
  const pages = await caches.open(PAGES);
  const inAddress = KNOWN.languages.find((code) => url.pathname.startsWith(`/${code}/`));
  const noted = inAddress ?? (await (await pages.match(LANGUAGE))?.text());
  const path = inAddress ? url.pathname : `/${noted}${url.pathname}`;
  return (
    (RULES.test(path) && (await pages.match(path))) ||
    (await pages.match(`/${noted}/offline/`)) ||
    (await pages.match("/en/offline/")) ||
    Response.error()
  );
}

/* Keep a page as a stranger sees it, with the files it is drawn with. */
async function keep(path) {
  const pages = await caches.open(PAGES);
  const kept = await pages.match(path);
  if (kept && Date.now() - kept.headers.get(SINCE) < WEEK) return;
  const answer = await fetch(path, { credentials: "omit", redirect: "error" });
  if (answer.status !== 200) return;
  const headers = { "Content-Type": answer.headers.get("Content-Type"), [SINCE]: Date.now() };
  await pages.put(path, new Response(await answer.text(), { headers }));
}

/* What waits for the reader, on the device. A newer notice about the same game, or one that leads to the
   same page, takes the place of an older. */
addEventListener("push", (event) => event.waitUntil(show(event.data?.json() ?? {})));

async function show({ title = "Ikarita", body = "", url = "/accounts/inbox/", tag = url, lang, count }) {
  const looks = { icon: KNOWN.icon, badge: KNOWN.icon, lang, tag, renotify: true, data: { url } };
  await registration.showNotification(title, { body, ...looks });
  if (count) await navigator.setAppBadge?.(count);
}

addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(open(event.notification.data?.url ?? "/accounts/inbox/"));
});

/* Bring the page about it to the front, or open it; pages of other sites are not ours to open. */
async function open(path) {
  const url = new URL(path, location.origin);
  if (url.origin !== location.origin) return;
  const pages = await clients.matchAll({ type: "window" });
  const there = pages.find((page) => new URL(page.url).pathname.endsWith(url.pathname));
  await (there ? there.focus() : clients.openWindow(url));
}

/* The page says in which language it is read: in that one the page without a line is kept, and, where the
   site is installed, the rules. */
addEventListener("message", (event) => {
  const { language, installed } = event.data ?? {};
  if (!KNOWN.languages.includes(language)) return;
  event.waitUntil(prepare(language, installed).catch(() => {}));
});

async function prepare(language, installed) {
  const pages = await caches.open(PAGES);
  await pages.put(LANGUAGE, new Response(language));
  await keep(`/${language}/offline/`);
  if (!installed) return;
  for (const page of ["", "matatu/", "mau-mau/"]) await keep(`/${language}/rules/${page}`);
}
