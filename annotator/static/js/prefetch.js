// Fetches the view of a page while its screen is still being read. A classic script, since a browser runs no module
// before the whole screen is read.
(() => {
  const TIMEOUT = 60_000;

  async function fetchView(url) {
    const response = await fetch(url, {
      credentials: "same-origin",
      redirect: "manual",
      signal: AbortSignal.timeout(TIMEOUT),
    });
    if (response.status !== 200) throw new Error(String(response.status));
    return response.json();
  }

  const { view: url } = /** @type {HTMLScriptElement} */ (document.currentScript).dataset;
  const view = fetchView(url);
  // Whoever awaits it reports the error.
  view.catch(() => undefined);
  globalThis.goldpanPrefetch = { view };
})();
