// The tabs beside the board, where a page is wide enough for them; elsewhere they are in the menu, without what has a
// place of its own there.

const MOVES = new Map([["ArrowLeft", -1], ["ArrowRight", 1]]);

/** The place that *code* leads to from the tab at *place* of *count*; null where the key means nothing to tabs. */
export function placeAfter(code, place, count) {
  if (code === "Home") return 0;
  if (code === "End") return count - 1;
  return MOVES.has(code) ? (place + MOVES.get(code) + count) % count : null;
}

/** Let the tabs in *beside* choose their panels by mouse and keys; only while *wide*, a media query, all are to be seen. */
export function startTabs(beside, wide, signal) {
  const all = [...beside.querySelectorAll("[role=tab]")];
  const seen = () => all.filter((tab) => wide.matches || !tab.hasAttribute("data-only-beside"));
  const choose = (chosen) => {
    for (const tab of all) {
      const isChosen = tab === chosen;
      tab.ariaSelected = String(isChosen);
      tab.tabIndex = isChosen ? 0 : -1;
      panelOf(tab).hidden = !isChosen;
    }
  };
  for (const tab of all) {
    tab.addEventListener("click", () => choose(tab));
    tab.addEventListener("keydown", (event) => {
      const isPlain = !event.ctrlKey && !event.altKey && !event.shiftKey && !event.metaKey;
      const tabs = seen();
      const place = isPlain ? placeAfter(event.code, tabs.indexOf(tab), tabs.length) : null;
      if (place === null) return;
      event.preventDefault();
      event.stopPropagation(); // on a tab they are not the game's
      choose(tabs[place]);
      tabs[place].focus();
    });
  }
  wide.addEventListener("change", () => {
    if (!seen().some((tab) => tab.ariaSelected === "true")) choose(all[0]);
  }, { signal });
}

const panelOf = (tab) => document.getElementById(tab.getAttribute("aria-controls"));

/** Bring what goes beside the board to its panel while *wide*, a media query, holds; put it back when it does not. */
export function gather(root, wide, signal) {
  const parts = [...root.querySelectorAll("[data-goes-beside]")].map((part) => {
    const mark = document.createComment("");
    part.before(mark);
    return { part, mark, panel: root.querySelector(`#beside-${part.dataset.goesBeside}`) };
  });
  const place = () => {
    for (const { part, mark, panel } of parts) wide.matches ? panel.append(part) : mark.after(part);
  };
  wide.addEventListener("change", place, { signal });
  place();
}
