// Unsynced changes of other windows in this browser: compared with the present ones, applied as one step, or discarded.

import { contentOf, forget } from "../net/drafts.js";
import { time } from "./format.js";

export class RecoveredDrafts {
  #notices;
  #both;
  #editor;
  #drafts = [];

  /**
   * @param {{notices: import("./notices.js").Notices, both: import("./both-versions.js").BothVersions,
   *   editor: import("../core/editor.js").Editor}} given
   */
  constructor({ notices, both, editor }) {
    this.#notices = notices;
    this.#both = both;
    this.#editor = editor;
  }

  /** @param {import("../net/drafts.js").Draft[]} drafts */
  show(drafts) {
    const here = JSON.stringify(this.#editor.content());
    this.#drafts = drafts.filter((draft) => contentOf(draft) && JSON.stringify(contentOf(draft)) !== here);
    this.#next();
  }

  #next() {
    const [draft] = this.#drafts;
    if (!draft) return this.#notices.hide("left");
    const taken = this.#editor.isReadOnly ? [] : [[gettext("Apply them"), () => this.#take(draft)]];
    this.#notices.hide("left");
    this.#notices.show(
      "left",
      interpolate(gettext("This browser has unsynced changes from %(time)s."), { time: time(draft.kept_at) }, true),
      {
        bad: true,
        buttons: [
          [gettext("Compare"), () => this.#see(draft)],
          ...taken,
          [gettext("Discard them"), () => this.#done(draft)],
        ],
      },
    );
    return undefined;
  }

  #see(draft) {
    this.#both.show({ ...this.#editor.content(), saved_at: null }, { ...contentOf(draft), saved_at: draft.kept_at });
  }

  #take(draft) {
    this.#editor.replace(contentOf(draft), "taken");
    this.#done(draft);
  }

  async #done(draft) {
    this.#both.hide();
    this.#drafts.shift();
    this.#next();
    await forget(draft);
  }
}
