// Reopens a page of the annotator's own: a draft whose lease has lapsed, or a submission.

import { token } from "../net/api.js";
import { element } from "./build.js";

/** Leaves this page. @param {string} url */
export function reopen(url) {
  const form = /** @type {HTMLFormElement} */ (
    element(
      "form",
      { method: "post", action: url, hidden: true },
      element("input", { name: "csrfmiddlewaretoken", value: token() }),
    )
  );
  document.body.append(form);
  form.submit();
}
