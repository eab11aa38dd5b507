// What stands around the board: buttons, counters, the time bar, settings, branches, snapshots and the sheet of keys.

import { columnName } from "../rules/squares.js";
import { padSheet } from "./gamepad.js";
import { PRESETS, keyOf, sheet } from "./keys.js";

const MOST_CHIPS = 6; // of branches

/** Let every button in *root* with a `data-act` do it by *act*. */
export function startButtons(root, act) {
  for (const button of root.querySelectorAll("[data-act]")) {
    button.dataset.title = button.title || button.textContent.trim();
    if (!/\p{L}/u.test(button.textContent)) button.ariaLabel = button.title; // a sign is no name
    button.addEventListener("click", () => act(button.dataset.act));
  }
}

/**
 * Print its key in every button's title, and list all keys of *preset* and a controller's buttons in the sheet; *words*
 * names the acts.
 */
export function showKeys(root, preset, words) {
  for (const button of root.querySelectorAll("[data-act]")) {
    const key = keyOf(preset, button.dataset.act);
    button.title = key ? `${button.dataset.title} (${key})` : button.dataset.title;
    const shown = button.querySelector("[data-key]");
    if (shown) shown.textContent = key;
  }
  const named = new Map();
  const pads = padSheet().map(([act, buttons]) => [act, buttons.map((button) => words("padButton", { button }))]);
  for (const [act, keys] of [...sheet(preset), ...pads]) {
    const name = nameOf(act, words);
    named.set(name, [...(named.get(name) ?? []), ...keys]);
  }
  const rows = [...named].map(([name, keys]) => {
    const row = document.createElement("tr");
    const head = document.createElement("th");
    head.scope = "row";
    head.textContent = name;
    const cell = document.createElement("td");
    cell.textContent = keys.join("  ");
    row.append(head, cell);
    return row;
  });
  root.querySelector("[data-keys]").replaceChildren(...rows);
}

/** The words for an act; those that differ only by a number or a direction to run in share them. */
function nameOf(act, words) {
  const kind = /^(push|run|keep|recall)-/.exec(act)?.[1] ?? act;
  return words(`act-${kind}`.replace(/-(\w)/g, (_, letter) => letter.toUpperCase()));
}

/** Keep the fields of a form of settings and *settings* the same; *changed* hears of each change. */
export function startSettings(form, settings, changed) {
  for (const field of form.elements) {
    if (!field.name) continue;
    if (settings[field.name] !== undefined) write(field, settings[field.name]);
    field.addEventListener("change", () => {
      settings[field.name] = read(field);
      changed(field.name);
    });
    settings[field.name] = read(field);
  }
  if (!(settings.preset in PRESETS)) settings.preset = "default";
  return (name, value) => {
    write(form.elements[name], value);
    settings[name] = value;
    changed(name);
  };
}

function read(field) {
  return field.type === "checkbox" ? field.checked : field.value;
}

function write(field, value) {
  if (field.type === "checkbox") field.checked = Boolean(value);
  else if ([...field.options].some((option) => option.value === value)) field.value = value;
}

/** The numbers beside the board; *home* boxes stand where they are wanted. */
export function showCounters(root, play, home) {
  const { position, level, at, length } = play;
  const shown = {
    moves: position.moves,
    pushes: position.pushes,
    home: `${home}/${level.boxes.length}`,
  };
  for (const [name, value] of Object.entries(shown)) root.querySelector(`[data-shows="${name}"]`).textContent = value;
  const bar = root.querySelector("[data-time]");
  bar.max = length;
  bar.value = at;
  root.querySelector("[data-branch-marks]").style.setProperty("--length", Math.max(length, 1));
  bar.setAttribute("aria-valuetext", `${at} / ${length}`);
  root.querySelector('[data-shows="time"]').textContent = `${at} / ${length}`;
}

/** A button for every snapshot of *play*, which goes back to it. */
export function showSnapshots(place, play, recall, words) {
  const buttons = [...play.snapshots].map(([name, { at }]) => {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "chip snapshot";
    button.textContent = name === "before" ? words("beforeLoading") : words("snapshotAt", { name, at });
    button.addEventListener("click", () => recall(name));
    return button;
  });
  place.replaceChildren(...buttons);
}

/** What the branch with the number *id* is called: A, B … Z, AA. */
export const branchName = (id) => columnName(id - 1);

/**
 * Show in *root* the branches of *play*, the last first, and on the time bar where they leave and where snapshots are.
 * *take* goes on with the branch of an id, *words* speaks.
 */
export function showBranches(root, play, take, words) {
  const all = play.branches.all.reverse();
  const buttons = () => all.map((branch, place) => branchButton(branch, place, take, words));
  root.querySelector("[data-branches]").replaceChildren(...buttons().slice(0, MOST_CHIPS));
  root.querySelector("[data-branch-list]").replaceChildren(...buttons().map((button, place) => {
    const row = document.createElement("li");
    row.style.setProperty("--depth", play.branches.way(all[place].id).length - 1);
    row.append(button);
    return row;
  }));
  const leaves = all.slice(0, MOST_CHIPS).flatMap(({ parent, at }, place) => (parent === null ? [[`line-${place % 3}`, at]] : []));
  const flags = play.marks.map(([, at]) => ["flag", at]);
  root.querySelector("[data-branch-marks]").replaceChildren(...[...leaves, ...flags].map(markOf));
  for (const count of root.querySelectorAll("[data-branch-count]")) count.textContent = all.length || "";
}

function branchButton({ id, at, steps }, place, take, words) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = `chip line-${place % 3}`;
  button.textContent = words("branchAt", { name: branchName(id), at, end: at + steps.length });
  button.addEventListener("click", () => take(id));
  return button;
}

function markOf([name, at]) {
  const mark = document.createElement("span");
  mark.className = name;
  mark.style.setProperty("--at", at);
  return mark;
}
