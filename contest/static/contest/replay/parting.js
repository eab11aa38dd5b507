// Where two solutions part, in words and as a table that leads there.

import { squareName } from "../player/rules/squares.js";
import { alikeAtFirst, difference } from "./difference.js";
import { pushAt } from "./pushlist.js";

const MOST_ROWS = 200;

/** Say how far *own* and *other* go together and what each does then. */
export function showParting(root, { level, own, other, name, otherName }, words) {
  const alike = alikeAtFirst(own, other);
  const next = (playback) => {
    if (alike === playback.pushes.length) return words("noPush");
    const { from, to } = pushAt(playback, alike);
    return words("push", { from: squareName(level, from), to: squareName(level, to) });
  };
  const isAll = alike === own.pushes.length && alike === other.pushes.length;
  const values = { pushes: alike, own: name, other: otherName, ownPush: next(own), otherPush: next(other) };
  root.querySelector("[data-parting]").textContent = isAll
    ? words("alike")
    : words(alike ? "parts" : "partsAtOnce", values);
}

/** Fill the table of stretches when it is opened first; *seek* goes to a moment of *own*. */
export function startDifference(root, { own, other }, words, seek) {
  const details = root.querySelector("[data-difference]");
  const fill = () => {
    const rows = difference(own, other)
      .slice(0, MOST_ROWS)
      .map((part) => row(part, own, other, words, seek));
    details.querySelector("tbody").replaceChildren(...rows);
  };
  details.addEventListener("toggle", fill, { once: true });
}

function row(part, own, other, words, seek) {
  const moves = movesOf(own, part.own);
  const otherMoves = movesOf(other, part.other);
  const gap = moves - otherMoves;
  const line = document.createElement("tr");
  const go = document.createElement("button");
  go.type = "button";
  go.textContent = span(part.own);
  go.title = words("go");
  go.addEventListener("click", () => seek(momentAfter(own, part.own[0])));
  const first = document.createElement("td");
  first.append(go);
  line.append(
    first,
    cell(part.isSame ? `${words("same")} (${span(part.other)})` : span(part.other)),
    cell(moves, "number"),
    cell(otherMoves, "number"),
    cell(gap > 0 ? `+${gap}` : String(gap).replace("-", "−"), "number"),
  );
  return line;
}

function cell(content, kind = "") {
  const made = document.createElement("td");
  made.className = kind;
  made.textContent = content;
  return made;
}

function span([from, to]) {
  if (to === from) return "–";
  return to - from === 1 ? String(to) : `${from + 1}–${to}`;
}

/** How many moves the pushes of a span took, the walks before them included; the last walk belongs to nobody. */
function movesOf(playback, [from, to]) {
  return momentAfter(playback, to) - momentAfter(playback, from);
}

function momentAfter(playback, pushes) {
  return pushes ? playback.pushes[pushes - 1] : 0;
}
