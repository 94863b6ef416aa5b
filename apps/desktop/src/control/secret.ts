import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Every command to the running app's socket needs this secret. A driver that reaches the socket cannot read the
 * secret's file, because Node's permission model allows the driver only a few files and folders.
 */
export interface ControlSecret {
  matches(given: unknown): boolean;
  remove(): void;
}

export function createControlSecret(dataDirectory: string): ControlSecret {
  const path = secretPath(dataDirectory);
  const secret = randomBytes(32).toString('base64url');
  writeFileSync(`${path}.new`, secret, { mode: 0o600 });
  renameSync(`${path}.new`, path);
  return {
    matches: (given) => typeof given === 'string' && timingSafeEqual(digest(given), digest(secret)),
    remove: () => rmSync(path, { force: true }),
  };
}

/** Empty if the file is missing or cannot be read. A running app refuses an empty secret. */
export function readControlSecret(dataDirectory: string): string {
  try {
    return readFileSync(secretPath(dataDirectory), 'utf8');
  } catch {
    return '';
  }
}

function secretPath(dataDirectory: string): string {
  return join(dataDirectory, 'control-secret');
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
