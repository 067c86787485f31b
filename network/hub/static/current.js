// A part of a page that is loaded again when the server has something new. What people have typed in it stays.

import { follow } from "/static/live.js";

/** Keep the part with this id current; `path` is where the server tells what is newest. Gives how to load it now. */
export function keepCurrent(id, path) {
  let loading = false;
  let newest = document.getElementById(id).dataset.length; // what the stream has told last

  /** Load what the page holds, and put it in the place of what is shown. */
  async function load() {
    if (loading) return;
    loading = true;
    const known = newest;
    try {
      const text = await (await fetch(location.href)).text();
      const made = new DOMParser().parseFromString(text, "text/html").getElementById(id);
      if (made) exchange(document.getElementById(id), document.adoptNode(made));
    } catch {
      // the stream of changes says that the server is away, and what is new comes with its return
    } finally {
      loading = false;
    }
    if (newest !== known) catchUp();
  }

  /** Load the page unless it shows what the stream has told last. */
  function catchUp() {
    if (document.getElementById(id).dataset.length !== newest) load();
  }

  follow(`${path}?language=${document.documentElement.lang}`, (view) => {
    newest = view.length;
    catchUp();
  });
  return load;
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
  const form = part.closest("form[data-do], form[data-take]");
  const of = form ? [form.dataset.do, form.dataset.take, form.elements.round?.value, form.elements.table?.value] : [];
  return [...of, part.closest("details")?.id, part.tagName, part.name, part.dataset.do, part.dataset.badge, part.dataset.fault].join(" ");
}
