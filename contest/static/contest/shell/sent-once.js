// The second click of a double click does not send a form again.

const PAUSE = 2000; // milliseconds
const sent = new WeakMap();

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (event.defaultPrevented || form.getAttribute("method") !== "post") return;
  if (event.timeStamp - sent.get(form) < PAUSE) event.preventDefault();
  else sent.set(form, event.timeStamp);
});
