// A button with data-copy="id" copies the value of that field, and then shows the text in data-copied.

export function watchCopying(root = document) {
  root.addEventListener("click", async (event) => {
    /** @type {HTMLElement|null} */
    const button = /** @type {Element} */ (event.target).closest("[data-copy]");
    if (!button) return;
    const field = /** @type {HTMLInputElement} */ (document.getElementById(button.dataset.copy ?? ""));
    field.select();
    try {
      await navigator.clipboard.writeText(field.value);
      button.textContent = button.dataset.copied ?? "";
    } catch {
      // The field is selected: the person's own copy key does it.
    }
  });
}
