// Which block lies under a point of the frame.

// A click beside a line still means the line, but white space far from any text means nothing.
const BESIDE = 12;
const ABOVE = 6;

/**
 * @param {import("./pageview.js").PageView} view
 * @param {number} x in the frame's viewport
 * @param {number} y
 * @returns {number} the block, or -1
 */
export function blockFromPoint(view, x, y) {
  // A page's own transforms can put a text where no number says.
  if (!Number.isFinite(x + y)) return -1;
  const node = caretNode(view.document, x, y);
  const block = node ? view.blockOf(node) : -1;
  return block >= 0 && isNear(view.blockRange(block), x, y) ? block : -1;
}

/**
 * The caret nearest to a point, by whichever of the two questions the browser knows.
 *
 * @param {Document} document
 * @param {number} x in its viewport
 * @param {number} y
 * @returns {Range | undefined} collapsed
 */
export function caretAt(document, x, y) {
  if (!document.caretPositionFromPoint) return document.caretRangeFromPoint?.(x, y) ?? undefined;
  const found = document.caretPositionFromPoint(x, y);
  if (!found) return undefined;
  const caret = document.createRange();
  caret.setStart(found.offsetNode, found.offset);
  return caret;
}

/** The node whose words lie nearest to a point. @param {Document} document @param {number} x @param {number} y */
export function caretNode(document, x, y) {
  return caretAt(document, x, y)?.startContainer;
}

function isNear(range, x, y) {
  for (const box of range.getClientRects()) {
    if (x >= box.left - BESIDE && x <= box.right + BESIDE && y >= box.top - ABOVE && y <= box.bottom + ABOVE)
      return true;
  }
  return false;
}

const SAMPLE = 40;
const MANY = 200;
const FEW = 5;
// Above and below a block that is looked at. One that has it already is not scrolled to: that costs more than looking.
const ROOM = 100;

/**
 * The share of visible blocks, sampled over the page, that a mouse can reach; something covers the others. None of
 * a page that shows nothing at all.
 * @param {import("./pageview.js").PageView} view
 * @returns {number} 0 to 1
 */
export function coverage(view) {
  const { window } = view;
  const { scrollX, scrollY } = window;
  const first = firstScreen(view);
  const answers = sample(view.blocks.length).map((block) => {
    const far = visibleBox(view.blockRange(block));
    if (far) bringIn(window, far);
    return far && isReached(view, block);
  });
  window.scrollTo(scrollX, scrollY);
  const isEmpty = answers.length > 0 && answers.every((answer) => answer === undefined);
  return isEmpty ? 0 : Math.min(share(answers), first);
}

// Of a line's box the middle half: tight lines touch, and are no overlap. Pixels in which two must meet.
const MARGIN = 0.25;
const LEAST = 4;
// Lines at one height that are compared with each other: no page needs more side by side.
const BESIDE_EACH_OTHER = 300;

/**
 * The share of the text that can be seen which overlaps the text of other blocks: what a page's own
 * scripts would have put in its place. A menu of a few words weighs little.
 * @param {import("./pageview.js").PageView} view
 * @returns {number} 0 to 1
 */
export function overlaid(view) {
  const lines = view.blocks.flatMap((_, block) => linesOf(view, block)).sort((a, b) => a.top - b.top);
  const found = new Set();
  let near = [];
  for (const line of lines) {
    near = near.filter(({ bottom }) => bottom > line.top);
    for (const other of near.filter((each) => each.block !== line.block && isOver(each, line))) {
      found.add(other.block).add(line.block);
    }
    if (near.length < BESIDE_EACH_OTHER) near.push(line);
  }
  const sizeOf = (blocks) => [...blocks].reduce((sum, block) => sum + view.blocks[block][1] - view.blocks[block][0], 0);
  return sizeOf(found) / Math.max(1, sizeOf(new Set(lines.map(({ block }) => block))));
}

function linesOf(view, block) {
  const range = view.blockRange(block);
  const boxes = [...range.getClientRects()].filter(({ width, height }) => width > LEAST && height > LEAST);
  if (!boxes.length || !isPainted(range.startContainer.parentElement)) return [];
  return boxes.map(({ left, right, top, bottom, height }) => ({
    block,
    left,
    right,
    top: top + MARGIN * height,
    bottom: bottom - MARGIN * height,
  }));
}

const isPainted = (element) => element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
const isOver = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > LEAST;

