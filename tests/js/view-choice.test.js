import { chosenView, rememberView } from "/static/js/elements/view-choice.js";
import { equal, test } from "./harness.js";

const PAGE = "0123456789abcdef".repeat(4);
const meta = document.head.appendChild(document.createElement("meta"));
meta.name = "goldpan-user";

test("a view is chosen for oneself, not for whoever uses the browser next", () => {
  meta.content = "ada";
  rememberView(PAGE, "reading");
  equal(chosenView(PAGE), "reading");
  meta.content = "ben";
  equal(chosenView(PAGE), null);
});
