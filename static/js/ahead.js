// What the annotation screen needs and what needs no screen: begun while its page is still being read.

import { data, find } from "./elements/build.js";
import { getJSON } from "./net/api.js";
import { leftOn } from "./net/left.js";

export const bench = data("bench");
export const page = { user: bench.user_key, slot: find("meta[name=goldpan-slot]").content, document: bench.document.sha256 };
/** What earlier windows left. */
export const finding = leftOn(page, bench.state);
/** The page's view. */
export const wire = getJSON(bench.urls.view);
// Whoever waits for it says what is wrong.
wire.catch(() => undefined);
