// The page of the tournament: it is loaded again after each entry of the log. What a director has typed stays.

import { inWords } from "/static/acting.js";
import { post } from "/static/dom.js";
import { keepCurrent } from "/static/hub/current.js";

const answer = document.getElementById("answer");
const load = keepCurrent("tournament", "/tournament/live");

async function act(what, form) {
  const seen = document.getElementById("tournament").dataset.length.split(".").pop();
  const result = await post("/tournament", { seen, ...what });
  if (result.accepted) {
    answer.textContent = "";
    if (form) current(form)?.reset();
    return load();
  }
  answer.textContent = inWords(result);
  answer.scrollIntoView({ block: "nearest" });
}

/** The form in the place of one that was loaded again before the answer came. */
function current(form) {
  const same = (each) => ["round", "table"].every((name) => each.elements[name]?.value === form.elements[name]?.value);
  return [...document.querySelectorAll(`form[data-do="${form.dataset.do}"]`)].find(same);
}

document.addEventListener("submit", (event) => {
  const form = event.target.closest("form[data-do]");
  if (!form) return;
  event.preventDefault();
  act({ do: form.dataset.do, ...Object.fromEntries(new FormData(form)) }, form);
});
document.addEventListener("click", (event) => {
  const button = event.target.closest("button[data-do]");
  if (button) act({ do: button.dataset.do, badge: button.dataset.badge ?? "" });
});
