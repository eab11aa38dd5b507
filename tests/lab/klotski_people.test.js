import assert from "node:assert/strict";
import { test } from "node:test";

import { linesOf, people } from "../../contest/static/contest/lab/klotski-people.js";
import { Layout, layoutAfter, legalMoves } from "../../contest/static/contest/lab/klotski.js";

const SAID = {
  zh: { C: "曹操", generals: "关羽、张飞、赵云、马超、黄忠", soldier: "兵" },
  en: { C: "Cao Cao", generals: "Guan Yu, Zhang Fei, Zhao Yun, Ma Chao, Huang Zhong", soldier: "Soldier" },
};
const zh = (key) => SAID.zh[key], en = (key) => SAID.en[key];

test("lying generals are named first, as in solvers/klotski/people.py", () => {
  assert.equal(people(Layout.parse("VCCVVCCVVHHVVooVo..o"), zh).join(" "), "张飞 曹操 赵云 马超 关羽 黄忠 兵 兵 兵 兵");
  assert.equal(people(Layout.parse("oCCooCCoHHHHHHHHHH.."), zh).join(" "), "兵 曹操 兵 兵 兵 关羽 张飞 赵云 马超 黄忠");
});

test("a piece keeps its name through all moves", () => {
  let layout = Layout.parse("VCCVVCCVVHHVVooVo..o").named();
  for (let count = 0; count < 60; count++) {
    const named = people(layout, en).map((name, at) => [layout.pieces[at].name, name]);
    assert.equal(Object.fromEntries(named).a, "Zhang Fei");
    const moves = legalMoves(layout);
    layout = layoutAfter(layout, moves[(7 * count) % moves.length]);
  }
});

test("names are written in the lines that a piece has room for", () => {
  assert.deepEqual(linesOf("张飞", "V"), { lines: ["张", "飞"], size: 0.52 });
  assert.deepEqual(linesOf("Huang Zhong", "V").lines, ["Huang", "Zhong"]);
  assert.deepEqual(linesOf("Guan Yu", "H").lines, ["Guan Yu"]);
});
