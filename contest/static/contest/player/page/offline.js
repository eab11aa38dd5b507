// Takes the level, and all of its collection where that is wanted, to where there is no network.

import { keepForOffline, keeperOf, onOffline } from "../keep/offline.js";

export class Offline {
  #keep = () => {};

  constructor(table) {
    const { worker, scope, set } = table.facts;
    const paths = set ? pathsOf(set) : [];
    const kept = table.find("[data-kept]");
    const button = table.find("[data-act=take-set]");
    onOffline((isOffline) => {
      table.find("[data-offline]").hidden = !isOffline;
    }, table.signal);
    if (paths.length) {
      this.#keep = keeperOf(paths, (count) => {
        kept.textContent = table.words("keptSet", { count, all: paths.length });
        if (button) button.hidden = count === paths.length;
      }, table.signal);
    }
    keepForOffline(worker, scope, () => {
      kept.hidden = false;
      if (button && paths.length) button.hidden = false;
    }, table.signal);
  }

  get acts() {
    return { "take-set": () => this.#keep() };
  }
}

/** The pages of levels *first* to *last* below *base*. */
function pathsOf({ base, first, last }) {
  return Array.from({ length: last - first + 1 }, (_, at) => `${base}${first + at}/play/`);
}
