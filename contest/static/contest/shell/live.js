// Times in the reader's zone, and countdowns by the server's clock.

import { now } from "./server-clock.js";

const language = document.documentElement.lang;

// Formats take longer to build than all else here, so pages without times build none.
const formats = new Map();
const format = (name, build) => formats.get(name) ?? formats.set(name, build()).get(name);

// Also for what comes into the page later (live-parts.js).
export function localise(root) {
  const times = root.querySelectorAll("time[data-local]");
  if (!times.length) return;
  const local = format("local", () => new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" }));
  const zone = local.resolvedOptions().timeZone;
  const siteZone = document.querySelector('meta[name="time-zone"]')?.content; // absent: Beijing
  const isSiteZone = (siteZone ? [siteZone] : ["Asia/Shanghai", "Asia/Chongqing", "PRC"]).includes(zone);
  for (const time of times) {
    const words = local.format(new Date(time.dateTime));
    time.title = `${words} (${zone})`;
    if (isSiteZone || time.closest("td")) continue;
    const beside = document.createElement("span");
    beside.className = "local";
    beside.textContent = words;
    time.after(" ", beside);
  }
}

localise(document);

const inDays = () => new Intl.NumberFormat(language, { style: "unit", unit: "day", unitDisplay: "narrow" });

function left(seconds) {
  const days = Math.floor(seconds / 86400);
  const clock = [seconds / 3600 % 24, seconds / 60 % 60, seconds % 60];
  const digits = clock.map((part) => String(Math.floor(part)).padStart(2, "0")).join(":");
  return days ? `${format("days", inDays).format(days)} ${digits}` : digits;
}

const HOUR = 3600;
let countdowns = [];
let title = "";
let timer = 0;

function tick() {
  let soonest = Infinity;
  for (const time of countdowns) {
    const seconds = Math.ceil((Date.parse(time.dateTime) - now()) / 1000);
    time.textContent = seconds > 0 ? left(seconds) : time.dataset.over;
    if (seconds > 0) soonest = Math.min(soonest, seconds);
  }
  turn();
  // In the last hour one watches the clock from another tab.
  const shown = soonest <= HOUR ? `${left(soonest).replace(/^00:/, "")} · ${title}` : title;
  if (document.title !== shown) document.title = shown;
}

/** Show what belongs to the time before an instant until then, and what belongs to the time after it from then on. */
function turn() {
  for (const part of document.querySelectorAll("[data-until]")) part.hidden = Date.parse(part.dataset.until) <= now();
  for (const part of document.querySelectorAll("[data-from]")) part.hidden = Date.parse(part.dataset.from) > now();
}

function begin() {
  countdowns = [...document.querySelectorAll("time[data-countdown]")];
  title = document.title;
  clearInterval(timer);
  if (!countdowns.length) return;
  tick();
  timer = setInterval(tick, 1000);
}

begin();
// The player puts another level into the page.
document.addEventListener("page:replaced", () => {
  localise(document.querySelector("main"));
  begin();
});
