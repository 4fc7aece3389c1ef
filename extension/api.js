// Requests to the Goldpan server, with the person's token.

import { load, originOf } from "./settings.js";
import { message } from "./words.js";

/** What the server or the connection says against a request, in words for the person. */
export class Refusal extends Error {}

export const corpora = () => ask("/corpora");
export const extractors = () => ask("/extractors");

/**
 * @param {string} corpus
 * @param {{html: string, url: string, note?: string}} page
 * @returns {Promise<{page: {sha256: string}, is_new: boolean}>}
 */
export function addPage(corpus, { html, url, note }) {
  const body = form(html);
  body.set("url", url);
  body.set("capture", "rendered");
  if (note) body.set("note", note);
  return ask(`/corpora/${encodeURIComponent(corpus)}/pages`, body);
}

/**
 * @param {string} html
 * @param {string} extractor
 * @returns {Promise<{nodes: object[]}>}
 */
export function extract(html, extractor) {
  const body = form(html);
  body.set("extractor", extractor);
  return ask("/extractions", body);
}

/**
 * Where a person sees the corpus.
 * @param {string} corpus
 */
export const corpusAddress = async (corpus) => `${await server()}/c/${encodeURIComponent(corpus)}/`;

const server = async () => (await load()).server.replace(/\/$/, "");

/** @param {string} html */
function form(html) {
  const body = new FormData();
  body.set("file", new Blob([html], { type: "text/html" }), "page.html");
  return body;
}

/**
 * @param {string} path
 * @param {FormData} [body]
 * @returns {Promise<any>}
 */
async function ask(path, body) {
  const address = await server();
  const { token } = await load();
  if (!address || !token) throw new Refusal(message("setUp"));
  let response;
  try {
    response = await fetch(`${address}/api/v1${path}`, {
      method: body ? "POST" : "GET",
      headers: { Authorization: `Bearer ${token}`, Accept: "application/json" },
      credentials: "omit",
      body,
    });
  } catch {
    const isAllowed = await chrome.permissions.contains({ origins: [originOf(address)] });
    throw new Refusal(isAllowed ? message("noAnswer", address) : message("noPermission"));
  }
  const data = await response.json().catch(() => null);
  if (response.ok && data) return data;
  if (response.status === 401) throw new Refusal(message("badToken"));
  throw new Refusal(data?.detail ?? data?.title ?? message("answered", response.status));
}
