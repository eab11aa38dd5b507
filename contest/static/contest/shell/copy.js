// Buttons that copy a text field. They are hidden until this script can serve them.

for (const button of document.querySelectorAll("[data-copies]")) {
  const field = document.getElementById(button.dataset.copies);
  const label = button.textContent;
  button.hidden = false;
  button.addEventListener("click", async () => {
    await copy(field);
    button.textContent = button.dataset.done;
    setTimeout(() => { button.textContent = label; }, 2000);
  });
}

// On plain http there is no clipboard object; selecting and copying works everywhere.
async function copy(field) {
  if (navigator.clipboard) {
    try {
      await navigator.clipboard.writeText(field.value);
      return;
    } catch {
      // Refused by the browser: try the old way.
    }
  }
  field.select();
  document.execCommand("copy");
}
