// What the page makes of pasted moves: the verdict in the judge's words, the board at that moment, and what can be
// offered. It shows and asks; what is entered is decided by who pasted.

import { find } from "./finding.js";
import { toSteps } from "../rules/game.js";
import { measure } from "../rules/metrics.js";
import { Playback } from "../play/playback.js";
import { squareName } from "../rules/squares.js";
import { WRONG } from "../view/marks.js";
import { BoardView } from "../view/view.js";

const SHARE_OF_SCREEN = 0.6;
const LISTED_PARTS = 3; // of what was not read
const LONGEST_PART = 40; // characters

/** The sentences for a judgement of `find`; *names* are the names of its levels, in their order. */
export function sentence(found, names, words) {
  const verdict = verdictOf(found, names, words);
  const rest = leftOut(found.leftOut, words);
  // A Chinese full stop has its own space.
  return rest && !verdict.endsWith("。") ? `${verdict} ${rest}` : verdict + rest;
}

function verdictOf({ outcome, replay, level, step, why, letter, error, problem }, names, words) {
  if (problem) return words(`problem_${problem.code}`, problem.values);
  if (outcome === "solved") return words("solves", { level: names[level], counts: counts(replay, words) });
  if (outcome === "not_solved") {
    const moves = countOf(replay.moves, "Move", "Moves", words);
    return words("notSolved", { home: replay.boxes_home, boxes: replay.boxes, moves, level: names[level] });
  }
  if (outcome === "illegal") return illegal({ replay, level, step, why, letter }, names, words);
  if (outcome === "empty") return words("empty");
  return unreadable(error, words);
}

/** What of the text was not read as moves, with an invisible character by its number. */
function leftOut(parts, words) {
  if (!parts.length) return "";
  const shown = parts.slice(0, LISTED_PARTS).map(({ line, text }) => words("leftOutPart", { line, text: visible(text) }));
  return words(parts.length > LISTED_PARTS ? "moreLeftOut" : "leftOut", { parts: shown.join(words("betweenParts")) });
}

function visible(text) {
  const named = (character) => `U+${character.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}`;
  return Array.from(text).slice(0, LONGEST_PART).join("").replace(/(?! )[\p{C}\p{Z}]/gu, named);
}

function counts({ moves, pushes }, words) {
  const said = { moves: countOf(moves, "Move", "Moves", words), pushes: countOf(pushes, "Push", "Pushes", words) };
  return words("counts", said);
}

function countOf(count, one, some, words) {
  return words(count === 1 ? `one${one}` : `some${some}`, { count });
}

function illegal({ replay, level, step, why, letter }, names, words) {
  const possible = words("possible", { moves: replay.moves, level: names[level] });
  return `${possible} ${words(`why_${why}`, { step, letter })}`;
}

/** An error of a reader in words, with its place. */
export function unreadable({ code, index, values }, words) {
  if (code === "too_long") return words(values.size ? "tooLong" : "farTooLong", values);
  const named = "character" in values ? { ...values, character: visible(values.character) } : values;
  const said = words(`error_${code}`, named);
  return index === null ? `${said}.` : words("atCharacter", { words: said, index: index + 1 });
}

export class Verdict {
  #root;
  #words;
  #use;
  #view = null;
  #shown = null; // the level on the board
  #playback = null;
  #wrong = null;
  #at = 0;
  #frame;

