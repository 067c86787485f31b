// Keeps the pages that were seen, for a phone that has no network for a moment: they say themselves that they are not current.

const KEPT = "nimmt-1";

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));
self.addEventListener("fetch", (event) => {
  const { request } = event;
  const isPart = new URL(request.url).pathname.startsWith("/static/");
  if (request.method !== "GET" || (request.mode !== "navigate" && !isPart)) return;
  event.respondWith(answer(request));
});

async function answer(request) {
  const kept = await caches.open(KEPT);
  try {
    const fresh = await fetch(request);
    if (fresh.ok && fresh.type === "basic" && !fresh.redirected) await kept.put(request, fresh.clone());
    return fresh;
  } catch (fault) {
    const known = (await kept.match(request)) ?? (await kept.match(request, { ignoreSearch: true }));
    if (known) return known;
    throw fault;
  }
}
