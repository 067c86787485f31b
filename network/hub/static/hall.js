// All tables of the evening: on a phone, on a desktop, and on a television.

import { keepAwake } from "/static/awake.js";
import { make, marked, rich, say } from "/static/dom.js";
import { follow } from "/static/live.js";

const TURN_MS = 15000; // a television with more tables than it can show goes from page to page
const LEAST = 0.65; // of the usual letters
const HIGH = 0.75; // rows of tables for each column, on a television

const hall = document.getElementById("hall");
const links = document.getElementById("pages");
const television = document.body.classList.contains("tv");
const page = Number(hall.dataset.page);
let drawn = new Map(); // what was drawn of each table, so that only what changed is drawn again
let turning = 0;

function draw(view) {
  const next = new Map();
  for (const table of view.tables) {
    const text = JSON.stringify(table);
    const before = drawn.get(table.name);
    next.set(table.name, before?.text === text ? before : { text, made: entry(table) });
  }
  const made = [...next.values()].map((each) => each.made);
  if (made.length !== hall.children.length || made.some((each, n) => hall.children[n] !== each)) hall.replaceChildren(...made);
  if (!made.length) hall.replaceChildren(empty());
  drawn = next;
  const rows = Math.max(1, Math.round(Math.sqrt(made.length * HIGH)));
  hall.style.setProperty("--rows", rows);
  hall.style.setProperty("--columns", Math.max(1, Math.ceil(made.length / rows)));
  fitAll();
  document.body.dataset.step = view.tables.reduce((sum, table) => sum + table.step, 0);
  turn(view);
}

function entry(table) {
  const state = table.online ? (table.heading.length ? "plays" : "free") : "gone";
  const link = marked(make("a", "", make("bdi", "", table.title)), { href: `/table/${table.name}` });
  const head = make("h2", "", link, state === "plays" ? null : make("span", "note", say(state)));
  const about = table.heading.length ? make("p", "about", ...table.heading.map((each) => make("bdi", "", rich(each)))) : null;
  const places = make("ol", "places", ...table.places.map(place));
  const says = table.says ? make("p", table.over ? "says won" : "says", rich(table.says)) : null;
  return marked(make("li", `at ${state}`, head, about, places, says), { "data-table": table.name, "data-step": table.step });
}

function place(each) {
  return make(
    "li",
    `${each.asked ? "asked" : ""} ${each.won ? "won" : ""}`,
    make("span", "rank", each.rank),
    make("bdi", "name", each.name),
    each.points && marked(make("bdi", "points", each.points), { dir: "ltr" }),
    marked(make("bdi", "total", each.total), { dir: "ltr" }),
  );
}

/** Let a sentence that is longer than its line have smaller letters, and a second line at the least of them. */
function fit(line) {
  line.style.removeProperty("--fit");
  line.classList.remove("two");
  const part = line.clientWidth / line.scrollWidth;
  if (part < 1) line.style.setProperty("--fit", Math.max(part * 0.98, LEAST));
  line.classList.toggle("two", part < LEAST);
}

function fitAll() {
  if (television) hall.querySelectorAll(".says").forEach(fit);
}

function empty() {
  return make("li", "none", make("strong", "", say("no_tables")), make("p", "", say("how")));
}

function turn(view) {
  if (television) {
    turning ||= view.pages > 1 ? setTimeout(() => location.replace(`?page=${(page % view.pages) + 1}`), TURN_MS) : 0;
    return;
  }
  if (view.pages === links.children.length || view.pages < 2) return;
  links.setAttribute("aria-label", say("pages"));
  links.replaceChildren(
    ...Array.from({ length: view.pages }, (_, n) => {
      const made = marked(make("a", "button", String(n + 1)), { href: `?page=${n + 1}` });
      return n + 1 === page ? marked(made, { "aria-current": "page" }) : made;
    }),
  );
}

document.fonts.addEventListener("loadingdone", fitAll); // those of Persian are other ones than before
keepAwake();
follow(`/live?page=${page}&language=${document.documentElement.lang}`, draw);
