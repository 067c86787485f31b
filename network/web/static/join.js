// The phone of one player: it says when it is their choice, and gives the answer.

import { act } from "./acting.js";
import { keepAwake } from "./awake.js";
import { card, given, heads } from "./card.js";
import { buzz, make, number, rich, say } from "./dom.js";
import { follow } from "./live.js";
import { speak } from "./voice.js";

const part = (id) => document.getElementById(id);
const MINE = "nimmt-badge";
const NAME = "nimmt-name";
const PLAYED = "nimmt-played"; // the card that this phone has played last
let asked = "";
let newest = null;

const own = () => Number(localStorage.getItem(MINE)) || 0;

function draw(view) {
  newest = view;
  speak(view);
  const joining = view.layout === "none";
  const me = view.places.find((place) => place.badge === own());
  part("sit").hidden = !joining;
  part("who").hidden = joining || Boolean(me);
  part("play").hidden = joining || !me;
  if (joining) return;
  if (me) play(view, me);
  else chooseMe(view);
}

function chooseMe(view) {
  const bySeat = [...view.places].sort((place, other) => place.seat - other.seat);
  part("who").querySelector(".choices").replaceChildren(
    ...bySeat.map((place) => button(make("bdi", "", place.name), () => {
      localStorage.setItem(MINE, place.badge);
      draw(newest);
    })),
  );
}

function play(view, me) {
  const other = button(say("somebody_else"), () => {
    localStorage.removeItem(MINE);
    draw(newest);
  });
  other.className = "quiet";
  part("me").replaceChildren(make("strong", "", say("you", { player: me.name })), make("b", "total", me.total), other);
  const [first] = view.asks;
  const alone = first && first.seats.includes(me.seat) && (first.wait !== "all" || first.gives !== "card");
  const mine = !view.covers && (alone || isClaim(first, me));
  part("turn").className = mine || (first?.missing && first.seats.includes(me.seat)) ? "turn mine" : "turn";
  part("turn").replaceChildren(...turn(view, first, mine, me));
  part("choices").replaceChildren(...(mine ? choices(view, first, me) : []));
  part("mine").hidden = !isNumbered(view, first, me);
  const chooses = mine && first.gives === "stack"; // then the rows are the buttons
  part("board").replaceChildren(...(chooses ? [] : view.stacks.map((stack) => make("div", "stack", ...lain(view, stack)))));
  const last = first?.missing && first.seats.length === 1 && first.seats[0] === me.seat;
  callMe(mine || last ? `${view.step} ${first.says}` : "");
  document.title = mine ? `● ${turnTitle(first)}` : me.name;
}

function turn(view, first, mine, me) {
  if (view.over) return [make("strong", "", rich(view.won))];
  if (!first) return [];
  const lie = given(first);
  lie.dir = "ltr";
  if (view.covers && first.gives !== "card") return [make("strong", "", elsewhere(view))];
  if (mine) return [make("strong", "", turnTitle(first)), make("span", "", turnText(first)), lie];
  return [...waiting(first, me), played(first, me), lie];
}

// What this phone has played in the turn that goes on.
function played(first, me) {
  const label = localStorage.getItem(PLAYED);
  const isThere = first.gives === "card" && !first.seats.includes(me.seat) && first.cards.some((each) => each.label === label);
  return isThere ? make("b", "", say("played", { card: label })) : "";
}

// While another page is in front at the box, no question is answered.
function elsewhere(view) {
  return view.title ? say("box_waits", { title: view.title }) : say("box_waits_there");
}

// A card that fits nowhere: whoever has played it takes a row, and nobody knows yet who that is.
const isAnybodys = (ask) => ask.gives === "stack" && ask.seats.length > 1 && ask.cards.length > 0;

function turnTitle(ask) {
  return isAnybodys(ask) ? say("did_you_play", { card: ask.cards[0].label }) : say("your_turn");
}

function turnText(ask) {
  return isAnybodys(ask) ? say("then_choose") : rich(ask.says);
}

