// View data -> DOM, node by node. Nothing here is ever parsed as markup.

import { isSafeAttribute, safeTag, safeValue } from "./whitelist.js";

// Deeper nesting than this is flattened; browsers slow down on it, and no page needs it.
const MAX_DEPTH = 400;
const SPACE = 1;

/**
 * Fill the frame's document from operations: "text" | [tag, attributes, void] | 0 (close) | 1 (a space).
 * @param {Document} document the frame's
 * @param {Array} ops
 * @param {boolean} reading
 * @returns {{body: HTMLElement, head: HTMLElement, nodes: Text[]}} the text nodes in order
 */
export function build(document, ops, reading) {
  const html = emptied(document);
  const head = html.appendChild(document.createElement("head"));
  const body = document.createElement("body");
  const nodes = [];
  const parents = [];
  let here = body;
  for (const op of ops) {
    if (typeof op === "string") {
      nodes.push(here.appendChild(document.createTextNode(op)));
    } else if (op === SPACE) {
      // It takes up room as on the page, and is none of the text's nodes.
      if (!reading) here.appendChild(document.createTextNode(" "));
    } else if (op === 0) {
      here = parents.pop() ?? body;
    } else {
      const element = opened(op, { document, html, body, here, reading });
      if (!op[2]) {
        parents.push(here);
        if (parents.length <= MAX_DEPTH) here = element === html ? body : element;
      }
    }
  }
  html.append(body);
  return { body, head, nodes };
}

function emptied(document) {
  const html = document.documentElement;
  html.replaceChildren();
  for (const { name } of [...html.attributes]) html.removeAttribute(name);
  html.setAttribute("translate", "no");
  return html;
}

function opened([tag, attributes], { document, html, body, here, reading }) {
  // Further down a second root or body would take text out of its order: there it is any element.
  const isOurs = here === body && (tag === "html" || tag === "body");
  const ours = tag === "html" ? html : body;
  const element = isOurs ? ours : here.appendChild(document.createElement(safeTag(tag)));
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (isSafeAttribute(name, reading)) element.setAttribute(name, safeValue(name, String(value)));
  }
  return element;
}

// A blank picture of a usual shape: without any, browsers draw a sign for "broken".
const BLANK = "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' width='16' height='12'/%3E";

// Of a picture that is not there browsers know the proportions at most, by its attributes.
const NOTHING = "width='0' height='0'";

/**
 * Give each image what it shows: the captured file, an empty shape instead of a drawing, or a grey box.
 * @param {HTMLElement} body
 * @param {boolean} isDressed the page has its own sheets and images
 */
export function fillImages(body, isDressed) {
  for (const picture of body.getElementsByTagName("img")) {
    // Alternative text, for which a title stands in, would be drawn and look like text that can be marked.
    if (picture.alt) picture.setAttribute("data-alt", picture.alt);
    picture.removeAttribute("alt");
    picture.removeAttribute("title");
    if (picture.dataset.tag) picture.src = shape(picture);
    else if (isDressed) showCaptured(picture);
    else disarm(picture, body);
  }
}

/** An empty drawing with the proportions of the original, so that rules give it the same size. */
function shape(/** @type {HTMLImageElement} */ { dataset: { tag, box } }) {
  return drawing(tag === "svg" && /^[\d.]+ [\d.]+$/.test(box ?? "") ? `viewBox='0 0 ${box}'` : "");
}

const drawing = (size) => `data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' ${size}/%3E`;

function sizeOfMissing(picture) {
  const sides = ["width", "height"].map((side) => /^\d{1,4}$/.exec(picture.getAttribute(side) ?? "")?.[0]);
  return sides.every(Boolean) ? `viewBox='0 0 ${sides.join(" ")}'` : "";
}

/** A grey box with the page's proportions; if it names none, the room of the words that browsers write in its place. */
function showMissing(picture) {
  const size = sizeOfMissing(picture);
  if (!size && picture.dataset.alt) picture.alt = picture.dataset.alt;
  else picture.src = drawing(size || NOTHING);
}

