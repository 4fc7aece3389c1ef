// Parts of a screen that are fetched again as long as somebody looks: every two seconds while something in them moves,
// else every minute, so that a screen that is open all day does not grow old.

import { findAll } from "./elements/build.js";
import { refresh } from "./elements/fetched.js";

const INTERVAL = 2000;
const STEPS_AT_REST = 30;
let step = 0;

setInterval(() => {
  if (document.hidden) return;
  step += 1;
  const due = findAll(step % STEPS_AT_REST ? "[data-live][data-moving]" : "[data-live]");
  for (const part of due) refresh(part, part.dataset.live ?? "", "[data-live]");
}, INTERVAL);
