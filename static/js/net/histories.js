// Steps of a page that can be undone, kept across reload and crash: each step once, when it is made.
//
// Each window keeps its own steps, in a place of its own that goes with the tab. A window that comes later takes up
// the place of one that is gone, or begins with a copy of the steps of one that is there.

import { aliveWindows, alone, windowName } from "./seat.js";
import { oneAtATime, read, under, write } from "./store.js";

/** @typedef {import("../core/editor.js").Content} Content */
/** @typedef {{user: string, slot: string|number, document: string}} Page the document's digest: steps over another text mean nothing */

/** All places of a page, and those of before there were several. @param {string} user @param {string|number} slot */
export const placesOf = (user, slot) => IDBKeyRange.bound([user, String(slot)], [user, `${slot}/\uffff`, []]);

/** @param {string|number} slot @returns {string} where this window keeps its steps if it finds none */
export const ownPlace = (slot) => `${slot}/${windowName}`;

/**
 * The steps that this window goes on with: its tab's own; else those that lead to what is shown, if there are any;
 * else the newest.
 * @param {Page} page
 * @param {Content} content what is shown first
 * @returns {Promise<{place: string, kept: import("../core/history.js").Kept|null}>}
 */
export function takeUpHistory({ user, slot, document }, content) {
  return alone(async () => {
    const [heads, alive] = [await headsOf(user, slot, document), await aliveWindows()];
    const best = chosen(heads, { content, alive, place: placeOfTab(user, slot) });
    const isFree = best && isGone(best, alive);
    if (isFree) await write((stores) => stores.heads.put({ ...best, window: windowName }));
    const place = isFree ? best.slot : ownPlace(slot);
    return { place, kept: best ? { ...(await stepsOf(best)), isCopy: !isFree } : null };
  });
}

/** What comes next in this tab is no longer what was done in it. @param {Page} page */
export function leavePlace({ user, slot }) {
  remember(user, slot, "");
}

/**
 * @param {Page & {place: string}} given
 * @param {import("../core/history.js").History} history
 * @returns {() => Promise<boolean>} keeps what is new in it
 */
export function historyKeep({ user, slot, document, place }, history) {
  const key = { user, slot: place };
  remember(user, slot, place);
  return oneAtATime(async () => {
    const { from, steps, position, present } = history.news();
    try {
      await write(({ heads, steps: all }) => {
        all.delete(IDBKeyRange.bound([user, place, from], [user, place, Infinity]));
        steps.forEach((step, i) => all.put({ ...key, number: from + i, step }));
        heads.put({
          ...key, document, window: windowName, kept_at: new Date().toISOString(),
          position, length: from + steps.length, present: JSON.stringify(present),
        });
      });
      return true;
    } catch {
      history.notKept();
      return false;
    }
  });
}

/** Those whose steps are all there. */
async function headsOf(user, slot, document) {
  const heads = (await read((stores) => stores.heads.getAll(placesOf(user, slot)))).filter((head) => head.document === document);
  const counts = await Promise.all(heads.map((head) => read(({ steps }) => steps.count(under(user, head.slot)))));
  return heads.filter((head, i) => counts[i] === head.length);
}

async function stepsOf({ user, slot, position, present }) {
  const steps = await read((stores) => stores.steps.getAll(under(user, slot)));
  return { present: JSON.parse(present), position, steps: steps.map(({ step }) => step) };
}

function chosen(heads, { content, alive, place }) {
  const wanted = named(content);
  const fit = (head) => [
    head.slot === place, named(JSON.parse(head.present)) === wanted, isGone(head, alive), head.kept_at ?? "",
  ];
  return heads.map((head) => ({ head, fit: fit(head) })).sort((a, b) => compared(b.fit, a.fit))[0]?.head ?? null;
}

function compared(a, b) {
  const at = a.findIndex((each, i) => each !== b[i]);
  return at < 0 ? 0 : a[at] > b[at] ? 1 : -1;
}

const named = ({ spans, verdict, reason, note }) => JSON.stringify([spans, verdict, reason, note]);

/** Whether nobody keeps steps there any more. */
const isGone = ({ window }, alive) => window === windowName || !alive.has(window);

const nameOf = (user, slot) => `goldpan.steps.${user}.${slot}`;

function placeOfTab(user, slot) {
  try {
    return sessionStorage.getItem(nameOf(user, slot));
  } catch {
    return null;
  }
}

function remember(user, slot, place) {
  try {
    if (place) sessionStorage.setItem(nameOf(user, slot), place);
    else sessionStorage.removeItem(nameOf(user, slot));
  } catch {
    // A browser that keeps nothing: after a reload the steps are found by what they lead to.
  }
}
