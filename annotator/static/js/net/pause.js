/** @param {number} milliseconds @returns {Promise<void>} */
export const pause = (milliseconds) =>
  new Promise((resolve) => {
    setTimeout(resolve, milliseconds);
  });

/** Resolves when the browser has nothing to do. @param {number} timeout milliseconds, at the latest */
export const idle = (timeout) =>
  new Promise((resolve) => {
    if ("requestIdleCallback" in window) window.requestIdleCallback(resolve, { timeout });
    else setTimeout(resolve, 0);
  });
