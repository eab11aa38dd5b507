// The page of saved levels, which stands for every page that cannot be opened without a network.

import { begun } from "../player/keep/begun.js";
import { today } from "../player/keep/daily.js";
import { nextSaved, ownPath, savedLevels } from "../player/keep/kept.js";
import { watchOutbox } from "../player/keep/outbox.js";
import { storage } from "../player/keep/settings.js";
import { Store } from "../player/keep/store.js";

const root = document.querySelector("[data-saved]");
const at = (name) => root.querySelector(`[data-${name}]`);

function linkTo({ path, name, group, isSolved }, isInGroup = false) {
  const link = document.createElement("a");
  link.href = path;
  const own = isInGroup && name.startsWith(group) ? name.slice(group.length).replace(/^\W*·\s*/, "") : name;
  link.textContent = isSolved ? `${own} ✓` : own;
  return link;
}

function lead(name, level) {
  at(name).hidden = !level;
  if (level) at(name).querySelector("span").replaceChildren(linkTo(level));
}

function list(levels) {
  for (const group of new Set(levels.map((level) => level.group))) {
    const members = levels.filter((level) => level.group === group);
    const heading = document.createElement("h3");
    heading.textContent = group;
    const items = document.createElement("ul");
    items.className = "saved-levels";
    items.append(...members.map((level) => {
      const item = document.createElement("li");
      item.append(linkTo(level, true));
      return item;
    }));
    at("list").append(heading, items);
  }
}

async function start() {
  at("offline-title").hidden = navigator.onLine;
  at("online-title").hidden = !navigator.onLine;
  at("again").addEventListener("click", () => location.reload());
  addEventListener("online", () => at("back").hidden = false);
  watchOutbox(at("outbox"));
  const saved = globalThis.caches ? await savedLevels(document.documentElement.lang.toLowerCase()) : [];
  const levels = saved.map((level) => ({ ...level, isSolved: Boolean(new Store(level.key).best.moves) }));
  const last = begun(storage()).map(({ path }) => levels.find((level) => ownPath(level.path) === path)).find(Boolean);
  const next = nextSaved(levels, ownPath(location.pathname) ?? (last && ownPath(last.path)));
  lead("continue", last);
  lead("next", next === last ? null : next);
  lead("of-day", levels.find(({ daily }) => daily && daily === today(Date.now())));
  at("none").hidden = levels.length > 0;
  list(levels);
}

start();
