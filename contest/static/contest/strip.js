// A strip of tabs that is wider than the screen begins with the open one in view.

for (const open of document.querySelectorAll(".strip [aria-current]")) {
  const strip = open.parentElement;
  strip.scrollLeft = open.offsetLeft - strip.offsetLeft - (strip.clientWidth - open.offsetWidth) / 2;
}
