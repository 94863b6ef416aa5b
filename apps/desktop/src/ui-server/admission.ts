import { createHash, randomBytes } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

/** Who may use the window's listener: whoever came in by a one-time link, known by a cookie from then on. */
export interface Admission {
  /** Cookies ignore ports, so two copies side by side need two names. */
  readonly cookieName: string;
  /** A key for one entry, good for a short while. */
  createKey(): string;
  /** The cookie's value for a key that is good, which it then is no longer. */
  redeem(key: string): string | null;
  admits(cookie: string | undefined): boolean;
}

/** Long enough to copy an address from one screen to another. */
const keyLifeMs = 10 * 60_000;
const maxSessions = 50;

export function createAdmission(dataDirectory: string, now: () => number = Date.now): Admission {
  const keys = new Map<string, number>();
  const sessions = openSessionFile(join(dataDirectory, 'window-sessions.json'));
  return {
    cookieName: `trestle_${digest(dataDirectory).slice(0, 12)}`,
    createKey() {
      for (const [key, until] of keys) if (until <= now()) keys.delete(key);
      const key = randomBytes(32).toString('base64url');
      keys.set(digest(key), now() + keyLifeMs);
      return key;
    },
    redeem(key) {
      const until = keys.get(digest(key));
      keys.delete(digest(key));
      if (until === undefined || until <= now()) return null;
      const cookie = randomBytes(32).toString('base64url');
      sessions.add(digest(cookie));
      return cookie;
    },
    admits: (cookie) => cookie !== undefined && sessions.has(digest(cookie)),
  };
}

interface SessionFile {
  has(digest: string): boolean;
  add(digest: string): void;
}

/** Digests of the cookies, kept so that an open page goes on working when the app starts again. */
function openSessionFile(path: string): SessionFile {
  let digests = readDigests(path);
  return {
    has: (digest) => digests.includes(digest),
    add(digest) {
      digests = [...digests, digest].slice(-maxSessions);
      writeFileSync(`${path}.new`, JSON.stringify(digests), { mode: 0o600 });
      renameSync(`${path}.new`, path);
    },
  };
}

function readDigests(path: string): string[] {
  try {
    return z.array(z.string()).parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    return [];
  }
}

/** Looking a digest up tells nothing about the value by its timing. */
function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
