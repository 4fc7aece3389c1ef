// Talks to our own server in JSON; a request that gets no answer is told from one that is refused.

/** No answer: offline, timed out, or a server in trouble. Trying again is right. */
export class NoAnswer extends Error {}

const PATIENCE = 15_000;

/**
 * Asks as `<link rel=preload as=fetch>` does, without a header of its own, so that it is given what is on its way.
 * @param {string} url
 * @returns {Promise<any>}
 */
export async function getJSON(url) {
  const { status, data } = await ask(url, {}, 60_000);
  if (status !== 200) throw new Error(data?.error ?? `${status}`);
  return data;
}

/**
 * @param {string} url
 * @param {object} body
 * @returns {Promise<{status: number, data: any}>} whatever the server says below 500; NoAnswer otherwise
 */
export function postJSON(url, body) {
  return ask(url, posted(body), PATIENCE);
}

/**
 * As the window goes: nobody waits for the answer, and a browser sends no more than 64 KB so late.
 * @param {string} url
 * @param {object} body
 */
export function postLast(url, body) {
  fetch(url, { credentials: "same-origin", keepalive: true, ...posted(body) }).catch(() => undefined);
}

function posted(body) {
  const headers = { "Accept": "application/json", "Content-Type": "application/json", "X-CSRFToken": token() };
  if (user()) headers["X-Goldpan-User"] = user();
  return { method: "POST", headers, body: JSON.stringify(body) };
}

async function ask(url, options, patience) {
  try {
    const response = await fetch(url, {
      credentials: "same-origin", redirect: "manual", signal: AbortSignal.timeout(patience), ...options,
    });
    if (response.type === "opaqueredirect") return { status: 401, data: null };
    if (response.status >= 500 || response.status === 429) throw new NoAnswer(String(response.status));
    return { status: response.status, data: await body(response) };
  } catch (error) {
    throw error instanceof NoAnswer ? error : new NoAnswer(String(error));
  }
}

async function body(response) {
  const isJSON = (response.headers.get("Content-Type") ?? "").includes("json");
  return isJSON ? response.json() : null;
}

// Whose page this is: somebody else may have signed in in another tab since.
const user = () => document.querySelector('meta[name="goldpan-user"]')?.content ?? "";
const cookie = () => document.cookie.match(/(?:^|;\s*)csrftoken=([^;]+)/)?.[1];
// After signing in again in another tab the cookie is newer than the page.
export const token = () => cookie() ?? document.querySelector('meta[name="csrf-token"]')?.content ?? "";
