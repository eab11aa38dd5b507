// The cases that Python and JavaScript share: the same files drive pytest.

import { readFileSync } from "node:fs";

export function cases(name) {
  return JSON.parse(readFileSync(new URL(`../data/${name}.json`, import.meta.url), "utf8"));
}
