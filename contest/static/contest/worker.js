// Lets the player be opened without a network: keeps its files and the levels that were opened. What the network gives
// always comes first, so nothing old is shown to who is online. It keeps no submission and sends none by itself: one
// sent late would break the deadline.
//
// The server puts VERSION and SHELL, the player's files, before this text; where the site does not want it any more,
// SHELL is empty, and it clears everything away.

const PREFIX = "leitai-play-";
const CACHE = PREFIX + VERSION;
const PLAY_PAGE = /^\/[\w-]+\/rounds\/\d+\/[\w-]+\/play\/$/;

const pathOf = (request) => new URL(request.url).pathname;

self.addEventListener("install", (event) => {
  self.skipWaiting();
  if (SHELL.length) event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(SHELL)));
});

self.addEventListener("activate", (event) => event.waitUntil(SHELL.length ? takeOver() : clearAway()));

self.addEventListener("message", (event) => {
  if (SHELL.length && PLAY_PAGE.test(event.data)) event.waitUntil(keepPage(event.data).catch(() => {}));
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const isOurs = new URL(request.url).origin === self.location.origin && request.method === "GET";
  if (isOurs && (PLAY_PAGE.test(pathOf(request)) || SHELL.includes(pathOf(request)))) {
    event.respondWith(networkFirst(request));
  }
});

async function networkFirst(request) {
  const cache = await caches.open(CACHE);
  try {
    const answer = await fetch(request);
    if (answer.ok && !PLAY_PAGE.test(pathOf(request))) await cache.put(pathOf(request), answer.clone());
    return answer;
  } catch (error) {
    const kept = await cache.match(pathOf(request), { ignoreVary: true });
    if (kept) return kept;
    throw error;
  }
}

/** Keep the page as a stranger sees it: no name used here stays behind; a level that is gone is not kept on. */
async function keepPage(path) {
  const cache = await caches.open(CACHE);
  const answer = await fetch(path, { credentials: "omit", cache: "no-store" });
  if (answer.ok) await cache.put(path, answer);
  else if (answer.status === 404) await cache.delete(path);
  else throw new Error(`${path}: ${answer.status}`); // a server that is just starting: what was kept stays
}

/** Levels kept by an older version name its files: fetch them anew, then forget that version; else try the next time. */
async function takeOver() {
  for (const name of await olderNames()) {
    const pages = (await (await caches.open(name)).keys()).map(pathOf).filter((path) => PLAY_PAGE.test(path));
    const fetched = await Promise.allSettled(pages.map(keepPage));
    if (fetched.every((one) => one.status === "fulfilled")) await caches.delete(name);
  }
  await self.clients.claim();
}

async function clearAway() {
  for (const name of await caches.keys()) if (name.startsWith(PREFIX)) await caches.delete(name);
  await self.registration.unregister();
}

async function olderNames() {
  return (await caches.keys()).filter((name) => name.startsWith(PREFIX) && name !== CACHE);
}
