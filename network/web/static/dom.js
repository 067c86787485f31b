// Making parts of a page. Every text goes in as text, never as HTML, so a name can be anything.

if (!Element.prototype.replaceChildren) {
  // Chromium 85 of many televisions lacks it.
  Element.prototype.replaceChildren = function replaceChildren(...nodes) {
    this.textContent = "";
    this.append(...nodes);
  };
}

export const texts = JSON.parse(document.getElementById("texts").textContent);

// Where the page is encrypted, a phone can install it, and opens it without a network as well.
if (globalThis.isSecureContext) navigator.serviceWorker?.register("/worker.js").catch(() => {});

/** A text of the page with its facts put in. */
export function say(name, facts = {}) {
  return texts[name].replace(/\{(\w+)\}/g, (_, fact) => facts[fact] ?? "");
}

/** A number in the digits of the language. */
export function number(value) {
  return String(value).replace(/[0-9]/g, (digit) => texts.digits[Number(digit)]);
}

/** An element with a class and children: texts, elements, or nothing. */
export function make(tag, name, ...children) {
  const made = document.createElement(tag);
  if (name) made.className = name;
  made.append(...children.filter((child) => child !== null && child !== undefined && child !== ""));
  return made;
}

/** The same with attributes. */
export function marked(made, attributes) {
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  return made;
}

/** A canvas of this size, which older phones have as an element only. */
export function canvasOf(width, height) {
  return Object.assign(document.createElement("canvas"), { width: Math.round(width), height: Math.round(height) });
}

const SVG = "http://www.w3.org/2000/svg";

/** A drawing from signs.svg; `label` is what it says, empty where words beside it say the same. */
export function sign(name, label = "") {
  const svg = document.createElementNS(SVG, "svg");
  const use = document.createElementNS(SVG, "use");
  use.setAttribute("href", `/static/signs.svg#${name}`);
  svg.setAttribute("class", `sign ${name}`);
  svg.setAttribute("viewBox", "0 0 24 24");
  if (label) {
    svg.setAttribute("role", "img");
    svg.setAttribute("aria-label", label);
  } else {
    svg.setAttribute("aria-hidden", "true");
  }
  svg.append(use);
  return svg;
}

const SIGNS = new RegExp(`([${Object.keys(texts.signs).join("")}])`);

/** A sentence whose signs are drawings. */
export function rich(text) {
  const made = document.createDocumentFragment();
  made.append(...text.split(SIGNS).filter(Boolean).map((part) => {
    const drawn = texts.signs[part];
    return drawn ? sign(drawn.drawing, drawn.word) : part;
  }));
  return made;
}

/** Let the phone buzz, where somebody has touched the page and it can. */
export function buzz(pattern) {
  if (navigator.userActivation?.hasBeenActive) navigator.vibrate?.(pattern);
}

/** Send something to the server as JSON; gives the status and the answer, status 0 where there was none. */
export async function post(path, what) {
  return send(path, JSON.stringify(what), "application/json");
}

/** The same with a body of another type: a photo, a file. */
export async function send(path, body, type) {
  try {
    const answer = await fetch(path, { method: "POST", headers: { "Content-Type": type }, body });
    return { status: answer.status, ...(await answer.json().catch(() => ({}))) };
  } catch {
    return { status: 0 };
  }
}
