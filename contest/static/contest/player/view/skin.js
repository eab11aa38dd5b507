// A skin: the sprites for drawing a board, by day or by night. The server draws its pictures from the same file
// (solvers/sokoban/drawing/skins). Each size of a cell is drawn once; pieces of that are copied, never scaled.

import { readSettings } from "../keep/settings.js";

export const SKINS = ["classic", "wood", "contrast", "eink"];

const COLUMNS = 8;
/** The reader's own colours, where the system forces them. */
const FORCED = {
  page: "Canvas", floor: "Canvas", odd: "Canvas", wall: "CanvasText", top: "CanvasText", joint: "Canvas", side: "CanvasText",
  goal: "LinkText", box: "Mark", lit: "Mark", plank: "MarkText", edge: "CanvasText", home: "MarkText", gem: "Mark",
  man: "Highlight", face: "HighlightText", band: "LinkText", reach: "LinkText", dead: "CanvasText", pick: "Highlight", bad: "LinkText",
};

let coming; // the table of all skins, fetched once a page
let table;

/** The skin that was chosen in *settings*, those of this browser; until then the one for how the reader's machine is set. */
export function chosenSkin({ skin, contrast } = readSettings()) {
  if (SKINS.includes(skin)) return skin;
  return contrast || matchMedia("(prefers-contrast: more)").matches ? "contrast" : "classic";
}

export class Skin {
  #frame;
  #came;
  #sheet = null;

  /** For boards in *frame*; *came* is called when the skins have come. */
  constructor(frame, came) {
    this.name = chosenSkin();
    this.#frame = frame;
    this.#came = came;
  }

  /** The sprites for cells of *side* pixels; null until they have come. */
  sheet(side) {
    if (!table) this.#fetch();
    if (!table || !side) return null;
    const isForced = matchMedia("(forced-colors: active)").matches;
    const name = isForced ? "contrast" : this.name;
    const colours = isForced ? FORCED : table.skins[name][this.#isNight() ? "night" : "day"];
    if (this.#sheet?.side !== side || this.#sheet.colours !== colours) {
      this.#sheet = new Sheet({ ...table.skins.classic.sprites, ...table.skins[name].sprites }, colours, side);
    }
    return this.#sheet;
  }

  async #fetch() {
    const { href } = document.querySelector("link[data-skins]");
    coming ??= fetch(href).then((answer) => answer.json());
    try {
      table = await coming;
      this.#came();
    } catch {
      coming = undefined; // without a network; the next drawing asks again
    }
  }

  #isNight() {
    const { colorScheme } = getComputedStyle(this.#frame);
    return colorScheme === "dark" || (colorScheme !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
  }
}

/** The sprites of a skin at one size. */
class Sheet {
  #canvas = document.createElement("canvas");

  constructor(sprites, colours, side) {
    this.side = side;
    this.colours = colours;
    const names = Object.keys(sprites);
    const scale = side / table.cell;
    this.#canvas.width = COLUMNS * side;
    this.#canvas.height = Math.ceil(names.length / COLUMNS) * side;
    const pen = this.#canvas.getContext("2d");
    names.forEach((name, place) => {
      pen.setTransform(scale, 0, 0, scale, (place % COLUMNS) * side, Math.floor(place / COLUMNS) * side);
      for (const [paint, path, opacity = 1] of (side < table.smallBelow && table.small[name]) || sprites[name]) {
        pen.fillStyle = colours[paint];
        pen.globalAlpha = opacity;
        pen.fill(new Path2D(path));
      }
    });
  }

  /** Draw *sprite* at a place. */
  draw(pen, sprite, x, y) {
    const { side } = this;
    pen.drawImage(this.#canvas, (sprite % COLUMNS) * side, Math.floor(sprite / COLUMNS) * side, side, side, x, y, side, side);
  }
}
