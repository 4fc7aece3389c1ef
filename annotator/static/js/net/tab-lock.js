// Which windows of this browser are open, and which of them edits a page. The browser releases a lock when its window
// ends, however it ends.

import { pause } from "./pause.js";

const WINDOW = "goldpan.window.";
// Milliseconds in which a reloading window releases its lock after its successor asks for it.
export const A_MOMENT = 600;
// Milliseconds in which another window stores its work on what may be a busy disk, before it loses its lock.
const TIMEOUT = 15_000;

const locks = navigator.locks;

/** This window's random name. */
export const windowName = crypto.randomUUID();

/** @type {Promise<unknown>|null} */
let ownLock = null;

/** Hold this window's own lock, which marks its drafts as in use. Asked for twice, it would wait for itself. */
export function holdWindowLock() {
  ownLock ??= hold(WINDOW + windowName);
  return ownLock;
}

/** @returns {Promise<Set<string>>} names of the open windows */
export async function openWindows() {
  const names = await heldLocks();
  return new Set(names.filter((name) => name.startsWith(WINDOW)).map((name) => name.slice(WINDOW.length)));
}

/** Whether a window edits the page. @param {string} user @param {string|number} slot */
export const isBeingEdited = async (user, slot) => (await heldLocks()).includes(slotLock(user, slot));

const slotLock = (user, slot) => `goldpan.slot.${user}.${slot}`;

/** @returns {Promise<string[]>} names of the locks that this browser's windows hold */
async function heldLocks() {
  const { held } = await locks.query();
  return (held ?? []).map(({ name }) => name ?? "");
}

/**
 * Run `act` while no other window does: one at a time adopts abandoned drafts.
 * @template T
 * @param {() => Promise<T>} act
 * @param {AbortSignal} [signal] until when it may wait for its turn
 * @returns {Promise<T>} rejected with an AbortError when its turn did not come in time
 */
export const exclusively = (act, signal) => locks.request("goldpan.adopting", signal ? { signal } : {}, act);

/** @typedef {{kind: "send"|"stop"|"signed out"|"yield", slot?: string}} Message */

/**
 * Open a channel to the user's other windows in this browser.
 * @param {string} user
 * @param {(message: Message) => void} onMessage
 * @param {AbortSignal} [signal]
 * @returns {(message: Message) => void}
 */
export function openChannel(user, onMessage, signal) {
  const channel = new BroadcastChannel(`goldpan.${user}`);
  channel.onmessage = ({ data }) => onMessage(data);
  signal?.addEventListener("abort", () => channel.close(), { once: true });
  return (message) => channel.postMessage(message);
}

/**
 * The lock on editing a page: one window holds it, and the others say so. States: free (not requested) · here ·
 * elsewhere · given (to another window). Dispatches "state".
 */
export class TabLock extends EventTarget {
  #name;
  #slot;
  #say;
  /** @type {AbortController|null} */
  #queued = null;
  /** @type {Promise<void>|null} */
  #granted = null;
  /** @type {(() => void)|null} */
  #release = null;
  #onYield;
  /** @type {"free"|"here"|"elsewhere"|"given"} */
  state = "free";

  /**
   * @param {{user: string, slot: string, onYield: () => Promise<void>, signal: AbortSignal}} given `onYield` stops
   *   editing here; when it resolves, everything is in the database for the other window
   */
  constructor({ user, slot, onYield, signal }) {
    super();
    this.#name = slotLock(user, slot);
    this.#slot = slot;
    this.#onYield = onYield;
    this.#say = openChannel(user, (message) => this.#hear(message), signal);
    signal.addEventListener("abort", () => this.#release?.(), { once: true });
  }

  /** Request the lock, and hold it as soon as it is free. */
  async take() {
    this.#queue();
    await Promise.race([this.#granted, pause(A_MOMENT)]);
    // A slow browser may not have answered yet: only a lock that is held makes this one wait.
    while (this.state === "free" && !(await this.#isHeldElsewhere()))
      await Promise.race([this.#granted, pause(A_MOMENT)]);
    if (this.state === "free") this.#be("elsewhere");
  }

  async #isHeldElsewhere() {
    const { held, pending } = await locks.query();
    return [held, pending].every((all) => all?.some(({ name }) => name === this.#name));
  }

  /** Take the lock over: the other window releases it once its work is stored; one that does not respond loses it. */
  async takeOver() {
    if (!this.#queued) this.#queue();
    this.#say({ kind: "yield", slot: this.#slot });
    await Promise.race([this.#granted, pause(TIMEOUT)]);
    if (this.state !== "here") await this.#steal();
  }

  #queue() {
    const queued = new AbortController();
    this.#queued = queued;
    this.#granted = this.#hold({ signal: queued.signal });
  }

  #steal() {
    this.#queued?.abort();
    return this.#hold({ steal: true });
  }

  async #hold(options) {
    this.#release = await hold(this.#name, options, () => this.#giveUp());
    this.#be("here");
  }

  /** @param {Message} message */
  async #hear({ kind, slot }) {
    if (kind !== "yield" || slot !== this.#slot || this.state !== "here") return;
    this.#queued = null;
    this.#be("given");
    await this.#onYield();
    this.#release?.();
  }

  /** Another window stole the lock, as this one did not respond in time. */
  #giveUp() {
    if (this.state !== "here") return;
    this.#queued = null;
    this.#be("given");
    this.#onYield();
  }

  #be(state) {
    this.state = state;
    this.dispatchEvent(new Event("state"));
  }
}

/**
 * @template T
 * @param {Promise<T>} promise
 * @param {AbortSignal} [signal]
 * @returns {Promise<T>} rejected with the signal's reason when it comes first
 */
export function beforeAbort(promise, signal) {
  if (!signal) return promise;
  if (signal.aborted) return Promise.reject(signal.reason);
  const aborted = new Promise((_resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
  return Promise.race([promise, aborted]);
}

/** @returns {Promise<() => void>} resolves once the lock is held, with the function that releases it */
function hold(name, options = {}, onStolen = () => {}) {
  return new Promise((resolve) => {
    locks
      .request(
        name,
        options,
        () =>
          new Promise((release) => {
            const giveBack = () => release(undefined);
            addEventListener("pagehide", giveBack, { once: true });
            resolve(giveBack);
          }),
      )
      .catch(onStolen);
  });
}
