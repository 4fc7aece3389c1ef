// Light, dark, or as the system says. A classic script in <head>, so that no page flashes in the other theme.
(() => {
  const root = document.documentElement;

  const kept = () => {
    try {
      return localStorage.getItem("theme") ?? "";
    } catch {
      return ""; // storage is forbidden: the system decides
    }
  };

  const keep = (theme) => {
    try {
      if (theme) localStorage.setItem("theme", theme);
      else localStorage.removeItem("theme");
    } catch {
      // the choice holds for this page only
    }
  };

  const show = (theme) => {
    if (theme) root.dataset.theme = theme;
    else delete root.dataset.theme;
  };

  const isDark = () =>
    root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;

  const choose = (theme) => {
    show(theme);
    keep(theme);
    check();
  };

  /** The choice of three, where the screen has it, is what is kept. */
  const check = () => {
    for (const each of document.querySelectorAll("input[data-theme-choice]")) {
      const choice = /** @type {HTMLInputElement} */ (each);
      choice.checked = choice.value === (root.dataset.theme ?? "");
    }
  };

  show(kept());
  addEventListener("DOMContentLoaded", check);
  // Chosen in another window.
  addEventListener("storage", ({ key }) => {
    if (key !== "theme") return;
    show(kept());
    check();
  });
  addEventListener("click", (event) => {
    if (!(/** @type {Element} */ (event.target).closest("[data-theme-toggle]"))) return;
    choose(isDark() ? "light" : "dark");
  });
  addEventListener("change", (event) => {
    const choice = /** @type {HTMLInputElement} */ (event.target);
    if (choice.matches("[data-theme-choice]")) choose(choice.value);
  });
})();
