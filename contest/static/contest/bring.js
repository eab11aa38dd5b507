// Look at what is to be sent before it is sent: a file that is too large is not carried up in vain, and nothing typed
// beside it is lost.

for (const form of document.querySelectorAll("form[data-most-bytes]")) {
  const most = Number(form.dataset.mostBytes);
  const says = form.querySelector("[data-too-large]");
  const number = new Intl.NumberFormat(document.documentElement.lang);
  form.addEventListener("submit", (event) => {
    const file = form.querySelector("input[type=file]").files[0];
    const typed = [...form.querySelectorAll("textarea")].map(({ value }) => new Blob([value]).size);
    const size = Math.max(file?.size ?? 0, ...typed);
    says.hidden = size <= most;
    if (size <= most) return;
    event.preventDefault();
    says.textContent = says.dataset.tooLarge.replace("%(size)s", number.format(size)).replace("%(most)s", number.format(most));
    says.focus();
  });
}
