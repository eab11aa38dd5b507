// The menu on selected text. It reads the selection of the page one is on, when one asks for it, and nothing else.

import { addressFor, actsFor, fits } from "./acts.js";
import { found } from "./finding.js";
import { handOver, hostKept, keepLevel } from "./keeping.js";

const MENU = ["play", "rebuild", "check", "keep"];

chrome.runtime.onInstalled.addListener(() => {
  chrome.contextMenus.removeAll(() => {
    for (const id of MENU) chrome.contextMenus.create({ id, title: chrome.i18n.getMessage(`menu_${id}`), contexts: ["selection"] });
  });
});

chrome.contextMenus.onClicked.addListener((info, tab) => carryOut(info.menuItemId, tab, info.selectionText));

/** Do *act* with what is selected in *tab*; where that is not possible, show the text and why on a page of our own. */
export async function carryOut(act, tab, fallback = "") {
  const text = await selectionOf(tab, fallback);
  const seen = found(text);
  const address = actsFor(seen).includes(act) ? addressFor(act, seen, await hostKept()) : null;
  if (act === "keep" && seen.level) {
    await keepLevel(seen.level.toString(), tab?.title ?? "");
  } else if (address && fits(address)) {
    await chrome.tabs.create({ url: address });
    return;
  }
  await handOver({ text, wanted: act });
  await chrome.tabs.create({ url: chrome.runtime.getURL("page.html") });
}

/** The selection with its line ends, which the menu's own text has not. */
async function selectionOf(tab, fallback) {
  try {
    const [{ result }] = await chrome.scripting.executeScript({
      target: { tabId: tab.id },
      func: () => {
        const field = document.activeElement;
        const typed = field?.value?.slice?.(field.selectionStart, field.selectionEnd);
        return typed || document.getSelection().toString();
      },
    });
    return result || fallback;
  } catch {
    return fallback; // a page that no extension may read
  }
}

globalThis.carryOut = carryOut; // for the tests: nothing can press the browser's own menu
