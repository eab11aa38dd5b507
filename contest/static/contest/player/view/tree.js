// The line on the board and the branches that leave it, as one small picture; the list below it says the same in words.

const SVG = "http://www.w3.org/2000/svg";
const MOST = 6; // branches that are drawn: the last ones, and those they leave
const [WIDTH, EDGE, LANE, CURVE] = [340, 10, 16, 14]; // in the picture's own units

/**
 * Where each of *branches* lies, in the order it was left: {branch, lane, from}, *lane* counted from the line on the board
 * (0) up, *from* the lane it leaves. Time O(branches²).
 */
export function lanes(branches) {
  const byId = new Map(branches.map((branch) => [branch.id, branch]));
  const wanted = new Set();
  for (const branch of branches.slice(-MOST)) {
    for (let one = branch; one; one = byId.get(one.parent)) wanted.add(one.id);
  }
  const drawn = branches.filter((branch) => wanted.has(branch.id));
  const laneOf = new Map(drawn.map((branch, place) => [branch.id, place + 1]));
  return drawn.map((branch) => ({ branch, lane: laneOf.get(branch.id), from: laneOf.get(branch.parent) ?? 0 }));
}

/** Draw the line of *play* and its branches into the svg element *picture*; without branches it is hidden. */
export function drawTree(picture, play) {
  const all = play.branches.all;
  const hidden = all.length === 0;
  picture.toggleAttribute("hidden", hidden);
  if (hidden) return;
  const laid = lanes(all);
  const end = Math.max(play.length, ...laid.map(({ branch }) => branch.at + branch.steps.length), 1);
  const floor = EDGE + LANE * Math.max(...laid.map(({ lane }) => lane));
  const x = (steps) => EDGE + ((WIDTH - 2 * EDGE) * steps) / end;
  const y = (lane) => floor - LANE * lane;
  picture.setAttribute("viewBox", `0 0 ${WIDTH} ${floor + EDGE}`);
  const last = all.length - 1;
  const branches = laid.flatMap(({ branch, lane, from }) => {
    const [start, stop] = [x(branch.at), x(branch.at + branch.steps.length)];
    const turn = Math.min(CURVE, stop - start);
    const way = `M${start} ${y(from)}C${start + turn} ${y(from)} ${start} ${y(lane)} ${start + turn} ${y(lane)}H${stop}`;
    const colour = `line-${(last - all.findIndex(({ id }) => id === branch.id)) % 3}`;
    return [shape("path", colour, { d: way }), square(colour, stop, y(lane), 8)];
  });
  const line = [
    shape("path", "ahead", { d: `M${x(play.at)} ${floor}H${x(play.length)}` }),
    shape("path", "own", { d: `M${x(0)} ${floor}H${x(play.at)}` }),
  ];
  picture.replaceChildren(...branches, ...line, square("own here", x(play.at), floor, 10));
}

function shape(name, kind, facts) {
  const made = document.createElementNS(SVG, name);
  made.setAttribute("class", kind);
  for (const [key, value] of Object.entries(facts)) made.setAttribute(key, value);
  return made;
}

const square = (kind, x, y, side) => shape("rect", kind, { x: x - side / 2, y: y - side / 2, width: side, height: side });
