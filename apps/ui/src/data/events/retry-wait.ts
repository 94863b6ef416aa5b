const retryMs = 2000;
const longestMs = 60_000;

/**
 * The time before the window asks for the event stream again. With each new stream the window reads its data again. So
 * if a stream ends soon after it opened, the wait doubles, up to a minute. `before`: the previous wait; null if there
 * was no wait. `livedMs`: how long the last stream was open; null if it did not open.
 */
export function retryWait(before: number | null, livedMs: number | null): number {
  const isShort = livedMs !== null && livedMs < shortMs;
  return isShort && before !== null ? Math.min(2 * before, longestMs) : retryMs;
}

const shortMs = 3_000;
