// The picture on the page with the grid over it. A pointer drawn over the picture chooses a part of it; of two handles one
// moves the grid and the other makes its cells larger or smaller, by pointer or by arrow keys.

const ARROWS = { ArrowLeft: [-1, 0], ArrowUp: [0, -1], ArrowRight: [1, 0], ArrowDown: [0, 1] };
const LEAST_AREA = 24; // pixels of the picture: less is a click
const LEAST_SIZE = 4;
const WIDE = 10; // pixels that an arrow key moves with Shift

export class Frame {
  /** The picture alone, a canvas. */
  picture = document.createElement("canvas");
  #canvas;
  #handles;
  #onGrid;
  #onArea;
  #grid = null;
  #area = null; // while it is drawn: {left, top, width, height}
  #marked = [];

  /** *onGrid* is called with a grid that was changed here, *onArea* with a part of the picture that was chosen. */
  constructor(root, { onGrid, onArea }) {
    this.#canvas = root.querySelector("canvas");
    this.#handles = { move: root.querySelector("[data-handle=move]"), stretch: root.querySelector("[data-handle=stretch]") };
    this.#onGrid = onGrid;
    this.#onArea = onArea;
    this.#listen();
    new ResizeObserver(() => this.#place()).observe(this.#canvas);
  }

  /** Show *picture*, made smaller by *scale*, and return its pixels as a canvas gives them. */
  show(picture, scale) {
    for (const canvas of [this.picture, this.#canvas]) {
      canvas.width = Math.max(1, Math.round(picture.width * scale));
      canvas.height = Math.max(1, Math.round(picture.height * scale));
    }
    const { width, height } = this.picture;
    const pen = this.picture.getContext("2d", { willReadFrequently: true });
    pen.fillStyle = "white"; // below what is transparent
    pen.fillRect(0, 0, width, height);
    pen.drawImage(picture, 0, 0, width, height);
    return pen.getImageData(0, 0, width, height);
  }

  lay(grid) {
    this.#grid = grid;
    this.#marked = [];
    this.#draw();
    this.#place();
  }

  /** Let *cells* stand out, until others do. */
  mark(cells) {
    this.#marked = cells;
    this.#draw();
  }

  // What is seen

  #draw() {
    const pen = this.#canvas.getContext("2d");
    pen.drawImage(this.picture, 0, 0);
    const line = Math.max(1, this.#ratio);
    if (this.#grid) this.#drawGrid(pen, line);
    if (this.#area) {
      const { left, top, width, height } = this.#area;
      twice(pen, 3 * line, () => pen.strokeRect(left, top, width, height));
    }
  }

  #drawGrid(pen, line) {
    const { left, top, size, columns, rows } = this.#grid;
    pen.fillStyle = "rgb(255 0 128 / .45)";
    for (const cell of this.#marked) {
      pen.fillRect(left + (cell % columns) * size, top + Math.floor(cell / columns) * size, size, size);
    }
    pen.beginPath();
    for (let column = 0; column <= columns; column++) {
      pen.moveTo(left + column * size, top);
      pen.lineTo(left + column * size, top + rows * size);
    }
    for (let row = 0; row <= rows; row++) {
      pen.moveTo(left, top + row * size);
      pen.lineTo(left + columns * size, top + row * size);
    }
    twice(pen, line, () => pen.stroke());
  }

  /** Pixels of the picture that make one of the page. */
  get #ratio() {
    return this.#canvas.width / (this.#canvas.clientWidth || this.#canvas.width);
  }

  #place() {
    if (!this.#grid) return;
    const { left, top, size, columns, rows } = this.#grid;
    const corners = { move: [left, top], stretch: [left + columns * size, top + rows * size] };
    const ratio = this.#ratio;
    for (const [name, [x, y]] of Object.entries(corners)) {
      this.#handles[name].style.left = `${this.#canvas.offsetLeft + Math.min(Math.max(x / ratio, 0), this.#canvas.clientWidth)}px`;
      this.#handles[name].style.top = `${this.#canvas.offsetTop + Math.min(Math.max(y / ratio, 0), this.#canvas.clientHeight)}px`;
    }
  }

  // Hands

  #listen() {
    const canvas = this.#canvas;
    canvas.addEventListener("pointerdown", (event) => this.#choose(event));
    for (const [name, handle] of Object.entries(this.#handles)) {
      handle.addEventListener("pointerdown", (event) => this.#drag(event, name));
      handle.addEventListener("keydown", (event) => {
        if (!(event.key in ARROWS)) return;
        event.preventDefault();
        const step = event.shiftKey ? WIDE : 1;
        const [right, down] = ARROWS[event.key];
        this.#onGrid(changed(this.#grid, name, right * step, down * step));
      });
    }
  }

  #drag(event, name) {
    event.preventDefault();
    const handle = this.#handles[name];
    const grid = this.#grid;
    const [x, y] = [event.clientX, event.clientY];
    handle.focus({ preventScroll: true });
    handle.setPointerCapture(event.pointerId);
    const gridAt = (moved) => changed(grid, name, (moved.clientX - x) * this.#ratio, (moved.clientY - y) * this.#ratio);
    const move = (moved) => this.lay(gridAt(moved));
    handle.addEventListener("pointermove", move);
    const end = (ended) => {
      handle.removeEventListener("pointermove", move);
      this.#onGrid(gridAt(ended));
    };
    handle.addEventListener("pointerup", end, { once: true });
  }

  /** Draw a rectangle around the board with a pointer. */
  #choose(event) {
    const canvas = this.#canvas;
    const at = ({ clientX, clientY }) => {
      const box = canvas.getBoundingClientRect();
      const inside = (place, most) => Math.round(Math.min(Math.max(place * this.#ratio, 0), most));
      return [inside(clientX - box.left, canvas.width), inside(clientY - box.top, canvas.height)];
    };
    const start = at(event);
    event.preventDefault();
    canvas.setPointerCapture(event.pointerId);
    const move = (moved) => {
      const end = at(moved);
      const [left, top] = [Math.min(start[0], end[0]), Math.min(start[1], end[1])];
      this.#area = { left, top, width: Math.abs(start[0] - end[0]), height: Math.abs(start[1] - end[1]) };
      this.#draw();
    };
    canvas.addEventListener("pointermove", move);
    const end = () => {
      canvas.removeEventListener("pointermove", move);
      const area = this.#area;
      this.#area = null;
      this.#draw();
      if (area && Math.min(area.width, area.height) >= LEAST_AREA) this.#onArea(area);
    };
    canvas.addEventListener("pointerup", end, { once: true });
    canvas.addEventListener("pointercancel", end, { once: true });
  }
}

/** The grid with one of its corners moved by so many pixels of the picture. */
function changed(grid, name, right, down) {
  const { left, top, size, columns, rows } = grid;
  if (name === "move") return { ...grid, left: left + right, top: top + down };
  return { ...grid, size: Math.max(LEAST_SIZE, size + (right + down) / (columns + rows)) };
}

/** Draw bright on dark, so that it is seen on any picture. */
function twice(pen, line, draw) {
  for (const [colour, width] of [["rgb(0 0 0 / .55)", 3 * line], ["rgb(255 255 255 / .9)", line]]) {
    pen.strokeStyle = colour;
    pen.lineWidth = width;
    draw();
  }
}
