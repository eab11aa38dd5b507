// Opens the game and the lab without a network: keeps their files and the pages that were opened. Any other page of the
// site answers with a page of saved levels (`player/keep/kept.js`) instead of the browser's error. What the network gives
// always comes first. The worker keeps no solution and sends none: pages do that (`player/keep/outbox.js`).
//
// The server puts these constants before this text: VERSION; SHELL, the player's files; LAB, those of the lab; ENTRANCE,
// those of the page of saved levels; OFFLINE, that page in each language. If the site disables offline use, SHELL is
// empty, and the worker deletes everything.

const PREFIX = "leitai-play-";
const CACHE = PREFIX + VERSION;
const PLAY_PAGE = /^\/[\w-]+\/(?:rounds\/\d+\/[\w-]+\/play|collections\/[\w-]+\/\d+\/play|help\/first-steps)\/$/;
const LAB_PAGE = /^\/[\w-]+\/lab\/(?:[\w-]+\/)?$/;
const SKIN = /\/skins\/[\w.-]+\.svg$/; // kept once it was worn
const FILES = new Set([...SHELL, ...LAB, ...ENTRANCE]);
const OFFLINE_PAGES = new Set(Object.values(OFFLINE));

const pathOf = (request) => new URL(request.url).pathname;
const isOpened = (path) => PLAY_PAGE.test(path) || LAB_PAGE.test(path);
const filesOf = (path) => (LAB_PAGE.test(path) ? LAB : SHELL);
const languageOf = (path) => /^\/([\w-]+)\//.exec(path)?.[1];

self.addEventListener("install", (event) => {
  self.skipWaiting();
  if (SHELL.length) event.waitUntil(keepEntrance());
});

self.addEventListener("activate", (event) => event.waitUntil(SHELL.length ? takeOver() : clearAway()));

self.addEventListener("message", (event) => {
  if (SHELL.length && isOpened(event.data)) event.waitUntil(keepOpened(event));
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (!SHELL.length || request.method !== "GET" || new URL(request.url).origin !== self.location.origin) return;
  const path = pathOf(request);
  const isOpening = request.mode === "navigate" && (path === "/" || languageOf(path) in OFFLINE);
  // A script that asks for no stored page wants the server's, with its token.
  const isFetched = isOpened(path) && request.cache !== "no-store";
  if (isOpening || isFetched || SKIN.test(path) || FILES.has(path)) event.respondWith(networkFirst(event, path));
});

/** Visitors who never play get only the page of saved levels, no file of the game. */
async function keepEntrance() {
  await Promise.all([keepFiles(ENTRANCE), ...[...OFFLINE_PAGES].map(keepPage)]);
}

/** A page of the lab brings the list of them with it. */
const opened = (path) => (LAB_PAGE.test(path) ? [...new Set([path, path.replace(/lab\/.*$/, "lab/")])] : [path]);

/** Keep the page that was opened, with the files it needs, and say so to it. */
async function keepOpened({ data: path, source }) {
  try {
    await Promise.all([keepFiles(filesOf(path)), ...opened(path).map(keepPage)]);
    source.postMessage({ kept: path });
  } catch {
    // The next opening tries again.
  }
}

async function keepFiles(files) {
  const cache = await caches.open(CACHE);
  const kept = new Set((await cache.keys()).map(pathOf));
  await cache.addAll(files.filter((file) => !kept.has(file)));
}

async function networkFirst(event, path) {
  const { request } = event;
  try {
    const answer = await fetch(request);
    if (answer.ok && (FILES.has(path) || SKIN.test(path))) event.waitUntil(refresh(path, answer.clone()));
    return answer;
  } catch (error) {
    const kept = (await keptAt(path)) ?? (request.mode === "navigate" && (await keptAt(entranceOf(path))));
    if (kept) return kept;
    throw error;
  }
}

const refresh = async (path, answer) => (await caches.open(CACHE)).put(path, answer);

const keptAt = async (path) => (await caches.open(CACHE)).match(path, { ignoreVary: true });

/** The page of saved levels in the language of *path*, else of the browser. */
function entranceOf(path) {
  const wanted = self.navigator.language.split("-")[0];
  const browsers = Object.keys(OFFLINE).find((code) => code.startsWith(wanted)) ?? Object.keys(OFFLINE)[0];
  return OFFLINE[languageOf(path)] ?? OFFLINE[browsers];
}

/** Keep the page as a stranger sees it: no name used here stays behind; a level that is gone is not kept on. */
async function keepPage(path) {
  const cache = await caches.open(CACHE);
  const answer = await fetch(path, { credentials: "omit", cache: "no-store" });
  if (answer.ok) await cache.put(path, answer);
  else if (answer.status === 404) await cache.delete(path);
  else throw new Error(`${path}: ${answer.status}`); // a server that is just starting: what was kept stays
}

/**
 * Levels kept by an older version name its files: fetch them again, then forget that version; else try the next time.
 * Older versions were registered for parts of the site, which now belong to the worker of the whole site.
 */
async function takeOver() {
  for (const name of await olderNames()) {
    const pages = (await (await caches.open(name)).keys()).map(pathOf).filter(isOpened);
    const files = new Set(pages.flatMap(filesOf));
    const fetched = await Promise.allSettled([keepFiles([...files]), ...pages.map(keepPage)]);
    if (fetched.every((one) => one.status === "fulfilled")) await caches.delete(name);
  }
  await self.clients.claim();
  if (pathOf({ url: self.registration.scope }) !== "/") await self.registration.unregister();
}

async function clearAway() {
  for (const name of await caches.keys()) if (name.startsWith(PREFIX)) await caches.delete(name);
  await self.registration.unregister();
}

async function olderNames() {
  return (await caches.keys()).filter((name) => name.startsWith(PREFIX) && name !== CACHE);
}
