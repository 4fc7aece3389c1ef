// The style sheets that we put into the frame. Values follow tokens.css, which the frame cannot read.

const INK = { light: "#1c1c1f", dark: "#ededee" };
const SOFT = { light: "#515257", dark: "#b4b4ba" };
const FAINT = { light: "#686970", dark: "#97979e" };
const RULE = { light: "#e6e5e1", dark: "#2d2d31" };
const EDGE = { light: "#8a8984", dark: "#74747b" };
const WELL = { light: "#efeeeb", dark: "#29292d" };

// Line, tint and pattern of each number, so that colour is never alone; 0 are retired labels.
const LABELS = {
  0: { line: EDGE, tint: WELL, pattern: "solid" },
  1: { line: { light: "#8c2d04", dark: "#f08c4a" }, tint: { light: "#fde5ca", dark: "#563716" }, pattern: "double" },
  2: { line: { light: "#0058b8", dark: "#4a97f5" }, tint: { light: "#e4f4fd", dark: "#12283f" }, pattern: "solid" },
  3: { line: { light: "#1b9160", dark: "#6fe8ab" }, tint: { light: "#c9f2df", dark: "#0f463e" }, pattern: "dashed" },
  4: { line: { light: "#94417f", dark: "#dd9ad9" }, tint: { light: "#f8d5f2", dark: "#602759" }, pattern: "dotted" },
  5: { line: { light: "#978207", dark: "#f2ee2c" }, tint: { light: "#f9f9b6", dark: "#2d2e10" }, pattern: "wavy" },
  6: {
    line: { light: "#1b0170", dark: "#6e4cfd" },
    tint: { light: "#e0daf3", dark: "#241f3d" },
    pattern: "overline solid",
  },
  7: {
    line: { light: "#454541", dark: "#736d79" },
    tint: { light: "#e4e4e0", dark: "#262528" },
    pattern: "overline dashed",
  },
  8: {
    line: { light: "#e614f3", dark: "#c029ad" },
    tint: { light: "#fce5fe", dark: "#381a36" },
    pattern: "overline dotted",
  },
  9: {
    line: { light: "#29090f", dark: "#ce4645" },
    tint: { light: "#f3dcdc", dark: "#442223" },
    pattern: "overline double",
  },
};
const GOLD = {
  line: { light: "#b07f00", dark: "#f7cd62" },
  tint: { light: "#fcf4dd", dark: "#312a15" },
  now: { light: "#fbecc2", dark: "#3b3010" },
};
const FOUND_TINT = { light: "#e9f4fc", dark: "#14293d" };
const MISSED_TINT = { light: "#fff7ee", dark: "#2a1f14" };

/** @typedef {"light"|"dark"} Scheme */

const underline = (line, pattern, width = "2px") =>
  `text-decoration: underline ${pattern} ${line} ${width}; text-underline-offset: 3px; text-decoration-skip-ink: none;`;

/**
 * How painted ranges look: `goldpan-<label number>`, `goldpan-ghost-<n>`, `goldpan-agreed-<n>` and the rest.
 * @param {Scheme} scheme
 * @param {boolean} isReading on a page's own colours and tight lines, tints are translucent and ink is the page's
 * @returns {string}
 */
export function paint(scheme, isReading) {
  const on = (tint) =>
    isReading
      ? `color: ${INK[scheme]}; background-color: ${tint[scheme]};`
      : `background-color: ${translucent(tint.light)};`;
  const quiet = (colour) => (isReading ? `color: ${colour[scheme]};` : "");
  const rule = (name, body) => `::highlight(goldpan-${name}) { ${body} }`;
  const labels = Object.entries(LABELS).flatMap(([n, { line, tint, pattern }]) => [
    rule(n, on(tint) + underline(line[scheme], pattern)),
    rule(`ghost-${n}`, underline(line[scheme], pattern)),
    rule(`agreed-${n}`, quiet(SOFT) + underline(line[scheme], pattern, "1px")),
  ]);
  const [missed, found, wrong] = [LABELS[1], LABELS[2], LABELS[4]].map(({ line }) => line[scheme]);
  return [
    ...labels,
    rule("open", on(GOLD.tint) + underline(GOLD.line[scheme], "solid")),
    rule("now", on(GOLD.now) + underline(GOLD.line[scheme], "solid", "3px")),
    rule("nothing", quiet(FAINT) + underline(EDGE[scheme], "dotted", "1px")),
    rule("found", on(FOUND_TINT) + underline(found, "solid", "1px")),
    rule("missed", on(MISSED_TINT) + underline(missed, "dashed")),
    rule("hit", on(GOLD.now)),
    rule("hidden", on(WELL) + quiet(FAINT) + underline(EDGE[scheme], "dotted", "1px")),
    rule("wrong", `${on(LABELS[4].tint)}text-decoration: line-through solid ${wrong} 1px;`),
    isReading ? forced() : "",
  ].join("\n");
}

