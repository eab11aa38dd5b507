// One board of a replay with what is drawn over it.

import { listenToPointers } from "../player/input/input.js";
import { BoardView } from "../player/view/view.js";
import { Overlay } from "./overlay.js";

const ZOOM = 1.25;

export class Screen {
  /** Show *level* in *frame*; *tap* hears of cells that are pressed, *act* of acts that the mouse means. */
  constructor(frame, level, { tap = () => {} } = {}) {
    this.frame = frame;
    this.view = new BoardView(frame, level, {
      onZoom: () => frame.classList.toggle("zoomed", !this.view.isWhole),
      onPaint: () => this.overlay.paint(),
    });
    this.overlay = new Overlay(frame, this.view);
    const hands = { preset: "default", swipes: false, tap, hold: tap, grab: () => false, act: () => {} };
    listenToPointers(frame, this.view, hands);
  }

  show(position) {
    this.position = position;
    this.view.show(position);
    this.view.follow(position.player);
  }

  /** Give the frame the height its board wants at this width, at most *share* of the window. */
  size(share) {
    this.frame.style.height = `${this.view.heightFor(this.frame.clientWidth, window.innerHeight * share)}px`;
  }

  /** Do an act of looking by its name; false for one that is not known here. */
  act(name) {
    const { x, y } = this.view.middleOf(this.position.player);
    const acts = {
      "zoom-in": () => this.view.zoom(ZOOM, x, y),
      "zoom-out": () => this.view.zoom(1 / ZOOM, x, y),
      fit: () => this.view.fit(),
      turn: () => this.view.turn(this.view.turning.turned()),
    };
    acts[name]?.();
    return name in acts;
  }
}