// A card can come without its player; then nobody knows whose are missing, only how many.
function waiting(first, me) {
  const counted = say("all_play", { have: number(first.have), need: number(first.need) });
  if (first.missing) {
    const own = first.seats.includes(me.seat);
    const says = own ? say("missing") : say("wait_for", { player: first.missing });
    return [make("strong", "", says), make("span", "", counted)];
  }
  if (first.wait === "all" && first.need) return [make("strong", "", counted)];
  return [make("strong", "", first.who ? say("wait_for", { player: first.who }) : rich(first.says))];
}

// "Who played it?" is asked of everybody; which other player somebody chooses, of one.
function isClaim(ask, me) {
  return Boolean(ask) && ask.gives === "player" && ask.seats.length > 1 && ask.choices.includes(String(me.seat));
}

// Cards with numbers can be typed, so that nobody needs the camera.
function isNumbered(view, first, me) {
  return first?.gives === "card" && first.seats.includes(me.seat) && ["rows", "piles"].includes(view.layout);
}

// A row or a pile with its cards, as it lies on the table.
function lain(view, stack) {
  const name = view.layout === "rows" ? say("row", { row: number(stack.label) }) : say("pile", { card: stack.label });
  const cards = make("span", "given", ...stack.cards.map((face) => card(face, "small")));
  cards.dir = "ltr";
  return [view.layout === "top" ? "" : make("b", "", name), cards, stack.heads === null || view.layout === "top" ? "" : heads(stack.heads)];
}

// Rows are chosen as they lie on the table, words by their names; who played a card says so himself.
function choices(view, first, me) {
  const answer = (choice) => () => act({ act: "answer", choice, expect: { step: view.step } });
  if (isClaim(first, me)) {
    return [button(say("mine", { card: first.cards[0]?.label ?? "" }), answer(String(me.seat)))];
  }
  if (first.gives === "stack") {
    return first.choices.map((choice) => {
      const stack = view.stacks.find((other) => other.choice === choice);
      // It says who takes the row, where nobody knows that yet.
      const take = () => act({ act: "play", badge: own(), row: Number(choice), expect: { step: view.step } });
      const made = button("", isAnybodys(first) ? take : answer(choice));
      made.append(...lain(view, stack));
      made.className = "stack";
      return made;
    });
  }
  if (first.gives === "player") {
    return first.choices.map((choice) => {
      const place = view.places.find((place) => place.seat === Number(choice));
      return button(make("bdi", "", place?.name ?? choice), answer(choice));
    });
  }
  const words = first.choices.map((choice, at) => button(rich(first.labels[at] ?? choice), answer(choice)));
  const scan = make("a", "button", say("scan"));
  scan.href = "/scan";
  return first.gives === "card" ? [...words, scan] : words;
}

function callMe(question) {
  if (question && question !== asked) buzz([200, 100, 200]);
  asked = question;
}

function button(child, pressed) {
  const made = make("button", "", child);
  made.type = "button";
  made.addEventListener("click", pressed);
  return made;
}

// Whoever has joined once this evening finds name and badge there again.
const sit = part("sit").querySelector("form");
sit.elements.name.value = localStorage.getItem(NAME) ?? "";
if (own() && sit.elements.badge.querySelector(`[value="${own()}"]`)) sit.elements.badge.value = own();
sit.addEventListener("submit", async (event) => {
  event.preventDefault();
  const { badge, name } = sit.elements;
  localStorage.setItem(MINE, badge.value);
  localStorage.setItem(NAME, name.value.trim());
  if (name.value.trim()) await act({ act: "name", badge: Number(badge.value), name: name.value });
  await act({ act: "scan", code: badge.selectedOptions[0].dataset.code });
});

const mine = part("mine");
mine.addEventListener("submit", async (event) => {
  event.preventDefault();
  const { card: field } = mine.elements;
  const text = field.value.trim();
  field.value = "";
  // In the digits that are printed on cards, whatever keyboard this is.
  const label = Number(text.replace(/\p{Nd}/gu, (digit) => digit.codePointAt(0) & 15));
  if (await act({ act: "play", badge: own(), card: text })) localStorage.setItem(PLAYED, label);
  draw(newest);
});

part("undo").addEventListener("click", () => act({ act: "key", key: "undo" }));

keepAwake();
follow(`/live?language=${document.documentElement.lang}`, draw);
