// What the annotation screen needs and what needs no screen: begun while its page is still being read.

import { data, find } from "./elements/build.js";
import { leftOn } from "./net/left.js";

export const bench = data("bench");
export const page = { user: bench.user_key, slot: find("meta[name=goldpan-slot]").content, document: bench.document.sha256 };
/** What earlier windows left. */
export const finding = leftOn(page, bench.state);
