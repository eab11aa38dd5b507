// A skin: one picture with the forty sprites of which a board is drawn, by day or by night. Drawn once for each size of
// a cell; pieces of that are copied, never scaled.

import { readSettings } from "../keep/settings.js";

export const SKINS = ["classic", "wood", "contrast", "eink"];

const COLUMNS = 8;
const ROWS = 5;
/** Firefox rounds some sizes up, draws into more pixels and scales that down, so that rows run into each other. */
const HAIR = 0.01;
// Places in the picture, counted by rows. The walls come first: 1 where there is a wall above, and 2 to the right, 4 below, 8 to the left.
export const INNER = 16; // the corner between two walls: above right, below right, below left, above left
export const FLOOR = 20;
export const ODD = 21;
export const AIM = 22;
export const LOST_BOX = 23;
export const WALKER = 24; // looking up, right, down, left; then the same on a goal
export const CRATE_AWAY = 32;
export const CRATE_HOME = 33;
export const REACHED = 34;
export const REACHED_AIM = 35;
export const DEAD = 36;
export const PICKED = 37;
export const IMPOSSIBLE = 38;
export const UNSEEN = 39;

/** The skin that was chosen in *settings*, those of this browser; until then the one for how the reader's machine is set. */
export function chosenSkin({ skin, contrast } = readSettings()) {
  if (SKINS.includes(skin)) return skin;
  return contrast || matchMedia("(prefers-contrast: more)").matches ? "contrast" : "classic";
}

export class Skin {
  #frame;
  #came;
  #address = "";
  #picture = null;
  #sheet = null;

  /** For boards in *frame*; *came* is called when another picture has come. */
  constructor(frame, came) {
    this.name = chosenSkin();
    this.#frame = frame;
    this.#came = came;
  }

  /** The sprites for cells of *side* pixels; null until they have come, and where the reader forces colours of their own. */
  sheet(side) {
    if (matchMedia("(forced-colors: active)").matches) return null;
    this.#fetch();
    if (!this.#picture) return null;
    if (this.#sheet?.side !== side) this.#sheet = new Sheet(this.#picture, side);
    return this.#sheet;
  }

  #fetch() {
    const address = this.#find();
    if (address === this.#address) return;
    this.#address = address;
    const picture = new Image();
    picture.onload = () => {
      if (address !== this.#address) return; // another was chosen meanwhile
      this.#picture = picture;
      this.#sheet = null;
      this.#came();
    };
    picture.src = address;
  }

  /** The style sheet knows the addresses, which change with every version, and whether it is night. */
  #find() {
    const { colorScheme } = getComputedStyle(this.#frame);
    const isNight = colorScheme === "dark" || (colorScheme !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
    const probe = document.createElement("span");
    probe.className = `skin-${this.name}-${isNight ? "night" : "day"}`;
    this.#frame.append(probe);
    const image = getComputedStyle(probe).backgroundImage;
    probe.remove();
    return /^url\("(.*)"\)$/.exec(image)?.[1] ?? "";
  }
}

/** The sprites of a picture at one size. */
class Sheet {
  #canvas = document.createElement("canvas");

  constructor(picture, side) {
    this.side = side;
    const width = (this.#canvas.width = COLUMNS * side);
    const height = (this.#canvas.height = ROWS * side);
    this.#canvas.getContext("2d").drawImage(picture, 0, 0, width - HAIR, height - HAIR);
  }

  /** Draw *sprite* at a place; of its cell only the part {left, top, width, height}, where one is given. */
  draw(pen, sprite, x, y, { left = 0, top = 0, width = this.side, height = this.side } = {}) {
    const from = [(sprite % COLUMNS) * this.side + left, Math.floor(sprite / COLUMNS) * this.side + top];
    pen.drawImage(this.#canvas, ...from, width, height, x + left, y + top, width, height);
  }
}
