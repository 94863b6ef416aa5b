import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { hasUnseen, readingOf } from '@trestle/driver-kit/plain-name';
import { bridgeTokenName, commandLineName } from '../access/decide-access.ts';
import { AppError } from '../errors.ts';
import type { EventHub } from '../events/events.ts';
import type { Row, Storage } from '../storage/storage.ts';
import type { Token, Tokens } from '../types.ts';

interface TokenStore extends Tokens {
  /** The listener is called when a token was revoked or deleted, so its running calls can be ended. */
  onInvalid(listener: InvalidListener): void;
}

type InvalidListener = (id: string, act: 'revoked' | 'deleted') => void;

/** A token's secret is stored as its SHA-256. A slow hash is not needed, because the secret has 256 random bits. */
export function createTokens(storage: Storage, events: EventHub): TokenStore {
  const lastWritten = new Map<string, number>();
  const listeners: InvalidListener[] = [];

  function invalidate(id: string, act: 'revoked' | 'deleted', changes: number): void {
    if (changes === 0) return;
    for (const listener of listeners) listener(id, act);
    events.emit({ type: 'tokensChanged' });
  }

  return {
    onInvalid: (listener) => {
      listeners.push(listener);
    },
    list: () => storage.all('SELECT * FROM tokens ORDER BY created_at, rowid').map(toToken),
    create(wanted) {
      const name = wanted.name.trim();
      if (name === '') throw invalid('Give the token a name.');
      if (hasUnseen(name)) throw invalid('The name has characters that cannot be seen.');
      if (isReserved(name)) throw invalid(`"${name}" reads like a name that Trestle uses itself.`);
      if (wanted.expiresAt !== null && Number.isNaN(Date.parse(wanted.expiresAt))) {
        throw invalid('The expiry is not a date.');
      }
      const id = randomBytes(6).toString('hex');
      const secret = `trs_${id}_${randomBytes(32).toString('base64url')}`;
      storage.run(
        `INSERT INTO tokens (id, name, permission, allowlist, hash, created_at, expires_at)
         VALUES (?, ?, ?, ?, ?, ?, ?)`,
        id,
        name,
        wanted.permission,
        wanted.allowlist && JSON.stringify(wanted.allowlist),
        digest(secret),
        new Date().toISOString(),
        wanted.expiresAt && new Date(wanted.expiresAt).toISOString(),
      );
      events.emit({ type: 'tokensChanged' });
      return { token: toToken(find(id)!), secret };
    },
    revoke(id) {
      const now = new Date().toISOString();
      invalidate(
        id,
        'revoked',
        storage.run('UPDATE tokens SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL', now, id).changes,
      );
    },
    remove(id) {
      invalidate(id, 'deleted', storage.run('DELETE FROM tokens WHERE id = ?', id).changes);
    },
    verify(text) {
      const row = find(form.exec(text)?.[1] ?? '');
      // The digest is compared even if the id is unknown, so timing does not reveal which ids exist.
      const matches = timingSafeEqual(digest(text), (row?.hash as Uint8Array | undefined) ?? nothing);
      if (!row || !matches) return { ok: false, reason: 'unknown' };
      const token = toToken(row);
      if (token.revokedAt !== null) return { ok: false, reason: 'revoked' };
      if (token.expiresAt !== null && Date.parse(token.expiresAt) <= Date.now()) {
        return { ok: false, reason: 'expired' };
      }
      return { ok: true, token: touch(token) };
    },
  };

  function find(id: string): Row | undefined {
    return storage.get('SELECT * FROM tokens WHERE id = ?', id);
  }

  /** Stores the time of use, at most once a minute per token: a client may send hundreds of requests in a minute. */
  function touch(token: Token): Token {
    const now = Date.now();
    if (now - (lastWritten.get(token.id) ?? 0) < 60_000) return token;
    lastWritten.set(token.id, now);
    const lastUsedAt = new Date(now).toISOString();
    storage.run('UPDATE tokens SET last_used_at = ? WHERE id = ?', lastUsedAt, token.id);
    return { ...token, lastUsedAt };
  }
}

const form = /^trs_([0-9a-f]{12})_[A-Za-z0-9_-]{43}$/;
const nothing = new Uint8Array(32);
/** The log and the history show callers by name, so a token must not be named like Trestle, its bridge or the user. */
function isReserved(name: string): boolean {
  const reading = readingOf(name);
  return reservedNames.has(reading) || reservedParts.some((part) => reading.includes(part));
}

const reservedNames = new Set(
  ['person', 'user', 'administrator', 'bridge']
    .flatMap((name) => [name, `the ${name}`])
    .concat('you')
    .map(readingOf),
);
const reservedParts = ['Trestle', bridgeTokenName, commandLineName].map(readingOf);

function digest(text: string): Uint8Array {
  return createHash('sha256').update(text).digest();
}

function invalid(message: string): AppError {
  return new AppError({ code: 'invalid_argument', message });
}

/** A token of an earlier version, or of another program that wrote `trestle.db`, may have a reserved name. */
function shownName(id: string, name: string): string {
  return isReserved(name) ? `user token ${id}: ${name}` : name;
}

function toToken(row: Row): Token {
  return {
    id: String(row.id),
    name: shownName(String(row.id), String(row.name)),
    permission: row.permission as Token['permission'],
    allowlist: row.allowlist === null ? null : (JSON.parse(String(row.allowlist)) as string[]),
    createdAt: String(row.created_at),
    expiresAt: row.expires_at as string | null,
    lastUsedAt: row.last_used_at as string | null,
    revokedAt: row.revoked_at as string | null,
  };
}
