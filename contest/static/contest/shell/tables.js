// Tables can be copied into a spreadsheet.

const tools = document.getElementById("table-tools");

const cellText = (cell) => {
  const copy = cell.cloneNode(true);
  for (const extra of copy.querySelectorAll(".arrow, .local, .hidden")) extra.remove();
  return copy.textContent.replace(/\s+/g, " ").trim();
};

const FORMULA = /^(?![+-]?[\d.,%\s]*$)(?=[=+@＝＋－＠-])/; // +5 and -5 are numbers

/** The table as lines with tabs between the cells; a spreadsheet takes no cell for a formula. */
export function tabbed(table) {
  return [...table.rows]
    .map((row) => [...row.cells].map((cell) => cellText(cell).replace(FORMULA, "'")).join("\t"))
    .join("\n");
}

async function copy(text) {
  if (navigator.clipboard) {
    try {
      await navigator.clipboard.writeText(text);
      return;
    } catch {
      // Refused by the browser: try the old way.
    }
  }
  const field = document.createElement("textarea");
  field.value = text;
  document.body.append(field);
  field.select();
  document.execCommand("copy");
  field.remove();
}

function offerCopy(table) {
  const button = tools.content.querySelector("button").cloneNode(true);
  const label = button.textContent;
  button.addEventListener("click", async () => {
    await copy(tabbed(table));
    button.textContent = tools.dataset.done;
    setTimeout(() => { button.textContent = label; }, 2000);
  });
  table.after(button);
}

/** A table whose rows one may want elsewhere, and that has no button yet, gets one. */
function offer(within) {
  for (const table of within.querySelectorAll("table.list")) {
    const rows = table.tBodies[0]?.querySelectorAll("th").length ?? 0;
    if (rows > 1 && !table.nextElementSibling?.matches(".tsv")) offerCopy(table);
  }
}

offer(document);
// Parts of pages renew themselves, tables and all.
for (const part of document.querySelectorAll("[data-live]")) {
  new MutationObserver(() => offer(part)).observe(part, { childList: true, subtree: true });
}
