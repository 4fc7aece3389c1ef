// What waits in this browser, under `goldpan.<user key>.<slot>`: changes that the server has not acknowledged.
// The sign-out page lists and wipes it; home says what waits.

const PREFIX = "goldpan.";

/** @param {string} userKey @param {string|number} slot */
export const keyOf = (userKey, slot) => `${PREFIX}${userKey}.${slot}`;

/**
 * @param {string} key
 * @param {object|null} value null: nothing waits any more
 * @returns {boolean} false when the browser would not keep it (full, or private mode)
 */
export function keep(key, value) {
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, JSON.stringify({ ...value, kept_at: new Date().toISOString() }));
    return true;
  } catch {
    return false;
  }
}

/** @param {string} key @returns {any} what was kept, or null */
export function recall(key) {
  try {
    return JSON.parse(localStorage.getItem(key) ?? "null");
  } catch {
    return null;
  }
}

/**
 * All that waits of one user.
 * @param {string} userKey
 * @returns {Array<{key: string, slot: string, url: string, title: string, changes: number, kept_at: string}>}
 */
export function waiting(userKey) {
  const start = `${PREFIX}${userKey}.`;
  return keys().filter((key) => key.startsWith(start)).map((key) => {
    const { url = "", title = "", changes = 0, kept_at = "" } = recall(key) ?? {};
    return { key, slot: key.slice(start.length), url, title, changes, kept_at };
  });
}

/** Wipe all that is kept under a user's key. @param {string} userKey @returns {number} how many */
export function wipe(userKey) {
  const found = waiting(userKey);
  for (const { key } of found) localStorage.removeItem(key);
  return found.length;
}

function keys() {
  try {
    return Object.keys(localStorage);
  } catch {
    return [];
  }
}
