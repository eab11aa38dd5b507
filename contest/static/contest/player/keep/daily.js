// On which days this browser solved the level of the day. It is kept here alone and never sent; it can be switched off.

const NAME = "leitai.daily";
const MOST = 400; // days that are remembered
const DAY = 86_400_000; // milliseconds

let date; // built when it is first needed: that takes longer than all else here

/** The date at *now*, milliseconds since 1970, in the site's time zone, as 2026-11-22. */
export function today(now) {
  const timeZone = globalThis.document?.querySelector('meta[name="time-zone"]')?.content ?? "Asia/Shanghai";
  date ??= new Intl.DateTimeFormat("sv", { timeZone, dateStyle: "short" }); // Swedish dates are 2026-11-22
  return date.format(now);
}

const dayBefore = (day) => new Date(Date.parse(day) - DAY).toISOString().slice(0, 10);

/** What *storage* keeps: {days, isOff}; nothing where it keeps nothing that can be read. */
export function kept(storage) {
  try {
    const { days, isOff } = JSON.parse(storage.getItem(NAME));
    return { days: Array.isArray(days) ? days : [], isOff: Boolean(isOff) };
  } catch {
    return { days: [], isOff: false };
  }
}

function write(storage, what) {
  try {
    storage.setItem(NAME, JSON.stringify(what));
  } catch {
    // Nothing is lost but the count.
  }
}

/** Remember that the level of *day* was solved at *now*: a page that was opened on another day counts for none. */
export function solvedOn(storage, day, now) {
  const { days, isOff } = kept(storage);
  if (isOff || day !== today(now) || days.includes(day)) return;
  write(storage, { days: [...days, day].slice(-MOST), isOff });
}

/** Switch the counting on or off; switched off, the days are forgotten. */
export function switchOff(storage, isOff) {
  write(storage, { days: isOff ? [] : kept(storage).days, isOff });
}

/** How many of *days* lie in a row up to *day*, or up to the day before where *day* is not solved yet. */
export function streak(days, day) {
  const solved = new Set(days);
  let at = solved.has(day) ? day : dayBefore(day);
  let count = 0;
  for (; solved.has(at); at = dayBefore(at)) count += 1;
  return count;
}
