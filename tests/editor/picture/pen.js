// A canvas in numbers, as far as the site's own drawing needs one: straight paths, arcs, fills and lines, without a page.

const STEPS = 24; // of a full turn

export class Pen {
  constructor(width, height, ground = "#000000") {
    this.canvas = { width, height };
    this.data = new Uint8ClampedArray(4 * width * height);
    this.globalAlpha = 1;
    this.lineWidth = 1;
    this.fillStyle = ground;
    this.strokeStyle = ground;
    this.corner = [0, 0];
    this.fillRect(0, 0, width, height);
  }

  get picture() {
    return { ...this.canvas, data: this.data };
  }

  translate(x, y) {
    this.corner = [this.corner[0] + x, this.corner[1] + y];
  }

  save() {
    this.kept = { corner: this.corner, clipped: this.clipped };
  }

  restore() {
    Object.assign(this, this.kept);
  }

  clip() {}
  clearRect() {}

  beginPath() {
    this.paths = [];
  }

  moveTo(x, y) {
    this.paths.push([[x, y]]);
  }

  lineTo(x, y) {
    this.paths.at(-1).push([x, y]);
  }

  closePath() {
    this.paths.at(-1).push(this.paths.at(-1)[0]);
  }

  rect(x, y, width, height) {
    this.paths.push([[x, y], [x + width, y], [x + width, y + height], [x, y + height], [x, y]]);
  }

  roundRect(x, y, width, height) {
    this.rect(x, y, width, height);
  }

  quadraticCurveTo(_x, _y, x, y) {
    this.lineTo(x, y);
  }

  arc(x, y, radius, from, to) {
    const turns = Array.from({ length: STEPS + 1 }, (_, step) => from + ((to - from) * step) / STEPS);
    this.paths.push(turns.map((turn) => [x + radius * Math.cos(turn), y + radius * Math.sin(turn)]));
  }

  fillRect(x, y, width, height) {
    this.beginPath();
    this.rect(x, y, width, height);
    this.fill();
  }

  strokeRect(x, y, width, height) {
    this.beginPath();
    this.rect(x, y, width, height);
    this.stroke();
  }

  fill() {
    for (const path of this.paths) this.#fillPolygon(path, this.fillStyle);
  }

  stroke() {
    for (const path of this.paths) {
      for (let index = 0; index + 1 < path.length; index++) this.#line(path[index], path[index + 1]);
    }
  }

  #line([x0, y0], [x1, y1]) {
    const length = Math.hypot(x1 - x0, y1 - y0) || 1;
    const [x, y] = [((y1 - y0) / length) * (this.lineWidth / 2), ((x0 - x1) / length) * (this.lineWidth / 2)];
    this.#fillPolygon([[x0 + x, y0 + y], [x1 + x, y1 + y], [x1 - x, y1 - y], [x0 - x, y0 - y]], this.strokeStyle);
  }

  #fillPolygon(points, style) {
    const [right, down] = this.corner;
    const placed = points.map(([x, y]) => [x + right, y + down]);
    const rows = placed.map(([, y]) => y);
    const { width, height } = this.canvas;
    for (let row = Math.max(0, Math.floor(Math.min(...rows))); row < Math.min(height, Math.ceil(Math.max(...rows))); row++) {
      const middle = row + 0.5;
      const cuts = [];
      placed.forEach(([x0, y0], index) => {
        const [x1, y1] = placed[(index + 1) % placed.length];
        if (y0 <= middle !== y1 <= middle) cuts.push(x0 + ((middle - y0) * (x1 - x0)) / (y1 - y0));
      });
      cuts.sort((one, other) => one - other);
      for (let cut = 0; cut + 1 < cuts.length; cut += 2) {
        const last = Math.min(width - 1, Math.ceil(cuts[cut + 1] - 0.5) - 1);
        for (let column = Math.max(0, Math.ceil(cuts[cut] - 0.5)); column <= last; column++) this.#dot(row * width + column, style);
      }
    }
  }

  #dot(pixel, style) {
    const colour = [1, 3, 5].map((start) => parseInt(style.slice(start, start + 2), 16));
    colour.forEach((value, channel) => {
      const place = 4 * pixel + channel;
      this.data[place] += (value - this.data[place]) * this.globalAlpha;
    });
    this.data[4 * pixel + 3] = 255;
  }
}
