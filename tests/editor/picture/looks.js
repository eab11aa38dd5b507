// Boards as programs draw them, as {width, height, data}: our own board, and looks of others.

import { BOX, GOAL, PLAYER, WALL } from "../../../contest/static/contest/player/rules/letters.js";
import { Ground } from "../../../contest/static/contest/player/view/ground.js";
import { CRATE_HERE, MAN, ON_GOAL } from "../../../contest/static/contest/player/view/marks.js";
import { drawThing } from "../../../contest/static/contest/player/view/things.js";
import { Turning } from "../../../contest/static/contest/player/view/turning.js";
import { Pen } from "./pen.js";
import { PenSheet } from "./sheet.js";

const PAPER = { day: "#faf7f0", night: "#141519" };

const ours = (time) => (pen, level, side, at) => {
  const turning = new Turning(level);
  const sheet = new PenSheet(time, side);
  const placing = {
    turning, cell: side, ratio: 1, ruler: 0,
    part: { first: 0, last: level.width - 1, top: 0, bottom: level.height - 1 },
    corner: (column, row) => ({ x: at[0] + column * side, y: at[1] + row * side }),
  };
  const isGoal = (cell) => Boolean(level.cells[cell] & GOAL);
  new Ground(level, placing, { colours: {}, sheet }, { options: {}, isGoal }).draw(pen, pen.canvas);
  eachCell(pen, level, side, at, (content) => {
    const thing = content & BOX ? CRATE_HERE : content & PLAYER ? MAN : 0;
    if (thing) drawThing(pen, thing | (content & GOAL ? ON_GOAL : 0), side, { colours: {}, sheet });
  });
};

/** Bricks, a crate that fills its cell, a filled circle on each goal; black around the walls. */
function bricks(pen, level, side, at) {
  eachCell(pen, level, side, at, (content, cell) => {
    if (content & WALL) {
      fill(pen, "#9a4a32", 0, 0, 1, 1, side);
      for (const row of [0, 0.5]) {
        fill(pen, "#d8cfc4", 0, row, 1, 1 / 16, side);
        fill(pen, "#d8cfc4", row ? 0.75 : 0.25, row, 1 / 16, 0.5, side);
      }
      return;
    }
    if (!level.reach.has(cell)) return;
    fill(pen, "#404850", 0, 0, 1, 1, side);
    if (content & GOAL) disc(pen, "#48c060", 0.3, side);
    if (content & BOX) {
      fill(pen, content & GOAL ? "#c05020" : "#e0b060", 0, 0, 1, 1, side);
      fill(pen, "#503010", 0.1, 0.1, 0.8, 0.08, side);
      fill(pen, "#503010", 0.1, 0.82, 0.8, 0.08, side);
      fill(pen, "#503010", 0.46, 0.1, 0.08, 0.8, side);
    }
    if (content & PLAYER) {
      disc(pen, "#f0e0d0", 0.3, side);
      fill(pen, "#2040c0", 0.3, 0.5, 0.4, 0.4, side);
    }
  });
}

/** Flat colours with lines between all cells, white around and under everything. */
function lined(pen, level, side, at) {
  eachCell(pen, level, side, at, (content) => {
    fill(pen, "#c8c8c8", 0, 0, 1, 1, side);
    pen.fillStyle = "#ffffff";
    pen.fillRect(1, 1, side - 1, side - 1);
    if (content & WALL) {
      pen.fillStyle = "#303030";
      pen.fillRect(1, 1, side - 1, side - 1);
    }
    if (content & GOAL) disc(pen, "#d02020", 0.18, side);
    if (content & BOX) {
      fill(pen, "#b07818", 0.18, 0.18, 0.64, 0.64, side);
      fill(pen, content & GOAL ? "#d02020" : "#e8c060", 0.3, 0.3, 0.4, 0.4, side);
    }
    if (content & PLAYER) disc(pen, "#2060d0", 0.36, side);
  });
}

/** A floor in two shades like a chessboard, walls with a bright upper left edge, round boxes. */
function checked(pen, level, side, at) {
  eachCell(pen, level, side, at, (content, cell) => {
    if (content & WALL) {
      fill(pen, "#6878a0", 0, 0, 1, 1, side);
      fill(pen, "#98a8d0", 0, 0, 1, 0.1, side);
      fill(pen, "#98a8d0", 0, 0, 0.1, 1, side);
      return;
    }
    if (!level.reach.has(cell)) return;
    const isOdd = ((cell % level.width) + Math.floor(cell / level.width)) % 2;
    fill(pen, isOdd ? "#d8d0b8" : "#e8e0c8", 0, 0, 1, 1, side);
    if (content & GOAL) {
      fill(pen, "#a06090", 0.4, 0.2, 0.2, 0.6, side);
      fill(pen, "#a06090", 0.2, 0.4, 0.6, 0.2, side);
    }
    if (content & BOX) disc(pen, content & GOAL ? "#208040" : "#c08030", 0.42, side);
    if (content & PLAYER) {
      disc(pen, "#202020", 0.25, side);
      fill(pen, "#202020", 0.2, 0.6, 0.6, 0.3, side);
    }
  });
}

