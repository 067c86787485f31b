// The lesson of a deck: what to lay is shown, pictures are taken by themselves when nothing moves, and the box says what
// it has seen in them.

import { inWords, tell } from "./acting.js";
import { offerCamera } from "./camera.js";
import { card } from "./card.js";
import { buzz, canvasOf, make, number, say, send } from "./dom.js";
import * as faces from "./faces.js";

const LOOK_MS = 150;
const STILL_LOOKS = 5; // so many times in a row nothing moves
const MUCH = 4; // of 255: the mean change of a pixel where something moves
const SMALL = { width: 48, height: 36 };

const part = (id) => document.getElementById(id);
const lesson = part("lesson");
const video = part("video");
const photo = part("photo");
let again = ""; // the code of a single card that is taught once more
let live = false;

async function take(source, width, height) {
  const { deck, game } = lesson.dataset;
  const query = new URLSearchParams({ deck, game, card: again, language: document.documentElement.lang });
  const body = source ? await faces.jpeg(source, width, height) : "";
  const answer = await send(`/lesson?${query}`, body, "image/jpeg");
  document.body.dataset.state = "live";
  if (!answer.accepted) {
    tell(inWords(answer));
    return;
  }
  show(answer.progress);
  if (!source) return;
  const { hint } = answer.progress;
  tell(say(hint ?? "took"), !hint);
  buzz(60);
  const seen = (answer.corners ?? []).map((corners) => ({ corners, card: { label: "" }, candidates: [] }));
  faces.draw({ ...answer, cards: seen }, live ? null : source);
}

function show(progress) {
  const { advice, lay, read, doubtful, showing, showings, found, taught, of } = progress;
  document.body.dataset.advice = advice;
  const facts = { number: number(showing + 1), all: number(showings), found: number(found), due: number(lay.length) };
  part("advice").textContent = say(advice, facts);
  part("taught").textContent = say("taught", { taught: number(taught), all: number(of) });
  part("bar").max = of;
  part("bar").value = taught;
  part("lay").replaceChildren(...lay.map((face) => card(face, "small")));
  part("results").replaceChildren(
    ...(read.length ? [make("p", "", say("read_sure")), cards(read)] : []),
    ...(doubtful.length ? [make("p", "", say("doubtful")), cards(doubtful)] : []),
  );
}

function cards(some) {
  const made = make("p", "given", ...some.map((face) => card(face, "small")));
  made.dir = "ltr";
  return made;
}

photo.addEventListener("change", async () => {
  const [file] = photo.files;
  photo.value = "";
  if (!file) return;
  const image = await createImageBitmap(file).catch(() => tell(say("not_a_picture")));
  if (image) await take(image, image.width, image.height);
});

part("again").addEventListener("submit", (event) => {
  event.preventDefault();
  again = event.target.elements.card.value;
  take();
});

const small = canvasOf(SMALL.width, SMALL.height).getContext("2d", { willReadFrequently: true });
let before = null;

/** How much has changed since the last look: the mean of all pixels, of 255. */
function change() {
  small.drawImage(video, 0, 0, SMALL.width, SMALL.height);
  const now = small.getImageData(0, 0, SMALL.width, SMALL.height).data;
  let sum = 0;
  for (let at = 0; at < now.length; at += 1) sum += Math.abs(now[at] - (before?.[at] ?? 0));
  before = now;
  return sum / (SMALL.width * SMALL.height * 3);
}

// The same picture is not taken twice: something has to move in between.
let still = 0;
let moved = false;
async function watch() {
  if (!live) return;
  if (video.videoWidth && document.body.dataset.advice !== "done") {
    const moves = change() > MUCH;
    moved ||= moves;
    still = moves ? 0 : still + 1;
    if (moved && still >= STILL_LOOKS) {
      moved = false;
      await take(video, video.videoWidth, video.videoHeight);
    }
  }
  setTimeout(watch, LOOK_MS);
}

// A browser without a canvas, say.
window.addEventListener("unhandledrejection", () => tell(say("cannot_read")));

offerCamera(part("camera"), video, (runs) => {
  live = moved = runs;
  faces.begin(runs);
  if (!runs) return;
  tell(say("waits"), true);
  watch();
});

take();
