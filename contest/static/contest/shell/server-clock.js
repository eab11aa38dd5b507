// The server's clock, which decides when a round closes; the reader's may be wrong.

const LONGEST_MS = 3_600_000; // a timer must not run for longer than 24 days

const stamp = document.querySelector('meta[name="server-time"]');
const ahead = stamp ? Date.parse(stamp.content) - Date.now() : 0; // what the reader's clock is behind

/** The server's time in milliseconds since 1970. */
export const now = () => Date.now() + ahead;

/** Call *act* once at *instant*, an ISO time; at once if it has passed. Looks again when a sleeping page wakes up. */
export function whenPassed(instant, act, signal) {
  let timer = 0;
  const look = () => {
    clearTimeout(timer);
    const left = Date.parse(instant) - now();
    if (signal.aborted) return;
    if (left > 0) timer = setTimeout(look, Math.min(left, LONGEST_MS));
    else {
      document.removeEventListener("visibilitychange", look);
      act();
    }
  };
  document.addEventListener("visibilitychange", look, { signal });
  look();
}
