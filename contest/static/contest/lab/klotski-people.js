// The people on the pieces, as Chinese sets have them; the twin of solvers/klotski/people.py.

const LETTERS = "Cabcde1234"; // the names that Layout.named gives
const LARGEST = { C: 0.8, H: 0.52, V: 0.52, o: 0.52 };
const LATIN = 0.78; // the width of a bold Latin letter, as a share of its size
const ROWS = { C: 2, H: 1, V: 2, o: 1 };
const COLUMNS = { C: 2, H: 2, V: 1, o: 1 };

/**
 * Who is on each piece of *layout*, in their order. *words* has Cao Cao as C, five generals and the soldier: lying
 * generals are named first, then upright ones. Names that a player gave stay.
 */
export function people(layout, words, { isNumbered = false } = {}) {
  const { pieces } = layout.named();
  if (pieces.map(({ name }) => name).sort().join("") !== [...LETTERS].sort().join("")) return pieces.map(({ name }) => name);
  const generals = words("generals").split(/[,、] ?/);
  const order = pieces.filter(({ kind }) => "HV".includes(kind)).sort((one, other) =>
    one.kind === other.kind ? (one.name < other.name ? -1 : 1) : one.kind === "H" ? -1 : 1);
  const space = isLatin(words("soldier")) ? " " : "";
  return pieces.map(({ kind, name }) => {
    if (kind === "C") return words("C");
    if (kind === "o") return words("soldier") + (isNumbered ? space + name : "");
    return generals[order.findIndex((general) => general.name === name)];
  });
}

/** The lines in which *name* is written on a piece of *kind*, and the size of its letters in cells. */
export function linesOf(name, kind) {
  const isParted = "Vo".includes(kind) && name.length > 1;
  const lines = !isParted ? [name] : isLatin(name) ? name.split(" ") : [...name];
  const widest = Math.max(...lines.map((line) => line.length)) * (isLatin(name) ? LATIN : 1);
  return { lines, size: Math.min((COLUMNS[kind] - 0.16) / widest, (ROWS[kind] * 0.85) / lines.length, LARGEST[kind]) };
}

function isLatin(text) {
  return /^[\x20-\x7e]*$/.test(text);
}
