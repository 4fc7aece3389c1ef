// Finds the unsynced drafts and undo history that earlier windows of this browser stored for a page.

import { adopt, contentOf, isAnythingOf } from "./drafts.js";
import { newHistoryKey, restoreHistory } from "./histories.js";
import { holdWindowLock } from "./tab-lock.js";

// Milliseconds. If the database does not answer, the page opens without them.
const TIMEOUT = 3000;

/**
 * @param {{user: string, slot: string, document: string}} page
 * @param {import("../core/editor.js").Content} state what the server has
 * @returns {Promise<{mine: import("./drafts.js").Draft|null, others: import("./drafts.js").Draft[],
 *   history: {historyKey: string, stored: import("../core/history.js").StoredHistory|null}}>}
 */
export async function findRecoverable(page, state) {
  const nothing = { mine: null, others: [], history: { historyKey: newHistoryKey(page.slot), stored: null } };
  const found = lookedUp(page, state, nothing).catch(() => nothing);
  return Promise.race([
    found,
    new Promise((resolve) => {
      setTimeout(() => resolve(nothing), TIMEOUT);
    }),
  ]);
}

async function lookedUp(page, state, nothing) {
  const [isSomething] = await Promise.all([isAnythingOf(page.user, page.slot), holdWindowLock()]);
  // The usual case. Each step below waits for another process, and the page waits for all of them.
  if (!isSomething) return nothing;
  const { mine, others } = await adopt(page);
  return { mine, others, history: await restoreHistory(page, mine ? contentOf(mine) : state) };
}
