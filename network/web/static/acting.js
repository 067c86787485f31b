// Acts at the table, and what came of them.

import { buzz, post, rich, say } from "./dom.js";

const answer = document.getElementById("answer");

/** Say something in the line for answers. */
export function tell(text, good = false) {
  answer.replaceChildren(rich(text));
  answer.className = text ? `told ${good ? "good" : "bad"}` : "told";
}

/** What an answer of the server says in a line. */
export function inWords(result) {
  if (result.status === 0) return say("unreachable");
  if (result.why === "unpaired") return say("unpaired");
  return [result.fault, result.fix].filter(Boolean).join(" ") || say("unreachable");
}

/** Do something at the table; gives whether it was accepted, and says so. */
export async function act(what) {
  const result = await post("/act", what);
  tell(result.accepted ? say("sent") : inWords(result), result.accepted);
  if (!result.accepted) buzz([80, 60, 80]);
  return Boolean(result.accepted);
}

/** The pad for numbers: touched or typed, Enter sends it. */
export function listenToPad() {
  const pad = document.getElementById("pad");
  const field = pad.elements.number;
  pad.addEventListener("click", (event) => {
    const digit = event.target.closest("[data-digit]")?.dataset.digit;
    if (!digit) return;
    field.value = digit === "back" ? field.value.slice(0, -1) : (field.value + digit).slice(0, 5);
  });
  pad.addEventListener("submit", async (event) => {
    event.preventDefault();
    const text = field.value.trim();
    field.value = "";
    if (text) await act({ act: "type", text });
  });
}

const KEYS = { menu: { key: "ok", press: "long" } };

/** Buttons that stand for a key or a code of the device. */
export function listenToKeys() {
  document.addEventListener("click", async (event) => {
    const { key, code } = event.target.closest("button")?.dataset ?? {};
    if (key) await act({ act: "key", ...(KEYS[key] ?? { key }) });
    if (code) await act({ act: "scan", code });
  });
}
