// The camera as a scanner: the codes in a photo are read on this phone, and scanned at the table. Where the box knows
// the faces of the cards, it reads them in the same photo.

import { act, inWords, listenToKeys, listenToPad, tell } from "./acting.js";
import { offerCamera } from "./camera.js";
import { buzz, canvasOf, make, post, rich, say } from "./dom.js";

const WIDEST = 2200; // pixels: enough for ten labels side by side, and read in a second or two
const LIVE_MS = 250;
const FACES_MS = 500;
const photo = document.getElementById("photo");
const camera = document.getElementById("camera");
const video = document.getElementById("video");
const found = document.getElementById("found");
const picture = document.getElementById("picture");
const faces = picture && (await import("./faces.js"));
const readsCodes = !picture || "codes" in picture.dataset;
let reader = null;

async function codesIn(source, width, height) {
  if (!readsCodes) return [];
  reader ??= import("/static/vendor/reader/zxing.js").then((made) => {
    made.prepareZXingModule({ overrides: { locateFile: () => "/static/vendor/zxing.wasm" } });
    return made;
  });
  const scale = Math.min(1, WIDEST / Math.max(width, height));
  const canvas = canvasOf(width * scale, height * scale);
  const drawn = canvas.getContext("2d", { willReadFrequently: true });
  drawn.drawImage(source, 0, 0, canvas.width, canvas.height);
  const { readBarcodes } = await reader;
  const read = await readBarcodes(drawn.getImageData(0, 0, canvas.width, canvas.height), {
    formats: ["DataMatrix", "QRCode", "Code128"],
    maxNumberOfSymbols: 24,
    tryHarder: true,
  });
  return [...new Set(read.filter((code) => code.isValid).map((code) => code.text))];
}

async function scan(codes, seen = [], beside = []) {
  const result = await post("/scan", { codes, seen, beside });
  tell(result.accepted ? say("scanned") : inWords(result), result.accepted);
  buzz(result.accepted ? 60 : [80, 60, 80]);
  found.replaceChildren(...(result.results ?? []).map(line));
  return result;
}

function line(result) {
  const state = result.accepted ? say("scanned") : result.fault || say("not_scanned");
  return make("li", result.accepted ? "good" : "bad", make("b", "", rich(result.name)), make("span", "", rich(state)));
}

photo?.addEventListener("change", async () => {
  const [file] = photo.files;
  photo.value = "";
  if (!file) return;
  tell(say("reading"), true);
  found.replaceChildren();
  let image;
  try {
    image = await createImageBitmap(file);
  } catch {
    tell(say("not_a_picture"));
    return;
  }
  const { width, height } = image;
  let codes;
  let seen;
  try {
    [codes, seen] = await Promise.all([codesIn(image, width, height), faces?.read(image, width, height)]);
  } catch {
    tell(say("cannot_read"));
    return;
  }
  const known = seen ? faces.codes(seen) : [];
  document.body.dataset.read = codes.length + known.length;
  const doubts = seen ? faces.show(seen, image, choose) : 0;
  if (codes.length || known.length) await scan(codes, known);
  else if (seen && !seen.accepted) tell(inWords(seen));
  else tell(doubts ? "" : say(seen ? "nothing_read" : "nothing"));
});

let live = false;
const choose = (code) => scan([], [code]);

const read = new Map(); // code: when it was read last; a card that stays in the picture counts once
const seen = new Map(); // the same of faces
const isRecent = (at) => Date.now() - (at ?? 0) < 4000;

function fresh(codes, times) {
  const found = codes.filter((code) => !isRecent(times.get(code)));
  for (const code of codes) times.set(code, Date.now());
  return found;
}

async function watch() {
  if (!live) return;
  if (video.videoWidth) {
    const codes = fresh(await codesIn(video, video.videoWidth, video.videoHeight), read);
    if (codes.length) await scan(codes);
  }
  setTimeout(watch, LIVE_MS);
}

// The faces are read at the box: two frames a second at most, none before the last one is answered.
async function watchFaces() {
  if (!live) return;
  const began = Date.now();
  if (video.videoWidth && !document.hidden) {
    const answer = await faces.read(video, video.videoWidth, video.videoHeight);
    if (!live) return;
    if (answer.accepted) {
      const codes = fresh(faces.agreed(answer), seen);
      faces.show(answer, null, choose);
      if (codes.length) await scan([], codes, [...read.keys()].filter((code) => isRecent(read.get(code))));
    } else if (answer.why !== "busy") tell(inWords(answer));
  }
  setTimeout(watchFaces, Math.max(0, FACES_MS - (Date.now() - began)));
}

// The reader cannot be loaded, or the browser has no canvas.
window.addEventListener("unhandledrejection", () => tell(say("cannot_read")));

offerCamera(camera, video, (runs) => {
  live = runs;
  faces?.begin(runs);
  if (runs && readsCodes) watch();
  if (runs && faces) watchFaces();
});

listenToKeys();
listenToPad();
document.body.dataset.state = "live";
