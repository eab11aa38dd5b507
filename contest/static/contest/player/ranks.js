// What rank a result would take, told from the numbers that everybody can read (rule 7.7). A preview: until the answer
// is stored others may come first. The twin of would_take in contest/standings.py.

/**
 * Foretell the rank of {moves, pushes} of *nickname* in the ranking by *metric*, whose *rows* are [moves, pushes,
 * nickname] in order:
 *
 *     rank     what it would take; the rank held where it is not better
 *     own      {rank, moves, pushes} of the nickname's result now, or null
 *     keeps    whether that result is as good or better, and stays
 *     gain     {rank, fewer}: so many fewer gain that rank, the next better one; null at the top
 */
export function foretold(rows, metric, result, nickname) {
  const [first, second] = metric === "moves" ? [0, 1] : [1, 0];
  const sent = [result.moves, result.pushes];
  // Equal results were there before (rule 3.9).
  const isAhead = (row) => row[first] < sent[first] || (row[first] === sent[first] && row[second] <= sent[second]);
  const name = folded(nickname);
  const place = name ? rows.findIndex((row) => folded(row[2]) === name) : -1;
  const own = place < 0 ? null : { rank: place + 1, moves: rows[place][0], pushes: rows[place][1] };
  const keeps = own !== null && isAhead(rows[place]);
  const rank = keeps ? own.rank : 1 + rows.filter(isAhead).length;
  const above = rows.slice(0, rank - 1).findLast((_row, at) => at !== place);
  const stands = keeps ? rows[place][first] : sent[first];
  const gain = above ? { rank: rank - 1, fewer: stands - above[first] + 1 } : null;
  return { rank, own, keeps, gain };
}

/** Nicknames that only differ by case or width are the same (rule 4.5). */
function folded(nickname) {
  return nickname.normalize("NFKC").trim().toLowerCase();
}

/** What to say of both rankings: a list of [key of a sentence, its values]. *numbers* has rows by metric. */
export function previewed(numbers, result, nickname) {
  const said = [];
  const told = Object.entries(numbers).map(([metric, rows]) => [metric, foretold(rows, metric, result, nickname)]);
  for (const [metric, { rank, own, keeps, gain }] of told) {
    const name = metric === "moves" ? "Moves" : "Pushes";
    const now = own?.rank;
    if (keeps) said.push([`keeps${name}`, { rank, own: `${own.moves}/${own.pushes}` }]);
    else said.push([own ? `rank${name}Now` : `rank${name}`, { rank, now }]);
    if (gain) said.push([`gain${name}`, { rank: gain.rank, fewer: gain.fewer }]);
  }
  if (told.every(([, { keeps }]) => keeps)) said.push(["notBetter", {}]);
  return said;
}
