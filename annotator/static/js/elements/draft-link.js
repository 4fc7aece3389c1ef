import { isOurs } from "../net/background-sync.js";
import { element } from "./build.js";

/** A link to the page of an unsynced draft. @param {import("../net/drafts.js").Draft} draft */
export const draftLink = ({ url, title }) =>
  element("a", { class: "page-title", href: isOurs(url) ? url : "/" }, title || url);
