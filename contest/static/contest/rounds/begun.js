// Fills the row of levels that were begun in this browser and are not solved yet.

import { begun } from "../player/keep/begun.js";
import { storage } from "../player/keep/settings.js";

const MOST = 3;

const row = document.querySelector("[data-begun]");
const [language] = location.pathname.split("/").filter(Boolean);
const links = begun(storage()).slice(0, MOST).map(({ path, name }) => {
  const link = document.createElement("a");
  link.href = `/${language}${path}`;
  link.textContent = name;
  return link;
});
row.querySelector("[data-levels]").replaceChildren(...links.flatMap((link, place) => (place ? [" · ", link] : [link])));
row.hidden = links.length === 0;
