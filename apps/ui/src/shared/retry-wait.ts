const retryMs = 2000;
const longestMs = 60_000;

/**
 * The time before the window asks for the event stream again. Each new stream reads all data again, so a server that
 * closes it at once must not be asked at a steady pace. `livedMs`: how long the last stream was open; null if it never
 * was.
 */
export function retryWait(before: number | null, livedMs: number | null): number {
  const isShort = livedMs !== null && livedMs < shortMs;
  return isShort && before !== null ? Math.min(2 * before, longestMs) : retryMs;
}

const shortMs = 3_000;
