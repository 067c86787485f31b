// The page of settings: what was changed is sent, what is wrong with it is said beside it.

import { inWords, tell } from "./acting.js";
import { make, post, say } from "./dom.js";
import { follow } from "./live.js";

const form = document.getElementById("settings");
const restart = document.getElementById("restart");
const problems = document.getElementById("problems");

const fields = () => [...form.querySelectorAll("[data-key]")];
const pathOf = (field) => [field.dataset.section, field.dataset.key].filter(Boolean).join(".");

function offerRestart(can) {
  restart.hidden = !can;
  tell(`${say("saved")} ${can ? say("after_restart") : say("end_and_start")}`, true);
}

function showProblems(found) {
  problems.replaceChildren(
    ...found.map((problem) => {
      const place = make("code", "", problem.place);
      place.dir = "ltr";
      return make("li", "", place, ` ${problem.says}`);
    }),
  );
  for (const field of fields()) {
    const wrong = found.some(({ path }) => path === pathOf(field) || path.startsWith(`${pathOf(field)}[`));
    field.setAttribute("aria-invalid", String(wrong));
    if (wrong) field.closest("details").open = true;
  }
}

async function save() {
  const changed = fields().filter((field) => field.value !== field.dataset.was);
  if (!changed.length) return tell(say("nothing_changed"));
  const set = {};
  for (const field of changed) (set[field.dataset.section] ??= {})[field.dataset.key] = field.value;
  const result = await post("/settings", { of: form.dataset.of, set });
  showProblems(result.problems ?? []);
  if (!result.accepted) return tell(result.problems?.length ? say("faults") : inWords(result));
  if (changed.some((field) => ["driver", "board"].includes(field.dataset.key))) return location.reload();
  form.dataset.of = result.of;
  for (const field of changed) field.dataset.was = field.value;
  return offerRestart(result.can_restart);
}

if (form) {
  for (const field of fields()) field.dataset.was = field.value;
  if ("waits" in form.dataset) offerRestart("canRestart" in form.dataset);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    save();
  });
  restart.addEventListener("click", async () => {
    const result = await post("/settings", { restart: true });
    tell(result.accepted ? say("restarting") : inWords(result), result.accepted);
    restart.hidden = Boolean(result.accepted);
  });
}

follow(`/live?language=${document.documentElement.lang}`, () => {});