// Where the system chooses the colours it would give every highlight the same: a mark has its ground, a suggestion
// only its line, and the pattern of the line tells labels apart as before.
function forced() {
  const rules = Object.keys(LABELS).flatMap((n) => [
    `::highlight(goldpan-${n}) { color: HighlightText; background-color: Highlight; text-decoration-color: HighlightText; }`,
    `::highlight(goldpan-ghost-${n}) { color: CanvasText; background-color: Canvas; text-decoration-color: CanvasText; }`,
  ]);
  return `@media (forced-colors: active) { body { background: Canvas; color: CanvasText; } a[data-href] { color: LinkText; } ${rules.join(" ")} }`;
}

// The most transparent colour that looks the same on white: where lines are set tight, the background of one
// is painted over the letters of the line before.
function translucent(hex) {
  const channels = [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16));
  const alpha = 1 - Math.min(...channels) / 255;
  const [r, g, b] = channels.map((channel) => Math.round((channel - 255 * (1 - alpha)) / alpha));
  return `rgb(${r} ${g} ${b} / ${alpha.toFixed(3)})`;
}

// What holds everywhere: text can be chosen and seen, nothing moves.
const ALWAYS = `
*, ::before, ::after { animation: none !important; transition: none !important; scroll-behavior: auto !important; }
* { -webkit-user-select: text !important; user-select: text !important; cursor: text !important; }
html, body { max-height: none !important; overflow: auto !important; opacity: 1 !important; visibility: visible !important; }
html { overflow: visible !important; }
:not(img) { filter: none !important; backdrop-filter: none !important; will-change: auto !important; }
:not(img, :empty) { mask: none !important; clip-path: none !important; }
::before, ::after { pointer-events: none !important; }
@media (forced-colors: active) { :root { forced-color-adjust: none !important; } }
span[data-tag][hidden]:empty { display: none !important; }
:where(a[data-href]) { text-decoration: underline; color: #123c8a; }
`;

/** The same in both views of a page without its own sheets: pictures are grey boxes. */
export const BASE = `${ALWAYS}
html, body { display: block !important; position: static !important; height: auto !important; }
:where(img[data-tag="svg"]:not([width])) { width: 1em; height: 1em; }
img { position: static !important; min-width: 8px; min-height: 8px; max-width: 100% !important; max-height: 14rem !important;
  background: #ececea !important; filter: none !important; pointer-events: none !important; }
`;

/** The same in page view of a page that has its own sheets and images. */
export const DRESSED = `${ALWAYS}
img { filter: none !important; pointer-events: none !important; }
[data-tag="details"]:not([data-open]) > :not([data-tag="summary"]) { display: none !important; }
img:not([data-asset]) { background: rgb(128 128 128 / .16) !important; color: transparent !important; }
[data-label]::before { color: transparent !important; }
[data-clips] { overflow: clip !important; }
`;

/** What they add to that in quirks mode. */
export const QUIRKS = `
:where([data-tag="form"]) { margin-block-end: 1em; }
:where([data-tag="input"], [data-tag="textarea"]) { box-sizing: border-box; }
:where([data-tag="input"]:is(:not([type]), [type="text"], [type="email"], [type="password"], [type="tel"], [type="url"], [type="number"])) {
  width: calc(20 * .82ch + 2.4em + 8px); }
`;

