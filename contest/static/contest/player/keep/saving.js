// A game as text to be stored. Long games are stored in parts, and only the parts that changed are written again, so
// that every action can be saved at once.

const PART = 20_000;
const FIRST = 65; // "A": sixteen letters for the sixteen values a step of a history can have

/** The *bytes* of a history as letters. */
export function toText(bytes) {
  return new TextDecoder().decode(bytes.map((byte) => FIRST + (byte & 15)));
}

/** The bytes of a text; of a damaged one those before the damage. */
export function toBytes(text) {
  const whole = /^[A-P]*/.exec(text)[0];
  return Uint8Array.from(whole, (letter) => letter.charCodeAt(0) - FIRST);
}

function isSame(before, wanted) {
  if (before?.length !== wanted.length) return false;
  for (let at = 0; at < wanted.length; at++) if (before[at] !== wanted[at]) return false;
  return true;
}

/** Games kept in a *storage* (an object as localStorage is), one under each *name*. */
export class Shelf {
  #storage;
  #name;
  #written = []; // the bytes of each part

  constructor(storage, name) {
    this.#storage = storage;
    this.#name = `leitai.play.${name}`;
  }

  /** Where the part is kept that changes with every save. */
  get headName() {
    return this.#name;
  }

  /** Store *bytes* and whatever else is in *facts*. Return whether it is stored. */
  save({ bytes, ...facts }) {
    const count = Math.ceil(bytes.length / PART);
    try {
      for (let part = 0; part < count; part++) {
        const wanted = bytes.subarray(part * PART, (part + 1) * PART);
        if (isSame(this.#written[part], wanted)) continue;
        this.#storage.setItem(`${this.#name}.${part}`, toText(wanted));
        this.#written[part] = wanted.slice();
      }
      this.#storage.setItem(this.#name, JSON.stringify({ ...facts, length: bytes.length }));
    } catch {
      this.#written = [];
      return false; // full, or forbidden: a private window
    }
    for (let part = count; part < this.#written.length; part++) this.#storage.removeItem(`${this.#name}.${part}`);
    this.#written.length = count;
    return true;
  }

  /** Write everything again next time: another window has written here. */
  forget() {
    this.#written = [];
  }

  /** Give the room back and leave only *facts*, which say where the game is now. Return whether they are stored. */
  leave(facts) {
    try {
      for (let part = 0; this.#storage.getItem(`${this.#name}.${part}`) !== null; part++) {
        this.#storage.removeItem(`${this.#name}.${part}`);
      }
      this.#written = [];
      this.#storage.setItem(this.#name, JSON.stringify({ ...facts, length: 0 }));
      return true;
    } catch {
      return false;
    }
  }

  /** What was stored last, or null. */
  load() {
    try {
      const facts = JSON.parse(this.#storage.getItem(this.#name));
      if (!facts) return null;
      const count = Math.ceil(facts.length / PART);
      const texts = Array.from({ length: count }, (_, part) => this.#storage.getItem(`${this.#name}.${part}`) ?? "");
      this.#written = texts.map(toBytes);
      return { ...facts, bytes: toBytes(texts.join("").slice(0, facts.length)) };
    } catch {
      return null;
    }
  }
}
