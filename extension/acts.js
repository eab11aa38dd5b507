// What can be done with what was found, and the address on the site where it is done. Nothing is sent before a person
// asks for it; a level and moves to be checked stand behind a #, which no browser sends.

export const DEFAULT_HOST = "http://127.0.0.1:8000";
const LONGEST_ADDRESS = 2_000;

/** The acts that *found* allows, in the order in which they are offered. */
export function actsFor({ level, moves }) {
  const acts = [];
  if (level) acts.push("play");
  if (moves && level) acts.push("check");
  if (moves && !level) acts.push("rebuild", "submit");
  if (level) acts.push("keep");
  return acts;
}

/** The address at which *act* is done with *found* on the site at *host*; null for what is done here. */
export function addressFor(act, { level, moves }, host) {
  const site = host.replace(/\/+$/, "");
  if (act === "play") return playing(level, site);
  if (act === "check") return `${site}/check/#${new URLSearchParams({ level: level.toString().replaceAll("\n", "|"), moves })}`;
  if (act === "rebuild") return `${site}/lurd2xsb/${moves}`;
  if (act === "submit") return `${site}/submit/#${new URLSearchParams({ moves })}`;
  return null;
}

/** A page that plays at once, or the editor for a level too large for an address that is sent. */
function playing(level, site) {
  const address = `${site}/sokoplayer/?${level.sokoPlayerQuery}`;
  return address.length <= LONGEST_ADDRESS ? address : `${site}/editor/#level=${level.compactText}`;
}

/** Whether moves of this length fit into an address that is sent. */
export function fits(address) {
  return address.length <= LONGEST_ADDRESS || address.includes("/#");
}

/** The site's address as somebody typed it, or null where it is none. */
export function readHost(text) {
  try {
    const { protocol, origin } = new URL(text.includes("://") ? text : `https://${text}`);
    return ["http:", "https:"].includes(protocol) ? origin : null;
  } catch {
    return null;
  }
}
