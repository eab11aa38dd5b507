// The short way of the man and his box from one cell to the next: pictures of them that are moved over the board by the
// compositor, while the board below is drawn as it is then.

const MILLISECONDS = 70;

export class Slide {
  #frame;
  #pictures = [];
  #done = () => {};

  constructor(frame) {
    this.#frame = frame;
  }

  get isUnderWay() {
    return this.#pictures.length > 0;
  }

  /**
   * Move *pieces*, {picture, from, to}: a canvas with its places {x, y, side, ratio} in its own pixels, of which *ratio*
   * make one of the page. *done* is called when they have arrived, or when the slide is ended before.
   */
  start(pieces, done) {
    this.end();
    this.#done = done;
    for (const { picture, from, to } of pieces) {
      const size = `${to.side / to.ratio}px`;
      Object.assign(picture.style, { inset: "auto", left: `${to.x / to.ratio}px`, top: `${to.y / to.ratio}px`, width: size, height: size });
      this.#frame.append(picture);
      this.#pictures.push(picture);
      const way = `translate(${(from.x - to.x) / to.ratio}px, ${(from.y - to.y) / to.ratio}px)`;
      const moving = picture.animate([{ transform: way }, { transform: "none" }], { duration: MILLISECONDS });
      moving.onfinish = () => picture.isConnected && this.end();
    }
  }

  /** Let the pieces be where they go to, at once. */
  end() {
    if (!this.isUnderWay) return;
    for (const picture of this.#pictures.splice(0)) picture.remove();
    this.#done();
  }
}

/** The cells from and to which the box went that *step* moved: pushed ahead of the man, or backwards pulled after him. */
export function wayOfBox(before, after, step) {
  const { arena, man } = before;
  const delta = arena.deltas[step & 3];
  return before.isBackward ? [arena.cell(man - delta), before.player] : [after.player, arena.cell(after.man + delta)];
}
