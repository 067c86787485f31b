// Corrections as forms. Each is sent as the scans, numbers and keys that the box would need; before points
// change, the box says what would change, and that is shown here as well.

import { act } from "./acting.js";
import { make, marked, number } from "./dom.js";

const part = (id) => document.getElementById(id);
const code = (name) => document.querySelector(`[data-control="${name}"]`).dataset.code;
const badge = (player) => document.querySelector(`[data-badge="${player}"]`).dataset.code;
let drawn = "";
let newest = null;

/** Bring the forms up to date with a view. */
export function drawCorrections(view) {
  newest = view;
  part("changes").hidden = !view.changes.length;
  part("changes").querySelector("ul").replaceChildren(
    ...view.changes.map((change) => make("li", "", make("bdi", "", change.name), ` ${change.before} → ${change.after}`)),
  );
  const cards = view.newest.map((ruling) => ruling.card).filter((played) => played && /^\d+$/.test(played.name));
  const now = JSON.stringify([cards, view.places.map((place) => [place.badge, place.name]), view.deals]);
  if (now === drawn) return; // what somebody has begun to fill in stays as it is
  drawn = now;
  part("wrong").hidden = !cards.length;
  part("swap").hidden = !cards.length;
  part("edit").hidden = !view.deals.length;
  // A correction with a form needs no button beside it.
  for (const name of ["wrong", "swap", "edit"]) {
    document.querySelector(`[data-control="${name}"]`).hidden = !part(name).hidden;
  }
  fill("wrong", "wrong", cards.map((played) => [played.name, played.label]));
  const players = bySeat(view).map((place) => [place.badge, place.name]);
  fill("swap", "one", players);
  fill("swap", "other", players.slice(1).concat(players.slice(0, 1)));
  fill("edit", "deal", view.deals.map((_, at) => [at, number(at + 1)]).reverse());
  showDeal();
}

const bySeat = (view) => [...view.places].sort((place, other) => place.seat - other.seat);

function fill(form, field, options) {
  const select = part(form).querySelector(`[name="${field}"]`);
  select.replaceChildren(...options.map(([value, text]) => marked(make("option", "", text), { value })));
}

// The points of the chosen deal, to write over.
function showDeal() {
  const points = newest.deals[part("edit").querySelector("select").value] ?? [];
  part("edit").querySelector(".scores").replaceChildren(
    ...bySeat(newest).map((place) => {
      const was = points[place.seat] ?? 0;
      const input = marked(make("input"), { name: place.badge, inputmode: "numeric", pattern: "-?\\p{Nd}{1,4}", value: was });
      return make("label", "", make("bdi", "", place.name), input);
    }),
  );
}

// Each act is for the page that the one before it has opened.
async function acts(...all) {
  for (const [page, what] of all) {
    if (!(await act(page ? { ...what, expect: { page } } : what))) return;
  }
}

const scan = (text) => ({ act: "scan", code: text });
const type = (text) => ({ act: "type", text: String(text) });
const key = (name) => ({ act: "key", key: name });

function onSubmit(id, made) {
  part(id).querySelector("form").addEventListener("submit", (event) => {
    event.preventDefault();
    acts(...made(event.target.elements, event.target));
  });
}

onSubmit("wrong", ({ wrong, right }) => [
  ["", scan(code("wrong"))],
  ["wrong_card", type(wrong.value)],
  ["wrong_card", type(right.value)],
]);
onSubmit("swap", ({ one, other }) => [
  ["", scan(code("swap"))],
  ["pick_players", scan(badge(one.value))],
  ["pick_players", scan(badge(other.value))],
]);
onSubmit("edit", ({ deal }, form) => {
  const changed = [...form.querySelectorAll("input")].filter((input) => input.value.trim() !== input.defaultValue);
  const downs = newest.deals.length > 1 ? newest.deals.length - Number(deal.value) : 0;
  return [
    ["", scan(code("edit"))],
    ...Array.from({ length: downs }, () => ["menu", key("down")]),
    ...(downs ? [["menu", key("ok")]] : []),
    ...changed.flatMap((input) => [["edit_deal", scan(badge(input.name))], ["edit_deal", type(input.value.trim())]]),
  ];
});
part("edit").querySelector("select").addEventListener("change", showDeal);
