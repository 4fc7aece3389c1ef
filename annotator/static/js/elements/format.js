// Numbers and times in the language of the screen; words come from Django's JavaScript catalogue (gettext).

const language = document.documentElement.lang || undefined;
/** @type {Intl.DateTimeFormatOptions} */
const HOURS = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" };
const clock = new Intl.DateTimeFormat(language, HOURS);
const calendar = new Intl.DateTimeFormat(language, { day: "numeric", month: "short", ...HOURS });

/** A whole number, in groups as the server writes them; browsers write Spanish ones with points. @param {number} n */
export const figure = (n) => String(n).replace(/\B(?=(\d{3})+$)/g, () => get_format("THOUSAND_SEPARATOR"));

/** Words with their number in place of %(n)s. @param {string} words @param {number} n */
export const counted = (words, n) => interpolate(words, { n: figure(n) }, true);

/** The time of today, or the day and the time. @param {string|number|Date} moment */
export function time(moment) {
  const at = new Date(moment);
  return (at.toDateString() === new Date().toDateString() ? clock : calendar).format(at);
}

/** @param {number} seconds @returns {string} 2:14, or 1:02:14 */
export function duration(seconds) {
  const two = (n) => String(n).padStart(2, "0");
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor(seconds / 60) % 60;
  return hours ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}
