// How much is new, at the bell. Browsers keep the answer for a minute; the page of the news itself asks anew.

const bell = document.querySelector("[data-bell]");
const isTold = bell?.hasAttribute("aria-current");

async function ask() {
  const answer = await fetch(bell.dataset.bell, { cache: isTold ? "reload" : "default" });
  if (!answer.ok) return;
  const { count } = await answer.json();
  if (!count) return;
  const badge = document.createElement("b");
  badge.textContent = count > 99 ? "99+" : String(count);
  bell.append(badge);
}

if (bell) ask().catch(() => {}); // without an answer the bell leads to the news all the same
