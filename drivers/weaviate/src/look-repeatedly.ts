import { setTimeout as delay } from 'node:timers/promises';

/** Pauses before each look for a change. The server may still be making the change after the connection is lost. */
const pausesMs = [0, 200, 800];

/** Looks until `look` returns true, a few times at most. Throws if the signal ends a pause. */
export async function lookRepeatedly(look: () => Promise<boolean>, signal: AbortSignal): Promise<void> {
  for (const pause of pausesMs) {
    if (pause > 0) await delay(pause, undefined, { signal });
    if (await look()) return;
  }
}
