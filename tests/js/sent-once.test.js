import { watchForms } from "/static/js/dom/sent-once.js";
import { equal, test } from "./harness.js";

watchForms();

/** Whether each was let through; none leads away from the tests. @type {boolean[]} */
let sent = [];
addEventListener("submit", (event) => {
  sent.push(!event.defaultPrevented);
  event.preventDefault();
});

/** A form with a button. @param {string} method */
function made(method) {
  const form = document.createElement("form");
  form.method = method;
  document.body.append(form);
  return form.appendChild(document.createElement("button"));
}

/** @param {HTMLElement[]} buttons */
function clicked(...buttons) {
  sent = [];
  for (const button of buttons) button.click();
  return sent;
}

test("a second click does not send a form that changes something again", () => {
  const button = made("post");
  equal(clicked(button, button), [true, false]);
});

test("another form is sent, and one that only asks as often as it is", () => {
  const find = made("get");
  equal(clicked(made("post"), made("post"), find, find), [true, true, true, true]);
});
