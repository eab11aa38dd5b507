// In the admin, each level of a round is drawn while it is typed, by the reader that will save it.

const PAUSE = 400; // milliseconds after the last key
const form = document.querySelector("[data-drawing]")?.closest("form");
const { drawing: address } = document.querySelector("[data-drawing]")?.dataset ?? {};
const waiting = new Map();

async function draw(level) {
  const [text, solution] = ["text", "solution"].map((name) => level.querySelector(`textarea[name$="-${name}"]`));
  const body = new FormData();
  for (const [name, field] of Object.entries({ text, solution })) body.set(name, field?.value ?? "");
  body.set("csrfmiddlewaretoken", form.elements.csrfmiddlewaretoken.value);
  const sent = text.value + "\0" + solution.value;
  try {
    const answer = await fetch(address, { method: "POST", body });
    if (answer.ok && sent === text.value + "\0" + solution.value) place(level).innerHTML = await answer.text();
  } catch {
    // No network for a moment: saving checks the same.
  }
}

function place(level) {
  const shown = level.querySelector(".field-preview .readonly") ?? level;
  shown.classList.add("level-drawing");
  return shown;
}

form?.addEventListener("input", ({ target }) => {
  const level = target.closest?.(".inline-related");
  if (!level || !target.matches("textarea.board-text")) return;
  clearTimeout(waiting.get(level));
  waiting.set(level, setTimeout(draw, PAUSE, level));
});
