// Parts of the page that keep up to date: asked for by their ETag while the page is seen, and never while it is hidden.

import { localise } from "./live.js";
import { mark } from "./visits.js";

const LONGEST = 300; // seconds between two questions, however often there was no answer
const ago = new Intl.RelativeTimeFormat(document.documentElement.lang, { numeric: "always" });

for (const element of document.querySelectorAll("[data-live]")) keepUp(element);

function keepUp(element) {
  const words = element.dataset;
  const state = document.createElement("p");
  const said = document.createElement("span");
  const button = document.createElement("button");
  let etag = words.etag;
  let every = Number(words.every);
  let wait = every;
  let answeredAt = Date.now();
  let dueAt = Date.now() + 1000 * wait;
  let timer = 0;
  let isPaused = false;
  let isAsking = false;

  state.className = "live-state";
  button.type = "button";
  button.addEventListener("click", () => {
    isPaused = !isPaused;
    plan(isPaused ? wait : 0);
    show();
  });
  state.append(said);
  if (!("quiet" in words)) state.append(" ", button); // else the page has a button of its own
  element.addEventListener("live:pause", (event) => {
    isPaused = event.detail;
    plan(isPaused ? wait : 0);
    show();
  });
  element.before(state);
  document.addEventListener("visibilitychange", () => plan(Math.max(0, (dueAt - Date.now()) / 1000)));
  const clock = setInterval(show, 1000);
  plan(wait);
  show();

  // Ask in so many seconds, unless nobody would see the answer.
  function plan(seconds) {
    clearTimeout(timer);
    dueAt = Date.now() + 1000 * seconds;
    if (every && !isPaused && !document.hidden) timer = setTimeout(ask, 1000 * seconds);
  }

  async function ask() {
    if (isAsking) return;
    if (isInUse(element)) {
      plan(2);
      return;
    }
    isAsking = true;
    try {
      const answer = await fetch(words.live, { headers: { "If-None-Match": etag }, cache: "no-store" });
      if (answer.status === 404) end();
      else if (answer.ok || answer.status === 304) await take(answer);
      else fail(seconds(answer.headers.get("Retry-After")));
    } catch {
      fail(0);
    } finally {
      isAsking = false;
    }
    plan(wait);
    show();
  }

  async function take(answer) {
    if (answer.status === 200) {
      renew(element, await answer.text());
      etag = answer.headers.get("ETag") ?? "";
    }
    answeredAt = Date.now();
    every = Number(answer.headers.get("Live-Every") ?? every);
    wait = every;
    delete state.dataset.trouble;
    if (!every) end();
  }

  // Whoever gets no answer asks less and less often, and never sooner than the server says.
  function fail(atLeast) {
    wait = Math.max(atLeast, Math.min(LONGEST, 2 * wait));
    state.dataset.trouble = "";
  }

  function end() {
    every = 0;
    clearInterval(clock);
    button.hidden = true;
    said.textContent = words.over;
  }

  function show() {
    if (!every || document.hidden) return;
    button.textContent = isPaused ? words.on : words.pause;
    if (isPaused) said.textContent = words.paused;
    else if ("trouble" in state.dataset) said.textContent = words.trouble.replace("{time}", relative(dueAt));
    else said.textContent = words.updated.replace("{time}", relative(answeredAt));
  }
}

function relative(at) {
  const span = Math.round((at - Date.now()) / 1000);
  const passed = span > 0 ? span : -Math.abs(span); // minus nought seconds is "0 seconds ago"
  return Math.abs(passed) < 90 ? ago.format(passed, "second") : ago.format(Math.round(passed / 60), "minute");
}

function seconds(retryAfter) {
  if (!retryAfter) return 0;
  return /^\d+$/.test(retryAfter) ? Number(retryAfter) : Math.max(0, (Date.parse(retryAfter) - Date.now()) / 1000) || 0;
}

// Whether somebody is writing in it, or has marked some of its text.
function isInUse(element) {
  const focused = document.activeElement;
  if (element.contains(focused) && focused.matches("input, select, textarea")) return true;
  const marked = getSelection();
  return Boolean(marked && !marked.isCollapsed && element.contains(marked.anchorNode));
}

// Put the new content in, and leave the reader where they were: their focus, their place, what they had unfolded.
function renew(element, html) {
  const known = new Set([...element.querySelectorAll("[data-row]")].map(nameOf));
  const focused = element.contains(document.activeElement) ? document.activeElement : null;
  const focus = focused && { row: nameOf(focused.closest("[data-row]")), href: focused.getAttribute("href"), label: focused.getAttribute("aria-label") };
  const anchor = [...element.querySelectorAll("[data-row]")].find((row) => row.getBoundingClientRect().top >= 0);
  const place = anchor && { row: nameOf(anchor), top: anchor.getBoundingClientRect().top };
  const scrolled = [...element.querySelectorAll(".scroll")].map((box) => box.scrollLeft);
  const unfolded = [...element.querySelectorAll("details")].map((details) => details.open);
  const above = element.getBoundingClientRect().top < 0;

  const holder = document.createElement("template");
  holder.innerHTML = html;
  element.replaceChildren(holder.content);

  [...element.querySelectorAll(".scroll")].forEach((box, index) => { box.scrollLeft = scrolled[index] ?? 0; });
  [...element.querySelectorAll("details")].forEach((details, index) => { details.open = unfolded[index] ?? details.open; });
  localise(element);
  mark(element);
  for (const row of element.querySelectorAll("[data-row]")) if (!known.has(nameOf(row))) row.classList.add("fresh");
  if (above && place) {
    const now = find(element, place.row);
    if (now) scrollBy(0, now.getBoundingClientRect().top - place.top);
  }
  if (focus) refocus(element, focus);
  element.dispatchEvent(new Event("live:renewed"));
}

// A row is known by its table and its own name: a player may stand in two tables.
function nameOf(row) {
  return row ? `${row.closest("table")?.dataset.visits ?? ""} ${row.dataset.row}` : "";
}

function find(element, name) {
  return [...element.querySelectorAll("[data-row]")].find((row) => nameOf(row) === name);
}

function refocus(element, { row, href, label }) {
  const within = find(element, row) ?? element;
  const again = href
    ? [...within.querySelectorAll("a[href]")].find((link) => link.getAttribute("href") === href)
    : [...within.querySelectorAll("[tabindex], button, summary")].find((one) => one.getAttribute("aria-label") === label);
  again?.focus({ preventScroll: true });
}
