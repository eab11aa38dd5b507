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
  film.replaceChildren(...new DOMParser().parseFromString(html, "text/html").body.childNodes);
}

setTimeout(ask, EVERY_MS);
