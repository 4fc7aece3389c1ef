// Frames that are drawn: what can wait until a key or click is answered on the screen, and when that is.

/**
 * Work that is done once, after the next frame is drawn, however often it is asked for until then.
 * @param {() => void} work
 * @returns {() => void} ask for it
 */
export function afterFrame(work) {
  let isAsked = false;
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => {
    isAsked = false;
    work();
  };
  return () => {
    if (isAsked) return;
    isAsked = true;
    // A message posted while the frame is begun comes when it is drawn.
    requestAnimationFrame(() => port2.postMessage(null));
  };
}

/**
 * The same, but in time for the next frame: for what has to read the layout, which is done once there.
 * @param {() => void} work
 * @returns {() => void} ask for it
 */
export function inFrame(work) {
  let isAsked = false;
  return () => {
    if (isAsked) return;
    isAsked = true;
    requestAnimationFrame(() => {
      isAsked = false;
      work();
    });
  };
}

/** Resolves when the second frame from now begins: the present state is on the screen then. @returns {Promise<unknown>} */
export const twoFrames = () =>
  new Promise((resolve) => {
    requestAnimationFrame(() => requestAnimationFrame(resolve));
  });
