import { createInterface } from 'node:readline/promises';
import { type Readable, Writable } from 'node:stream';

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
