// Page view or reading view, and what the stage has to say of them.

import { refuse } from "./refusal.js";
import { say } from "./words.js";

const NOTICES = {
  covered: "In page view something covers the text: reading view is shown instead. The marks are the same.",
  translated: "A translator or another extension changed this page; it was built anew. Your marks are safe. Turn it off for Goldpan.",
  Safari: "Goldpan is not tested in Safari, and clicks on the page may do nothing. Use Chrome, Edge or Firefox.",
};

/** @param {{stage: import("../dom/stage.js").Stage, notices: import("./notices.js").Notices, signal: AbortSignal}} given */
export function watchStage({ stage, notices, signal }) {
  const radios = document.querySelectorAll("[name=view]");
  for (const radio of radios) {
    radio.addEventListener("change", () => { stage.switchTo(radio.value); stage.focus(); }, { signal });
  }
  stage.addEventListener("built", () => {
    for (const radio of radios) radio.checked = radio.value === stage.mode;
  }, { signal });
  stage.addEventListener("notice", ({ detail }) => notices.show(detail, say(NOTICES[detail])), { signal });
  stage.addEventListener("refused", ({ detail }) => refuse(notices, { reason: detail }), { signal });
}
