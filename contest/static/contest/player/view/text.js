// Text mode: the whole game by lines of text, for screen readers and for everybody who prefers it. The board is not
// needed for it; what `Commands` answers is written into a log that is read out.

import { Commands } from "../play/commands.js";

const MOST_LINES = 200;

/** Begin text mode in *section*: a form with one field, and a log. *page* answers what the game does not know. */
export function startTextMode(section, play, words, page) {
  const commands = new Commands(play, page);
  const form = section.querySelector("form");
  const field = form.querySelector("input");
  const log = section.querySelector("[role=log]");
  const earlier = [];
  let at = 0;

  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const line = field.value;
    field.value = "";
    if (line.trim()) earlier.push(line);
    at = earlier.length;
    const before = play.position;
    const answer = commands.answer(line);
    if (play.position !== before) page.changed();
    const said = (answer instanceof Promise ? await answer : answer).map(([key, values]) => sentence(key, values));
    write(log, [`> ${line}`, ...said]);
  });
  field.addEventListener("keydown", (event) => {
    if (event.code !== "ArrowUp" && event.code !== "ArrowDown") return;
    event.preventDefault();
    at = Math.min(Math.max(at + (event.code === "ArrowUp" ? -1 : 1), 0), earlier.length);
    field.value = earlier[at] ?? "";
  });

  function sentence(key, values) {
    if (key === "verbatim") return values.text;
    if (key === "textHelp") return `${words(key)} ${Object.values(Commands.names).map((names) => names.join(" / ")).join(", ")}`;
    if (!values.parts) return words(key, values);
    const parts = values.parts.map(({ what, squares }) => `${words(what)} ${squares}`).join(", ");
    return words(key, { ...values, parts });
  }
}

function write(log, lines) {
  const entry = document.createElement("p");
  entry.textContent = lines.join("\n");
  log.append(entry);
  while (log.children.length > MOST_LINES) log.firstChild.remove();
  log.scrollTop = log.scrollHeight;
}
