// The page of the tournament: it is loaded again after each entry of the log. What a director has typed stays.

import { post, say } from "/static/dom.js";
import { follow } from "/static/live.js";

const answer = document.getElementById("answer");
let loading = false;
let newest = ""; // what the stream has told last

async function act(what, form) {
  const result = await post("/tournament", what);
  if (result.accepted) {
    answer.textContent = "";
    form?.reset();
    return load();
  }
  if (result.fault) answer.textContent = `${result.fault}: ${result.fix}`;
  else answer.textContent = say(result.why === "unpaired" ? "unpaired" : "unreachable");
  answer.scrollIntoView({ block: "nearest" });
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

/** Load what the page holds, and put it in the place of what is shown. */
async function load() {
  if (loading) return;
  loading = true;
  const known = newest;
  try {
    const text = await (await fetch(location.href)).text();
    const made = new DOMParser().parseFromString(text, "text/html").getElementById("tournament");
    if (made) exchange(document.getElementById("tournament"), document.adoptNode(made));
  } catch {
    // the stream of changes says that the server is away, and what is new comes with its return
  } finally {
    loading = false;
  }
  if (newest !== known) catchUp();
}

/** Load the page unless it shows what the stream has told last. */
function catchUp() {
  if (document.getElementById("tournament").dataset.length !== newest) load();
}

function exchange(before, after) {
  for (const each of after.querySelectorAll("details")) {
    const known = document.getElementById(each.id);
    if (known) each.open = known.open;
  }
  const typed = [...before.querySelectorAll("input, select")].filter(changed).map((each) => [nameOf(each), each]);
  const focus = before.contains(document.activeElement) ? nameOf(document.activeElement) : "";
  const scrolled = [...before.querySelectorAll(".scroll")].map((each) => each.scrollLeft);
  before.replaceWith(after);
  for (const each of after.querySelectorAll("input, select, button, summary")) {
    const old = typed.find(([name]) => name === nameOf(each))?.[1];
    if (old?.type === "checkbox") each.checked = old.checked;
    else if (old) each.value = old.value;
    if (focus && nameOf(each) === focus) each.focus({ preventScroll: true });
  }
  after.querySelectorAll(".scroll").forEach((each, n) => (each.scrollLeft = scrolled[n] ?? 0));
}

function changed(field) {
  if (field.type === "checkbox") return field.checked !== field.defaultChecked;
  if (field.options) return [...field.options].some((each) => each.selected !== each.defaultSelected);
  return field.value !== field.defaultValue;
}

/** What names a field or a button also after it was loaded again. */
function nameOf(part) {
  const form = part.closest("form[data-do]");
  const of = form ? [form.dataset.do, form.elements.round?.value, form.elements.table?.value] : [];
  return [...of, part.closest("details")?.id, part.tagName, part.name, part.dataset.do, part.dataset.badge].join(" ");
}

follow(`/tournament/live?language=${document.documentElement.lang}`, (view) => {
  newest = view.length;
  catchUp();
});
