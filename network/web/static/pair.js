// The code on the display makes this phone a paired one.

import { inWords, tell } from "./acting.js";
import { post, say } from "./dom.js";

const form = document.getElementById("pair");
form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const code = form.elements.code.value.replace(/\P{Nd}/gu, "");
  const hosts = "hosts" in form.dataset;
  const result = await post("/pair", { code, name: form.elements.name.value, hosts });
  if (result.accepted && hosts) waitForTheBox();
  else if (result.accepted) location.reload();
  else if (result.status === 429) tell(say("wait"));
  else tell(result.why === "refused" ? say("wrong_code") : inWords(result));
  form.elements.code.select();
});

// The code on the display has brought the code here.
const scanned = new URLSearchParams(location.search).get("code");
if (scanned) {
  history.replaceState(null, "", location.pathname);
  form.elements.code.value = scanned;
  form.requestSubmit();
}

// Somebody at the box presses OK, or not.
function waitForTheBox() {
  form.querySelector("button").disabled = true;
  tell(say("allow"), true);
  const asking = setInterval(async () => {
    const answer = await fetch("/phones").catch(() => null);
    if (answer?.ok) location.reload();
  }, 1500);
  setTimeout(() => {
    clearInterval(asking);
    location.reload();
  }, 65000);
}

document.body.dataset.state = "live";
