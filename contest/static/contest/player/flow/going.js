// Puts another level into the page without loading the page again. Its address, title and everything beside the board
// are those of its own page, which is fetched; where that does not come, the browser opens it as any link.

const NAMES = "link[rel=canonical], link[rel=alternate][hreflang], [hreflang]:not(link)"; // with the level's own address

export class Going {
  #leave;
  #start;
  #fetched = new Map(); // the pages on their way, by address
  #here = location.pathname;
  #isGoing = false;

  /** *leave* ends the game on the level that is shown, *start* begins one on the level of the new page. */
  constructor(leave, start) {
    this.#leave = leave;
    this.#start = start;
    window.addEventListener("popstate", () => {
      if (location.pathname !== this.#here) this.go(location.pathname + location.search, { isBack: true });
    });
    document.addEventListener("click", (event) => this.#follow(event));
  }

  /** Fetch the page at *address* so that it is there when it is wanted. */
  prefetch(address) {
    if (!this.#fetched.has(address)) this.#fetched.set(address, fetchPage(address));
  }

  /** Show the level at *address*. */
  async go(address, { isBack = false } = {}) {
    if (this.#isGoing) return;
    this.#isGoing = true;
    this.prefetch(address);
    const page = await this.#fetched.get(address);
    this.#fetched.clear(); // what is gone back to is fetched again
    this.#isGoing = false;
    if (!page) {
      location.assign(address);
      return;
    }
    this.#leave();
    if (!isBack) history.pushState(null, "", address);
    this.#here = location.pathname;
    put(page);
    await this.#start();
  }

  #follow(event) {
    const link = event.target.closest?.("a[data-next], .neighbours a");
    const isPlain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey;
    if (!link || !isPlain || event.defaultPrevented) return;
    event.preventDefault();
    this.go(link.getAttribute("href"));
  }
}

/** The page at *address* as a document, or null where there is none with a board. */
async function fetchPage(address) {
  try {
    const answer = await fetch(address, { headers: { Accept: "text/html" } });
    if (!answer.ok || answer.redirected) return null;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    return page.querySelector("main [data-player]") && page;
  } catch {
    return null;
  }
}

function put(page) {
  document.title = page.title;
  const own = document.querySelectorAll(NAMES);
  const others = page.querySelectorAll(NAMES);
  if (own.length === others.length) own.forEach((link, place) => { link.href = others[place].href; });
  document.querySelector("main").replaceChildren(...page.querySelector("main").childNodes);
  document.dispatchEvent(new Event("page:replaced"));
  scrollTo(0, 0);
}
