// The undo history of a page, stored step by step so that it survives a reload or a crash.
//
// Each window stores its own steps under a key of its own, which stays with the tab. A later window adopts the key of a
// closed one, or starts with a copy of the steps of an open one.

import { oneAtATime, read, under, write } from "./database.js";
import { exclusively, openWindows, windowName } from "./tab-lock.js";

/** @typedef {import("../core/editor.js").Content} Content */
/** @typedef {{user: string, slot: string|number, document: string}} Page `document` is its digest: steps over another text mean nothing */

/** All history keys of a page. @param {string} user @param {string|number} slot */
export const historyKeys = (user, slot) => IDBKeyRange.bound([user, `${slot}/`], [user, `${slot}/\uffff`, []]);

/** @param {string|number} slot @returns {string} the key for this window's steps if it adopts no other */
export const newHistoryKey = (slot) => `${slot}/${windowName}`;

/**
 * The history that this window continues: its tab's own; else one that leads to the present content; else the newest.
 * @param {Page} page
 * @param {Content} content shown first
 * @returns {Promise<{historyKey: string, stored: import("../core/history.js").StoredHistory|null}>}
 */
export function restoreHistory({ user, slot, document }, content) {
  return exclusively(async () => {
    const [heads, alive] = [await headsOf(user, slot, document), await openWindows()];
    const best = chosen(heads, { content, alive, historyKey: historyKeyOfTab(user, slot) });
    const isFree = best && isGone(best, alive);
    if (isFree) await write((stores) => stores.heads.put({ ...best, window: windowName }));
    const historyKey = isFree ? best.slot : newHistoryKey(slot);
    return { historyKey, stored: best ? { ...(await stepsOf(best)), isCopy: !isFree } : null };
  });
}

/** Detach the tab from its history: another window's comes next. @param {Page} page */
export function detachHistory({ user, slot }) {
  remember(user, slot, "");
}

/**
 * @param {Page & {historyKey: string}} given
 * @param {import("../core/history.js").History} history
 * @returns {() => Promise<boolean>} stores what is new in it
 */
export function historySaver({ user, slot, document, historyKey }, history) {
  const key = { user, slot: historyKey };
  remember(user, slot, historyKey);
  return oneAtATime(async () => {
    const { from, steps, position, present } = history.news();
    try {
      await write(({ heads, steps: all }) => {
        all.delete(IDBKeyRange.bound([user, historyKey, from], [user, historyKey, Infinity]));
        for (const [i, step] of steps.entries()) all.put({ ...key, number: from + i, step });
        heads.put({
          ...key,
          document,
          window: windowName,
          kept_at: new Date().toISOString(),
          position,
          length: from + steps.length,
          present: JSON.stringify(present),
        });
      });
      return true;
    } catch {
      history.notStored();
      return false;
    }
  });
}

/** The histories whose steps are complete. */
async function headsOf(user, slot, document) {
  const heads = (await read((stores) => stores.heads.getAll(historyKeys(user, slot)))).filter(
    (head) => head.document === document,
  );
  const counts = await Promise.all(heads.map((head) => read(({ steps }) => steps.count(under(user, head.slot)))));
  return heads.filter((head, i) => counts[i] === head.length);
}

async function stepsOf({ user, slot, position, present }) {
  const steps = await read((stores) => stores.steps.getAll(under(user, slot)));
  return { present: JSON.parse(present), position, steps: steps.map(({ step }) => step) };
}

function chosen(heads, { content, alive, historyKey }) {
  const wanted = named(content);
  const fit = (head) => [
    head.slot === historyKey,
    named(JSON.parse(head.present)) === wanted,
    isGone(head, alive),
    head.kept_at,
  ];
  return heads.map((head) => ({ head, fit: fit(head) })).sort((a, b) => compared(b.fit, a.fit))[0]?.head ?? null;
}

function compared(a, b) {
  const at = a.findIndex((each, i) => each !== b[i]);
  return at < 0 ? 0 : a[at] > b[at] ? 1 : -1;
}

const named = ({ spans, verdict, reason, note }) => JSON.stringify([spans, verdict, reason, note]);

/** Whether its window is closed. */
const isGone = ({ window }, alive) => window === windowName || !alive.has(window);

const nameOf = (user, slot) => `goldpan.steps.${user}.${slot}`;

function historyKeyOfTab(user, slot) {
  try {
    return sessionStorage.getItem(nameOf(user, slot));
  } catch {
    return null;
  }
}

function remember(user, slot, historyKey) {
  try {
    if (historyKey) sessionStorage.setItem(nameOf(user, slot), historyKey);
    else sessionStorage.removeItem(nameOf(user, slot));
  } catch {
    // Without storage, a reload finds the steps by the content that they lead to.
  }
}
