// The page in its frame: fetched, built, verified, watched; page view or reading view.

import { getJSON } from "../net/api.js";
import { load, missingIn, preventNavigation } from "./frame.js";
import { Geometry } from "./geometry.js";
import { Guard } from "./guard.js";
import { PageView } from "./pageview.js";
import { Painter } from "./painter.js";
import { coverage, laidOut, overlaid } from "./points.js";
import { REMEDIES, Remedies } from "./remedies.js";

// Page view comes first unless most of its text is out of reach or lies over other text,
const REACHABLE = 0.5;
const OVERLAID = 0.5;
// or style sheets are missing and the page's own lay out less than this share of the text.
const LAID_OUT = 0.4;

/** The page cannot be shown exactly; the reason is one of insecure, differs, changed, unread. */
export class StageError extends Error {
  constructor(reason) {
    super(reason);
    this.reason = reason;
  }
}

/**
 * Dispatches "built" after each build (paint again), "measured" when the blocks' positions are known, "shifted" when a box of
 * the page was scrolled by itself (they will be measured again), "notice" (detail: a reason:
 * covered, remedied, translated, Safari, highlights), "remedy" (detail: which is on or off now) and "refused" (detail: a
 * StageError).
 */
export class Stage extends EventTarget {
  #life = new AbortController();
  /** Ends with the frame's document, which a browser can reload. */
  #documentLife = new AbortController();
  #documentHandlers = [];
  #guard;
  #remedies;
  #lostSheets;
  /** Whether the text is the document's. @type {Promise<boolean>|null} */
  #verified = null;
  #timer = 0;
  #scheme = matchMedia("(prefers-color-scheme: dark)");

  /** @param {HTMLIFrameElement} frame @param {import("./pageview.js").Wire} wire */
  constructor(frame, wire) {
    super();
    this.frame = frame;
    this.view = new PageView(frame, wire);
    this.geometry = new Geometry(this.view);
    this.painter = new Painter(this.view, this.geometry);
    this.#lostSheets = wire.lost_sheets;
    this.#remedies = new Remedies(this.view);
    /** Why reading view was chosen for the reader: covered, bare; "" where it was not. */
    this.reason = "";
    /** The element of our own document that takes the keys for the page; null where the frame has them. @type {HTMLElement|null} */
    this.home = null;
    /** Returns the selection, if any: a change of view keeps it in place. @type {() => [number, number]|null} */
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
    const stage = new Stage(frame, await orUnread(globalThis.goldpanPrefetch?.view ?? getJSON(urls.view)));
    // Computed while the frame is still loading.
    if (crypto.subtle) stage.#verified = stage.view.verify(sha256);
    await skeleton;
    return stage;
  }

  get mode() {
    return this.view.mode;
  }

  /** "dark" only in reading view: our own typography follows the theme, a page keeps its colours. */
  get scheme() {
    return this.#schemeOf(this.mode);
  }

