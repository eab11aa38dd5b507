// What is drawn on canvases of their own beside a board's: visits under its boxes; routes and another game's ghost above.
// Nothing is told by hue alone: visits have numbers, or squares of different size where there is no room for them.

import { lines } from "./routes.js";

const NUMBERS_FROM = 20; // CSS pixels a cell, from where on a number has room

export class Overlay {
  #frame;
  #under;
  #over;
  #view;
  #visits = null;
  #routes = [];
  #ghost = null;
  #path = [];

  /** Draw above *view*, whose `onPaint` must lead to `paint`, on the further canvases of *frame*. */
  constructor(frame, view) {
    this.#frame = frame;
    this.#view = view;
    this.#under = frame.querySelector(".under");
    this.#over = frame.querySelector(".over");
  }

  /** Show how often the player came to each cell; null for not at all. */
  showVisits(counts) {
    this.#visits = counts;
    this.paint();
  }

  /** Show routes: {number, cells}. */
  showRoutes(routes) {
    this.#routes = routes.map((route) => ({ ...route, lines: lines(route.cells) }));
    this.paint();
  }

  /** Show the man and boxes of another position, and the *path* of cells that its man goes; null for none. */
  showGhost(position, path = []) {
    if (!position && !this.#ghost) return;
    this.#ghost = position;
    this.#path = path;
    this.#paintOver();
  }

  paint() {
    const { clientWidth, clientHeight } = this.#frame;
    const { ratio } = this.#view.areaOf(0);
    for (const canvas of [this.#under, this.#over]) {
      canvas.width = Math.round(clientWidth * ratio);
      canvas.height = Math.round(clientHeight * ratio);
    }
    if (this.#visits) this.#paintVisits(this.#under.getContext("2d"));
    this.#paintOver();
  }

  #paintVisits(pen) {
    const most = Math.log(1 + this.#visits.reduce((most, count) => Math.max(most, count), 1));
    pen.textAlign = "center";
    pen.textBaseline = "middle";
    this.#visits.forEach((count, cell) => {
      if (!count) return;
      const { x, y, side, ratio } = this.#view.areaOf(cell);
      const share = Math.log(1 + count) / most;
      const inner = side * (0.3 + 0.7 * share);
      pen.globalAlpha = 0.2 + 0.45 * share;
      pen.fillStyle = this.#view.colour("accent");
      pen.fillRect(x + (side - inner) / 2, y + (side - inner) / 2, inner, inner);
      pen.globalAlpha = 1;
      if (side / ratio < NUMBERS_FROM) return;
      const digits = String(count);
      pen.font = `600 ${Math.min(side * 0.42, (side * 1.5) / digits.length)}px system-ui, sans-serif`;
      outlined(pen, digits, x + side / 2, y + side / 2, this.#view.colour("ink"), this.#view.colour("paper"), side);
    });
  }

  #paintOver() {
    const pen = this.#over.getContext("2d");
    pen.clearRect(0, 0, this.#over.width, this.#over.height);
    for (const route of this.#routes) this.#paintRoute(pen, route);
    if (!this.#ghost) return;
    if (this.#path.length > 1) this.#paintLine(pen, { cells: this.#path, lines: lines(this.#path) });
    this.#paintGhost(pen);
  }

  /** A line with an arrow where the box ended and its number where it began; dashed in one of four ways. */
  #paintRoute(pen, { number, cells, lines }) {
    if (cells.length < 2) return;
    const { side } = this.#view.areaOf(cells[0]);
    const shift = (((number % 5) - 2) * side) / 9; // routes along one corridor beside each other
    this.#paintLine(pen, { cells, lines, shift, dashes: [[], [4, 1.5], [1, 1.5], [5, 1.5, 1, 1.5]][number % 4] });
    pen.font = `700 ${Math.max(side * 0.38, 9)}px system-ui, sans-serif`;
    pen.textAlign = "center";
    pen.textBaseline = "middle";
    const [x, y] = this.#middle(cells[0], 0);
    outlined(pen, String(number), x, y, this.#view.colour("ink"), this.#view.colour("paper"), side);
  }

  #paintLine(pen, { cells, lines, shift = 0, dashes = [] }) {
    const { side } = this.#view.areaOf(cells[0]);
    const line = Math.max(1.5, side / 12);
    const dash = dashes.map((part) => part * line);
    for (const [colour, width] of [["paper", line * 2.2], ["accent", line]]) {
      pen.strokeStyle = this.#view.colour(colour);
      pen.lineWidth = width;
      pen.lineJoin = pen.lineCap = "round";
      pen.setLineDash(colour === "paper" ? [] : dash);
      pen.globalAlpha = colour === "paper" ? 0.6 : 1;
      pen.beginPath();
      for (const line of lines) line.forEach((cell, place) => pen[place ? "lineTo" : "moveTo"](...this.#middle(cell, shift)));
      pen.stroke();
    }
    pen.setLineDash([]);
    pen.globalAlpha = 1;
    this.#paintArrow(pen, this.#middle(cells.at(-2), shift), this.#middle(cells.at(-1), shift), side);
  }

  #paintArrow(pen, [fromX, fromY], [x, y], side) {
    const angle = Math.atan2(y - fromY, x - fromX);
    const size = Math.max(side * 0.3, 5);
    pen.fillStyle = this.#view.colour("accent");
    pen.strokeStyle = this.#view.colour("paper");
    pen.lineWidth = Math.max(1, side / 24);
    pen.save();
    pen.translate(x, y);
    pen.rotate(angle);
    pen.beginPath();
    pen.moveTo(size * 0.7, 0);
    pen.lineTo(-size * 0.5, -size * 0.6);
    pen.lineTo(-size * 0.5, size * 0.6);
    pen.closePath();
    pen.fill();
    pen.stroke();
    pen.restore();
  }

  #paintGhost(pen) {
    const { player, boxes } = this.#ghost;
    const { side } = this.#view.areaOf(0);
    const line = Math.max(1.5, side / 14);
    pen.strokeStyle = this.#view.colour("ink");
    pen.fillStyle = this.#view.colour("paper");
    pen.lineWidth = line;
    pen.setLineDash([line * 2, line * 1.5]);
    for (const box of boxes) {
      const { x, y } = this.#view.areaOf(box);
      const edge = side * 0.2;
      pen.globalAlpha = 0.3;
      pen.fillRect(x + edge, y + edge, side - 2 * edge, side - 2 * edge);
      pen.globalAlpha = 0.85;
      pen.strokeRect(x + edge, y + edge, side - 2 * edge, side - 2 * edge);
    }
    const [x, y] = this.#middle(player, 0);
    pen.beginPath();
    pen.arc(x, y, side * 0.3, 0, 2 * Math.PI);
    pen.globalAlpha = 0.3;
    pen.fill();
    pen.globalAlpha = 1;
    pen.stroke();
    pen.setLineDash([]);
  }

  #middle(cell, shift) {
    const { x, y, side } = this.#view.areaOf(cell);
    return [x + side / 2 + shift, y + side / 2 + shift];
  }
}

function outlined(pen, text, x, y, colour, edge, side) {
  pen.strokeStyle = edge;
  pen.lineWidth = Math.max(2, side / 10);
  pen.lineJoin = "round";
  pen.strokeText(text, x, y);
  pen.fillStyle = colour;
  pen.fillText(text, x, y);
}
