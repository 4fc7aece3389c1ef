// Sends what windows that are gone have left, from any screen: the draft knows its text, and where it belongs.

import { Text } from "../core/codepoints.js";
import { DraftKeep, adopt, draftsOf, isLeft, textOf } from "./drafts.js";
import { Saver } from "./saver.js";
import { aliveWindows, live, windowName } from "./seat.js";

/** Says "change" when something was sent, or could not be. */
export class Courier extends EventTarget {
  #user;
  #savers = [];

  /** @param {string} user */
  constructor(user) {
    super();
    this.#user = user;
  }

  /** Take up what is left and send it. @returns {Promise<void>} when each was sent, or could not be for now */
  async send() {
    await live();
    for (const draft of await this.#leftAndSendable()) {
      const { mine } = await adopt(draft);
      const saver = mine && await this.#saverOf(mine);
      if (saver) this.#savers.push(saver);
    }
    await Promise.all(this.#savers.map((saver) => saver.flush()));
    // She decides on the page itself: it may have them.
    await Promise.all(this.#savers.filter((saver) => saver.isInTrouble).map((saver) => saver.close()));
  }

  /** Try now, not when the pause is over. */
  retry() {
    for (const saver of this.#savers) saver.retry();
  }

  /** @returns {Promise<import("./drafts.js").Draft[]>} all that still wait of hers, of windows that are there too */
  waiting() {
    return draftsOf(this.#user).catch(() => []);
  }

  /** One of each page: a page's second draft is its own affair, as is one that needs her decision. */
  async #leftAndSendable() {
    const [drafts, alive] = [await this.waiting(), await aliveWindows()];
    const left = drafts.filter((draft) => isLeft(draft, alive) && !draft.trouble && isOurs(draft.save));
    return [...new Map(left.reverse().map((draft) => [draft.slot, draft])).values()];
  }

  async #saverOf(draft) {
    const kept = await textOf(draft.user, draft.document);
    if (kept === null) return null;
    const text = new Text(kept);
    const { user, slot, document, active_seconds = 0 } = draft;
    const saver = new Saver({
      url: draft.save, revision: draft.based_on, savedAt: null,
      keep: new DraftKeep({ user, slot, window: windowName, about: () => draft, text: () => kept }),
      body: (content) => ({
        ...content, document, active_seconds,
        spans: content.spans.map(([start, end, label]) => ({ start, end, label, text: text.slice(start, end) })),
      }),
    });
    saver.addEventListener("state", () => this.dispatchEvent(new Event("change")));
    saver.recover(draft);
    return saver;
  }
}

/** Kept by us, and still only an address of our own is followed. @param {string} url */
export const isOurs = (url) => new URL(url, location.origin).origin === location.origin;
