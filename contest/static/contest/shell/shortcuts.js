// Keys for the whole site: what links say in data-key, `/` for the search box, j and k for rows, ? for the list of them.
// They can be switched off there (WCAG 2.1.4), rest while somebody writes, and leave the player's page to the player.

const NAME = "shortcuts";
const WAIT = 1500; // milliseconds between the two keys of a pair
const list = document.getElementById("shortcuts");
let waiting = "";
let timer = 0;

const areOff = () => {
  try {
    return localStorage.getItem(NAME) === "off";
  } catch {
    return false;
  }
};

/** The letter of a key, also under a Chinese input method, which gives no letters. */
export function letter(event) {
  if (event.key === "?" || event.key === "？") return "?";
  if (event.key === "/" || event.key === "、") return "/";
  if (/^[a-z]$/.test(event.key)) return event.key;
  return !event.shiftKey && /^Key[A-Z]$/.test(event.code) ? event.code.slice(3).toLowerCase() : "";
}

const isWriting = (target) =>
  target instanceof Element && Boolean(target.closest("input, select, textarea, [contenteditable], [role=application]"));

function showList() {
  const box = list.querySelector("[data-switch]");
  box.checked = !areOff();
  list.showModal();
}

function goToRow(step) {
  const rows = [...document.querySelectorAll("main table.list tbody tr")].filter((row) => row.querySelector("a"));
  const here = rows.findIndex((row) => row.contains(document.activeElement));
  const row = rows[here < 0 ? (step > 0 ? 0 : rows.length - 1) : here + step];
  if (!row) return false;
  (row.querySelector("th a") ?? row.querySelector("a")).focus();
  row.scrollIntoView({ block: "nearest" });
  return true;
}

function act(key) {
  if (key === "?") return showList(), true;
  if (areOff()) return false;
  if (key === "j" || key === "k") return goToRow(key === "j" ? 1 : -1);
  const pair = waiting ? `${waiting} ${key}` : key;
  waiting = "";
  const link = document.querySelector(`a[data-key="${pair}"]`);
  if (link) return link.click(), true;
  if (key === "/") {
    const box = document.querySelector(".find");
    // Where there is no room for the box, it has a page.
    if (box?.checkVisibility()) box.querySelector("input").focus();
    else if (box) location.assign(box.action);
    return Boolean(box);
  }
  if (key === "g") {
    waiting = key;
    clearTimeout(timer);
    timer = setTimeout(() => { waiting = ""; }, WAIT);
  }
  return false;
}

if (list && !document.querySelector("[data-player]")) {
  document.addEventListener("keydown", (event) => {
    if (event.isComposing || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (list.open || isWriting(event.target)) return;
    const key = letter(event);
    if (key && act(key)) event.preventDefault();
  });
  list.querySelector("[data-switch]").addEventListener("change", (event) => {
    try {
      localStorage.setItem(NAME, event.target.checked ? "on" : "off");
    } catch {
      // A browser that keeps nothing asks again on the next page.
    }
  });
  for (const opener of document.querySelectorAll("[data-shows-shortcuts]")) {
    opener.hidden = false;
    opener.addEventListener("click", showList);
  }
}
