/**
 * A part of a screen as the server has it now.
 * @param {string} url
 * @param {string} selector of the part
 * @param {AbortSignal} [signal]
 * @returns {Promise<HTMLElement|null>} null where the server cannot be asked, or has no such part
 */
export async function fetched(url, selector, signal) {
  const html = await fetch(url, { signal })
    .then((response) => (response.ok ? response.text() : ""))
    .catch(() => "");
  return new DOMParser().parseFromString(html, "text/html").querySelector(selector);
}
