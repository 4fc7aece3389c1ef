// Paints spans with the CSS Custom Highlight API: the page's DOM stays as it is.

/** @typedef {import("../core/spans.js").Span} Span */

export class Painter {
  #view;
  #layers = new Map();

  /** @param {import("./pageview.js").PageView} view */
  constructor(view) {
    this.#view = view;
  }

  /** Forget all ranges: the page was built anew, and the old ones point nowhere. */
  reset() {
    for (const name of this.#layers.keys()) this.#view.window.CSS.highlights.delete(name);
    this.#layers.clear();
  }

  /**
   * Show exactly these spans in a layer. Only what changed since the last time is touched.
   * @param {string} name a ::highlight() name
   * @param {Array<[number, number]>} ranges sorted
   * @param {number} [priority] the higher one paints over
   */
  show(name, ranges, priority = 0) {
    const layer = this.#layers.get(name) ?? this.#open(name);
    layer.highlight.priority = priority;
    const pieces = this.#view.besidePictures(joined(ranges));
    const wanted = new Map(pieces.map(([start, end]) => [`${start}-${end}`, [start, end]]));
    for (const [key, range] of layer.ranges) {
      if (wanted.has(key)) continue;
      layer.highlight.delete(range);
      layer.ranges.delete(key);
    }
    for (const [key, [start, end]] of wanted) {
      if (layer.ranges.has(key)) continue;
      const range = this.#view.range(start, end);
      layer.highlight.add(range);
      layer.ranges.set(key, range);
    }
  }

  /**
   * One layer a label: `goldpan-2`, or `goldpan-ghost-2`.
   * @param {string} prefix
   * @param {Span[]} spans
   * @param {Map<string, number>} numbers of labels
   * @param {number} [priority]
   */
  showLabelled(prefix, spans, numbers, priority = 0) {
    const byLabel = Map.groupBy ? Map.groupBy(spans, (span) => span[2]) : grouped(spans);
    for (const [label, number] of numbers) this.show(`${prefix}${number}`, byLabel.get(label) ?? [], priority);
  }

  #open(name) {
    const layer = { highlight: new this.#view.window.Highlight(), ranges: new Map() };
    this.#view.window.CSS.highlights.set(name, layer.highlight);
    this.#layers.set(name, layer);
    return layer;
  }
}

// Neighbouring blocks share one range: painting a whole page of 20,000 nodes stays within a few frames.
function joined(ranges) {
  const out = [];
  for (const [start, end] of ranges) {
    const last = out[out.length - 1];
    if (last && start - last[1] <= 2) last[1] = end;
    else out.push([start, end]);
  }
  return out;
}

function grouped(spans) {
  const groups = new Map();
  for (const span of spans) groups.set(span[2], [...(groups.get(span[2]) ?? []), span]);
  return groups;
}
