import { element } from "/static/js/elements/build.js";
import { asCSV, asPNG, asSVG } from "/static/js/elements/chart-files.js";
import { watchCharts } from "/static/js/elements/charts.js";
import { equal, ok, test } from "./harness.js";

watchCharts();

const POINTS = [
  [
    null,
    [
      ["pages", ""],
      ["goldpan, 1.0", ""],
    ],
  ],
  [
    "0",
    [
      ["10", "10 pages"],
      ["0.5", "goldpan .500"],
    ],
  ],
  [
    "100",
    [
      ["20", "20 pages"],
      ["0.75", "goldpan .750"],
    ],
  ],
  [
    "200",
    [
      ["30", "30 pages"],
      ["=1+1", "goldpan \u2013"],
    ],
  ],
];

function drawing() {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  const attributes = { viewBox: "0 0 200 100", width: "400", height: "200", tabindex: "0", class: "trend" };
  for (const [name, value] of Object.entries(attributes)) svg.setAttribute(name, value);
  const path = svg.appendChild(document.createElementNS(svg.namespaceURI, "path"));
  path.setAttribute("d", "M0 90L100 50L200 10");
  return svg;
}

function made() {
  const svg = drawing();
  const rows = POINTS.map(([x, cells]) =>
    element(
      "li",
      { "data-x": x },
      ...cells.flatMap(([value, words], i) => [i ? ": " : "", element("data", { value }, words)]),
    ),
  );
  const list = element("ol", { "data-chart-points": true, hidden: true }, ...rows);
  const output = element("output", { "data-chart-value": true });
  const figure = element(
    "figure",
    { "data-chart": "growth", "data-top": "10", "data-bottom": "90" },
    svg,
    output,
    list,
  );
  document.body.replaceChildren(figure);
  return { figure, svg, said: () => output.textContent };
}

test("the nearest point is read out under the pointer, and no more when it leaves", () => {
  const { figure, svg, said } = made();
  const box = svg.getBoundingClientRect();
  svg.dispatchEvent(new PointerEvent("pointermove", { clientX: box.left + 230, clientY: box.top + 5, bubbles: true }));
  equal(said(), "20 pages: goldpan .750");
  equal(svg.querySelector(".guide").getAttribute("x1"), "100");
  figure.dispatchEvent(new PointerEvent("pointerout", { relatedTarget: document.body, bubbles: true }));
  equal(said(), "");
});

test("the arrow keys walk from the last point", () => {
  const { svg, said } = made();
  svg.focus();
  equal(said(), "30 pages: goldpan –");
  for (const key of ["ArrowLeft", "ArrowLeft", "ArrowLeft"]) {
    svg.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
  }
  equal(said(), "10 pages: goldpan .500");
  svg.blur();
  equal(said(), "");
});

test("the table has a head, quotes what has a comma, and no formulas", async () => {
  const { figure } = made();
  equal(await asCSV(figure).text(), 'pages,"goldpan, 1.0"\r\n10,0.5\r\n20,0.75\r\n30,\'=1+1\r\n');
});

test("the drawing stands by itself, and the picture is sharp", async () => {
  const { figure } = made();
  const svg = await asSVG(figure).text();
  ok(/^<svg [^>]*xmlns="http:\/\/www\.w3\.org\/2000\/svg"/.test(svg), svg.slice(0, 120));
  ok(/^<svg [^>]* width="200"/.test(svg), "as large as its drawing");
  ok(!svg.includes("class="), "classes mean nothing outside");
  const png = await createImageBitmap(await asPNG(figure));
  equal([png.width, png.height], [400, 200]);
});
