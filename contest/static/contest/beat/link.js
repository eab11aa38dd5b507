// Links to beat a solution: "#beat=6-12" names a public replay, "#beat=rR" brings the moves themselves.

const MOST_LETTERS = 6_000; // longer addresses are cut by some programs

/** What *hash* asks to beat: {round, number} of a replay, or {letters}; neither where it asks for nothing. */
export function solutionIn(hash) {
  const [, round, number, letters] = /^#beat=(?:(\d{1,9})-(\d{1,18})|([a-zA-Z]+))$/.exec(hash) ?? [];
  return { round, number, letters };
}

/** The address on which *letters* are to be beaten; empty where they are too many. */
export function asLink({ origin, pathname }, letters) {
  return letters.length > MOST_LETTERS ? "" : `${origin}${pathname}#beat=${letters}`;
}

/** Whether *own* counts beat *other* by moves or by pushes, and the key of the words for it. */
export function compare(own, other) {
  const isFewer = own.moves < other.moves;
  const isLighter = own.pushes < other.pushes;
  const words = isFewer && isLighter ? "beatenBoth" : isFewer ? "beatenMoves" : isLighter ? "beatenPushes" : "notBeaten";
  return { isBeaten: isFewer || isLighter, words };
}
