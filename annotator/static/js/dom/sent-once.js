// A form that changes something is sent once: a second click, before the answer is there, would do it twice.

// Milliseconds; then it may be sent again, as where the person stopped the browser from loading.
const PAUSE = 3000;

export function watchForms() {
  /** @type {WeakMap<Element, number>} when each form was sent */
  const sent = new WeakMap();
  document.addEventListener("submit", (event) => {
    const form = /** @type {HTMLFormElement} */ (event.target);
    if (event.defaultPrevented || form.method !== "post") return;
    const before = sent.get(form);
    if (before !== undefined && event.timeStamp - before < PAUSE) event.preventDefault();
    else sent.set(form, event.timeStamp);
  });
}
