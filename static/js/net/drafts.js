// Drafts: what a window has not had acknowledged, in the browser's database, each window its own.

import { placesOf } from "./histories.js";
import { A_MOMENT, alone, aliveWindows, windowName } from "./seat.js";
import { oneAtATime, read, readAll, under, write } from "./store.js";

// Before there was a database, drafts lay in localStorage; a window that goes still leaves its last change there.
const PREFIX = "goldpan.";

/**
 * @typedef {{user: string, slot: string, window: string}} Key
 * @typedef {{url: string, save: string, title: string, document: string, active_seconds: number}} About
 * @typedef {Key & About & {flying: object|null, waiting: object|null, based_on: number, changes: number,
 *   flying_changes: number, kept_at: string, trouble: string, left: boolean}} Draft
 *   `trouble` is why it cannot be sent: stale, lost, refused; `left`: its window has given it up
 */

/** Keeps one window's draft as it is now. */
export class DraftKeep {
  #key;
  #about;
  #text;
  #packed = null;
  #more = {};
  #ask = oneAtATime(() => this.#write());
  #isTextKept = false;
  /** Whether the newest is on the disk. */
  isCurrent = true;
  /** Whether the browser keeps anything at all (not in some private modes, not when it is full). */
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
   * @param {object|null} packed null: nothing waits any more
   * @param {{trouble?: string, left?: boolean}} [more]
   * @returns {Promise<boolean>} whether it is on the disk
   */
  keep(packed, more = {}) {
    this.#packed = packed;
    this.#more = more;
    this.isCurrent = false;
    return this.#ask();
  }

  /** The window goes: what is not on the disk yet is copied in the one way that needs no waiting. */
  copy() {
    if (this.isCurrent || !this.#packed) return;
    try {
      localStorage.setItem(PREFIX + this.key.join("."), JSON.stringify(this.#record()));
    } catch {
      // full, or forbidden: the database may still be in time
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
    this.changes = this.works ? packed?.changes ?? 0 : 0;
    this.isCurrent = this.works && packed === this.#packed;
    return this.works;
  }

  #record() {
    return { ...this.#key, ...this.#about(), ...this.#packed, trouble: "", left: false, ...this.#more, kept_at: new Date().toISOString() };
  }
}

/** @param {string} user @returns {Promise<Draft[]>} all that wait of hers, the newest first */
export async function draftsOf(user) {
  await takeOver(user);
  return newestFirst(await all(user));
}

/** Whether anything may be left: a draft of hers, or steps on a page. @param {string} user @param {string|number} slot */
export async function isAnythingOf(user, slot) {
  if (copiesOf(user).length) return true;
  const counts = await readAll(({ drafts, heads }) => [drafts.count(under(user)), heads.count(placesOf(user, slot))]);
  return counts.some(Boolean);
}

/** @param {string} user @param {string} document @returns {Promise<string|null>} its canonical text */
export async function textOf(user, document) {
  return (await read(({ texts }) => texts.get([user, document])))?.text ?? null;
}

/**
 * Make drafts of windows that are gone this window's own: the newest. Where one belongs to a window that is
 * there, it is looked at again: a window that is being loaded anew goes a moment after the new one comes.
 * @param {{user: string, slot: string|number, document: string}} given
 * @returns {Promise<{mine: Draft|null, others: Draft[]}>} others: older ones, which stay as they are
 */
export function adopt({ user, slot, document }) {
  return alone(async () => {
    const left = await leftOn(user, String(slot), document);
    const newest = left.find((draft) => draft.slot === String(slot));
    const others = left.filter((draft) => draft !== newest);
    if (!newest) return { mine: null, others };
    const mine = { ...newest, window: windowName, left: false };
    await write(({ drafts }) => {
      drafts.delete(keyOf(newest));
      drafts.put(encoded(mine));
    });
    return { mine, others };
  });
}

async function leftOn(user, slot, document, tries = 3) {
  const alive = await aliveWindows();
  // A page that was lost and taken up again may be hers in another slot.
  const isOfPage = (draft) => draft.document === document && (draft.slot === slot || draft.trouble === "lost");
  const found = (await draftsOf(user)).filter(isOfPage);
  const left = found.filter((draft) => isLeft(draft, alive));
  if (left.length === found.length || !tries) return left;
  await new Promise((resolve) => { setTimeout(resolve, A_MOMENT / 3); });
  return leftOn(user, slot, document, tries - 1);
}

/** @param {Draft} draft @param {Set<string>} alive windows @returns {boolean} whether nobody looks after it any more */
export const isLeft = (draft, alive) => draft.left || !alive.has(draft.window);

/** @param {Draft} draft */
export const forget = (draft) => write(({ drafts }) => drafts.delete(keyOf(draft)));

/** @param {Draft} draft @returns {import("../core/editor.js").Content} the newest in it */
export const contentOf = ({ waiting, flying }) => waiting ?? flying?.content ?? null;

/** What is left of a page that was handed in, or left to others. @param {string} user @param {string|number} slot */
export function forgetSlot(user, slot) {
  return write(({ drafts, heads, steps }) => {
    drafts.delete(under(user, String(slot)));
    for (const store of [heads, steps]) store.delete(placesOf(user, slot));
  });
}

const all = async (user) => (await read(({ drafts }) => drafts.getAll(under(user)))).map(decoded);

// Thousands of marks are cloned several times faster as one string, and that is done between a key and the next frame.
const encoded = ({ flying, waiting, ...draft }) => ({ ...draft, contents: JSON.stringify({ flying, waiting }) });
const decoded = ({ contents, ...draft }) => ({ ...draft, ...JSON.parse(contents) });

const keyOf = ({ user, slot, window }) => [user, slot, window];
const newestFirst = (drafts) => drafts.sort((a, b) => (a.kept_at < b.kept_at ? 1 : -1));

/** Move what localStorage holds of hers to the database; an older copy of what is there already is dropped. */
async function takeOver(user) {
  const copies = copiesOf(user);
  if (!copies.length) return;
  const kept = new Map((await all(user)).map((draft) => [keyOf(draft).join(), draft]));
  const newer = copies.filter(([, draft]) => draft && !(kept.get(keyOf(draft).join())?.kept_at > draft.kept_at));
  await write(({ drafts }) => { for (const [, draft] of newer) drafts.put(encoded(draft)); });
  for (const [key] of copies) localStorage.removeItem(key);
}

/** @returns {Array<[string, Draft|null]>} null for what cannot be read */
function copiesOf(user) {
  try {
    const start = `${PREFIX}${user}.`;
    return Object.keys(localStorage).filter((key) => key.startsWith(start)).map((key) => [key, parsed(user, key.slice(start.length), localStorage.getItem(key))]);
  } catch {
    return [];
  }
}

function parsed(user, rest, json) {
  const [slot, window = "before"] = rest.split(".");
  try {
    const { url = "", title = "", document = "", kept_at = "", changes = 1, ...draft } = JSON.parse(json);
    return { flying: null, waiting: null, trouble: "", left: false, save: `${url}save/`, ...draft, user, slot, window, url, title, document, kept_at, changes };
  } catch {
    return null;
  }
}
