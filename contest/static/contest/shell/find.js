// What the search box finds, below it while somebody types: links, which the arrow keys go through. Esc closes the list.

const WAIT = 150; // milliseconds without a key
const form = document.querySelector(".find");
const field = form?.querySelector("input");
let timer = 0;
let asking = null;
let list = null;

const close = () => {
  asking?.abort();
  list?.remove();
  list = null;
};

async function ask() {
  asking?.abort();
  const text = field.value.trim();
  if (!text) return close();
  asking = new AbortController();
  const address = `${form.action}?${new URLSearchParams({ q: text, part: "1" })}`;
  const answer = await fetch(address, { signal: asking.signal });
  if (!answer.ok || text !== field.value.trim()) return;
  const words = await answer.text();
  list ??= document.createElement("div");
  list.className = "finds";
  list.setAttribute("role", "status");
  list.innerHTML = words; // our own page, as the server wrote it
  if (!list.isConnected) form.append(list);
}

function step(event) {
  if (!list) return;
  const links = [...list.querySelectorAll("a")];
  const here = links.indexOf(document.activeElement);
  if (event.key === "Escape") {
    if (list) event.preventDefault();
    close();
    field.focus();
  } else if (event.key === "ArrowDown" && links.length) {
    event.preventDefault();
    links[Math.min(here + 1, links.length - 1)].focus();
  } else if (event.key === "ArrowUp" && here >= 0) {
    event.preventDefault();
    (links[here - 1] ?? field).focus();
  }
}

if (form) {
  field.addEventListener("input", (event) => {
    clearTimeout(timer);
    if (!event.isComposing) timer = setTimeout(() => ask().catch(() => {}), WAIT); // Enter still leads to the page
  });
  field.addEventListener("compositionend", () => { timer = setTimeout(() => ask().catch(() => {}), WAIT); });
  form.addEventListener("keydown", step);
  form.addEventListener("focusout", (event) => {
    if (!form.contains(event.relatedTarget)) setTimeout(() => { if (!form.contains(document.activeElement)) close(); });
  });
}
