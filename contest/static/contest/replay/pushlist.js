// The pushes of a replay, one by one: which box, from where, to where.

/** Push number *push* (from 0): the *moment* after it, its *box* (from 0), and the cells it took it *from* and *to*. */
export function pushAt(playback, push) {
  const moment = playback.pushes[push];
  const { arena, man } = playback.seek(moment);
  const delta = arena.deltas[playback.steps[moment - 1] & 3];
  return { moment, box: playback.pushed[push], from: arena.cell(man), to: arena.cell(man + delta) };
}
