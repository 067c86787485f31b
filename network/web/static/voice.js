// Says what happens at the table: aloud, in the browser's own voice, for who presses READ ALOUD; and, on a page without a
// list of the newest rulings, to the screen reader of who sees nothing.

const button = document.getElementById("voice");
const told = document.getElementById("said");
const canSpeak = button && "speechSynthesis" in window;
let heard = null; // the number of what was worth saying last; null before the first view

/** Say what is new in a view. What was so before the page was opened is not. */
export function speak({ said }) {
  if (!said) return;
  if (canSpeak) button.hidden = false;
  const isNew = heard !== null && said.number !== heard;
  heard = said.number;
  if (!isNew) return;
  if (told) told.textContent = said.text;
  if (!canSpeak || button.ariaPressed !== "true") return;
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
