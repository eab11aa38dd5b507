// The close of a round on the page of its level: when it has passed, the site is asked, as the round may be extended.

import { closingTime } from "../player/flow/sending.js";
import { localise } from "../shell/live.js";
import { now, whenPassed } from "../shell/server-clock.js";

function awaitClose(part) {
  const act = async () => {
    if (Date.parse(await closingTime(part.dataset.closing)) > now()) await renew(part);
  };
  whenPassed(part.querySelector("[data-until]").dataset.until, act, new AbortController().signal);
}

async function renew(part) {
  const answer = await fetch(location.href, { cache: "no-cache" });
  const renewed = new DOMParser().parseFromString(await answer.text(), "text/html").querySelector("[data-closing]");
  if (!renewed) return;
  const [before, after] = [part, renewed].map((one) => one.querySelector("[data-countdown]"));
  before.dateTime = after.dateTime;
  after.replaceWith(before); // live.js counts the one that it knows
  part.replaceWith(renewed);
  localise(renewed);
  awaitClose(renewed);
}

for (const part of document.querySelectorAll("[data-closing]")) awaitClose(part);
