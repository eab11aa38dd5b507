// Which levels were begun in this browser and are not solved in it yet. It is kept here alone and never sent.

import { read, write } from "./settings.js";

const NAME = "leitai.begun";
const MOST = 12;

const withoutLanguage = (path) => path.replace(/^\/[^/]+/, "");

/** The levels begun and not solved, the last played first: {path, name}; a path is without its language. */
export function begun(storage) {
  const kept = read(storage, NAME, []);
  return Array.isArray(kept) ? kept.filter((one) => typeof one?.path === "string" && typeof one.name === "string") : [];
}

/** Remember that the level called *name* at the address *path* is under way, or is so no longer. */
export function noteBegun(storage, path, name, isUnderWay) {
  const own = withoutLanguage(path);
  const before = begun(storage);
  const isFirst = before[0]?.path === own;
  if (isUnderWay ? isFirst : !before.some((one) => one.path === own)) return;
  const others = before.filter((one) => one.path !== own);
  write(storage, NAME, (isUnderWay ? [{ path: own, name }, ...others] : others).slice(0, MOST));
}
