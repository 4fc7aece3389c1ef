// Drafts: changes that the server has not acknowledged, in the browser's database, one record per window.

import { oneAtATime, read, readAll, under, write } from "./database.js";
import { historyKeys } from "./histories.js";
import { pause } from "./pause.js";
import { A_MOMENT, beforeAbort, exclusively, isBeingEdited, openWindows, windowName } from "./tab-lock.js";

// A closing window writes its last change to localStorage, which needs no waiting.
const PREFIX = "goldpan.";
// Further looks for drafts whose windows are closing, a fifth of a second apart.
const LOOKS_WHILE_EDITED = 3;
const LOOKS = 25;

/**
 * @typedef {import("../core/editor.js").Content} Content
 * @typedef {NonNullable<ReturnType<import("../core/outbox.js").Outbox["pack"]>>} Packed
 * @typedef {{user: string, slot: string, window: string}} Key
 * @typedef {{url: string, save: string, title: string, document: string, active_seconds: number}} About
 * @typedef {Key & About & {flying: {content: Content}|null, waiting: Content|null, based_on: number, changes: number,
 *   flying_changes: number, kept_at: string, trouble: string, left: boolean}} Draft
 *   `trouble` is why it cannot be sent: stale, lost, refused; `left`: its window has abandoned it
 * @typedef {{revision: number, saved_at: string|null}} Saved
 */

/** Stores one window's draft. */
export class DraftStorage {
  #key;
  #about;
  #text;
  /** @type {Packed|null} */
  #packed = null;
  #more = {};
  #ask = oneAtATime(() => this.#write());
  #isTextKept = false;
  /** Whether the newest state is on the disk. */
  isCurrent = true;
  /** Whether the browser stores anything at all (not in some private modes, nor when the disk is full). */
  works = true;
  /** Changes that are on the disk. */
  changes = 0;

  /** @param {Key & {about: () => About, text: () => string}} given */
  constructor({ user, slot, window, about, text }) {
    this.#key = { user, slot: String(slot), window };
    this.#about = about;
    this.#text = text;
  }

