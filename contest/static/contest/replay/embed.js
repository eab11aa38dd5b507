// A replay in somebody else's page: the board, a time bar and few buttons.

import { Level } from "../player/rules/level.js";
import { takeOver } from "../player/view/parts.js";
import { speaker } from "../player/view/words.js";
import { actOf } from "./keys.js";
import { Projector } from "./projector.js";
import { load } from "./recording.js";
import { Screen } from "./screen.js";

const SHARE_OF_FRAME = 0.62;

async function start(root) {
  const level = Level.parse(root.dataset.level);
  const words = speaker(root.querySelector("[data-words]").dataset);
  const says = root.querySelector("[data-says]");
  const bar = root.querySelector("[data-time]");
  takeOver(root);
  const screen = new Screen(root.querySelector("[data-board]"), level);
  const size = () => screen.size(SHARE_OF_FRAME);
  size();
  window.addEventListener("resize", size);
  let playback;
  try {
    playback = await load(level, root.dataset.moves);
  } catch {
    says.textContent = words("notLoaded");
    return;
  }
  const showPlaying = () => root.classList.toggle("playing", projector.isPlaying);
  const projector = new Projector(playback, {
    show(at) {
      screen.show(playback.seek(at));
      bar.value = at;
      bar.setAttribute("aria-valuetext", `${at} / ${playback.length}`);
      says.textContent = `${at} / ${playback.length}`;
    },
    stopped: () => showPlaying(),
  });
  const act = (name) => {
    if (name && !projector.act(name)) screen.act(name);
    showPlaying();
  };
  projector.seek(0);
  bar.addEventListener("input", () => projector.seek(Number(bar.value)));
  root.querySelector("[data-speed]").addEventListener("change", ({ target }) => projector.setSpeed(target.value));
  root.addEventListener("click", ({ target }) => act(target.closest("[data-act]")?.dataset.act));
  root.addEventListener("keydown", (event) => {
    if (!event.target.closest("[data-keys]") || event.target.closest("select")) return;
    if (["Enter", "Space"].includes(event.code) && event.target.closest("button")) return;
    const name = actOf(event);
    if (!name) return;
    event.preventDefault();
    act(name);
  });
  document.addEventListener("visibilitychange", () => projector.pause());
  root.dataset.state = "ready";
}

for (const root of document.querySelectorAll("[data-replay]")) start(root);
