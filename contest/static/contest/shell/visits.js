// What changed since the reader was last here: arrows beside ranks, a mark on new rows. Kept in this browser alone.

const PREFIX = "leitai:visit:";
const GAP = 10 * 60_000; // a visit is over when nobody has looked for so long
const FORGOTTEN = 90 * 86_400_000;

export function mark(root) {
  for (const table of root.querySelectorAll("table[data-visits]")) markTable(table);
}

// A ranking remembers everybody's rank, of those it does not show too where it says them (data-of-all), and calls nobody
// new then; a list by time only the newest number it has shown.
function markTable(table) {
  const rows = [...table.querySelectorAll("tbody tr[data-row]")];
  const isRanked = rows.some((row) => row.dataset.rank);
  const shown = Object.fromEntries(rows.map((row) => [row.dataset.row, Number(row.dataset.rank)]));
  const seen = isRanked
    ? { ...JSON.parse(table.dataset.ofAll || "{}"), ...shown }
    : { newest: Math.max(0, ...rows.map((row) => Number(row.dataset.row))) };
  const before = remember(table.dataset.visits, seen, "looks" in table.dataset);
  if (!before) return;
  for (const row of rows) {
    if (isRanked) compare(table, row, before[row.dataset.row], Number(row.dataset.rank));
    else if (Number(row.dataset.row) > before.newest) sign(row, "new", "●", table.dataset.new);
  }
}

function compare(table, row, was, rank) {
  if (was === undefined && "ofAll" in table.dataset) return;
  if (was === undefined) sign(row, "new", "●", table.dataset.new);
  else if (was > rank) sign(row, "up", `▲${was - rank}`, table.dataset.up.replace("{count}", was - rank));
  else if (was < rank) sign(row, "down", `▼${rank - was}`, table.dataset.down.replace("{count}", rank - was));
}

function sign(row, kind, text, words) {
  const arrow = document.createElement("span");
  arrow.className = `arrow ${kind}`;
  arrow.setAttribute("role", "img");
  arrow.setAttribute("aria-label", words);
  arrow.title = words;
  arrow.textContent = text;
  row.querySelector("th").append(" ", arrow);
}

// Keep what is seen now, unless this table only looks; return what was seen at the visit before, if there was one.
function remember(name, seen, onlyLooks) {
  const kept = read(name);
  const isNewVisit = kept && Date.now() - kept.at > GAP;
  const before = isNewVisit ? kept.now : kept?.before ?? null;
  if (onlyLooks) return before;
  try {
    localStorage.setItem(PREFIX + name, JSON.stringify({ at: Date.now(), now: { ...kept?.now, ...seen }, before }));
  } catch {
    // No room, or a browser that keeps nothing: then there are no arrows.
  }
  return before;
}

function read(name) {
  try {
    return JSON.parse(localStorage.getItem(PREFIX + name));
  } catch {
    return null;
  }
}

function forget() {
  for (const key of Object.keys(localStorage).filter((key) => key.startsWith(PREFIX))) {
    const kept = read(key.slice(PREFIX.length));
    if (!kept || Date.now() - kept.at > FORGOTTEN) localStorage.removeItem(key);
  }
}

try {
  forget();
} catch {
  // A browser that lets nobody look.
}
mark(document);
