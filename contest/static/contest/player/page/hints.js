// Hints in practice: the site's solver answers for the position as it stands (rule 20.4).

const EVERY = 700; // milliseconds between two questions how far it is

export class Hints {
  #player;
  #address;
  #isAsking = false;

  /** *player* has the game and the words; *address* takes questions. */
  constructor(player, address) {
    this.#player = player;
    this.#address = address;
  }

  get acts() {
    return {
      "hint-push": () => this.#ask(({ lurd }) => this.#go(lurd)),
      "hint-still": () => this.#ask(() => this.#player.say("hintSolved")),
    };
  }

  #go(letters) {
    this.#player.shown((play) => play.follow(letters));
    this.#player.say("hintPush", { moves: letters.length });
  }

  /** Ask about the position; *solved* is called where it can still be solved, unless the game has gone on meanwhile. */
  async #ask(solved) {
    if (this.#isAsking) return;
    this.#isAsking = true;
    const { play } = this.#player;
    const asked = play.letters;
    this.#player.say("hintAsking");
    try {
      const answer = await this.#answered(asked);
      if (play.letters !== asked) this.#player.say("hintTooLate");
      else if (answer.answer === "solved") solved(answer);
      else this.#player.say(answer.answer === "unsolvable" ? "hintUnsolvable" : "hintUnknown");
    } catch ({ message }) {
      this.#player.say("hintRefused", { why: message });
    } finally {
      this.#isAsking = false;
    }
  }

  async #answered(moves) {
    const headers = { "Content-Type": "application/json", "Accept-Language": this.#player.root.closest("[lang]").lang };
    let search = await read(await fetch(this.#address, { method: "POST", headers, body: JSON.stringify({ moves }) }));
    const address = new URL(search.url).pathname; // the site may know itself by another name than the reader does
    while (search.state === "queued" || search.state === "running") {
      await new Promise((goOn) => setTimeout(goOn, EVERY));
      search = await read(await fetch(address, { headers }));
    }
    return search;
  }
}

/** The object of an answer. Throw its words where it is a refusal. */
async function read(answer) {
  const body = await answer.json();
  if (!answer.ok) throw new Error(body.errors?.[0]?.detail ?? body.detail ?? "");
  return body;
}
