// Sends the drafts of closed windows from any screen: a draft holds the URL it belongs to, and its text is stored too.

import { Text } from "../core/codepoints.js";
import { quoted } from "../core/spans.js";
import { adopt, DraftStorage, draftsOf, isAbandoned, textOf } from "./drafts.js";
import { Saver } from "./saver.js";
import { holdWindowLock, openChannel, openWindows, windowName } from "./tab-lock.js";

/** Dispatches "change" when a draft was sent or could not be sent. */
export class BackgroundSync extends EventTarget {
  #user;
  #savers = [];
  #life = new AbortController();

  /** @param {string} user */
  constructor(user) {
    super();
    this.#user = user;
    openChannel(user, ({ kind }) => kind === "stop" && this.#stop());
  }

  /** Adopt the abandoned drafts and send them. @returns {Promise<void>} when each was sent or has failed for now */
  send() {
    return this.#send().catch((error) => {
      if (!this.#life.signal.aborted) throw error;
    });
  }

  async #send() {
    await holdWindowLock();
    for (const draft of await this.#abandonedAndSendable()) {
      const { mine } = await adopt(draft, this.#life.signal);
      const saver = mine && (await this.#saverOf(mine));
      if (saver) this.#savers.push(saver);
    }
    await Promise.all(this.#savers.map((saver) => saver.flush()));
    // The annotator resolves these on the page itself, which may adopt them.
    await Promise.all(this.#savers.filter((saver) => saver.isInTrouble).map((saver) => saver.close()));
  }

  /** Retry now, without waiting for the pause to end. */
  retry() {
    for (const saver of this.#savers) saver.retry();
  }

  /** @returns {Promise<import("./drafts.js").Draft[]>} all unsynced drafts of the user, those of open windows included */
  waiting() {
    return draftsOf(this.#user).catch(() => []);
  }

  /** The annotator signs out: what is answered from now on must not be stored again. */
  #stop() {
    this.#life.abort();
    for (const saver of this.#savers) saver.wipe();
  }

  /** One draft per page: the page itself deals with a second one, and with drafts that need a decision. */
  async #abandonedAndSendable() {
    const [drafts, alive] = [await this.waiting(), await openWindows()];
    const left = drafts.filter((draft) => isAbandoned(draft, alive) && !draft.trouble && isOurs(draft.save));
    return [...new Map(left.reverse().map((draft) => [draft.slot, draft])).values()];
  }

  async #saverOf(draft) {
    const kept = await textOf(draft.user, draft.document);
    this.#life.signal.throwIfAborted();
    if (kept === null) return null;
    const text = new Text(kept);
    const { user, slot, document, active_seconds = 0 } = draft;
    const saver = new Saver({
      url: draft.save,
      revision: draft.based_on,
      savedAt: null,
      keep: new DraftStorage({ user, slot, window: windowName, about: () => draft, text: () => kept }),
      body: (content) => ({ ...content, document, active_seconds, spans: quoted(content.spans, text) }),
    });
    saver.addEventListener("state", () => this.dispatchEvent(new Event("change")));
    saver.recover(draft);
    return saver;
  }
}

/** Whether a URL of a stored draft is of our own origin; no other is followed. @param {string} url */
export const isOurs = (url) => new URL(url, location.origin).origin === location.origin;