export const LOOKS = {
  "ours by day": [ours("day"), PAPER.day],
  "ours at night": [ours("night"), PAPER.night],
  bricks: [bricks, "#000000"],
  lined: [lined, "#ffffff"],
  checked: [checked, "#f4f4f4"],
};

/** The board in one of the looks; *margin* is left, top, right, bottom in pixels of the look's ground. */
export function drawn(level, look, side, margin = [0, 0, 0, 0]) {
  const [draw, ground] = LOOKS[look];
  const [left, top, right, bottom] = margin;
  const pen = new Pen(left + level.width * side + right, top + level.height * side + bottom, ground);
  draw(pen, level, side, [left, top]);
  return pen.picture;
}

/** *picture* under other things: bars, buttons with words on them, as a window around a board has them. */
export function inWindow(picture, chance) {
  const [bar, side] = [64, 150];
  const pen = new Pen(picture.width + side, picture.height + bar + 24, "#e4e4ea");
  const letters = (x, y, count, height) => {
    pen.fillStyle = "#202028";
    for (let letter = 0; letter < count; letter++) {
      pen.fillRect(x, y + chance() * height * 0.4, 1 + chance() * 2, height * (0.4 + chance() * 0.6));
      if (chance() > 0.3) pen.fillRect(x, y + chance() * height, 3 + chance() * 4, 1.5);
      x += 5 + chance() * 5;
    }
  };
  pen.fillStyle = "#3858a8";
  pen.fillRect(0, 0, pen.canvas.width, 26);
  letters(8, 8, 20, 11);
  for (let button = 0; button < 6; button++) {
    pen.strokeStyle = "#9090a0";
    pen.strokeRect(8 + button * 57, 31, 48, 26);
    letters(14 + button * 57, 38, 5, 12);
  }
  for (let line = 0; line < 9; line++) letters(picture.width + 12, bar + 10 + line * 21, 8 + Math.floor(chance() * 6), 12);
  letters(8, picture.height + bar + 7, 30, 11);
  paste(pen.picture, picture, 0, bar);
  return pen.picture;
}

function paste(into, picture, left, top) {
  for (let row = 0; row < picture.height; row++) {
    const line = picture.data.subarray(4 * row * picture.width, 4 * (row + 1) * picture.width);
    into.data.set(line, 4 * ((row + top) * into.width + left));
  }
}

/** *picture* with every value off by up to *most*, and blocks of 8 by 8 pixels off as lossy pictures have them. */
export function noisy(picture, most, chance) {
  const data = Uint8ClampedArray.from(picture.data);
  const blocks = Array.from({ length: Math.ceil(picture.width / 8) * Math.ceil(picture.height / 8) }, () => (chance() - 0.5) * most);
  for (let pixel = 0; pixel < picture.width * picture.height; pixel++) {
    const block = Math.floor(Math.floor(pixel / picture.width) / 8) * Math.ceil(picture.width / 8) + ((pixel % picture.width) >> 3);
    for (let channel = 0; channel < 3; channel++) data[4 * pixel + channel] += blocks[block] + (chance() - 0.5) * 2 * most;
  }
  return { ...picture, data };
}

/** *picture* at another size, each pixel mixed of its four neighbours. */
export function scaled({ width, height, data }, factor) {
  const [wide, high] = [Math.round(width * factor), Math.round(height * factor)];
  const result = new Uint8ClampedArray(4 * wide * high);
  for (let row = 0; row < high; row++) {
    for (let column = 0; column < wide; column++) {
      const x = Math.min(Math.max((column + 0.5) / factor - 0.5, 0), width - 1.001);
      const y = Math.min(Math.max((row + 0.5) / factor - 0.5, 0), height - 1.001);
      const pixel = Math.floor(y) * width + Math.floor(x);
      const [right, down] = [x % 1, y % 1];
      for (let channel = 0; channel < 4; channel++) {
        const at = (place) => data[4 * place + channel];
        const above = at(pixel) * (1 - right) + at(pixel + 1) * right;
        const below = at(pixel + width) * (1 - right) + at(pixel + width + 1) * right;
        result[4 * (row * wide + column) + channel] = above * (1 - down) + below * down;
      }
    }
  }
  return { width: wide, height: high, data: result };
}

/** Numbers from 0 to 1, the same for the same *seed*. */
export function chanceOf(seed) {
  return () => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return seed / 2 ** 32;
  };
}

function eachCell(pen, level, side, [left, top], draw) {
  level.cells.forEach((content, cell) => {
    pen.save();
    pen.translate(left + (cell % level.width) * side, top + Math.floor(cell / level.width) * side);
    draw(content, cell);
    pen.restore();
  });
}

function fill(pen, colour, x, y, width, height, side) {
  pen.fillStyle = colour;
  const [left, top] = [Math.round(x * side), Math.round(y * side)];
  pen.fillRect(left, top, Math.max(1, Math.round((x + width) * side) - left), Math.max(1, Math.round((y + height) * side) - top));
}

function disc(pen, colour, radius, side) {
  pen.fillStyle = colour;
  pen.beginPath();
  pen.arc(side / 2, side / 2, radius * side, 0, 2 * Math.PI);
  pen.fill();
}
