// The state of the table as it changes. What is shown is either current, or the page says that it is not.

import { say } from "./dom.js";

const SILENT_MS = 12000; // the server says something every 4 seconds, even where nothing changes
const RETRY_MS = [300, 700, 1500, 3000];

/** Call `draw` with each new view from `path`; unless `quiet`, the page says whether it is current. */
export function follow(path, draw, quiet = false) {
  let source = null;
  let silent = 0;
  let failed = 0;

  function heard() {
    failed = 0;
    clearTimeout(silent);
    silent = setTimeout(again, SILENT_MS);
  }

  function again() {
    clearTimeout(silent);
    source?.close();
    if (!quiet) show("lost");
    const wait = RETRY_MS[Math.min(failed, RETRY_MS.length - 1)];
    failed += 1;
    setTimeout(open, wait);
  }

  function open() {
    source = new EventSource(path);
    silent = setTimeout(again, SILENT_MS);
    source.addEventListener("view", (event) => {
      heard();
      const view = JSON.parse(event.data);
      draw(view);
      if (!quiet) show(view.away ? "away" : "live", view.why || "away");
    });
    source.addEventListener("beat", heard);
    source.addEventListener("forgotten", () => location.reload()); // to the form that pairs a phone
    source.onerror = again;
  }

  // A phone that wakes up may have slept through the end of its connection.
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden && source?.readyState === EventSource.CLOSED) again();
  });
  addEventListener("offline", again);
  open();
}

/** Say at the head of the page whether it is current: "connecting", "live", "away" (`why` names its text) or "lost". */
export function show(state, why = state) {
  document.body.dataset.state = state;
  const line = document.getElementById("state");
  const text = state === "live" ? "" : say(state === "away" ? why : state);
  if (line.textContent !== text) line.textContent = text;
  line.hidden = state === "live";
}
