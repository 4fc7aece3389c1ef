// Space under a block of the page: an empty element of ours after its text, which moves down what follows; where lines
// run from top to bottom it lies beside the block, and moves that aside. The text, its nodes and their offsets stay as
// they are.

const LOOK = `all: initial !important; display: block !important; pointer-events: none !important; user-select: none !important;`;

// Around what lies on the space, and how narrow that may be.
export const GAP = 12;
export const NARROWEST = 300;
// Beside vertical lines, away from the outline of what is in them.
const BESIDE = `width: ${NARROWEST + 2 * GAP}px !important; margin: 0 ${GAP}px !important;`;

export class Spacer {
  #stage;
  /** @type {HTMLElement} */
  #element;
  #height = 0;
  #across = "";

  /** @param {import("./stage.js").Stage} stage */
  constructor(stage) {
    this.#stage = stage;
  }

  /** Where it lies, in the frame's viewport; null where there is none, or nothing of it is seen. @returns {DOMRect|null} */
  get rect() {
    if (!this.#element?.isConnected) return null;
    const rect = this.#element.getBoundingClientRect();
    return rect.height ? rect : null;
  }

  /**
   * Under the block in which a stretch of the text ends.
   * @param {number} end canonical offset
   * @param {(width: number) => number} fit how high it is to be where the column is so wide
   * @returns {boolean} whether anything moved
   */
  make(end, fit) {
    const { view } = this.#stage;
    const block = view.blocks[view.blockAt(end - 1)];
    const last = outermost(view.range(block[1] - 1, block[1]).endContainer);
    const { writingMode } = getComputedStyle(last.parentElement);
    this.#across = writingMode.startsWith("horizontal") ? "" : BESIDE;
    const isThere = this.#element?.isConnected && last.nextSibling === this.#element;
    if (!isThere) this.#insert(last);
    const height = fit(this.#element.getBoundingClientRect().width);
    const isAsHigh = height === this.#height;
    if (!isAsHigh) this.#raise(height);
    if (isThere && isAsHigh) return false;
    this.#stage.measure();
    return true;
  }

  /** @returns {boolean} whether anything moved */
  clear() {
    if (!this.#element?.isConnected) return false;
    this.#element.remove();
    this.#stage.measure();
    return true;
  }

  #insert(last) {
    this.#element?.remove();
    this.#element = last.ownerDocument.createElement("goldpan-spacer");
    this.#element.setAttribute("aria-hidden", "true");
    this.#stage.own(this.#element);
    this.#raise(this.#height);
    last.after(this.#element);
  }

  #raise(height) {
    this.#height = height;
    this.#element.setAttribute("style", `${LOOK} height: ${height}px !important; ${this.#across}`);
  }
}

/** The outermost inline node that ends with these words: a link or bold words stay whole. */
function outermost(node) {
  let here = node;
  while (isLine(here.parentElement) && !isFollowed(here)) here = here.parentElement;
  return here;
}

const isLine = (element) => ["inline", "contents"].includes(getComputedStyle(element).display);

/** Whether words of the same element come after it. */
function isFollowed(node) {
  for (let next = node.nextSibling; next; next = next.nextSibling) if (next.textContent.trim()) return true;
  return false;
}
