// The map beside the page: a lane for each kind of mark, and the part that is in sight.

import { afterFrame } from "./frames.js";

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
  /** @type {() => Iterable<Stroke>} */
  #strokes = () => [];
  #drawn = new Map();
  #later = afterFrame(() => this.#draw());

  /**
   * A click on the map goes there.
   * @param {SVGElement} svg
   * @param {import("./stage.js").Stage} stage
   * @param {AbortSignal} signal
   */
  constructor(svg, stage, signal) {
    this.#svg = svg;
    this.#view = stage.view;
    this.#geometry = stage.geometry;
    this.#window = rect({ class: "window", x: "0", width: "100%" });
    svg.replaceChildren(this.#window);
    svg.addEventListener(
      "click",
      ({ clientY }) => {
        const box = svg.getBoundingClientRect();
        const share = (clientY - box.top) / box.height;
        const { window } = this.#view;
        window.scrollTo(0, share * this.#geometry.height - window.innerHeight / 2);
      },
      { signal },
    );
    stage.addEventListener("measured", () => this.#draw(), { signal });
    stage.onDocument((view, frameSignal) => {
      view.window.addEventListener("scroll", () => this.#scroll(), { signal: frameSignal, passive: true });
    });
  }

  /** Drawn when the next frame is out. @param {() => Iterable<Stroke>} strokes in lanes; left and width in per cent */
  show(strokes) {
    this.#strokes = strokes;
    this.#later();
  }

  /** Draw what is new and remove what is gone, once the blocks are measured. */
  #draw() {
    if (!this.#geometry.isMeasured) return;
    const wanted = new Map(this.#joined().map((position) => [nameOf(position), position]));
    for (const [name, element] of this.#drawn) {
      if (wanted.has(name)) continue;
      element.remove();
      this.#drawn.delete(name);
    }
    const fresh = [...wanted]
      .filter(([name]) => !this.#drawn.has(name))
      .map(([name, position]) => [name, drawn(position)]);
    for (const [name, element] of fresh) this.#drawn.set(name, element);
    this.#svg.append(...fresh.map(([, element]) => element));
    this.#scroll();
  }

  #scroll() {
    const { scrollY, innerHeight } = this.#view.window;
    const { height } = this.#geometry;
    this.#window.setAttribute("y", percent(scrollY / height));
    this.#window.setAttribute("height", percent(Math.min(1, innerHeight / height)));
  }

  /** Strokes with their positions; those of one kind that nearly touch are joined. */
  #joined() {
    const lanes = new Map();
    for (const stroke of this.#strokes()) {
      const position = this.#position(stroke);
      if (!position) continue;
      const lane = lanes.get(laneOf(stroke));
      if (lane) lane.push(position);
      else lanes.set(laneOf(stroke), [position]);
    }
    return [...lanes.values()].flatMap(merged);
  }

  #position(stroke) {
    const { top, bottom, hidden, height } = this.#geometry;
    const first = this.#view.blockAt(stroke.start);
    const last = this.#view.blockAt(Math.max(stroke.start, stroke.end - 1));
    if (first === last) return hidden[first] ? null : { stroke, ...this.#part(stroke, first) };
    return { stroke, top: top[first] / height, bottom: bottom[last] / height };
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

const laneOf = ({ left, attributes }) => `${left} ${Object.values(attributes)}`;

function merged(positions) {
  const out = [];
  for (const position of positions.sort((a, b) => a.top - b.top)) {
    const last = out[out.length - 1];
    if (last && position.top - last.bottom < JOIN) last.bottom = Math.max(last.bottom, position.bottom);
    else out.push(position);
  }
  return out;
}

const nameOf = ({ stroke, top, bottom }) => `${laneOf(stroke)} ${percent(top)} ${percent(bottom)}`;

const drawn = ({ stroke, top, bottom }) =>
  rect({
    ...stroke.attributes,
    x: `${stroke.left}%`,
    width: `${stroke.width}%`,
    y: percent(top),
    height: percent(Math.max(THINNEST, bottom - top)),
  });

function rect(attributes) {
  const element = document.createElementNS(SVG, "rect");
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
}

const percent = (share) => `${(share * 100).toFixed(2)}%`;