/** How browsers draw by themselves what others stand in for: below all rules of the page. */
export const DEFAULTS = `
:where([data-tag="button"]) { display: inline-block; box-sizing: border-box; align-content: center; padding: 1px 6px;
  border: 2px outset #767676; background: #efefef; color: #000; font: 13.3333px Arial, sans-serif; text-align: center; text-indent: 0;
  letter-spacing: normal; word-spacing: normal; text-transform: none; }
:where([data-holds="items"]) { align-content: normal; }
:where([data-fits]) { width: fit-content; }
:where([data-tag="input"], [data-tag="select"], [data-tag="textarea"]) { display: inline-block; overflow: clip;
  width: calc(20 * .82ch + 2.4em); padding: 1px 2px; border: 2px inset #767676; background: rgb(128 128 128 / .16);
  font: 13.3333px Arial, sans-serif; align-content: center; text-align: start; text-indent: 0; letter-spacing: normal;
  word-spacing: normal; text-transform: none; white-space: pre; }
:where([data-tag="input"], [data-tag="select"])::before { content: "\\200b"; }
:where([data-tag="input"], [data-tag="select"]):where([data-label])::before { content: "\\200b" attr(data-label); }
:where([data-tag="select"]) { box-sizing: border-box; width: auto; padding: 0; border-width: 1px; }
:where([data-tag="select"])::before { display: inline-block; padding: 1px 16px 1px 4px; line-height: normal; }
:where([data-tag="select"][data-height]) { overflow: hidden; align-content: start; vertical-align: text-bottom; }
:where([data-tag="select"][data-height])::before { padding-inline: 2px; }
:where([data-tag="select"]:not([data-label])) { width: 90px; }
:where([data-tag="textarea"]) { width: calc(20 * .96ch + 15px); height: 2lh; padding: 2px; border-width: 1px; }
:where([data-tag="input"][type="search"]) { box-sizing: border-box; width: calc(20 * .82ch + 2.4em + 8px); }
:where([data-tag="input"]:is([type="submit"], [type="button"], [type="reset"])) { box-sizing: border-box; width: auto;
  padding: 1px 6px; text-align: center; }
:where([data-tag="input"]:is([type="submit"], [type="button"], [type="reset"]):not([data-label])) { width: 60px; }
:where([data-tag="input"]:is([type="checkbox"], [type="radio"])) { box-sizing: border-box; width: 13px; height: 13px;
  margin: 3px 3px 3px 4px; padding: 0; border: 0; }
:where([data-tag="input"][type="radio"]) { margin: 3px 3px 0 5px; }
:where([data-tag="input"][type="range"]) { width: 129px; height: 16px; margin: 2px; padding: 0; border: 0; }
:where([data-tag="input"][type="color"]) { box-sizing: border-box; width: 50px; height: 27px; }
:where([data-tag="input"][type="file"]) { width: 289px; height: 21px; padding: 0; border: 0; }
:where([data-tag="input"]:is([type="date"], [type="month"], [type="week"])) { width: 120px; height: 17px; }
:where([data-tag="svg"]) { min-width: 0; min-height: 0; }
:where([data-tag="summary"]) { display: list-item; list-style: disclosure-closed inside; }
:where([data-tag="details"][data-open] > [data-tag="summary"]) { list-style-type: disclosure-open; }
:where([data-tag="fieldset"]) { min-inline-size: min-content; margin-inline: 2px; padding: .35em .75em .625em; border: 2px groove #767676; }
:where([data-tag="legend"]) { padding-inline: 2px; }
`;

/**
 * Our rules where no rule of the page can reach them: important ones in the first layer beat all others, however
 * exact the others are, and a layer without a name cannot be added to.
 * @param {string} base
 * @param {string} marks
 * @returns {string}
 */
export const above = (base, marks) => `@layer { ${base} ${marks.replaceAll(";", " !important;")} }`;

/**
 * Our own typography for reading view.
 * @param {Scheme} scheme
 * @returns {string}
 */
export const reading = (scheme) => `
:root { color-scheme: ${scheme}; }
body { box-sizing: border-box; max-width: 46rem; margin: 0 auto; padding: 2rem 2rem 9rem; color: ${INK[scheme]};
  font: 1.0625rem/1.65 ui-serif, "Iowan Old Style", Charter, Georgia, "Noto Serif", serif; overflow-wrap: break-word; }
h1, h2, h3, h4, h5, h6 { margin: 1.2em 0 .4em; line-height: 1.3; font-weight: 600; }
h1 { font-size: 1.75rem; } h2 { font-size: 1.375rem; } h3 { font-size: 1.1875rem; } h4, h5, h6 { font-size: 1.0625rem; }
p { margin: .7em 0; } div { margin: .3em 0; } ul, ol { margin: .5em 0; padding-inline-start: 1.5em; } li { margin: .15em 0; }
blockquote { margin: .7em 0; padding-inline-start: 1em; border-inline-start: 3px solid ${RULE[scheme]}; }
figure { margin: 1em 0; } figcaption { font-size: .9375rem; }
table { border-collapse: collapse; } td, th { padding: 2px 8px; border: 1px solid ${RULE[scheme]}; text-align: start; vertical-align: top; }
pre { white-space: pre-wrap; }
hr { border: 0; border-top: 1px solid ${RULE[scheme]}; }
a[data-href] { color: inherit; text-decoration: underline ${EDGE[scheme]} 1px; }
nav, footer, aside { color: ${SOFT[scheme]}; font: .8125rem/1.6 system-ui, "Segoe UI", Roboto, "Noto Sans", sans-serif; }
:is(nav, footer, aside) :is(h1, h2, h3, h4, h5, h6) { margin: .5em 0 .2em; font-size: .9375rem; }
img { display: none; }
img[data-alt] { display: inline-block; width: 4rem; height: 2.5rem; background: ${WELL[scheme]} !important; vertical-align: middle; }
[data-links] { display: block !important; margin: .5em 0; padding-inline-start: 0; color: ${FAINT[scheme]};
  font: .8125rem/1.6 system-ui, "Segoe UI", Roboto, "Noto Sans", sans-serif; list-style: none; }
[data-links] * { display: inline !important; margin: 0 !important; padding: 0 !important; border: 0 !important; font: inherit !important; }
[data-links] [hidden] { display: none !important; }
[data-links] :is(li, tr, td, dd) { margin-inline-end: .9em !important; }
[data-links] :is(ul, ol) { margin-inline-start: .9em !important; }
:is([data-links], nav) img { display: none !important; }
`;
