// A release as a folder that opens from disk: lists, shows, searches and verifies its pages. A classic script, because
// browsers load no modules and fetch no files from file://: data come as scripts that call `goldpan`.

(() => {
  /** @typedef {{sha256: string, title: string, url: string, site: string, language: string, verdict: string, split: string, chunk: number}} Row */
  /** @typedef {{sha256: string, text: string, gold: string}} Page */
  /** @typedef {{title: string, sha256: string, labels: [string, string, number][], chunks: number}} Release */
  /** @typedef {[number, number, string, string]} Interval */

  const LISTED = 200;
  const CACHED = 6;
  const TITLE_LENGTH = 120;

  /** @type {Release} */
  let release;
  let manifest = "";
  /** @type {Row[]} */
  const rows = [];
  /** @type {Map<number, Page[]>} */
  const chunks = new Map();
  /** @type {Map<string, string>} What is wrong with a page, by its digest; "" if it was verified. */
  const verified = new Map();
  let shown = LISTED;
  let current = "";

  Object.assign(window, {
    goldpan: {
      /** @param {Release} found */
      release(found) {
        release = found;
      },
      /** @param {string} found */
      manifest(found) {
        manifest = found;
      },
      /** @param {(string | number)[][]} found */
      index(found) {
        for (const [sha256, title, url, site, language, verdict, split, chunk] of found)
          rows.push(/** @type {Row} */ ({ sha256, title, url, site, language, verdict, split, chunk }));
      },
      /** @param {number} number @param {Page[]} found */
      pages(number, found) {
        chunks.set(number, found);
      },
    },
  });

  // ---- SHA-256 ----

  const ROUNDS = new Uint32Array([
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98,
    0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786,
    0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8,
    0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13,
    0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819,
    0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a,
    0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7,
    0xc67178f2,
  ]);

  /** FIPS 180-4, for browsers that have no crypto.subtle on file://. @param {Uint8Array} data */
  function sha256ByHand(data) {
    const state = new Uint32Array([
      0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
    ]);
    const padded = new Uint8Array(((data.length + 72) >> 6) << 6);
    padded.set(data);
    padded[data.length] = 0x80;
    const view = new DataView(padded.buffer);
    view.setUint32(padded.length - 8, Math.floor(data.length / 0x20000000));
    view.setUint32(padded.length - 4, data.length << 3);
    const words = new Uint32Array(64);
    const turned = (/** @type {number} */ x, /** @type {number} */ n) => (x >>> n) | (x << (32 - n));
    for (let at = 0; at < padded.length; at += 64) {
      for (let i = 0; i < 16; i++) words[i] = view.getUint32(at + 4 * i);
      for (let i = 16; i < 64; i++) {
        const [a, b] = [words[i - 15], words[i - 2]];
        const [first, second] = [turned(a, 7) ^ turned(a, 18) ^ (a >>> 3), turned(b, 17) ^ turned(b, 19) ^ (b >>> 10)];
        words[i] = words[i - 16] + first + words[i - 7] + second;
      }
      let [a, b, c, d, e, f, g, h] = state;
      for (let i = 0; i < 64; i++) {
        const sum = turned(e, 6) ^ turned(e, 11) ^ turned(e, 25);
        const one = (h + sum + ((e & f) ^ (~e & g)) + ROUNDS[i] + words[i]) | 0;
        const two = ((turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
        [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
      }
      for (const [i, value] of [a, b, c, d, e, f, g, h].entries()) state[i] += value;
    }
    return [...state].map((word) => word.toString(16).padStart(8, "0")).join("");
  }

  /** @param {string} text */
  async function sha256(text) {
    const data = new TextEncoder().encode(text);
    if (!globalThis.crypto?.subtle) return sha256ByHand(data);
    const digest = await crypto.subtle.digest("SHA-256", data);
    return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  }

  // ---- data ----

  /** @param {number} number @returns {Promise<Page[]>} empty if the file cannot be read */
  async function chunk(number) {
    if (!chunks.has(number)) {
      await new Promise((done) => {
        const script = document.createElement("script");
        script.src = `data/pages-${String(number).padStart(4, "0")}.js`;
        script.onload = script.onerror = done;
        document.head.append(script);
        script.remove();
      });
      while (chunks.size > CACHED) chunks.delete(/** @type {number} */ (chunks.keys().next().value));
    }
    return chunks.get(number) ?? [];
  }

  /** The title as the list has it: the first headline, else the first line. @param {Page} page */
  function titleOf(page) {
    const points = Array.from(page.text);
    const [first, ...others] = intervalsOf(page).filter(([, , label]) => label === "headline");
    let [start, end] = first ?? [0, points.length];
    // Marks that touch are one headline, though they came from different decisions.
    for (const [from, to] of others) if (from <= end) end = Math.max(end, to);
    const text = points.slice(start, end).join("");
    return Array.from(text.split("\n")[0]).slice(0, TITLE_LENGTH).join("");
  }

  /** @param {Page} page @returns {Interval[]} */
  const intervalsOf = (page) => JSON.parse(page.gold).spans;

  /** What does not agree with the manifest; "" if all does. @param {Row} row @param {Page | undefined} page @param {any} entry */
  async function problemOf(row, page, entry) {
    if (!entry) return "it is not in the manifest";
    if (!page) return "its file cannot be read";
    if ((await sha256(page.text)) !== entry.document) return "its text differs";
    if ((await sha256(page.gold)) !== entry.gold) return "its marks differ";
    const length = Array.from(page.text).length;
    if (intervalsOf(page).some(([start, end]) => start < 0 || end > length)) return "its marks do not fit its text";
    const stated = row.verdict === entry.verdict && row.split === entry.split && row.title === titleOf(page);
    return stated ? "" : "its line in the list differs";
  }

  async function verify() {
    const found = await sha256(manifest);
    if (found !== release.sha256) {
      say(`The manifest differs: its SHA-256 is ${found}.`, "bad");
      return;
    }
    const entries = new Map(JSON.parse(manifest).pages.map((/** @type {any} */ entry) => [entry.sha256, entry]));
    for (const [at, row] of rows.entries()) {
      const page = (await chunk(row.chunk)).find((each) => each.sha256 === row.sha256);
      verified.set(row.sha256, await problemOf(row, page, entries.get(row.sha256)));
      mark(row.sha256);
      if (at % 20 === 0) say(`Verifying: ${at + 1} of ${rows.length} pages`, "live");
    }
    const bad = [...verified.values()].filter(Boolean).length;
    const gone = entries.size - rows.length;
    const rest = gone > 0 ? ` ${gone} of the manifest’s pages are not here: see takedowns.json.` : "";
    if (bad) say(`${bad} of ${rows.length} pages do not agree with the manifest.${rest}`, "bad");
    else say(`All ${rows.length} pages verified: each text and mark agrees with the manifest.${rest}`, "gold");
    if (current) show(current);
  }

  // ---- screen ----

  /** @param {string} id */
  const part = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

  /** @param {string} tag @param {string} text @param {Record<string, string>} attributes */
  function element(tag, text = "", attributes = {}) {
    const made = document.createElement(tag);
    made.textContent = text;
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    return made;
  }

  /** @param {string} words @param {string} kind */
  function say(words, kind) {
    part("status").replaceChildren(element("span", words, { class: `badge sentence ${kind}` }));
  }

  /** @param {string} digest */
  function mark(digest) {
    const item = document.querySelector(`[data-page="${digest}"] .state`);
    if (item) item.className = `state ${verified.get(digest) ? "bad" : "good"}`;
  }

  /** @param {Row[]} found */
  function list(found) {
    const items = found.slice(0, shown).map((row) => {
      const link = element("a", "", { href: `#${row.sha256}`, "data-page": row.sha256 });
      link.append(
        element("span", row.title || row.sha256, { dir: "auto", lang: row.language }),
        element("span", "", { class: "state", "aria-hidden": "true" }),
      );
      link.append(element("small", [row.site, row.language, row.verdict, row.split].filter(Boolean).join(" · ")));
      const item = document.createElement("li");
      item.append(link);
      return item;
    });
    part("list").replaceChildren(...items);
    for (const row of found.slice(0, shown)) if (verified.has(row.sha256)) mark(row.sha256);
    part("count").textContent =
      found.length === rows.length ? `${rows.length} pages` : `${found.length} of ${rows.length} pages`;
    part("more").hidden = found.length <= shown;
    choose();
  }

  function choose() {
    for (const link of document.querySelectorAll("[data-page]"))
      if (link.getAttribute("data-page") === current) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
  }

  let search = 0;

  /** A text without regard to case and accents. */
  const folded = (/** @type {string} */ text) =>
    text
      .normalize("NFD")
      .replace(/[\u0300-\u036f]/g, "")
      .toUpperCase();

  /** Look through titles and addresses at once, then through the texts. */
  async function find() {
    const own = ++search;
    const sought = /** @type {HTMLInputElement} */ (part("search")).value.trim();
    const split = /** @type {HTMLSelectElement} */ (part("split")).value;
    const inSplit = rows.filter((row) => !split || row.split === split);
    const words = folded(sought);
    const says = (/** @type {string} */ text) => folded(text).includes(words);
    const digest = sought.toLowerCase();
    const found = new Set(inSplit.filter((row) => says(row.title) || says(row.url) || row.sha256.startsWith(digest)));
    list([...found]);
    if (!sought) return;
    for (let number = 0; number < release.chunks; number++) {
      const texts = new Map((await chunk(number)).map((page) => [page.sha256, page.text]));
      if (own !== search) return;
      for (const row of inSplit) if (row.chunk === number && says(texts.get(row.sha256) ?? "")) found.add(row);
    }
    list(inSplit.filter((row) => found.has(row)));
  }

  /** @param {string} digest */
  async function show(digest) {
    const row = rows.find((each) => each.sha256 === digest);
    part("datasheet").hidden = Boolean(row);
    part("page").hidden = !row;
    current = row ? digest : "";
    choose();
    if (!row) return;
    const page = (await chunk(row.chunk)).find((each) => each.sha256 === digest);
    if (current !== digest) return;
    part("page").replaceChildren(...head(row, page), ...(page ? [textOf(page, row.language)] : []));
    part("page").querySelector("h2")?.focus();
  }

  /** @param {Row} row @param {Page | undefined} page */
  function head(row, page) {
    const facts = element("p", [row.url, row.language, row.verdict, row.split].filter(Boolean).join(" · "), {
      class: "meta",
    });
    const problem = verified.get(row.sha256);
    const words = problem
      ? `Does not agree with the manifest: ${problem}.`
      : problem === ""
        ? "Verified"
        : "Not verified yet";
    const kind = problem ? "bad" : problem === "" ? "gold" : "half";
    const state = element("p");
    state.append(element("span", words, { class: `badge sentence ${kind}` }));
    const labels = element("p", "", { class: "legend" });
    const used = new Set(page ? intervalsOf(page).map(([, , label]) => label) : []);
    for (const [name, title, number] of release.labels)
      if (used.has(name)) labels.append(element("span", title, { class: "label", "data-n": String(number) }), " ");
    return [
      element("h2", row.title || row.sha256, { dir: "auto", lang: row.language, tabindex: "-1" }),
      facts,
      state,
      labels,
      element("code", row.sha256, { class: "digest" }),
    ];
  }

  /** The canonical text in its blocks, with the marks. @param {Page} page @param {string} language */
  function textOf(page, language) {
    const article = element("article", "", { class: "text", lang: language });
    const points = Array.from(page.text);
    const numbers = new Map(release.labels.map(([name, , number]) => [name, String(number)]));
    const intervals = intervalsOf(page);
    let at = 0;
    for (const block of page.text.split("\n\n")) {
      const end = at + Array.from(block).length;
      const paragraph = element("p", "", { dir: "auto" });
      let position = at;
      for (const [from, to, label] of intervals) {
        const [first, last] = [Math.max(from, at), Math.min(to, end)];
        if (first >= last) continue;
        paragraph.append(points.slice(position, first).join(""));
        const marked = { "data-n": numbers.get(label) ?? "0", title: label };
        paragraph.append(element("mark", points.slice(first, last).join(""), marked));
        position = last;
      }
      paragraph.append(points.slice(position, end).join(""));
      article.append(paragraph);
      at = end + 2;
    }
    return article;
  }

  function start() {
    if (!release) {
      say("data/index.js cannot be read.", "bad");
      return;
    }
    const splits = [...new Set(rows.map((row) => row.split))];
    for (const split of splits) part("split").append(element("option", split));
    part("search").addEventListener("input", find);
    part("split").addEventListener("change", find);
    part("more").addEventListener("click", () => {
      shown += LISTED;
      find();
    });
    part("theme").addEventListener("click", () => {
      const root = document.documentElement;
      const isDark = root.dataset.theme
        ? root.dataset.theme === "dark"
        : matchMedia("(prefers-color-scheme: dark)").matches;
      root.dataset.theme = isDark ? "light" : "dark";
    });
    addEventListener("hashchange", () => show(location.hash.slice(1)));
    list(rows);
    show(location.hash.slice(1));
    verify();
  }

  document.addEventListener("DOMContentLoaded", start);
  Object.assign(/** @type {any} */ (window).goldpan, { sha256ByHand });
})();
