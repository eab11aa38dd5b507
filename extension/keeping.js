// What is kept, in this browser alone: the site's address, and the levels that were kept.

import { DEFAULT_HOST } from "./acts.js";

const MOST = 200;

export async function hostKept() {
  const { host } = await chrome.storage.local.get({ host: DEFAULT_HOST });
  return host;
}

export function keepHost(host) {
  return chrome.storage.local.set({ host });
}

/** The levels kept, newest first: {text, from}. */
export async function levelsKept() {
  const { levels } = await chrome.storage.local.get({ levels: [] });
  return levels;
}

/** Keep *text*, found on the page called *from*; the same level once. */
export async function keepLevel(text, from) {
  const others = (await levelsKept()).filter((level) => level.text !== text);
  await chrome.storage.local.set({ levels: [{ text, from }, ...others].slice(0, MOST) });
}

export async function dropLevel(text) {
  await chrome.storage.local.set({ levels: (await levelsKept()).filter((level) => level.text !== text) });
}

/** The text that waits to be shown on the extension's page, once. */
export async function textHandedOver() {
  const { handed } = await chrome.storage.session.get({ handed: null });
  await chrome.storage.session.remove("handed");
  return handed;
}

export function handOver(handed) {
  return chrome.storage.session.set({ handed });
}
