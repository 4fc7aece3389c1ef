// The page on its stage: fetched, built in the frame, proved, watched; page view or reading view.

import { getJSON } from "../net/api.js";
import { load, missingIn, quiet } from "./frame.js";
import { Geometry } from "./geometry.js";
import { Guard } from "./guard.js";
import { PageView } from "./pageview.js";
import { coverage, overlaid } from "./points.js";
import { Painter } from "./painter.js";

// Below this share of blocks that a mouse can reach, page view is of no use.
const REACHABLE = 0.7;
// Above this share of text over text, page view can be asked for, but is not the better one.
const OVERLAID = 0.1;

/** The page cannot be shown exactly; the reason is one of insecure, differs, changed, unread. */
export class StageError extends Error {
  constructor(reason) {
    super(reason);
    this.reason = reason;
  }
}

/**
 * Says "built" after each build (paint anew), "measured" when blocks have places, "notice" (detail: a reason:
 * covered, translated, Safari, highlights) and "refused" (detail: a StageError's reason).
 */
export class Stage extends EventTarget {
  #life = new AbortController();
  /** What ends with the frame's document, which a browser can load anew. */
  #sitting = new AbortController();
  #attendants = [];
  #guard;
  #proof = null;
  #scheme = matchMedia("(prefers-color-scheme: dark)");

  /** @param {HTMLIFrameElement} frame @param {import("./pageview.js").Wire} wire */
  constructor(frame, wire) {
    super();
    this.frame = frame;
    this.view = new PageView(frame, wire);
    this.geometry = new Geometry(this.view);
    this.painter = new Painter(this.view, this.geometry);
    /** What in our own document has the keys for the page; null where the frame has them. @type {HTMLElement|null} */
    this.home = null;
    /** Gives what is chosen, if anything: a change of view keeps it where it is. @type {() => [number, number]|null} */
    this.attended = () => null;
    this.#guard = new Guard(this.view, (isHopeless) => this.#disturbed(isHopeless));
  }

  /**
   * Fetch and load; nothing is built yet.
   * @param {HTMLIFrameElement} frame
   * @param {{view: string, frame: string, frame_quirks: string}} urls
   * @param {{quirks: boolean, sha256: string}} document
   * @returns {Promise<Stage>}
   */
  static async open(frame, urls, { quirks, sha256 }) {
    const skeleton = orUnread(load(frame, quirks ? urls.frame_quirks : urls.frame));
    const stage = new Stage(frame, await orUnread(globalThis.goldpanEarly?.view ?? getJSON(urls.view)));
    // Reckoned while the frame is still on its way.
    stage.#prove(sha256);
    await skeleton;
    return stage;
  }

  get mode() { return this.view.mode; }

