// Which windows of this browser are there, and which of them works on a page. A lock is held as long as its window
// lives and no longer, however the window ends.

const WINDOW = "goldpan.window.";
// A window that is being loaded again gives its lock back a moment after the new one asks.
export const A_MOMENT = 600;
const PATIENCE = 3000;

const locks = navigator.locks;

/** This window's name. */
export const windowName = crypto.randomUUID();

/** Hold this window's own lock: what it keeps is its own until it goes. */
export async function live() {
  await hold(WINDOW + windowName);
}

/** @returns {Promise<Set<string>>} names of the windows that are there */
export async function aliveWindows() {
  const { held } = await locks.query();
  return new Set(held.filter(({ name }) => name.startsWith(WINDOW)).map(({ name }) => name.slice(WINDOW.length)));
}

/**
 * One window at a time looks for what others left.
 * @template T @param {() => Promise<T>} act @returns {Promise<T>}
 */
export const alone = (act) => locks.request("goldpan.adopting", act);

/**
 * A line to a user's other windows in this browser.
 * @param {string} user
 * @param {(message: object) => void} onMessage
 * @param {AbortSignal} [signal]
 * @returns {(message: object) => void}
 */
export function lineTo(user, onMessage, signal) {
  const channel = new BroadcastChannel(`goldpan.${user}`);
  channel.onmessage = ({ data }) => onMessage(data);
  signal?.addEventListener("abort", () => channel.close(), { once: true });
  return (message) => channel.postMessage(message);
}

/**
 * The one seat at a page: who works in two windows is told so in the one that has it not. States: free (not asked for) ·
 * here · elsewhere · given (to another window). Says "state".
 */
export class Seat extends EventTarget {
  #name;
  #slot;
  #say;
  #queued = null;
  #granted = null;
  #release = null;
  #onYield;
  state = "free";

  /**
   * @param {{user: string, slot: string, onYield: () => Promise<void>, signal: AbortSignal}} given `onYield` stops the
   *   work here; when it is done, the other window finds all of it in the database
   */
  constructor({ user, slot, onYield, signal }) {
    super();
    this.#name = `goldpan.slot.${user}.${slot}`;
    this.#slot = slot;
    this.#onYield = onYield;
    this.#say = lineTo(user, (message) => this.#hear(message), signal);
    signal.addEventListener("abort", () => this.#release?.(), { once: true });
  }

  /** Take the seat if it is free, or as soon as it is. */
  async take() {
    this.#queue();
    await Promise.race([this.#granted, pause(A_MOMENT)]);
    if (this.state === "free") this.#be("elsewhere");
  }

  /** Have the seat: the other window gives it up when all of its work is kept; one that is stuck is not waited for. */
  async takeOver() {
    if (!this.#queued) this.#queue();
    this.#say({ kind: "yield", slot: this.#slot });
    await Promise.race([this.#granted, pause(PATIENCE)]);
    if (this.state !== "here") await this.#steal();
  }

  #queue() {
    this.#queued = new AbortController();
    this.#granted = this.#hold({ signal: this.#queued.signal });
  }

  #steal() {
    this.#queued.abort();
    return this.#hold({ steal: true });
  }

  async #hold(options) {
    this.#release = await hold(this.#name, options, () => this.#giveUp());
    this.#be("here");
  }

  async #hear({ kind, slot }) {
    if (kind !== "yield" || slot !== this.#slot || this.state !== "here") return;
    this.#queued = null;
    this.#be("given");
    await this.#onYield();
    this.#release();
  }

  /** Another window took the seat without asking: this one did not answer in time. */
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

const pause = (milliseconds) => new Promise((resolve) => { setTimeout(resolve, milliseconds); });

/** @returns {Promise<() => void>} once the lock is held: what gives it back */
function hold(name, options = {}, onStolen = () => undefined) {
  return new Promise((resolve) => {
    locks.request(name, options, () => new Promise((release) => {
      addEventListener("pagehide", () => release(), { once: true });
      resolve(release);
    })).catch(onStolen);
  });
}
