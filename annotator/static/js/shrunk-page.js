// The smallest failing page: looked for until it is there; its source can be copied.

const INTERVAL = 2000;

/** @returns {HTMLElement} */
const part = () => /** @type {HTMLElement} */ (document.querySelector("[data-shrunk]"));

function isOpen() {
  return !["done", "failed"].includes(part().dataset.shrunk ?? "");
}

async function refresh() {
  if (document.hidden) return;
  const response = await fetch(location.href).catch(() => null);
  if (!response?.ok) return;
  const fresh = new DOMParser().parseFromString(await response.text(), "text/html").querySelector("[data-shrunk]");
  if (fresh) part().replaceWith(fresh);
  if (!isOpen()) clearInterval(timer);
  offerCopy();
}

function offerCopy() {
  const button = /** @type {HTMLButtonElement|null} */ (document.querySelector("[data-copy]"));
  if (!button) return;
  button.hidden = false;
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(document.querySelector("[data-source]")?.textContent ?? "");
    button.textContent = gettext("Copied");
  });
}

const timer = isOpen() ? setInterval(refresh, INTERVAL) : 0;
offerCopy();

export {};
