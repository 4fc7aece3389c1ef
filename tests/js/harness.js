// A test is a sentence and a function; `run` says which of them failed, and why.

const tests = [];

/** @param {string} sentence @param {() => (void|Promise<void>)} body */
export const test = (sentence, body) => tests.push({ sentence, body });

/** Compare by value. */
export function equal(seen, wanted, about = "") {
  const [left, right] = [JSON.stringify(seen), JSON.stringify(wanted)];
  if (left !== right) throw new Error(`${about} saw ${left}, wanted ${right}`);
}

export function ok(claim, about = "it should hold") {
  if (!claim) throw new Error(about);
}

/** A repeatable sequence of numbers from 0 to below n. */
export function dice(seed) {
  let state = seed >>> 0;
  return (n) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * n);
  };
}

/** @returns {Promise<{ran: number, failures: string[]}>} */
export async function run() {
  const failures = [];
  for (const { sentence, body } of tests) {
    try {
      await body();
    } catch (error) {
      failures.push(`${sentence}: ${error.message}`);
    }
  }
  return { ran: tests.length, failures };
}
