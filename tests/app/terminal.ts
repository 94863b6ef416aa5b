import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { launcher } from './trestle.ts';

/** Most Linux systems have `script` of util-linux. On other systems, `script` takes other options. */
export const hasTerminal = process.platform === 'linux' && existsSync('/usr/bin/script');

/** Runs a command in a terminal. Waits for each prompt in turn and types its answer. */
export async function atTerminal(
  folder: string,
  args: string[],
  answers: [prompt: string, answer: string][],
): Promise<{ code: number | null; output: string }> {
  const command = [launcher, ...args].map((one) => `'${one}'`).join(' ');
  const env = { HOME: folder, PATH: '/usr/local/bin:/usr/bin:/bin', TRESTLE_HOME: folder };
  const child = spawn('/usr/bin/script', ['-qefc', command, '/dev/null'], { env, cwd: '/' });
  let output = '';
  let seen = 0;
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk;
    const next = answers[0];
    const at = next ? output.indexOf(next[0], seen) : -1;
    if (!next || at < 0) return;
    seen = at + next[0].length;
    answers = answers.slice(1);
    child.stdin.write(`${next[1]}\r`);
  });
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { code, output };
}
