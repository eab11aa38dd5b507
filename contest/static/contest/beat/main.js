// A race against a solution, which a link brings behind its # or names as a public replay: a ghost on the board and the
// counts to beat. And the link that the player makes of a solution. The player's page loads this script when it is wanted.

import { Playback } from "../player/play/playback.js";
import { replay } from "../player/rules/game.js";
import { Overlay } from "../replay/overlay.js";
import { share } from "../shell/share.js";
import { asLink, compare, solutionIn } from "./link.js";

async function race(table) {
  const { hash } = location;
  history.replaceState(null, "", location.pathname + location.search); // a reload goes on with the game
  const result = await solutionOf(table.level, hash);
  if (!result) {
    table.say("noRace");
    return;
  }
  const { moves, pushes } = result;
  const ghost = new Playback(table.level, result.lurd);
  const overlay = overlayOf(table);
  let isOn = true;
  const sign = signOf(table, { moves, pushes }, () => {
    isOn = false;
    show();
  });
  const show = () => {
    const { play, lines } = table;
    overlay.showGhost(isOn && !lines.isBackward ? ghost.seek(play.position.moves) : null);
    const card = table.find("[data-race]");
    card.hidden = !isOn || !play.isSolved;
    const { isBeaten, words } = compare(play.position, result);
    if (!card.hidden) card.textContent = table.words(words, { moves, pushes });
    table.root.classList.toggle("beaten", !card.hidden && isBeaten);
  };
  table.find("div.over").prepend(sign);
  table.onChange(show);
  show();
}

/** The solution that *hash* brings or names, replayed; null where it solves nothing or does not arrive. */
async function solutionOf(level, hash) {
  const { round, number, letters } = solutionIn(hash);
  try {
    const answer = round && (await fetch(`/rounds/${round}/replays/${number}.txt`));
    if (answer && !answer.ok) return null;
    const result = replay(level, { steps: answer ? await answer.text() : letters, indexOf: () => null });
    return result.verdict === "solved" ? result : null;
  } catch {
    return null;
  }
}

function overlayOf({ frame, view }) {
  const canvases = ["under", "over"].map((name) => Object.assign(document.createElement("canvas"), { className: name, ariaHidden: "true" }));
  frame.append(...canvases);
  const overlay = new Overlay(frame, view);
  for (const canvas of canvases) canvas.className = ""; // the page has another part of this name
  view.onPaint = () => overlay.paint();
  overlay.paint();
  return overlay;
}

/** The line that says what is to be beaten, with a button that ends the race. */
function signOf(table, counts, end) {
  const sign = document.createElement("p");
  sign.className = "notice race";
  const button = document.createElement("button");
  button.type = "button";
  button.className = "link";
  button.textContent = table.words("endRace");
  button.addEventListener("click", () => {
    end();
    sign.remove();
    table.focus();
  });
  sign.append(table.words("toBeat", counts), " ", button);
  return sign;
}

/** Share a link with the solution on the board. */
async function challenge(table) {
  const { moves, pushes } = table.play.position;
  const url = asLink(location, table.play.letters);
  const text = table.words("raceText", { name: table.find("[data-name]").textContent, moves, pushes });
  if (!url) table.say("raceTooLong");
  else if (await share(text, url)) table.say("shared");
}

document.addEventListener("beat:race", ({ detail }) => race(detail));
document.addEventListener("beat:challenge", ({ detail }) => challenge(detail));
