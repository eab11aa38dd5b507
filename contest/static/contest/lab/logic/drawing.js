// A formula's graph as an SVG element whose edges can be pressed: as solvers/logic/draw.py draws it for who has no script.

import { RED } from "./graphs.js";
import { placed } from "./placing.js";

const SVG = "http://www.w3.org/2000/svg";
const MARGIN = 0.6;
const UNIT = 44; // pixels
const TIP_AT = 0.6; // of the last piece of a line: edges cross in the middle
const RADII = { turn: 0.1, split: 0.12, end: 0.12 };
const WORDS = { and: "∧", or: "∨", goal: "★" };
const SIGNS = { e: "∃", a: "∀" };

/** x, y, z and w for the first four variables, then x5, x6, ... */
export const nameOf = (variable) => "xyzw"[variable - 1] ?? `x${variable}`;

export const literalName = (literal) => `${literal < 0 ? "¬" : ""}${nameOf(Math.abs(literal))}`;

/** The formula as it is written by hand. */
export function inSigns({ prefix, clauses }) {
  const quantified = prefix.map(([quantifier, variable]) => SIGNS[quantifier] + nameOf(variable)).join(" ");
  return `${quantified}: ${clauses.map((clause) => `(${clause.map(literalName).join(" ∨ ")})`).join(" ∧ ")}`;
}

/** The picture of a graph, drawn anew for each configuration. */
export class Picture {
  #edges = new Map();

  /** *press*: called with the number of an edge that is pressed, or chosen with Enter or the space bar. */
  constructor(svg, formula, made, press) {
    this.placing = placed(made.graph);
    this.made = made;
    const { width, height } = this.placing;
    const [wide, high] = [width + 2 * MARGIN, height + 2 * MARGIN];
    svg.setAttribute("viewBox", `${-MARGIN} ${-MARGIN} ${wide} ${high}`);
    svg.setAttribute("width", Math.round(wide * UNIT));
    svg.setAttribute("height", Math.round(high * UNIT));
    svg.setAttribute("role", "group");
    const lines = [...this.placing.lines.keys()].map((number) => this.#edge(number, press));
    const vertices = [...this.placing.vertices.keys()].map((vertex) => this.#vertex(formula, vertex));
    svg.replaceChildren(...lines, ...vertices, ...this.#values());
  }

  /** Show *heads*; *label*: a function from an edge's number and whether it points onward to its name. */
  show(heads, label, hinted = null) {
    for (const [number, group] of this.#edges) {
      const { one, weight } = this.made.graph.edges[number];
      const isOn = heads[number] === one;
      const line = this.placing.lines.get(number);
      const isGoal = number === this.made.goal[0];
      group.setAttribute("class", ["edge", weight === RED ? "red" : "blue", isOn && "on", isGoal && "aim",
        number === hinted && "hinted"].filter(Boolean).join(" "));
      group.setAttribute("aria-label", label(number, isOn));
      group.lastChild.setAttribute("d", tip(isOn ? line : [...line].reverse()));
    }
  }

  focus(number) {
    this.#edges.get(number)?.focus();
  }

  #edge(number, press) {
    const d = `M${this.placing.lines.get(number).map(([x, y]) => `${x} ${y}`).join("L")}`;
    const group = element("g", { tabindex: 0, role: "button", "data-edge": number });
    group.append(element("path", { class: "touch", d }), element("path", { d }), element("path", { class: "tip" }));
    group.addEventListener("click", () => press(number));
    group.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      press(number);
    });
    this.#edges.set(number, group);
    return group;
  }

  #vertex(formula, vertex) {
    const [x, y] = this.placing.vertices.get(vertex);
    const kind = this.#kindOf(vertex);
    const group = element("g", { class: `vertex ${kind}` });
    group.append(element("circle", { cx: x, cy: y, r: RADII[kind] ?? 0.3 }));
    let words = WORDS[kind] ?? "";
    if (kind === "variable") {
      const [variable] = this.made.variables.find(([, there]) => there === vertex);
      words = SIGNS[formula.prefix.find(([, one]) => one === variable)[0]] + nameOf(variable);
    }
    if (words) group.append(element("text", { x, y, dy: 0.12 }, words));
    return group;
  }

  #kindOf(vertex) {
    if (this.made.variables.some(([, one]) => one === vertex)) return "variable";
    if (vertex === this.made.goal[1]) return "goal";
    if (this.placing.fed.has(vertex)) return "turn";
    const taking = this.made.graph.edges.filter(({ one, other }) => one === vertex && other !== vertex);
    return { "1,1": "and", "2,2": "or", "2": "split" }[taking.map(({ weight }) => weight).join()] ?? "end";
  }

  /** At a variable's edges 1, where it is true, and 0. */
  #values() {
    return this.made.variables.flatMap(([, vertex]) => {
      const begun = [...this.made.graph.edges.keys()].filter((number) => this.made.graph.edges[number].other === vertex);
      return begun.map((number, at) => {
        const [[x, y], [toX, toY]] = this.placing.lines.get(number);
        const place = { x: x + (toX - x) * 0.75 + 0.16, y: y + (toY - y) * 0.75 };
        return element("text", { class: "value", ...place }, "10"[at]);
      });
    });
  }
}

function element(name, attributes, text = "") {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.textContent = text;
  return made;
}

/** A tip on the last piece of *line*. */
function tip(line) {
  const [[x, y], [toX, toY]] = line.slice(-2);
  const length = Math.hypot(toX - x, toY - y);
  const [alongX, alongY] = [((toX - x) / length) * 0.14, ((toY - y) / length) * 0.14];
  const [middleX, middleY] = [x + (toX - x) * TIP_AT, y + (toY - y) * TIP_AT];
  const corners = [
    [middleX + alongX, middleY + alongY],
    [middleX - alongX - alongY, middleY - alongY + alongX],
    [middleX - alongX + alongY, middleY - alongY - alongX],
  ];
  return `M${corners.map((corner) => corner.join(" ")).join("L")}Z`;
}
