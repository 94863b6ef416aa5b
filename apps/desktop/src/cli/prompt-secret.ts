import { createInterface } from 'node:readline/promises';
import { type Readable, Writable } from 'node:stream';
import type { ManifestField } from '@trestle/driver-kit';

/** Asks a question at a terminal and does not echo the answer. */
export async function promptSecret(question: string, input: Readable = process.stdin): Promise<string> {
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const prompt = createInterface({ input, output: silent, terminal: true });
  // The terminal echoes input until `createInterface` runs, so the question comes later.
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

/** Asks for headers until a name is empty. The names are not secret, but are not echoed either. */
export async function promptHeaders(
  { label, placeholder = 'X-Api-Key' }: ManifestField,
  input: Readable = process.stdin,
): Promise<{ name: string; value: string }[]> {
  const headers: { name: string; value: string }[] = [];
  for (;;) {
    const more = headers.length === 0 ? `such as ${placeholder}; empty for none` : 'empty to continue';
    const name = (await promptSecret(`${label}, header name (${more}): `, input)).trim();
    if (name === '') return headers;
    headers.push({ name, value: await promptSecret(`Value of ${name}: `, input) });
  }
}
