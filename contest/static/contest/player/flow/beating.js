// "Beat my 214": loads the script of contest/beat/ when a link asks for it, or the player makes one.

export class Beating {
  #table;

  constructor(table) {
    this.#table = table;
  }

  get acts() {
    return { challenge: () => this.#load("challenge") };
  }

  /** Begin the race that the address asks for. */
  async start() {
    if (location.hash.startsWith("#beat=")) await this.#load("race");
  }

  async #load(wish) {
    const { facts } = this.#table;
    if (!facts.beat) return;
    await import(facts.beat);
    document.dispatchEvent(new CustomEvent(`beat:${wish}`, { detail: this.#table }));
  }
}