  get key() {
    return [this.#key.user, this.#key.slot, this.#key.window];
  }

  /**
   * @param {Packed|null} packed null: nothing is unsynced
   * @param {{trouble?: string, left?: boolean}} [more]
   * @returns {Promise<boolean>} whether it is on the disk
   */
  keep(packed, more = {}) {
    this.#packed = packed;
    this.#more = more;
    this.isCurrent = false;
    return this.#ask();
  }

  /** Copy what is not on the disk yet synchronously, as the window is closing. */
  copy() {
    if (this.isCurrent || !this.#packed) return;
    try {
      localStorage.setItem(PREFIX + this.key.join("."), JSON.stringify(this.#record()));
    } catch {
      // full, or forbidden: the database may still finish in time
    }
  }

  async #write() {
    const packed = this.#packed;
    try {
      await write((stores) => {
        if (packed) stores.drafts.put(encoded(this.#record()));
        else stores.drafts.delete(this.key);
        if (packed && !this.#isTextKept) {
          stores.texts.put({ user: this.#key.user, document: this.#about().document, text: this.#text() });
        }
      });
      this.#isTextKept ||= Boolean(packed);
      this.works = true;
    } catch {
      this.works = false;
    }
    this.changes = this.works ? (packed?.changes ?? 0) : 0;
    this.isCurrent = this.works && packed === this.#packed;
    return this.works;
  }

  #record() {
    return {
      ...this.#key,
      ...this.#about(),
      ...this.#packed,
      trouble: "",
      left: false,
      ...this.#more,
      kept_at: new Date().toISOString(),
    };
  }
}

/** @param {string} user @returns {Promise<Draft[]>} all drafts of the user, the newest first */
export async function draftsOf(user) {
  await importCopies(user);
  return newestFirst(await all(user));
}

/** Whether there is a draft of the user, or a history of the page. @param {string} user @param {string|number} slot */
export async function isAnythingOf(user, slot) {
  if (copiesOf(user).length) return true;
  const counts = await readAll(({ drafts, heads }) => [
    drafts.count(under(user)),
    heads.count(historyKeys(user, slot)),
  ]);
  return counts.some(Boolean);
}

/** @param {string} user @param {string} document @returns {Promise<string|null>} its canonical text */
export async function textOf(user, document) {
  return (await read(({ texts }) => texts.get([user, document])))?.text ?? null;
}

/**
 * Adopt the newest draft of the closed windows, unless something newer has been saved since.
 * @param {{user: string, slot: string|number, document: string}} page
 * @param {AbortSignal} [signal] until when it may look for it
 * @param {Saved} [saved] what the server has
 * @returns {Promise<{mine: Draft|null, others: Draft[]}>} `others` are older and stay as they are
 */
export function adopt(page, signal, saved = { revision: 0, saved_at: null }) {
  return exclusively(async () => {
    // The signal ends the search only: a draft that was adopted and not shown would be deleted by the next save.
    const left = await beforeAbort(abandonedDrafts(page), signal);
    const newest = left.find((draft) => draft.slot === String(page.slot) && !isOutdated(draft, saved));
    const others = left.filter((draft) => draft !== newest);
    if (!newest) return { mine: null, others };
    const mine = { ...newest, window: windowName, left: false };
    await write(({ drafts }) => {
      drafts.delete(keyOf(newest));
      drafts.put(encoded(mine));
    });
    return { mine, others };
  }, signal);
}

/**
 * Drafts of a page whose windows are closed, the newest first. Where a draft belongs to an open window, look again: a
 * window that is being reloaded closes a moment after its successor opens, and one that does not edit the page is
 * sending its draft.
 * @param {{user: string, slot: string|number, document: string}} page
 * @returns {Promise<Draft[]>}
 */
export async function abandonedDrafts({ user, slot, document }, looks = 0) {
  const [alive, isEdited] = await Promise.all([openWindows(), isBeingEdited(user, slot)]);
  // A page that was lost and reopened may be the annotator's in another slot.
  const isOfPage = (draft) => draft.document === document && (draft.slot === String(slot) || draft.trouble === "lost");
  const found = (await draftsOf(user)).filter(isOfPage);
  const left = found.filter((draft) => isAbandoned(draft, alive));
  if (left.length === found.length || looks >= (isEdited ? LOOKS_WHILE_EDITED : LOOKS)) return left;
  await pause(A_MOMENT / LOOKS_WHILE_EDITED);
  return abandonedDrafts({ user, slot, document }, looks + 1);
}

/** @param {Draft} draft @param {Set<string>} alive windows @returns {boolean} whether no window is responsible for it */
export const isAbandoned = (draft, alive) => draft.left || !alive.has(draft.window);

/**
 * Whether the annotator has gone on elsewhere: what a draft was based on is replaced, and by something newer than it.
 * The operation in flight may be what the server has saved.
 * @param {Draft} draft
 * @param {Saved} saved
 */
const isOutdated = ({ based_on, flying, kept_at }, { revision, saved_at }) =>
  saved_at !== null && based_on + (flying ? 1 : 0) < revision && Date.parse(kept_at) < Date.parse(saved_at);

/** @param {Draft} draft */
export const forget = (draft) => write(({ drafts }) => drafts.delete(keyOf(draft)));

/** @param {Draft} draft @returns {Content|null} its newest content */
export const contentOf = ({ waiting, flying }) => waiting ?? flying?.content ?? null;

/**
 * Delete what is stored of a page that was submitted or skipped.
 * @param {string} user
 * @param {string|number} slot
 * @param {string} document its text goes too, unless another draft is of it
 */
export async function forgetSlot(user, slot, document) {
  const isOfOthers = (draft) => draft.document === document && draft.slot !== String(slot);
  const isTextNeeded = (await all(user)).some(isOfOthers);
  await write(({ drafts, heads, steps, texts }) => {
    drafts.delete(under(user, String(slot)));
    if (!isTextNeeded) texts.delete([user, document]);
    for (const store of [heads, steps]) store.delete(historyKeys(user, slot));
  });
}

const all = async (user) => (await read(({ drafts }) => drafts.getAll(under(user)))).map(decoded);

// Cloning thousands of marks is several times faster as one string, and happens between a key and the next frame.
const encoded = ({ flying, waiting, ...draft }) => ({ ...draft, contents: JSON.stringify({ flying, waiting }) });
const decoded = ({ contents, ...draft }) => ({ ...draft, ...JSON.parse(contents) });

const keyOf = ({ user, slot, window }) => [user, slot, window];
const newestFirst = (drafts) => drafts.sort((a, b) => (a.kept_at < b.kept_at ? 1 : -1));

/** Move the user's copies from localStorage to the database, unless a newer draft is there. */
async function importCopies(user) {
  const copies = copiesOf(user);
  if (!copies.length) return;
  const kept = new Map((await all(user)).map((draft) => [keyOf(draft).join(), draft]));
  const newer = copies.filter(([, draft]) => draft && !(kept.get(keyOf(draft).join())?.kept_at > draft.kept_at));
  await write(({ drafts }) => {
    for (const [, draft] of newer) if (draft) drafts.put(encoded(draft));
  });
  for (const [key] of copies) localStorage.removeItem(key);
}

/** @returns {Array<[string, Draft|null]>} null for one that cannot be read */
function copiesOf(user) {
  try {
    const start = `${PREFIX}${user}.`;
    return Object.keys(localStorage)
      .filter((key) => key.startsWith(start))
      .map((key) => [key, parsed(localStorage.getItem(key))]);
  } catch {
    return [];
  }
}

/** @returns {Draft|null} */
function parsed(json) {
  try {
    return JSON.parse(json);
  } catch {
    return null;
  }
}
