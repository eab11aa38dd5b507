// Where shortest ways come from: to the exit from the atlas, to images and other layouts from a search in the page,
// and where every piece has its own place from the server, which searches up to 23 million arrangements for it.

import { layoutAfter, parseMoves } from "./klotski.js";
import { Atlas, solve } from "./klotski-search.js";

const ASK_EVERY = 250; // milliseconds
const MOST_ASKED = 120;

/** Why the server gave no way: *words* for the reader, or none where it could not be reached. */
export class NoAnswer extends Error {
  constructor(words = "") {
    super(words);
    this.words = words;
  }
}

export class Ways {
  #addresses;
  #atlas = null;
  #named = new Map(); // the rest of a way from layouts with names, by both ends

  /** *addresses*: of the atlas, and of the server's answers. */
  constructor(addresses) {
    this.#addresses = addresses;
  }

  /** Fetch the atlas; until it is here, and where there is no network, the page searches instead. */
  async fetchAtlas() {
    try {
      const answer = await fetch(this.#addresses.atlas);
      if (answer.ok) this.#atlas = new Atlas(new Uint8Array(await answer.arrayBuffer()));
    } catch {
      // No network: searches find the same, some tenths of a second later.
    }
  }

  /** A shortest way without regard to names to "exit", a mirror or a layout; null proves that there is none. */
  find(layout, goal) {
    return goal === "exit" && this.#atlas ? this.#atlas.solution(layout) : solve(layout, goal);
  }

  /** The same where every piece has its own place. Throw NoAnswer. */
  async findNamed(layout, target) {
    const known = this.#named.get(between(layout, target));
    if (known !== undefined) return known;
    const text = await this.#ask(layout, target);
    const way = text === null ? null : parseMoves(text);
    this.#keep(layout, target, way);
    return way;
  }

  /** The length of a way that was found before, else undefined. */
  knownLength(layout, target) {
    const known = this.#named.get(between(layout, target));
    return known ? known.length : known;
  }

  #keep(layout, target, way) {
    this.#named.set(between(layout, target), way);
    let here = layout;
    for (let at = 0; at < (way?.length ?? 0); at++) {
      here = layoutAfter(here, way[at]);
      this.#named.set(between(here, target), way.slice(at + 1));
    }
  }

  async #ask(layout, target) {
    const address = `${this.#addresses.strict}?${new URLSearchParams({ from: written(layout), to: written(target) })}`;
    for (let asked = 0; asked < MOST_ASKED; asked++) {
      let answer;
      try {
        answer = await fetch(address, { cache: "no-store" });
      } catch {
        throw new NoAnswer();
      }
      const said = await answer.json().catch(() => ({}));
      if (answer.status === 200) return said.moves;
      if (answer.status !== 202) throw new NoAnswer(said.error ?? "");
      await new Promise((resolve) => setTimeout(resolve, ASK_EVERY));
    }
    throw new NoAnswer();
  }
}

/** A layout with the name of a piece in each of its cells. */
export function written(layout) {
  return Array.from(layout.cells, (_, cell) => layout.pieceAt(cell)?.name ?? ".").join("");
}

function between(layout, target) {
  return `${written(layout)} ${written(target)}`;
}
