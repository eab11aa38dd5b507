// The page of a run: starts the clock at the site, puts one level after the other into the page, sends the run.

import { sendForm } from "../player/flow/sending.js";
import { Drawer } from "../player/paste/submit.js";
import { takeOver } from "../player/view/parts.js";
import { speaker } from "../player/view/words.js";
import { PlainBoard } from "../plain/board.js";
import { clockFace, Run } from "./run.js";
import { forgetRun, keepRun, waitingRun } from "./waiting.js";

const TICK_MS = 200;
const PATIENCE_MS = 30_000;

class RunPage {
  #root;
  #facts;
  #words;
  #drawer;
  #run = null;
  #board = null;
  #timer = 0;
  #isStarting = false;
  #waiting = null;

  constructor(root) {
    this.#root = root;
    this.#facts = JSON.parse(this.#find("script[type='application/json']").textContent);
    this.#words = speaker({ ...this.#facts.sentences, ...this.#find("[data-words]").dataset, ...this.#find("[data-run-words]").dataset });
    this.#drawer = new Drawer(this.#find("[data-drawer]"), this.#words, { received: () => this.#forget() });
    takeOver(root);
    this.#drawer.close();
    for (const button of root.querySelectorAll("[data-begin]")) button.addEventListener("click", () => this.#begin());
    this.#find("[data-stop]").addEventListener("click", () => this.#end("stopped"));
    this.#find("[data-send]").addEventListener("click", () => this.#send());
    this.#find("[data-discard]").addEventListener("click", () => this.#discard());
    root.addEventListener("keydown", (event) => this.#holdBack(event), true);
    window.addEventListener("beforeunload", (event) => this.#run && !this.#run.ended && event.preventDefault());
    this.#waiting = waitingRun(this.#facts.mode);
    if (this.#waiting) this.#show("end", "waits");
  }

  #find(selector) {
    return this.#root.querySelector(selector);
  }

  /** Show one of the parts "start", "playing" and "end", and *sentence* at the end. */
  #show(part, sentence) {
    for (const place of this.#root.querySelectorAll("[data-part]")) place.hidden = place.dataset.part !== part;
    document.documentElement.classList.toggle("running", part === "playing");
    if (part !== "end") return;
    const solved = this.#waiting?.solved ?? 0;
    this.#find("[data-why]").textContent = this.#words(sentence);
    this.#find("[data-result]").textContent = this.#words(solved === 1 ? "solvedOne" : "solvedMany", { count: solved });
    this.#offer();
  }

  /** Offer to send the run that waits, unless the open form does, or to begin another. */
  #offer() {
    const isWaiting = Boolean(this.#waiting);
    this.#find("[data-send]").hidden = !isWaiting || this.#drawer.isOpen;
    this.#find("[data-discard]").hidden = !isWaiting;
    this.#find("[data-part=end] [data-begin]").hidden = isWaiting;
  }

  // Playing

  async #begin() {
    if (this.#isStarting) return; // a second press would start a second clock
    this.#isStarting = true;
    const fate = this.#find("[data-start-fate]");
    fate.textContent = this.#words("starting");
    let begun;
    try {
      begun = await this.#ask();
    } catch ({ cause }) {
      this.#show("start");
      fate.textContent = cause ?? this.#words(navigator.onLine ? "notStarted" : "startOffline");
      return;
    } finally {
      this.#isStarting = false;
    }
    fate.textContent = "";
    this.#fate("", "");
    const { seconds, mode } = this.#facts;
    this.#run = new Run({ levels: begun.levels, seconds, isClean: mode === "no-mistake" }, () => performance.now());
    this.#root.dataset.token = begun.token;
    this.#show("playing");
    this.#deal();
    this.#timer = setInterval(() => this.#tick(), TICK_MS);
  }

  async #ask() {
    const body = new URLSearchParams({ csrfmiddlewaretoken: this.#find("[name=csrfmiddlewaretoken]").value });
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const answer = await fetch(this.#facts.start, { method: "POST", body, headers: { Accept: "application/json" }, signal });
    if (answer.status === 429) throw new TypeError("Too many starts.", { cause: (await answer.json()).reason });
    if (!answer.ok) throw new TypeError(`The start answers ${answer.status}.`);
    return answer.json();
  }

  /** Put the present level into the page. */
  #deal() {
    this.#board?.leave();
    const stage = this.#find("template").content.firstElementChild.cloneNode(true);
    this.#find("[data-stage]").replaceChildren(stage);
    this.#board = new PlainBoard(stage, this.#run.level.text, {
      words: this.#words,
      changed: (position) => this.#hear(position),
      onward: () => this.#next(),
    });
    this.#board.focus();
    stage.querySelector("[data-next]").addEventListener("click", () => this.#next());
    this.#showCounts();
  }

  #hear(position) {
    const run = this.#run;
    run.hear(position);
    this.#find("[data-shows=moves]").textContent = position.moves;
    if (run.ended) this.#end();
    else if (position.isSolved && this.#board) this.#solved();
  }

  #solved() {
    this.#run.solve(this.#board.letters);
    this.#showCounts();
    if (this.#run.ended) this.#end();
    else this.#find("[data-solved]").hidden = false;
  }

  #next() {
    if (this.#run.ended || !this.#board.isSolved) return;
    this.#deal();
  }

  /** A key that is still held from the last push does not lead on. */
  #holdBack(event) {
    if (!event.repeat || !this.#board?.isSolved) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  }

  #tick() {
    this.#run.tick();
    this.#showCounts();
    if (this.#run.ended) this.#end();
  }

  #showCounts() {
    const { solved, count, shown } = this.#run;
    this.#find("[data-shows=solved]").textContent = `${solved} / ${count}`;
    this.#find("[data-shows=clock]").textContent = clockFace(shown, this.#facts.seconds !== null);
  }

  #end(why) {
    if (!this.#board) return;
    clearInterval(this.#timer);
    this.#run.end(why);
    this.#showCounts();
    this.#board?.leave();
    this.#board = null;
    const { solved, ended, text } = this.#run;
    this.#waiting = null;
    if (solved) {
      const fields = { run_token: this.#root.dataset.token, moves: text, seal: "" };
      this.#waiting = { mode: this.#facts.mode, solved, fields };
      keepRun(this.#waiting);
    }
    this.#show("end", `ended-${ended}`.replace(/-(\w)/g, (_, letter) => letter.toUpperCase()));
    if (solved) this.#send();
    else this.#find("[data-part=end] [data-begin]").focus();
  }

  // Sending

  /** Send the run under the known name, or with the form. */
  async #send() {
    const form = this.#drawer.filled(this.#waiting.fields.moves, "");
    for (const name of ["run_token", "seal"]) form.elements[name].value = this.#waiting.fields[name];
    this.#fate("", this.#words("sending"));
    let answer;
    try {
      answer = await sendForm(form);
    } catch {
      this.#fate("bad", this.#words(navigator.onLine ? "runKept" : "runKeptOffline"));
      return;
    }
    if (answer.receipt) await this.#received(answer);
    else this.#refused(answer);
  }

  async #received({ receipt, isNew }) {
    this.#forget();
    if (isNew) {
      location.assign(receipt); // it shows the secret of the name
      return;
    }
    this.#offer();
    const { isRanked, day, ever } = await this.#resultAt(receipt);
    const ranks = isRanked === undefined ? "" : this.#words(isRanked ? (day ? "ranks" : "notBest") : "late", { day, ever: ever ?? "–" });
    this.#fate("good", `${this.#words("runReceived")} ${ranks}`, receipt);
    this.#find("[data-part=end] [data-begin]").focus();
  }

  async #resultAt(receipt) {
    try {
      return await (await fetch(receipt, { headers: { Accept: "application/json" } })).json();
    } catch {
      return {}; // the receipt itself shows it
    }
  }

  /** The seal proves when the run came, so that a name can still be given. */
  #refused({ errors = {}, seal = "" }) {
    if (seal) this.#waiting.fields.seal = seal;
    keepRun(this.#waiting);
    this.#drawer.filled(this.#waiting.fields.moves, "").elements.seal.value = this.#waiting.fields.seal;
    const isOfName = ["nickname", "claim", "country", "email"].some((name) => name in errors);
    this.#fate("bad", isOfName ? this.#words("nameWanted") : Object.values(errors).flat().join(" "));
    if (!isOfName) return;
    this.#drawer.open(this.#waiting.fields.moves, "");
    this.#offer();
    if (this.#drawer.nickname) this.#drawer.refuse(errors);
  }

  #forget() {
    this.#waiting = null;
    forgetRun(this.#facts.mode);
    this.#drawer.close();
  }

  #discard() {
    this.#forget();
    this.#fate("", "");
    this.#show("start");
  }

  #fate(kind, text, receipt) {
    const place = this.#find("[data-fate]");
    place.className = `fate ${kind}`;
    place.textContent = text;
    if (!receipt) return;
    const link = document.createElement("a");
    link.href = receipt;
    link.textContent = this.#words("receipt");
    place.append(" ", link);
  }
}

for (const root of document.querySelectorAll("[data-run]")) new RunPage(root);
