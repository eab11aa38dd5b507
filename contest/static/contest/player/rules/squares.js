// The names of squares on the ruler: columns A, B … Z, AA and rows 1, 2 … from the top left.

/** The letters of a column counted from 0. The twin of column_name in solvers/sokoban/drawing/draw.py. */
export function columnName(column) {
  const before = Math.floor(column / 26);
  return (before ? columnName(before - 1) : "") + String.fromCharCode(65 + (column % 26));
}

export function squareName(level, cell) {
  return columnName(cell % level.width) + (Math.floor(cell / level.width) + 1);
}

/** The cell of a name such as "C4", in either case, or null where the level has no such square. */
export function namedSquare(level, name) {
  const parts = /^([a-z]{1,3})([0-9]{1,3})$/i.exec(name.trim());
  if (!parts) return null;
  const column = [...parts[1].toUpperCase()].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
  const row = Number(parts[2]) - 1;
  return column < level.width && row >= 0 && row < level.height ? row * level.width + column : null;
}
