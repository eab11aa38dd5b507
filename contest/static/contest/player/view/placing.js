// Where the board lies in its frame and how large its cells are: all in device pixels, of which *ratio* make one of the
// page. Cells are whole pixels, and the board leaves no gap at the frame's edge.

const MAX_CELL = 112; // CSS pixels, when the whole board is shown
const MIN_CELL = 2; // the whole of the largest board fits a phone
const LARGEST_CELL = 128; // CSS pixels
const RULER = 18; // CSS pixels

export class Placing {
  ratio = 1;
  width = 0;
  height = 0;
  ruler = 0;
  cell = 0;
  left = 0; // where the board's corner is
  top = 0;
  #wish = 0; // the cell before it is snapped to whole pixels
  #fit = 0;

  /** Place a board that is seen as *turning* says. */
  constructor(turning) {
    this.turning = turning;
  }

  /** Show the whole board as large as it fits in *width* times *height*. */
  fit({ width, height }, ratio, hasRuler) {
    this.ratio = ratio;
    this.width = width;
    this.height = height;
    this.cell = 0;
    this.settle(hasRuler);
  }

  /** Snap cells to whole pixels and keep the board inside the frame. */
  settle(hasRuler) {
    const { width: columns, height: rows } = this.turning;
    this.ruler = hasRuler ? Math.round(RULER * this.ratio) : 0;
    this.#fit = this.#fitOf(columns, rows);
    if (this.cell < this.#fit) this.cell = this.#wish = this.#fit;
    this.left = begin(this.left, this.width, columns * this.cell, this.ruler);
    this.top = begin(this.top, this.height, rows * this.cell, this.ruler);
  }

  #fitOf(columns, rows) {
    const room = [(this.width - this.ruler) / columns, (this.height - this.ruler) / rows, MAX_CELL * this.ratio];
    return Math.max(Math.floor(Math.min(...room)), MIN_CELL);
  }

  /** How many times as large the cells of the whole board would be if it were turned once more. */
  get gainByTurning() {
    return this.#fitOf(this.turning.height, this.turning.width) / this.#fit;
  }

  get isWhole() {
    return this.cell <= this.#fit;
  }

  /** Make cells larger or smaller by *factor* about a place; the board is to be settled then. */
  zoom(factor, x, y) {
    this.#wish = Math.min(Math.max(this.#wish * factor, this.#fit), Math.max(this.#fit, LARGEST_CELL * this.ratio));
    const cell = Math.round(this.#wish);
    this.left = x - ((x - this.left) * cell) / this.cell;
    this.top = y - ((y - this.top) * cell) / this.cell;
    this.cell = cell;
  }

  /** Where the cell seen at *column* and *row* begins. */
  corner(column, row) {
    return { x: this.left + column * this.cell, y: this.top + row * this.cell };
  }

  /** The level's cell at a place, or null. */
  cellAt(x, y) {
    return this.turning.cell(Math.floor((x - this.left) / this.cell), Math.floor((y - this.top) / this.cell));
  }

  /** The columns and rows of which a part is seen. */
  get part() {
    const { width: columns, height: rows } = this.turning;
    return {
      first: Math.max(0, Math.floor((this.ruler - this.left) / this.cell)),
      last: Math.min(columns - 1, Math.floor((this.width - this.left) / this.cell)),
      top: Math.max(0, Math.floor((this.ruler - this.top) / this.cell)),
      bottom: Math.min(rows - 1, Math.floor((this.height - this.top) / this.cell)),
    };
  }

  /** How far the board has to move so that *cell* is seen with one cell around it: [x, y]. */
  wayTo(cell) {
    const { x, y } = this.corner(...this.turning.place(cell));
    const right = this.width - 2 * this.cell;
    const bottom = this.height - 2 * this.cell;
    const first = this.ruler + this.cell;
    return [Math.max(first - x, 0) || Math.min(right - x, 0), Math.max(first - y, 0) || Math.min(bottom - y, 0)];
  }
}

/** How many CSS pixels high a frame of *width* should be for the board, at most *most*, on a screen with *ratio*. */
export function heightFor(turning, { width, most, ratio, hasRuler }) {
  const ruler = hasRuler ? RULER : 0;
  const { width: columns, height: rows } = turning;
  const room = Math.min(MAX_CELL, (width - ruler - 2) / columns, (most - ruler - 2) / rows);
  const cell = Math.max(Math.floor(room * ratio), MIN_CELL) / ratio; // as it will be drawn, so that no gap is left
  return Math.ceil(Math.min(most, Math.max(cell * rows + ruler + 2, 120)));
}

/** Where a board of *size* pixels begins in a frame of *room* with a ruler: in the middle, or leaving no gap. */
function begin(wanted, room, size, ruler) {
  if (size <= room - ruler) return Math.round(ruler + (room - ruler - size) / 2);
  return Math.round(Math.min(Math.max(wanted, room - size), ruler));
}
