// Says beside the level of the day how many days in a row this browser solved it.

import { kept, streak, switchOff } from "../player/keep/daily.js";
import { storage } from "../player/keep/settings.js";

function show(card, place) {
  const { days, isOff } = kept(place);
  const { day } = card.dataset;
  const words = card.querySelector("[data-streak]");
  const count = streak(days, day);
  const { one, many, open } = words.dataset;
  const sentence = !days.includes(day) ? open : count > 1 ? many : one;
  words.hidden = isOff || count === 0;
  words.textContent = sentence.replace("{count}", count);
}

for (const card of document.querySelectorAll("[data-daily]")) {
  const place = storage();
  const label = card.querySelector("[data-streak-switch]");
  const box = label.querySelector("input");
  box.checked = !kept(place).isOff;
  box.addEventListener("change", () => {
    switchOff(place, !box.checked);
    show(card, place);
  });
  label.hidden = false;
  show(card, place);
}
