// Steps of a page that can be undone, kept across reload and crash: each step once, when it is made.

import { oneAtATime, read, under, write } from "./store.js";

/**
 * @param {string} user
 * @param {string|number} slot
 * @param {string} document its digest: steps over another text mean nothing
 * @returns {Promise<import("../core/history.js").Kept|null>}
 */
export async function keptHistory(user, slot, document) {
  const [head, steps] = await Promise.all([
    read(({ heads }) => heads.get([user, String(slot)])), read(({ steps: all }) => all.getAll(under(user, String(slot)))),
  ]);
  if (!head || head.document !== document || steps.length !== head.length) return null;
  return { present: JSON.parse(head.present), position: head.position, steps: steps.map(({ step }) => step) };
}

/**
 * @param {{user: string, slot: string|number, document: string}} given
 * @param {import("../core/history.js").History} history
 * @returns {() => Promise<boolean>} keeps what is new in it
 */
export function historyKeep({ user, slot, document }, history) {
  const key = { user, slot: String(slot) };
  return oneAtATime(async () => {
    const { from, steps, position, present } = history.news();
    try {
      await write(({ heads, steps: all }) => {
        all.delete(IDBKeyRange.bound([user, key.slot, from], [user, key.slot, Infinity]));
        steps.forEach((step, i) => all.put({ ...key, number: from + i, step }));
        heads.put({ ...key, document, position, length: from + steps.length, present: JSON.stringify(present) });
      });
      return true;
    } catch {
      history.notKept();
      return false;
    }
  });
}
