// Autosave: sends what the outbox holds, 600 ms after the last change, until the server has acknowledged it.
// Before anything is sent it is stored in the browser with the name of its operation: sent twice, it is saved once.

import { SIGNED_OUT } from "../core/backoff.js";
import { Outbox } from "../core/outbox.js";
import { NoAnswer, postJSON, postLast } from "./api.js";
import { pause } from "./pause.js";

const DELAY = 600;
// Milliseconds. A disk that does not answer must not hold a change back from the server.
const DISK = 2000;

/**
 * States: saved · waiting (a change, not sent yet) · saving · offline · signed-out · stale · lost · refused · closed.
 * Dispatches "state" when the state, the number of unsynced changes, or whether they are stored has changed.
 */
export class Saver extends EventTarget {
  #url;
  #keep;
  #body;
  #outbox;
  #timer = 0;
  #isSending = false;
  // Why it cannot be sent, until the annotator decides.
  #trouble = "";
  #waiters = [];

  /**
   * @param {{url: string, keep: import("./drafts.js").DraftStorage, revision: number, savedAt: string|null,
   *   body: (content: import("../core/editor.js").Content) => object}} given `body` turns content into the body of the request
   */
  constructor({ url, keep, revision, savedAt, body }) {
    super();
    this.#url = url;
    this.#keep = keep;
    this.#body = body;
    this.#outbox = new Outbox({ revision, name: () => crypto.randomUUID() });
    this.state = "saved";
    this.savedAt = savedAt;
    this.since = null;
    this.retryAt = null;
    /** The version that a stale save met. @type {any} */
    this.conflict = null;
    this.message = "";
  }

  get revision() {
    return this.#outbox.revision;
  }
  get changes() {
    return this.#outbox.changes;
  }
  get isEmpty() {
    return this.#outbox.isEmpty;
  }
  /** Changes that are on this computer's disk. */
  get keptChanges() {
    return this.#keep.changes;
  }
  /** Whether the browser stores unsynced changes. */
  get isKept() {
    return this.#keep.works;
  }
  /** Whether the window can close without losing a change. */
  get isSafe() {
    return this.isEmpty || this.#keep.isCurrent;
  }

  /** Restore what an earlier window could not send. @param {object|null} draft @returns {object|null} its content */
  recover(draft) {
    if (!draft) return null;
    this.#outbox.unpack(draft);
    this.#store();
    const content = this.#outbox.newest();
    if (content) this.#schedule(0);
    return content;
  }

  /** @param {object} content @param {boolean} [isContinued] continues the previous change: both count once */
  put(content, isContinued = false) {
    if (this.state === "closed") return;
    this.#outbox.put(content, isContinued);
    this.#store();
    if (this.#isBlocked()) this.#say(this.state);
    else if (this.state === "offline") this.#say("offline");
    else this.#schedule(DELAY);
  }

  /** Send all changes now. @returns {Promise<boolean>} whether all of it was acknowledged */
  flush() {
    if (this.isEmpty) return Promise.resolve(true);
    const saved = new Promise((resolve) => this.#waiters.push(resolve));
    if (this.#isBlocked()) this.#answer(false);
    else this.#schedule(0);
    return saved;
  }

  /** Save mine again, on top of the other version. */
  keepMine() {
    this.#outbox.rebase(this.conflict.revision);
    this.#unblock();
    this.#schedule(0);
  }

  /** Discard mine here (the server keeps it). @returns {object} the other version */
  takeOther() {
    const current = this.conflict;
    this.#outbox.drop(current.revision);
    this.savedAt = current.saved_at;
    this.#unblock();
    this.#store();
    this.#say("saved");
    return current;
  }

  /** Retry now, without waiting for the pause to end. */
  retry() {
    if (this.retryAt) this.#schedule(0);
  }

  /** The page was assigned to someone else. @param {string} message */
  lose(message) {
    this.message = message;
    this.#stop("lost");
  }

  /** The window is closing: send changes without awaiting the response, and copy them synchronously. */
  leave() {
    const operation = this.#isBlocked() ? null : this.#outbox.next();
    if (operation) {
      this.#store();
      postLast(this.#url, this.#envelope(operation));
    }
    this.#keep.copy();
  }

  /** Whether the annotator has to decide before it can be sent. */
  get isInTrouble() {
    return Boolean(this.#trouble);
  }

  /** Stop for good: another window continues with the unsynced changes. */
  async close() {
    clearTimeout(this.#timer);
    this.#say("closed");
    this.#answer(false);
    await this.#keep.keep(this.#outbox.pack(), { left: true, trouble: this.#trouble });
  }

  /** Remove everything from this browser: the annotator signed out. */
  wipe() {
    clearTimeout(this.#timer);
    this.#outbox.drop(this.revision);
    this.#say("closed");
    // What is being stored at the moment would outlive the wiped database.
    this.#keep.keep(null);
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
    this.#say("saving");
    await Promise.race([this.#store(), pause(DISK)]);
    try {
      const answer = await postJSON(this.#url, this.#envelope(operation));
      if (this.state !== "closed") this.#take(answer);
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error;
      if (this.state !== "closed") this.#retry("offline");
    } finally {
      this.#isSending = false;
    }
    if (this.state === "saving") this.#schedule(0);
  }

  #envelope({ operation, based_on, content }) {
    return { ...this.#body(content), operation, based_on };
  }

  #take({ status, data }) {
    if (status === 200) this.#acknowledged(data);
    else if (status === 401) this.#retry("signed-out", SIGNED_OUT);
    else if (status === 409 && data?.current) this.#conflicted(data.current);
    else if (status === 410) this.lose(data?.error ?? "");
    else this.#refused(data?.error ?? String(status));
  }

  #acknowledged({ revision, saved_at }) {
    this.#outbox.acknowledge(revision);
    this.savedAt = saved_at;
    this.since = null;
    this.#trouble = "";
    this.#store();
    if (!this.isEmpty) return;
    this.#say("saved");
    this.#answer(true);
  }

  /** @param {string} state @param {number} [seconds] longer with each failure by default */
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

  #conflicted(current) {
    this.conflict = current;
    this.#stop("stale");
  }

  #refused(message) {
    this.message = message;
    this.#stop("refused");
  }

  #stop(state) {
    clearTimeout(this.#timer);
    this.retryAt = null;
    this.#outbox.refuse();
    this.#trouble = state;
    this.#say(state);
    this.#store();
    this.#answer(false);
  }

  #unblock() {
    this.conflict = null;
    this.#trouble = "";
    this.state = "waiting";
  }

  #isBlocked() {
    return ["stale", "lost", "closed"].includes(this.state);
  }

  async #store() {
    const [before, worked] = [this.keptChanges, this.isKept];
    await this.#keep.keep(this.#outbox.pack(), { trouble: this.#trouble });
    if (before !== this.keptChanges || worked !== this.isKept) this.#say(this.state);
  }

  #answer(isAcknowledged) {
    for (const resolve of this.#waiters.splice(0)) resolve(isAcknowledged);
  }

  #say(state) {
    this.state = state;
    this.dispatchEvent(new Event("state"));
  }
}
