import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { compiledCode } from '../compiled-code.ts';
import { launcher } from './trestle.ts';

/** Most Linux systems have `script` of util-linux. On other systems, `script` takes other options. */
export const hasTerminal = process.platform === 'linux' && existsSync('/usr/bin/script');

/**
 * Runs a command in a terminal. Waits for each prompt in turn, and types its answer or calls the function. A
 * text that the function returns, perhaps later, is typed too.
 */
export async function atTerminal(
  folder: string,
  args: string[],
  answers: [prompt: string, answer: string | (() => unknown)][],
): Promise<{ code: number | null; output: string }> {
  const command = [launcher, ...args].map((one) => `'${one}'`).join(' ');
  const env = { ...compiledCode, HOME: folder, PATH: '/usr/local/bin:/usr/bin:/bin', TRESTLE_HOME: folder };
  const child = spawn('/usr/bin/script', ['-qefc', command, '/dev/null'], { env, cwd: '/' });
  let output = '';
  let seen = 0;
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk;
    // One chunk may hold several prompts.
    for (let next = answers[0]; next; next = answers[0]) {
      const [prompt, answer] = next;
      const at = output.indexOf(prompt, seen);
      if (at < 0) return;
      seen = at + prompt.length;
      answers = answers.slice(1);
      void Promise.resolve(typeof answer === 'string' ? answer : answer()).then(
        (text) => typeof text === 'string' && child.stdin.write(`${text}\r`),
      );
    }
  });
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { code, output };
}
