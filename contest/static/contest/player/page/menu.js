// On a small screen the board takes all room, and what else there is comes as a sheet over it: all of it, or the branches.
// On any screen the player may take the whole of it, where the browser lets pages.

import { copyPicture } from "../../shell/bricks.js";
import { share } from "../../shell/share.js";

const NOTICES = ".banner, #main > .notice, #main > .error";
const SHEETS = ["menu", "branches"];
const STAYS = /^(play|keep|copy|submit|mark-line|undo|redo|back|forth|previous|next|zoom)/; // acts that leave it open

export class Menu {
  #table;

  constructor(table) {
    this.#table = table;
    this.#name(document.querySelector("h1"));
    const above = [...document.querySelectorAll(".crumbs a")].at(-1);
    if (above) table.find("[data-back]").href = above.href;
    table.root.classList.add("ready");
    if (!table.beside.matches) this.#bringNotices();
    this.#offerWholeScreen();
    table.find(".rest").addEventListener("click", ({ target }) => this.#closeAfter(target.closest("button")));
  }

  get acts() {
    return {
      menu: () => this.#toggle("menu"),
      branches: () => this.#toggle("branches"),
      "close-card": () => this.#table.root.classList.add("card-away"),
      share: () => this.#share(),
      bricks: () => this.#copyBricks(),
      full: () => (document.fullscreenElement ? document.exitFullscreen() : this.#stage.requestFullscreen?.()),
    };
  }

  /** What takes the whole screen: the place of the board, which stays when another level comes. */
  get #stage() {
    return this.#table.root.parentElement;
  }

  get isOpen() {
    return SHEETS.some((sheet) => this.#table.root.classList.contains(`${sheet}-open`));
  }

  /** Open the sheet "menu" or "branches", where there is one. */
  open(wanted) {
    for (const sheet of SHEETS) {
      const isOpen = sheet === wanted;
      this.#table.root.classList.toggle(`${sheet}-open`, isOpen);
      this.#table.find(`.bar [data-act=${sheet}]`).setAttribute("aria-expanded", isOpen);
    }
  }

  close() {
    this.open(null);
  }

  /** Write over the board what the page's *head* calls the level, and by which title. */
  #name(head) {
    const called = head?.querySelector("[data-called]") ?? head?.firstChild;
    this.#table.find("[data-name]").textContent = called?.textContent.trim() ?? "";
    this.#table.find("[data-title]").textContent = head?.querySelector("small")?.textContent ?? "";
  }

  #offerWholeScreen() {
    const { root, signal } = this.#table;
    const buttons = root.querySelectorAll("[data-act=full]");
    for (const button of buttons) button.hidden = !document.fullscreenEnabled;
    const show = () => {
      for (const button of buttons) button.setAttribute("aria-pressed", document.fullscreenElement === this.#stage);
    };
    document.addEventListener("fullscreenchange", show, { signal });
    if (document.fullscreenElement) show();
  }

  /** What the page says above the board is said over it, until it is tapped away or somebody plays. An error stays. */
  #bringNotices() {
    const { frame } = this.#table;
    for (const notice of document.querySelectorAll(NOTICES)) {
      const remove = () => notice.remove();
      notice.addEventListener("click", remove, { once: true });
      this.#table.find(".over").append(notice);
      if (notice.matches(".error")) continue;
      for (const kind of ["keydown", "pointerdown"]) frame.addEventListener(kind, remove, { once: true });
    }
  }

  /** What was pressed in the menu is to be seen on the board. */
  #closeAfter(button) {
    if (button?.closest("form, [role=tablist]")) return;
    if (button && !STAYS.test(button.dataset.act ?? "")) this.close();
  }

  #toggle(sheet) {
    const isOpen = this.#table.root.classList.contains(`${sheet}-open`);
    this.open(isOpen ? null : sheet);
    if (!isOpen && sheet === "branches" && !this.#table.play.branches.all.length) this.#table.say("branchesNone");
  }

  /** Hand the result, without its moves, to the system's ways of sharing; where there are none, to the clipboard. */
  async #share() {
    const { words, play } = this.#table;
    const { moves, pushes } = play.position;
    const text = words("shareText", { name: this.#table.find("[data-name]").textContent, moves, pushes });
    const url = location.href.split("#")[0];
    if (await share(text, url)) this.#table.say("shared");
  }

  /** Copy the result as a picture of bricks, which shows no move. */
  async #copyBricks() {
    const { words, play, facts } = this.#table;
    const title = this.#table.find("[data-name]").textContent;
    const texts = { moves: words("bricksMoves"), pushes: words("bricksPushes"), place: words("bricksPlace") };
    const { moves, pushes } = play.position;
    await copyPicture({ moves, pushes }, { title, url: location.href.split("#")[0], numbers: facts.numbers, words: texts });
    this.#table.say("shared");
  }
}
