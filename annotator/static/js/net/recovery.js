// Finds the unsynced drafts and undo history that earlier windows of this browser stored for a page.

import { abandonedDrafts, adopt, contentOf, isAnythingOf } from "./drafts.js";
import { newHistoryKey, restoreHistory } from "./histories.js";
import { beforeAbort, holdWindowLock } from "./tab-lock.js";

// Milliseconds. What the database has not found by then comes when the page is open.
const TIMEOUT = 8000;

/**
 * @typedef {import("./drafts.js").Draft} Draft
 * @typedef {{user: string, slot: string, document: string}} Page
 * @typedef {object} Found
 * @property {Draft|null} mine the draft that this window continues
 * @property {Draft[]} others older drafts, which stay as they are
 * @property {{historyKey: string, stored: import("../core/history.js").StoredHistory|null}} history
 * @property {Promise<Draft[]>|null} late drafts found after the page has opened, of which this window adopted none
 * @property {boolean} isOutdated whether another window has saved something since the server gave the state
 */

/**
 * @param {Page} page
 * @param {import("../core/editor.js").Content & import("./drafts.js").Saved} state what the server has
 * @param {() => Promise<number>} newestRevision asks the server for its number
 * @returns {Promise<Found>}
 */
export async function findRecoverable(page, state, newestRevision) {
  const nothing = {
    mine: null,
    others: [],
    history: { historyKey: newHistoryKey(page.slot), stored: null },
    late: null,
    isOutdated: false,
  };
  const signal = AbortSignal.timeout(TIMEOUT);
  try {
    const asked = Promise.all([isAnythingOf(page.user, page.slot), holdWindowLock()]);
    const [isSomething] = await beforeAbort(asked, signal);
    // The usual case. Each step below waits for another process, and the page waits for all of them.
    if (!isSomething) return nothing;
    const { mine, others } = await adopt(page, signal, state);
    // A window that had a draft of the page may have sent it meanwhile.
    const newest = mine ? 0 : await beforeAbort(newestRevision(), signal).catch(() => 0);
    if (newest > state.revision) return { ...nothing, isOutdated: true };
    const restored = restoreHistory(page, (mine && contentOf(mine)) ?? state);
    const history = await beforeAbort(restored, AbortSignal.timeout(TIMEOUT)).catch(() => nothing.history);
    return { ...nothing, mine, others, history };
  } catch {
    return { ...nothing, late: abandonedDrafts(page).catch(() => []) };
  }
}
