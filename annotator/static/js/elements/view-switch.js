// Opens the page of a screen: its views, remedies and notices, and what has the focus after a click on a tool.

import { Stage } from "../dom/stage.js";
import { closest, find, findAll } from "./build.js";
import { refuse } from "./refusal.js";
import { chosenView, rememberView } from "./view-choice.js";

const NOTICES = {
  covered: gettext("Most of this page is covered or hidden, so it is shown in Reading view."),
  remedied: gettext("To show the page’s text, what covered or hid it was changed."),
  translated: gettext(
    "A translator or another extension changed this page, so it was rebuilt. Your marks are safe. Turn it off for Goldpan.",
  ),
  Safari: gettext(
    "Goldpan is not tested in Safari, and clicks on the page may do nothing. Use Chrome, Edge or Firefox.",
  ),
};
const REMEDIES = {
  overlays: { words: gettext("Boxes over the text are hidden."), key: "q" },
  reveal: { words: gettext("Transparent and hidden text is revealed."), key: "t" },
};
const BARE = gettext("Shown in Reading view because the page’s style sheets were not captured");

/**
 * Load the page of a screen and build it, in the view that was chosen for it.
 * @param {any} payload
 * @param {import("./notices.js").Notices} notices
 * @param {AbortSignal} signal
 */
export async function openStage({ urls, document }, notices, signal) {
  const stage = await Stage.open(find("#frame"), urls, document);
  watch(stage, document.sha256, notices, signal);
  await stage.start(chosenView(document.sha256));
  return stage;
}

function watch(stage, sha256, notices, signal) {
  notices.goBack = () => stage.focus();
  /** @type {HTMLInputElement[]} */
  const radios = findAll("[name=view]");
  for (const radio of radios) {
    radio.addEventListener(
      "change",
      () => {
        stage.choose(radio.value === "page" ? "page" : "reading");
        stage.focus();
      },
      { signal },
    );
  }
  // The next key is for the page, unless the click gives the focus to something else: a dialog, say.
  document.addEventListener(
    "click",
    (event) => {
      const isByMouse = event.detail > 0;
      if (isByMouse && closest(event, ".workbench-bar button, .status button")) stage.focus();
    },
    { capture: true, signal },
  );
  const listen = (name, act) => stage.addEventListener(name, act, { signal });
  listen("built", () => {
    for (const radio of radios) {
      radio.checked = radio.value === stage.mode;
      const label = radio.closest("label");
      if (label && radio.value === "reading") label.title = stage.reason === "bare" ? BARE : "";
    }
  });
  listen("chosen", ({ detail }) => {
    rememberView(sha256, detail);
    notices.hide("covered");
  });
  listen("remedy", ({ detail: { remedy, isOn } }) => {
    notices.hide("remedied");
    const { words, key } = REMEDIES[remedy];
    const undo = [gettext("Undo"), () => stage.toggleRemedy(remedy), key];
    if (isOn) notices.show(remedy, words, { buttons: [undo] });
    else notices.hide(remedy);
  });
  listen("notice", ({ detail }) => notices.show(detail, NOTICES[detail], { buttons: buttonsOf(detail, stage) }));
  listen("refused", ({ detail }) => refuse(notices, detail));
}

/** @param {string} notice @param {Stage} stage @returns {Array<[string, () => void]>} */
function buttonsOf(notice, stage) {
  if (notice === "covered") return [[gettext("Show page anyway"), () => stage.choose("page")]];
  return notice === "remedied" ? [[gettext("Undo"), () => stage.undoRemedies()]] : [];
}
