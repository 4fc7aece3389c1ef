// Uploads files in parts, one after the other: a part that was lost on its way is sent again.

import { NoAnswer, postJSON, token } from "./api.js";
import { pause } from "./pause.js";

const ATTEMPTS = 5;
const PAUSE = 1000;

/** What the server refused; the message is its own. */
export class Refused extends Error {}

/**
 * @typedef {object} NamedFile
 * @property {string} name with its folders
 * @property {Blob} blob
 */

/**
 * @param {NamedFile[]} files
 * @param {{start: string, partBytes: number, signal: AbortSignal, progress: (sent: number) => void}} how
 * @returns {Promise<string>} the address of the import's screen; rejects with Refused or NoAnswer
 */
export async function upload(files, how) {
  const begun = await ask(how.start, {}, how.signal);
  let sent = 0;
  for (const { name, blob } of files) {
    const { parts } = await ask(begun.files, { name, size: blob.size }, how.signal);
    await sendParts(parts, blob, how, (received) => how.progress(sent + received));
    sent += blob.size;
  }
  return (await ask(begun.ready, {}, how.signal)).screen;
}

async function sendParts(url, blob, how, progress) {
  let offset = 0;
  while (offset < blob.size) {
    offset = await sendPart(`${url}?offset=${offset}`, blob.slice(offset, offset + how.partBytes), how.signal);
    progress(offset);
  }
}

/** @returns {Promise<number>} how many bytes the server has now */
async function sendPart(url, part, signal, attempt = 1) {
  try {
    const response = await fetch(url, {
      method: "POST",
      headers: { Accept: "application/json", "Content-Type": "application/octet-stream", "X-CSRFToken": token() },
      body: part,
      signal,
    });
    if (response.status >= 500 || response.status === 408 || response.status === 429)
      throw new NoAnswer(`${response.status}`);
    const data = await response.json().catch(() => ({}));
    // The answer to an earlier attempt was lost: go on after what has arrived.
    if (typeof data.received === "number") return data.received;
    throw new Refused(data.error ?? `${response.status}`);
  } catch (error) {
    if (error instanceof Refused || signal.aborted || attempt === ATTEMPTS) throw error;
    await pause(PAUSE * attempt);
    return sendPart(url, part, signal, attempt + 1);
  }
}

async function ask(url, body, signal) {
  signal.throwIfAborted();
  const { status, data } = await postJSON(url, body);
  if (status >= 400) throw new Refused(data?.error ?? `${status}`);
  return data;
}
