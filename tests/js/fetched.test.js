import { element } from "/static/js/elements/build.js";
import { renew } from "/static/js/elements/fetched.js";
import { equal, ok, test } from "./harness.js";

/** A part of a screen. @param {number} done @returns {HTMLElement} */
function part(done) {
  const wide = element("p", {}, "wide");
  wide.style.width = "500px";
  const box = element("div", { class: "scroll" }, wide);
  Object.assign(box.style, { width: "50px", overflow: "auto" });
  return element(
    "section",
    {},
    element("p", {}, `${done} of 9`),
    ...[7, 8].map((run) => element("form", { action: `/pause/${run}` }, element("button", {}, "Pause"))),
    element("details", {}, element("summary", {}, `${done} refused`), "a line"),
    box,
    element("input"),
  );
}

/** What is shown after a renewal. @param {(shown: any) => void} act what somebody does before it @param {number} done */
function renewed(act, done = 2) {
  const shown = part(1);
  document.body.replaceChildren(shown);
  act(shown);
  renew(shown, part(done));
  return /** @type {any} */ (document.querySelector("section"));
}

test("the focus stays on the same button of a part that is renewed, not on another one of its name", () => {
  const now = renewed((shown) => shown.querySelectorAll("button")[1].focus());
  equal(now.querySelector("p").textContent, "2 of 9");
  ok(document.activeElement === now.querySelectorAll("button")[1]);
});

test("what is unfolded and scrolled sideways stays so", () => {
  const now = renewed((shown) => {
    shown.querySelector("details").open = true;
    shown.querySelector(".scroll").scrollLeft = 120;
  });
  equal([now.querySelector("details").open, now.querySelector(".scroll").scrollLeft], [true, 120]);
});

test("a table that is new is found to be too wide or not", async () => {
  const now = renewed(() => {});
  now.querySelector(".scroll p").style.width = "10px";
  now.querySelector(".scroll").style.width = "60px";
  await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
  ok(now.querySelector(".scroll").classList.contains("fits"));
});

test("nothing is renewed that has not changed, or in which somebody is typing", () => {
  const marked = (shown) => shown.setAttribute("data-first", "");
  ok(renewed(marked, 1).hasAttribute("data-first"));
  const typing = renewed((shown) => {
    marked(shown);
    shown.querySelector("input").focus();
  });
  ok(typing.hasAttribute("data-first"));
});
