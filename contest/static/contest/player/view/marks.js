// What can be seen on a cell besides its ground, as one number: a thing, whether it is on a goal, marks, where the man
// looks, and above all these the number of a box.

export const NOTHING = 0;
export const MAN = 1;
export const CRATE_HERE = 2;
export const THING = 3;
export const ON_GOAL = 4;
export const REACH = 8;
export const SELECTED = 16;
export const CURSOR = 32;
export const WRONG = 64;
export const LOST = 128;
export const UNVISITED = 256;
/** Times the direction in which the man is seen to look. */
export const FACING = 512;
export const NUMBERED = 2048;
