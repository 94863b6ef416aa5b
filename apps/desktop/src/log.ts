import { appendFileSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { defaultSettings } from '@trestle/core';
import { type Logger, pino } from 'pino';

export type { Logger } from 'pino';

/** The number of older files to keep. */
const kept = 3;

/** The app sets `megabytes` after reading its settings, and when they change. */
export interface LogLimit {
  megabytes: number;
}

/**
 * The app's log, `logs/trestle.log`. A full file is renamed to trestle.1.log, and at most three older files are kept.
 * Each file may have a quarter of the limit. The rotation is our own, since it must be synchronous, and its limit can
 * change while the app runs.
 */
export function openLog(
  dataDirectory: string,
  limit: LogLimit = { megabytes: defaultSettings.logsMegabytes },
): Logger {
  const folder = logsFolder(dataDirectory);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, 'trestle.log');
  const write = (given: string) => {
    try {
      const line = withoutSecrets(given);
      if (sizeOf(path) + Buffer.byteLength(line) > mostBytes(limit)) rotate(path);
      // Synchronous, so that the lines before a crash of the app are in the file.
      appendFileSync(path, line, { mode: 0o600 });
    } catch {
      // The line is dropped. If the error were thrown, a full disk could stop the app.
    }
  };
  return pino({ base: { pid: process.pid } }, { write });
}

/** Deletes the oldest files until the rest fits the limit. */
export function trimLogs(dataDirectory: string, limit: LogLimit): void {
  const path = join(logsFolder(dataDirectory), 'trestle.log');
  if (sizeOf(path) > mostBytes(limit)) rotate(path);
  for (let index = kept; index > 0 && logBytes(dataDirectory) > limit.megabytes * 1024 ** 2; index -= 1) {
    rmSync(numbered(path, index), { force: true });
  }
}

/** The size of the log with its older files. */
export function logBytes(dataDirectory: string): number {
  const path = join(logsFolder(dataDirectory), 'trestle.log');
  let bytes = 0;
  for (let index = 0; index <= kept; index += 1) bytes += sizeOf(numbered(path, index));
  return bytes;
}

/** The limit for one file. */
function mostBytes({ megabytes }: LogLimit): number {
  return (megabytes * 1024 ** 2) / (kept + 1);
}

function logsFolder(dataDirectory: string): string {
  return join(dataDirectory, 'logs');
}

/** No code logs values with these names on purpose, but an error object may contain its request. */
const secretNames = new Set(['apikey', 'authorization', 'cookie', 'key', 'password', 'secret', 'token']);
const secretMember = new RegExp(`"(?:${[...secretNames].join('|')})":`, 'i');

/** Replaces the secrets at any depth. Pino's own redaction needs the path of each secret, and so a fixed depth. */
function withoutSecrets(line: string): string {
  if (!secretMember.test(line)) return line;
  const hide = (name: string, value: unknown) => (secretNames.has(name.toLowerCase()) ? '[secret]' : value);
  return `${JSON.stringify(JSON.parse(line, hide))}\n`;
}

function rotate(path: string): void {
  for (let index = kept - 1; index >= 0; index -= 1) {
    if (sizeOf(numbered(path, index)) > 0) renameSync(numbered(path, index), numbered(path, index + 1));
  }
}

function numbered(path: string, index: number): string {
  return index === 0 ? path : path.replace(/\.log$/, `.${index}.log`);
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
