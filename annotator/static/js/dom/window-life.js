/** @returns {AbortSignal} which ends with the window; one that the browser keeps to come back to lives on */
export function windowLife() {
  const life = new AbortController();
  addEventListener("pagehide", (event) => {
    if (!event.persisted) life.abort();
  });
  return life.signal;
}
