// What a director does on a page: put a fault aside.

import { post, say } from "/static/dom.js";

const answer = document.getElementById("answer");

document.addEventListener("click", async (event) => {
  const id = event.target.closest("[data-fault]")?.dataset.fault;
  if (!id) return;
  const result = await post("/faults", { id: Number(id) });
  if (result.accepted) location.reload();
  else answer.textContent = say(result.why === "unpaired" ? "unpaired" : "unreachable");
});
document.body.dataset.state = "live";
