// What may exist in the frame, whatever the view data say: the second of two whitelists (the server has the other).

const words = (text) => new Set(text.trim().split(/\s+/));

// Neither html nor body: a document has one of each, and they are made before anything is built.
const TAGS = words(`
  address article aside blockquote center dd div dl dt figcaption figure footer h1 h2 h3 h4 h5 h6 header
  hgroup hr li main nav ol p pre section table caption colgroup col thead tbody tfoot tr td th ul a abbr acronym b bdi
  bdo big br cite code data del dfn em font i img ins kbd mark nobr q rb rp rt rtc ruby s samp small span strike strong
  sub sup time tt u var wbr`);

const ATTRIBUTES = words(`
  class id style title lang dir align valign width height bgcolor color face size colspan rowspan cellpadding
  cellspacing border alt hidden start type value reversed nowrap span clear datetime role rules frame scope noshade
  hspace vspace compact text data-href data-src data-tag data-shadow data-slot data-asset data-density data-sizes data-box data-open data-width data-height
  data-label data-important`);

// Reading view has its own typography: whatever speaks of looks stays behind.
const LOOKS = words(`
  style class id align valign width height bgcolor color face size cellpadding cellspacing border hidden text hspace
  vspace nowrap rules frame clear noshade compact`);

/** @param {string} tag @returns {string} the tag, or a span in its place */
export const safeTag = (tag) => (TAGS.has(tag) ? tag : "span");

// What only the page's own sheets speak of.
const OWN = /^data-p-[a-z][a-z0-9_.:-]{0,60}$/;

/** @param {string} name @param {boolean} reading */
export const isSafeAttribute = (name, reading) =>
  (ATTRIBUTES.has(name) && !(reading && LOOKS.has(name))) || (!reading && OWN.test(name));

/**
 * What is important in a style attribute would beat our own sheet, whatever layer it is in. A space takes its place,
 * so that what stood around it stays apart.
 * @param {string} name
 * @param {string} value
 * @returns {string}
 */
export const safeValue = (name, value) => (name === "style" ? value.replace(/!\s*important/gi, " ") : value);
