// Which site the extension leads to.

import { readHost } from "./acts.js";
import { hostKept, keepHost } from "./keeping.js";
import { fillWords, word } from "./words.js";

const field = document.getElementById("host");
const says = document.getElementById("says");

document.querySelector("form").addEventListener("submit", async (event) => {
  event.preventDefault();
  const host = readHost(field.value.trim());
  if (host) {
    await keepHost(host);
    field.value = host;
  }
  says.className = host ? "" : "error";
  says.textContent = word(host ? "saved" : "no_host");
});

fillWords();
field.value = await hostKept();