  /** Show in *root*; *use* is told the text that somebody chose of what was offered. */
  constructor(root, words, use) {
    this.#root = root;
    this.#words = words;
    this.#use = use;
    this.#frame = root.querySelector("[data-board]");
    for (const button of root.querySelectorAll("[data-turn]")) {
      button.addEventListener("click", () => this.#seek(this.#at + Number(button.dataset.turn)));
    }
    root.querySelector("[data-time]").addEventListener("input", ({ target }) => this.#seek(Number(target.value)));
    window.addEventListener("resize", () => this.#size());
  }

  /** Judge *text* on *levels*, [{name, level}], show what came of it, and return it. */
  show(levels, text) {
    const boards = levels.map(({ level }) => level);
    const names = levels.map(({ name }) => name);
    this.#root.hidden = !text.trim();
    if (!text.trim()) return null;
    if (!levels.length) {
      this.#say(this.#words("noLevels"), "rejected");
      this.#offer([]);
      this.#look(null);
      return null;
    }
    const found = find(boards, text);
    const isSolved = found.outcome === "solved";
    this.#say(sentence(found, names, this.#words), isSolved ? "accepted" : "rejected");
    this.#offer(this.#offers(found, names));
    this.#look(found.replay && { ...found, level: boards[found.level] });
    this.#count(isSolved ? found.replay.lurd : "");
    return found;
  }

  /** Show nothing: there is no level to judge on. */
  hide() {
    this.#root.hidden = true;
    return null;
  }

  #say(words, kind) {
    const place = this.#root.querySelector("[data-sentence]");
    place.className = `verdict ${kind}`;
    if (place.textContent !== words) place.textContent = words; // so that it is read out once
  }

  /** What can be done about it: [words, of the button, the text it puts in the place of the pasted one]. */
  #offers({ replay, turned, others, shorter }, names) {
    const words = this.#words;
    const offers = [];
    if (turned) {
      const { moves, pushes, lurd } = turned.replay;
      const what = words(`turned_${turned.symmetry}`, { level: names[turned.level] });
      offers.push([`${what} ${moves} / ${pushes}. ${words("turnBackWhy")}`, words("turnBack"), lurd]);
    }
    if (replay?.cut) offers.push([words("tail", { cut: replay.cut }), words("useTrimmed"), replay.lurd]);
    if (shorter) {
      const values = { moves: shorter.length, fewer: replay.moves - shorter.length };
      offers.push([words("shorter", values), words("useShorter"), shorter]);
    }
    for (const other of others) {
      const values = { level: names[other.level], counts: counts(other.replay, words) };
      offers.push([words("otherSolution", values), words("useOther"), other.replay.lurd]);
    }
    return offers;
  }

  #offer(offers) {
    const items = offers.map(([said, label, text]) => {
      const item = document.createElement("li");
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = label;
      button.addEventListener("click", () => this.#use(text));
      item.append(`${said} `, button);
      return item;
    });
    this.#root.querySelector("[data-offers]").replaceChildren(...items);
  }

  // The board

  /** Show the last possible moment of *game*, with the square of the bad step marked. */
  #look(game) {
    this.#root.querySelector("[data-look]").hidden = !game;
    if (!game) return;
    this.#show(game.level);
    const playback = new Playback(game.level, game.replay.lurd);
    this.#playback = playback;
    this.#wrong = game.why ? playback.seek(playback.length).cellAhead(toSteps(game.letter)[0] & 3) : null;
    this.#root.querySelector("[data-time]").max = playback.length;
    this.#seek(playback.length);
  }

  /** A view belongs to one level: another one gets a new board. */
  #show(level) {
    if (this.#shown?.publishedText === level.publishedText) return;
    const fresh = this.#frame.cloneNode(true);
    this.#frame.replaceWith(fresh);
    this.#frame = fresh;
    this.#shown = level;
    this.#view = new BoardView(fresh, level);
    this.#size();
  }

  #size() {
    if (!this.#view) return;
    const height = this.#view.heightFor(this.#frame.clientWidth, window.innerHeight * SHARE_OF_SCREEN);
    this.#frame.style.height = `${height}px`;
    this.#view.fit();
  }

  #seek(at) {
    if (!this.#playback) return;
    const { length } = this.#playback;
    this.#at = Math.min(Math.max(at, 0), length);
    const isWrong = this.#wrong !== null && this.#at === length;
    this.#view.show(this.#playback.seek(this.#at));
    this.#view.mark(WRONG, isWrong ? [this.#wrong] : []);
    const square = isWrong ? squareName(this.#shown, this.#wrong) : "";
    this.#frame.dataset.wrong = square;
    const bar = this.#root.querySelector("[data-time]");
    bar.value = this.#at;
    const words = isWrong ? this.#words("wrongAt", { square }) : this.#words("moment", { at: this.#at, length });
    bar.setAttribute("aria-valuetext", words);
    this.#root.querySelector("[data-moment]").textContent = words;
  }

  /** The secondary metrics of a solution. */
  #count(lurd) {
    const place = this.#root.querySelector("[data-measures]");
    place.hidden = !lurd;
    if (lurd) place.replaceChildren(...measured(lurd, this.#words));
  }
}

/** The terms and numbers of everything that can be counted on a solution, for a list of definitions. */
export function measured(lurd, words) {
  const { box_lines: boxLines, box_changes: boxChanges, push_runs: pushRuns, player_lines: playerLines } = measure(lurd);
  return Object.entries({ boxLines, boxChanges, pushRuns, playerLines }).map(([name, value]) => {
    const pair = document.createElement("div");
    const term = document.createElement("dt");
    const number = document.createElement("dd");
    term.textContent = words(name);
    number.textContent = value;
    pair.append(term, number);
    return pair;
  });
}
