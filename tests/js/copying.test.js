import { watchCopying } from "/static/js/dom/copying.js";
import { equal, test } from "./harness.js";

const copied = [];
const clipboard = { writeText: async (text) => copied.push(text) };
Object.defineProperty(navigator, "clipboard", { value: clipboard });
watchCopying();

/** An element, and a button that copies it. @param {string} tag */
function made(tag) {
  const source = document.createElement(tag);
  const button = document.createElement("button");
  source.id = "source";
  Object.assign(button.dataset, { copy: "source", copied: "Copied" });
  document.body.replaceChildren(source, button);
  return { source, button };
}

const pressed = async (button) => {
  button.click();
  await new Promise((resolve) => {
    setTimeout(resolve);
  });
};

test("a button copies the value of a field, and says so", async () => {
  const { source, button } = made("input");
  source.value = "https://goldpan.example/invite";
  await pressed(button);
  equal([copied.pop(), button.textContent], [source.value, "Copied"]);
});

test("a button copies the text of what is no field", async () => {
  const { source, button } = made("code");
  source.textContent = "<p>A boat\nleaves</p>";
  await pressed(button);
  equal([copied.pop(), button.textContent], [source.textContent, "Copied"]);
  equal(String(getSelection()).trim(), "<p>A boat leaves</p>", "it is selected, for a copy by hand:");
});
