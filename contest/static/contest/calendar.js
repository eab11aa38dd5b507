// A round is dragged to another week by its handle; that fills in the form, which shows what the move would change.

const form = document.querySelector("#move form");
let aim = null; // the week under the pointer

function mark(week) {
  aim?.classList.remove("aim");
  aim = week;
  aim?.classList.add("aim");
}

// The same day of the week and the same hour, in the site's zone whatever the reader's is.
function inWeek(opens, from, to) {
  const moved = Date.parse(`${opens}Z`) + Date.parse(to) - Date.parse(from);
  return new Date(moved).toISOString().slice(0, 16);
}

function addHandle(entry) {
  const handle = document.createElement("span");
  const from = entry.closest("[data-week]");
  handle.className = "handle";
  handle.textContent = "⠿";
  handle.ariaHidden = "true"; // who cannot point has the link beside it
  const move = (event) =>
    mark(document.elementFromPoint(event.clientX, event.clientY)?.closest("[data-week]") ?? null);
  handle.addEventListener("pointerdown", (event) => {
    event.preventDefault();
    handle.setPointerCapture(event.pointerId);
    entry.classList.add("dragged");
    handle.addEventListener("pointermove", move);
  });
  handle.addEventListener("pointercancel", () => mark(null));
  handle.addEventListener("lostpointercapture", () => {
    handle.removeEventListener("pointermove", move);
    entry.classList.remove("dragged");
    const week = aim;
    mark(null);
    if (!week || week === from) return;
    form.elements.round.value = entry.dataset.round;
    form.elements.opens_at.value = inWeek(entry.dataset.opens, from.dataset.week, week.dataset.week);
    form.requestSubmit(form.querySelector("[value=look]"));
  });
  entry.append(handle);
}

if (form) for (const entry of document.querySelectorAll("[data-round]")) addHandle(entry);
