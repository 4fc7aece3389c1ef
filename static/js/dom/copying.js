// A button with data-copy="id" copies the value of that field, and says so in data-copied.

export function watchCopying(root = document) {
  root.addEventListener("click", async (event) => {
    const button = event.target.closest("[data-copy]");
    if (!button) return;
    const field = document.getElementById(button.dataset.copy);
    field.select();
    try {
      await navigator.clipboard.writeText(field.value);
      button.textContent = button.dataset.copied;
    } catch {
      // The field is selected: the person's own copy key does it.
    }
  });
}
