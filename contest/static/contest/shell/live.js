// Times in the reader's zone, and countdowns by the server's clock.

const language = document.documentElement.lang;
const stamp = document.querySelector('meta[name="server-time"]');
const ahead = stamp ? Date.parse(stamp.content) - Date.now() : 0; // what the reader's clock is behind
const now = () => Date.now() + ahead;

const local = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" });
const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
const siteZone = document.querySelector('meta[name="time-zone"]')?.content; // absent: Beijing
const isSiteZone = (siteZone ? [siteZone] : ["Asia/Shanghai", "Asia/Chongqing", "PRC"]).includes(zone);

// Also for what comes into the page later (live-parts.js).
export function localise(root) {
  for (const time of root.querySelectorAll("time[data-local]")) {
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

const countdowns = [...document.querySelectorAll("time[data-countdown]")];
const unit = (name, value) =>
  new Intl.NumberFormat(language, { style: "unit", unit: name, unitDisplay: "narrow" }).format(value);

function left(seconds) {
  const days = Math.floor(seconds / 86400);
  const clock = [seconds / 3600 % 24, seconds / 60 % 60, seconds % 60];
  const digits = clock.map((part) => String(Math.floor(part)).padStart(2, "0")).join(":");
  return days ? `${unit("day", days)} ${digits}` : digits;
}

const HOUR = 3600;
const title = document.title;

function tick() {
  let soonest = Infinity;
  for (const time of countdowns) {
    const seconds = Math.ceil((Date.parse(time.dateTime) - now()) / 1000);
    time.textContent = seconds > 0 ? left(seconds) : time.dataset.over;
    if (seconds > 0) soonest = Math.min(soonest, seconds);
  }
  // In the last hour one watches the clock from another tab.
  const shown = soonest <= HOUR ? `${left(soonest).replace(/^00:/, "")} · ${title}` : title;
  if (document.title !== shown) document.title = shown;
}

if (countdowns.length) {
  tick();
  setInterval(tick, 1000);
}
