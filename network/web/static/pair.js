// The code on the display makes this phone a paired one.

import { inWords, tell } from "./acting.js";
import { post, say } from "./dom.js";

const form = document.getElementById("pair");
form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const code = form.elements.code.value.replace(/\P{Nd}/gu, "");
  const result = await post("/pair", { code, name: form.elements.name.value });
  if (result.accepted) location.reload();
  else if (result.status === 429) tell(say("wait"));
  else tell(result.status === 403 ? say("wrong_code") : inWords(result));
  form.elements.code.select();
});
document.body.dataset.state = "live";
