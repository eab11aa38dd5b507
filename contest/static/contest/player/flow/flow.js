// From a solved board to the next one: what has become of the solution, and what the player can do now. It knows no page.

const WAITS = new Set(["sending", "judging"]);

/**
 * The state of one level:
 *
 *     playing → solved → sending → judging → judged
 *                  ↑        ↓ lost, refused: it can be sent again
 *
 * A solution is known by its letters, so that an answer that comes late is kept for the solution it answers.
 */
export class Flow {
  #outcomes = new Map(); // by letters: {at, ...facts}
  #letters = null;
  #door;
  #facts;
  #changed;

  /**
   * *door* is "contest", "practice", "library", or "" where nothing is accepted. *hasName* says that the player's name
   * is known, *hasNext* that there is a next level. *changed* is called after every event.
   */
  constructor({ door, hasName = false, hasNext = false }, changed = () => {}) {
    this.#door = door;
    this.#facts = { hasName, hasNext };
    this.#changed = changed;
  }

  get at() {
    return this.#letters === null ? "playing" : this.outcome.at;
  }

  /** The facts of the solution on the board: {at, door, receipt, verdict, reasons, isOffline}, as far as there are any. */
  get outcome() {
    return this.#outcomes.get(this.#letters) ?? { at: "solved" };
  }

  get door() {
    return this.#door;
  }

  /** The main act: "submit", "again", "practice", "wait", "next", or "" where there is none. */
  get offer() {
    const { at } = this;
    const { hasNext } = this.#facts;
    if (at === "playing") return "";
    if (WAITS.has(at)) return "wait";
    if (at === "lost") return "again";
    const isDone = at === "judged" || !this.#door || this.mayEnter;
    if (isDone) return hasNext ? "next" : "";
    return this.#door === "practice" ? "practice" : "submit";
  }

  /** Whether the form is offered beside the next level: in a library a first name can wait. */
  get mayEnter() {
    return this.#door === "library" && !this.#facts.hasName && this.at === "solved";
  }

  /** Whether the solution can be sent without a form. */
  get sendsInPlace() {
    return this.#facts.hasName && ["submit", "again", "practice"].includes(this.offer);
  }

  /** The board shows the solution *letters*; null: it is not solved. */
  show(letters) {
    this.#letters = letters;
    this.#changed();
  }

  /**
   * Begin to send the solution on the board; return {letters, door}, or null while that is not possible. One that was
   * lost goes through the same door again, even after the close: it may have been received in time.
   */
  send() {
    if (!this.sendsInPlace) return null;
    const letters = this.#letters;
    const door = this.at === "lost" ? this.outcome.door : this.#door;
    this.#become(letters, { at: "sending", door });
    return { letters, door };
  }

  received(letters, receipt) {
    this.#become(letters, { ...this.#outcomes.get(letters), at: "judging", receipt });
  }

  judged(letters, verdict) {
    this.#become(letters, { ...this.#outcomes.get(letters), at: "judged", verdict });
  }

  /** No answer came: the solution counts as not received, and sending it again is safe. */
  lost(letters, isOffline) {
    this.#become(letters, { ...this.#outcomes.get(letters), at: "lost", isOffline });
  }

  refused(letters, reasons) {
    this.#become(letters, { at: "refused", reasons });
  }

  /** The round closes: from now on solutions go through *door*, "practice" or "". */
  close(door) {
    this.#door = door;
    for (const [letters, { at }] of this.#outcomes) if (at === "refused") this.#outcomes.delete(letters);
    this.#changed();
  }

  #become(letters, outcome) {
    this.#outcomes.set(letters, outcome);
    this.#changed();
  }
}
