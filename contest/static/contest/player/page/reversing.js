// Playing backwards (逆推), and both ways until the lines meet (双推): what is aimed at, and what happens when they meet.

import { MEETINGS } from "../play/lines.js";

export class Reversing {
  #table;
  #aims = "";

  constructor(table) {
    this.#table = table;
    table.onChange(() => this.#aim());
    table.find("[data-meeting]").addEventListener("change", ({ target }) => this.#meet(target.value));
  }

  /** From now on look whether the lines meet; all who show a position are to be told before. */
  watch() {
    this.#table.onChange(({ isSaved }) => isSaved || this.#join());
  }

  get acts() {
    const { lines } = this.#table;
    return {
      reverse: () => this.#turn(),
      meet: () => this.#meet(MEETINGS[(MEETINGS.indexOf(lines.meeting) + 1) % MEETINGS.length]),
      "mark-line": () => this.#mark(),
    };
  }

  #turn() {
    const { lines } = this.#table;
    this.#table.jump(() => lines.turn());
    const isNew = lines.isBackward && !lines.play.length;
    this.#table.say(isNew ? "placeToBegin" : lines.isBackward ? "backwardNow" : "forwardNow");
  }

  #meet(meeting) {
    const { lines } = this.#table;
    this.#table.jump(() => lines.meet(meeting));
    this.#table.say({ off: "meetingOff", now: "meetingNow", mark: "meetingMark" }[meeting]);
  }

  #mark() {
    this.#table.jump(() => this.#table.lines.mark());
    this.#table.say("lineMarked");
  }

  /** Show what the boxes of the present line are wanted on, and which line it is. */
  #aim() {
    const { lines, root, view } = this.#table;
    const targets = lines.targets;
    const wanted = String(targets);
    if (wanted !== this.#aims) view.aim(targets);
    this.#aims = wanted;
    root.classList.toggle("backward", lines.isBackward);
    root.classList.toggle("two-lines", Boolean(lines.backward));
    this.#table.find("[data-meeting]").value = lines.meeting;
    this.#table.find("[data-act=reverse]").setAttribute("aria-pressed", lines.isBackward);
  }

  /** Where the lines meet, show the solution they make as the game forwards; what that was becomes a branch. */
  #join() {
    const { lines } = this.#table;
    const solution = lines.solution;
    if (!solution || (!lines.isBackward && solution === lines.forward.letters)) return;
    lines.goForward();
    this.#table.jump((play) => {
      play.seek(0);
      play.follow(solution);
    });
    const { moves, pushes } = lines.forward.position;
    this.#table.say("linesMet", { moves, pushes });
  }
}
