// A formula put together by pressing: its quantifiers, and a table of clauses and variables.

import { literalName, nameOf } from "./drawing.js";

const MOST_VARIABLES = 4;
const MOST_CLAUSES = 4;

/** Shows a formula as a table; each press makes a new formula and calls *changed* with it. */
export class Builder {
  constructor(root, words, changed) {
    this.words = words;
    this.changed = changed;
    this.table = root.querySelector("[data-clauses]");
    const on = (name, act) => root.querySelector(`[data-${name}]`).addEventListener("click", () => act());
    on("more-variables", () => this.#addVariable());
    on("fewer-variables", () => this.#dropVariable());
    on("more-clauses", () => this.#make({ clauses: [...this.formula.clauses, []] }));
    this.buttons = (name) => root.querySelector(`[data-${name}]`);
  }

  show(formula) {
    this.formula = formula;
    const { prefix, clauses } = formula;
    const head = row("th", [...prefix.map(([kind, variable], at) => this.#quantifier(kind, variable, at)), ""]);
    const rows = clauses.map((clause, at) =>
      row("td", [...prefix.map(([, variable]) => this.#literals(clause, at, variable)), this.#dropClause(at)]),
    );
    this.table.replaceChildren(head, ...rows);
    this.buttons("more-variables").disabled = prefix.length >= MOST_VARIABLES;
    this.buttons("fewer-variables").disabled = prefix.length <= 1;
    this.buttons("more-clauses").disabled = clauses.length >= MOST_CLAUSES;
  }

  #make(change) {
    this.changed({ ...this.formula, ...change });
  }

  #quantifier(kind, variable, at) {
    const other = kind === "a" ? "e" : "a";
    const name = this.words(kind === "a" ? "forAll" : "exists", { name: nameOf(variable) });
    return button(`${kind === "a" ? "∀" : "∃"}${nameOf(variable)}`, name, () => {
      this.#make({ prefix: this.formula.prefix.map((one, here) => (here === at ? [other, variable] : one)) });
    });
  }

  /** A press goes from no literal to x, to ¬x, to both, and back. */
  #literals(clause, at, variable) {
    const states = [[], [variable], [-variable], [variable, -variable]];
    const has = [variable, -variable].filter((literal) => clause.includes(literal));
    const now = states.findIndex((one) => one.join() === has.join());
    const shown = has.map(literalName).join(" ") || "–";
    return button(shown, this.words("literal", { name: nameOf(variable), number: at + 1, shown }), () => {
      const others = clause.filter((literal) => Math.abs(literal) !== variable);
      const next = [...others, ...states[(now + 1) % 4]].sort((one, other) => Math.abs(one) - Math.abs(other));
      this.#make({ clauses: this.formula.clauses.map((one, here) => (here === at ? next : one)) });
    });
  }

  #dropClause(at) {
    const made = button("×", this.words("dropClause", { number: at + 1 }), () => {
      this.#make({ clauses: this.formula.clauses.filter((_clause, here) => here !== at) });
    });
    made.disabled = this.formula.clauses.length <= 1;
    return made;
  }

  #addVariable() {
    this.#make({ prefix: [...this.formula.prefix, ["e", this.formula.prefix.length + 1]] });
  }

  /** The variable of the highest number goes, and the clauses lose it. */
  #dropVariable() {
    const last = this.formula.prefix.length;
    const clauses = this.formula.clauses.map((clause) => clause.filter((literal) => Math.abs(literal) !== last));
    this.#make({ prefix: this.formula.prefix.filter(([, variable]) => variable !== last), clauses });
  }
}

function row(kind, contents) {
  const line = document.createElement("tr");
  for (const content of contents) {
    const cell = document.createElement(kind);
    cell.append(content);
    line.append(cell);
  }
  return line;
}

function button(text, name, act) {
  const made = document.createElement("button");
  made.type = "button";
  made.textContent = text;
  made.ariaLabel = made.title = name;
  made.addEventListener("click", act);
  return made;
}
