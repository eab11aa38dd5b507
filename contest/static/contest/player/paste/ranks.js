// What rank a result would take, told from the numbers that everybody can read (rule 7.7). A preview: until the answer
// is stored others may come first. The twin of predict_rank in contest/rankings/standings.py.

/**
 * Foretell the rank of {moves, pushes} of *nickname* in the ranking by *metric*, whose *rows* are [moves, pushes,
 * nickname] in order; no solution has fewer moves or pushes than *least*:
 *
 *     rank     what it would take; the rank held where it is not better
 *     own      {rank, moves, pushes} of the nickname's result now, or null
 *     keeps    whether that result is as good or better, and stays
 *     gain     {rank, fewer}: so many fewer by this metric are sure of that rank; null at the top or below *least*
 *     either   {rank, first, second}: or *first* by this metric with at most *second* by the other; null where no
 *              solution can have such counts
 */
export function foretold(rows, metric, result, nickname, least = { moves: 0, pushes: 0 }) {
  const [first, second] = metric === "moves" ? [0, 1] : [1, 0];
  const sent = [result.moves, result.pushes];
  // Equal results were there before (rule 3.9).
  const isAhead = (counts) => (row) =>
    row[first] < counts[first] || (row[first] === counts[first] && row[second] <= counts[second]);
  const name = folded(nickname);
  const place = name ? rows.findIndex((row) => folded(row[2]) === name) : -1;
  const own = place < 0 ? null : { rank: place + 1, moves: rows[place][0], pushes: rows[place][1] };
  const keeps = own !== null && isAhead(sent)(rows[place]);
  const rank = keeps ? own.rank : 1 + rows.filter(isAhead(sent)).length;
  const others = rows.filter((_row, at) => at !== place);
  const above = others[rank - 2];
  if (!above) return { rank, own, keeps, gain: null, either: null };
  const stands = keeps ? rows[place][first] : sent[first];
  const better = others.filter((row) => row[first] < above[first]).length;
  const gain = above[first] > least[metric] ? { rank: 1 + better, fewer: stands - above[first] + 1 } : null;
  const equal = others.filter((row) => row[first] === above[first] && row[second] < above[second]).length;
  const fewest = metric === "moves" ? Math.max(1, least.pushes) : Math.max(above[first], least.moves);
  const isPossible = above[second] - 1 >= fewest;
  const either = isPossible ? { rank: 1 + better + equal, first: above[first], second: above[second] - 1 } : null;
  return { rank, own, keeps, gain, either };
}

/** Nicknames that only differ by case or width are the same (rule 4.5). */
function folded(nickname) {
  return nickname.normalize("NFKC").trim().toLowerCase();
}

/** What to say of both rankings: a list of [key of a sentence, its values]. *numbers* has rows by metric, and `least`. */
export function previewed({ least, ...numbers }, result, nickname) {
  const said = [];
  const told = Object.entries(numbers).map(([metric, rows]) => [
    metric,
    foretold(rows, metric, result, nickname, least),
  ]);
  for (const [metric, { rank, own, keeps, gain, either }] of told) {
    const name = metric === "moves" ? "Moves" : "Pushes";
    const now = own?.rank;
    if (keeps) said.push([`keeps${name}`, { rank, own: `${own.moves}/${own.pushes}` }]);
    else said.push([own ? `rank${name}Now` : `rank${name}`, { rank, now }]);
    if (gain) said.push([gain.fewer === 1 ? `gainOne${name}` : `gain${name}`, gain]);
    if (either) said.push([`gainEither${name}`, either]);
  }
  if (told.every(([, { keeps }]) => keeps)) said.push(["notBetter", {}]);
  return said;
}
