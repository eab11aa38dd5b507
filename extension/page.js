// The extension's page, in the popup or in a tab: a text, what is in it, what can be done with it, and what was kept.

import { actsFor, addressFor, fits } from "./acts.js";
import { found } from "./finding.js";
import { dropLevel, hostKept, keepLevel, levelsKept, textHandedOver } from "./keeping.js";
import { fillWords, word } from "./words.js";

const field = document.getElementById("text");
const says = document.getElementById("says");
const acts = document.getElementById("acts");

function sentence(seen) {
  const { level, moves, trouble } = seen;
  if (!field.value.trim()) return "";
  const parts = [];
  if (level) parts.push(word("found_level", [level.width, level.height, level.boxes.length]));
  if (moves) parts.push(word("found_moves", [moves.length]));
  if (parts.length) return parts.join(" ");
  return trouble ? word("found_trouble", [trouble.code.replaceAll("_", " ")]) : word("found_nothing");
}

async function show() {
  const seen = found(field.value);
  const host = await hostKept();
  says.textContent = sentence(seen);
  acts.replaceChildren(...actsFor(seen).map((act) => button(act, () => carryOut(act, seen, host))));
  document.getElementById("host").textContent = host.replace(/^https?:\/\//, "");
}

async function carryOut(act, seen, host) {
  if (act === "keep") {
    await keepLevel(seen.level.toString(), "");
    says.textContent = word("kept");
    await showKept();
    return;
  }
  const address = addressFor(act, seen, host);
  if (fits(address)) await chrome.tabs.create({ url: address });
  else says.textContent = word("too_long");
}

async function showKept() {
  const levels = await levelsKept();
  const section = document.getElementById("kept");
  section.hidden = levels.length === 0;
  section.querySelector("ul").replaceChildren(...levels.map(row));
}

function row({ text, from }) {
  const item = document.createElement("li");
  const rows = document.createElement("pre");
  rows.textContent = text;
  const source = document.createElement("small");
  source.textContent = from;
  const buttons = document.createElement("div");
  buttons.className = "buttons";
  const take = async () => {
    field.value = text;
    await show();
    field.scrollIntoView({ block: "nearest" });
  };
  const drop = async () => {
    await dropLevel(text);
    await showKept();
  };
  buttons.append(button("take", take), button("drop", drop));
  item.append(rows, source, buttons);
  return item;
}

function button(name, act) {
  const made = document.createElement("button");
  made.type = "button";
  made.dataset.act = name;
  made.textContent = word(`act_${name}`);
  made.addEventListener("click", act);
  return made;
}

fillWords();
const handed = await textHandedOver();
field.value = handed?.text ?? "";
field.addEventListener("input", show);
await show();
await showKept();
if (handed?.wanted === "keep") says.textContent = word("kept");
