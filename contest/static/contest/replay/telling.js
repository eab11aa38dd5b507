// What the drawings over a replay say, in words: a head and a list of lines. *name* gives a square's.

import { written } from "./routes.js";
import { mostVisited } from "./visits.js";

const MOST_TOLD = 10; // squares
const LEGS_TOLD = 40;

/** The squares most visited, of how often each was. */
export function tellVisits(visits, words, name) {
  const lines = mostVisited(visits, MOST_TOLD).map((cell) => words("visited", { square: name(cell), count: visits[cell] }));
  return told(words("mostVisited"), lines);
}

/** The way of each box. */
export function tellRoutes(routes, words, name) {
  const lines = routes.map(({ number, cells, legs }) => {
    const values = { box: number, from: name(cells[0]), to: name(cells.at(-1)), pushes: cells.length - 1 };
    return legs.length ? `${words("route", values)}: ${written(legs, LEGS_TOLD)}` : words("routeStill", values);
  });
  return told(words("routes"), lines);
}

function told(head, lines) {
  const title = document.createElement("p");
  title.textContent = head;
  const list = document.createElement("ul");
  for (const line of lines) {
    const item = document.createElement("li");
    item.textContent = line;
    list.append(item);
  }
  return [title, list];
}
