// Views and sheets in a frame without sandbox and policy: what their cleaning left would be fetched, run or stay in place.

import { load } from "/static/js/dom/frame.js";
import { PageView } from "/static/js/dom/pageview.js";
import { safeValue } from "/static/js/dom/whitelist.js";
import { getJSON } from "/static/js/net/api.js";

const frame = document.querySelector("#frame");
const SCENE = `<h1>One</h1><p id="a" title="t">Two <b>three</b></p><ul><li>Four</ul>`;

/** Build the view of that name, as page and as reading view; gives the elements that would stay in place. */
async function show(name) {
  const wire = await getJSON(`/views/${name}`);
  await load(frame, wire.quirks ? "/unguarded/frame/quirks/" : "/unguarded/frame/");
  const view = new PageView(frame, wire);
  const found = [];
  for (const mode of ["page", "reading"]) {
    view.build(mode, "light");
    found.push(...pinned(view.body).map((tag) => `${mode}: ${tag}`));
    await idle();
  }
  return found;
}

/** Put one sheet and one style attribute after the other on a small page; gives the numbers of those that pin a box. */
async function wear(clothes) {
  await load(frame, "/unguarded/frame/");
  const { body, head } = frame.contentDocument;
  const style = head.appendChild(frame.contentDocument.createElement("style"));
  const found = [];
  for (const [number, [sheet, declarations]] of clothes.entries()) {
    body.innerHTML = SCENE;
    style.textContent = sheet;
    body.querySelector("b").setAttribute("style", safeValue("style", declarations));
    if (pinned(body).length) found.push(number);
  }
  await idle();
  return found;
}

function pinned(body) {
  const { getComputedStyle } = frame.contentWindow;
  return [body, ...body.querySelectorAll("*")]
    .filter((element) =>
      ["", "::before", "::after"].some((part) => /fixed|sticky/.test(getComputedStyle(element, part).position)),
    )
    .map(({ localName }) => localName);
}

/** Painted, and what it asked for is asked. */
async function idle() {
  await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
  await fetch("/asked");
}

window.unguarded = { show, wear };
document.documentElement.dataset.ready = "1";
