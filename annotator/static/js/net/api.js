// JSON requests to our own server; no answer is distinguished from a refusal.

/** No answer: offline, timed out, or a server error. Retrying is right. */
export class NoAnswer extends Error {}

const TIMEOUT = 15_000;

/**
 * Sends no headers of its own, so that the browser answers from `<link rel=preload as=fetch>`.
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
 * @returns {Promise<{status: number, data: any}>} any response below 500; NoAnswer otherwise
 */
export function postJSON(url, body) {
  return ask(url, posted(body), TIMEOUT);
}

/**
 * As the window closes: the response is ignored, and the browser sends 64 KB at most.
 * @param {string} url
 * @param {object} body
 */
export function postLast(url, body) {
  fetch(url, { credentials: "same-origin", keepalive: true, ...posted(body) }).catch(() => undefined);
}

function posted(body) {
  const headers = { Accept: "application/json", "Content-Type": "application/json", "X-CSRFToken": token() };
  if (userKey()) headers["X-Goldpan-User"] = userKey();
  return { method: "POST", headers, body: JSON.stringify(body) };
}

async function ask(url, options, patience) {
  try {
    const response = await fetch(url, {
      credentials: "same-origin",
      redirect: "manual",
      signal: AbortSignal.timeout(patience),
      ...options,
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

/** The key of whom this page was made for: someone else may have signed in in another tab since. */
export const userKey = () => meta("goldpan-user");

const cookie = () => document.cookie.match(/(?:^|;\s*)csrftoken=([^;]+)/)?.[1];
// After signing in again in another tab the cookie is newer than the page.
export const token = () => cookie() ?? meta("csrf-token");

function meta(name) {
  /** @type {HTMLMetaElement|null} */
  const element = document.querySelector(`meta[name="${name}"]`);
  return element?.content ?? "";
}
