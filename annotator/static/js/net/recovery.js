// Finds the unsynced drafts and undo history that earlier windows of this browser stored for a page.

import { adopt, contentOf, isAnythingOf } from "./drafts.js";
import { newHistoryKey, restoreHistory } from "./histories.js";
import { holdWindowLock } from "./tab-lock.js";

// Milliseconds. If the database does not answer, the page opens without them.
const TIMEOUT = 15_000;

/**
 * What the database says only after the page has opened is not adopted: this window's own changes are stored where it
 * would be. It is offered like the drafts of other windows.
 * @param {{user: string, slot: string, document: string}} page
 * @param {import("../core/editor.js").Content} state what the server has
 * @returns {Promise<{mine: import("./drafts.js").Draft|null, others: import("./drafts.js").Draft[],
 *   history: {historyKey: string, stored: import("../core/history.js").StoredHistory|null},
 *   later?: Promise<import("./drafts.js").Draft[]>}>} `later`: those that were not found in time
 */
export async function findRecoverable(page, state) {
  const nothing = { mine: null, others: [], history: { historyKey: newHistoryKey(page.slot), stored: null } };
  let isLate = false;
  let isAdopting = false;
  const mayAdopt = () => {
    isAdopting = !isLate;
    return isAdopting;
  };
  const found = lookedUp(page, state, nothing, mayAdopt).catch(() => nothing);
  const late = new Promise((resolve) => {
    setTimeout(() => resolve(null), TIMEOUT);
  });
  const inTime = await Promise.race([found, late]);
  if (inTime || isAdopting) return found;
  isLate = true;
  return { ...nothing, later: found.then(({ others }) => others) };
}

async function lookedUp(page, state, nothing, mayAdopt) {
  const [isSomething] = await Promise.all([isAnythingOf(page.user, page.slot), holdWindowLock()]);
  // The usual case. Each step below waits for another process, and the page waits for all of them.
  if (!isSomething) return nothing;
  const { mine, others } = await adopt(page, mayAdopt);
  return { mine, others, history: await restoreHistory(page, mine ? contentOf(mine) : state) };
}
