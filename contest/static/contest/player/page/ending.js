// What is said and done about boxes that come home and about a level that is solved: sounds, own bests, the card.

import { solvedOn } from "../keep/daily.js";
import { storage } from "../keep/settings.js";
import { foretell } from "../paste/preview.js";
import { measured } from "../paste/verdict.js";

export class Ending {
  #table;
  #drawer;
  #onward;
  #last = null; // {isSolved, home, moves, pushes} of the position before

  /** *drawer* is what a solution is sent from, or null where nothing is taken; *onward* leads on from a solution. */
  constructor(table, drawer, onward) {
    this.#table = table;
    this.#drawer = drawer;
    this.#onward = onward;
    drawer?.close();
    table.onChange((how) => this.#announce(how));
  }

  /** What text mode asks for. */
  get answers() {
    return {
      best: () => this.#bestWords(),
      rank: () => this.#rankWords(),
      submit: () => [this.#onward.sendWords()],
    };
  }

  #announce({ isSaved }) {
    const { play, lines, store, level } = this.#table;
    const { position } = play;
    const { moves, pushes } = position;
    const { home } = lines;
    const isSolved = play.isSolved && !lines.isBackward;
    const last = isSaved ? { isSolved, home, moves, pushes } : this.#last; // what was stored is no news
    const isNew = isSolved && !last.isSolved;
    this.#last = { isSolved, home, moves, pushes };
    this.#table.find("[data-solved]").hidden = !isSolved;
    this.#table.root.classList.toggle("is-solved", isSolved);
    if (isNew) this.#table.root.classList.remove("card-away");
    this.#sounds({ isNew, isHome: home > last.home, isPush: pushes > last.pushes, isStep: moves > last.moves });
    const gained = isSolved && store.keepBest({ moves, pushes, lurd: play.letters });
    if (isSolved || isSaved) this.showBest();
    if (isSolved) this.#showSolution({ moves, pushes });
    if (isNew || isSaved) this.#showGain(isNew ? gained : {});
    this.#onward.show(isSolved ? play.letters : null, isNew);
    if (isNew && this.#table.facts.daily) solvedOn(storage(), this.#table.facts.daily, Date.now());
    if (isNew) this.#table.say("solvedIn", { moves, pushes });
    else if (home !== last.home) this.#table.say("homeNow", { home, boxes: level.boxes.length });
    else this.#table.say("nothing");
  }

  #sounds({ isNew, isHome, isPush, isStep }) {
    if (isNew) this.#table.hear("solved");
    else if (isHome) this.#table.hear("home");
    else if (isPush) this.#table.hear("push");
    else if (isStep) this.#table.hear("step");
  }

  #showSolution({ moves, pushes }) {
    const { words, play } = this.#table;
    this.#table.find("[data-solved-words]").textContent = words("solvedCounts", { moves, pushes });
    this.#table.find("[data-measures]").replaceChildren(...measured(play.letters, words));
  }

  /** How much better the solution is than the best of before. */
  #showGain({ moves = 0, pushes = 0 }) {
    const { words } = this.#table;
    const said = [];
    if (moves) said.push(words(moves === 1 ? "betterByMove" : "betterByMoves", { count: moves }));
    if (pushes) said.push(words(pushes === 1 ? "betterByPush" : "betterByPushes", { count: pushes }));
    const place = this.#table.find("[data-gain]");
    place.textContent = said.join(" · ");
    place.hidden = !said.length;
  }

  /**
   * What rank the solution on the board would take, by the numbers that everybody can read (rule 7.7): for text mode,
   * and of the own best where the level is not solved now.
   */
  async #rankWords() {
    const { store, facts } = this.#table;
    const play = this.#table.lines.forward;
    const result = play.isSolved ? play.position : store.best.moves;
    if (!result) return [["notSolvedYet", {}]];
    return facts.numbers && this.#drawer ? foretell(facts.numbers, result, this.#drawer.nickname) : [["nothingTaken", {}]];
  }

  showBest() {
    const { moves, pushes } = this.#table.store.best;
    for (const [name, best] of Object.entries({ moves, pushes })) {
      const button = this.#table.find(`[data-act="load-${name}"]`);
      button.hidden = !best;
      if (best) button.textContent = `${best.moves} / ${best.pushes}`;
    }
    this.#table.find("[data-own-best]").hidden = !moves;
  }

  #bestWords() {
    const { moves, pushes } = this.#table.store.best;
    const own = { byMoves: `${moves?.moves}/${moves?.pushes}`, byPushes: `${pushes?.moves}/${pushes?.pushes}` };
    const others = [...this.#table.root.querySelectorAll("[data-round-best]")];
    return [moves ? ["ownBest", own] : ["noOwnBest", {}], ...others.map((best) => ["verbatim", { text: best.textContent }])];
  }
}
