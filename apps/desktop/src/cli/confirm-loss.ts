import { createInterface } from 'node:readline/promises';
import type { Connection } from '@trestle/core';
import { plainText } from './output.ts';
import type { Terminal } from './terminal.ts';

interface ShownLoss {
  connection: Pick<Connection, 'name' | 'word'>;
  summary: string;
  words: string;
  /** The data or the schema has changed since the last answer. */
  again: boolean;
}

/** Says what a statement would lose, and asks. Only a typed `yes` counts. */
export async function confirmLoss(
  { connection, summary, words, again }: ShownLoss,
  terminal: Terminal,
): Promise<boolean> {
  const { name, word } = connection;
  const lines = [
    ...(again ? ['The data or the schema has changed. Nothing was run.'] : []),
    `On "${name}"${word ? ` (${word})` : ''}: ${summary}`,
    words,
  ];
  if (!terminal.isThere()) return false;
  return terminal.use(async (input) => {
    for (const line of lines) process.stderr.write(`${plainText(line)}\n`);
    const prompt = createInterface({ input, output: process.stderr });
    const interrupted = new AbortController();
    prompt.once('SIGINT', () => interrupted.abort());
    prompt.once('close', () => interrupted.abort());
    try {
      const { signal } = interrupted;
      return (await prompt.question('Type yes to run it: ', { signal })).trim().toLowerCase() === 'yes';
    } catch {
      return false;
    } finally {
      prompt.close();
    }
  });
}
