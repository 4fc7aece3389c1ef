// The page as its reader sees it, as one HTML file: the live tree with its shadow roots, what the style sheets say now,
// and the images that are shown. No script is in it, and nothing that was typed into the page.
//
// Injected into the page before `paint.js`, which finds the text nodes of the last capture. Addresses of images are
// placeholders at first: the background script may fetch what the page itself may not.

{
  const DROPPED = new Set(["script", "noscript", "template", "base", "source", "track", "object", "embed", "applet"]);
  const VOID = new Set("area base br col embed hr img input link meta param source track wbr".split(" "));
  const RAW_TEXT = new Set(["style", "xmp", "iframe", "noembed", "noframes", "plaintext"]);
  // Where a tree of its own may be declared: see `attachShadow` in the DOM standard.
  const HOSTS = new Set(
    "article aside blockquote body div footer h1 h2 h3 h4 h5 h6 header main nav p section span".split(" "),
  );
  const ADDRESSES = new Set(["src", "href", "poster", "background", "action", "cite", "longdesc"]);
  // What was typed, and what only the page's own scripts and sheets are checked by.
  const SECRET = new Set(["value", "nonce", "integrity"]);
  const CSS_URL = /url\(\s*(?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|([^"')\s]*))\s*\)/gi;
  const MARK = "<!-- Page saved with Goldpan -->";

  /**
   * @typedef {{nodes: Text[], text: string}} Run Neighbouring text nodes, which are one once the file is parsed.
   * @typedef {{html: string, url: string, token: string, images: string[], sheets: string[],
   *   data: Record<string, string>}} Capture `TOKEN-image-N` and `TOKEN-sheet-N` stand for addresses that are still to
   *   be fetched; `data` has what was already, by address.
   */

  class Writer {
    token = `goldpan-${crypto.randomUUID()}`;
    /** @type {string[]} */
    parts = [];
    /** @type {Run[]} */
    runs = [];
    /** @type {Map<string, number>} */
    images = new Map();
    /** @type {Map<string, number>} */
    sheets = new Map();

    /** @param {ParentNode & Node} parent */
    children(parent) {
      /** @type {Text[]} */
      let texts = [];
      for (const child of parent.childNodes) {
        if (child instanceof Text) texts.push(child);
        else if (child instanceof Element && !DROPPED.has(child.localName)) {
          this.run(texts, parent);
          texts = [];
          this.element(child);
        }
      }
      this.run(texts, parent);
    }

    /**
     * @param {Text[]} nodes
     * @param {Node} parent
     */
    run(nodes, parent) {
      const text = nodes.map((node) => node.data).join("");
      if (!text) return;
      if (parent instanceof Element && RAW_TEXT.has(parent.localName)) return;
      // The parser drops the first newline of these.
      const eaten = parent instanceof Element && /^(?:pre|textarea|listing)$/.test(parent.localName);
      const isFirst = nodes[0] === parent.firstChild;
      this.parts.push(eaten && isFirst && text.startsWith("\n") ? "\n" : "", escaped(text));
      this.runs.push({ nodes, text });
    }

    /** @param {Element} element */
    element(element) {
      const tag = element.localName;
      if (tag === "link") return this.link(/** @type {HTMLLinkElement} */ (element));
      if (tag === "style") return this.sheet(/** @type {HTMLStyleElement} */ (element).sheet);
      if (tag === "meta" && !isKept(/** @type {HTMLMetaElement} */ (element))) return undefined;
      if (tag === "canvas") return this.canvas(/** @type {HTMLCanvasElement} */ (element));
      this.parts.push(`<${tag}${this.attributes(element)}>`);
      if (VOID.has(tag)) return undefined;
      this.shadow(element);
      if (tag !== "iframe") this.children(element);
      if (tag === "head") for (const sheet of document.adoptedStyleSheets) this.sheet(sheet);
      this.parts.push(`</${tag}>`);
      return undefined;
    }

    /** @param {Element} element */
    shadow(element) {
      const root = shadowRootOf(element);
      if (!root || !(HOSTS.has(element.localName) || element.localName.includes("-"))) return;
      this.parts.push('<template shadowrootmode="open">');
      for (const sheet of root.adoptedStyleSheets) this.sheet(sheet);
      this.children(root);
      this.parts.push("</template>");
    }

    /** @param {Element} element */
    attributes(element) {
      const written = [];
      const source = element instanceof HTMLImageElement ? element.currentSrc || element.src : "";
      for (const { name, value } of element.attributes) {
        if (/^on/i.test(name) || /^(?:srcset|sizes|ping|srcdoc)$/.test(name) || !/^[^\s"'<>/=]+$/.test(name)) continue;
        if (SECRET.has(name) && (element instanceof HTMLInputElement ? !isButton(element) : name !== "value")) continue;
        if (name === "src" && !(element instanceof HTMLInputElement)) continue;
        written.push(` ${name}="${quoted(this.value(name, value))}"`);
      }
      if (source) written.push(` src="${quoted(this.image(source))}"`);
      return written.join("");
    }

    /**
     * @param {string} name
     * @param {string} value
     */
    value(name, value) {
      if (name === "style") return this.css(value, document.baseURI);
      if (name === "poster" || name === "background") return this.image(absolute(value, document.baseURI));
      return ADDRESSES.has(name) ? absolute(value, document.baseURI) : value;
    }

    /** @param {HTMLLinkElement} link */
    link(link) {
      if (/\bstylesheet\b/i.test(link.rel) && !link.disabled && link.sheet) this.sheet(link.sheet);
      else if (/\b(?:canonical|alternate|amphtml|author|next|prev)\b/i.test(link.rel)) {
        this.parts.push(`<link${this.attributes(link)}>`);
      }
    }

    /** @param {HTMLCanvasElement} canvas */
    canvas(canvas) {
      let drawn = "";
      try {
        drawn = canvas.toDataURL("image/webp", 0.8);
      } catch {
        // It shows an image of another site, and nobody may read it.
      }
      this.parts.push(`<img${this.attributes(canvas)} src="${quoted(drawn || "data:,")}">`);
    }

    /** @param {CSSStyleSheet|null} sheet */
    sheet(sheet) {
      if (!sheet || sheet.disabled) return;
      const media = sheet.media.mediaText ? ` media="${quoted(sheet.media.mediaText)}"` : "";
      // An end tag inside a string would end the element: CSS has an escape for it.
      this.parts.push(`<style${media}>`, this.rules(sheet).replaceAll("</", "<\\/"), "</style>");
    }

    /**
     * @param {CSSStyleSheet} sheet
     * @returns {string}
     */
    rules(sheet) {
      let rules;
      try {
        rules = sheet.cssRules;
      } catch {
        return sheet.href ? `@import "${numbered(this.sheets, sheet.href, `${this.token}-sheet`)}";` : "";
      }
      const base = sheet.href ?? document.baseURI;
      return Array.from(rules, (rule) => {
        if (!(rule instanceof CSSImportRule)) return this.css(rule.cssText, base);
        const inside = rule.styleSheet ? this.rules(rule.styleSheet) : "";
        return rule.media.mediaText ? `@media ${rule.media.mediaText} {${inside}}` : inside;
      }).join("\n");
    }

    /**
     * @param {string} css
     * @param {string} base the address that its addresses are relative to
     */
    css(css, base) {
      return css.replace(CSS_URL, (_, double, single, bare) => {
        const address = absolute((double ?? single ?? bare).replace(/\\(.)/g, "$1"), base);
        return `url("${this.image(address)}")`;
      });
    }

    /** @param {string} address */
    image(address) {
      if (/^data:/i.test(address)) return address.replaceAll('"', "%22");
      return /^(?:https?|blob):/i.test(address) ? numbered(this.images, address, `${this.token}-image`) : "data:,";
    }
  }

  /**
   * @param {Map<string, number>} known
   * @param {string} address
   * @param {string} prefix
   */
  function numbered(known, address, prefix) {
    const number = known.get(address) ?? known.size;
    known.set(address, number);
    return `${prefix}-${number}`;
  }

  /** @param {HTMLMetaElement} meta */
  const isKept = (meta) => !meta.httpEquiv && !meta.hasAttribute("charset");
  /** @param {HTMLInputElement} input */
  const isButton = (input) => /^(?:button|submit|reset)$/.test(input.type);
  /** @param {string} text */
  const escaped = (text) =>
    text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll("\r", "&#13;");
  /** @param {string} text */
  const quoted = (text) => text.replaceAll("&", "&amp;").replaceAll('"', "&quot;");

  /**
   * @param {string} address
   * @param {string} base
   */
  function absolute(address, base) {
    try {
      return new URL(address, base).href;
    } catch {
      return address;
    }
  }

  /**
   * Closed ones too: the reader sees what is in them. Chromium has a function for it, Firefox a property of elements.
   * @param {Element & {openOrClosedShadowRoot?: ShadowRoot|null}} element
   * @returns {ShadowRoot|null}
   */
  function shadowRootOf(element) {
    const api = globalThis.chrome?.dom;
    if (api?.openOrClosedShadowRoot && element instanceof HTMLElement) return api.openOrClosedShadowRoot(element);
    return element.openOrClosedShadowRoot ?? element.shadowRoot;
  }

  /**
   * Blobs are known to the page alone.
   * @param {string[]} addresses
   * @returns {Promise<Record<string, string>>} their contents as `data:` addresses
   */
  async function blobs(addresses) {
    /** @type {Record<string, string>} */
    const found = {};
    for (const address of addresses) {
      if (!address.startsWith("blob:")) continue;
      try {
        found[address] = await dataURL(await (await fetch(address)).blob());
      } catch {
        found[address] = "data:,"; // the page has revoked it
      }
    }
    return found;
  }

  /**
   * @param {Blob} blob
   * @returns {Promise<string>}
   */
  const dataURL = (blob) =>
    new Promise((resolve, reject) => {
      const reader = new FileReader();
      reader.onload = () => resolve(/** @type {string} */ (reader.result));
      reader.onerror = reject;
      reader.readAsDataURL(blob);
    });

  /** @returns {Promise<Capture>} */
  const capture = async () => {
    const writer = new Writer();
    writer.element(document.documentElement);
    globalThis.goldpanPage = { ...globalThis.goldpanPage, runs: writer.runs };
    const type = document.doctype ? new XMLSerializer().serializeToString(document.doctype) : "";
    const html = writer.parts.join("").replace(/<head[^>]*>/, (head) => `${head}<meta charset="utf-8">`);
    const images = [...writer.images.keys()];
    return {
      html: `${type}${MARK}${html}`,
      url: location.href,
      token: writer.token,
      images,
      sheets: [...writer.sheets.keys()],
      data: await blobs(images),
    };
  };

  globalThis.goldpanPage = { ...globalThis.goldpanPage, capture };
  // An injected file answers with its last value, and Firefox refuses one that cannot be copied.
  ("done");
}
