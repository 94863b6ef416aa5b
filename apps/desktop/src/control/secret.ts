import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The running app's socket wants this secret with every command. A driver that found a way to a socket of its user
 * cannot read this file: the permission model gives it its own folder and chosen files.
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

/** Empty where no app has left one: the app then refuses the command. */
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
