/**
 * The key of this window. Every request to the app must contain it, except those for the page itself, `/enter` and
 * downloads. The key is in `localStorage`, so that a reload and a second window have it too. It is sent in a header,
 * because the browser would send a cookie to every port of this machine.
 */
const storageName = 'trestle-window-key';

export function keyHeaders(): Record<string, string> {
  const key = localStorage.getItem(storageName);
  return key === null ? {} : { 'x-trestle-key': key };
}

/** `fetch` with the window's key. */
export function appFetch(input: Parameters<typeof fetch>[0], init: RequestInit = {}): Promise<Response> {
  return fetch(input, { ...init, headers: { ...(init.headers as Record<string, string>), ...keyHeaders() } });
}

/** Exchanges a one-time key or code for the window's key. Returns the app's refusal, or null on success. */
export async function enterWith(proof: string): Promise<Response | null> {
  const answer = await fetch('/enter', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ proof }),
  });
  if (!answer.ok) return answer;
  localStorage.setItem(storageName, ((await answer.json()) as { key: string }).key);
  return null;
}

/** Uses the one-time key after the # of the address, if there is one, and removes it from the address. */
export async function enterByAddress(): Promise<void> {
  const proof = /^#key=(.+)$/.exec(location.hash)?.[1];
  if (proof === undefined) return;
  history.replaceState(null, '', location.pathname);
  // If this fails, a page that already has a key keeps that key.
  await enterWith(proof).catch(() => null);
}
