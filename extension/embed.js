// Puts style sheets and images in the place of a capture's placeholders.

/** Of one page, in bytes: a corpus takes 10 MB. */
const BUDGET = 9_000_000;
const LARGEST = 3_000_000;
const PATIENCE = 15_000;
const AT_ONCE = 6;
const DEEPEST = 5;
const IMPORT = /@import\s+(?:url\(\s*)?["']?([^"')\s;]+)["']?\s*\)?([^;]*);/gi;
const CSS_URL = /url\(\s*(?:"([^"]*)"|'([^']*)'|([^"')\s]*))\s*\)/gi;

/**
 * @param {{html: string, token: string, images: string[], sheets: string[], data: Record<string, string>}} capture
 * @returns {Promise<{html: string, missing: number}>} the file, and how many images and sheets are not in it
 */
export async function embedded(capture) {
  const sheets = await Promise.all(capture.sheets.map((address) => sheet(address)));
  const inSheets = sheets.flatMap((css) => (css === null ? [] : [...css.matchAll(CSS_URL)].map(addressIn)));
  const images = [...new Set([...capture.images, ...inSheets])];
  const data = new Map(Object.entries(capture.data));
  await inTurn(
    images.filter((address) => !data.has(address)),
    async (address) => {
      const found = await image(address);
      if (found) data.set(address, found);
    },
  );
  let left = BUDGET - new Blob([capture.html, ...sheets.map((css) => css ?? "")]).size;
  let missing = sheets.filter((css) => css === null).length;
  /** @param {string} address */
  const source = (address) => {
    const found = data.get(address);
    if (!found || found.length > left) {
      missing += 1;
      return address.startsWith("blob:") ? "data:," : address;
    }
    left -= found.length;
    return found;
  };
  const imported = new RegExp(`@import "${capture.token}-sheet-(\\d+)";`, "g");
  const html = capture.html.replace(imported, (_, number) => {
    const css = sheets[Number(number)];
    if (css === null) return `@import "${capture.sheets[Number(number)]}";`;
    return css.replace(CSS_URL, (...found) => `url("${source(addressIn(found))}")`).replaceAll("</", "<\\/");
  });
  const placeholder = new RegExp(`${capture.token}-image-(\\d+)`, "g");
  return { html: html.replace(placeholder, (_, number) => source(capture.images[Number(number)])), missing };
}

/** @param {ArrayLike<string>} found */
const addressIn = (found) => found[1] ?? found[2] ?? found[3];

/**
 * The text of a style sheet with whole addresses and with what it imports; null where it cannot be had.
 * @param {string} address
 * @param {number} [depth] how many sheets it is imported through
 * @returns {Promise<string|null>}
 */
async function sheet(address, depth = 0) {
  const response = await fetched(address);
  if (!response || !/css/.test(response.headers.get("Content-Type") ?? "css")) return null;
  const css = await response.text();
  const imports = [...css.matchAll(IMPORT)];
  const wanted = depth < DEEPEST ? imports : [];
  const found = await Promise.all(wanted.map(([, name]) => sheet(absolute(name, address), depth + 1)));
  const imported = wanted.map(([, , media], index) => {
    const rules = found[index] ?? "";
    return media.trim() ? `@media ${media.trim()} {${rules}}` : rules;
  });
  const own = css.replace(IMPORT, "");
  return `${imported.join("\n")}${own.replace(CSS_URL, (...each) => `url("${absolute(addressIn(each), address)}")`)}`;
}

/**
 * @param {string} address
 * @returns {Promise<string|null>} the image as a `data:` address
 */
async function image(address) {
  if (!/^https?:/i.test(address)) return null;
  const blob = await (await fetched(address))?.blob();
  if (!blob?.size || blob.size > LARGEST || !blob.type.startsWith("image/")) return null;
  const bytes = new Uint8Array(await blob.arrayBuffer());
  let binary = "";
  for (let start = 0; start < bytes.length; start += 0x8000) {
    binary += String.fromCharCode(...bytes.subarray(start, start + 0x8000));
  }
  return `data:${blob.type.split(";")[0]};base64,${btoa(binary)}`;
}

/**
 * @param {string} address
 * @returns {Promise<Response|null>} null where there is no answer, or no permission to ask
 */
async function fetched(address) {
  try {
    const response = await fetch(address, { cache: "force-cache", signal: AbortSignal.timeout(PATIENCE) });
    return response.ok ? response : null;
  } catch {
    return null;
  }
}

/**
 * @param {string} address
 * @param {string} base
 */
function absolute(address, base) {
  try {
    return new URL(address, base).href;
  } catch {
    return "data:,";
  }
}

/**
 * @template T
 * @param {T[]} items
 * @param {(item: T) => Promise<void>} work
 */
async function inTurn(items, work) {
  const waiting = [...items];
  const worker = async () => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}
