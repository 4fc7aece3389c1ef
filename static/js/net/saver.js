// Autosave: sends what the outbox holds, 600 ms after the last change, until the server has acknowledged it.

import { Outbox } from "../core/outbox.js";
import { NoAnswer, postJSON } from "./api.js";
import { keep, recall } from "./keep.js";

const DELAY = 600;
// Signed out: she signs in elsewhere, and we ask now and then whether she did.
const ASK_AGAIN = 10;

/**
 * States: saved · waiting (a change, not sent yet) · saving · offline · signed-out · stale · lost · refused.
 * Says "state" whenever one of them, or the number of changes that wait, is new.
 */
export class Saver extends EventTarget {
  #url;
  #key;
  #about;
  #body;
  #outbox;
  #timer = 0;
  #isSending = false;
  #waiters = [];

  /**
   * @param {{url: string, key: string, revision: number, savedAt: string|null,
   *   about: {url: string, title: string, document: string},
   *   body: (content: object) => object}} given `body` turns content into what the server takes
   */
  constructor({ url, key, revision, savedAt, about, body }) {
    super();
    this.#url = url;
    this.#key = key;
    this.#about = about;
    this.#body = body;
    this.#outbox = new Outbox({ revision, name: () => crypto.randomUUID() });
    this.state = "saved";
    this.savedAt = savedAt;
    this.since = null;
    this.retryAt = null;
    this.conflict = null;
    this.message = "";
    this.isKept = true;
  }

  get revision() { return this.#outbox.revision; }
  get changes() { return this.#outbox.changes; }
  get isEmpty() { return this.#outbox.isEmpty; }

  /** Take up what an earlier window could not send. @returns {object|null} its content */
  recover() {
    const kept = recall(this.#key);
    if (!kept || kept.document !== this.#about.document) return null;
    this.#outbox.unpack(kept);
    const content = this.#outbox.newest();
    if (content) this.#schedule(0);
    return content;
  }

  /** @param {object} content @param {boolean} [goesOn] with the change before: it counts once */
  put(content, goesOn = false) {
    this.#outbox.put(content, goesOn);
    this.#keep();
    if (this.#isBlocked()) this.#say(this.state);
    else if (this.state === "offline") this.#say("offline");
    else this.#schedule(DELAY);
  }

  /** Send what waits, now. @returns {Promise<boolean>} whether all of it was acknowledged */
  flush() {
    if (this.isEmpty) return Promise.resolve(true);
    const settled = new Promise((resolve) => this.#waiters.push(resolve));
    if (this.#isBlocked()) this.#answer(false);
    else this.#schedule(0);
    return settled;
  }

  /** Save mine again, on top of the other version. */
  keepMine() {
    this.#outbox.rebase(this.conflict.current.revision);
    this.#unblock();
    this.#schedule(0);
  }

  /** Give mine up here (the server kept it). @returns {object} the other version */
  takeOther() {
    const { current } = this.conflict;
    this.#outbox.drop(current.revision);
    this.savedAt = current.saved_at;
    this.#unblock();
    this.#keep();
    this.#say("saved");
    return current;
  }

  /** Try now, not when the pause is over. */
  retry() {
    if (this.retryAt) this.#schedule(0);
  }

  /** The lease went to somebody else. @param {string} message */
  lose(message) {
    this.message = message;
    this.#stop("lost");
  }

  #schedule(delay) {
    clearTimeout(this.#timer);
    this.retryAt = null;
    this.#timer = setTimeout(() => this.#send(), delay);
    if (!this.#isSending) this.#say(delay ? "waiting" : "saving");
  }

  async #send() {
    const operation = this.#isSending ? null : this.#outbox.next();
    if (!operation) return;
    this.#isSending = true;
    this.#keep();
    this.#say("saving");
    try {
      this.#take(await postJSON(this.#url, this.#envelope(operation)));
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error;
      this.#retry("offline", null);
    } finally {
      this.#isSending = false;
    }
    if (this.state === "saving") this.#schedule(0);
  }

  #envelope({ operation, based_on, content }) {
    return { ...this.#body(content), document: this.#about.document, operation, based_on };
  }

  #take({ status, data }) {
    if (status === 200) this.#acknowledged(data);
    else if (status === 401 || (status === 403 && !data)) this.#retry("signed-out", ASK_AGAIN);
    else if (status === 409 && data?.current) this.#conflicted(data);
    else if (status === 410) this.lose(data?.error ?? "");
    else this.#refused(data?.error ?? String(status));
  }

  #acknowledged({ revision, saved_at }) {
    this.#outbox.acknowledge(revision);
    this.savedAt = saved_at;
    this.since = null;
    this.#keep();
    if (!this.isEmpty) return;
    this.#say("saved");
    this.#answer(true);
  }

  #retry(state, seconds) {
    this.#outbox.fail();
    this.since ??= new Date();
    const pause = (seconds ?? this.#outbox.pause) * 1000;
    this.retryAt = Date.now() + pause;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#send(), pause);
    this.#say(state);
    this.#answer(false);
  }

  #conflicted(data) {
    this.conflict = { current: data.current, yours: data.yours };
    this.#stop("stale");
  }

  #refused(message) {
    this.message = message;
    this.#stop("refused");
  }

  #stop(state) {
    clearTimeout(this.#timer);
    this.#outbox.refuse();
    this.#keep();
    this.#say(state);
    this.#answer(false);
  }

  #unblock() {
    this.conflict = null;
    this.state = "waiting";
  }

  #isBlocked() {
    return ["stale", "lost"].includes(this.state);
  }

  #keep() {
    const packed = this.#outbox.pack();
    this.isKept = keep(this.#key, packed && { ...packed, ...this.#about });
  }

  #answer(isAcknowledged) {
    for (const resolve of this.#waiters.splice(0)) resolve(isAcknowledged);
  }

  #say(state) {
    this.state = state;
    this.dispatchEvent(new Event("state"));
  }
}
