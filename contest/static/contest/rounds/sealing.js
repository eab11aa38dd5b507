// Sealing an answer (rule 5.11): the moves are hashed here and never sent; rules/sealed_answers.py has the same lines.

import { Level } from "../player/rules/level.js";
import { judge } from "../player/rules/reading.js";
import { filled } from "../player/view/words.js";
import { sha256 } from "./sha256.js";

const PAUSE_MS = 150; // after the last key, before the moves are judged
const SALT_BYTES = 16;

export const sealedText = (round, slot, player, salt, moves) =>
  ["leitai-sealed-1", `${round}/${slot}`, player, salt, moves].join("\n");

export function newSalt() {
  const bytes = crypto.getRandomValues(new Uint8Array(SALT_BYTES));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** What *solution*, as somebody pasted it, comes to on *level*: {lurd, moves, pushes} of what counts, or null. */
export function solved(level, solution) {
  const { outcome, replay } = judge([level], solution);
  return outcome === "solved" ? { lurd: replay.lurd, moves: replay.moves, pushes: replay.pushes } : null;
}

class Sealing {
  constructor(form) {
    this.form = form;
    this.facts = JSON.parse(document.querySelector("script[type='application/json']").textContent);
    this.solution = form.querySelector("[data-solution]");
    this.said = form.querySelector("[data-said]");
    this.save = form.querySelector("[data-save]");
    this.button = form.querySelector("button");
    this.timer = 0;
  }

  start() {
    const { player, slot } = this.form.elements;
    this.solution.addEventListener("input", () => {
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.seal(), PAUSE_MS);
    });
    for (const choice of [player, slot]) choice.addEventListener("change", () => this.seal());
    this.save.addEventListener("click", () => {
      this.said.textContent = filled(this.form.dataset.kept, { name: this.save.download });
      this.button.disabled = false;
    });
    this.seal();
  }

  /** Hash what was pasted with a new salt. It can be sent once the text was saved; without moves, what is typed can. */
  seal() {
    const { player, slot, moves, pushes, sha256: hash } = this.form.elements;
    const text = this.solution.value;
    const isByHand = !text.trim();
    const found = isByHand ? null : solved(Level.parse(this.facts.levels[slot.value]), text);
    URL.revokeObjectURL(this.save.href);
    this.button.disabled = !isByHand;
    this.save.hidden = !found;
    if (!isByHand || hash.readOnly) [moves.value, pushes.value, hash.value] = [found?.moves ?? "", found?.pushes ?? "", ""];
    for (const field of [moves, pushes, hash]) field.readOnly = !isByHand;
    this.said.textContent = isByHand ? "" : filled(this.form.dataset[found ? "solves" : "not"], found ?? {});
    if (!found) return;
    const sealed = sealedText(this.facts.round, slot.value, this.facts.players[player.value], newSalt(), found.lurd);
    hash.value = sha256(sealed);
    this.save.href = URL.createObjectURL(new Blob([sealed], { type: "text/plain" }));
    this.save.download = `leitai-${this.facts.round}-${slot.value}-${hash.value.slice(0, 8)}.txt`;
  }
}

function start() {
  for (const part of document.querySelectorAll("[data-scripted]")) part.hidden = false;
  for (const part of document.querySelectorAll("[data-unscripted]")) part.hidden = true;
  const sealing = document.querySelector("[data-sealing]");
  if (sealing) new Sealing(sealing).start();
  const opening = document.querySelector("[data-opening]");
  opening?.querySelector("[data-file]").addEventListener("change", async ({ target }) => {
    if (target.files.length) opening.elements.text.value = await target.files[0].text();
  });
}

if (globalThis.document) start();
