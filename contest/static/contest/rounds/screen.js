// The projector view: one ranking at a time and the next after some seconds, unless somebody has paused it.

const stage = document.querySelector("main");
const bar = document.querySelector(".turning");
const buttons = Object.fromEntries([...bar.querySelectorAll("[data-act]")].map((button) => [button.dataset.act, button]));
const seconds = Number(stage.dataset.seconds);
let at = 0;
let isPaused = false;
let timer = 0;

const slides = () => [...stage.querySelectorAll(".slide")];

function show() {
  const all = slides();
  at = (at + all.length) % Math.max(1, all.length);
  all.forEach((slide, place) => { slide.hidden = place !== at; });
  bar.querySelector(".at").textContent = bar.dataset.of.replace("{page}", at + 1).replace("{pages}", all.length);
  buttons.pause.textContent = isPaused ? `▶ ${bar.dataset.on}` : `❚❚ ${bar.dataset.pause}`;
  // What turns by itself is not read aloud at every turn; what somebody turns is.
  stage.setAttribute("aria-live", isPaused ? "polite" : "off");
}

function plan() {
  clearTimeout(timer);
  if (!isPaused && !document.hidden) timer = setTimeout(() => turn(1), 1000 * seconds);
}

function turn(by) {
  at += by;
  show();
  plan();
}

const acts = {
  back: () => turn(-1),
  next: () => turn(1),
  pause: () => {
    isPaused = !isPaused;
    stage.dispatchEvent(new CustomEvent("live:pause", { detail: isPaused }));
    show();
    plan();
  },
  full: () => (document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen()),
};
const keys = { ArrowLeft: "back", ArrowRight: "next", PageUp: "back", PageDown: "next", " ": "pause", f: "full", F: "full" };

for (const [name, button] of Object.entries(buttons)) button.addEventListener("click", acts[name]);
addEventListener("keydown", (event) => {
  const name = keys[event.key];
  const isOwn = event.key === " " && event.target.matches("button, a"); // it presses that one
  if (!name || isOwn || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  acts[name]();
});
document.addEventListener("visibilitychange", plan);
stage.addEventListener("live:renewed", show);
buttons.full.hidden = !document.fullscreenEnabled;
bar.hidden = false;
show();
plan();
