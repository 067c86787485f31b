// The live camera of a phone, with the button that starts and stops it. A page without TLS has none.

import { tell } from "./acting.js";
import { say } from "./dom.js";

/** Show the camera in `video` while it runs; `changed` is called with true when it begins, and false at its end. */
export function offerCamera(button, video, changed) {
  if (!button) return;
  if (!navigator.mediaDevices) {
    document.getElementById("no-live")?.removeAttribute("hidden");
    return;
  }
  const start = button.textContent;
  let stream = null;
  button.hidden = false;
  button.addEventListener("click", async () => {
    if (stream) {
      for (const track of stream.getTracks()) track.stop();
      stream = null;
    } else {
      try {
        stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: "environment", width: 1280 } });
        video.srcObject = stream;
        await video.play();
      } catch (error) {
        stream = null;
        tell(say("no_camera", { cause: error.message }));
      }
    }
    video.hidden = !stream;
    button.textContent = stream ? say("stop") : start;
    changed(Boolean(stream));
  });
}
