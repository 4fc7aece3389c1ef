// Frames that are drawn: what can wait until a key or click is answered on the screen, and when that is.

/**
 * Work that is done once, after the next frame is drawn, however often it is asked for until then.
 * @param {() => void} work
 * @returns {() => void} ask for it
 */
export function afterFrame(work) {
  const { port1, port2 } = new MessageChannel();
  return onceAt((run) => {
    port1.onmessage = run;
    // A message posted while the frame is begun comes when it is drawn.
    requestAnimationFrame(() => port2.postMessage(null));
  }, work);
}

/**
 * The same, but in time for the next frame: for what has to read the layout, which is done once there.
 * @param {() => void} work
 * @returns {() => void} ask for it
 */
export const inFrame = (work) => onceAt(requestAnimationFrame, work);

/**
 * The same at a time of the caller's.
 * @param {(run: () => void) => void} schedule calls `run` then
 * @param {() => void} work
 * @returns {() => void} ask for it
 */
export function onceAt(schedule, work) {
  let isAsked = false;
  const run = () => {
    isAsked = false;
    work();
  };
  return () => {
    if (!isAsked) schedule(run);
    isAsked = true;
  };
}

/** Resolves when the second frame from now begins: the present state is on the screen then. @returns {Promise<unknown>} */
export const twoFrames = () =>
  new Promise((resolve) => {
    requestAnimationFrame(() => requestAnimationFrame(resolve));
  });
