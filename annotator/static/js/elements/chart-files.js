// A chart as a file: its SVG with the colours that it has on the screen, that SVG as a picture, or its points as a table.

import { find, findAll } from "./build.js";

// What our style sheets give the shapes of charts.
const LOOK =
  `fill stroke stroke-width stroke-dasharray stroke-linecap stroke-linejoin opacity font-family font-size font-weight
  text-anchor`.split(/\s+/);
// Pixels of the picture for each of the drawing.
const SHARPNESS = 2;

/** @param {HTMLElement} chart @returns {Blob} */
export function asSVG(chart) {
  return new Blob([drawn(chart)], { type: "image/svg+xml" });
}

/** @param {HTMLElement} chart @returns {Promise<Blob>} */
export async function asPNG(chart) {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(drawn(chart))}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = sizeOf(find("svg", chart)).map((length) => length * SHARPNESS);
  const context = canvas.getContext("2d");
  context?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("the chart could not be drawn"))), "image/png");
  });
}

/** @param {HTMLElement} chart @returns {Blob} */
export function asCSV(chart) {
  /** @type {HTMLElement[]} */
  const rows = findAll("[data-chart-points] > li", chart);
  const lines = rows.map((row) => Array.from(row.querySelectorAll("data"), ({ value }) => cell(value)).join(","));
  return new Blob([`${lines.join("\r\n")}\r\n`], { type: "text/csv;charset=utf-8" });
}

/** Hand a file to the browser. @param {Blob} blob @param {string} name */
export function save(blob, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  // Not at once: the browser has yet to read it.
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** The SVG by itself, on paper. @param {HTMLElement} chart @returns {string} */
function drawn(chart) {
  /** @type {SVGSVGElement} */
  const shown = find("svg", chart);
  const copy = /** @type {SVGSVGElement} */ (shown.cloneNode(true));
  const originals = [shown, ...shown.querySelectorAll("*")];
  const guide = copy.querySelector(".guide");
  for (const [index, each] of [copy, ...copy.querySelectorAll("*")].entries()) dress(each, originals[index]);
  guide?.remove();
  const [width, height] = sizeOf(shown);
  const paper = document.createElementNS(copy.namespaceURI, "rect");
  const ground = { width, height, fill: getComputedStyle(document.body).backgroundColor };
  for (const [name, value] of Object.entries(ground)) paper.setAttribute(name, String(value));
  copy.prepend(paper);
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.setAttribute("width", String(width));
  copy.setAttribute("height", String(height));
  return new XMLSerializer().serializeToString(copy);
}

/** @param {Element} copy @param {Element} original */
function dress(copy, original) {
  const style = getComputedStyle(original);
  for (const name of LOOK) copy.setAttribute(name, style.getPropertyValue(name));
  copy.removeAttribute("class");
}

/** @param {SVGSVGElement} svg @returns {[number, number]} */
function sizeOf(svg) {
  const { width, height } = svg.viewBox.baseVal;
  return [width, height];
}

/** A cell as spreadsheets read it; one that looks like a formula is held to be text. @param {string} value */
function cell(value) {
  const safe = /^[=+\-@\t\r]/.test(value) && Number.isNaN(Number(value)) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
