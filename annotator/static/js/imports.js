// The import screen: takes files, and shows how far an import is.

import { watchPaste } from "./elements/paste-html.js";
import { watchRun } from "./elements/run-state.js";
import { UploadBox } from "./elements/upload-box.js";

const box = document.querySelector("[data-upload]");
if (box) {
  const upload = new UploadBox(/** @type {HTMLElement} */ (box));
  watchPaste(upload);
}
watchRun(document.getElementById("run"));
