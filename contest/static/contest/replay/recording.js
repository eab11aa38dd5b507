// Brings the moves of a replay and makes them ready, a piece at a time so that the page stays alive.

import { Playback } from "../player/play/playback.js";

/** The recording of *level* whose moves are at *address*. Throw a TypeError where they do not arrive. */
export async function load(level, address) {
  const answer = await fetch(address);
  if (!answer.ok) throw new TypeError(`${address} answers ${answer.status}.`);
  return Playback.open(level, await answer.text(), breath);
}

/** Let whatever waits, input above all, go first. A timer would take four milliseconds. */
function breath() {
  return new Promise((goOn) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = goOn;
    port2.postMessage(null);
  });
}
