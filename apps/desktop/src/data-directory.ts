import { chmodSync, mkdirSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { dataDirectory as configuredDirectory } from '@trestle/mcp-server';

export function dataDirectory(): string {
  return resolve(configuredDirectory());
}

/** The data directory, made if need be, closed to everyone else. */
export function openDataDirectory(): string {
  const folder = dataDirectory();
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (process.platform !== 'win32' && statSync(folder).mode & 0o077) chmodSync(folder, 0o700);
  return folder;
}
