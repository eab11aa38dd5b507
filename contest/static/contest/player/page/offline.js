// Takes the level, and all of its collection where that is wanted, to where there is no network; its solutions wait there.

import { keepForOffline, keeperOf, onOffline, pathsOf } from "../keep/offline.js";
import { putOff, watchOutbox } from "../keep/outbox.js";

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
    const tellAgain = watchOutbox(table.find("[data-outbox]"), table.signal);
    if (worker) listenToSending(table, tellAgain);
  }

  get acts() {
    return { "take-set": () => this.#keep() };
  }
}

/** Without a network practice and solutions to collections are put off. A contest submission is not: it would be late. */
function listenToSending(table, told) {
  const drawer = table.find("[data-drawer]");
  const form = drawer?.querySelector("form");
  const send = async (event) => {
    const mayWait = table.facts.set || form.elements.practice.value === "True";
    if (navigator.onLine || !mayWait || !form.reportValidity()) return;
    event.preventDefault();
    event.stopPropagation(); // the drawer would find that there is no network
    const says = drawer.querySelector("[data-sent]");
    try {
      await putOff(form, table.facts.name);
      says.className = "pending";
      says.textContent = table.words("waits");
      told();
    } catch {
      says.className = "lost";
      says.textContent = table.words("offline");
    }
  };
  drawer?.addEventListener("submit", send, { capture: true });
}
