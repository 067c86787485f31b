// The forms and buttons of a director on the page of the tournament.

import { post, say } from "/static/dom.js";

const answer = document.getElementById("answer");

async function act(what) {
  const result = await post("/tournament", what);
  if (result.accepted) location.reload();
  else if (result.fault) answer.textContent = `${result.fault}: ${result.fix}`;
  else answer.textContent = say(result.why === "unpaired" ? "unpaired" : "unreachable");
  answer.scrollIntoView({ block: "nearest" });
}

document.addEventListener("submit", (event) => {
  const form = event.target.closest("form[data-do]");
  if (!form) return;
  event.preventDefault();
  act({ do: form.dataset.do, ...Object.fromEntries(new FormData(form)) });
});
document.addEventListener("click", (event) => {
  const button = event.target.closest("button[data-do]");
  if (button) act({ do: button.dataset.do, badge: button.dataset.badge ?? "" });
});
document.body.dataset.state = "live";