  /**
   * Build, and verify that the text in the frame is the document's. Call `show` once listeners are attached.
   * @param {"page"|"reading"|null} [chosen] the view that the reader chose earlier; the better one by default
   */
  async start(chosen = null) {
    if (!crypto.subtle) throw new StageError("insecure");
    const missing = missingIn(this.view.window);
    if (missing) this.#notice(missing);
    if (missing === "highlights") throw new StageError("highlights");
    this.#build(chosen ?? "page");
    if (!chosen) this.#leaveWherePoor();
    if (!(await this.#verified)) throw new StageError("differs");
  }

  /** Watch, paint and measure the page from now on. */
  show() {
    this.#listen();
    this.#built();
  }

  /**
   * Listen in the frame: now, and in each document that replaces this one.
   * @param {(view: PageView, signal: AbortSignal) => void} act the signal ends with the document
   */
  onDocument(act) {
    this.#documentHandlers.push(act);
    act(this.view, this.#documentLife.signal);
  }

  /** @param {"page"|"reading"} mode */
  switchTo(mode) {
    if (mode === this.mode) return;
    const anchor = this.#anchor();
    this.#build(mode);
    this.#scrollTo(anchor);
    this.#built();
  }

  /** The reader chooses a view, which is remembered. @param {"page"|"reading"} mode */
  choose(mode) {
    this.switchTo(mode);
    this.dispatchEvent(new CustomEvent("chosen", { detail: mode }));
  }

  toggle() {
    this.choose(this.mode === "page" ? "reading" : "page");
  }

  /** In page view, apply a remedy or undo it. @param {import("./remedies.js").Remedy} remedy */
  toggleRemedy(remedy) {
    if (this.mode !== "page") return;
    const anchor = this.#anchor();
    this.#remedies.set(remedy, !this.#remedies.has(remedy));
    this.#scrollTo(anchor);
    this.measure();
    this.dispatchEvent(new CustomEvent("remedy", { detail: { remedy, isOn: this.#remedies.has(remedy) } }));
  }

  undoRemedies() {
    for (const remedy of REMEDIES) if (this.#remedies.has(remedy)) this.toggleRemedy(remedy);
  }

  /** Direct keys to the page. */
  focus() {
    if (this.home) this.home.focus({ preventScroll: true });
    else this.view.window.focus();
  }

  /** Allow an element that we put into the page, without text. @param {Node} node */
  own(node) {
    this.#guard.own(node);
  }

  close() {
    this.#life.abort();
    this.#documentLife.abort();
    this.#guard.stop();
  }

  #build(mode) {
    this.#guard.stop();
    this.painter.reset();
    this.view.build(mode, this.#schemeOf(mode));
    if (this.#remedies.any) this.#remedies.apply();
    if (mode === "page") this.frame.dataset.theme = "light";
    else delete this.frame.dataset.theme;
    this.frame.parentElement?.classList.toggle("themed", mode === "reading");
  }

  #schemeOf(mode) {
    const { theme } = document.documentElement.dataset;
    const isDark = theme ? theme === "dark" : this.#scheme.matches;
    return mode === "reading" && isDark ? "dark" : "light";
  }

  /** What the reader looks at, and its height on screen: the selection if visible, else the first visible block. */
  #anchor() {
    const { scrollY, innerHeight } = this.view.window;
    const chosen = this.attended();
    const y = chosen ? this.view.range(...chosen).getBoundingClientRect().top : -1;
    if (chosen && y >= 0 && y < innerHeight) return { block: this.view.blockAt(chosen[0]), y };
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

  /** From page view as it was just built, if it does not serve: remedies are tried first. */
  #leaveWherePoor() {
    if (this.#lostSheets && laidOut(this.view) < LAID_OUT) this.reason = "bare";
    else if (!this.#isInReach()) this.reason = this.#isRemedied() ? "" : "covered";
    if (this.#remedies.any) this.#notice("remedied");
    if (!this.reason) return;
    this.#build("reading");
    if (this.reason === "covered") this.#notice("covered");
  }

  #isInReach() {
    return coverage(this.view) >= REACHABLE && overlaid(this.view) <= OVERLAID;
  }

  /** Whether remedies bring the text in reach; they stay on then. */
  #isRemedied() {
    for (const remedies of [["overlays"], ["reveal"], REMEDIES]) {
      for (const remedy of REMEDIES) this.#remedies.set(remedy, remedies.includes(remedy));
      if (this.#isInReach()) return true;
    }
    for (const remedy of REMEDIES) this.#remedies.set(remedy, false);
    return false;
  }

  #built() {
    this.#guard.watch();
    this.dispatchEvent(new Event("built"));
    this.measure();
  }

  /** Measure the blocks: the layout has changed. */
  async measure() {
    if (!(await this.geometry.measure())) return;
    this.painter.follow();
    this.dispatchEvent(new Event("measured"));
  }

  #listen() {
    const { signal } = this.#life;
    this.onDocument((view, frameSignal) => this.#listenInside(view, frameSignal));
    this.frame.addEventListener("load", () => this.#reloaded(), { signal });
    const retheme = () => this.mode === "reading" && this.#rebuild();
    this.#scheme.addEventListener("change", retheme, { signal });
    const themes = new MutationObserver(retheme);
    themes.observe(document.documentElement, { attributeFilter: ["data-theme"] });
    signal.addEventListener("abort", () => themes.disconnect(), { once: true });
  }

  #listenInside(view, signal) {
    preventNavigation(view.document, signal);
    // Captured images come in later, and take up room.
    view.document.addEventListener("load", () => this.#measureSoon(), { signal, capture: true });
    view.window.addEventListener("scroll", () => this.painter.follow(), { signal, passive: true });
    view.document.addEventListener("scroll", ({ target }) => target !== view.document && this.#shifted(), {
      signal,
      passive: true,
      capture: true,
    });
    view.window.addEventListener("resize", () => this.#measureSoon(), { signal });
  }

  #shifted() {
    this.dispatchEvent(new Event("shifted"));
    this.#measureSoon();
  }

  #measureSoon() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.measure(), 150);
  }

  /** A browser can reload the frame by itself, which gives the empty skeleton again. */
  #reloaded() {
    this.#documentLife.abort();
    if (this.view.document?.URL !== this.frame.src) {
      this.#refuse("unread");
      return;
    }
    this.#documentLife = new AbortController();
    this.#build(this.mode);
    for (const act of this.#documentHandlers) act(this.view, this.#documentLife.signal);
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
    this.dispatchEvent(new CustomEvent("refused", { detail: new StageError(reason) }));
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
  const loading = promise.catch(() => {
    throw new StageError("unread");
  });
  // It may be rejected before anything awaits it.
  loading.catch(() => undefined);
  return loading;
}
