// The decks that a camera was taught: renamed, removed, taken from a file.

import { inWords, tell } from "./acting.js";
import { post, say, send } from "./dom.js";

const MOST_BYTES = 4_000_000;
const file = document.getElementById("file");

function done(result) {
  if (result.accepted) location.reload();
  else tell(inWords(result));
}

document.getElementById("decks")?.addEventListener("submit", async (event) => {
  event.preventDefault();
  const { deck } = event.target.closest("[data-deck]").dataset;
  const { name } = event.target.elements;
  done(await post("/decks", event.target.dataset.do === "rename" ? { deck, name: name.value } : { deck, remove: true }));
});

file?.addEventListener("change", async () => {
  const [chosen] = file.files;
  file.value = "";
  if (!chosen) return;
  if (chosen.size > MOST_BYTES) {
    tell(say("too_large"));
    return;
  }
  tell(say("sending"), true);
  done(await send("/decks/file", chosen, "application/octet-stream"));
});

document.body.dataset.state = "live";
