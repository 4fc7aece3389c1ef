// A button with data-copy="id" copies what that field or element holds, and then shows the text in data-copied.

export function watchCopying() {
  document.addEventListener("click", async (event) => {
    /** @type {HTMLElement|null} */
    const button = /** @type {Element} */ (event.target).closest("[data-copy]");
    if (!button) return;
    const text = selected(document.getElementById(button.dataset.copy ?? ""));
    try {
      await navigator.clipboard.writeText(text);
      button.textContent = button.dataset.copied ?? "";
    } catch {
      // It is selected: the person's own copy key does it.
    }
  });
}

/** Select all of a field or element. @returns {string} its text */
function selected(source) {
  if (source instanceof HTMLInputElement) {
    source.select();
    return source.value;
  }
  getSelection()?.selectAllChildren(source);
  return source.textContent;
}
