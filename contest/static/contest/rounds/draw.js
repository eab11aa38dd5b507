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
  division.value = divided(number, count, form.dataset.beacon);
}

// The division in words; with the value of a public beacon ("-" while it is missing) M stands for L (rule 11.14).
function divided(number, count, beacon) {
  if (!count) {
    return "N = 0";
  }
  if (beacon === "-") {
    return "";
  }
  const dividend = beacon ? parseInt(sha256(`${number}|${beacon}`).slice(0, 13), 16) : number;
  return `${beacon ? "M" : "L"} mod N = ${dividend} mod ${count} = ${dividend % count}`;
}
