// Notices over the page: what must not be missed, one below the other, each announced once.

import { element } from "./build.js";

export class Notices {
  #container;
  /** Where the focus goes when a notice that has it is hidden; set once there is a page. */
  goBack = () => {};

  /** @param {HTMLElement} container */
  constructor(container) {
    this.#container = container;
  }

  /**
   * @param {string} name the same name replaces the notice
   * @param {string} text
   * @param {{bad?: boolean, buttons?: Array<[string, () => void, string?]>}} [how] buttons: words, act, key
   */
  show(name, text, { bad = false, buttons = [] } = {}) {
    if (this.#find(name)?.firstElementChild.textContent === text) return;
    this.hide(name);
    const notice = element("p", {
      class: bad ? "notice bad" : "notice",
      "data-notice": name,
      role: bad ? "alert" : "status",
    });
    this.#container.append(notice);
    notice.append(element("span", {}, text));
    for (const [words, act, key] of buttons) notice.append(button(words, "btn", act, key));
    if (!bad) notice.append(button(gettext("Close"), "btn quiet end", () => this.hide(name)));
  }

  /** @param {string} name */
  hide(name) {
    const notice = this.#find(name);
    const hasFocus = notice?.contains(document.activeElement);
    notice?.remove();
    if (hasFocus) this.goBack();
  }

  #find(name) {
    return this.#container.querySelector(`[data-notice="${name}"]`);
  }
}

/**
 * What a page says that waits for its session.
 * @param {string} home any address that asks to sign in
 * @param {() => void} retry
 * @returns {{text: string, buttons: Array<[string, () => void]>}}
 */
export const signInAgain = (home, retry) => ({
  text: gettext("You are signed out. Sign in again in another tab and this page will continue."),
  buttons: [
    [gettext("Sign in"), () => open(home, "_blank", "noopener")],
    [gettext("Retry"), retry],
  ],
});

function button(words, kind, act, key = "") {
  const made = element("button", { type: "button", class: kind }, words);
  if (key) made.append(" ", element("kbd", {}, key));
  made.addEventListener("click", act);
  return made;
}
