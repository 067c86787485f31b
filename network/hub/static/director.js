// What a director does on a page: put a fault aside, take the history that a box has of a match.

import { inWords } from "/static/acting.js";
import { post } from "/static/dom.js";
import { keepCurrent } from "/static/hub/current.js";

const answer = document.getElementById("answer");
const faults = document.getElementById("faults");
const load = faults ? keepCurrent("faults", "/faults/live") : () => location.reload();

async function act(path, what) {
  const result = await post(path, what);
  answer.textContent = result.accepted ? "" : inWords(result);
  if (result.accepted) load();
}

document.addEventListener("click", (event) => {
  const id = event.target.closest("[data-fault]")?.dataset.fault;
  if (id) act("/faults", { id: Number(id) });
});
document.addEventListener("submit", (event) => {
  const form = event.target.closest("form[data-take]");
  if (!form) return;
  event.preventDefault();
  act("/history/take", { id: Number(form.dataset.take), reason: new FormData(form).get("reason") });
});
if (!faults) document.body.dataset.state = "live";
