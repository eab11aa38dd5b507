// What rank a result would take, told from the numbers that everybody can read (rule 7.7). A preview: until the answer
// is stored others may come first. The twin of predict_rank in contest/rankings/standings.py.

const METRICS = ["moves", "pushes"];

/**
 * Foretell the rank of {moves, pushes} of *nickname* in the ranking by *metric*, whose *rows* are [moves, pushes,
 * nickname] in order; no solution has fewer moves or pushes than *least*:
 *
 *     rank     what it would take; the rank held where it is not better
 *     own      {rank, moves, pushes} of the nickname's result now, or null
 *     keeps    whether that result is as good or better, and stays
 *     gain     {rank, fewer}: so many fewer by this metric are sure of that rank; null at the top
 *     either   {rank, first, second}: or *first* by this metric with at most *second* by the other
 *     isLeast  whether the result that counts is proved to be the least by this metric
 *
 * *proved* are counts by metric below which no solution can be: no gain is promised for less, it is null then.
 */
export function foretold(rows, metric, result, nickname, proved = {}) {
  const [first, second] = metric === "moves" ? [0, 1] : [1, 0];
  const other = metric === "moves" ? "pushes" : "moves";
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
  const stands = keeps ? rows[place][first] : sent[first];
  const isLeast = stands <= (proved[metric] ?? 0);
  if (!above) return { rank, own, keeps, gain: null, either: null, isLeast };
  const better = others.filter((row) => row[first] < above[first]).length;
  const canBeFewer = above[first] > (proved[metric] ?? 0);
  const gain = canBeFewer ? { rank: 1 + better, fewer: stands - above[first] + 1 } : null;
  const equal = others.filter((row) => row[first] === above[first] && row[second] < above[second]).length;
  const least = Math.max(metric === "moves" ? 1 : above[first], proved[other] ?? 0);
  const isPossible = above[second] - 1 >= least;
  const either = isPossible ? { rank: 1 + better + equal, first: above[first], second: above[second] - 1 } : null;
  return { rank, own, keeps, gain, either, isLeast };
}

/** Nicknames that only differ by case or width are the same (rule 4.5). */
function folded(nickname) {
  return nickname.normalize("NFKC").trim().toLowerCase();
}

/** What to say of both rankings: a list of [key of a sentence, its values]. *numbers* has rows by metric, and `least`. */
export function previewed({ least, ...numbers }, result, nickname) {
  const said = [];
  const told = Object.entries(numbers).map(([metric, rows]) => [metric, foretold(rows, metric, result, nickname, least)]);
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

/**
 * What the two boxes of a solved board show, by metric: {rank, change, needs}. *change* is how many ranks were gained;
 * *needs* is a [key, values] of a sentence, or null. *ranks* and *before* are those of the verdict, if there is one.
 */
export function boxesOf(numbers, result, nickname, { ranks = {}, before = {} } = {}) {
  return METRICS.map((metric) => {
    const told = foretold(numbers[metric], metric, result, nickname, numbers.least);
    const rank = ranks[metric] ?? told.rank;
    const was = ranks[metric] ? before[metric] : told.own?.rank;
    return { metric, rank, change: was > rank ? was - rank : 0, needs: needsOf(metric, told, result) };
  });
}

function needsOf(metric, { own, keeps, gain, either, isLeast }, { moves, pushes }) {
  const name = metric === "moves" ? "Moves" : "Pushes";
  if (gain) return [`boxGain${name}`, gain];
  if (either) return [`boxEither${name}`, either];
  if (isLeast) return ["boxLeast", {}];
  const isOther = keeps && (own.moves !== moves || own.pushes !== pushes);
  return isOther ? ["boxKeeps", { own: `${own.moves} / ${own.pushes}` }] : null;
}
