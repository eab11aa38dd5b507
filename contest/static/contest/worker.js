// Lets the player and the lab be opened without a network: keeps their files and the pages that were opened. What the network gives
// always comes first, so nothing old is shown to who is online. It keeps no submission and sends none by itself: one
// sent late would break the deadline.
//
// The server puts VERSION, SHELL, the player's files, and LAB, those of the lab, before this text; where the site does not
// want it any more, SHELL is empty, and it clears everything away.

const PREFIX = "leitai-play-";
const CACHE = PREFIX + VERSION;
const PLAY_PAGE = /^\/[\w-]+\/(?:rounds\/\d+\/[\w-]+|collections\/[\w-]+\/\d+)\/play\/$/;
const LAB_PAGE = /^\/[\w-]+\/lab\/(?:[\w-]+\/)?$/;
const SKIN = /\/skins\/[\w.-]+\.svg$/; // kept once it was worn

const pathOf = (request) => new URL(request.url).pathname;
const isPage = (path) => PLAY_PAGE.test(path) || LAB_PAGE.test(path);
// Each area registers this worker for itself: who only visits the lab need not fetch the player.
const files = () => (LAB_PAGE.test(new URL(self.registration.scope).pathname) ? LAB : SHELL);

self.addEventListener("install", (event) => {
  self.skipWaiting();
  if (SHELL.length) event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(files())));
});

self.addEventListener("activate", (event) => event.waitUntil(SHELL.length ? takeOver() : clearAway()));

self.addEventListener("message", (event) => {
  if (SHELL.length && isPage(event.data)) event.waitUntil(keepOpened(event));
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const isOurs = new URL(request.url).origin === self.location.origin && request.method === "GET";
  const path = pathOf(request);
  if (isOurs && SHELL.length && (isPage(path) || SKIN.test(path) || SHELL.includes(path) || LAB.includes(path))) {
    event.respondWith(networkFirst(request));
  }
});

/** A page of the lab brings the list of them with it. */
const opened = (path) => (LAB_PAGE.test(path) ? [...new Set([path, path.replace(/lab\/.*$/, "lab/")])] : [path]);

/** Keep the page that was opened, and say so to it. */
async function keepOpened({ data: path, source }) {
  try {
    await Promise.all(opened(path).map(keepPage));
    source.postMessage({ kept: path });
  } catch {
    // The next opening tries again.
  }
}

async function networkFirst(request) {
  const cache = await caches.open(CACHE);
  try {
    const answer = await fetch(request);
    if (answer.ok && !isPage(pathOf(request))) await cache.put(pathOf(request), answer.clone());
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
    const pages = (await (await caches.open(name)).keys()).map(pathOf).filter(isPage);
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
