// The settings of the player, which this browser keeps for all levels and every board it shows.

const SETTINGS = "leitai.player";

/** The browser's storage, or one that forgets: to ask for it may already be forbidden. */
export function storage() {
  try {
    return window.localStorage;
  } catch {
    const kept = new Map();
    return {
      getItem: (name) => kept.get(name) ?? null,
      setItem: (name, value) => kept.set(name, value),
      removeItem: (name) => kept.delete(name),
    };
  }
}

/** What *store* keeps under *name*, or *otherwise*. */
export function read(store, name, otherwise) {
  try {
    return JSON.parse(store.getItem(name)) ?? otherwise;
  } catch {
    return otherwise;
  }
}

/** Keep *value* under *name*; false where there is no room. */
export function write(store, name, value) {
  try {
    store.setItem(name, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}

export const readSettings = (store = storage()) => read(store, SETTINGS, {});

export const writeSettings = (settings, store = storage()) => write(store, SETTINGS, settings);