// Scrolling takes a block from under a cover over the first screen alone, so that is examined unscrolled. Text
// over text, as in menus without their sheet, is no such cover: some block answers there.
function firstScreen(view) {
  const { window, blocks } = view;
  window.scrollTo(0, 0);
  const seen = [];
  for (let block = 0; block < blocks.length; block += 1) {
    const box = visibleBox(view.blockRange(block));
    if (box && box.top > window.innerHeight) break;
    if (box && box.top >= 0 && box.bottom <= window.innerHeight) seen.push(hit(view, box) >= 0);
  }
  return seen.length < FEW ? 1 : share(seen);
}

function isReached(view, block) {
  const range = view.blockRange(block);
  const box = visibleBox(range);
  return box && hit(view, box) === block && isOpaque(range.startContainer.parentElement);
}

/** Text that a mouse can reach may still be transparent all the way. @param {Element} element */
const isOpaque = (element) => element.checkVisibility({ opacityProperty: true });

const hit = (view, box) => blockFromPoint(view, ...middleOf(box));

// A box with more of the page's text than this is no cover, but a part of the page.
const TOO_MUCH_TEXT = 0.3;

/**
 * The outermost boxes that lie over sampled blocks, and hold none of them.
 * @param {import("./pageview.js").PageView} view
 * @returns {Element[]}
 */
export function boxesOverText(view) {
  const { window, document, body } = view;
  const { scrollX, scrollY } = window;
  const most = TOO_MUCH_TEXT * (body.textContent ?? "").length;
  const found = new Set();
  for (const screen of ["top", "middle"]) {
    for (const block of sample(view.blocks.length)) {
      if (screen === "top") window.scrollTo(0, 0);
      const range = view.blockRange(block);
      const far = visibleBox(range);
      if (far && screen === "middle") bringIn(window, far);
      const box = visibleBox(range);
      const own = range.startContainer.parentElement;
      const over = box && document.elementFromPoint(...middleOf(box));
      const cover = over && outermost(over, own);
      if (cover && cover !== body && (cover.textContent ?? "").length < most) found.add(cover);
    }
  }
  window.scrollTo(scrollX, scrollY);
  return [...found];
}

/** The outermost element around `over` that does not hold `own`; null where they belong together. */
function outermost(over, own) {
  if (over.contains(own) || own.contains(over)) return null;
  let box = over;
  while (box.parentElement && !box.parentElement.contains(own)) box = box.parentElement;
  return box;
}

// As they are by themselves: margins of a page, indentation of lists and quotations, in CSS pixels on both sides.
const MARGINS = 16;
const INDENTS = { UL: 40, OL: 40, DD: 40, BLOCKQUOTE: 80, FIGURE: 80 };
// A box narrower than this share of them was laid out.
const NARROW = 0.92;
// In a narrow window a page made for telephones fills the whole width too, so this is looked at in a wide one.
const WIDE = 1280;

/**
 * The share of the visible text that stands in boxes which a style has laid out: columns, cells, boxes with a width.
 * Without style sheets, text runs over the whole width.
 * @param {import("./pageview.js").PageView} view
 * @returns {number} 0 to 1
 */
export function laidOut(view) {
  const { frame } = view;
  if (view.window.innerWidth < WIDE) frame.style.width = `${WIDE}px`;
  let all = 0;
  let own = 0;
  for (const block of sample(view.blocks.length, MANY)) {
    const range = view.blockRange(block);
    if (!visibleBox(range)) continue;
    const [start, end] = view.blocks[block];
    all += end - start;
    if (isLaidOut(view, range.startContainer.parentElement)) own += end - start;
  }
  frame.style.width = "";
  return all ? own / all : 1;
}

function isLaidOut({ window, body }, element) {
  let box = element;
  while (box !== body && window.getComputedStyle(box).display.startsWith("inline")) box = box.parentElement;
  let width = window.document.documentElement.clientWidth - MARGINS;
  for (let at = box; at && at !== body; at = at.parentElement) width -= INDENTS[at.tagName] ?? 0;
  return box.getBoundingClientRect().width < NARROW * width;
}

/** The share of true among true and false; what is neither was not to be seen. */
function share(answers) {
  const known = answers.filter((answer) => typeof answer === "boolean");
  return known.length ? known.filter(Boolean).length / known.length : 1;
}

function bringIn(window, { top, bottom }) {
  const isIn = top >= ROOM && bottom <= window.innerHeight - ROOM;
  if (!isIn) window.scrollTo(0, window.scrollY + top - ROOM);
}

const sample = (length, most = SAMPLE) =>
  Array.from({ length: Math.min(most, length) }, (_, i) => Math.floor((i * length) / Math.min(most, length)));

/** @returns {[number, number]} */
const middleOf = (box) => [box.left + Math.min(10, box.width / 2), box.top + box.height / 2];

const visibleBox = (range) => [...range.getClientRects()].find((box) => box.width > 4 && box.height > 4);
