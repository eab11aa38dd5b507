// The page of impartial games: the person and the perfect player take turns on Nim, Chomp, Kayles, Notakto or all of them.

import { Player, read } from "./games.js";
import { LINES, bite, isDead } from "./game-rules.js";
import { opened } from "./opening.js";
import { troubleWords } from "./trouble.js";
import { PuzzleError } from "../player/rules/errors.js";

const MOST_SHOWN = 300; // stones, squares and pins
const WAIT = 500; // milliseconds, so that one sees the answer come
const DEALS = {
  nim: () => [{ game: "nim", position: [random(2, 7), random(2, 7), random(2, 7)] }],
  chomp: () => [{ game: "chomp", position: Array(random(3, 4)).fill(random(4, 6)) }],
  kayles: () => [{ game: "kayles", position: [random(5, 9), random(2, 5)] }],
  notakto: () => [{ game: "notakto", position: ["---------", "---------"] }],
  mixture: () => [
    { game: "nim", position: [random(2, 5), random(2, 5)] },
    { game: "chomp", position: Array(3).fill(random(3, 4)) },
    { game: "kayles", position: [random(4, 6)] },
    { game: "notakto", position: ["---------"] },
  ],
};

function random(least, most) {
  return least + Math.floor(Math.random() * (most - least + 1));
}

class Page {
  #player = new Player();

  constructor(root) {
    this.at = (name) => root.querySelector(`[data-${name}]`);
    this.words = opened(root).words;
    for (const button of root.querySelectorAll("[data-do]")) button.addEventListener("click", () => this[button.dataset.do]());
    this.at("game").addEventListener("change", () => {
      this.at("misere").checked = this.at("game").value === "notakto"; // as it is usually played
      this.deal();
    });
    this.at("misere").addEventListener("change", () => this.deal());
    this.at("reveal").addEventListener("change", () => this.show());
    this.at("own").addEventListener("submit", (event) => this.dealOwn(event));
    this.deal();
  }

  get isMisere() {
    return this.at("misere").checked;
  }

  deal(parts = DEALS[this.at("game").value]()) {
    clearTimeout(this.timer);
    this.isThinking = false;
    this.parts = parts;
    this.past = [];
    this.pin = null;
    this.isOver = false;
    this.show();
    if (!this.end("machine")) this.say("yourTurn");
  }

  /** A position of one's own, as the library's command line takes it; refused in words, and nothing is lost. */
  dealOwn(event) {
    event.preventDefault();
    this.at("own-trouble").textContent = "";
    try {
      const parts = asParts(this.at("own-text").value);
      this.#player.wins(read({ sum: parts }).terms, { misere: this.isMisere });
      this.deal(parts);
    } catch (error) {
      if (!(error instanceof PuzzleError)) throw error;
      this.at("own-trouble").textContent = troubleWords(this.words, error);
    }
  }

  /** Let the perfect player begin. */
  yield() {
    if (this.past.length || this.isOver) return;
    this.past.push(this.parts);
    this.answer();
  }

  undo() {
    clearTimeout(this.timer);
    if (!this.past.length) return;
    this.parts = this.past.pop();
    this.isOver = this.isThinking = false;
    this.pin = null;
    this.show();
    this.say("yourTurn");
  }

  /** The person's move: *position* is what becomes of the part of that number. */
  move(part, position) {
    if (this.isOver || this.isThinking) return;
    this.past.push(this.parts);
    this.become(part, position);
    if (this.end("person")) return;
    this.isThinking = true;
    this.show();
    this.timer = setTimeout(() => {
      this.isThinking = false;
      this.answer();
    }, WAIT);
  }

  answer() {
    const asked = read({ sum: this.parts });
    const best = this.#player.winningMoves(asked.terms, { misere: this.isMisere })[0];
    const move = best ?? this.anyMove(asked.terms);
    let at = 0;
    const part = this.parts.findIndex((one) => {
      const size = one.game === "chomp" ? 1 : one.position.length;
      at += size;
      return move.term < at;
    });
    const { game, position } = this.parts[part];
    if (game === "chomp") this.become(part, move.parts[0]);
    else {
      const index = move.term - (at - position.length);
      this.become(part, position.flatMap((one, here) => (here === index ? move.parts : [one])));
    }
    if (!this.end("machine")) this.say("iTook");
  }

  /** Where all moves lose, any. */
  anyMove(terms) {
    const moves = terms.flatMap(({ rules, position }, term) => rules.moves(position).map((parts) => ({ term, parts })));
    return moves[random(0, moves.length - 1)];
  }

  become(part, position) {
    this.parts = this.parts.map((one, at) => (at === part ? { ...one, position } : one));
    this.pin = null;
    this.show();
  }

  end(mover) {
    const { terms } = read({ sum: this.parts });
    if (terms.some(({ rules, position }) => rules.moves(position).length)) return false;
    this.isOver = true;
    this.say((mover === "person") === this.isMisere ? "iWin" : "youWin");
    return true;
  }

  // What is shown

