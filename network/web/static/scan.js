// The camera as a scanner: a photo is read on this phone, and its codes are scanned at the table.

import { act, inWords, listenToKeys, listenToPad, tell } from "./acting.js";
import { buzz, make, post, rich, say } from "./dom.js";

const WIDEST = 2200; // pixels: enough for ten labels side by side, and read in a second or two
const LIVE_MS = 250;
const photo = document.getElementById("photo");
const camera = document.getElementById("camera");
const video = document.getElementById("video");
const found = document.getElementById("found");
let reader = null;

async function codesIn(source, width, height) {
  reader ??= import("/static/vendor/reader/zxing.js").then((made) => {
    made.prepareZXingModule({ overrides: { locateFile: () => "/static/vendor/zxing.wasm" } });
    return made;
  });
  const scale = Math.min(1, WIDEST / Math.max(width, height));
  const canvas = new OffscreenCanvas(Math.round(width * scale), Math.round(height * scale));
  const drawn = canvas.getContext("2d", { willReadFrequently: true });
  drawn.drawImage(source, 0, 0, canvas.width, canvas.height);
  const { readBarcodes } = await reader;
  const read = await readBarcodes(drawn.getImageData(0, 0, canvas.width, canvas.height), {
    formats: ["DataMatrix", "QRCode", "Code128"],
    maxNumberOfSymbols: 24,
    tryHarder: true,
  });
  return [...new Set(read.filter((one) => one.isValid).map((one) => one.text))];
}

async function scan(codes) {
  const result = await post("/scan", { codes });
  tell(result.accepted ? say("scanned") : inWords(result), result.accepted);
  buzz(result.accepted ? 60 : [80, 60, 80]);
  found.replaceChildren(...(result.results ?? []).map(line));
  return result;
}

function line(one) {
  const state = one.accepted ? say("scanned") : one.fault || say("not_scanned");
  return make("li", one.accepted ? "good" : "bad", make("b", "", one.name), make("span", "", rich(state)));
}

photo?.addEventListener("change", async () => {
  const [file] = photo.files;
  photo.value = "";
  if (!file) return;
  tell(say("reading"), true);
  found.replaceChildren();
  let picture;
  try {
    picture = await createImageBitmap(file);
  } catch {
    tell(say("not_a_picture"));
    return;
  }
  const codes = await codesIn(picture, picture.width, picture.height);
  document.body.dataset.read = codes.length;
  if (codes.length) await scan(codes);
  else tell(say("nothing"));
});

// A page without TLS has no camera; then the photo serves.
let stream = null;
const seen = new Map(); // code: when it was seen last; a card that stays in the picture counts once
async function watch() {
  if (!stream) return;
  if (video.videoWidth) {
    const now = Date.now();
    const codes = await codesIn(video, video.videoWidth, video.videoHeight);
    const fresh = codes.filter((code) => now - (seen.get(code) ?? 0) > 4000);
    for (const code of codes) seen.set(code, now);
    if (fresh.length) await scan(fresh);
  }
  setTimeout(watch, LIVE_MS);
}

if (camera && navigator.mediaDevices) {
  const start = camera.textContent;
  camera.hidden = false;
  camera.addEventListener("click", async () => {
    if (stream) {
      for (const track of stream.getTracks()) track.stop();
      stream = null;
    } else {
      try {
        stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: "environment", width: 1280 } });
        video.srcObject = stream;
        await video.play();
        watch();
      } catch (error) {
        stream = null;
        tell(say("no_camera", { cause: error.message }));
      }
    }
    video.hidden = !stream;
    camera.textContent = stream ? say("stop") : start;
  });
}

listenToKeys();
listenToPad();
document.body.dataset.state = "live";
