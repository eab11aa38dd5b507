// A result as a picture of bricks to paste: a row by moves and a row by pushes, each as long as the best is near. Made of
// counts alone, so all solutions with the same counts give the same picture, and none shows a way.

import { filled } from "../player/view/words.js";

const WIDTH = 10;
const [BEST, LAID, OPEN] = ["🟨", "🟫", "⬜"];
const MEDALS = ["🥇", "🥈", "🥉"];
const PATIENCE_MS = 10_000;

/** The row of *own* where the best is *best*: gold if there is none better, else a brick for each tenth of the way. */
export function rowOf(own, best) {
  if (!best || own <= best) return BEST.repeat(WIDTH);
  const laid = Math.max(1, Math.floor((WIDTH * best) / own));
  return LAID.repeat(laid) + OPEN.repeat(WIDTH - laid);
}

/**
 * The lines of the picture of *result*, {moves, pushes}. *numbers* has by metric everybody's [moves, pushes, …] in order,
 * or is null if they are unknown: then there are no bricks. *words* has `moves`, `pushes` and `place`.
 */
export function picture(result, numbers, words) {
  return ["moves", "pushes"].map((metric, first) => {
    const count = filled(words[metric], { count: result[metric] });
    const rows = numbers?.[metric];
    if (!rows) return count;
    const own = [result.moves, result.pushes];
    const isBetter = (row) => row[first] < own[first] || (row[first] === own[first] && row[1 - first] < own[1 - first]);
    const rank = 1 + rows.filter(isBetter).length;
    return `${rowOf(own[first], rows[0]?.[first])} ${count} ${MEDALS[rank - 1] ?? filled(words.place, { rank })}`;
  });
}

/** Copy the picture of *result* under *title* with *url*; *numbers* is the address of everybody's numbers, or "". */
export async function copyPicture(result, { title, url, numbers, words }) {
  const text = numbersAt(numbers).then((known) => [title, ...picture(result, known, words), url].join("\n"));
  // Safari lets a page copy only at the press itself, but then also what comes later.
  if (globalThis.ClipboardItem) await navigator.clipboard.write([new ClipboardItem({ "text/plain": text })]);
  else await navigator.clipboard.writeText(await text);
}

async function numbersAt(address) {
  if (!address) return null;
  try {
    const answer = await fetch(address, { signal: AbortSignal.timeout(PATIENCE_MS) });
    return answer.ok ? await answer.json() : null;
  } catch {
    return null;
  }
}
