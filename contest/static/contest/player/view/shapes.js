// The few forms that the board is drawn of, each with the pen's present colour unless it is told another.

/** Device pixels a cell, below which everything is a plain square. */
export const SMALL = 8;

export function plain(pen, side, colour) {
  pen.fillStyle = colour;
  pen.fillRect(0, 0, side, side);
}

export function diamond(pen, x, y, reach) {
  pen.beginPath();
  pen.moveTo(x, y - reach);
  pen.lineTo(x + reach, y);
  pen.lineTo(x, y + reach);
  pen.lineTo(x - reach, y);
  pen.closePath();
  pen.fill();
}

export function disc(pen, x, y, radius) {
  pen.beginPath();
  pen.arc(x, y, radius, 0, 2 * Math.PI);
  pen.fill();
}

export function cross(pen, x, y, reach) {
  pen.beginPath();
  pen.moveTo(x - reach, y - reach);
  pen.lineTo(x + reach, y + reach);
  pen.moveTo(x + reach, y - reach);
  pen.lineTo(x - reach, y + reach);
  pen.stroke();
}

/** A frame in two colours, one of which is seen on any ground. */
export function ring(pen, side, colour, other, part) {
  const line = Math.max(2, side * part);
  pen.strokeStyle = other;
  pen.lineWidth = line;
  pen.strokeRect(line / 2, line / 2, side - line, side - line);
  pen.strokeStyle = colour;
  pen.lineWidth = Math.max(1, line * 0.6);
  pen.strokeRect(line / 3, line / 3, side - (2 * line) / 3, side - (2 * line) / 3);
}