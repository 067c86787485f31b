// The box from a paired phone: its display, its keys, numbers, names, sums, and the paired phones.

import { act, inWords, listenToKeys, listenToPad, tell } from "./acting.js";
import { drawCorrections } from "./corrections.js";
import { make, marked, number, post, say, texts } from "./dom.js";
import { follow } from "./live.js";

const display = document.getElementById("display").getContext("2d");
const sums = document.getElementById("sums");
const names = document.getElementById("name");
const phones = document.getElementById("phones");
const clock = document.getElementById("clock");
let players = "";

follow(
  "/display",
  ({ picture }) => {
    const bits = picture ? atob(picture.bits) : "";
    const image = display.createImageData(128, 64);
    for (let at = 0; at < 128 * 64; at += 1) {
      const lit = bits.charCodeAt(at >> 3) & (0x80 >> (at & 7));
      image.data.set(lit ? [214, 236, 255, 255] : [4, 8, 12, 255], at * 4);
    }
    display.putImageData(image, 0, 0);
  },
  true,
);

follow(`/live?language=${document.documentElement.lang}`, (view) => {
  for (const button of document.querySelectorAll("[data-badge]")) {
    const place = view.places.find((place) => place.badge === Number(button.dataset.badge));
    button.replaceChildren(button.dataset.badge, place ? make("bdi", "", place.name) : "");
  }
  drawCorrections(view);
  sums.hidden = view.page !== "sums";
  if (!sums.hidden) fillSums(view);
});

// The form stays as it is while somebody types in it.
function fillSums(view) {
  const now = JSON.stringify(view.places.map((place) => place.badge));
  if (now === players) return;
  players = now;
  const bySeat = [...view.places].sort((place, other) => place.seat - other.seat);
  const lines = bySeat.map((place) => {
    const input = marked(make("input"), { name: place.badge, inputmode: "numeric", pattern: "-?\\p{Nd}{1,4}" });
    return make("label", "", make("bdi", "", place.name), input);
  });
  const close = marked(make("button", "", say("close_deal")), { type: "button", "data-key": "ok" });
  sums.querySelector("form").replaceChildren(...lines, make("button", "main", say("enter")), close);
}

sums.querySelector("form").addEventListener("submit", async (event) => {
  event.preventDefault();
  for (const input of event.target.querySelectorAll("input")) {
    if (!input.value.trim()) continue;
    const { code } = document.querySelector(`[data-badge="${input.name}"]`).dataset;
    const expect = { page: "sums" };
    if (!(await act({ act: "scan", code, expect }))) return;
    if (!(await act({ act: "type", text: input.value.trim(), expect }))) return;
    input.value = "";
  }
});

names.addEventListener("submit", async (event) => {
  event.preventDefault();
  const { badge, name } = names.elements;
  if (await act({ act: "name", badge: Number(badge.value), name: name.value })) name.value = "";
});

function showTime() {
  const { calendar } = texts;
  const style = { dateStyle: "medium", timeStyle: "short", calendar, numberingSystem: "latn" };
  const shown = new Date().toLocaleString(document.documentElement.lang, style);
  clock.querySelector("time").textContent = number(shown);
}

// The page has this part only where the clock of the box was not set.
if (clock) {
  showTime();
  setInterval(showTime, 1000);
  clock.querySelector("button").addEventListener("click", async () => {
    const result = await post("/clock", { now_ms: Date.now() });
    tell(result.accepted ? say("sent") : inWords(result), result.accepted);
    clock.hidden = Boolean(result.accepted);
  });
}

async function listPhones() {
  const answer = await fetch("/phones").then((response) => response.json()).catch(() => ({ phones: [] }));
  phones.replaceChildren(
    ...answer.phones.map((phone) => {
      const forget = make("button", "", say("forget"));
      forget.addEventListener("click", async () => {
        await post("/phones", { id: phone.id });
        if (phone.own) location.reload();
        else await listPhones();
      });
      const about = [phone.hosts && say("hosts"), phone.own && say("this_phone")].filter(Boolean).join(", ");
      return make("li", "entry", make("bdi", "", phone.name), about ? ` (${about}) ` : " ", forget);
    }),
  );
}

listenToKeys();
listenToPad();
if (phones) listPhones();
tell("");
