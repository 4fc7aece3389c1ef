// Elements of our own screens, without markup in strings.

/**
 * @param {string} tag
 * @param {Record<string, string|number|boolean|null>} [attributes] null and false leave one out
 * @param {...(Node|string)} children
 * @returns {HTMLElement}
 */
export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && value !== false) made.setAttribute(name, value === true ? "" : String(value));
  }
  made.append(...children);
  return made;
}

/** @param {string} name of a json_script @returns {any} */
export const data = (name) => JSON.parse(document.getElementById(name)?.textContent ?? "");

/**
 * The first element that a selector finds. Screens hold what their scripts look for, so null is no part of the type.
 * @template {Element} [T=HTMLElement]
 * @param {string} selector
 * @param {ParentNode} [root]
 * @returns {T}
 */
export const find = (selector, root = document) => /** @type {T} */ (root.querySelector(selector));

/**
 * @template {Element} [T=HTMLElement]
 * @param {string} selector
 * @param {ParentNode} [root]
 * @returns {T[]}
 */
export const findAll = (selector, root = document) => [
  .../** @type {NodeListOf<T>} */ (root.querySelectorAll(selector)),
];

/** What was clicked, or what holds it. @param {Event} event @param {string} selector @returns {HTMLElement|null} */
export const closest = (event, selector) => /** @type {Element} */ (event.target).closest(selector);

/**
 * A row of a list whose link leads to the page: see `onLink`.
 * @param {Record<string, string|number|boolean|null>} attributes of the link
 * @param {...(Node|string)} children of the link
 */
export const pageRow = (attributes, ...children) =>
  element("li", {}, element("a", { href: "#page", ...attributes }, ...children));

/**
 * Have the links of a list that lead to the page call `act` instead.
 * @param {HTMLElement|null} list
 * @param {(link: HTMLElement) => void} act
 * @param {AbortSignal} signal
 */
export function onLink(list, act, signal) {
  list?.addEventListener(
    "click",
    (event) => {
      const link = closest(event, "a[href='#page']");
      if (!link) return;
      event.preventDefault();
      act(link);
    },
    { signal },
  );
}

/**
 * Say words in a live region. The same words again get a blank: browsers tell screen readers only of text that changed.
 * @param {Element} region
 * @param {string} words
 */
export function announce(region, words) {
  region.textContent = words && region.textContent === words ? `${words}\u00a0` : words;
}

/** Words of the captured page, in its language and direction: what is cut off is their end. @param {string} words @param {string|null} [kind] a class */
export const inPageLanguage = (words, kind = "quote") =>
  element("span", { class: kind, lang: document.body.dataset.language || null, dir: "auto" }, words);

/** Beginning of a text, on one line. @param {import("../core/codepoints.js").Text} text */
export function quote(text, start, end, length = 60) {
  const words = text.slice(start, Math.min(end, start + length)).replace(/\s+/g, " ");
  return end - start > length ? `${words.trimEnd()} …` : words;
}
