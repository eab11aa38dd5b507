// Moves pasted anywhere on the site, outside its fields, open the page to submit with them in it. The player takes what
// is pasted on its own page.

const KEPT = "leitai.pasted"; // read by player/paste/entry.js
const LEAST = 4; // letters, below which a text is hardly meant as moves
const MOVES = /^[lurd0-9()*,\s]+$/i;
const HEADED = /^\s*(?:best\s+)?(?:solution|answer|lurd|moves|答案)[^\n:：]*[\n:：]\s*[lurd0-9()*]{4}/i;

function isMoves(text) {
  return HEADED.test(text) || (MOVES.test(text) && (text.match(/[lurd]/gi) ?? []).length >= LEAST);
}

const submit = document.querySelector('header a[href$="/submit/"]')?.href;

if (submit && !document.querySelector("[data-player], [data-entry]")) {
  document.addEventListener("paste", (event) => {
    if (event.target.closest?.("input, textarea, select, [contenteditable]")) return;
    const text = event.clipboardData.getData("text/plain");
    if (!isMoves(text)) return;
    event.preventDefault();
    sessionStorage.setItem(KEPT, text);
    location.assign(submit);
  });
}
