// Seconds between attempts to send. The longest is how long a retry may take after the server is back.

const PAUSES = [1, 2, 4, 8, 15];

/** While signed out: the user signs in in another tab. */
export const SIGNED_OUT = 10;

/** @param {number} failures in a row, at least 1 */
export const pauseAfter = (failures) => PAUSES[Math.min(failures, PAUSES.length) - 1];
