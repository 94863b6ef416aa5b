import { createInterface } from 'node:readline/promises';
import { type Readable, Writable } from 'node:stream';
import type { ManifestField } from '@trestle/driver-kit';

/** Asks at a terminal, and shows nothing of what is typed. */
export async function promptSecret(question: string, input: Readable = process.stdin): Promise<string> {
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const prompt = createInterface({ input, output: silent, terminal: true });
  // Only now does the terminal stop showing what is typed, so nobody may be asked before.
  process.stderr.write(question);
  const interrupted = new AbortController();
  prompt.once('SIGINT', () => interrupted.abort());
  try {
    return await prompt.question('', { signal: interrupted.signal });
  } catch {
    throw new Error('Cancelled; nothing was saved.');
  } finally {
    prompt.close();
    process.stderr.write('\n');
  }
}

/** Asks for header after header, until a name is left empty. The names are not secret, but are asked for alike. */
export async function promptHeaders(
  { label, placeholder = 'X-Api-Key' }: ManifestField,
  input: Readable = process.stdin,
): Promise<{ name: string; value: string }[]> {
  const headers: { name: string; value: string }[] = [];
  for (;;) {
    const more = headers.length === 0 ? `such as ${placeholder}; empty for none` : 'empty to go on';
    const name = (await promptSecret(`${label}, header name (${more}): `, input)).trim();
    if (name === '') return headers;
    headers.push({ name, value: await promptSecret(`Value of ${name}: `, input) });
  }
}
