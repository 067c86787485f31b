// Says aloud what happens at the table, in the browser's own voice, for who presses READ ALOUD.

const button = document.getElementById("voice");
let heard = null; // the number of what was worth saying last; null before the first view

/** Say what is new in a view. What was so before the page was opened is not. */
export function speak({ said }) {
  if (!button || !said || !("speechSynthesis" in window)) return;
  button.hidden = false;
  const isNew = heard !== null && said.number !== heard;
  heard = said.number;
  if (!isNew || button.ariaPressed !== "true") return;
  speechSynthesis.cancel(); // the newest wins
  const words = new SpeechSynthesisUtterance(said.text);
  words.lang = document.documentElement.lang;
  speechSynthesis.speak(words);
}

button?.addEventListener("click", () => {
  const on = button.ariaPressed !== "true";
  button.ariaPressed = String(on);
  speechSynthesis.cancel();
  // Phones let a page speak only if it has done so when somebody pressed something.
  if (on) speechSynthesis.speak(new SpeechSynthesisUtterance(" "));
});
