import assert from "node:assert/strict";
import { test } from "node:test";

import { decoded } from "../../../contest/static/contest/player/paste/files.js";

for (const [encoding, bytes] of Object.entries({
  "UTF-8": [0x72, 0x52, 0xe8, 0xa7, 0xa3],
  "UTF-8 with a mark": [0xef, 0xbb, 0xbf, 0x72, 0x52, 0xe8, 0xa7, 0xa3],
  "UTF-16, low byte first": [0xff, 0xfe, 0x72, 0, 0x52, 0, 0xe3, 0x89],
  "UTF-16, high byte first": [0xfe, 0xff, 0, 0x72, 0, 0x52, 0x89, 0xe3],
  GB18030: [0x72, 0x52, 0xbd, 0xe2],
})) {
  test(`a file in ${encoding} is read`, () => {
    assert.equal(decoded(new Uint8Array(bytes).buffer), "rR解");
  });
}
