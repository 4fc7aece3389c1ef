// The words of the extension, in the language of the browser: see `_locales`.

/**
 * @param {string} name
 * @param {string|number} [what]
 * @returns {string}
 */
export const message = (name, what) => chrome.i18n.getMessage(name, what === undefined ? [] : [String(what)]);

/** Put the words in the place of the English ones of a page. */
export function translatePage() {
  document.documentElement.lang = message("language"); // not the browser's, where there are no words in it
  for (const element of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-message]"))) {
    element.textContent = message(element.dataset.message ?? "");
  }
  for (const element of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-message-label]"))) {
    element.setAttribute("aria-label", message(element.dataset.messageLabel ?? ""));
  }
}
