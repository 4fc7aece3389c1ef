// The import screen: takes files, and shows how far an import is.

import { find } from "./elements/build.js";
import { watchPaste } from "./elements/paste-html.js";
import { watchRun } from "./elements/run-state.js";
import { UploadBox } from "./elements/upload-box.js";

const box = find("[data-upload]");
if (box) watchPaste(new UploadBox(box));
watchRun(document.getElementById("run"));
