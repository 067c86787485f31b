// Cards as they look: a number with its heads, or a colour with its symbol.

import { make, marked, number, rich, say, sign, texts } from "./dom.js";

const SIGNS = Object.fromEntries(Object.values(texts.signs).map((each) => [each.letter, each]));
const COLOURS = { g: "green", y: "yellow", r: "red" };
const MARKS = { AR: "again", SC: "challenge", BC: "bad_card", SW: "swap" };
const CIAO = /^([gyr])([RPSJ])(?::([A-Z+0-9]+))?(?:#\d+)?(?:=([RPS]))?$/;

/** A card of a view: {name, label, heads}. */
export function card(what, name = "") {
  if (/^\d+$/.test(what.name)) return numbered(what, name);
  const found = CIAO.exec(what.name);
  if (found) return coloured(what, found, name);
  return make("span", `card plain ${name}`, make("span", "middle", rich(what.label)));
}

/** An empty place for a card. */
export function place(name = "") {
  return marked(make("span", `card place ${name}`), { "aria-hidden": "true" });
}

/** The cards of a question; where anybody may scan those that are still to come, their places as well. */
export function given(ask) {
  const left = ask.wait === "any" && ask.gives === "card" ? Math.max(0, ask.need - ask.have) : 0;
  const places = Array.from({ length: left }, () => place("small"));
  return make("span", "given", ...ask.cards.map((face) => card(face, "small")), ...places);
}

/** Heads as a number with the sign. */
export function heads(count) {
  const made = make("span", "heads-count", number(count), sign("bull"));
  return marked(made, { role: "img", "aria-label": headsInWords(count) });
}

export function headsInWords(count) {
  return count === 1 ? say("one_head") : say("heads", { heads: number(count) });
}

function numbered(what, name) {
  const drawn = Array.from({ length: Math.min(what.heads, 10) }, () => sign("bull"));
  const made = make(
    "span",
    `card heads-${what.heads} ${what.label.length > 2 ? "long" : ""} ${name}`,
    make("span", "bulls", ...drawn),
    make("span", "middle", what.label),
  );
  return marked(made, { role: "img", "aria-label": `${what.label}, ${headsInWords(what.heads)}` });
}

function coloured(what, [, colour, symbol, icon, as], name) {
  const drawn = SIGNS[as ?? symbol];
  const mark = icon && (MARKS[icon] ? say(MARKS[icon]) : icon);
  const words = [say(COLOURS[colour]), symbol === "J" ? say("joker") : "", drawn ? drawn.word : ""];
  const made = make(
    "span",
    `card ciao ${COLOURS[colour]} ${name}`,
    make("span", "bulls", symbol === "J" ? "★" : "", mark ? make("span", "mark", mark) : ""),
    make("span", "middle", drawn ? sign(drawn.drawing) : "★"),
  );
  return marked(made, { role: "img", "aria-label": words.concat(mark ?? "").filter(Boolean).join(" ") });
}
