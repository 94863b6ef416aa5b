import { mkdirSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type Logger, pino } from 'pino';

export type { Logger } from 'pino';

const maxBytes = 5 * 1024 * 1024;
const kept = 3;

/** The app's log, `logs/trestle.log`; at 5 MB it becomes trestle.1.log, and the oldest goes. */
export function openLog(dataDirectory: string): Logger {
  const folder = join(dataDirectory, 'logs');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, 'trestle.log');
  rotateIfFull(path);
  // Synchronous: what led to a crash is on disk when it happens.
  const file = pino.destination({ dest: path, sync: true, mode: 0o600 });
  let written = sizeOf(path);
  const rotating = {
    write(line: string) {
      written += Buffer.byteLength(line);
      if (written > maxBytes) {
        rotate(path);
        file.reopen();
        written = Buffer.byteLength(line);
      }
      file.write(line);
    },
  };
  return pino({ base: { pid: process.pid }, redact: { paths: secretPaths, censor: '[secret]' } }, rotating);
}

/** No code logs these on purpose; an error object that carries its request would. */
const secretNames = ['apiKey', 'authorization', 'cookie', 'key', 'password', 'secret', 'token'];
const secretPaths = secretNames.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]);

function rotateIfFull(path: string): void {
  if (sizeOf(path) > maxBytes) rotate(path);
}

function rotate(path: string): void {
  const numbered = (index: number) => (index === 0 ? path : path.replace(/\.log$/, `.${index}.log`));
  for (let index = kept - 1; index >= 0; index -= 1) {
    if (sizeOf(numbered(index)) > 0) renameSync(numbered(index), numbered(index + 1));
  }
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
