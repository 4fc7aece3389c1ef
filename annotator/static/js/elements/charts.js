// A chart is a figure[data-chart] with an SVG, a hidden list of its points from the left to the right, and a line in
// which the point that is pointed at is read out. Charts come and go with what is fetched, so events are heard above them.

import { closest, find, findAll } from "./build.js";
import { asCSV, asPNG, asSVG, save } from "./chart-files.js";

const SVG = "http://www.w3.org/2000/svg";
const STEPS = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity };
const FORMATS = { png: asPNG, svg: asSVG, csv: asCSV };

export function watchCharts() {
  document.addEventListener("pointermove", (event) => {
    const chart = drawingAt(event);
    if (chart) point(chart, nearest(chart, /** @type {PointerEvent} */ (event)));
  });
  document.addEventListener("pointerout", (event) => {
    const chart = closest(event, "figure[data-chart]");
    const to = /** @type {Element|null} */ (/** @type {PointerEvent} */ (event).relatedTarget);
    if (chart && to?.closest("figure[data-chart]") !== chart && document.activeElement?.closest("figure") !== chart)
      point(chart, -1);
  });
  document.addEventListener("focusin", (event) => {
    const chart = drawingAt(event);
    if (chart) point(chart, pointsOf(chart).length - 1);
  });
  document.addEventListener("focusout", (event) => {
    const chart = drawingAt(event);
    if (chart) point(chart, -1);
  });
  document.addEventListener("keydown", (event) => walk(/** @type {KeyboardEvent} */ (event)));
  document.addEventListener("click", (event) => {
    const button = closest(event, "[data-save-chart]");
    const chart = button?.closest("figure");
    if (button && chart) keep(chart, button.dataset.saveChart ?? "");
  });
}

/** The chart whose drawing an event is in. @param {Event} event @returns {HTMLElement|null} */
const drawingAt = (event) => closest(event, "figure[data-chart] svg")?.closest("figure") ?? null;

/** @param {Element} chart @returns {HTMLElement[]} */
const pointsOf = (chart) => findAll("[data-chart-points] [data-x]", chart);

/** The point nearest to the pointer, -1 where there is none. @param {HTMLElement} chart @param {PointerEvent} event */
function nearest(chart, { clientX, clientY }) {
  /** @type {SVGSVGElement} */
  const svg = find("svg", chart);
  const toChart = svg.getScreenCTM()?.inverse();
  if (!toChart) return -1;
  const { x } = new DOMPoint(clientX, clientY).matrixTransform(toChart);
  const away = pointsOf(chart).map((each) => Math.abs(Number(each.dataset.x) - x));
  return away.indexOf(Math.min(...away));
}

/** Read a point out and draw a line there; -1: none. @param {HTMLElement} chart @param {number} index */
function point(chart, index) {
  const shown = pointsOf(chart)[index];
  find("[data-chart-value]", chart).textContent = shown ? shown.textContent.replace(/\s+/g, " ").trim() : "";
  chart.dataset.index = String(index);
  const svg = find("svg", chart);
  const line = svg.querySelector(".guide") ?? svg.appendChild(document.createElementNS(SVG, "line"));
  line.setAttribute("class", "guide");
  line.toggleAttribute("hidden", !shown);
  if (!shown) return;
  const { top = "0", bottom = "0" } = chart.dataset;
  for (const [name, value] of Object.entries({ x1: shown.dataset.x, x2: shown.dataset.x, y1: top, y2: bottom })) {
    line.setAttribute(name, value ?? "");
  }
}

/** @param {KeyboardEvent} event */
function walk(event) {
  const chart = drawingAt(event);
  if (!chart || !(event.key in STEPS) || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  const last = pointsOf(chart).length - 1;
  const from = Number(chart.dataset.index ?? last);
  point(chart, Math.max(0, Math.min(last, from + STEPS[event.key])));
}

/** @param {HTMLElement} chart @param {string} kind */
async function keep(chart, kind) {
  point(chart, -1);
  save(await FORMATS[kind](chart), `${chart.dataset.chart}.${kind}`);
}
