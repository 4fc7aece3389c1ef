// The summary beside the form of a new corpus: what was chosen, in sentences.

import { element, find } from "./elements/build.js";

/** @param {HTMLFormElement} form */
function summarise(form) {
  const given = new FormData(form);
  find("[data-own-labels]").hidden = given.get("label_choice") !== "own";
  find("[data-summary-name]").textContent = text(given, "name") || gettext("New corpus");
  find("[data-summary-languages]").textContent = languages(form, given).join(", ");
  const lines = [overlap(given), labels(form, given), blind(given), extractors(given), guideline(form, given)];
  find("[data-summary]").replaceChildren(...lines.map((line) => element("li", {}, line)));
}

/** @param {FormData} given @param {string} name */
const text = (given, name) => String(given.get(name) ?? "").trim();

function overlap(given) {
  const n = Number(text(given, "slots"));
  if (n === 1) return gettext("One annotator per page: agreement cannot be measured.");
  return interpolate(
    gettext("%(n)s annotators per page, blind to each other. An adjudicator decides where they differ."),
    { n },
    true,
  );
}

function labels(form, given) {
  const names = chosenLabels(form, given);
  const sentence = ngettext("%(n)s label: %(names)s.", "%(n)s labels: %(names)s.", names.length);
  return interpolate(sentence, { n: names.length, names: names.join(", ") }, true);
}

function chosenLabels(form, given) {
  if (given.get("label_choice") === "own") {
    return text(given, "own_labels")
      .split(",")
      .map((name) => name.trim())
      .filter(Boolean);
  }
  const chosen = form.querySelector("input[name=label_choice]:checked")?.closest("label");
  return [...(chosen?.querySelectorAll(".label") ?? [])].map(({ textContent }) => textContent);
}

function blind(given) {
  const n = text(given, "blind_share");
  if (n === "100") return gettext("All pages are blind: nobody sees a suggestion.");
  const sentence = gettext("%(n)s percent of pages are blind. On the others each annotator sees another suggestion.");
  return interpolate(sentence, { n }, true);
}

function extractors(given) {
  const { length } = given.getAll("extractors");
  if (!length) return gettext("No extractor yet.");
  return interpolate(
    ngettext("%(n)s extractor on every page.", "%(n)s extractors on every page.", length),
    { n: length },
    true,
  );
}

function guideline(form, given) {
  if (given.get("guideline") === "blank") return gettext("You write the guideline before the first page.");
  const chosen = form.querySelector("input[name=guideline]:checked")?.closest("label")?.querySelector("b");
  return interpolate(gettext("%(name)s is the guideline."), { name: chosen?.textContent ?? "" }, true);
}

function languages(form, given) {
  const ticked = [...form.querySelectorAll("input[name=languages]:checked")];
  const titles = ticked.map((box) => box.closest("label")?.textContent.trim() ?? "");
  return [
    ...titles,
    ...text(given, "other_languages")
      .split(/[\s,]+/)
      .filter(Boolean),
  ];
}

/** @type {HTMLFormElement|null} */
const form = find("form[data-new-corpus]");
if (form) {
  form.addEventListener("input", () => summarise(form));
  summarise(form);
}
