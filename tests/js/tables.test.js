import { watchTables } from "/static/js/dom/tables.js";
import { equal, test } from "./harness.js";

/** A table with a head and these rows, in the page. @param {string[][]} rows words, then figures */
function made(rows) {
  const table = document.createElement("table");
  table.dataset.sortable = "";
  const head = table.createTHead().insertRow();
  for (const title of ["Name", "F1"]) {
    const cell = document.createElement("th");
    cell.textContent = title;
    head.append(cell);
  }
  const body = table.createTBody();
  for (const [name, value] of rows) {
    const row = body.insertRow();
    row.insertCell().textContent = name;
    const figure = row.insertCell();
    figure.className = "n";
    figure.textContent = value;
  }
  document.body.replaceChildren(table);
  watchTables();
  return table;
}

const column = (table, at) => [...table.tBodies[0].rows].map((row) => row.cells[at].textContent);
const press = (table, at) => table.tHead.rows[0].cells[at].querySelector("button").click();

test("words begin with A, and a second click turns them round", () => {
  const table = made([
    ["ben", "1"],
    ["Ada", "2"],
    ["cleo", "3"],
  ]);
  press(table, 0);
  equal(column(table, 0), ["Ada", "ben", "cleo"]);
  press(table, 0);
  equal(column(table, 0), ["cleo", "ben", "Ada"]);
  equal(table.tHead.rows[0].cells[0].getAttribute("aria-sort"), "descending");
});

test("figures begin with the largest, as they are written, and what is missing comes last", () => {
  document.documentElement.lang = "en";
  const table = made([
    ["a", ".951"],
    ["b", "1,240"],
    ["c", "\u2212.020"],
    ["d", "\u2013"],
    ["e", "3:08"],
  ]);
  press(table, 1);
  equal(column(table, 0), ["b", "e", "a", "c", "d"]);
  press(table, 1);
  equal(column(table, 0), ["c", "a", "e", "b", "d"]);
});

test("a comma is a decimal mark in Spanish", () => {
  document.documentElement.lang = "es";
  const table = made([
    ["a", "0,951"],
    ["b", "1.240"],
    ["c", "\u22120,020"],
  ]);
  press(table, 1);
  equal(column(table, 0), ["b", "a", "c"]);
  document.documentElement.lang = "en";
});
