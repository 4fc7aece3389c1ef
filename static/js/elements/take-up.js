// Goes on with a page of hers that is closed: a draft whose time is up, or what she handed in.

import { token } from "../net/api.js";
import { element } from "./build.js";

/** Leaves this page. @param {string} url */
export function takeUp(url) {
  const form = element("form", { method: "post", action: url, hidden: true },
    element("input", { name: "csrfmiddlewaretoken", value: token() }));
  document.body.append(form);
  form.submit();
}
