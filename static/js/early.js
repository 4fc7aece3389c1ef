// Begun while a screen with a page is still being read: its view is fetched, and the browser's database
// opened where the screen looks into it. A classic script, since a browser runs no module before all of the screen is
// read, and by then both can be there.
(() => {
  const PATIENCE = 60_000;

  async function fetched(url) {
    const response = await fetch(url, {
      credentials: "same-origin", redirect: "manual", signal: AbortSignal.timeout(PATIENCE),
    });
    if (response.status !== 200) throw new Error(String(response.status));
    return response.json();
  }

  /** Null where it is not there yet, or cannot be had: store.js makes it, or says so. */
  function opened(name) {
    return new Promise((resolve) => {
      const request = indexedDB.open(name, 1);
      request.onupgradeneeded = () => request.transaction.abort();
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => resolve(null);
    }).catch(() => null);
  }

  const { view: address, database: name } = document.currentScript.dataset;
  const view = fetched(address);
  // Whoever waits for it says what is wrong.
  view.catch(() => undefined);
  globalThis.goldpanEarly = { view, database: name ? opened(name) : null };
})();
