// Choices that this browser remembers. Where storage is forbidden or full, a choice holds for this page only.

/** @param {string} name @returns {string|null} */
export function remembered(name) {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

/** @param {string} name @param {string} value */
export function remember(name, value) {
  try {
    localStorage.setItem(name, value);
  } catch {}
}

/**
 * @template T
 * @param {string} name of a value stored as JSON
 * @param {T} otherwise where there is none, or none that can be read
 * @returns {T}
 */
export function rememberedJSON(name, otherwise) {
  try {
    return JSON.parse(remembered(name) ?? "null") ?? otherwise;
  } catch {
    return otherwise;
  }
}
