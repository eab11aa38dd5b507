// Moves that the address hands over: "#replay=6-12&at=345" asks for those of a public replay, made up to a moment;
// "#solution=rR" are moves made elsewhere.

/** {letters, at} where *hash* has moves or asks for a replay, else null. Throw a TypeError where it does not arrive. */
export async function handedOver(hash) {
  const [, letters] = /^#solution=([a-zA-Z]+)$/.exec(hash) ?? [];
  if (letters) return { letters, at: letters.length };
  const asked = /^#replay=(\d{1,9})-(\d{1,18})&at=(\d{1,9})$/.exec(hash);
  if (!asked) return null;
  const [, round, number, at] = asked;
  const answer = await fetch(`/rounds/${round}/replays/${number}.txt`);
  if (!answer.ok) throw new TypeError(`Replay ${number} answers ${answer.status}.`);
  return { letters: await answer.text(), at: Number(at) };
}
