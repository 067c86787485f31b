// What a director does on a page: dismiss a fault.

import { inWords } from "/static/acting.js";
import { post } from "/static/dom.js";
import { keepCurrent } from "/static/hub/current.js";

const answer = document.getElementById("answer");
const faults = document.getElementById("faults");
const load = faults ? keepCurrent("faults", "/faults/live") : () => location.reload();

document.addEventListener("click", async (event) => {
  const id = event.target.closest("[data-fault]")?.dataset.fault;
  if (!id) return;
  const result = await post("/faults", { id: Number(id) });
  answer.textContent = result.accepted ? "" : inWords(result);
  if (result.accepted) load();
});
if (!faults) document.body.dataset.state = "live";
