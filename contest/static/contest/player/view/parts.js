// The parts of a page that its script takes over.

/** Show what only works with the script, and hide what stands there for who has none. */
export function takeOver(root) {
  for (const part of root.querySelectorAll("[data-scripted]")) part.hidden = false;
  for (const part of root.querySelectorAll("[data-unscripted]")) part.hidden = true;
}
