// What earlier windows left of a page in this browser; nothing where the browser keeps nothing.

import { adopt } from "./drafts.js";
import { keptHistory } from "./histories.js";
import { live } from "./seat.js";

// A page is opened all the same when the database does not answer.
const PATIENCE = 3000;
const NOTHING = { mine: null, others: [], history: null };

/**
 * @param {{user: string, slot: string, document: string}} page
 * @returns {Promise<{mine: import("./drafts.js").Draft|null, others: import("./drafts.js").Draft[],
 *   history: import("../core/history.js").Kept|null}>}
 */
export async function leftOn({ user, slot, document }) {
  const found = lookedUp(user, slot, document).catch(() => NOTHING);
  return Promise.race([found, new Promise((resolve) => { setTimeout(() => resolve(NOTHING), PATIENCE); })]);
}

async function lookedUp(user, slot, document) {
  await live();
  const { mine, others } = await adopt({ user, slot, document });
  return { mine, others, history: await keptHistory(user, slot, document) };
}
