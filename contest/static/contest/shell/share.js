// Shares a sentence with an address: by the system's ways of sharing or, where there are none, by the clipboard.

import { copyPicture } from "./bricks.js";

/** Share *text* with *url*; return whether both were copied instead. */
export async function share(text, url) {
  try {
    if (navigator.share) await navigator.share({ text, url });
    else await navigator.clipboard.writeText(`${text} ${url}`);
    return !navigator.share;
  } catch {
    return false; // called off, or forbidden: nothing was shared, and nothing is lost
  }
}

/** Show the buttons in *root* that share a result or copy it as a picture of bricks. */
export function offerSharing(root) {
  for (const button of root.querySelectorAll("[data-bricks]")) {
    const { bricks, numbers, url, done, ...words } = button.dataset;
    button.hidden = !navigator.clipboard;
    button.addEventListener("click", async () => {
      const { title, ...result } = JSON.parse(bricks);
      await copyPicture(result, { title, url: new URL(url, location.href).href, numbers, words });
      button.textContent = done;
    });
  }
  for (const button of root.querySelectorAll("[data-shares]")) {
    button.hidden = !(navigator.share || navigator.clipboard);
    button.addEventListener("click", async () => {
      const { shares, url, done } = button.dataset;
      if (await share(shares, new URL(url, location.href).href)) button.textContent = done;
    });
  }
}

offerSharing(document);
