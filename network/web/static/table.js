// The table as everybody sees it: on a phone, on a desktop, and on a television.

import { keepAwake } from "./awake.js";
import { card, given, heads, headsInWords, place } from "./card.js";
import { make, marked, number, rich, say, sign } from "./dom.js";
import { follow } from "./live.js";
import { speak } from "./voice.js";

const parts = Object.fromEntries(
  ["game", "ask", "board", "places", "newest"].map((id) => [id, document.getElementById(id)]),
);
const isTelevision = document.body.classList.contains("tv");
let lying = null; // the cards that were on the table in the view before

function draw(view) {
  document.body.dataset.layout = view.layout;
  document.body.dataset.number = view.number;
  parts.game.replaceChildren(...view.heading.map((text) => make("bdi", "", rich(text))));
  parts.ask.replaceChildren(...asked(view));
  parts.board.replaceChildren(...board(view));
  parts.places.replaceChildren(...view.places.map((player) => standing(player, view.places.length)));
  parts.places.dataset.players = view.places.length;
  said(view);
  speak(view);
  lying = new Set(view.stacks.flatMap((stack) => stack.cards.map((each) => each.name)));
}

function asked(view) {
  if (view.layout === "none") return [make("strong", "", say("no_match")), make("span", "", say("waiting"))];
  if (view.over) return [sign("bull"), make("strong", "", rich(view.won))];
  const [first] = view.asks;
  if (!first) return [];
  return [make("strong", "", rich(first.says)), make("span", "who", make("bdi", "", waits(first))), given(first)];
}

// What is to be done, and by whom.
function waits(first) {
  if (first.gives === "stack") {
    const one = first.seats.length === 1;
    return one ? say("chooses", { player: first.who }) : say("who_played", { card: first.cards[0]?.label ?? "" });
  }
  if (first.missing) return say("wait_for", { player: first.missing });
  if (first.wait === "all" && first.need) return say("all_play", { have: number(first.have), need: number(first.need) });
  return first.who && say("wait_for", { player: first.who });
}

function board(view) {
  if (view.layout === "rows") return [rows(view)];
  if (view.layout === "piles") return [make("div", "piles", ...view.stacks.map(pile)), facts(view)];
  if (view.layout === "top") return [top(view), facts(view)];
  return [facts(view)];
}

// Rows of cards run from left to right in every language.
function rows(view) {
  const made = make("ol", "rows", ...view.stacks.map(row));
  made.style.setProperty("--rows", view.stacks.length);
  return marked(made, { dir: "ltr" });
}

function row(stack) {
  const places = Math.max(stack.room, stack.cards.length);
  const lain = Array.from({ length: places }, (_, n) => {
    const face = stack.cards[n];
    return face ? card(face, lying && !lying.has(face.name) ? "arrived" : "") : place();
  });
  const full = stack.room > 0 && stack.cards.length >= stack.room;
  const made = make(
    "li",
    full ? "row full" : "row",
    make("b", "row-name", number(stack.label)),
    ...lain,
    make("span", "row-heads", heads(stack.heads)),
  );
  return marked(made, { "aria-label": say("row", { row: number(stack.label) }) });
}

function pile(stack) {
  const newest = stack.cards[stack.cards.length - 1];
  return make(
    "figure",
    "pile",
    newest ? card(newest, lying && !lying.has(newest.name) ? "arrived" : "") : place(),
    make(
      "figcaption",
      "",
      !stack.fits ? null : make("span", "", say("fits"), " ", make("bdi", "", rich(stack.fits))),
    ),
  );
}

function top(view) {
  const newest = view.stacks[0]?.cards[0];
  const beats = view.beats.map((beat) =>
    make("span", "beat", beat.symbol ? sign(beat.symbol) : null, beat.word),
  );
  return make(
    "div",
    "top",
    newest ? card(newest, lying && !lying.has(newest.name) ? "arrived" : "") : place(),
    beats.length ? make("div", "beats", make("span", "label", say("beats")), ...beats) : null,
  );
}

function facts(view) {
  const lines = [view.hint, ...view.facts].filter(Boolean).map((line) => line.replace(/(\S)\+(?=\S)/g, "$1 + ")); // the display has no room for these spaces
  return make("ul", "facts", ...lines.map((line) => make("li", "", rich(line))));
}

function standing(player) {
  const made = make(
    "li",
    `standing${player.asked ? " asked" : ""}${player.won ? " won" : ""}`,
    make("span", "rank", player.rank),
    make("bdi", "name", player.name),
    player.note && make("span", "note", rich(player.note)),
    player.points && marked(make("bdi", "points", player.points), { dir: "ltr", title: say("this_deal") }),
    marked(make("bdi", "total", player.total), { dir: "ltr" }),
  );
  if (player.asked) made.append(make("span", "unseen", say("asked")));
  return made;
}

function ruling(line) {
  const made = make("li", line.taker ? "ruling takes" : "ruling", line.card && card(line.card, "small"));
  const cost = line.taker && say("takes", { player: line.taker, heads: headsInWords(line.heads) });
  made.append(
    make(
      "div",
      "",
      line.outcome && make("p", "outcome", rich(cost && line.heads ? cost : line.outcome)),
      make("p", "because", rich(line.why)),
      make("p", "rule", rich(line.rule), line.source && make("bdi", "source", line.source)),
    ),
  );
  return made;
}

// What is read aloud when it changes must not be drawn again where it did not.
let told = "";
let ruled = null; // the view with the ruling of the turn before
function said(view) {
  const rulings = newest(view);
  const now = JSON.stringify([rulings]);
  if (now !== told) {
    told = now;
    parts.newest.replaceChildren(...rulings.map(ruling));
  }
  if (isTelevision) fit();
}

// While the cards of a turn come in, the ruling of the turn before stays.
function newest(view) {
  if (view.newest.some((line) => line.card)) ruled = view;
  else if (ruled && (view.layout !== "rows" || view.step < ruled.step || view.deals.length !== ruled.deals.length)) ruled = null;
  const rulings = ruled && !view.over ? ruled.newest : view.newest;
  return isTelevision ? [...rulings].sort((line, other) => Boolean(other.taker) - Boolean(line.taker)) : rulings;
}

// Nobody can scroll a television: of long rulings less is told, then in smaller letters, until all of it fits.
const STEPS = 7;
function fit() {
  const { newest: list } = parts;
  for (let step = 0; step < STEPS; step += 1) {
    list.dataset.fit = step;
    if (list.offsetTop + list.scrollHeight <= list.parentElement.offsetTop + list.parentElement.clientHeight) return;
  }
}
if (isTelevision) {
  addEventListener("resize", fit);
  document.fonts.ready.then(fit);
}

keepAwake();
follow(`${parts.board.dataset.live}?language=${document.documentElement.lang}`, draw);
