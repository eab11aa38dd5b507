// The levels that this browser has saved for offline play: read from the pages that the worker keeps.

const PREFIX = "leitai-play-"; // as in worker.js
const PLAY_PAGE = /^\/([\w-]+)(\/(?:rounds|collections)\/.+\/play\/)$/;
const KEY = /data-player [^>]*data-key="([^"]*)"/;
const FACTS = /<script type="application\/json">(.*?)<\/script>/s;

const natural = new Intl.Collator("en", { numeric: true });

/** {path, name, group, daily, key} of each saved level, in the order of their addresses, in *language* where both exist. */
export async function savedLevels(language) {
  const found = new Map();
  for (const page of await keptPages()) {
    const [, its, own] = PLAY_PAGE.exec(page.path);
    if (!found.has(own) || its === language) found.set(own, page);
  }
  const levels = await Promise.all([...found.values()].map(describe));
  return levels.sort((one, other) => natural.compare(ownPath(one.path), ownPath(other.path)));
}

/** The address of a page of the game without its language; null for other pages. */
export const ownPath = (path) => PLAY_PAGE.exec(path)?.[2] ?? null;

async function keptPages() {
  const pages = [];
  for (const name of (await caches.keys()).filter((one) => one.startsWith(PREFIX))) {
    const cache = await caches.open(name);
    for (const request of await cache.keys()) {
      const path = new URL(request.url).pathname;
      if (PLAY_PAGE.test(path)) pages.push({ path, read: async () => (await cache.match(request, { ignoreVary: true })).text() });
    }
  }
  return pages;
}

async function describe({ path, read }) {
  const text = await read();
  const { name, group, daily } = JSON.parse(FACTS.exec(text)[1]);
  return { path, name, group, daily, key: KEY.exec(text)[1] };
}

/**
 * The level to play next: the first unsolved one behind *from* (an address without language) in its collection or round,
 * else the first unsolved one. *levels* are in order; `isSolved` says whether one is solved here.
 */
export function nextSaved(levels, from) {
  const open = levels.filter(({ isSolved, path }) => !isSolved && ownPath(path) !== from);
  const folder = from?.replace(/[^/]+\/play\/$/, "");
  const isBehind = ({ path }) => ownPath(path).startsWith(folder) && natural.compare(ownPath(path), from) > 0;
  return (from && open.find(isBehind)) ?? open[0];
}