  say(key, values) {
    this.at("says").textContent = this.words(key, values);
  }

  show() {
    const tables = this.parts.map((part, at) => this.table(part, at));
    this.at("table").replaceChildren(...tables);
    if (this.at("reveal").checked) this.at("table").append(this.reveal());
  }

  table({ game, position }, part) {
    const section = element("section", "game-part");
    const head = element("h2");
    head.textContent = this.words(game);
    if (this.at("reveal").checked && !this.isMisere) {
      const { terms } = read({ game, position });
      head.textContent += ` · ${this.words("value", { value: this.#player.grundy(terms) })}`;
    }
    section.append(head, ...this[game](position, part));
    return section;
  }

  reveal() {
    const { terms } = read({ sum: this.parts });
    const line = element("p");
    const outcome = this.words(this.#player.wins(terms, { misere: this.isMisere }) ? "won" : "lost");
    const total = this.isMisere ? "" : `${this.words("total", { value: this.#player.grundy(terms) })} `;
    line.textContent = total + outcome;
    return line;
  }

  nim(heaps, part) {
    return heaps.map((heap, at) => {
      const line = element("div", "game-line");
      for (let left = 0; left < heap; left++) {
        line.append(this.button("stone", "", this.words("heap", { count: heap, left }), () =>
          this.move(part, heaps.map((one, here) => (here === at ? left : one))),
        ));
      }
      return line;
    });
  }

  chomp(bar, part) {
    return bar
      .map((length, row) => {
        const line = element("div", "game-line");
        for (let column = 0; column < length; column++) {
          const isPoison = row === 0 && column === 0;
          const name = isPoison ? this.words("poison") : this.words("bite", { row: row + 1, column: column + 1 });
          const square = this.button(isPoison ? "square poison" : "square", isPoison ? "!" : "", name, () =>
            this.move(part, bite(bar, row, column)),
          );
          square.disabled = isPoison;
          line.append(square);
        }
        return line;
      })
      .reverse();
  }

  kayles(rows, part) {
    return rows.map((pins, row) => {
      const line = element("div", "game-line");
      for (let pin = 0; pin < pins; pin++) {
        const isChosen = String(this.pin) === String([part, row, pin]);
        line.append(this.button(isChosen ? "pin chosen" : "pin", "", this.words("pin", { pin: pin + 1, row: row + 1 }), () =>
          this.pickPin(rows, part, row, pin),
        ));
      }
      return line;
    });
  }

  /** The first press chooses a pin; the second takes it, or it and its neighbour. */
  pickPin(rows, part, row, pin) {
    const [chosenPart, chosenRow, chosen] = this.pin ?? [];
    if (chosenPart !== part || chosenRow !== row || Math.abs(chosen - pin) > 1) {
      this.pin = [part, row, pin];
      this.show();
      this.say("pickPin");
      return;
    }
    const first = Math.min(chosen, pin);
    const after = rows[row] - first - (chosen === pin ? 1 : 2);
    const left = [first, after].filter(Boolean);
    this.move(part, rows.flatMap((one, here) => (here === row ? left : [one])));
  }

  notakto(boards, part) {
    return boards.map((board, at) => {
      const grid = element("div", isDead(board) ? "game-grid over" : "game-grid");
      [...board].forEach((content, square) => {
        const name = this.words("cross", { square: square + 1, board: at + 1 });
        const button = this.button("", content === "X" ? "X" : "", name, () => {
          const marked = `${board.slice(0, square)}X${board.slice(square + 1)}`;
          this.move(part, boards.map((one, here) => (here === at ? marked : one)));
        });
        button.disabled = content === "X" || isDead(board);
        if (isDead(board) && LINES.some((line) => line.includes(square) && line.every((one) => board[one] === "X"))) {
          button.classList.add("chosen");
        }
        grid.append(button);
      });
      return grid;
    });
  }

  button(style, text, name, act) {
    const button = element("button", style);
    button.type = "button";
    button.textContent = text;
    button.ariaLabel = button.title = name;
    button.disabled = this.isOver || Boolean(this.isThinking);
    button.addEventListener("click", act);
    return button;
  }
}

/** The games of a text, which is JSON: {"game", "position"} or {"sum": [...]}. Throw a PuzzleError. */
function asParts(text) {
  let given;
  try {
    given = JSON.parse(text);
  } catch {
    throw new PuzzleError("not_json");
  }
  if (given === null || typeof given !== "object") throw new PuzzleError("not_json");
  read(given);
  const parts = given.sum ?? [given];
  if (!parts.every(({ game }) => game in DEALS)) throw new PuzzleError("not_played");
  const size = parts.flatMap(({ position }) => position).reduce((sum, part) => sum + (Number(part) || 9), 0);
  if (size > MOST_SHOWN) throw new PuzzleError("not_shown", { limit: MOST_SHOWN });
  return parts.map(({ game, position }) => ({ game, position }));
}

function element(name, style = "") {
  const made = document.createElement(name);
  if (style) made.className = style;
  return made;
}

new Page(document.querySelector("[data-games]"));