  /** "dark" only in reading view: our own typography follows the theme, a page keeps its colours. */
  get scheme() { return this.#schemeOf(this.mode); }

  /**
   * Build, and prove that the text in the frame is the document's. `show` follows when somebody listens.
   * @param {{sha256: string, prefer: string}} document
   */
  async start({ sha256, prefer }) {
    if (!globalThis.isSecureContext || !crypto.subtle) throw new StageError("insecure");
    const missing = missingIn(this.view.window);
    if (missing) this.#notice(missing);
    if (missing === "highlights") throw new StageError("highlights");
    this.#build(prefer === "page" ? "page" : "reading");
    const proof = this.#prove(sha256);
    if (!this.#leaveIfCovered() && this.mode === "page" && overlaid(this.view) > OVERLAID) this.#build("reading");
    if (!(await proof)) throw new StageError("differs");
  }

  /** From here on the page is watched, painted and measured. */
  show() {
    this.#listen();
    this.#built();
  }

  /**
   * Listen in the frame: now, and in each document that takes this one's place.
   * @param {(view: PageView, signal: AbortSignal) => void} act the signal ends with the document
   */
  attend(act) {
    this.#attendants.push(act);
    act(this.view, this.#sitting.signal);
  }

  /** @param {"page"|"reading"} mode */
  switchTo(mode) {
    if (mode === this.mode) return;
    const anchor = this.#anchor();
    this.#build(mode);
    this.#leaveIfCovered();
    this.#scrollTo(anchor);
    this.#built();
  }

  toggle() {
    this.switchTo(this.mode === "page" ? "reading" : "page");
  }

  /** Keys go to the page. */
  focus() {
    if (this.home) this.home.focus({ preventScroll: true });
    else this.view.window.focus();
  }

  /** What we put into the page ourselves, without words. @param {Node} node */
  own(node) {
    this.#guard.own(node);
  }

  /** Its layout was changed by us: blocks have other places. */
  remeasure() {
    this.#measure();
  }

  close() {
    this.#life.abort();
    this.#sitting.abort();
    this.#guard.stop();
  }

  #prove(sha256) {
    return (this.#proof ??= crypto.subtle ? this.view.verify(sha256) : Promise.resolve(false));
  }

  #build(mode) {
    this.#guard.stop();
    this.painter.reset();
    this.view.build(mode, this.#schemeOf(mode));
    if (mode === "page") this.frame.dataset.theme = "light";
    else delete this.frame.dataset.theme;
    this.frame.parentElement.classList.toggle("themed", mode === "reading");
  }

  #schemeOf(mode) {
    const { theme } = document.documentElement.dataset;
    const isDark = theme ? theme === "dark" : this.#scheme.matches;
    return mode === "reading" && isDark ? "dark" : "light";
  }

  /** What the reader looks at, and how far down it stands: the choice if it is in sight, else the first block. */
  #anchor() {
    const { scrollY, innerHeight } = this.view.window;
    const chosen = this.attended();
    const y = chosen ? this.view.range(...chosen).getBoundingClientRect().top : -1;
    if (y >= 0 && y < innerHeight) return { block: this.view.blockAt(chosen[0]), y };
    if (scrollY === 0 || !this.geometry.isMeasured) return null;
    const { top, hidden } = this.geometry;
    const block = top.findIndex((at, i) => at >= scrollY && !hidden[i]);
    return block < 0 ? null : { block, y: top[block] - scrollY };
  }

  #scrollTo(anchor) {
    if (!anchor) return;
    for (let { block } = anchor; block < this.view.blocks.length; block += 1) {
      const box = this.view.blockRange(block).getBoundingClientRect();
      if (!box.height) continue;
      this.view.window.scrollBy({ top: box.top - anchor.y, behavior: "instant" });
      return;
    }
  }

  #leaveIfCovered() {
    if (this.mode !== "page" || coverage(this.view) >= REACHABLE) return false;
    this.#build("reading");
    this.#notice("covered");
    return true;
  }

  #built() {
    this.#guard.watch();
    this.dispatchEvent(new Event("built"));
    this.#measure();
  }

  async #measure() {
    if (!(await this.geometry.measure())) return;
    this.painter.follow();
    this.dispatchEvent(new Event("measured"));
  }

  #listen() {
    const { signal } = this.#life;
    this.attend((view, sitting) => this.#listenInside(view, sitting));
    this.frame.addEventListener("load", () => this.#reloaded(), { signal });
    const retheme = () => this.mode === "reading" && this.#rebuild();
    this.#scheme.addEventListener("change", retheme, { signal });
    const themes = new MutationObserver(retheme);
    themes.observe(document.documentElement, { attributeFilter: ["data-theme"] });
    signal.addEventListener("abort", () => themes.disconnect(), { once: true });
  }

  #listenInside(view, signal) {
    quiet(view.document, signal);
    view.window.addEventListener("scroll", () => this.painter.follow(), { signal, passive: true });
    let timer = 0;
    view.window.addEventListener("resize", () => {
      clearTimeout(timer);
      timer = setTimeout(() => this.#measure(), 150);
    }, { signal });
  }

  /** A browser can load the frame by itself: what comes is the empty skeleton again. */
  #reloaded() {
    this.#sitting.abort();
    if (this.view.document?.URL !== this.frame.src) {
      this.#refuse("unread");
      return;
    }
    this.#sitting = new AbortController();
    this.#build(this.mode);
    for (const act of this.#attendants) act(this.view, this.#sitting.signal);
    this.#built();
  }

  #disturbed(isHopeless) {
    if (isHopeless) {
      this.#refuse("changed");
      return;
    }
    this.#rebuild();
    this.#notice("translated");
  }

  #refuse(reason) {
    this.close();
    this.dispatchEvent(new CustomEvent("refused", { detail: reason }));
  }

  #rebuild() {
    const { scrollY } = this.view.window;
    this.#build(this.mode);
    this.#built();
    this.view.window.scrollTo(0, scrollY);
  }

  #notice(reason) {
    this.dispatchEvent(new CustomEvent("notice", { detail: reason }));
  }
}

function orUnread(promise) {
  const told = promise.catch(() => { throw new StageError("unread"); });
  // It may be refused before anybody waits for it.
  told.catch(() => undefined);
  return told;
}
