// Lets the reader do the lucky draw again: the hash and the division, in this browser.

import { sha256 } from "./sha256.js";

const WRITTEN = /^(?:0|[1-9]\d*)\|(0|[1-9]\d{0,15})\|[0-9a-f]{32}$/;

for (const form of document.querySelectorAll("form.recompute")) {
  form.hidden = false;
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("input", () => recompute(form));
  recompute(form);
}

function recompute(form) {
  const { text, hash, answer, division } = form.elements;
  const written = WRITTEN.exec(text.value);
  const number = written ? Number(written[1]) : NaN;
  if (!Number.isSafeInteger(number)) {
    hash.value = division.value = "";
    answer.value = form.dataset.bad;
    return;
  }
  const found = sha256(text.value);
  const count = Number(form.dataset.count);
  hash.value = `SHA-256 = ${found}`;
  answer.value = found === form.dataset.commitment ? form.dataset.same : form.dataset.other;
  division.value = count ? `L mod N = ${number} mod ${count} = ${number % count}` : "N = 0";
}
