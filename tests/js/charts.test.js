import { asCSV, asPNG, asSVG } from "/static/js/elements/chart-files.js";
import { watchCharts } from "/static/js/elements/charts.js";
import { equal, ok, test } from "./harness.js";

watchCharts();

function made() {
  document.body.innerHTML = `<figure data-chart="growth" data-top="10" data-bottom="90">
    <svg viewBox="0 0 200 100" width="400" height="200" role="img" tabindex="0"><path d="M0 90L100 50L200 10"/></svg>
    <output data-chart-value></output>
    <ol data-chart-points hidden>
      <li><data value="pages"></data><data value="goldpan, 1.0"></data></li>
      <li data-x="0"><data value="10">10 pages</data>: <data value="0.5">goldpan .500</data></li>
      <li data-x="100"><data value="20">20 pages</data>: <data value="0.75">goldpan .750</data></li>
      <li data-x="200"><data value="30">30 pages</data>: <data value="=1+1">goldpan –</data></li>
    </ol></figure>`;
  const figure = document.querySelector("figure");
  return { figure, svg: figure.querySelector("svg"), said: () => figure.querySelector("output").textContent };
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
  const parsed = new DOMParser().parseFromString(svg, "image/svg+xml").documentElement;
  equal([parsed.getAttribute("width"), parsed.getAttribute("xmlns")], ["200", "http://www.w3.org/2000/svg"]);
  ok(!svg.includes("class="), "classes mean nothing outside");
  const png = await createImageBitmap(await asPNG(figure));
  equal([png.width, png.height], [400, 200]);
});
