// Page view or reading view, and the notices of the stage.

import { findAll } from "./build.js";
import { refuse } from "./refusal.js";

const NOTICES = {
  covered: gettext("An overlay covers this page; showing Reading view."),
  translated: gettext(
    "A translator or another extension changed this page, so it was rebuilt. Your marks are safe. Turn it off for Goldpan.",
  ),
  Safari: gettext(
    "Goldpan is not tested in Safari, and clicks on the page may do nothing. Use Chrome, Edge or Firefox.",
  ),
};

/** @param {{stage: import("../dom/stage.js").Stage, notices: import("./notices.js").Notices, signal: AbortSignal}} given */
export function watchStage({ stage, notices, signal }) {
  /** @type {HTMLInputElement[]} */
  const radios = findAll("[name=view]");
  for (const radio of radios) {
    radio.addEventListener(
      "change",
      () => {
        stage.switchTo(radio.value === "page" ? "page" : "reading");
        stage.focus();
      },
      { signal },
    );
  }
  stage.addEventListener(
    "built",
    () => {
      for (const radio of radios) radio.checked = radio.value === stage.mode;
    },
    { signal },
  );
  stage.addEventListener("notice", ({ detail }) => notices.show(detail, NOTICES[detail]), { signal });
  stage.addEventListener("refused", ({ detail }) => refuse(notices, { reason: detail }), { signal });
}
