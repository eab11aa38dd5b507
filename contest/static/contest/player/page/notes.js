// What the player writes about a level; it stays in this browser.

/** Fill *field* with the notes that *store* has, and keep what is written; *warning* shows where it cannot be kept. */
export function startNotes(field, store, warning) {
  field.value = store.notes;
  field.addEventListener("input", () => {
    warning.hidden = store.saveNotes(field.value);
  });
}
