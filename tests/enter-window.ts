import { readFileSync } from 'node:fs';

/**
 * Uses a one-time link, as a page does. Takes the link, or the path or URL of a file that contains it. Returns the
 * origin and the headers for the window's requests.
 */
export async function enterWindow(
  link: string,
): Promise<{ origin: string; headers: Record<string, string> }> {
  const { origin, hash } = new URL(link.startsWith('http') ? link : linkIn(link));
  const answer = await tryEntry(origin, hash.replace('#key=', ''));
  if (!answer.ok) throw new Error(`The link was refused with ${answer.status}: ${await answer.text()}`);
  const { key } = (await answer.json()) as { key: string };
  return { origin, headers: { 'x-trestle-key': key, origin } };
}

export function tryEntry(origin: string, proof: string): Promise<Response> {
  // Keeps no socket for the next call, because the app may be killed before that call.
  const headers = { origin, 'content-type': 'application/json', connection: 'close' };
  return fetch(`${origin}/enter`, { method: 'POST', headers, body: JSON.stringify({ proof }) });
}

/** The link in the file that the app gave to a browser. Takes the file's path or URL. */
export function linkIn(file: string): string {
  const text = readFileSync(file.startsWith('file:') ? new URL(file) : file, 'utf8');
  return /url=([^"]+)/.exec(text)![1]!;
}
