// Levels of a series' queues are dragged by a handle, within a slot or to another; the buttons below do the same.

const form = document.querySelector("form.queues");
let aim = null; // where the dragged row would go: a list, and the row that it would stand before, if any

async function store(row, list) {
  const sent = new FormData(form);
  const rows = [...list.querySelectorAll("li:not(.none)")];
  const place = list.start + rows.indexOf(row);
  const queued = row.querySelector("input[name=queued]").value;
  for (const [name, value] of Object.entries({ do: "move", queued, to: list.dataset.slot, place })) sent.set(name, value);
  // The counts, and where it was refused the old order, are the server's to say.
  await fetch(location.href, { method: "POST", body: sent }).catch(() => null);
  location.reload();
}

function lookFor(row, event) {
  const under = document.elementFromPoint(event.clientX, event.clientY);
  const list = under?.closest("ol[data-slot]");
  const over = under?.closest("ol[data-slot] > li:not(.none)");
  let before = null;
  if (over) {
    const { top, height } = over.getBoundingClientRect();
    before = event.clientY < top + height / 2 ? over : over.nextElementSibling;
  }
  mark(null);
  if (list && over !== row) mark({ list, before });
}

function mark(next) {
  (aim?.before ?? aim?.list)?.classList.remove("aim");
  aim = next;
  (aim?.before ?? aim?.list)?.classList.add("aim");
}

function addHandle(row) {
  const handle = document.createElement("span");
  handle.className = "handle";
  handle.textContent = "⠿";
  handle.ariaHidden = "true"; // who cannot point has the buttons
  const move = (event) => lookFor(row, event);
  handle.addEventListener("pointerdown", (event) => {
    event.preventDefault();
    handle.setPointerCapture(event.pointerId);
    row.classList.add("dragged");
    handle.addEventListener("pointermove", move);
  });
  handle.addEventListener("pointercancel", () => mark(null));
  handle.addEventListener("lostpointercapture", () => {
    handle.removeEventListener("pointermove", move);
    row.classList.remove("dragged");
    const found = aim;
    mark(null);
    if (!found || found.before === row || (!found.before && found.list.lastElementChild === row)) return;
    found.list.insertBefore(row, found.before);
    store(row, found.list);
  });
  row.append(handle);
}

for (const row of form?.querySelectorAll("li:not(.none)") ?? []) addHandle(row);
