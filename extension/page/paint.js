// Paints what an extractor takes on the open page, without a change to it: highlights are no elements.

{
  const LABELS = ["headline", "body", "supplemental", "comments", "related"];

  /**
   * @typedef {{label: string, start: number, end: number}} Part offsets in UTF-16 units of the text
   * @typedef {{text: string, ranges: Part[]}} TakenNode a text node of the parsed file, with what is taken of it
   */

  /**
   * Find each of the nodes among the runs of the last capture, in order where it can be, and paint its parts.
   * @param {TakenNode[]} taken
   * @returns {number} how many of the nodes were not found
   */
  function paint(taken) {
    clear();
    /** @type {Map<string, Range[]>} */
    const ranges = new Map();
    const runs = globalThis.goldpanPage.runs ?? [];
    let next = 0;
    let lost = 0;
    for (const { text, ranges: wanted } of taken) {
      // Before it, too: the file has the text of a shadow root before what its slots show in the midst of it.
      const found = indexOf(runs, text, next) ?? indexOf(runs, text, 0);
      if (found === null) {
        lost += 1;
        continue;
      }
      next = Math.max(next, found + 1);
      for (const part of wanted) {
        const range = rangeIn(runs[found].nodes, part);
        if (!range) continue;
        ranges.set(part.label, [...(ranges.get(part.label) ?? []), range]);
      }
    }
    for (const [label, marked] of ranges) {
      const name = LABELS.includes(label) ? label : "other";
      const highlight = CSS.highlights.get(`goldpan-${name}`) ?? new Highlight();
      for (const range of marked) highlight.add(range);
      CSS.highlights.set(`goldpan-${name}`, highlight);
    }
    const first = [...ranges.values()].flat()[0];
    first?.startContainer.parentElement?.scrollIntoView({ block: "center", behavior: "auto" });
    return lost;
  }

  /**
   * @param {{text: string}[]} runs
   * @param {string} text
   * @param {number} from
   */
  function indexOf(runs, text, from) {
    for (let index = from; index < runs.length; index += 1) if (runs[index].text === text) return index;
    return null;
  }

  /**
   * @param {Text[]} nodes
   * @param {Part} span
   * @returns {Range|null} null where the page has changed since
   */
  function rangeIn(nodes, span) {
    const range = document.createRange();
    let before = 0;
    let hasStart = false;
    for (const node of nodes) {
      const end = before + node.length;
      if (!hasStart && span.start < end) {
        range.setStart(node, span.start - before);
        hasStart = true;
      }
      if (hasStart && span.end <= end) {
        range.setEnd(node, span.end - before);
        return node.isConnected ? range : null;
      }
      before = end;
    }
    return null;
  }

  function clear() {
    for (const name of [...LABELS, "other"]) CSS.highlights.delete(`goldpan-${name}`);
  }

  globalThis.goldpanPage = { ...globalThis.goldpanPage, paint, clear };
  // An injected file answers with its last value, and Firefox refuses one that cannot be copied.
  ("done");
}
