// Keeps the player and this level for when there is no network; only on https, as browsers demand, and on this machine.

/** Hand this page to the service worker at *address*; *kept* is called once it opens without a network. */
export async function keepForOffline(address, kept = () => {}, signal = undefined) {
  if (!navigator.serviceWorker || !address) return;
  try {
    navigator.serviceWorker.addEventListener("message", ({ data }) => data?.kept === location.pathname && kept(), { signal });
    navigator.serviceWorker.startMessages();
    await navigator.serviceWorker.register(address, { scope: "/", updateViaCache: "none" });
    const { active } = await navigator.serviceWorker.ready;
    active.postMessage(location.pathname);
  } catch {
    // A browser that forbids it, a private window: the player works as long as there is a network.
  }
}

/**
 * A function that keeps the pages at *paths*, one after the other, once `keepForOffline` has its worker. *told* is called
 * with how many there are. Where a page did not come it stops, and called again goes on there.
 */
export function keeperOf(paths, told, signal) {
  let count = 0;
  let isAsked = false;
  const ask = async () => {
    isAsked = true;
    (await navigator.serviceWorker.ready).active.postMessage(paths[count]);
  };
  navigator.serviceWorker?.addEventListener("message", ({ data }) => {
    if (!isAsked || data?.kept !== paths[count]) return;
    isAsked = false;
    count += 1;
    told(count);
    if (count < paths.length) ask();
  }, { signal });
  return () => count < paths.length && ask();
}

/** The addresses of levels *first* to *last* of a collection, below *base*. */
export function pathsOf({ base, first, last }) {
  return Array.from({ length: last - first + 1 }, (_, at) => `${base}${first + at}/play/`);
}

/** Call *heard* with whether there is no network, now and whenever that changes. */
export function onOffline(heard, signal) {
  const tell = () => heard(!navigator.onLine);
  addEventListener("offline", tell, { signal });
  addEventListener("online", tell, { signal });
  tell();
}
