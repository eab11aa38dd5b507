// A binary heap of numbers with keys: the smallest key comes out first.

export class Heap {
  #keys = [];
  #values = [];

  get size() {
    return this.#keys.length;
  }

  /** The smallest key. */
  get key() {
    return this.#keys[0];
  }

  add(key, value) {
    const keys = this.#keys;
    const values = this.#values;
    let at = keys.length;
    keys.push(key);
    values.push(value);
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (keys[parent] <= key) break;
      keys[at] = keys[parent];
      values[at] = values[parent];
      at = parent;
    }
    keys[at] = key;
    values[at] = value;
  }

  /** Take out the value with the smallest key. */
  take() {
    const keys = this.#keys;
    const values = this.#values;
    const taken = values[0];
    const key = keys.pop();
    const value = values.pop();
    const size = keys.length;
    if (!size) return taken;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= size) break;
      if (child + 1 < size && keys[child + 1] < keys[child]) child++;
      if (keys[child] >= key) break;
      keys[at] = keys[child];
      values[at] = values[child];
      at = child;
    }
    keys[at] = key;
    values[at] = value;
    return taken;
  }
}
