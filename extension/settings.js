// Where the server is and who asks: kept on this device, never synchronised.

/** @typedef {{server: string, token: string, corpus: string, extractor: string}} Settings */

const KEYS = ["server", "token", "corpus", "extractor"];

/** @returns {Promise<Settings>} */
export async function load() {
  const stored = await chrome.storage.local.get(KEYS);
  return { server: "", token: "", corpus: "", extractor: "goldpan", ...stored };
}

/** @param {Partial<Settings>} changed */
export const save = (changed) => chrome.storage.local.set(changed);

/**
 * The pattern of permissions for a server.
 * @param {string} server
 */
export const originOf = (server) => `${new URL(server).origin.replace(/:\d+$/, "")}/*`;
