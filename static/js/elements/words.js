// What scripts say, in the reader's language: the template lists the words, keyed by their English.

const words = new Map();
for (const { value, textContent } of document.getElementById("words")?.content.querySelectorAll("data") ?? []) {
  words.set(value, textContent);
}

/**
 * @param {string} key the English words; {names} are filled in
 * @param {Record<string, string|number>} [values]
 * @returns {string}
 */
export function say(key, values = {}) {
  return (words.get(key) ?? key).replace(/\{(\w+)\}/g, (whole, name) => String(values[name] ?? whole));
}

/**
 * @param {number} n
 * @param {string} one English words for one
 * @param {string} many for any other number, with {n}
 */
export const count = (n, one, many, values = {}) => say(n === 1 ? one : many, { n: figure(n), ...values });

const language = document.documentElement.lang || undefined;
// Four digits are parted too, as the server parts them; Spanish would leave them whole.
const figures = new Intl.NumberFormat(language, { useGrouping: "always" });
const clock = new Intl.DateTimeFormat(language, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });

/** @param {number} n */
export const figure = (n) => figures.format(n);

/** @param {string|number|Date} moment */
export const time = (moment) => clock.format(new Date(moment));

/** @param {number} seconds @returns {string} 2:14, or 1:02:14 */
export function duration(seconds) {
  const two = (n) => String(n).padStart(2, "0");
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor(seconds / 60) % 60;
  return hours ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}
