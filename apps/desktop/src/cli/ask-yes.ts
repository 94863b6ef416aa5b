import { createInterface } from 'node:readline/promises';

/** Asks at the terminal. False for any answer but `y` or `yes`, and if there is no terminal. */
export async function askYes(question: string): Promise<boolean> {
  if (!process.stdin.isTTY) return false;
  const prompt = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(es)?$/i.test((await prompt.question(`${question} [y/N] `)).trim());
  } catch {
    return false;
  } finally {
    prompt.close();
  }
}
