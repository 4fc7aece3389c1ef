// What earlier windows left of a page in this browser; nothing where the browser keeps nothing.

import { adopt, contentOf, isAnythingOf } from "./drafts.js";
import { ownPlace, takeUpHistory } from "./histories.js";
import { live } from "./seat.js";

// A page is opened all the same when the database does not answer.
const PATIENCE = 3000;

/**
 * @param {{user: string, slot: string, document: string}} page
 * @param {import("../core/editor.js").Content} state what the server has
 * @returns {Promise<{mine: import("./drafts.js").Draft|null, others: import("./drafts.js").Draft[],
 *   history: {place: string, kept: import("../core/history.js").Kept|null}}>}
 */
export async function leftOn(page, state) {
  const nothing = { mine: null, others: [], history: { place: ownPlace(page.slot), kept: null } };
  const found = lookedUp(page, state, nothing).catch(() => nothing);
  return Promise.race([found, new Promise((resolve) => { setTimeout(() => resolve(nothing), PATIENCE); })]);
}

async function lookedUp(page, state, nothing) {
  const [isSomething] = await Promise.all([isAnythingOf(page.user, page.slot), live()]);
  // As a rule: each step below waits for another process, and the page waits for all of them.
  if (!isSomething) return nothing;
  const { mine, others } = await adopt(page);
  return { mine, others, history: await takeUpHistory(page, mine ? contentOf(mine) : state) };
}
