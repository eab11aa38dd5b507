// The second click of a double click does not send a form again. Another button of the form sends it at once.

const PAUSE = 2000; // milliseconds
const sent = new WeakMap();

document.addEventListener("submit", (event) => {
  const by = event.submitter ?? event.target;
  if (event.defaultPrevented || event.target.getAttribute("method") !== "post") return;
  if (event.timeStamp - sent.get(by) < PAUSE) event.preventDefault();
  else sent.set(by, event.timeStamp);
});
