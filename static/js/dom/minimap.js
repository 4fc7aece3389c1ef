// The map beside the page: a lane for each kind of mark, and the part that is in sight.

const SVG = "http://www.w3.org/2000/svg";
// Marks nearer than this share of the page are drawn as one.
const JOIN = 0.002;
const THINNEST = 0.003;

/** @typedef {{start: number, end: number, left: number, width: number, attributes: Record<string, string>}} Stroke */

export class Minimap {
  #svg;
  #geometry;
  #view;
  #window;
  #strokes = [];

  /**
   * @param {SVGElement} svg
   * @param {import("./pageview.js").PageView} view
   * @param {import("./geometry.js").Geometry} geometry
   */
  constructor(svg, view, geometry) {
    this.#svg = svg;
    this.#view = view;
    this.#geometry = geometry;
    this.#window = rect({ class: "window", x: "0", width: "100%" });
  }

  /** A click on the map goes there. @param {AbortSignal} signal */
  listen(signal) {
    this.#svg.addEventListener("click", ({ clientY }) => {
      const box = this.#svg.getBoundingClientRect();
      const share = (clientY - box.top) / box.height;
      const { window } = this.#view;
      window.scrollTo(0, share * this.#geometry.height - window.innerHeight / 2);
    }, { signal });
    this.#view.window.addEventListener("scroll", () => this.scroll(), { signal, passive: true });
  }

  /** @param {Stroke[]} strokes in lanes; left and width in per cent */
  show(strokes) {
    this.#strokes = strokes;
    if (this.#geometry.isMeasured) this.draw();
  }

  draw() {
    const rects = joined(this.#strokes.flatMap((stroke) => this.#place(stroke)))
      .map(({ top, bottom, left, width, attributes }) => rect({
        ...attributes, x: `${left}%`, width: `${width}%`, y: percent(top), height: percent(Math.max(THINNEST, bottom - top)),
      }));
    this.#svg.replaceChildren(this.#window, ...rects);
    this.scroll();
  }

  scroll() {
    const { scrollY, innerHeight } = this.#view.window;
    const { height } = this.#geometry;
    this.#window.setAttribute("y", percent(scrollY / height));
    this.#window.setAttribute("height", percent(Math.min(1, innerHeight / height)));
  }

  #place(stroke) {
    const { top, bottom, hidden, height } = this.#geometry;
    const first = this.#view.blockAt(stroke.start);
    const last = this.#view.blockAt(Math.max(stroke.start, stroke.end - 1));
    if (first === last) return hidden[first] ? [] : [{ ...stroke, ...this.#part(stroke, first) }];
    return [{ ...stroke, top: top[first] / height, bottom: bottom[last] / height }];
  }

  // A part of a long block: by its share of the text, which spares a layout for every mark.
  #part({ start, end }, block) {
    const { top, bottom, height } = this.#geometry;
    const [from, to] = this.#view.blocks[block];
    const tall = bottom[block] - top[block];
    const at = (offset) => (top[block] + (tall * (offset - from)) / (to - from)) / height;
    return { top: at(start), bottom: at(end) };
  }
}

function joined(places) {
  const out = [];
  for (const place of places.sort((a, b) => a.left - b.left || a.top - b.top)) {
    const last = out[out.length - 1];
    const isSame = last && last.left === place.left && JSON.stringify(last.attributes) === JSON.stringify(place.attributes);
    if (isSame && place.top - last.bottom < JOIN) last.bottom = Math.max(last.bottom, place.bottom);
    else out.push({ ...place });
  }
  return out;
}

function rect(attributes) {
  const element = document.createElementNS(SVG, "rect");
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
}

const percent = (share) => `${(share * 100).toFixed(2)}%`;
