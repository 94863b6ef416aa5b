import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { prepare, root } from './prepare.mjs';

const node = prepare();
const app = spawn(
  node,
  [
    '--disable-sigusr1',
    '--use-system-ca',
    join(root, 'dist', 'trestle.js'),
    'start',
    ...process.argv.slice(2),
  ],
  { stdio: 'inherit' },
);
// The terminal sends Ctrl-C to the whole group: the app stops by itself, and this process waits for it.
process.on('SIGINT', () => {});
for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => app.kill(signal));
// npm passes a signal on to its shell, which dies without a word: then the app must not be left behind.
const parent = process.ppid;
setInterval(() => process.ppid === parent || app.kill('SIGTERM'), 500).unref();
app.on('exit', (code, signal) => process.exit(signal ? 1 : (code ?? 1)));
