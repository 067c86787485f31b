// A page that people look at without touching it: the screen stays on while the page is seen, where the browser can.

/** Keep the screen on. Without TLS, and in older browsers, nothing can: then the page says so. */
export function keepAwake() {
  const line = document.getElementById("dark");
  async function ask() {
    if (document.hidden) return; // the browser gives it up then; it is asked again
    try {
      await navigator.wakeLock.request("screen");
      line.hidden = true;
    } catch {
      line.hidden = false;
    }
  }
  document.addEventListener("visibilitychange", ask);
  ask();
}
