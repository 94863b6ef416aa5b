import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { bytesOf, testCore } from '../testing/test-core.ts';
import type { Core } from '../types.ts';

const wanted = { name: 'Mine', permission: 'readWrite', allowlist: null, expiresAt: null } as const;

test('the secret of a new token verifies it, and is not stored or listed', async () => {
  const { core, home, events } = await testCore();
  const { token, secret } = core.tokens.create({ ...wanted, allowlist: ['a'], name: ' Mine ' });
  expect(secret).toMatch(new RegExp(`^trs_${token.id}_[A-Za-z0-9_-]{43}$`));
  expect(token).toEqual({
    id: token.id,
    name: 'Mine',
    permission: 'readWrite',
    allowlist: ['a'],
    createdAt: expect.any(String),
    expiresAt: null,
    lastUsedAt: null,
    revokedAt: null,
  });
  expect(bytesOf(home)).not.toMatch(secret.slice(-43));
  expect(core.tokens.verify(secret)).toEqual({
    ok: true,
    token: { ...token, lastUsedAt: expect.any(String) },
  });
  expect(core.tokens.list()).toEqual([{ ...token, lastUsedAt: expect.any(String) }]);
  expect(events).toEqual([{ type: 'tokensChanged' }]);
});

test('a text that is not exactly a created token is unknown', async () => {
  const { core } = await testCore();
  const { secret } = core.tokens.create(wanted);
  const other = core.tokens.create(wanted).secret;
  const swapped = secret.slice(0, 17) + other.slice(17);
  for (const text of [
    '',
    'trs_',
    `${secret}x`,
    secret.slice(0, -1),
    swapped,
    `trs_000000000000_${'A'.repeat(43)}`,
  ]) {
    expect(core.tokens.verify(text)).toEqual({ ok: false, reason: 'unknown' });
  }
});

test('an expired and a revoked token are reported as such, a removed token and a guessed secret as unknown', async () => {
  const { core } = await testCore();
  const expired = core.tokens.create({ ...wanted, expiresAt: '2020-01-01T00:00:00Z' });
  const revoked = core.tokens.create(wanted);
  const removed = core.tokens.create(wanted);
  core.tokens.revoke(revoked.token.id);
  core.tokens.remove(removed.token.id);
  expect(core.tokens.verify(expired.secret)).toEqual({ ok: false, reason: 'expired' });
  expect(core.tokens.verify(revoked.secret)).toEqual({ ok: false, reason: 'revoked' });
  expect(core.tokens.verify(removed.secret)).toEqual({ ok: false, reason: 'unknown' });
  const guess = `${revoked.secret.slice(0, 17)}${'A'.repeat(43)}`;
  expect(core.tokens.verify(guess)).toEqual({ ok: false, reason: 'unknown' });
});

type Refused = [string, Parameters<Core['tokens']['create']>[0]];

test.each<Refused>([
  ['Give the token a name.', { ...wanted, name: ' ' }],
  ['"__stdio_bridge__" reads like a name that Trestle uses itself.', { ...wanted, name: '__stdio_bridge__' }],
  ['The name has characters that cannot be seen.', { ...wanted, name: '__stdio\u200b_bridge__' }],
  ['"__stdiо_bridge__" reads like a name that Trestle uses itself.', { ...wanted, name: '__stdiо_bridge__' }],
  ...[
    'Trestle',
    'Trestle bridge',
    'The bridge trestle-mcp',
    'the bridge',
    'Trestl\u0435',
    'TrestIe',
    'T R E S T L E',
    '\uff34restle',
    'Ꭲrestle',
    'ᴛʀᴇꜱᴛʟᴇ',
    'ꓔrestle',
    '𝕋restle',
    'x” The bridge trestle-mcp “',
    '__stdi0_br1dge__',
    'ⲦRESTⳐE',
    'Tɾestle',
    'Trest∣e',
    'Trestl℮',
    '🆃🆁🅴🆂🆃🅻🅴',
    '🇹🇷🇪🇸🇹🇱🇪',
    'ʏou',
    'The user',
    'administrator',
  ].map((name): Refused => [`"${name}" reads like a name that Trestle uses itself.`, { ...wanted, name }]),
  ['"Person" reads like a name that Trestle uses itself.', { ...wanted, name: ' Person ' }],
  ['The expiry is not a date.', { ...wanted, expiresAt: 'soon' }],
])('a new token is refused with the message: %s', async (message, token) => {
  const { core } = await testCore();
  expect(() => core.tokens.create(token)).toThrow(
    expect.objectContaining({ code: 'invalid_argument', message }),
  );
});

test.each(['__stdio_bridge__', 'The bridge trestle-mcp', 'person'])(
  'a stored token that is named %j is shown with its id, in the list and to the gate',
  async (name) => {
    const { core, home } = await testCore();
    const { token, secret } = core.tokens.create(wanted);
    const database = new DatabaseSync(join(home, 'trestle.db'));
    database.prepare('UPDATE tokens SET name = ? WHERE id = ?').run(name, token.id);
    database.close();
    const shown = `user token ${token.id}: ${name}`;
    expect(core.tokens.list()).toMatchObject([{ name: shown }]);
    expect(core.tokens.verify(secret)).toMatchObject({ ok: true, token: { name: shown } });
  },
);