/** A digest is an address beside the frame's own: the only ones that its policy allows. */
function showCaptured(picture) {
  const { asset = "", density = "", sizes = "" } = picture.dataset;
  if (!/^[0-9a-f]{64}$/.test(asset)) {
    showMissing(picture);
  } else if (/^\d[\d.]*[wx]$/.test(density)) {
    picture.sizes = sizes;
    picture.srcset = `${asset} ${density}`;
  } else {
    picture.src = asset;
  }
}

/** Without their sheet, wrappers of lazy images are often absolute boxes over the text: put them back in the flow. */
function disarm(picture, body) {
  picture.removeAttribute("style");
  picture.src = BLANK;
  for (let box = picture.parentElement; box && box !== body && !box.textContent; box = box.parentElement) {
    box.style.setProperty("position", "static", "important");
    box.style.setProperty("pointer-events", "none", "important");
  }
}

/**
 * How browsers lay out a button by itself depends on the boxes in it and around it, which no selector tells apart.
 * @param {HTMLElement} body with its style sheets
 */
export function settleButtons(body) {
  const window = /** @type {Window} */ (body.ownerDocument.defaultView);
  const displayOf = (element) => window.getComputedStyle(element).display;
  const buttons = /** @type {HTMLElement[]} */ ([...body.querySelectorAll('[data-tag="button"]')]);
  const settled = buttons.map((button) => settlementOf(button, window.getComputedStyle(button), displayOf));
  buttons.forEach((button, i) => {
    for (const [name, value] of settled[i].attributes) button.setAttribute(name, value);
    if (settled[i].sinks) button.style.verticalAlign = `${-settled[i].sinks}px`;
  });
}

const ITEMS = /flex|grid/;
const BLOCKS = /^(block|flex|grid|list-item|flow-root|table)\b/;

/** What a button needs to be laid out as one: attributes for our sheet, and pixels by which it lies lower in its line. */
function settlementOf(button, style, displayOf) {
  const attributes = [];
  if (ITEMS.test(style.display)) attributes.push(["data-holds", "items"]);
  // A block shrinks to what it holds; among items it is stretched as they are.
  if (BLOCKS.test(style.display) && !ITEMS.test(displayOf(button.parentElement))) attributes.push(["data-fits", ""]);
  if (style.display !== "inline-block") return { attributes, sinks: 0 };
  // Its first line stands in the line around it even if what overflows is cut off,
  if (style.overflowX !== "visible") attributes.push(["data-clips", ""]);
  // or the lower edge of its content, if there is no line in it.
  const isEmpty = style.verticalAlign === "baseline" && !hasLine(button, displayOf);
  const below = ["paddingBottom", "borderBottomWidth", "marginBottom"].map((name) => parseFloat(style[name]) || 0);
  return { attributes, sinks: isEmpty ? below[0] + below[1] + below[2] : 0 };
}

/** Words, what takes up room in a line, or what a style sheet writes there, as icons. */
function hasLine(button, displayOf) {
  const takesRoom = (element) => /^inline/.test(displayOf(element)) && element.getBoundingClientRect().width > 0;
  const { defaultView: window } = button.ownerDocument;
  const isWritten = (pseudo) => !/^(none|normal)$/.test(window.getComputedStyle(button, pseudo).content);
  return (
    Boolean(button.textContent.trim()) ||
    [...button.getElementsByTagName("*")].some(takesRoom) ||
    ["::before", "::after"].some(isWritten)
  );
}

/** Bullets without text say nothing in reading view. @param {HTMLElement} body */
export function hideEmptyItems(body) {
  for (const item of body.querySelectorAll("li")) {
    if (!item.textContent) item.setAttribute("hidden", "");
  }
}

const MIN_LINKS = 4;
const LINK_SHARE = 0.75;

/**
 * In reading view, lists and tables that are mostly links are set small and inline: boilerplate shrinks to a third.
 * @param {HTMLElement} body
 */
export function compactLinkLists(body) {
  for (const list of body.querySelectorAll("ul, ol, table")) {
    const links = list.getElementsByTagName("a");
    if (links.length < MIN_LINKS) continue;
    const all = list.textContent.length;
    let linked = 0;
    for (const link of links) linked += link.textContent.length;
    if (linked > all * LINK_SHARE) list.setAttribute("data-links", "");
  }
}
