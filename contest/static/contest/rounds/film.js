// Asks how far an animation is until it is there. Without this script the page reloads itself.

const EVERY_MS = 700;
const film = document.getElementById("film");

async function ask() {
  try {
    const answer = await fetch(`${location.pathname}?fragment=1`, { cache: "no-store" });
    if (answer.ok) show(await answer.text());
  } catch {
    // The network is away; the order stands, so ask again.
  }
  if (film.querySelector("[data-pending]")) setTimeout(ask, EVERY_MS);
}

function show(html) {
  const now = new DOMParser().parseFromString(html, "text/html").body;
  if (!now.querySelector("[data-pending]")) location.reload(); // the whole page knows what to offer with the file
  else film.replaceChildren(...now.childNodes);
}

setTimeout(ask, EVERY_MS);
