// Cards without codes: a picture is sent to the box, which reads the printed faces. What it has read is drawn into the
// picture; of what it is not sure of, people say which card it is.

import { canvasOf, rich, make, marked, say, send, texts } from "./dom.js";

const WIDEST = 1280; // pixels
const QUALITY = 0.85;
const view = document.getElementById("view");
const picture = document.getElementById("picture");
const unsure = document.getElementById("unsure");
let before = new Set(); // what the picture before this one has shown, sure or not

/** What is seen as a photo to send. */
export async function jpeg(source, width, height) {
  const scale = Math.min(1, WIDEST / Math.max(width, height));
  const canvas = canvasOf(width * scale, height * scale);
  canvas.getContext("2d").drawImage(source, 0, 0, canvas.width, canvas.height);
  return new Promise((done) => canvas.toBlob(done, "image/jpeg", QUALITY));
}

/** Let the box read what is seen: gives its answer. */
export async function read(source, width, height) {
  return send("/photo", await jpeg(source, width, height), "image/jpeg");
}

/** A live picture begins or ends: nothing is known of it. */
export function begin(live) {
  before = new Set();
  view.hidden = !live;
  picture.width = picture.width; // empty
  unsure.replaceChildren();
}

/** The cards that an answer is sure of, and that do not lie on the table already. */
export function codes(answer) {
  return (answer.cards ?? []).filter((reading) => reading.card && !reading.lies).map((reading) => reading.card.code);
}

const doubtOf = (reading) => reading.candidates.map((other) => other.code).sort().join();

// In a live picture, what may be a card that lies on the table already is no question.
function inDoubt(answer, live) {
  return (answer.cards ?? []).filter((reading) => !reading.card && reading.candidates.length && !(live && reading.lies));
}

/** Of a live picture, the cards that two pictures one after the other agree on. */
export function agreed(answer) {
  const now = new Set([...codes(answer), ...inDoubt(answer, true).map(doubtOf)]);
  const both = new Set([...now].filter((doubt) => before.has(doubt)));
  before = now;
  answer.cards = answer.cards.filter((reading) => reading.card || both.has(doubtOf(reading)));
  return codes(answer).filter((code) => both.has(code));
}

/** Draw an answer into the photo, or over the live picture where there is none, and ask for what is not sure.
 *
 * `choose` is called with the code of the card that somebody has chosen. Gives how many cards are asked for.
 */
export function show(answer, photo, choose) {
  draw(answer, photo);
  const known = new Set(codes(answer));
  const open = (element) => !element.dataset.codes.split(",").some((code) => known.has(code));
  const asked = photo ? [] : [...unsure.children].filter(open);
  for (const reading of inDoubt(answer, !photo)) {
    if (!asked.some((other) => other.dataset.codes === doubtOf(reading))) asked.push(question(reading, choose));
  }
  unsure.replaceChildren(...asked);
  return asked.length;
}

/** Draw the cards of an answer, into the photo if there is one. */
export function draw(answer, photo) {
  view.hidden = false;
  picture.width = answer.width ?? picture.width;
  picture.height = answer.height ?? picture.height;
  const context = picture.getContext("2d");
  if (photo) context.drawImage(photo, 0, 0, picture.width, picture.height);
  for (const reading of answer.cards ?? []) outline(context, reading);
}

function outline(context, { corners, card, lies, candidates }) {
  const [start, ...others] = corners;
  const unit = Math.hypot(corners[1][0] - start[0], corners[1][1] - start[1]) / 3;
  context.lineWidth = Math.max(3, unit / 6);
  context.strokeStyle = card && !lies ? "#19a348" : "#f4bd3a";
  context.setLineDash(card ? [] : [unit / 3, unit / 5]);
  context.globalAlpha = lies ? 0.6 : 1;
  context.beginPath();
  context.moveTo(...start);
  for (const corner of others) context.lineTo(...corner);
  context.closePath();
  context.stroke();
  const says = card ? card.label : `${candidates.map((candidate) => candidate.label).join(" / ")}?`;
  context.font = `800 ${unit}px system-ui, sans-serif`;
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.direction = "ltr";
  context.setLineDash([]);
  context.lineWidth = unit / 5;
  context.strokeStyle = "#000";
  context.fillStyle = "#fff";
  const [x, y] = [0, 1].map((axis) => corners.reduce((sum, corner) => sum + corner[axis], 0) / corners.length);
  const text = [...says].map((letter) => texts.signs[letter]?.emoji || letter).join(""); // a canvas has no drawings
  context.strokeText(text, x, y);
  context.fillText(text, x, y);
  context.globalAlpha = 1;
}

function question(reading, choose) {
  const [first, second, third] = reading.candidates.map((other) => other.label);
  const asks = third ? "one_of" : second ? "which" : "is_it";
  const words = make("p", "", rich(say(asks, { one: first, other: second, third })));
  const buttons = reading.candidates.map((other) => {
    const button = marked(make("button", "", rich(other.label)), { type: "button" });
    button.addEventListener("click", () => {
      asked.remove();
      choose(other.code);
    });
    return button;
  });
  const asked = marked(make("div", "question", words, make("div", "choices", ...buttons)), { "data-codes": doubtOf(reading) });
  return asked;
}
