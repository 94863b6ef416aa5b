/**
 * The key of this window, against which the app answers. It lives in storage bound to the origin, so that a reload and
 * a second window have it too. It travels in a header: a cookie would go to every port of this machine.
 */
const storageName = 'trestle-window-key';

export function keyHeaders(): Record<string, string> {
  const key = localStorage.getItem(storageName);
  return key === null ? {} : { 'x-trestle-key': key };
}

/** Any request to the app. */
export function appFetch(input: Parameters<typeof fetch>[0], init: RequestInit = {}): Promise<Response> {
  return fetch(input, { ...init, headers: { ...(init.headers as Record<string, string>), ...keyHeaders() } });
}

/** Changes a one-time key or code for the window's key. Gives the answer that refuses it, or null. */
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

/** Comes in by the one-time key behind the # of the address, if there is one, and takes it out of the address. */
export async function enterByAddress(): Promise<void> {
  const proof = /^#key=(.+)$/.exec(location.hash)?.[1];
  if (proof === undefined) return;
  history.replaceState(null, '', location.pathname);
  // A page that is in already, and was given a link of before, stays in.
  await enterWith(proof).catch(() => null);
}
