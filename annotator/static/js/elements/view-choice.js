// Which view of a page a person chose in this browser, so that the page opens in it again.

import { remember, rememberedJSON } from "../dom/remembered.js";
import { userKey } from "../net/api.js";

/** @typedef {"page"|"reading"} View */

const STORAGE_KEY = "views";
// The choices for the pages that were looked at last.
const MOST = 500;

/** @param {string} sha256 of the document @returns {View|null} */
export function chosenView(sha256) {
  const view = read()[keyOf(sha256)];
  return view === "page" || view === "reading" ? view : null;
}

/** @param {string} sha256 @param {View} view */
export function rememberView(sha256, view) {
  const { [keyOf(sha256)]: _before, ...others } = read();
  const kept = [...Object.entries(others), [keyOf(sha256), view]].slice(-MOST);
  remember(STORAGE_KEY, JSON.stringify(Object.fromEntries(kept)));
}

/** @returns {Record<string, string>} */
const read = () => rememberedJSON(STORAGE_KEY, {});

const keyOf = (sha256) => `${userKey()}.${sha256.slice(0, 16)}`;
