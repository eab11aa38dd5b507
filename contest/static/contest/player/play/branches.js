// What was played and left: the other lines of the game, each from the place where it leaves the line it was left for.
//
// A place is counted in steps from the start, along whatever leads there, so that it stays the same wherever the line it
// lies on belongs to. The line on the board is no branch; a branch that leaves it has no parent.

const MOST = 200; // branches that are kept
const MOST_STEPS = 1_000_000; // steps that are kept in all of them
const STEP = 7; // without the mark of where an intention begins

/** A branch is {id, parent, at, steps}: the id of the branch it leaves or null, the place, bytes as in a `History`. */
export class Branches {
  #kept = [];
  #next = 1;
  /** Grows with every change, for whoever shows or stores them. */
  version = 0;

  /** All branches, the oldest first. */
  get all() {
    return [...this.#kept];
  }

  /** The branch left last that leaves the line on the board at the place *at*, or undefined. */
  lastAt(at) {
    return this.#kept.findLast((branch) => branch.parent === null && branch.at === at);
  }

  /** The branches from the one that leaves the line up to *id*; none where there is no such branch. */
  way(id) {
    const found = [];
    for (let branch = this.#find(id); branch; branch = this.#find(branch.parent)) found.unshift(branch);
    return found;
  }

  /** The line leaves *steps*, which it had from the place *at* on. Time O(branches). */
  leave(at, steps) {
    if (!steps.length) return;
    const id = this.#next++;
    for (const branch of this.#kept) if (branch.parent === null && branch.at > at) branch.parent = id;
    this.#kept.push({ id, parent: null, at, steps: steps.slice() });
    this.#trim();
    this.version++;
  }

  /** The line goes on by *steps* from the place *at*: what branches have in common with it is theirs no longer. */
  pass(at, steps) {
    for (let isNew = true; isNew; ) {
      isNew = false;
      for (const branch of this.#kept) {
        const from = branch.at - at;
        if (branch.parent !== null || from < 0 || from >= steps.length) continue;
        const common = commonLength(branch.steps, steps.subarray(from));
        if (!common) continue;
        this.#shorten(branch, common);
        isNew = true;
        break;
      }
    }
  }

  #shorten(branch, count) {
    branch.at += count;
    branch.steps = branch.steps.slice(count);
    const isOver = !branch.steps.length;
    for (const other of this.#kept) {
      if (other.parent === branch.id && (isOver || other.at <= branch.at)) other.parent = null;
    }
    if (isOver) this.#kept = this.#kept.filter((one) => one !== branch);
    this.version++;
  }

  /** The line takes the branch *id*, which must leave it: what leaves the branch leaves the line then. */
  take(id) {
    this.#kept = this.#kept.filter((branch) => branch.id !== id);
    for (const branch of this.#kept) if (branch.parent === id) branch.parent = null;
    this.version++;
  }

  /** Come back to what was kept, on a line of *length* steps: what is damaged is left out. */
  restore(kept, length) {
    this.#kept = [];
    this.version++;
    const ends = new Map([[null, length]]);
    for (let isNew = true; isNew; ) {
      const fitting = kept.filter((one) => !ends.has(one.id) && ends.has(one.parent) && one.at >= 0 && one.at <= ends.get(one.parent));
      isNew = fitting.length > 0;
      for (const { id, parent, at, steps } of fitting) {
        if (!Number.isInteger(id) || !Number.isInteger(at) || !steps.length || ends.has(id)) {
          ends.set(id, -1);
          continue;
        }
        ends.set(id, at + steps.length);
        this.#kept.push({ id, parent, at, steps });
      }
    }
    this.#kept.sort((one, other) => one.id - other.id);
    this.#next = Math.max(0, ...this.#kept.map(({ id }) => id)) + 1;
  }

  /** Forget the oldest branches that no other leaves, until there is room. */
  #trim() {
    const size = () => this.#kept.reduce((sum, { steps }) => sum + steps.length, 0);
    while (this.#kept.length > 1 && (this.#kept.length > MOST || size() > MOST_STEPS)) {
      const parents = new Set(this.#kept.map(({ parent }) => parent));
      const oldest = this.#kept.findIndex(({ id }) => !parents.has(id));
      this.#kept.splice(oldest, 1);
    }
  }

  #find(id) {
    return this.#kept.find((branch) => branch.id === id);
  }
}

/** How many steps two rows of bytes begin with alike. */
export function commonLength(one, other) {
  const most = Math.min(one.length, other.length);
  let count = 0;
  while (count < most && (one[count] & STEP) === (other[count] & STEP)) count++;
  return count;
}
