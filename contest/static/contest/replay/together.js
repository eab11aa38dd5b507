// Two replays of one level in step with each other.

/**
 * The moment of *other* that belongs to moment *at* of *own*: the same on the clock *by* "moves", or, by "pushes", one
 * with as many pushes, as far through the walk to the next push. Where the other has ended, its end.
 */
export function partner(own, other, at, by) {
  if (by === "moves") return Math.min(at, other.length);
  const push = own.pushesBy(at);
  if (push > other.pushes.length) return other.length;
  const [from, to] = walk(own, push);
  const [otherFrom, otherTo] = walk(other, push);
  const part = to > from ? (at - from) / (to - from) : 0;
  return otherFrom + Math.floor(part * (otherTo - otherFrom));
}

/** The first and last moment with exactly *push* pushes made. */
function walk(playback, push) {
  const from = push ? playback.pushes[push - 1] : 0;
  const to = push < playback.pushes.length ? playback.pushes[push] - 1 : playback.length;
  return [from, to];
}
