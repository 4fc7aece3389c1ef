// Takes files that are dropped or chosen, uploads them with a progress bar, and opens the screen of the import.

import { filesOfChoice, filesOfDrop } from "../dom/dropped.js";
import { Refused, upload } from "../net/upload.js";
import { find, findAll } from "./build.js";

export class UploadBox {
  /** @type {AbortController|null} */
  #running = null;
  #root;
  #drop;
  #inputs;
  #line;
  #problem;

  /** @param {HTMLElement} root marked `data-upload` */
  constructor(root) {
    this.#root = root;
    this.#drop = find("[data-drop]", this.#root);
    this.#line = find("[data-progress]", this.#root);
    this.#problem = find("[data-problem]", this.#root);
    /** @type {HTMLInputElement[]} */
    this.#inputs = findAll("[data-files]", root);
    for (const input of this.#inputs) input.addEventListener("change", () => this.send(filesOfChoice(input.files)));
    find("[data-abort]", this.#root).addEventListener("click", () => this.#running?.abort());
    // Anywhere on the screen: a file that misses the box would otherwise replace the screen.
    addEventListener("dragover", (event) => this.#over(event));
    addEventListener("dragleave", (event) => this.#mark(event.relatedTarget !== null));
    addEventListener("drop", (event) => this.#dropped(event));
    addEventListener("beforeunload", (event) => this.#running && event.preventDefault());
  }

  /** @param {import("../net/upload.js").NamedFile[]} files */
  async send(files) {
    if (!files.length || this.#running) return;
    const running = new AbortController();
    this.#running = running;
    this.#problem.hidden = true;
    const size = files.reduce((sum, file) => sum + file.blob.size, 0);
    this.#show(0, size, files.length);
    try {
      const screen = await upload(files, {
        start: this.#root.dataset.upload ?? "",
        partBytes: Number(this.#root.dataset.partBytes),
        signal: running.signal,
        progress: (sent) => this.#show(sent, size, files.length),
      });
      this.#running = null;
      location.assign(screen);
    } catch (error) {
      this.#running = null;
      this.#failed(error, running.signal.aborted);
    }
  }

  #failed(error, isAborted) {
    this.#line.hidden = true;
    for (const input of this.#inputs) input.value = "";
    if (isAborted) return;
    this.#problem.textContent = error instanceof Refused ? error.message : (this.#root.dataset.failed ?? "");
    this.#problem.hidden = false;
  }

  #show(sent, size, files) {
    this.#line.hidden = false;
    /** @type {HTMLProgressElement} */
    const bar = find("progress", this.#line);
    bar.max = Math.max(1, size);
    bar.value = sent;
    const words = interpolate(ngettext("%(n)s file", "%(n)s files", files), { n: files }, true);
    const share = size ? Math.floor((100 * sent) / size) : 100;
    find("[data-progress-text]", this.#root).textContent = `${this.#root.dataset.sending} ${words} · ${share} %`;
  }

  #over(event) {
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = "copy";
    this.#mark(true);
  }

  async #dropped(event) {
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    this.#mark(false);
    await this.send(await filesOfDrop(event.dataTransfer));
  }

  #mark(isOver) {
    this.#drop.toggleAttribute("data-over", isOver);
  }
}
