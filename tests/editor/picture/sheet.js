// The sprites of a skin, drawn with a pen in numbers: stands in for the browser's Sheet (player/view/skin.js).

import { readFileSync } from "node:fs";

const TABLE = JSON.parse(readFileSync(new URL("../../../solvers/sokoban/drawing/skins/skins.json", import.meta.url), "utf8"));
const STEPS = 6; // of a curve

export class PenSheet {
  constructor(time, side) {
    const { sprites } = TABLE.skins.classic;
    this.colours = TABLE.skins.classic[time];
    this.scale = side / TABLE.cell;
    this.sprites = Object.values(sprites);
  }

  draw(pen, sprite, left, top) {
    for (const [paint, path, opacity = 1] of this.sprites[sprite]) {
      pen.fillStyle = this.colours[paint];
      pen.globalAlpha = opacity;
      pen.paths = polygons(path).map((points) => points.map(([x, y]) => [left + x * this.scale, top + y * this.scale]));
      pen.fill();
    }
    pen.globalAlpha = 1;
  }
}

function polygons(path) {
  return [...path.matchAll(/M([^z]*)z/g)].map(([, part]) => {
    const points = [];
    for (const [, command, text] of `M${part}`.matchAll(/([Mhvlcq])([^Mhvlcq]*)/g)) {
      const numbers = text.match(/-?\d*\.?\d+/g).map(Number);
      const [x, y] = points.at(-1) ?? [0, 0];
      if (command === "h") points.push([x + numbers[0], y]);
      else if (command === "v") points.push([x, y + numbers[0]]);
      else {
        const corners = [];
        for (let at = 0; at < numbers.length; at += 2) corners.push([x + numbers[at], y + numbers[at + 1]]);
        if (corners.length === 1) points.push(corners[0]);
        else for (let step = 1; step <= STEPS; step++) points.push(onCurve([[x, y], ...corners], step / STEPS));
      }
    }
    return points;
  });
}

function onCurve(corners, share) {
  if (corners.length === 1) return corners[0];
  const between = corners.slice(1).map(([x, y], at) => [0, 1].map((axis) => corners[at][axis] + ([x, y][axis] - corners[at][axis]) * share));
  return onCurve(between, share);
}
