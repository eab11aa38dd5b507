// Takes the level, and all of its collection where that is wanted, to where there is no network; its solutions wait there.

import { keepForOffline, keeperOf, onOffline, pathsOf } from "../keep/offline.js";
import { watchOutbox } from "../keep/outbox.js";

export class Offline {
  #keep = () => {};

  constructor(table) {
    const { worker, set } = table.facts;
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
    keepForOffline(worker, () => {
      kept.hidden = false;
      if (button && paths.length) button.hidden = false;
    }, table.signal);
    watchOutbox(table.find("[data-outbox]"), table.signal);
  }

  get acts() {
    return { "take-set": () => this.#keep() };
  }
}
