// Light, dark, or as the system says. A classic script in <head>, so that no page flashes in the other theme.
(() => {
  const root = document.documentElement;

  const kept = () => {
    try {
      return localStorage.getItem("theme");
    } catch {
      return null; // storage is forbidden: the system decides
    }
  };

  const keep = (theme) => {
    try {
      localStorage.setItem("theme", theme);
    } catch {
      // the choice holds for this page only
    }
  };

  const isDark = () =>
    root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;

  const theme = kept();
  if (theme) root.dataset.theme = theme;

  addEventListener("click", (event) => {
    if (!(/** @type {Element} */ (event.target).closest("[data-theme-toggle]"))) return;
    root.dataset.theme = isDark() ? "light" : "dark";
    keep(root.dataset.theme);
  });
})();
