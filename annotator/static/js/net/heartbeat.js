// Tells the server once a minute that the annotator is active, so that their lease is extended.

import { NoAnswer, postJSON } from "./api.js";

const EVERY = 60_000;

/**
 * @param {string} url
 * @param {{isActive: () => boolean, body: () => object, onHeld?: () => void,
 *   onLost: (message: string) => void}} handlers
 * @param {AbortSignal} signal
 */
export function startHeartbeat(url, { isActive, body, onHeld, onLost }, signal) {
  const tick = async () => {
    if (document.hidden || !isActive()) return;
    try {
      const { status, data } = await postJSON(url, body());
      if (status === 200) onHeld?.();
      if (status === 410) onLost(data?.error ?? "");
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error; // no connection: the next save says so
    }
  };
  const timer = setInterval(tick, EVERY);
  signal.addEventListener("abort", () => clearInterval(timer), { once: true });
}
