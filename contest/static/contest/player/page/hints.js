// Hints in practice: the site's solver answers for the position as it stands (rule 20.4).

import { LOST, REACH } from "../view/marks.js";

const EVERY = 700; // milliseconds between two questions how far it is

export class Hints {
  #table;
  #address;
  #isAsking = false;
  #loss = null; // as in the API, while its boxes are marked

  /** *address* takes questions. */
  constructor(table, address) {
    this.#table = table;
    this.#address = address;
    table.onChange(() => this.#unmark());
  }

  get acts() {
    return {
      "hint-push": () => this.#ask(({ lurd }) => this.#go(lurd)),
      "hint-still": () => this.#ask(() => this.#table.say("hintSolved")),
      "hint-back": () => this.#goBack(),
    };
  }

  /** Mark the boxes that cannot all get home and where they can still go, and offer to undo the push that lost them. */
  #explain(loss) {
    const { view } = this.#table;
    this.#loss = loss;
    view.mark(LOST, loss.boxes);
    view.mark(REACH, loss.reach);
    this.#back.hidden = !loss.push;
    const values = { boxes: loss.boxes.length, push: loss.push };
    this.#table.say(loss.boxes.length === 1 ? "hintLostBox" : "hintLostBoxes", values);
  }

  #unmark() {
    if (!this.#loss) return;
    this.#loss = null;
    this.#table.view.mark(REACH, []);
    this.#back.hidden = true;
  }

  #goBack() {
    if (!this.#loss) return;
    const { moves } = this.#loss;
    this.#table.jump((play) => play.seek(moves));
    this.#table.say("hintBack");
    this.#table.focus();
  }

  get #back() {
    return this.#table.find("[data-lost]");
  }

  #go(letters) {
    this.#table.perform((play) => play.follow(letters));
    this.#table.say("hintPush", { moves: letters.length });
  }

  /** Ask about the position; *solved* is called where it can still be solved, unless the game has gone on meanwhile. */
  async #ask(solved) {
    if (this.#isAsking) return;
    this.#isAsking = true;
    const play = this.#table.goForward();
    const asked = play.letters;
    this.#table.say("hintAsking");
    try {
      const answer = await this.#answered(asked);
      if (play.letters !== asked) this.#table.say("hintTooLate");
      else if (answer.answer === "solved") solved(answer);
      else if (answer.loss) this.#explain(answer.loss);
      else this.#table.say(answer.answer === "unsolvable" ? "hintUnsolvable" : "hintUnknown");
    } catch ({ message }) {
      this.#table.say("hintRefused", { why: message });
    } finally {
      this.#isAsking = false;
    }
  }

  async #answered(moves) {
    const headers = { "Content-Type": "application/json", "Accept-Language": this.#table.root.closest("[lang]").lang };
    let search = await read(await fetch(this.#address, { method: "POST", headers, body: JSON.stringify({ moves }) }));
    const address = new URL(search.url).pathname; // the site may know itself by another name than the reader does
    while (search.state === "queued" || search.state === "running") {
      await new Promise((goOn) => setTimeout(goOn, EVERY));
      search = await read(await fetch(address, { headers }));
    }
    return search;
  }
}

/** The object of an answer. Throw its words where it is a refusal. */
async function read(answer) {
  const body = await answer.json();
  if (!answer.ok) throw new Error(body.errors?.[0]?.detail ?? body.detail ?? "");
  return body;
}
