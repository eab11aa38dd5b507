// The sprites of a board by their numbers, in the order of solvers/sokoban/drawing/skins/skins.json.

// The walls come first: 1 where there is a wall above, and 2 to the right, 4 below, 8 to the left.
export const INNER = 16; // the corner between two walls: above right, below right, below left, above left
export const FLOOR = 20;
export const ODD = 21;
export const AIM = 22;
export const LOST_BOX = 23;
export const WALKER = 24; // looking up, right, down, left; then the same on a goal
export const CRATE_AWAY = 32;
export const CRATE_HOME = 33;
export const REACHED = 34;
export const REACHED_AIM = 35;
export const DEAD = 36;
export const PICKED = 37;
export const IMPOSSIBLE = 38;
export const UNSEEN = 39;
export const BARE = 40; // floor behind the round corner of a wall, in the order of INNER

const SIDES = [[0, -1], [1, 0], [0, 1], [-1, 0]];
const DIAGONALS = [[1, -1], [1, 1], [-1, 1], [-1, -1]];

/** The sprites of a wall: isWall(right, down) and isFloor(right, down) tell of its neighbours. */
export function wallSprites(isWall, isFloor) {
  const bare = [], inner = [];
  DIAGONALS.forEach(([right, down], corner) => {
    const beside = isWall(right, 0), above = isWall(0, down);
    if (!beside && !above && isFloor(right, down)) bare.push(BARE + corner);
    if (beside && above && !isWall(right, down)) inner.push(INNER + corner);
  });
  return [...bare, SIDES.reduce((bits, [right, down], side) => bits | (isWall(right, down) << side), 0), ...inner];
}
