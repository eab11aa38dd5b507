// While a worker is busy with a collection, ask how far it is, and show its levels when it is done.

const EVERY = 1500; // milliseconds
let shown = document.querySelector("[data-progress]");

async function ask() {
  if (document.visibilityState === "visible") {
    try {
      const answer = await fetch(`${location.pathname}?part=progress`, { headers: { Accept: "text/html" } });
      if (answer.ok) take(new DOMParser().parseFromString(await answer.text(), "text/html"));
    } catch {
      // No network for a moment: the next question may be answered.
    }
  }
  if (shown.hasAttribute("data-busy")) setTimeout(ask, EVERY);
  else location.reload();
}

function take(page) {
  const fresh = page.querySelector("[data-progress]");
  if (!fresh) return;
  shown.replaceWith(fresh);
  shown = fresh;
}

if (shown?.hasAttribute("data-busy")) setTimeout(ask, EVERY);
